//! Records: games as text, pinned to the rules they were played with.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::matches::{Match, Step};
use super::seed::Seed;
use crate::base::unmarked;
use crate::ir::Game;
use crate::load::Setup;
use crate::model::{Engine, Position, Refusal};
use crate::notation::{NotationError, find_move, is_answer, parse_answer, parse_position};

/// A game that was played, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The rules: a path or the name of a bundled game.
    pub game: String,
    /// The digest of the rules as resolved.
    pub digest: String,
    /// The number of players, if it was stated.
    #[serde(default)]
    pub players: Option<u32>,
    /// The variants played.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The readings chosen: name and alternative.
    #[serde(default)]
    pub readings: Vec<(String, String)>,
    /// The options chosen: name and value.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// The seed for chance and bots.
    #[serde(default)]
    pub seed: Seed,
    /// Whether it gives away what some seat may not know.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secrets: bool,
    /// The initial position, unless it is the start of the game.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves, chance outcomes and other answers, in order.
    pub steps: Vec<String>,
}

/// A game as one seat, or a spectator, was told it. It holds no secret and no seed, and so it cannot be replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatRecord {
    /// The rules: a path or the name of a bundled game.
    pub game: String,
    /// The digest of the rules as resolved.
    pub digest: String,
    /// The number of players, if it was stated.
    pub players: Option<u32>,
    /// The variants played.
    pub variants: Vec<String>,
    /// The readings chosen: name and alternative.
    pub readings: Vec<(String, String)>,
    /// The options chosen: name and value.
    pub options: Vec<(String, String)>,
    /// The seat; none for a spectator.
    pub seat: Option<String>,
    /// Who did what, in order, as it was told; chance has no name. What was not told is `?`.
    pub steps: Vec<(Option<String>, String)>,
    /// The position as it is seen.
    pub position: String,
}

impl ReplayError {
    /// What was told to this seat, or to spectators, cannot be played again.
    #[must_use]
    pub fn of_seat(seat: Option<String>) -> Self {
        Self::Seat(seat.unwrap_or_else(|| "a spectator".to_owned()))
    }
}

impl SeatRecord {
    /// As text.
    #[must_use]
    pub fn print(&self) -> String {
        printed(self)
    }
}

fn printed(record: &impl Serialize) -> String {
    let pretty = ron::ser::PrettyConfig::new().struct_names(true);
    // Plain data always serializes.
    let text = ron::ser::to_string_pretty(record, pretty).unwrap_or_default();
    format!("{text}\n")
}

/// A replayed record.
#[derive(Debug)]
pub struct Replay<'a> {
    /// The game, after all its steps.
    pub game: Match<'a>,
    /// Whether the rules are those it was played under.
    pub same_rules: bool,
}

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It is not a record.
    #[error("this is not a record of a game: {0}")]
    Form(String),
    /// It is the record of one seat.
    #[error("this is what {0} was told of a game, and it cannot be replayed: only the referee's record can")]
    Seat(String),
    /// Its beginning cannot be read.
    #[error("the record's position cannot be read: {0}")]
    Position(Box<NotationError>),
    /// A step cannot be read.
    #[error("step {number}, `{text}`, after {ply} plies, cannot be read: {source}")]
    Text {
        /// Its number, from 1.
        number: usize,
        /// How many plies were made before it.
        ply: u32,
        /// The text as written.
        text: String,
        /// The reason.
        source: Box<NotationError>,
    },
    /// A step is not legal.
    #[error("step {number}, `{text}`, after {ply} plies, is not legal")]
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// How many plies were made before it.
        ply: u32,
        /// The text as written.
        text: String,
        /// The reason.
        refusal: Refusal,
    },
}

impl Record {
    /// The record as text.
    #[must_use]
    pub fn print(&self) -> String {
        printed(self)
    }

    /// Parses a record.
    ///
    /// # Errors
    /// Says where the text is not a record.
    pub fn parse(text: &str) -> Result<Self, ReplayError> {
        let text = unmarked(text);
        if let Ok(SeatRecord { seat, .. }) = ron::from_str(text) {
            return Err(ReplayError::of_seat(seat));
        }
        ron::from_str(text).map_err(|error| ReplayError::Form(error.to_string()))
    }

    /// The players, variants, readings and options.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            players: self.players,
            variants: self.variants.clone(),
            readings: self.readings.clone(),
            options: self.options.clone(),
        }
    }

    /// The initial position.
    ///
    /// # Errors
    /// If the text of the position does not fit the rules.
    pub fn start(&self, engine: &dyn Engine) -> Result<Position, ReplayError> {
        match &self.position {
            Some(text) => parse_position(engine, text).map_err(|error| ReplayError::Position(Box::new(error))),
            None => Ok(engine.start()),
        }
    }

    /// Whether these are the rules it was played under.
    #[must_use]
    pub fn fits(&self, game: &Game) -> bool {
        self.digest == game.pin()
    }

    /// Plays its steps in a match at its initial position.
    ///
    /// # Errors
    /// Names the step that cannot be played; those before it have been.
    pub fn play(&self, game: &mut Match<'_>) -> Result<(), ReplayError> {
        self.play_while(game, &|_| true).map(drop)
    }

    /// The same while `going`, asked of the game before each step, returns true; whether all steps have been played.
    ///
    /// # Errors
    /// Names the step that cannot be played; those before it have been.
    pub fn play_while(&self, game: &mut Match<'_>, going: &dyn Fn(&Match<'_>) -> bool) -> Result<bool, ReplayError> {
        for text in &self.steps {
            if !going(game) {
                return Ok(false);
            }
            Self::play_next(game, text)?;
        }
        Ok(true)
    }

    /// Plays the next step.
    pub(super) fn play_next(game: &mut Match<'_>, text: &str) -> Result<(), ReplayError> {
        let (number, ply) = (game.steps().len() + 1, game.position().ply);
        let step = read_step(game.engine(), game.position(), text).map_err(|source| ReplayError::Text {
            number,
            ply,
            text: text.to_owned(),
            source: Box::new(source),
        })?;
        game.play(step).map_err(|refusal| ReplayError::Illegal { number, ply, text: text.to_owned(), refusal })
    }
}

/// Replays a record; every step must be legal.
///
/// # Errors
/// Names the step that cannot be played.
pub fn replay<'a>(engine: &'a dyn Engine, record: &Record) -> Result<Replay<'a>, ReplayError> {
    let mut game = Match::new(engine, record.start(engine)?);
    record.play(&mut game)?;
    Ok(Replay { game, same_rules: record.fits(engine.game()) })
}

/// Parses a text as a step in a position: an answer other than a move, or the legal move it denotes.
///
/// # Errors
/// Says why the text is not a move.
pub fn read_step(engine: &dyn Engine, position: &Position, text: &str) -> Result<Step, NotationError> {
    if is_answer(engine.game(), text) {
        parse_answer(engine.game(), position, text).map(Step::Answer)
    } else {
        find_move(engine, position, text).map(Step::Move)
    }
}
