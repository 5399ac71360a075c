//! Scopes: what names mean, where they can be seen.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use smallvec::SmallVec;

use crate::base::Span;
use crate::ir::{ActionId, EnumId, KindId, PhaseId, Slot, TableId, TokenId, Ty, Value, VarId, ZoneId};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;

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

/// A local name.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) slot: Slot,
    pub(super) ty: Ty,
    /// Where it is declared; none for names that the language brings.
    pub(super) place: Option<Span>,
}

/// The names that can be seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    globals: IndexMap<String, SmallVec<[Entry; 1]>>,
    /// Innermost last.
    locals: Vec<Local>,
    /// Local names whose declaration was reported; using them is no new mistake.
    poisoned: BTreeSet<String>,
    /// The columns of kinds with their types.
    columns: IndexMap<String, Ty>,
}

impl Scope {
    /// Gives a global name a meaning. Enum members may share a name; otherwise
    /// a name of the rule file has one meaning.
    pub(super) fn declare(&mut self, name: &Ident, symbol: Symbol) -> Result<(), Box<Report>> {
        let member = |symbol: &Symbol| matches!(symbol, Symbol::Const(Ty::Enum(_), _));
        let entries = self.globals.entry(name.node.clone()).or_default();
        let double = entries.iter().find(|old| old.span.is_some() && !(member(&old.symbol) && member(&symbol)));
        if let Some(first) = double.and_then(|old| old.span) {
            let message = format!("`{}` is declared twice", name.node);
            let report = Report::new(Code::Duplicate, name.span, message).also(first, "first declared here");
            return Err(Box::new(report.help("rename one of them")));
        }
        // Names of the file come before those a board brings.
        entries.insert(0, Entry { symbol, span: Some(name.span) });
        Ok(())
    }

    /// Makes room for so many more global names.
    pub(super) fn reserve(&mut self, names: usize) {
        self.globals.reserve(names);
    }

    /// Gives a name that the language or a board brings its meaning.
    pub(super) fn declare_builtin(&mut self, name: &str, symbol: Symbol) {
        self.globals.entry(name.to_owned()).or_default().push(Entry { symbol, span: None });
    }

    /// The meaning of a global name, the one of the wanted type first; what the file declares hides what a board brings.
    pub(super) fn find(&self, name: &str, want: Option<&Ty>) -> Option<&Entry> {
        let wanted = |ty: &Ty| match want {
            Some(Ty::Set(inner)) => ty == inner.as_ref() || Some(ty) == want,
            Some(want) => ty == want,
            None => false,
        };
        let fits = |entry: &&Entry| matches!(&entry.symbol, Symbol::Const(ty, _) if wanted(ty));
        let (own, hidden) = self.own_and_hidden(name);
        let entries = if own.is_empty() { hidden } else { own };
        entries.iter().find(fits).or_else(|| entries.first())
    }

    /// Where the file declares a name that hides a value of some type that the board brings.
    pub(super) fn hiding(&self, name: &str, ty: &Ty) -> Option<Span> {
        let (own, hidden) = self.own_and_hidden(name);
        let fits = |entry: &Entry| matches!(&entry.symbol, Symbol::Const(found, _) if found == ty.element());
        hidden.iter().any(fits).then(|| own.first()?.span).flatten()
    }

    /// The meanings of a name in the file, and those that a board or the language gives it.
    fn own_and_hidden(&self, name: &str) -> (&[Entry], &[Entry]) {
        let entries = self.entries(name);
        entries.split_at(entries.partition_point(|entry| entry.span.is_some()))
    }

    /// All meanings of a global name.
    pub(super) fn entries(&self, name: &str) -> &[Entry] {
        self.globals.get(name).map_or(&[], SmallVec::as_slice)
    }

    /// The global names with their meanings.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&str, &[Entry])> {
        self.globals.iter().map(|(name, entries)| (name.as_str(), entries.as_slice()))
    }

    /// The local name seen from here.
    pub(super) fn local(&self, name: &str) -> Option<Local> {
        self.locals.iter().rev().find(|local| local.name == name).cloned()
    }

    /// The local names seen from here, innermost last.
    pub(super) fn locals(&self) -> &[Local] {
        &self.locals
    }

    /// A new local name, visible until the names are cut back.
    pub(super) fn bind(&mut self, local: Local) {
        self.locals.push(local);
    }

    /// What the names are cut back to when what follows is over.
    pub(super) fn mark(&self) -> usize {
        self.locals.len()
    }

    pub(super) fn cut(&mut self, mark: usize) {
        self.locals.truncate(mark);
    }

    /// Hides the local names from what is checked on first use.
    pub(super) fn hide(&mut self) -> Vec<Local> {
        std::mem::take(&mut self.locals)
    }

    pub(super) fn show(&mut self, locals: Vec<Local>) {
        self.locals = locals;
    }

    /// Remembers a name whose declaration was in error.
    pub(super) fn poison(&mut self, name: &Ident) {
        self.poisoned.insert(name.node.clone());
    }

    pub(super) fn is_poisoned(&self, name: &str) -> bool {
        self.poisoned.contains(name)
    }

    /// Declares a column of kinds; the first of one name says its type.
    pub(super) fn declare_column(&mut self, name: &str, ty: Ty) {
        self.columns.entry(name.to_owned()).or_insert(ty);
    }

    pub(super) fn column(&self, name: &str) -> Option<&Ty> {
        self.columns.get(name)
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }
}
