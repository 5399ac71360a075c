//! Names that mean nothing where they stand.

use crate::base::Span;
use crate::ir::Ty;
use crate::report::{Code, Fix, Report, Trust};
use crate::syntax::ast::item::ItemKind;

use super::checker::Checker;
use super::scope::{Entry, Symbol};

impl Checker<'_> {
    /// A name that means nothing, with the nearest that does.
    pub(super) fn unknown(&mut self, name: &str, span: Span, what: &str) {
        if self.scope.is_poisoned(name) {
            return;
        }
        if self.scope.entries(name).is_empty()
            && let Some(declared) = self.settled_later(name)
        {
            let message = format!("`{name}` is settled later than what stands here, so that it cannot use it");
            let help = "use a number, a player, an enum, or an option that is declared above";
            self.report(Report::new(Code::Misplaced, span, message).help(help).also(declared, "it is declared here"));
            return;
        }
        if ["seats", "sites", "directions", "empty", "occupied"].contains(&name) {
            let message = format!("`{name}` is settled later than what stands here, so that it cannot use it");
            let help = if name == "seats" {
                let listed: Vec<&str> = self.game.seats.iter().map(|seat| seat.name.as_str()).collect();
                format!("leave it out where any seat will do, or list them: `{{{}}}`", listed.join(", "))
            } else {
                "use a number, a player, an enum, or an option that is declared above".to_owned()
            };
            self.report(Report::new(Code::Misplaced, span, message).help(help));
            return;
        }
        let mut known: Vec<&str> = self.scope.locals().iter().map(|local| local.name.as_str()).collect();
        known.extend(self.scope.globals().map(|(name, _)| name).filter(|name| !name.contains(' ')));
        known.extend(super::builtin::BUILTINS);
        // `moves` says something elsewhere, and is no slip.
        let near = crate::base::nearest(name, known).filter(|_| name != "moves");
        let declared = near.and_then(|near| self.scope.entries(near).first()?.span);
        let message = format!("there is no {what} `{name}`");
        let help = match (what, name) {
            ("action", name) if !self.scope.entries(name).is_empty() => "this name is declared, but not as an action",
            (_, "bool") => {
                "truth values cannot be listed or chosen: declare an enum of two values, `enum answer = yes, no`"
            }
            (_, "int") => "a set of numbers is a range, such as `1..6`",
            _ => "declare it, or use a name that is declared",
        };
        let mut report = Report::new(Code::UnknownName, span, message).help(help);
        // Sites differ by a letter or a digit: any of them may be meant, or none.
        let site = |entry: &Entry| matches!(entry.symbol, Symbol::Const(Ty::Site, _));
        if near.is_some_and(|near| self.scope.entries(near).first().is_some_and(site)) {
            let sites = &self.game.topology.sites;
            let ends = sites.first().zip(sites.last());
            let ends = ends.map(|(first, last)| format!("the sites are `{}` to `{}`", first.name, last.name));
            report = report.help(ends.unwrap_or_default());
        } else {
            report = report.suggest(near);
        }
        if let Some(declared) = declared {
            // It may be the declaration that is misspelt.
            report = report.maybe(Trust::Spelling, Fix::replace(declared, name));
        }
        self.report(report);
    }

    /// Where an item stands that declares a value and was not looked at yet.
    fn settled_later(&self, name: &str) -> Option<Span> {
        let value = |kind: &ItemKind| {
            matches!(
                kind,
                ItemKind::Option { .. }
                    | ItemKind::Reading(..)
                    | ItemKind::Define(..)
                    | ItemKind::Region(..)
                    | ItemKind::Path(..)
                    | ItemKind::Table(..)
                    | ItemKind::Var { .. }
                    | ItemKind::Zone { .. }
            )
        };
        let mut names = self.items.iter().filter(|item| value(&item.kind)).filter_map(|item| item.kind.name());
        names.find(|declared| declared.node == name).map(|declared| declared.span)
    }

    /// Whether a symbol is a seat that does not take part.
    pub(super) fn absent(&mut self, symbol: &Symbol, name: &str, span: Span) -> bool {
        if !matches!(symbol, Symbol::Absent) {
            return false;
        }
        let message = format!("`{name}` does not take part with {} players", self.game.seats.len());
        self.report(
            Report::new(Code::UnknownName, span, message)
                .help("write the rule for all `seats`, or choose a seat that takes part"),
        );
        true
    }
}
