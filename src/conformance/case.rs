//! The data of cases.

use serde::Deserialize;

use crate::load::Setup;

/// A file of cases for one game.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename = "Cases", deny_unknown_fields)]
pub struct CaseFile {
    /// The game, by the name of its rule file's folder, or the path of a rule
    /// file relative to the case file.
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
    /// What happens and what must hold, in order.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// What is settled before the case begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CaseSetup {
    /// How many play.
    pub players: Option<u32>,
    /// The variants played.
    pub variants: Vec<String>,
    /// Readings, as name and alternative.
    pub readings: Vec<(String, String)>,
    /// Options, as name and value.
    pub options: Vec<(String, String)>,
    /// The seed of what chance decides in the setup; its first outcomes when
    /// left out.
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

/// Where a case begins.
#[derive(Clone, Debug, Default, Deserialize)]
pub enum Given {
    /// At the start of the game.
    #[default]
    Start,
    /// In a position; the first segment, game and seats, may be left out.
    Position(String),
    /// Nowhere: the setup must be refused with a message that has these words.
    Unavailable(String),
}

/// One step of a case.
#[derive(Clone, Debug, Deserialize)]
pub enum Step {
    /// Moves played one after the other; each must be legal.
    Play(Vec<String>),
    /// Moves that must be legal.
    Legal(Vec<String>),
    /// A move that must be refused, by a rule that implements each of the clauses.
    Illegal(String, Vec<String>),
    /// Exactly these moves must be legal.
    Only(Vec<String>),
    /// The legal moves that begin with this parameter must go on exactly so.
    From(String, Vec<String>),
    /// So many moves must be legal.
    Count(usize),
    /// This seat must be asked.
    Asked(String),
    /// These segments of a position's text are what this seat sees, `-` for a
    /// spectator; what it does not see reads `?`.
    Sees(String, Vec<String>),
    /// These conditions of the rules language must hold.
    Holds(Vec<String>),
    /// These conditions must not hold.
    Fails(Vec<String>),
    /// The game must go on.
    GoesOn,
    /// The game must be over, won by these seats, by a rule that implements each
    /// of the clauses.
    Won(Vec<String>, Vec<String>),
    /// The game must be over as a draw, by a rule that implements each of the clauses.
    Drawn(Vec<String>),
    /// The seats must have these ranks.
    Ranks(Vec<(String, u8)>),
    /// The seats must have these scores.
    Scores(Vec<(String, i64)>),
    /// A claim or offer that must be accepted, such as `claim NAME …`.
    Granted(String),
    /// A claim or offer that must be refused, by a rule that implements each of
    /// the clauses.
    Refused(String, Vec<String>),
}

/// Reads a file of cases.
///
/// # Errors
/// Says at which line and column the text is not well formed, and what was
/// expected.
pub fn load_cases(text: &str) -> Result<CaseFile, String> {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
        .from_str(text)
        .map_err(|error| error.to_string())
}
