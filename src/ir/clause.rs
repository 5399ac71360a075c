//! The clauses that `§` can cite.

use indexmap::IndexMap;

/// What a clause demands of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// To be implemented.
    Executable,
    /// To be implemented, as these decided gaps say.
    Assumed(Vec<String>),
    /// Nothing: it is only recorded, for this reason.
    Documented(String),
    /// It is not a clause but a gap of the document, decided.
    Gap,
}

/// A gap of the document, and how it is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// What the document leaves open.
    pub question: String,
    /// How it is decided.
    pub decision: String,
    /// Question and decision in German, if available.
    pub german: Option<(String, String)>,
    /// The alternatives not chosen.
    pub alternatives: Vec<String>,
    /// The reason for the decision.
    pub reason: String,
}

/// A clause of a source document, restated in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its text.
    pub text: String,
    /// Its text in German, if available.
    pub text_de: Option<String>,
    /// For a gap: how it is closed.
    pub gap: Option<Gap>,
    /// What it is about: setup, movement, a gap, …
    pub kind: String,
    /// The heading it appears under; empty for gaps and clauses of the rule file.
    pub heading: String,
    /// What it demands of the rules.
    pub force: Force,
}

/// The clauses of a game's documents by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseTable {
    /// In the order of the documents.
    pub clauses: IndexMap<String, Clause>,
}
