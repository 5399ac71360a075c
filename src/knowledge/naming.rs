//! What is known of a local name when it is bound.

use crate::ir::{Expr, ExprKind, Knowledge, Secret, Slot, Source, Ty};

use super::Analysis;
use super::passing::Lies;
use super::scope::{Name, Scope};

impl Analysis<'_> {
    /// A name for the value of an expression.
    pub(super) fn let_be(&self, expr: &Expr, scope: &Scope) -> Name {
        let seat = *expr.ty.element() == Ty::Seat;
        Name {
            value: self.value(expr, scope),
            number: self.number(expr, scope),
            by: self.deciding(expr, scope),
            who: self.who(expr, scope).filter(|_| seat),
            not_me: seat && self.without_me(expr, scope),
            spot: self.whereabouts(expr, scope),
            announced: expr.as_slot().and_then(|slot| scope.get(slot)).is_some_and(|name| name.announced),
            blurred: expr.as_slot().and_then(|slot| scope.get(slot)).is_some_and(|name| name.blurred),
            lies: expr.as_slot().and_then(|slot| scope.get(slot)).map(|name| name.lies).unwrap_or_default(),
        }
    }

    /// A local name for the value of an expression. A seat that has no other name is known by this one.
    pub(super) fn named_be(&self, slot: Slot, expr: &Expr, scope: &Scope) -> Name {
        let name = self.let_be(expr, scope);
        Name { who: name.who.or_else(|| self.named(slot)), ..name }
    }

    /// A name for each member of a set, in no order.
    pub(super) fn member(&self, slot: Slot, set: &Expr, scope: &Scope) -> Name {
        Name {
            value: self.value(set, scope).unordered(),
            number: Knowledge::public(),
            by: Knowledge::public(),
            who: self.named(slot),
            not_me: *set.ty.element() == Ty::Seat && self.without_me(set, scope),
            spot: self.whereabouts(set, scope),
            announced: false,
            blurred: false,
            lies: Lies::default(),
        }
    }

    /// What decides which piece an expression stands for, but for where that lies: what a name stands for was chosen or drawn there,
    /// or is each of those that lie there in turn.
    pub(super) fn deciding(&self, expr: &Expr, scope: &Scope) -> Knowledge {
        if let Some(only) = expr.sole() {
            return self.deciding(only, scope);
        }
        if expr.ty != Ty::Piece {
            return Knowledge::public();
        }
        if let Some(slot) = expr.as_slot() {
            return scope.get(slot).map(|name| name.by.clone()).unwrap_or_default();
        }
        if let ExprKind::If(condition, yes, no) = &expr.kind {
            return self.branches(condition, yes, no, &|branch| self.deciding(branch, scope), scope);
        }
        let lies = self.whereabouts(expr, scope).map(|spot| spot.zone);
        let own = |secret: &&Secret| match secret.source {
            Source::Zone(zone) | Source::Order(zone) | Source::Place(zone) => Some(zone) == lies,
            Source::Var(_)
            | Source::Count(_)
            | Source::Kind(_)
            | Source::Choice(_)
            | Source::Elsewhere
            | Source::Value(_)
            | Source::Number(_) => false,
        };
        self.value(expr, scope).secrets().filter(|secret| !own(secret)).cloned().collect()
    }

    /// Which piece it is, not what.
    pub(super) fn which(&self, of: &Expr, scope: &Scope) -> Knowledge {
        let known = self.value(of, scope);
        known.secrets().filter(|secret| !matches!(secret.source, Source::Kind(_))).cloned().collect()
    }

    /// A name for each piece on a set of sites.
    pub(super) fn standing(&self, sites: &Expr, scope: &Scope) -> Name {
        let (among, owner) = self.restricted(sites, scope);
        let value = self
            .value(sites, scope)
            .and(&self.unseen(|kind| among.as_ref().is_none_or(|all| all.contains(kind)), owner))
            .and(&self.unowned(|kind| among.as_ref().is_none_or(|all| all.contains(kind)), owner));
        Name { value: value.and(&scope.fresh.at(None)), ..Name::default() }
    }
}
