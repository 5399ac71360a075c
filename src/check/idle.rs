//! Warnings about what is legal but surely not intended: things declared but never used.
//!
//! A warning must be right whatever is chosen: variants may use what the game without them does not.

use std::sync::Arc;

use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{FieldDecl, Item, ItemKind, Rows};

use super::scope::Checker;

impl Checker<'_> {
    /// Warns of names that nothing uses.
    pub(super) fn idle(&mut self, items: &[Arc<Item>]) {
        for item in items {
            match &item.kind {
                ItemKind::Action(name, ..) => self.unused("action", name),
                ItemKind::Define(name, ..) => self.unused("definition", name),
                ItemKind::Path(name, ..) => self.unused("path", name),
                ItemKind::Option { name, .. } => self.unused("option", name),
                ItemKind::Zone { name, .. } => self.unused("zone", name),
                ItemKind::Procedure(name, ..) => self.unused("procedure", name),
                ItemKind::Table(name, _) => self.unused("table", name),
                ItemKind::Tokens { name, .. } => self.unused("kind of tokens", name),
                ItemKind::Reading(name, alternatives, _) => self.reading_used(name, alternatives),
                ItemKind::Enum(name, members)
                    if !members.iter().any(|(member, _)| self.used.contains(&member.node)) =>
                {
                    self.unused("enum", name);
                }
                ItemKind::Var { name, title, .. } => self.var_used(name, title.is_some()),
                ItemKind::Piece { name, fields, .. } => {
                    self.kind_used(name, None);
                    self.fields_used(fields);
                }
                ItemKind::Kinds { name, fields, rows, .. } => {
                    for kind in rows.body.iter().filter_map(|row| row.cells.first()) {
                        self.kind_used(kind, Some(name));
                    }
                    self.fields_used(fields);
                    self.columns_used(rows);
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
                | ItemKind::Replace(_)
                | ItemKind::Remove(..)
                | ItemKind::Row(..)
                | ItemKind::RemoveRow(..)
                | ItemKind::Set(..) => {}
            }
        }
    }

    fn warn_unused(&mut self, what: &str, name: &Ident, help: &str) {
        let message = format!("the {what} `{}` is never used", name.node);
        self.report(Report::new(Code::Unused, name.span, message).help(help));
    }

    fn unused(&mut self, what: &str, name: &Ident) {
        if !self.used.contains(&name.node) {
            let help = if what == "action" {
                "offer it in `play` (`mover plays …`), or remove it"
            } else {
                "use it or remove it"
            };
            self.warn_unused(what, name, help);
        }
    }

    /// A variable that is only set tells nobody anything, unless it is shown.
    fn var_used(&mut self, name: &Ident, shown: bool) {
        if self.used.contains(&name.node) || shown {
            return;
        }
        if !self.written.contains(&name.node) {
            self.unused("variable", name);
            return;
        }
        let message = format!("the variable `{}` is set but never read", name.node);
        let help =
            "read it in a rule, remove it, or show it to the players by giving it a title: `var n: int \"title\"`";
        self.report(Report::new(Code::NeverRead, name.span, message).help(help));
    }

    /// A reading must be asked for, and compared with one of its alternatives.
    fn reading_used(&mut self, name: &Ident, alternatives: &[Ident]) {
        if !self.used.contains(&name.node) {
            self.unused("reading", name);
        } else if !alternatives.iter().any(|alternative| self.used.contains(&alternative.node)) {
            let message = format!("the reading `{}` has no effect: no rule tests it", name.node);
            let first = alternatives.first().map_or("…", |first| first.node.as_str());
            let help = format!("test it where it matters: `if {} == {first} …`", name.node);
            self.report(Report::new(Code::NoEffect, name.span, message).help(help));
        }
    }

    /// A kind of piece that no rule names can never be on the board.
    fn kind_used(&mut self, name: &Ident, class: Option<&Ident>) {
        let named = |name: &str| self.used.contains(name);
        if !named(&name.node) && !named("piece") && !class.is_some_and(|class| named(&class.node)) {
            let help = "put it on the board or into a zone in the setup or in a rule, or remove it";
            let message = format!("no rule puts the piece `{}` anywhere, so there will never be one", name.node);
            self.report(Report::new(Code::Unused, name.span, message).help(help));
        }
    }

    fn fields_used(&mut self, fields: &[FieldDecl]) {
        for field in fields {
            if field.symbol.is_none() && !self.used.contains(&asked(&field.name.node)) {
                self.warn_unused("field", &field.name, "use it (`x.…`), give it a `symbol`, or remove it");
            }
        }
    }

    fn columns_used(&mut self, rows: &Rows) {
        for cell in rows.header.cells.iter().skip(1) {
            let name = cell.node.split(':').next().unwrap_or("").trim();
            if !super::kind::SHOWN.contains(&name) && !self.used.contains(&asked(name)) {
                let name = Ident::new(name.to_owned(), cell.span);
                self.warn_unused("column", &name, "use it (`x.…`) or remove it");
            }
        }
    }
}

/// The mark of an attribute that was asked for, among the used names.
pub(super) fn asked(attribute: &str) -> String {
    format!("column {attribute}")
}
