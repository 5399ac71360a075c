//! The clauses a `§` may name.

use indexmap::IndexMap;

/// A clause of a source document, in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it says.
    pub text: String,
    /// What it is about: set-up, movement, a gap, …
    pub kind: String,
}

/// The clauses of a game's documents by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseTable {
    /// In the order of the documents.
    pub clauses: IndexMap<String, Clause>,
}
