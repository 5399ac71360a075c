//! What is known of a local name when it is bound.

use std::collections::BTreeSet;

use crate::ir::{Expr, ExprKind, Knowledge, Secret, SetOp, Slot, Source, Ty, Who};

use super::Analysis;
use super::passing::Lies;
use super::scope::{Name, Naming, Scope};
use super::value::fixed;

/// Which pieces stand on sites, as far as they are named outright: their kinds and their owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Standing {
    pub(super) kinds: Option<BTreeSet<usize>>,
    pub(super) owner: Option<Who>,
}

impl Standing {
    /// Whether a piece of this kind may be among them.
    pub(super) fn may_be(&self, kind: usize) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }
}

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
            naming: expr.as_slot().and_then(|slot| scope.get(slot)).map(|name| name.naming).unwrap_or_default(),
            blurred: expr.as_slot().and_then(|slot| scope.get(slot)).is_some_and(|name| name.blurred),
            lies: expr.as_slot().and_then(|slot| scope.get(slot)).map(|name| name.lies).unwrap_or_default(),
            stands: None,
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
            naming: Naming::Silent,
            blurred: false,
            lies: Lies::default(),
            stands: (*set.ty.element() == Ty::Site).then(|| self.restricted(set, scope)),
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
        let among = self.restricted(sites, scope);
        let value = self
            .value(sites, scope)
            .and(&self.unseen(|kind| among.may_be(kind), among.owner))
            .and(&self.unowned(|kind| among.may_be(kind), among.owner));
        Name { value: value.and(&scope.fresh.at(None)), ..Name::default() }
    }

    /// The kinds and the owner that a set of sites names outright.
    pub(super) fn restricted(&self, sites: &Expr, scope: &Scope) -> Standing {
        if let Some(only) = sites.sole() {
            return self.restricted(only, scope);
        }
        if let ExprKind::Pieces(owner, kinds) = &sites.kind {
            return Standing {
                kinds: fixed(kinds).map(|kinds| kinds.iter().collect()),
                owner: self.owner_of(owner, scope),
            };
        }
        if let ExprKind::Slot(slot) = sites.kind {
            return scope.get(slot).and_then(|name| name.stands.clone()).unwrap_or_default();
        }
        if let ExprKind::Filter(_, set, _) | ExprKind::Top(_, set, _) | ExprKind::Set(SetOp::Minus, set, _) =
            &sites.kind
        {
            return self.restricted(set, scope);
        }
        if let ExprKind::Set(SetOp::Intersect, a, b) = &sites.kind {
            let (one, other) = (self.restricted(a, scope), self.restricted(b, scope));
            let kinds = match (one.kinds, other.kinds) {
                (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
                (one, other) => one.or(other),
            };
            return Standing { kinds, owner: one.owner.or(other.owner) };
        }
        Standing::default()
    }
}
