//! What is known of a local name when it is bound.

use crate::ir::{Expr, Knowledge, Slot, Source, Ty};

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
            who: self.named(slot),
            not_me: *set.ty.element() == Ty::Seat && self.without_me(set, scope),
            spot: self.whereabouts(set, scope),
            announced: false,
            blurred: false,
            lies: Lies::default(),
        }
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
