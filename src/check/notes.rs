//! Notes for editors: what every name means, and what may stand at a place.

use std::collections::BTreeMap;

use crate::base::Span;
use crate::ir::ClauseTable;
use crate::syntax::ast::Ident;

/// What the names of a rule file mean in one setup. Places are in the files of
/// the load's sources.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The meaning of every name that is used.
    pub uses: BTreeMap<Span, Meaning>,
    /// The names that are declared.
    pub declared: BTreeMap<Span, Declared>,
    /// Names that stand for the same as another: that of an item which takes the
    /// place of one, and further fields and columns of one name.
    pub same: BTreeMap<Span, Span>,
    /// Names that mean what the name at another place means, in whatever setup that is known.
    pub alike: BTreeMap<Span, Span>,
    /// The clauses that may be cited.
    pub clauses: ClauseTable,
    /// What may stand at the place that was asked about.
    pub wanted: Option<Wanted>,
    /// How many steps it took to find them.
    pub work: u64,
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// What the name at this place declares.
    Declared(Span),
    /// What the language or a board brings: its type in words, if it is a value.
    BuiltIn(String),
}

/// A name that is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Whether the name is local.
    pub local: bool,
    /// Its type in words.
    pub ty: String,
}

/// What may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A value: all names seen there.
    Value(Vec<Candidate>),
    /// A type.
    Type(Vec<Candidate>),
    /// An action.
    Action(Vec<Candidate>),
    /// An attribute, behind a dot or in front of `=`.
    Attribute(Vec<Candidate>),
}

/// A name that may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name.
    pub name: String,
    /// What it is, in words.
    pub ty: String,
    /// Where it is declared; none for what the language or a board brings.
    pub place: Option<Span>,
    /// Whether the name is local.
    pub local: bool,
    /// Whether its type is the one wanted.
    pub fits: bool,
}

/// Notes what names mean, if somebody has asked.
#[derive(Debug, Default)]
pub(super) struct Notes(pub(super) Option<Box<Noting>>);

#[derive(Debug, Default)]
pub(super) struct Noting {
    pub(super) names: Names,
    /// Where names that a board brings stand in the file.
    pub(super) origins: BTreeMap<String, Span>,
    /// Fields and columns by their table, which is empty for pieces, and name.
    pub(super) columns: BTreeMap<(String, String), Span>,
    /// Where the name begins that is to be completed.
    watch: Option<Span>,
}

impl Notes {
    /// Notes everything, and what may stand at `watch`.
    pub(super) fn all(watch: Option<Span>) -> Self {
        Self(Some(Box::new(Noting { watch, ..Noting::default() })))
    }

    /// Notes what a name means.
    pub(super) fn used(&mut self, name: Span, declared: Span) {
        if let Some(noting) = &mut self.0 {
            noting.names.uses.insert(name, Meaning::Declared(declared));
        }
    }

    /// Notes a name of the file that a board brings; the first place declares it.
    pub(super) fn origin(&mut self, name: &Ident, ty: &str) {
        let Some(noting) = &mut self.0 else { return };
        let place = *noting.origins.entry(name.node.clone()).or_insert(name.span);
        noting.names.uses.insert(name.span, Meaning::Declared(place));
        let declared = Declared { local: false, ty: ty.to_owned() };
        noting.names.declared.entry(place).or_insert(declared);
    }

    pub(super) fn watches(&self, span: Span) -> bool {
        let watch = self.0.as_ref().and_then(|noting| noting.watch);
        watch.is_some_and(|watch| watch.file == span.file && watch.start == span.start)
    }
}
