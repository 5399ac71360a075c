//! Warnings about what is legal but surely not intended: things declared but never used.
//!
//! A warning must be right whatever is chosen: variants may use what the game without them does not.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::report::{Code, Report, Reports};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{FieldDecl, Item, ItemKind, Rows};

/// What rules use of what is declared.
#[derive(Debug, Default)]
pub(super) struct Uses {
    names: BTreeSet<String>,
    /// Fields of pieces and columns of kinds.
    attributes: BTreeSet<String>,
    /// Variables that something is assigned to.
    written: BTreeSet<String>,
    /// Whether rules ask how often a whole position has stood.
    pub(super) whole: bool,
}

impl Uses {
    pub(super) fn name(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    pub(super) fn attribute(&mut self, name: &str) {
        self.attributes.insert(name.to_owned());
    }

    pub(super) fn written(&mut self, variable: &str) {
        self.written.insert(variable.to_owned());
    }

    /// Warns of names that nothing uses.
    pub(super) fn idle(&self, items: &[Arc<Item>], reports: &mut Reports) {
        let idle = &mut Idle { uses: self, reports };
        for item in items {
            match &item.kind {
                ItemKind::Action(name, ..) => idle.unused("action", name),
                ItemKind::Define(name, ..) => idle.unused("definition", name),
                ItemKind::Path(name, ..) => idle.unused("path", name),
                ItemKind::Option { name, .. } => idle.unused("option", name),
                ItemKind::Zone { name, .. } => idle.unused("zone", name),
                ItemKind::Procedure(name, ..) => idle.unused("procedure", name),
                ItemKind::Table(name, _) => idle.unused("table", name),
                ItemKind::Tokens { name, .. } => idle.unused("kind of tokens", name),
                ItemKind::Reading(name, alternatives, _) => idle.reading_used(name, alternatives),
                ItemKind::Enum(name, members)
                    if !members.iter().any(|(member, _)| self.names.contains(&member.node)) =>
                {
                    idle.unused("enum", name);
                }
                ItemKind::Var { name, title, record, .. } => idle.var_used(name, title.is_some(), *record),
                ItemKind::Piece { name, fields, .. } => {
                    idle.kind_used(name, None);
                    idle.fields_used(fields);
                }
                ItemKind::Kinds { name, fields, rows, .. } => {
                    for kind in rows.body.iter().filter_map(|row| row.cells.first()) {
                        idle.kind_used(kind, Some(name));
                    }
                    idle.fields_used(fields);
                    idle.columns_used(rows);
                }
                ItemKind::Game { .. }
                | ItemKind::Document { .. }
                | ItemKind::Clause(..)
                | ItemKind::Players { .. }
                | ItemKind::Seating(..)
                | ItemKind::Enum(..)
                | ItemKind::First(_)
                | ItemKind::Board { .. }
                | ItemKind::Region(..)
                | ItemKind::Setup(_)
                | ItemKind::Cue(..)
                | ItemKind::Claim { .. }
                | ItemKind::Offer(..)
                | ItemKind::Play(_)
                | ItemKind::End { .. }
                | ItemKind::Invariant(..)
                | ItemKind::Variant { .. }
                | ItemKind::With(..)
                | ItemKind::Replace(_)
                | ItemKind::Change(..)
                | ItemKind::Remove(..)
                | ItemKind::Row(..)
                | ItemKind::RemoveRow(..)
                | ItemKind::Set(..) => {}
            }
        }
    }
}

/// Warns.
struct Idle<'a> {
    uses: &'a Uses,
    reports: &'a mut Reports,
}

impl Idle<'_> {
    fn warn_unused(&mut self, what: &str, name: &Ident, help: &str) {
        let message = format!("the {what} `{}` is never used", name.node);
        self.reports.push(Report::new(Code::Unused, name.span, message).help(help));
    }

    fn unused(&mut self, what: &str, name: &Ident) {
        if !self.uses.names.contains(&name.node) {
            let help = if what == "action" {
                "offer it in `play` (`mover plays …`), or remove it"
            } else {
                "use it or remove it"
            };
            self.warn_unused(what, name, help);
        }
    }

    /// A variable that is only set tells nobody anything, unless it is shown.
    fn var_used(&mut self, name: &Ident, shown: bool, record: bool) {
        if self.uses.names.contains(&name.node) || shown {
            return;
        }
        if !self.uses.written.contains(&name.node) {
            self.unused("variable", name);
            return;
        }
        let message = format!("the variable `{}` is set but never read", name.node);
        let help = if self.uses.whole && !record {
            "`occurrences` and `repeats` count positions that differ in it as different: show it to the players by giving it a title, \
             `var n: int \"title\"`, or make it a `record`, which does not count"
        } else {
            "read it in a rule, remove it, or show it to the players by giving it a title: `var n: int \"title\"`"
        };
        self.reports.push(Report::new(Code::NeverRead, name.span, message).help(help));
    }

    /// A reading must be asked for, and compared with one of its alternatives.
    fn reading_used(&mut self, name: &Ident, alternatives: &[Ident]) {
        if !self.uses.names.contains(&name.node) {
            self.unused("reading", name);
        } else if !alternatives.iter().any(|alternative| self.uses.names.contains(&alternative.node)) {
            let message = format!("the reading `{}` has no effect: no rule tests it", name.node);
            let other = alternatives.get(1).map_or("…", |other| other.node.as_str());
            let help = format!("say what another alternative changes: `with {} == {other} {{ … }}`", name.node);
            self.reports.push(Report::new(Code::NoEffect, name.span, message).help(help));
        }
    }

    /// A kind of piece that no rule names can never be on the board.
    fn kind_used(&mut self, name: &Ident, class: Option<&Ident>) {
        let named = |name: &str| self.uses.names.contains(name);
        if !named(&name.node) && !named("piece") && !class.is_some_and(|class| named(&class.node)) {
            let help = "put it on the board or into a zone in the setup or in a rule, or remove it";
            let message = format!("no rule puts the piece `{}` anywhere, so there will never be one", name.node);
            self.reports.push(Report::new(Code::Unused, name.span, message).help(help));
        }
    }

    fn fields_used(&mut self, fields: &[FieldDecl]) {
        for field in fields {
            if field.symbol.is_none() && !self.uses.attributes.contains(&field.name.node) {
                self.warn_unused("field", &field.name, "use it (`x.…`), give it a `symbol`, or remove it");
            }
        }
    }

    fn columns_used(&mut self, rows: &Rows) {
        for cell in rows.header.cells.iter().skip(1) {
            let name = cell.node.split(':').next().unwrap_or("").trim();
            if !super::builtin::SHOWN.contains(&name) && !self.uses.attributes.contains(name) {
                let name = Ident::new(name.to_owned(), cell.span);
                self.warn_unused("column", &name, "use it (`x.…`) or remove it");
            }
        }
    }
}
