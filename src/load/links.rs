//! What the names in overrides refer to, for editors.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Names;
use crate::base::Span;
use crate::check::Meaning;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Ident, of_kind};

/// What the names in overrides refer to, for editors.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// For each name, the place of the declaration it refers to.
    used: BTreeMap<Span, Span>,
    /// For each name of a replacement, the name it replaces.
    same: BTreeMap<Span, Span>,
    /// For each name of a part, a name in the statement that means the same.
    alike: BTreeMap<Span, Span>,
}

impl Links {
    /// Records what a name refers to.
    pub(super) fn used(&mut self, name: Span, declared: Span) {
        self.used.insert(name, declared);
    }

    /// Records that two names refer to the same thing.
    pub(super) fn same(&mut self, name: Span, first: Span) {
        if name != first {
            self.same.insert(name, first);
        }
    }

    /// Records what the name of a removed or changed item refers to; for the rule of a kind, each of its words.
    pub(super) fn item(&mut self, name: &Ident, old: &Ident, items: &[Arc<Item>]) {
        let (Some((family, kind)), Some((of, _))) = (of_kind(name), of_kind(old)) else {
            return self.used(name.span, old.span);
        };
        self.used(family.span, of.span);
        let kinds = items.iter().filter(|item| matches!(item.kind, ItemKind::Piece { .. } | ItemKind::Kinds { .. }));
        let mut names = kinds.flat_map(|item| item.kind.name().cloned().into_iter().chain(item.kind.members()));
        if let Some(declared) = names.find(|name| *name == kind) {
            self.used(kind.span, declared.span);
        }
    }

    /// Records that a name means what one at another place means.
    pub(super) fn alike(&mut self, name: Span, other: Span) {
        self.alike.insert(name, other);
    }

    /// Records that the names in a replacement refer to those of the replaced item.
    pub(super) fn replaced(&mut self, new: &ItemKind, old: &ItemKind) {
        if let (Some(new), Some(old)) = (new.name(), old.name()) {
            match (of_kind(new), of_kind(old)) {
                (Some((new, _)), Some((old, _))) => self.same(new.span, old.span),
                _ => self.same(new.span, old.span),
            }
        }
        let members = old.members();
        for name in new.members() {
            if let Some(old) = members.iter().find(|old| old.node == name.node) {
                self.same(name.span, old.span);
            }
        }
    }

    /// Adds these links to the names known otherwise.
    pub(super) fn note(&self, names: &mut Names) {
        for (&name, &declared) in &self.used {
            names.uses.entry(name).or_insert(Meaning::Declared(declared));
        }
        for (&name, &first) in &self.same {
            names.same.entry(name).or_insert(first);
        }
        names.alike.extend(&self.alike);
    }
}
