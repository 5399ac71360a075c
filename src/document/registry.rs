//! Registries with fingerprints, and what has been settled about a document.

use serde::Deserialize;

use super::finding::Check;

/// A clause in a registry, without the fields that only the rules need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename = "Clause")]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// The title it is under.
    #[serde(default)]
    pub heading: String,
    /// The number of its sentence under that title, from 1.
    #[serde(default)]
    pub ordinal: u32,
    /// The fingerprint of its sentence, sixteen hexadecimal digits; empty if the document is not available.
    #[serde(default)]
    pub print: String,
    /// The sketch of its sentence, in the same form.
    #[serde(default)]
    pub near: String,
    /// Fingerprint and sketch of each further sentence, if it spans several.
    #[serde(default)]
    pub also: Vec<(String, String)>,
}

/// A registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Registry {
    /// The title and edition of the document.
    #[serde(default)]
    pub document: String,
    /// Its clauses.
    pub clauses: Vec<Clause>,
}

/// The part concerned of a document that contains several games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Part {
    /// The heading it begins with; empty for the beginning of the document.
    pub from: String,
    /// The heading before which it ends; empty for the end of the document.
    pub until: String,
}

/// A sentence that no clause claims, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Passage {
    /// The title it is under.
    #[serde(default)]
    pub heading: String,
    /// Its number under that title, from 1.
    #[serde(default)]
    pub ordinal: u32,
    /// Its fingerprint.
    pub print: String,
    /// Its sketch.
    #[serde(default)]
    pub near: String,
    /// Why it is not a clause.
    pub why: String,
}

/// A known defect of the document, and how it was dealt with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Known {
    /// The kind of finding.
    pub check: Check,
    /// Its subject.
    pub subject: String,
    /// The title it is under.
    pub heading: String,
    /// How it was dealt with.
    pub why: String,
}

/// What is settled about a document: `document.ron` next to its registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename = "Document", deny_unknown_fields)]
pub struct Kept {
    /// The part concerned.
    pub part: Part,
    /// Sentences that no clause claims.
    pub passages: Vec<Passage>,
    /// Known defects.
    pub known: Vec<Known>,
}

/// Everything that findings are measured against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// The registry.
    pub registry: Registry,
    /// What else is settled.
    pub kept: Kept,
}

/// Parses a registry.
///
/// # Errors
/// Gives the line and column at which the text is not well formed.
pub fn read_registry(text: &str) -> Result<Registry, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

/// Parses what is settled about a document.
///
/// # Errors
/// Gives the line and column at which the text is not well formed.
pub fn read_kept(text: &str) -> Result<Kept, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

/// A fingerprint as text.
pub(super) fn hex(print: u64) -> String {
    format!("{print:016x}")
}

/// Parses a fingerprint.
pub(super) fn parse_hex(text: &str) -> Option<u64> {
    (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok()).flatten()
}
