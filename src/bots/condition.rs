//! Conditions of the rules in a form that can be evaluated to degrees of truth.
//!
//! After the fuzzy evaluation of Schiffel and Thielscher, "Fluxplayer: A Successful General Game Player" (AAAI 2007).
//! The distance from truth is *measured*: how many members a set has yet to lose, how many steps pieces have yet to
//! go, how far numbers differ. A measure of 0 is truth.

use crate::ir::Dependencies;
use crate::ir::{Binder, Expr, ExprKind, FnDef, Function, Game, Order, SetOp, Slot, Ty, Value};
use crate::reference::Walker;

/// A condition with its measurable parts.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The same in every position.
    Settled(bool),
    /// Either true or false.
    Plain(Expr),
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction.
    Both(Vec<Condition>),
    /// Disjunction.
    Either(Vec<Condition>),
    /// The second if the first holds, else the third.
    If(Box<Condition>, Box<Condition>, Box<Condition>),
    /// A measure that is 0 if the condition holds, and its number, under which its greatest value is stored.
    Measured(usize, Measure),
    /// `any` or `all`.
    Each {
        /// `all` instead of `any`.
        all: bool,
        binders: Vec<Binder>,
        filter: Option<Box<Expr>>,
        body: Box<Condition>,
    },
    /// A condition under bound names.
    With(Vec<(Slot, Expr)>, Box<Condition>),
}

impl Condition {
    /// What it is in every position, or itself where that is open.
    pub(super) fn settled(self) -> Result<bool, Box<Self>> {
        if let Self::Settled(holds) = self { Ok(holds) } else { Err(Box::new(self)) }
    }
}

/// How the distance of a condition from holding is measured.
#[derive(Clone, Debug)]
pub(super) enum Measure {
    /// The size of a set that should be empty.
    Size(Expr),
    /// The steps for the sites of the first set to leave the second, a region they should all be outside of.
    Leave(Expr, Expr),
    /// How many members of the first set the second lacks.
    Missing(Expr, Expr),
    /// The steps for the members of the first set of sites to enter the second.
    Walk(Expr, Expr),
    /// The distance between two sets of sites.
    Apart(Expr, Expr),
    /// The difference between two values.
    Difference(Expr, Expr),
    /// By how much the first number falls short of the second plus a constant.
    Short(Expr, Expr, i64),
    /// How many sites are missing from a straight row of a length.
    Row(Expr, Expr),
    /// How many free sites are missing to connect two sets through a third.
    Links(Vec<Expr>),
}

/// Translates conditions.
#[derive(Debug)]
pub(super) struct Reader<'g> {
    pub walker: &'g Walker,
    pub game: &'g Game,
    /// The number of measures so far.
    pub measures: usize,
    /// How many conditions and statements may still be looked at: definitions that use each other several times unfold into
    /// very many.
    pub left: u32,
}

/// How many of them in all; rules that people write have some hundreds.
pub(super) const LOOKS: u32 = 10_000;

impl Reader<'_> {
    /// The value of an expression that does not depend on the position.
    pub(super) fn settled(&self, expr: &Expr) -> Option<Value> {
        let needs = Dependencies::of(self.game, expr);
        let constant = needs.is_constant() && needs.slots.is_empty();
        if constant { self.walker.value(&self.walker.blank(), expr) } else { None }
    }

    /// Counts one more condition or statement; whether it is still looked at.
    pub(super) fn look(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// Translates a condition.
    pub(super) fn truth(&mut self, expr: &Expr) -> Condition {
        if !self.look() {
            return Condition::Plain(expr.clone());
        }
        if let Some(value) = self.settled(expr) {
            return Condition::Settled(value.truth());
        }
        match &expr.kind {
            ExprKind::Not(inner) => self.not(inner),
            ExprKind::And(a, b) => both(vec![self.truth(a), self.truth(b)]),
            ExprKind::Or(a, b) => either(vec![self.truth(a), self.truth(b)]),
            ExprKind::If(condition, a, b) => match self.truth(condition).settled() {
                Ok(true) => self.truth(a),
                Ok(false) => self.truth(b),
                Err(condition) => Condition::If(condition, Box::new(self.truth(a)), Box::new(self.truth(b))),
            },
            ExprKind::IsEmpty(set) => self.none(set),
            ExprKind::Within(a, b) if sites(a) || sites(b) => {
                self.measured(Measure::Walk((**a).clone(), (**b).clone()))
            }
            ExprKind::Within(a, b) => self.measured(Measure::Missing((**a).clone(), (**b).clone())),
            ExprKind::Meets(a, b) | ExprKind::Member(a, b) if sites(a) || sites(b) => {
                self.measured(Measure::Apart((**a).clone(), (**b).clone()))
            }
            ExprKind::Same(a, b) => self.measured(Measure::Difference((**a).clone(), (**b).clone())),
            ExprKind::Compare(order, a, b) => self.compared(*order, a, b),
            ExprKind::Quantified { all, binders, filter, body } => Condition::Each {
                all: *all,
                binders: binders.clone(),
                filter: filter.clone(),
                body: Box::new(self.truth(body)),
            },
            ExprKind::Call(function, args) => match self.game.functions.get(*function) {
                Some(FnDef { told: true, .. }) => {
                    args.first().map_or_else(|| Condition::Plain(expr.clone()), |arg| self.truth(arg))
                }
                Some(def) => {
                    let bound = def.params.iter().copied().zip(args.iter().cloned()).collect();
                    Condition::With(bound, Box::new(self.truth(&def.body)))
                }
                None => Condition::Plain(expr.clone()),
            },
            ExprKind::Builtin(Function::Line, args) => match args.as_slice() {
                [set, length] => self.measured(Measure::Row(set.clone(), length.clone())),
                _ => Condition::Plain(expr.clone()),
            },
            ExprKind::Builtin(Function::Connected, args) => self.measured(Measure::Links(args.clone())),
            ExprKind::Const(_)
            | ExprKind::Slot(_)
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
            | ExprKind::Calc(..)
            | ExprKind::Member(..)
            | ExprKind::Meets(..)
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
            | ExprKind::CanPlay(..) => Condition::Plain(expr.clone()),
        }
    }

    /// That a set is empty. If its members have to leave a region, every step counts, not only the last.
    fn none(&mut self, set: &Expr) -> Condition {
        if !self.look() {
            return self.measured(Measure::Size(set.clone()));
        }
        if let ExprKind::Call(function, args) = &set.kind
            && let Some(def) = self.game.functions.get(*function)
        {
            if let Some(arg) = args.first().filter(|_| def.told) {
                return self.none(arg);
            }
            let bound = def.params.iter().copied().zip(args.iter().cloned()).collect();
            return Condition::With(bound, Box::new(self.none(&def.body)));
        }
        if let ExprKind::Set(SetOp::Intersect, a, b) = &set.kind
            && (sites(a) || sites(b))
        {
            let region = [a, b].into_iter().find(|expr| {
                let needs = Dependencies::of(self.game, expr);
                !needs.position && needs.pieces_at.is_empty()
            });
            if let Some(region) = region {
                return self.measured(Measure::Leave(set.clone(), (**region).clone()));
            }
        }
        self.measured(Measure::Size(set.clone()))
    }

    /// The negation of a condition.
    pub(super) fn not(&mut self, expr: &Expr) -> Condition {
        if !self.look() {
            return Condition::Not(Box::new(Condition::Plain(expr.clone())));
        }
        if let ExprKind::Compare(order, a, b) = &expr.kind {
            let turned = match order {
                Order::Lt => Order::Ge,
                Order::Le => Order::Gt,
                Order::Gt => Order::Le,
                Order::Ge => Order::Lt,
            };
            self.compared(turned, a, b)
        } else if let ExprKind::Not(inner) = &expr.kind {
            self.truth(inner)
        } else if let ExprKind::And(a, b) = &expr.kind {
            either(vec![self.not(a), self.not(b)])
        } else if let ExprKind::Or(a, b) = &expr.kind {
            both(vec![self.not(a), self.not(b)])
        } else {
            match self.truth(expr).settled() {
                Ok(holds) => Condition::Settled(!holds),
                Err(truth) => Condition::Not(truth),
            }
        }
    }

    fn compared(&mut self, order: Order, a: &Expr, b: &Expr) -> Condition {
        let (a, b) = (a.clone(), b.clone());
        self.measured(match order {
            Order::Ge => Measure::Short(a, b, 0),
            Order::Gt => Measure::Short(a, b, 1),
            Order::Le => Measure::Short(b, a, 0),
            Order::Lt => Measure::Short(b, a, 1),
        })
    }

    pub(super) fn measured(&mut self, measure: Measure) -> Condition {
        self.measures += 1;
        Condition::Measured(self.measures - 1, measure)
    }
}

/// Whether an expression is a site, or a set of sites.
fn sites(expr: &Expr) -> bool {
    *expr.ty.element() == Ty::Site
}

/// The conjunction of conditions, simplified.
pub(super) fn both(mut parts: Vec<Condition>) -> Condition {
    if parts.iter().any(|part| matches!(part, Condition::Settled(false))) {
        return Condition::Settled(false);
    }
    parts.retain(|part| !matches!(part, Condition::Settled(_)));
    match parts.len() {
        0 => Condition::Settled(true),
        1 => parts.swap_remove(0),
        _ => Condition::Both(parts),
    }
}

/// The disjunction of conditions, simplified.
pub(super) fn either(mut parts: Vec<Condition>) -> Condition {
    if parts.iter().any(|part| matches!(part, Condition::Settled(true))) {
        return Condition::Settled(true);
    }
    parts.retain(|part| !matches!(part, Condition::Settled(_)));
    match parts.len() {
        0 => Condition::Settled(false),
        1 => parts.swap_remove(0),
        _ => Condition::Either(parts),
    }
}
