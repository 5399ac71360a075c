//! The clauses a `§` may name.

use indexmap::IndexMap;

/// What is asked of the rules with regard to a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// To be implemented.
    Executable,
    /// To be implemented as these decided gaps say.
    Assumed(Vec<String>),
    /// Nothing: it is recorded only, for this reason.
    Documented(String),
    /// It is not a clause but a gap of the document, decided.
    Gap,
}

/// What a document leaves open, and how it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// What is open.
    pub question: String,
    /// How it is decided.
    pub decision: String,
    /// Question and decision in German, where they are written down.
    pub german: Option<(String, String)>,
    /// What else was possible.
    pub alternatives: Vec<String>,
    /// Why it is decided so.
    pub reason: String,
}

/// A clause of a source document, in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it says.
    pub text: String,
    /// What it says in German, where that is written down.
    pub text_de: Option<String>,
    /// Of a gap: how it is decided.
    pub gap: Option<Gap>,
    /// What it is about: setup, movement, a gap, …
    pub kind: String,
    /// The heading it stands under; empty for gaps and clauses of the rule file.
    pub heading: String,
    /// What is asked of the rules.
    pub force: Force,
}

/// The clauses of a game's documents by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseTable {
    /// In the order of the documents.
    pub clauses: IndexMap<String, Clause>,
}
