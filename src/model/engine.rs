//! The interface of an interpreter.

use super::explain::{Explain, Refusal};
use super::position::{Ask, Position};
use super::run::Run;
use crate::ir::{Game, Move, RuleId, SeatId, Value};

/// An answer in addition to the moves. It is not a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A claim, by number, with its parameters, made by a seat.
    Claim {
        /// Which.
        claim: u16,
        /// Who makes it.
        seat: SeatId,
        /// Its parameters in the order of its `choose` lines.
        args: Vec<Value>,
    },
    /// An offer, by number, made or accepted by a seat.
    Offer {
        /// Which.
        offer: u16,
        /// Who makes or accepts it.
        seat: SeatId,
    },
}

/// Continues from a position in the middle of the setup with the first outcome of
/// every question to chance, up to the first question of play.
#[must_use]
pub fn first_outcomes(engine: &dyn Engine, mut position: Position) -> Position {
    while matches!(position.ask, Ask::Chance { .. }) && position.in_setup(engine.game()) {
        let Some(first) = engine.legal(&position).into_iter().next() else { break };
        position = engine.play_unchecked(&position, &first);
    }
    position
}

/// An interpreter of one game.
pub trait Engine: Send + Sync + std::fmt::Debug {
    /// The game it runs.
    fn game(&self) -> &Game;

    /// The position at the first question.
    fn start(&self) -> Position;

    /// The position at the first question of play, with the first outcome of
    /// every question to chance in the setup, relative to which a position's text
    /// is written.
    fn opening(&self) -> Position;

    /// The legal moves of the seat that is asked, the values it can pick, or
    /// the outcomes of chance; none when the game is over. Only an outcome of chance may be
    /// listed more than once, side by side: a piece of which there are copies, once for each copy.
    fn legal(&self, position: &Position) -> Vec<Move>;

    /// The position at the next question after a move from [`Engine::legal`].
    /// A move that is not among them gives an unspecified position.
    fn play_unchecked(&self, position: &Position, mv: &Move) -> Position;

    /// The position after a move that may not be legal.
    ///
    /// # Errors
    /// Says why the move is not legal; the position is unchanged.
    fn play(&self, position: &Position, mv: &Move) -> Result<Position, Refusal> {
        match self.explain().refusal(position, mv) {
            Some(refusal) => Err(refusal),
            None => Ok(self.play_unchecked(position, mv)),
        }
    }

    /// The position after a claim or offer.
    ///
    /// # Errors
    /// Says why the answer is refused; the position is unchanged.
    fn answer(&self, position: &Position, answer: &Answer) -> Result<Position, Refusal>;

    /// The invariants that do not hold.
    fn violations(&self, position: &Position) -> Vec<RuleId>;

    /// The explanations of the game.
    fn explain(&self) -> &dyn Explain;

    /// A state for in-place play, to be loaded with a position first.
    fn run(&self) -> Box<dyn Run + '_>;

    /// The number of constructs to lower, and those that were not lowered, with their rules;
    /// none for an interpreter that does not lower.
    fn lowering(&self) -> Option<(usize, Vec<(&'static str, RuleId)>)> {
        None
    }

    /// The kind of interpreter, for reports.
    fn name(&self) -> &'static str;
}
