//! The checker: what expressions are checked with, and what comes of it.

use std::sync::Arc;

use crate::base::{Span, nearest};
use crate::ir::{BlockId, EnumId, FnId, Game, PathId, Rule, RuleId, RuleKind, Slot, SlotInfo, TableId, Ty};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::Item;
use crate::syntax::ast::stmt::StmtKind;
use crate::syntax::ast::{Cite, Ident, TypeName};

use super::Rules;
use super::idle::Uses;
use super::notes::Notes;
use super::scope::{Entry, Local, Scope, Symbol};

/// How many steps all constants and regions may take together: they are worked out once.
pub(super) const CONSTANTS: u64 = 20_000_000;

/// How deep a check may nest: each level takes a stack frame, here and when
/// the expression is evaluated.
pub(super) const DEPTH: usize = 200;

/// The types the language brings.
pub(super) const TYPES: &[&str] = &["int", "bool", "seat", "site", "direction", "kind", "piece", "way", "move"];

/// Where what is checked on first use stands.
#[derive(Clone, Debug)]
pub(super) enum Progress<T> {
    Untouched,
    Running,
    Failed,
    Done(T),
}

/// A checked region, function or path.
#[derive(Clone, Debug)]
pub(super) struct Defined {
    pub(super) params: Vec<Ty>,
    pub(super) result: Ty,
    pub(super) form: Form,
}

/// How a definition is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Function(FnId),
    Lookup(TableId),
    Path(PathId),
}

/// The state of a check.
pub(super) struct Checker<'r> {
    pub(super) game: Game,
    pub(super) reports: &'r mut Reports,
    pub(super) scope: Scope,
    pub(super) progress: Vec<Progress<Defined>>,
    /// Set while the body of a claim is checked: moves may be asked about.
    pub(super) in_claim: bool,
    /// The actions whose legal moves some expression asks about, with the places where it does.
    pub(super) asked_for: Vec<(usize, Span)>,
    pub(super) uses: Uses,
    /// The variants chosen, with the clauses they implement.
    pub(super) variants: &'r [(Ident, Vec<Cite>)],
    /// The overrides that implement clauses.
    pub(super) overrides: &'r [(Ident, Vec<Cite>)],
    /// The items, for definitions checked on first use.
    pub(super) items: &'r [Arc<Item>],
    /// How deep the check is nested, definitions checked on first use included.
    pub(super) depth: usize,
    /// How many steps are left for constants.
    pub(super) steps: u64,
    /// What names mean, if somebody asked.
    pub(super) notes: Notes,
}

impl<'r> Checker<'r> {
    pub(super) fn new(rules: Rules<'r>, reports: &'r mut Reports) -> Self {
        let variants = rules.variants.iter().map(|(name, _)| name.node.clone()).collect();
        let game = Game { clauses: rules.clauses, variants, ..Game::default() };
        Self {
            game,
            reports,
            scope: Scope::default(),
            progress: vec![Progress::Untouched; rules.items.len()],
            in_claim: false,
            uses: Uses::default(),
            asked_for: Vec::new(),
            variants: rules.variants,
            overrides: rules.overrides,
            items: rules.items,
            depth: 0,
            steps: CONSTANTS,
            notes: Notes::default(),
        }
    }

    pub(super) fn report(&mut self, report: Report) {
        self.reports.push(report);
    }

    /// Gives a global name a meaning.
    pub(super) fn declare(&mut self, name: &Ident, symbol: Symbol) {
        if let Err(report) = self.scope.declare(name, symbol) {
            self.report(*report);
        }
    }

    /// The meaning of the global name at a place, the one of the wanted type first.
    pub(super) fn lookup(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Symbol> {
        self.uses.name(name);
        self.meaning(name, span, want)
    }

    /// The same where that is no use of it.
    pub(super) fn meaning(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Symbol> {
        let entry = self.scope.find(name, want).cloned();
        self.note_global(name, span, entry.as_ref(), want);
        entry.map(|entry| entry.symbol)
    }

    /// Reports what is not allowed where it stands.
    pub(super) fn misplaced<T>(&mut self, span: Span, what: &str, help: &str) -> Option<T> {
        self.report(Report::new(Code::Misplaced, span, what).help(help));
        None
    }

    /// Remembers the name that a statement in error would have bound.
    pub(super) fn poison(&mut self, kind: &StmtKind) {
        if let Some(name) = kind.binds() {
            self.scope.poison(name);
        }
    }

    /// Goes some levels deeper, unless that is too deep; the caller comes back.
    pub(super) fn deepen(&mut self, levels: usize, span: Span) -> Option<()> {
        if self.depth + levels > DEPTH {
            let message = format!("this is nested more than {DEPTH} levels deep, counting the definitions it uses");
            let help = "chain fewer operators, and use fewer definitions within definitions";
            self.report(Report::new(Code::TooDeep, span, message).help(help));
            return None;
        }
        self.depth += levels;
        Some(())
    }

    /// Goes some levels deeper, unless that is too deep.
    pub(super) fn deeper<T>(
        &mut self,
        levels: usize,
        span: Span,
        run: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.deepen(levels, span)?;
        let result = run(self);
        self.depth -= levels;
        result
    }

    /// The local name that is used at a place.
    pub(super) fn local_at(&mut self, name: &str, span: Span) -> Option<Local> {
        let local = self.scope.local(name)?;
        self.note_local(&local, span);
        Some(local)
    }

    /// A new local name that the file declares.
    pub(super) fn bind_ident(&mut self, name: &Ident, ty: Ty) -> Slot {
        self.note_binding(name, &ty);
        self.bind_at(&name.node, ty, Some(name.span))
    }

    /// A new local name that the language brings, visible until the scope is cut back.
    pub(super) fn bind(&mut self, name: &str, ty: Ty) -> Slot {
        self.bind_at(name, ty, None)
    }

    fn bind_at(&mut self, name: &str, ty: Ty, place: Option<Span>) -> Slot {
        let slot = self.game.slots.push(SlotInfo { name: name.to_owned(), ty: ty.clone() });
        self.scope.bind(Local { name: name.to_owned(), slot, ty, place });
        slot
    }

    /// A rule that a verdict may name; its clauses must be known.
    pub(super) fn rule(&mut self, kind: RuleKind, name: &str, span: Span, cites: &[Cite]) -> RuleId {
        for cite in cites {
            if self.game.clauses.clauses.contains_key(&cite.node) {
                continue;
            }
            let message = format!("there is no clause `§{}`", cite.node);
            let known = self.game.clauses.clauses.keys().map(String::as_str);
            let report = match nearest(&cite.node, known) {
                Some(near) => {
                    let near = format!("§{near}");
                    Report::new(Code::UnknownClause, cite.span, message).suggest(Some(&near))
                }
                None if self.game.clauses.clauses.is_empty() => Report::new(Code::UnknownClause, cite.span, message)
                    .help(format!("declare it: `clause §{} \"what it says\"`, or name a registry: `document \"…\" clauses \"clauses.ron\"`", cite.node)),
                None => Report::new(Code::UnknownClause, cite.span, message)
                    .help("add it to the registry of clauses, or declare it with a `clause` item"),
            };
            self.report(report);
        }
        let clauses = cites.iter().map(|cite| cite.node.clone()).collect();
        self.game.rules.push(Rule { kind, name: name.to_owned(), title: None, span, clauses })
    }

    /// Says whose statements a block is.
    pub(super) fn own(&mut self, block: BlockId, owner: Option<RuleId>) {
        if let Some(block) = self.game.blocks.get_mut(block) {
            block.owner = owner;
        }
    }

    /// The type a name of a type means.
    pub(super) fn type_of(&mut self, name: &TypeName) -> Option<Ty> {
        match name {
            TypeName::Set(inner, _) => self.type_of(inner).map(Ty::set),
            TypeName::Named(ident) => {
                let builtin = match ident.node.as_str() {
                    "int" => Some(Ty::Int),
                    "bool" => Some(Ty::Bool),
                    "seat" => Some(Ty::Seat),
                    "site" => Some(Ty::Site),
                    "direction" => Some(Ty::Dir),
                    "kind" => Some(Ty::Kind),
                    "piece" => Some(Ty::Piece),
                    "way" => Some(Ty::Way),
                    "move" => Some(Ty::Move),
                    _ => None,
                };
                if builtin.is_some() {
                    self.note_type(ident.span, TYPES);
                    return builtin;
                }
                let known = self.lookup(&ident.node, ident.span, None);
                self.note_type(ident.span, TYPES);
                if let Some(Symbol::Enum(number)) = known {
                    return Some(Ty::Enum(number));
                }
                if let Some(Symbol::Class(_)) = known {
                    return Some(Ty::Kind);
                }
                let message = format!("there is no type `{}`", ident.node);
                let mut names = TYPES.to_vec();
                let is_enum = |entries: &[Entry]| entries.iter().any(|entry| matches!(entry.symbol, Symbol::Enum(_)));
                names.extend(self.scope.globals().filter(|(_, entries)| is_enum(entries)).map(|(name, _)| name));
                let near = nearest(&ident.node, names.iter().copied());
                let types = TYPES.join(", ");
                let help = format!("the types are {types}, `set of` one of them, and the enums of the file");
                self.report(Report::new(Code::UnknownName, ident.span, message).help(help).suggest(near));
                None
            }
        }
    }

    /// A type in words.
    pub(super) fn type_text(&self, ty: &Ty) -> String {
        let named = |number: &EnumId| self.game.enums.get(*number).map_or("enum", |info| info.name.as_str());
        match ty {
            Ty::Int => "a number".to_owned(),
            Ty::Bool => "a truth value".to_owned(),
            Ty::Seat => "a seat".to_owned(),
            Ty::Site => "a site".to_owned(),
            Ty::Dir => "a direction".to_owned(),
            Ty::Kind => "a kind of piece".to_owned(),
            Ty::Enum(number) => format!("a value of `{}`", named(number)),
            Ty::Piece => "a piece".to_owned(),
            Ty::Way => "a way".to_owned(),
            Ty::Move => "a move".to_owned(),
            Ty::Set(inner) => match inner.as_ref() {
                Ty::Int => "a set of numbers".to_owned(),
                Ty::Seat => "a set of seats".to_owned(),
                Ty::Site => "a set of sites".to_owned(),
                Ty::Dir => "a set of directions".to_owned(),
                Ty::Kind => "a set of kinds".to_owned(),
                Ty::Way => "a set of ways".to_owned(),
                Ty::Move => "a set of moves".to_owned(),
                Ty::Enum(number) => format!("a set of values of `{}`", named(number)),
                Ty::Piece => "a set of pieces".to_owned(),
                Ty::Bool => "a set of truth values".to_owned(),
                Ty::Set(_) => "a set of sets".to_owned(),
            },
        }
    }

    /// How many values a numbered type has.
    pub(super) fn size_of(&self, ty: &Ty) -> Option<usize> {
        match ty {
            Ty::Seat => Some(self.game.seats.len()),
            Ty::Site => Some(self.game.topology.sites.len()),
            Ty::Dir => Some(self.game.topology.directions.len()),
            Ty::Kind => Some(self.game.kinds.len()),
            Ty::Enum(number) => self.game.enums.get(*number).map(|info| info.members.len()),
            Ty::Int | Ty::Bool | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => None,
        }
    }
}
