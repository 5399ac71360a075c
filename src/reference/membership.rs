//! Why a value is in a set or not: the innermost test that decides, with the values it found, and the rules it rests on.

use super::Eval;
use super::because::{Because, quoted, written};
use super::sets::{Owners, gather};
use crate::base::Bits;
use crate::ir::{
    Attribute, Binder, BinderSet, Expr, ExprKind, Fold, Function, Owner, Piece, SeatId, SetOp, Slot, Ty, Value,
};
use crate::model::{Part, Reason, Told};

/// How many members a choice may have left to be named.
const FEW: usize = 3;

impl Eval<'_> {
    /// None if nothing more can be said than that the value is in the set or not.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is quoted as it is written")]
    pub(super) fn membership(&mut self, set: &Expr, value: &Value, among: bool) -> Option<Because> {
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
                let pools = self.pools(*tokens, &Owner::Anyone);
                let any = pools.iter().any(|&pool| self.pos.tokens[pool].get(site).is_some_and(|&count| count > 0));
                // Those of somebody else lie there.
                if !among && any {
                    return None;
                }
                Some(Because::found(if self.is_empty(site) {
                    Reason::Bare { site, part: Part::Chosen }
                } else {
                    Reason::Tokens { site, tokens: *tokens, any: among }
                }))
            }
            ExprKind::Attr(Attribute::KindValue(_), of) => {
                let Value::Piece(piece) = self.piece_of(of)? else { return None };
                let value = Told { ty: set.ty.element().clone(), value: value.clone() };
                written(set)
                    .then(|| Because::found(Reason::Attribute { site: None, piece, attribute: set.span, value, among }))
            }
            ExprKind::Builtin(Function::Around, of) if !among => {
                // It may be beside them in another direction, or be one of them.
                let [of] = of.as_slice() else { return None };
                if self.has(of, value) {
                    return None;
                }
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
        if let ExprKind::Attr(Attribute::PieceKind, piece) = &of.kind {
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
        let left = Told { ty: base.ty.clone(), value: gather(left) };
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
