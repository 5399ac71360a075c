//! The clauses that `§` can cite.

use std::collections::BTreeMap;

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
    /// For a gap: how it is closed.
    pub gap: Option<Gap>,
    /// The same in other languages, by their tags.
    pub translations: BTreeMap<String, Translation>,
    /// What it is about: setup, movement, a gap, …
    pub kind: String,
    /// The heading it appears under; empty for gaps and clauses of the rule file.
    pub heading: String,
    /// What it demands of the rules.
    pub force: Force,
    /// Whether it can forbid anything: permissions, examples and advice cannot.
    pub forbids: bool,
    /// For what it is meant, if not for every game.
    pub only: Only,
}

/// The games that a clause is about: those with so many players, and those with one of these variants. If it names neither, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// The numbers of players.
    pub players: Vec<u32>,
    /// The variants.
    pub variants: Vec<String>,
    /// If it is about results: those in which several seats share the first place, or those in which one has it alone.
    pub tied: Option<bool>,
}

impl Only {
    /// Whether a game with so many players and these variants is among them.
    #[must_use]
    pub fn includes(&self, players: usize, variants: &[String]) -> bool {
        self.players.is_empty() && self.variants.is_empty()
            || self.players.iter().any(|number| *number as usize == players)
            || self.variants.iter().any(|variant| variants.contains(variant))
    }
}

/// A clause in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translation {
    /// Its text.
    pub text: String,
    /// For a gap: how it is closed.
    pub gap: Option<Gap>,
    /// Why it is only recorded; empty if that is not translated.
    pub reason: String,
}

impl Clause {
    /// Its text in a language; the text of the registry if there is no translation.
    #[must_use]
    pub fn text_in(&self, language: &str) -> &str {
        self.translations.get(language).map_or(&self.text, |other| &other.text)
    }

    /// The gap in a language, if it is one; as in the ledger if there is no translation.
    #[must_use]
    pub fn gap_in(&self, language: &str) -> Option<&Gap> {
        self.translations.get(language).and_then(|other| other.gap.as_ref()).or(self.gap.as_ref())
    }
}

/// The clauses of a game's documents by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseTable {
    /// In the order of the documents.
    pub clauses: IndexMap<String, Clause>,
    /// What options, readings and variants mean in other languages: by the language's tag and by name.
    pub settings: BTreeMap<String, BTreeMap<String, String>>,
}

impl ClauseTable {
    /// What an option, reading or variant means in a language, if that is translated.
    #[must_use]
    pub fn setting(&self, language: &str, name: &str) -> Option<&str> {
        self.settings.get(language)?.get(name).map(String::as_str)
    }
}

impl ClauseTable {
    /// Whether a clause can forbid anything.
    #[must_use]
    pub fn forbids(&self, id: &str) -> bool {
        self.clauses.get(id).is_none_or(|clause| clause.forbids)
    }
}
