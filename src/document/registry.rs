//! Registries with fingerprints, and what has been accounted for in a document.

use serde::Deserialize;

use super::finding::Check;

/// A clause as the registry has it; what only the rules need is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename = "Clause")]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// The title it stands under.
    #[serde(default)]
    pub heading: String,
    /// The how-manieth sentence under that title it is in, from 1.
    #[serde(default)]
    pub ordinal: u32,
    /// The fingerprint of its sentence, sixteen hexadecimal digits; empty if the
    /// document cannot be had.
    #[serde(default)]
    pub print: String,
    /// The sketch of its sentence, likewise.
    #[serde(default)]
    pub near: String,
    /// Fingerprint and sketch of each sentence that follows, if it takes several.
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

/// Which part of a document is meant, where it holds several games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Part {
    /// The heading it begins with; the begin of the document if empty.
    pub from: String,
    /// The heading before which it ends; the end of the document if empty.
    pub until: String,
}

/// A sentence that no clause claims, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Passage {
    /// The title it stands under.
    #[serde(default)]
    pub heading: String,
    /// The how-manieth sentence under that title.
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

/// A defect of the document that is known, and what was made of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Known {
    /// What was found.
    pub check: Check,
    /// What it is about.
    pub subject: String,
    /// The title it stands under.
    pub heading: String,
    /// What was made of it.
    pub why: String,
}

/// What is settled about a document: `document.ron` beside its registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename = "Document", deny_unknown_fields)]
pub struct Kept {
    /// The part that is meant.
    pub part: Part,
    /// Sentences that no clause claims.
    pub passages: Vec<Passage>,
    /// Defects that are known.
    pub known: Vec<Known>,
}

/// All that findings are measured by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// The registry.
    pub registry: Registry,
    /// What else is settled.
    pub kept: Kept,
}

/// Reads a registry.
///
/// # Errors
/// Says at which line and column the text is not well formed.
pub fn read_registry(text: &str) -> Result<Registry, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

/// Reads what is settled about a document.
///
/// # Errors
/// Says at which line and column the text is not well formed.
pub fn read_kept(text: &str) -> Result<Kept, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

/// A fingerprint as it is written.
pub(super) fn hex(print: u64) -> String {
    format!("{print:016x}")
}

/// A fingerprint as it was written.
pub(super) fn parse_hex(text: &str) -> Option<u64> {
    (text.len() == 16).then(|| u64::from_str_radix(text, 16).ok()).flatten()
}
