//! Why a condition holds or not: the innermost test that decides, with the values it found, and the rules it rests on.

use super::Eval;
use crate::ir::{Attribute, Binder, BinderSet, Expr, ExprKind, FnId, Order, RuleId, SetOp, Ty, Value};
use crate::model::{Reason, Told};

/// How many findings one sentence may join.
const JOINED: usize = 3;

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
            ExprKind::Attr(Attribute::PieceField(name, Ty::Bool), of) => {
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
    pub(super) fn within(
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
pub(super) fn quoted(expr: &Expr, reason: Reason) -> Because {
    Because { found: Some(reason).filter(|_| written(expr)), tests: 1, ..Because::default() }
}

pub(super) fn written(expr: &Expr) -> bool {
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
