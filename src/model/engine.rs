//! The interface of an interpreter.

use super::explain::{Explain, Refusal};
use super::position::{Ask, Position};
use super::run::Run;
use crate::base::SaturatingFrom;
use crate::ir::{ClaimId, Game, Move, OfferId, RuleId, SeatId, Value};

/// An answer in addition to the moves. It is not a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A claim, by number, with its parameters, made by a seat.
    Claim {
        /// Which.
        claim: ClaimId,
        /// Who makes it.
        seat: SeatId,
        /// Its parameters in the order of its `choose` lines.
        args: Vec<Value>,
    },
    /// An offer, by number, made or accepted by a seat.
    Offer {
        /// Which.
        offer: OfferId,
        /// Who makes or accepts it.
        seat: SeatId,
    },
}

/// How many questions a setup may put to chance. One that puts more ends the game as if the step
/// budget had run out: it may go on for ever.
pub const SETUP_QUESTIONS: usize = 100_000;

/// So many of them get their first outcome in the opening.
const FIRST: u64 = 1000;

/// Continues from a position in the middle of the setup up to the first question of play. `choose`
/// gives the number of the outcome of each question to chance.
#[must_use]
pub fn set_up(
    engine: &dyn Engine,
    mut position: Position,
    mut choose: impl FnMut(&Position, &[Move]) -> usize,
) -> Position {
    let game = engine.game();
    for question in 0.. {
        let Ask::Chance { at } = position.ask else { break };
        if !position.in_setup(game) {
            break;
        }
        if question == SETUP_QUESTIONS {
            position.exhaust(game, at);
            break;
        }
        let mut legal = engine.legal(&position);
        let number = choose(&position, &legal);
        if number >= legal.len() {
            break;
        }
        position = engine.play_unchecked(&position, &legal.swap_remove(number));
    }
    position
}

/// Chooses the first outcome of every question to chance. After many questions it is any outcome,
/// always the same, so that a reroll ends that waits for another one.
pub fn first_outcomes() -> impl FnMut(usize) -> usize {
    let mut asked = 0_u64;
    move |outcomes| {
        asked += 1;
        if asked <= FIRST || outcomes == 0 {
            return 0;
        }
        let any = xxhash_rust::xxh3::xxh3_64(&asked.to_le_bytes());
        usize::saturating_from(any % outcomes as u64)
    }
}

/// An interpreter of one game.
pub trait Engine: Send + Sync + std::fmt::Debug {
    /// The game it runs.
    fn game(&self) -> &Game;

    /// The position at the first question.
    fn start(&self) -> Position;

    /// The position at the first question of play, with the outcomes of
    /// [`first_outcomes`] in the setup, relative to which a position's text
    /// is written.
    fn opening(&self) -> Position;

    /// The legal moves of the seat that is asked, the values it can pick, or
    /// the outcomes of chance; none when the game is over. Only an outcome of chance may be
    /// listed more than once, side by side: a piece of which there are copies, once for each copy.
    fn legal(&self, position: &Position) -> Vec<Move>;

    /// The position at the next question after a move from [`Engine::legal`].
    /// A move that is not among them gives an unspecified position.
    fn play_unchecked(&self, position: &Position, mv: &Move) -> Position;

    /// The position at the next question after one in which the program stands and nothing is asked.
    fn go_on(&self, position: &Position) -> Position;

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
