//! What every name means, recorded during name resolution, for editors.
//!
//! There is no second resolver: the checker notes what it finds. Nothing is
//! noted, and nothing costs more than a test, unless [`names`] is asked.

use std::sync::Arc;

use std::collections::BTreeMap;

use super::Rules;
use super::setup::{Offer, Setup};
use crate::base::Span;
use crate::ir::{Seat, Ty};
use crate::report::Reports;
use crate::syntax::ast::item::{Item, OF};
use crate::syntax::ast::{Ident, of_kind};

use super::builtin::BUILTINS;
use super::checker::CONSTANTS;
use super::checker::{Checker, Progress};
use super::family::families;
use super::notes::{Candidate, Declared, Meaning, Names, Notes, Wanted};
use super::scope::{Entry, Local, Symbol};

/// What names mean as far as it can be told: the check goes on after errors.
pub(crate) fn names(rules: Rules<'_>, setup: &Setup, watch: Option<Span>) -> Names {
    let (mut reports, items, clauses) = (Reports::default(), families(rules.items), rules.clauses.clone());
    let mut checker = Checker::new(Rules { items: &items, ..rules }, &mut reports);
    checker.notes = Notes::all(watch);
    Names { clauses, ..checker.noted(&items, setup, rules.own) }
}

impl Checker<'_> {
    /// Goes through everything that holds names, whatever is wrong with it.
    fn noted(mut self, items: &[Arc<Item>], setup: &Setup, own: usize) -> Names {
        super::declare(&mut self, items, setup, &mut Offer::default());
        super::define(&mut self, items, own);
        let mut declared = BTreeMap::new();
        let written = self.scope.globals().filter(|(name, _)| !name.contains(OF));
        for entry in written.flat_map(|(_, entries)| entries) {
            if let Some(place) = entry.span {
                declared.insert(place, Declared { local: false, ty: self.symbol_text(&entry.symbol) });
            }
        }
        let same = self.rules_of_kinds(items, &mut declared);
        let work = CONSTANTS - self.steps;
        let mut names = self.notes.0.map(|noting| noting.names).unwrap_or_default();
        names.work = work;
        names.declared.extend(declared);
        names.same.extend(same);
        names
    }

    /// Each rule of a kind declares the name that it shares with others, and uses the kind's. Gives the places
    /// that stand for the same as the first.
    fn rules_of_kinds(&mut self, items: &[Arc<Item>], declared: &mut BTreeMap<Span, Declared>) -> Vec<(Span, Span)> {
        let mut same = Vec::new();
        for (family, kind) in items.iter().filter_map(|item| of_kind(item.kind.name()?)) {
            self.kind_set(&kind);
            let entry = self.scope.entries(&family.node).first();
            let first = entry.and_then(|entry| entry.span).filter(|first| *first != family.span);
            let ty = entry.map_or_else(String::new, |entry| self.symbol_text(&entry.symbol));
            declared.insert(family.span, Declared { local: false, ty });
            same.extend(first.map(|first| (family.span, first)));
        }
        same
    }

    /// A seat for rules whose players cannot be read, so that the check can go on.
    pub(super) fn anybody(&mut self) {
        if self.notes.0.is_some() {
            let name = String::from("?");
            self.game.seats.push(Seat { title: name.clone(), symbol: name.clone(), name });
        }
    }

    /// Notes a use of a global name.
    pub(super) fn note_global(&mut self, name: &str, span: Span, entry: Option<&Entry>, want: Option<&Ty>) {
        // What the checker itself puts together is not written where it stands.
        if self.notes.0.is_none() || (span.end - span.start) as usize != name.len() || name.contains(OF) {
            return;
        }
        if self.notes.watches(span) {
            let seen = self.seen(want);
            self.note_wanted(Wanted::Value(seen));
        }
        let built_in = match entry {
            Some(Entry { span: Some(place), .. }) => return self.notes.used(span, *place),
            Some(Entry { symbol, .. }) => self.symbol_text(symbol),
            None if BUILTINS.contains(&name) || name == "pass" => String::new(),
            None => return,
        };
        let Some(noting) = &mut self.notes.0 else { return };
        let meaning = noting.origins.get(name).map_or(Meaning::BuiltIn(built_in), |place| Meaning::Declared(*place));
        noting.names.uses.insert(span, meaning);
    }

    /// Notes a name of the language that means something in one place only.
    pub(super) fn note_built_in(&mut self, span: Span, meaning: &str) {
        if let Some(noting) = &mut self.notes.0 {
            noting.names.uses.insert(span, Meaning::BuiltIn(meaning.to_owned()));
        }
    }

    /// Notes a use of a local name.
    pub(super) fn note_local(&mut self, local: &Local, span: Span) {
        if self.notes.0.is_none() {
            return;
        }
        if self.notes.watches(span) {
            let seen = self.seen(None);
            self.note_wanted(Wanted::Value(seen));
        }
        let meaning = match local.place {
            Some(place) => Meaning::Declared(place),
            None => Meaning::BuiltIn(self.type_text(&local.ty)),
        };
        if let Some(noting) = &mut self.notes.0 {
            noting.names.uses.insert(span, meaning);
        }
    }

    /// Notes the declaration of a local name.
    pub(super) fn note_binding(&mut self, name: &Ident, ty: &Ty) {
        if self.notes.0.is_none() {
            return;
        }
        let declared = Declared { local: true, ty: self.type_text(ty) };
        if let Some(noting) = &mut self.notes.0 {
            noting.names.declared.insert(name.span, declared);
        }
    }

    /// Notes a field of pieces, or a column of a table.
    pub(super) fn note_column(&mut self, table: &str, name: &str, span: Span, ty: &Ty) {
        if self.notes.0.is_none() {
            return;
        }
        let declared = Declared { local: false, ty: self.type_text(ty) };
        let Some(noting) = &mut self.notes.0 else { return };
        let first = *noting.columns.entry((table.to_owned(), name.to_owned())).or_insert(span);
        noting.names.declared.insert(span, declared);
        if first != span {
            noting.names.same.insert(span, first);
        }
    }

    /// Notes a use of an attribute; `names` are those that could stand there.
    pub(super) fn note_attribute(&mut self, table: &str, name: &Ident, names: impl FnOnce(&Self) -> Vec<String>) {
        if self.notes.watches(name.span) {
            let plain = |name| Candidate { name, ty: String::new(), place: None, local: false, fits: true };
            let seen = names(self).into_iter().map(plain).collect();
            self.note_wanted(Wanted::Attribute(seen));
        }
        let Some(noting) = &mut self.notes.0 else { return };
        let column = noting.columns.get(&(table.to_owned(), name.node.clone()));
        let meaning = column.map_or(Meaning::BuiltIn(String::new()), |place| Meaning::Declared(*place));
        noting.names.uses.insert(name.span, meaning);
    }

    /// Notes that only an action may stand here.
    pub(super) fn note_action(&mut self, span: Span) {
        if self.notes.watches(span) {
            let actions = self.entries(|entry| matches!(entry.symbol, Symbol::Action(_)));
            self.note_wanted(Wanted::Action(actions));
        }
    }

    /// Notes that only a type may stand here; `builtin` are those of the language.
    pub(super) fn note_type(&mut self, span: Span, builtin: &[&str]) {
        if self.notes.watches(span) {
            let mut types = self.entries(|entry| matches!(entry.symbol, Symbol::Enum(_) | Symbol::Class(_)));
            let plain = |name: &&str| Candidate {
                name: (*name).to_owned(),
                ty: "a type".to_owned(),
                place: None,
                local: false,
                fits: true,
            };
            types.retain(|candidate| candidate.place.is_some());
            types.extend(builtin.iter().map(plain));
            self.note_wanted(Wanted::Type(types));
        }
        if let Some(noting) = &mut self.notes.0 {
            noting.names.uses.entry(span).or_insert_with(|| Meaning::BuiltIn("a type".to_owned()));
        }
    }

    fn note_wanted(&mut self, wanted: Wanted) {
        if let Some(noting) = &mut self.notes.0 {
            noting.names.wanted = Some(wanted);
        }
    }

    /// Every name seen from here.
    fn seen(&self, want: Option<&Ty>) -> Vec<Candidate> {
        // Where nothing is known of the type, it is seldom a value of an enum.
        let fits = |ty: &Ty| match want {
            Some(want) => ty == want || ty.clone().set() == *want,
            None => !matches!(ty, Ty::Enum(_)),
        };
        let mut seen: Vec<Candidate> = Vec::new();
        for local in self.scope.locals().iter().rev() {
            if seen.iter().all(|other| other.name != local.name) {
                let (name, ty) = (local.name.clone(), self.type_text(&local.ty));
                seen.push(Candidate { name, ty, place: local.place, local: true, fits: fits(&local.ty) });
            }
        }
        let hidden = |name: &str| name.contains(' ') || self.scope.locals().iter().any(|local| local.name == name);
        let globals = self.entries(|_| true);
        seen.extend(globals.into_iter().filter(|candidate| !hidden(&candidate.name)).map(|candidate| {
            let ty = self.scope.entries(&candidate.name).first();
            let ty = ty.and_then(|entry| self.symbol_type(&entry.symbol));
            Candidate { fits: ty.is_some_and(|ty| fits(&ty)), ..candidate }
        }));
        let known = |name: &str| !self.scope.entries(name).is_empty() || self.scope.local(name).is_some();
        let builtin = BUILTINS.iter().filter(|name| !known(name));
        seen.extend(builtin.map(|name| Candidate {
            name: (*name).to_owned(),
            ty: String::new(),
            place: None,
            local: false,
            fits: false,
        }));
        seen
    }

    fn entries(&self, wanted: impl Fn(&Entry) -> bool) -> Vec<Candidate> {
        let first = |(name, entries): (&str, &[Entry])| {
            let entry = entries.iter().find(|entry| wanted(entry))?;
            let ty = self.symbol_text(&entry.symbol);
            Some(Candidate { name: name.to_owned(), ty, place: entry.span, local: false, fits: true })
        };
        self.scope.globals().filter_map(first).collect()
    }

    /// The type of a name's value; none for what has no value by itself.
    fn symbol_type(&self, symbol: &Symbol) -> Option<Ty> {
        match symbol {
            Symbol::Const(ty, _) => Some(ty.clone()),
            Symbol::Absent => Some(Ty::Seat),
            Symbol::Enum(number) => Some(Ty::Enum(*number).set()),
            Symbol::Class(_) | Symbol::Tokens(_) | Symbol::Group(_) => Some(Ty::Site.set()),
            Symbol::Var(number) => self.game.vars.get(*number).map(|info| info.ty.clone()),
            Symbol::Zone(_) => Some(Ty::Piece.set()),
            Symbol::Function(item) => match self.progress.get(*item)? {
                Progress::Done(defined) => Some(defined.result.clone()),
                Progress::Untouched | Progress::Running | Progress::Failed => None,
            },
            Symbol::Table(_) | Symbol::Action(_) | Symbol::Procedure(_) | Symbol::Phase(_) => None,
        }
    }

    /// What a name stands for, in words.
    fn symbol_text(&self, symbol: &Symbol) -> String {
        match symbol {
            Symbol::Enum(_) => "an enum".to_owned(),
            Symbol::Class(_) => "a class of pieces".to_owned(),
            Symbol::Tokens(_) => "tokens".to_owned(),
            Symbol::Table(_) => "a table".to_owned(),
            Symbol::Action(_) => "an action".to_owned(),
            Symbol::Procedure(_) => "a procedure".to_owned(),
            Symbol::Phase(_) => "a phase".to_owned(),
            Symbol::Zone(_) => "a zone".to_owned(),
            Symbol::Const(..) | Symbol::Absent | Symbol::Group(_) | Symbol::Var(_) | Symbol::Function(_) => {
                self.symbol_type(symbol).map_or_else(String::new, |ty| self.type_text(&ty))
            }
        }
    }
}
