//! Why a condition holds or not, and why a value is in a set or not: the innermost test that decides, with the values it
//! found, and the rules it rests on.

use super::Eval;
use super::sets::Owners;
use crate::base::Bits;
use crate::ir::{
    Binder, BinderSet, Expr, ExprKind, FnId, Fold, Function, Order, Owner, Piece, RuleId, SeatId, SetOp, Slot, Ty,
    Value,
};
use crate::model::{Part, Reason, Told};

/// How many findings one sentence may join.
const JOINED: usize = 3;
/// How many members a choice may have left to be named.
const FEW: usize = 3;

/// What decides.
#[derive(Clone, Debug, Default)]
pub(super) struct Because {
    /// What was found, if it can be said.
    pub(super) found: Option<Reason>,
    /// The rules it rests on that cite a clause which can forbid: on the way inward the first.
    pub(super) rules: Vec<RuleId>,
    /// How many tests of a path would have to be left out; [`Because::NEVER`] if that would not suffice.
    pub(super) tests: usize,
    /// Whether the rules are those of a path.
    pub(super) path: bool,
}

impl Because {
    /// No path leads there, whatever it tests.
    pub(super) const NEVER: usize = usize::MAX;

    pub(super) fn found(reason: Reason) -> Self {
        Self { found: Some(reason), tests: 1, ..Self::default() }
    }

    /// Both of these.
    pub(super) fn and(mut self, other: Self) -> Self {
        let mut found = Vec::new();
        for reason in [self.found.take(), other.found].into_iter().flatten() {
            if let Reason::All(several) = reason {
                found.extend(several);
            } else {
                found.push(reason);
            }
        }
        let mut found = merged(found);
        found.truncate(JOINED);
        let last = found.pop();
        self.found = if found.is_empty() { last } else { Some(Reason::All(found.into_iter().chain(last).collect())) };
        self.path |= other.path;
        for rule in other.rules {
            if !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
        self
    }
}

impl Eval<'_> {
    /// Why a condition holds or does not; at least that it does.
    pub(super) fn why(&mut self, test: &Expr, holds: bool) -> Because {
        self.condition(test, holds).unwrap_or_else(|| quoted(test, Reason::Test { test: test.span, holds }))
    }

    /// Why a value is in a set or not; at least that it is.
    pub(super) fn why_member(&mut self, set: &Expr, value: &Value, among: bool) -> Because {
        if let Some(because) = self.membership(set, value, among) {
            return because;
        }
        let members = Told { ty: set.ty.clone(), value: self.eval(set) };
        let value = Told { ty: set.ty.element().clone(), value: value.clone() };
        quoted(set, Reason::Member { value, set: set.span, members, among })
    }

    /// Whether a rule cites a clause that can forbid.
    pub(super) fn cites(&self, rule: RuleId) -> bool {
        !self.game.forbidding(&[rule]).is_empty()
    }

    /// None if nothing more can be said than that it holds or does not.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    fn condition(&mut self, test: &Expr, holds: bool) -> Option<Because> {
        let told = |expr: &Expr, value: Value| Told { ty: expr.ty.clone(), value };
        match &test.kind {
            ExprKind::Not(inner) => {
                let found = self.condition(inner, !holds);
                found
                    .or_else(|| written(inner).then(|| quoted(inner, Reason::Test { test: inner.span, holds: !holds })))
            }
            ExprKind::And(a, b) if holds => Some(self.why(a, true).and(self.why(b, true))),
            ExprKind::Or(a, b) if !holds => Some(self.why(a, false).and(self.why(b, false))),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let decides = if self.truth(a) == holds { a } else { b };
                Some(self.why(decides, holds))
            }
            ExprKind::IsEmpty(set) if holds => {
                self.emptiness(set).or_else(|| written(set).then(|| quoted(set, Reason::Empty(set.span))))
            }
            ExprKind::IsEmpty(set) => {
                if let ExprKind::Zone(zone) = &set.kind {
                    let (zone, count) = (self.zone_place(zone), self.eval(set).size());
                    return Some(Because::found(Reason::Holds { zone, count }));
                }
                let members = told(set, self.eval(set));
                written(set).then(|| quoted(set, Reason::Some { set: set.span, members }))
            }
            ExprKind::Compare(order, a, b) if written(a) && written(b) => {
                let numbers = (self.eval(a).int(), self.eval(b).int());
                let wanted = if holds { negated(*order) } else { *order };
                Some(Because::found(Reason::Number { wanted, numbers, written: (a.span, b.span) }))
            }
            ExprKind::Same(a, b) if written(a) && written(b) => {
                // What is compared with who acts is what is told.
                let (a, b) = if matches!(a.kind, ExprKind::Me) { (b, a) } else { (a, b) };
                let values = (told(a, self.eval(a)), told(b, self.eval(b)));
                Some(Because::found(Reason::Equal { values, written: (a.span, b.span), equal: holds }))
            }
            ExprKind::Member(member, set) => {
                let value = self.eval(member);
                Some(self.why_member(set, &value, holds))
            }
            ExprKind::Within(a, b) if !holds => {
                let outside = self.eval(a).members().into_iter().find(|member| !self.has(b, member))?;
                Some(self.why_member(b, &outside, false))
            }
            ExprKind::Meets(a, b) => self.meeting(a, b, holds),
            ExprKind::If(condition, a, b) => {
                let branch = if self.truth(condition) { a } else { b };
                self.condition(branch, holds)
            }
            ExprKind::Call(function, args) => {
                let found = self.within(*function, args, &mut |eval, body| eval.condition(body, holds));
                found.or_else(|| {
                    let mut because = quoted(test, Reason::Test { test: test.span, holds });
                    let rule = self.game.functions.get(*function).map(|def| def.rule);
                    because.rules.extend(rule.filter(|rule| self.cites(*rule)));
                    written(test).then_some(because)
                })
            }
            ExprKind::Quantified { all, binders, filter, body } => {
                self.quantified(*all, binders, filter.as_deref(), body, holds)
            }
            ExprKind::Attr(crate::ir::Attribute::PieceField(name, Ty::Bool), of) => {
                let Value::Piece(piece) = self.eval(of) else { return None };
                Some(Because::found(Reason::Flag { site: None, piece, flag: name.clone(), set: holds }))
            }
            ExprKind::Slot(_)
            | ExprKind::Const(_)
            | ExprKind::Var(..)
            | ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Playing
            | ExprKind::Occurrences
            | ExprKind::OccurrencesOf(_)
            | ExprKind::InPhase(_)
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::Pieces(..)
            | ExprKind::Zone(_)
            | ExprKind::TopOf(_)
            | ExprKind::TokensAt(..)
            | ExprKind::TokenSites(..)
            | ExprKind::Neg(_)
            | ExprKind::Compare(..)
            | ExprKind::Same(..)
            | ExprKind::Calc(..)
            | ExprKind::Within(..)
            | ExprKind::Set(..)
            | ExprKind::List(_)
            | ExprKind::Range(..)
            | ExprKind::Aggregate { .. }
            | ExprKind::Top(..)
            | ExprKind::Filter(..)
            | ExprKind::After(..)
            | ExprKind::Attr(..)
            | ExprKind::Lookup(..)
            | ExprKind::Path(..)
            | ExprKind::Builtin(..)
            | ExprKind::MovesOf(_)
            | ExprKind::CanPlay(..) => None,
        }
    }

    /// Why two sets share a member, or why a set of one member does not meet another.
    fn meeting(&mut self, a: &Expr, b: &Expr, holds: bool) -> Option<Because> {
        let (left, right) = (self.eval(a).members(), self.eval(b).members());
        if holds {
            let shared = left.into_iter().find(|member| right.contains(member))?;
            return Some(self.why_member(b, &shared, true));
        }
        match (left.as_slice(), right.as_slice()) {
            ([], _) => self.emptiness(a),
            (_, []) => self.emptiness(b),
            ([only], _) => Some(self.why_member(b, only, false)),
            (_, [only]) => Some(self.why_member(a, only, false)),
            (_, _) => None,
        }
    }

    /// Looks into a definition. If it cites a clause that can forbid, that is what decides, whatever it is made of.
    fn within(
        &mut self,
        function: FnId,
        args: &[Expr],
        look: &mut dyn FnMut(&mut Self, &Expr) -> Option<Because>,
    ) -> Option<Because> {
        let def = self.game.functions.get(function)?;
        if let Some(told) = args.first().filter(|_| def.told) {
            return look(self, told);
        }
        let values: Vec<Value> = args.iter().map(|arg| self.eval(arg)).collect();
        for (slot, value) in def.params.iter().zip(values) {
            self.bind(*slot, value);
        }
        let mut because = look(self, &def.body)?;
        if !because.path && self.cites(def.rule) {
            because.rules = vec![def.rule];
        }
        Some(because)
    }

    /// The member that decides: a counterexample to `all`, an example of `any`, or the only one there is.
    fn quantified(
        &mut self,
        all: bool,
        binders: &[Binder],
        filter: Option<&Expr>,
        body: &Expr,
        holds: bool,
    ) -> Option<Because> {
        if all != holds {
            let mut because = None;
            self.each(binders, filter, &mut |eval| {
                let decides = eval.truth(body) == holds;
                if decides {
                    because = Some(eval.why(body, holds));
                }
                !decides
            });
            return because;
        }
        let [Binder { slot, over }] = binders else { return None };
        let members = self.bound(over);
        match (members.as_slice(), over) {
            ([], BinderSet::Members(set) | BinderSet::PiecesAt(set)) => {
                self.emptiness(set).or_else(|| written(set).then(|| quoted(set, Reason::Empty(set.span))))
            }
            ([only], _) => {
                self.bind(*slot, only.clone());
                match filter {
                    Some(filter) if !self.truth(filter) => Some(self.why(filter, false)),
                    _ => Some(self.why(body, holds)),
                }
            }
            (_, _) => None,
        }
    }

    /// Why a set is empty.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is quoted as it is written")]
    fn emptiness(&mut self, set: &Expr) -> Option<Because> {
        match &set.kind {
            ExprKind::Zone(zone) => {
                let zone = self.zone_place(zone);
                Some(Because::found(Reason::Holds { zone, count: 0 }))
            }
            ExprKind::Filter(slot, base, condition) => match self.eval(base).members().as_slice() {
                [] => self.emptiness(base),
                [only] => {
                    self.bind(*slot, only.clone());
                    Some(self.why(condition, false))
                }
                _ => None,
            },
            ExprKind::Set(SetOp::Intersect, a, b) => self.meeting(a, b, false),
            ExprKind::Set(SetOp::Minus, a, b) => match self.eval(a).members().as_slice() {
                [] => self.emptiness(a),
                [only] => Some(self.why_member(b, only, true)),
                _ => None,
            },
            ExprKind::If(condition, a, b) => {
                let branch = if self.truth(condition) { a } else { b };
                self.emptiness(branch)
            }
            ExprKind::Call(function, args) => self.within(*function, args, &mut |eval, body| eval.emptiness(body)),
            _ => None,
        }
    }

    /// None if nothing more can be said than that the value is in the set or not.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is quoted as it is written")]
    fn membership(&mut self, set: &Expr, value: &Value, among: bool) -> Option<Because> {
        match &set.kind {
            ExprKind::Set(op, a, b) => self.algebraic(*op, a, b, value, among),
            ExprKind::If(condition, a, b) => {
                let branch = if self.truth(condition) { a } else { b };
                self.membership(branch, value, among)
            }
            ExprKind::Filter(slot, base, condition) => {
                if !among && !self.has(base, value) {
                    return Some(self.why_member(base, value, false));
                }
                let only = if among { None } else { self.only(*slot, base, condition) };
                self.bind(*slot, value.clone());
                Some(only.unwrap_or_else(|| self.why(condition, among)))
            }
            ExprKind::Call(function, args) => {
                let found = self.within(*function, args, &mut |eval, body| eval.membership(body, value, among));
                let rule = self.game.functions.get(*function).map(|def| def.rule).filter(|rule| self.cites(*rule));
                found.or_else(|| {
                    let rule = rule?;
                    let members = Told { ty: set.ty.clone(), value: self.eval(set) };
                    let value = Told { ty: set.ty.element().clone(), value: value.clone() };
                    let because = quoted(set, Reason::Member { value, set: set.span, members, among });
                    Some(Because { rules: vec![rule], ..because })
                })
            }
            ExprKind::Path(path, from, args) if !among => self.off_path(*path, from, args, value),
            ExprKind::Aggregate { fold: Fold::Union, body, binders, filter } => {
                self.comprehended(body, binders, filter.as_deref(), value, among)
            }
            ExprKind::Zone(zone) => {
                let Value::Piece(piece) = value else { return None };
                let zone = self.zone_place(zone);
                Some(Because::found(Reason::InZone { piece: piece.clone(), zone, there: among }))
            }
            ExprKind::Empty | ExprKind::Occupied => {
                let bare = matches!(set.kind, ExprKind::Empty) == among;
                let (site, part) = (value.atom(), Part::Chosen);
                let piece = self.piece(site).cloned();
                Some(Because::found(if bare {
                    Reason::Bare { site, part }
                } else {
                    Reason::Occupied { site, piece, part }
                }))
            }
            ExprKind::Pieces(owner, kinds) => self.pieces_there(owner, kinds, value.atom(), among),
            ExprKind::TokenSites(tokens, _) => {
                let site = value.atom();
                Some(Because::found(if self.is_empty(site) {
                    Reason::Bare { site, part: Part::Chosen }
                } else {
                    Reason::Tokens { site, tokens: *tokens, any: among }
                }))
            }
            ExprKind::Attr(crate::ir::Attribute::KindValue(_), of) => {
                let Value::Piece(piece) = self.piece_of(of)? else { return None };
                let value = Told { ty: set.ty.element().clone(), value: value.clone() };
                written(set)
                    .then(|| Because::found(Reason::Attribute { site: None, piece, attribute: set.span, value, among }))
            }
            ExprKind::Builtin(Function::Around, of) if !among => {
                let of = of.first()?;
                let beside = Told { ty: of.ty.clone(), value: self.eval(of) };
                Some(Because::found(Reason::Apart { site: value.atom(), beside }))
            }
            ExprKind::Const(_) | ExprKind::Lookup(..) if !among && *set.ty.element() == Ty::Site => {
                self.elsewhere(set, value.atom())
            }
            _ => None,
        }
    }

    /// The piece whose attribute, or whose kind's attribute, is asked for.
    fn piece_of(&mut self, of: &Expr) -> Option<Value> {
        if let ExprKind::Attr(crate::ir::Attribute::PieceKind, piece) = &of.kind {
            return Some(self.eval(piece));
        }
        Some(self.eval(of)).filter(|value| matches!(value, Value::Piece(_)))
    }

    fn algebraic(&mut self, op: SetOp, a: &Expr, b: &Expr, value: &Value, among: bool) -> Option<Because> {
        match (op, among) {
            (SetOp::Union, false) => self.neither(a, b, value),
            (SetOp::Union, true) => {
                let holds = if self.has(a, value) { a } else { b };
                Some(self.why_member(holds, value, true))
            }
            (SetOp::Intersect, false) => {
                let lacks = if self.has(a, value) { b } else { a };
                Some(self.why_member(lacks, value, false))
            }
            (SetOp::Intersect, true) => self.membership(b, value, true).or_else(|| self.membership(a, value, true)),
            (SetOp::Minus, false) if self.has(a, value) => Some(self.why_member(b, value, true)),
            (SetOp::Minus, _) => Some(self.why_member(a, value, among)),
        }
    }

    /// Why a value is in neither of two sets: what is nearer to letting it in.
    fn neither(&mut self, a: &Expr, b: &Expr, value: &Value) -> Option<Because> {
        let (one, other) = (self.membership(a, value, false), self.membership(b, value, false));
        let (one, other) = match (one, other) {
            (Some(one), Some(other)) => (one, other),
            (Some(only), None) | (None, Some(only)) => return Some(only).filter(|only| only.tests != Because::NEVER),
            (None, None) => return None,
        };
        if one.tests != other.tests {
            return Some(if one.tests < other.tests { one } else { other });
        }
        if one.tests == Because::NEVER {
            return Some(self.joined(a, b, value).unwrap_or_else(|| unreachable(one, other)));
        }
        Some(one.and(other))
    }

    /// If a value lies in a zone, and that leaves few members of a set: that.
    fn only(&mut self, slot: Slot, base: &Expr, condition: &Expr) -> Option<Because> {
        let ExprKind::Member(member, set) = &condition.kind else { return None };
        let mut left = Vec::new();
        let mut place = None;
        for candidate in self.eval(base).members() {
            self.bind(slot, candidate.clone());
            if self.truth(condition) {
                let value = self.eval(member);
                if let Some(Reason::InZone { zone, .. }) =
                    self.membership(set, &value, true).and_then(|because| because.found)
                {
                    place.get_or_insert((value, zone));
                }
                left.push(candidate);
            }
        }
        let (value, zone) = place.filter(|_| left.len() <= FEW)?;
        let value = Told { ty: member.ty.clone(), value };
        let left = Told { ty: base.ty.clone(), value: super::sets::gather(left) };
        Some(Because::found(Reason::Only { value, zone, left }))
    }

    /// A set built from members of others: `union E for x in S where C`.
    fn comprehended(
        &mut self,
        body: &Expr,
        binders: &[Binder],
        filter: Option<&Expr>,
        value: &Value,
        among: bool,
    ) -> Option<Because> {
        let Some((Binder { slot, over: BinderSet::Members(set) }, rest)) = binders.split_first() else { return None };
        let itself = body.as_slot() == Some(*slot) || body.sole().and_then(Expr::as_slot) == Some(*slot);
        if itself {
            // The members of the first set that pass the filter.
            if !self.has(set, value) {
                return Some(self.why_member(set, value, false));
            }
            self.bind(*slot, value.clone());
            let (filter, [Binder { slot, over }]) = (filter?, rest) else { return Some(self.why(filter?, among)) };
            let members = self.bound(over);
            let [only] = members.as_slice() else { return None };
            self.bind(*slot, only.clone());
            let mut because = self.why(filter, among);
            if let (Some(found), Value::Atom(site), Ty::Site) = (&mut because.found, value, set.ty.element()) {
                found.standing_on(*site as usize);
            }
            return Some(because);
        }
        let ExprKind::Zone(zone) = &set.kind else { return None };
        if !among || !rest.is_empty() {
            return None;
        }
        let zone = self.zone_place(zone);
        for member in self.eval(set).members() {
            self.bind(*slot, member.clone());
            let passes = filter.is_none_or(|filter| self.truth(filter));
            if let (true, true, Value::Piece(piece)) = (passes, passes && self.has(body, value), member) {
                return Some(Because::found(Reason::InZone { piece, zone, there: true }));
            }
        }
        None
    }

    fn pieces_there(&mut self, owner: &Owner, kinds: &Expr, site: usize, among: bool) -> Option<Because> {
        let Some(piece) = self.piece(site).cloned() else {
            return self.is_empty(site).then(|| Because::found(Reason::Bare { site, part: Part::Chosen }));
        };
        let (owners, kinds) = (self.owners(owner), self.eval(kinds).into_set());
        let reason = self.owned(&owners, site, &piece, among);
        let reason = reason.unwrap_or(Reason::Kind { site, piece, kinds, among });
        Some(Because::found(reason))
    }

    /// What its owner decides about a piece, if that decides.
    fn owned(&self, owners: &Owners, site: usize, piece: &Piece, among: bool) -> Option<Reason> {
        let piece = piece.clone();
        if owners.fits(piece.owner) != among {
            return None;
        }
        match (owners, piece.owner) {
            (Owners::Any, _) => None,
            (Owners::NotOne(_), Some(owner)) => Some(Reason::Owned { site, piece, owner }),
            (_, Some(owner)) if among => Some(Reason::Owned { site, piece, owner }),
            (Owners::One(seat), _) => Some(Reason::NotOwned { site, piece, wanted: Bits::one(usize::from(*seat)) }),
            (Owners::Many(wanted), _) => Some(Reason::NotOwned { site, piece, wanted: wanted.clone() }),
            (Owners::NotOne(seat), None) => {
                let mut wanted = Bits::all(self.game.seats.len());
                wanted.remove(usize::from(*seat));
                Some(Reason::NotOwned { site, piece, wanted })
            }
        }
    }

    /// A site on the side of one seat, where those of the set belong to another.
    fn elsewhere(&mut self, set: &Expr, site: usize) -> Option<Because> {
        let of = |eval: &Self, site: usize| eval.game.topology.sites.get(site).and_then(|site| site.seat);
        let owner = of(self, site)?;
        let members = self.eval(set).into_set();
        let wanted: Option<SeatId> = of(self, members.first()?);
        let wanted =
            wanted.filter(|wanted| *wanted != owner && members.iter().all(|site| of(self, site) == Some(*wanted)))?;
        Some(Because::found(Reason::Side { site, owner, wanted }))
    }
}

/// Two sets of paths that do not lead there, as one.
fn unreachable(one: Because, other: Because) -> Because {
    let both = match (&one.found, &other.found) {
        (Some(Reason::Unreachable { from, to, paths }), Some(Reason::Unreachable { paths: more, .. })) => {
            let paths = paths.iter().chain(more).copied().collect();
            Some(Reason::Unreachable { from: *from, to: *to, paths })
        }
        (_, _) => None,
    };
    let because = one.and(other);
    Because { found: both.or(because.found), tests: Because::NEVER, rules: because.rules, path: true }
}

/// Findings without those said twice; that one piece is not of some kinds, nor of others, is one.
fn merged(findings: Vec<Reason>) -> Vec<Reason> {
    let mut merged: Vec<Reason> = Vec::new();
    for finding in findings {
        if let Reason::Kind { site, kinds: more, among: false, .. } = &finding
            && let Some(Reason::Kind { kinds, .. }) = merged
                .iter_mut()
                .find(|one| matches!(one, Reason::Kind { site: other, among: false, .. } if other == site))
        {
            kinds.unite(more);
        } else if !merged.contains(&finding) {
            merged.push(finding);
        }
    }
    merged
}

/// What is found about an expression, if it is written in the rules.
fn quoted(expr: &Expr, reason: Reason) -> Because {
    Because { found: Some(reason).filter(|_| written(expr)), tests: 1, ..Because::default() }
}

fn written(expr: &Expr) -> bool {
    expr.span.start < expr.span.end
}

fn negated(order: Order) -> Order {
    match order {
        Order::Lt => Order::Ge,
        Order::Le => Order::Gt,
        Order::Gt => Order::Le,
        Order::Ge => Order::Lt,
    }
}
