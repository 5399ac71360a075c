//! Records: games as text, pinned to the rules they were played with.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::matches::{Match, Step};
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
    /// How many played, if it was said.
    #[serde(default)]
    pub players: Option<u32>,
    /// The variants played.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The readings chosen, as name and alternative.
    #[serde(default)]
    pub readings: Vec<(String, String)>,
    /// The options chosen, as name and value.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// The seed of chance and of the bots.
    #[serde(default)]
    pub seed: u64,
    /// Where the game began, unless at the start.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves, outcomes of chance and answers, in order.
    pub steps: Vec<String>,
}

/// A record brought back to life.
#[derive(Debug)]
pub struct Replay<'a> {
    /// The game, after all its steps.
    pub game: Match<'a>,
    /// Whether the rules are those it was played by.
    pub same_rules: bool,
}

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It is not a record.
    #[error("this is not a record of a game: {0}")]
    Form(String),
    /// Its beginning cannot be read.
    #[error("the record's position cannot be read: {0}")]
    Position(Box<NotationError>),
    /// A step cannot be read.
    #[error("step {number}, `{text}`, after {ply} plies, cannot be read: {source}")]
    Text {
        /// Which, from 1.
        number: usize,
        /// How many plies were made before it.
        ply: u32,
        /// As it stands.
        text: String,
        /// Why.
        source: Box<NotationError>,
    },
    /// A step is not legal.
    #[error("step {number}, `{text}`, after {ply} plies, is not legal")]
    Illegal {
        /// Which, from 1.
        number: usize,
        /// How many plies were made before it.
        ply: u32,
        /// As it stands.
        text: String,
        /// Why.
        refusal: Refusal,
    },
}

impl Record {
    /// The record as text.
    #[must_use]
    pub fn print(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new().struct_names(true);
        // A record is plain data: nothing in it can fail to be written.
        let text = ron::ser::to_string_pretty(self, pretty).unwrap_or_default();
        format!("{text}\n")
    }

    /// The record of a text.
    ///
    /// # Errors
    /// Says where the text is not a record.
    pub fn parse(text: &str) -> Result<Self, ReplayError> {
        ron::from_str(text).map_err(|error| ReplayError::Form(error.to_string()))
    }

    /// What was settled before the game began.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            players: self.players,
            variants: self.variants.clone(),
            readings: self.readings.clone(),
            options: self.options.clone(),
        }
    }

    /// Where the game began.
    ///
    /// # Errors
    /// If the text of the position does not fit the rules.
    pub fn start(&self, engine: &dyn Engine) -> Result<Position, ReplayError> {
        match &self.position {
            Some(text) => parse_position(engine, text).map_err(|error| ReplayError::Position(Box::new(error))),
            None => Ok(engine.start()),
        }
    }

    /// Whether these are the rules it was played by.
    #[must_use]
    pub fn fits(&self, game: &Game) -> bool {
        self.digest == game.pin()
    }

    /// Plays its steps in a game that is where it began.
    ///
    /// # Errors
    /// Names the step that cannot be taken; those before it have been.
    pub fn play(&self, game: &mut Match<'_>) -> Result<(), ReplayError> {
        self.steps.iter().try_for_each(|text| Self::play_next(game, text))
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

/// Plays a record step by step; every step must be legal.
///
/// # Errors
/// Names the step that cannot be taken.
pub fn replay<'a>(engine: &'a dyn Engine, record: &Record) -> Result<Replay<'a>, ReplayError> {
    let mut game = Match::new(engine, record.start(engine)?);
    record.play(&mut game)?;
    Ok(Replay { game, same_rules: record.fits(engine.game()) })
}

/// A text as something to be played in a position: an answer beside the moves, or the move it means.
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
