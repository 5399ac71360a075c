//! Scopes: what names mean, and the state of the checker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::base::{Span, nearest};
use crate::ir::{
    ActionId, EnumId, Expr, FnId, Game, KindId, PathId, PhaseId, Rule, RuleId, RuleKind, Slot, SlotInfo, TableId,
    TokenId, Ty, Value, VarId, ZoneId,
};
use crate::model::Position;
use crate::reference::Walker;
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::Item;
use crate::syntax::ast::{Cite, Ident, TypeName};

use super::Rules;
use super::action::Procedure;
use super::idle::Uses;
use super::names::Notes;

/// How deep a check may nest: each level takes a stack frame, here and when
/// the expression is evaluated.
pub(super) const DEPTH: usize = 200;

/// The types the language brings.
const TYPES: &[&str] = &["int", "bool", "seat", "site", "direction", "kind", "piece", "way", "move"];

/// What a global name means.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A value: option, reading, seat, enum member, kind, site, direction, board.
    Const(Ty, Value),
    /// A seat that does not take part with this number of players.
    Absent,
    /// An enum: as a value the set of its members.
    Enum(EnumId),
    /// A class of kinds.
    Class(Vec<KindId>),
    /// Counted tokens.
    Tokens(TokenId),
    /// A variable.
    Var(VarId),
    /// A region, function or path, by the item that declares it.
    Function(usize),
    /// The sites each seat has on a board laid out per seat, by number of the table.
    Group(TableId),
    /// A table: key type, integer keys, columns.
    Table(TableInfo),
    /// A zone.
    Zone(ZoneId),
    /// An action.
    Action(ActionId),
    /// A procedure, by the item that declares it.
    Procedure(usize),
    /// A phase.
    Phase(PhaseId),
}

impl Symbol {
    /// The value it is, if it is one of this type.
    pub(super) fn constant(self, ty: &Ty) -> Option<Value> {
        if let Self::Const(found, value) = self { (found == *ty).then_some(value) } else { None }
    }
}

/// A table for looking up.
#[derive(Clone, Debug)]
pub(super) struct TableInfo {
    pub(super) key: Ty,
    /// The keys of a table by number, ascending.
    pub(super) numbers: Vec<i64>,
    /// Column name, type, and number of the table of values.
    pub(super) columns: Vec<(String, Ty, TableId)>,
}

/// A global name with where it was declared.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) symbol: Symbol,
    /// None for names that the language or a board brings.
    pub(super) span: Option<Span>,
}

/// Where a region, function or path stands in the check.
#[derive(Clone, Debug)]
pub(super) enum Progress {
    Untouched,
    Running,
    Failed,
    Done(Defined),
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

/// A local name.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) slot: Slot,
    pub(super) ty: Ty,
    /// Where it is declared; none for names that the language brings.
    pub(super) place: Option<Span>,
}

/// The state of a check.
pub(super) struct Checker<'r> {
    pub(super) game: Game,
    pub(super) reports: &'r mut Reports,
    pub(super) symbols: IndexMap<String, Vec<Entry>>,
    pub(super) locals: Vec<Local>,
    pub(super) progress: Vec<Progress>,
    /// The slots of the blocks being checked, innermost last.
    pub(super) block_slots: Vec<Vec<Slot>>,
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
    /// Checked procedures by item; none while one is being checked or has failed.
    pub(super) procedures: BTreeMap<usize, Option<Procedure>>,
    pub(super) running: BTreeSet<usize>,
    /// Local names whose declaration was reported; using them is no new mistake.
    pub(super) poisoned: BTreeSet<String>,
    /// How deep the check is nested, definitions checked on first use included.
    pub(super) depth: usize,
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
            symbols: IndexMap::new(),
            locals: Vec::new(),
            progress: vec![Progress::Untouched; rules.items.len()],
            block_slots: Vec::new(),
            in_claim: false,
            uses: Uses::default(),
            asked_for: Vec::new(),
            variants: rules.variants,
            overrides: rules.overrides,
            items: rules.items,
            procedures: BTreeMap::new(),
            running: BTreeSet::new(),
            poisoned: BTreeSet::new(),
            depth: 0,
            notes: Notes::default(),
        }
    }

    pub(super) fn report(&mut self, report: Report) {
        self.reports.push(report);
    }

    /// Gives a global name a meaning. Enum members may share a name; otherwise
    /// a name of the rule file has one meaning.
    pub(super) fn declare(&mut self, name: &Ident, symbol: Symbol) {
        let member = |symbol: &Symbol| matches!(symbol, Symbol::Const(Ty::Enum(_), _));
        let entries = self.symbols.entry(name.node.clone()).or_default();
        let double = entries.iter().find(|old| old.span.is_some() && !(member(&old.symbol) && member(&symbol)));
        if let Some(first) = double.and_then(|old| old.span) {
            let message = format!("`{}` is declared twice", name.node);
            let report = Report::new(Code::Duplicate, name.span, message)
                .also(first, "first declared here")
                .help("rename one of them");
            self.reports.push(report);
            return;
        }
        // Names of the file come before those a board brings.
        entries.insert(0, Entry { symbol, span: Some(name.span) });
    }

    /// Gives a name that the language or a board brings its meaning.
    pub(super) fn declare_builtin(&mut self, name: &str, symbol: Symbol) {
        self.symbols.entry(name.to_owned()).or_default().push(Entry { symbol, span: None });
    }

    /// The meaning of the global name at a place, the one of the wanted type first.
    pub(super) fn lookup(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Symbol> {
        self.uses.name(name);
        self.meaning(name, span, want)
    }

    /// The same where that is no use of it.
    pub(super) fn meaning(&mut self, name: &str, span: Span, want: Option<&Ty>) -> Option<Symbol> {
        let wanted = |ty: &Ty| match want {
            Some(Ty::Set(inner)) => ty == inner.as_ref() || Some(ty) == want,
            Some(want) => ty == want,
            None => false,
        };
        let fits = |entry: &&Entry| matches!(&entry.symbol, Symbol::Const(ty, _) if wanted(ty));
        let entries = self.symbols.get(name).map_or(&[][..], Vec::as_slice);
        let entry = entries.iter().find(fits).or_else(|| entries.first()).cloned();
        self.note_global(name, span, entry.as_ref(), want);
        entry.map(|entry| entry.symbol)
    }

    /// Goes some levels deeper, unless that is too deep.
    pub(super) fn deeper<T>(
        &mut self,
        levels: usize,
        span: Span,
        run: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth + levels > DEPTH {
            let message = format!("this is nested more than {DEPTH} levels deep, counting the definitions it uses");
            let help = "chain fewer operators, and use fewer definitions within definitions";
            self.report(Report::new(Code::TooDeep, span, message).help(help));
            return None;
        }
        self.depth += levels;
        let result = run(self);
        self.depth -= levels;
        result
    }

    pub(super) fn local(&self, name: &str) -> Option<Local> {
        self.locals.iter().rev().find(|local| local.name == name).cloned()
    }

    /// The local name that is used at a place.
    pub(super) fn local_at(&mut self, name: &str, span: Span) -> Option<Local> {
        let local = self.local(name)?;
        self.note_local(&local, span);
        Some(local)
    }

    /// A new local name that the file declares.
    pub(super) fn bind_ident(&mut self, name: &Ident, ty: Ty) -> Slot {
        self.note_binding(name, &ty);
        let slot = self.bind(&name.node, ty);
        if let Some(local) = self.locals.last_mut() {
            local.place = Some(name.span);
        }
        slot
    }

    /// A new local name, visible until the caller cuts `locals` back.
    pub(super) fn bind(&mut self, name: &str, ty: Ty) -> Slot {
        let slot = self.game.slots.push(SlotInfo { name: name.to_owned(), ty: ty.clone() });
        self.locals.push(Local { name: name.to_owned(), slot, ty, place: None });
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
                names.extend(self.symbols.iter().filter_map(|(name, entries)| {
                    entries.iter().any(|e| matches!(e.symbol, Symbol::Enum(_))).then_some(name.as_str())
                }));
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
                Ty::Bool | Ty::Set(_) => "a set".to_owned(),
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

    /// The value of a constant expression, by the reference interpreter.
    pub(super) fn fold(&mut self, expr: &Expr, span: Span) -> Option<Value> {
        self.fold_with(expr, &[], span)
    }

    /// The same with some local names bound.
    pub(super) fn fold_with(&mut self, expr: &Expr, bound: &[(Slot, Value)], span: Span) -> Option<Value> {
        let walker = Walker::new(std::mem::take(&mut self.game));
        let mut position: Position = walker.blank();
        for (slot, value) in bound {
            position.locals[usize::from(*slot)] = value.clone();
        }
        let value = walker.value(&position, expr);
        self.game = walker.into_game();
        if value.is_none() {
            let message = "this takes too many steps to evaluate";
            self.report(
                Report::new(Code::OutOfRange, span, message).help("make the set or range it ranges over smaller"),
            );
        }
        value
    }
}
