//! The data of cases.

use serde::Deserialize;

use crate::base::unmarked;
use crate::load::Setup;

/// A file of cases for one game.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Cases", deny_unknown_fields)]
pub struct CaseFile {
    /// The game: the folder name of its rule file, or the path of a rule file relative to the case file.
    pub game: String,
    /// The cases.
    pub cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Case", deny_unknown_fields)]
pub struct Case {
    /// The clauses it is about, the most specific first.
    pub clauses: Vec<String>,
    /// What it shows, in a few words.
    pub name: String,
    /// Players, variants, readings and options.
    #[serde(default)]
    pub setup: CaseSetup,
    /// The position it begins with.
    #[serde(default)]
    pub given: Given,
    /// Moves to play and assertions, in order.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// The setup of a case.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaseSetup {
    /// The number of players.
    pub players: Option<u32>,
    /// The variants.
    pub variants: Vec<String>,
    /// Readings: name and alternative.
    pub readings: Vec<(String, String)>,
    /// Options: name and value.
    pub options: Vec<(String, String)>,
    /// The seed of chance in the setup; without one, its first outcomes.
    pub seed: Option<u64>,
}

impl From<&CaseSetup> for Setup {
    fn from(setup: &CaseSetup) -> Self {
        Self {
            players: setup.players,
            variants: setup.variants.clone(),
            readings: setup.readings.clone(),
            options: setup.options.clone(),
        }
    }
}

/// The position a case begins with.
#[derive(Clone, Debug, Default, Deserialize)]
pub enum Given {
    /// The start of the game.
    #[default]
    Start,
    /// A position; the first segment, game and seats, may be left out.
    Position(String),
    /// None: the setup must be refused with a message that contains these words.
    Unavailable(String),
}

/// One step of a case.
#[derive(Clone, Debug, Deserialize)]
pub enum Step {
    /// Moves to play in order; each must be legal.
    Play(Vec<String>),
    /// Moves that must be legal.
    Legal(Vec<String>),
    /// A move that must be refused, because of exactly these clauses; if there are none, it may also be a text that is no
    /// move.
    Illegal(String, Vec<String>),
    /// A move that must be refused, because of these clauses among others: where a rule states several of them at once.
    IllegalAmong(String, Vec<String>),
    /// Exactly these moves must be legal.
    Only(Vec<String>),
    /// The legal moves that begin with this argument must continue in exactly these ways.
    From(String, Vec<String>),
    /// This many moves must be legal.
    Count(usize),
    /// This seat must be to act.
    Asked(String),
    /// These segments of a position's text are what this seat sees, `-` being a spectator; hidden parts read `?`.
    Sees(String, Vec<String>),
    /// These conditions, written in the rule language, must hold.
    Holds(Vec<String>),
    /// These conditions must not hold.
    Fails(Vec<String>),
    /// The game must not be over.
    GoesOn,
    /// The game must be over, won by these seats, by exactly these clauses.
    Won(Vec<String>, Vec<String>),
    /// The game must be over as a draw, by exactly these clauses.
    Drawn(Vec<String>),
    /// The seats must have these ranks.
    Ranks(Vec<(String, u8)>),
    /// The seats must have these scores.
    Scores(Vec<(String, i64)>),
    /// A claim or offer that must be accepted, such as `claim NAME …`.
    Granted(String),
    /// A claim or offer that must be refused, because of exactly these clauses.
    Refused(String, Vec<String>),
}

impl Step {
    /// Whether it lists what must be so, and the list is empty: it would pass whatever the rules say.
    #[must_use]
    pub fn names_nothing(&self) -> bool {
        match self {
            Self::Play(texts) | Self::Legal(texts) | Self::Sees(_, texts) | Self::IllegalAmong(_, texts) => {
                texts.is_empty()
            }
            Self::Holds(texts) | Self::Fails(texts) => texts.is_empty() || texts.iter().any(|text| is_of_nothing(text)),
            Self::From(start, _) => start.trim().is_empty(),
            Self::Ranks(ranks) => ranks.is_empty(),
            Self::Scores(scores) => scores.is_empty(),
            Self::Illegal(..)
            | Self::Only(_)
            | Self::Count(_)
            | Self::Asked(_)
            | Self::GoesOn
            | Self::Won(..)
            | Self::Drawn(_)
            | Self::Granted(_)
            | Self::Refused(..) => false,
        }
    }
}

/// Whether a condition is about nothing: numbers and truth values alone, and names for them.
fn is_of_nothing(condition: &str) -> bool {
    const PLAIN: [&str; 23] = [
        "true", "false", "not", "and", "or", "mod", "if", "then", "else", "in", "any", "all", "some", "no", "sum",
        "min", "max", "for", "where", "count", "abs", "greater", "lesser",
    ];
    let mut words = condition.split(|c: char| !c.is_alphanumeric() && c != '_');
    let binders = ["any ", "all ", "no ", "for ", "{"];
    let bound = |word: &str| binders.iter().any(|binder| condition.contains(&format!("{binder}{word} in ")));
    words.all(|word| !word.starts_with(|c: char| !c.is_ascii_digit()) || PLAIN.contains(&word) || bound(word))
}

/// Parses a file of cases.
///
/// # Errors
/// Gives the line and column at which the text is not well formed, and what was expected.
pub fn load_cases(text: &str) -> Result<CaseFile, String> {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
        .from_str(unmarked(text))
        .map_err(|error| error.to_string())
}
