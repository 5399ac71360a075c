//! The interface of an interpreter.

use std::sync::Arc;

use super::Violations;
use super::explain::{Explain, Refusal};
use super::meter::Meter;
use super::position::{Ask, Frame, Position};
use super::run::Run;
use crate::base::SaturatingFrom;
use crate::ir::{ActionRef, ClaimId, Game, Move, OfferId, RuleId, SeatId, Value};

/// An answer other than a move: a claim or an offer. It is not a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A claim made by a seat.
    Claim {
        /// The claim.
        claim: ClaimId,
        /// Who makes it.
        seat: SeatId,
        /// Its parameters in the order of its `choose` lines.
        args: Vec<Value>,
    },
    /// An offer made or accepted by a seat.
    Offer {
        /// The offer.
        offer: OfferId,
        /// Who makes or accepts it.
        seat: SeatId,
    },
}

/// The most chance questions a setup may ask. A setup that asks more may never end, so the game stops as if the step
/// budget had run out.
pub const SETUP_QUESTIONS: usize = 100_000;

/// Up to this many chance questions, the opening takes the first outcome.
const FIRST: u64 = 1000;

/// Plays chance from a position within the setup to the first question of play. `choose` returns the index of the
/// outcome of each chance question, given their number.
#[must_use]
pub fn set_up(engine: &dyn Engine, position: Position, mut choose: impl FnMut(usize) -> usize) -> Position {
    set_up_with(engine, position, |_, outcomes| choose(outcomes), |_, _| {})
}

/// The same; `choose` also sees the position, and `see` each outcome before it is played, but for those of a shuffle that goes on.
#[must_use]
pub fn set_up_with(
    engine: &dyn Engine,
    position: Position,
    mut choose: impl FnMut(&Position, usize) -> usize,
    mut see: impl FnMut(&Position, &Move),
) -> Position {
    let play = |position: Position, mv: &Move| {
        if !position.shuffles_on() {
            see(&position, mv);
        }
        engine.play_owned(position, mv)
    };
    set_up_by(engine.game(), position, &mut choose, |position| engine.legal(position), play)
}

/// The same by an interpreter that says itself what the outcomes of a chance question are and what follows from one.
pub(crate) fn set_up_by(
    game: &Game,
    mut position: Position,
    choose: &mut dyn FnMut(&Position, usize) -> usize,
    mut outcomes: impl FnMut(&Position) -> Vec<Move>,
    mut play: impl FnMut(Position, &Move) -> Position,
) -> Position {
    for question in 0.. {
        let Ask::Chance { at } = position.ask else { break };
        if !position.in_setup(game) {
            break;
        }
        if question == SETUP_QUESTIONS {
            position.exhaust(game, at);
            break;
        }
        let Some(drawn) = drawn(&position, &mut outcomes, |count| choose(&position, count)) else {
            // Chance is asked only where there are outcomes: they could not be listed.
            position.exhaust(game, at);
            break;
        };
        position = play(position, &drawn);
    }
    position
}

/// The outcome of a chance question that `choose` selects. The outcomes of a shuffle, one for each piece that is left,
/// are not listed: a zone may have very many.
fn drawn(
    position: &Position,
    outcomes: impl FnOnce(&Position) -> Vec<Move>,
    choose: impl FnOnce(usize) -> usize,
) -> Option<Move> {
    if let Some(Frame::Shuffle(_, left)) = position.control.last() {
        let (left, number) = (*left as usize, choose(*left as usize));
        let value = Value::Int(i64::saturating_from(number));
        let args = std::iter::once(value).collect();
        return (number < left).then_some(Move { action: ActionRef::Pick, args });
    }
    let mut legal = outcomes(position);
    let number = choose(legal.len());
    (number < legal.len()).then(|| legal.swap_remove(number))
}

/// Chooses the first outcome of every chance question. After a thousand questions it chooses a fixed pseudo-random
/// outcome instead, so that a loop that rerolls until it sees another outcome ends.
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

    /// The same, for another interpreter of it.
    fn shared_game(&self) -> Arc<Game>;

    /// The position at the first question.
    fn start(&self) -> Position;

    /// The position at the first question of play, with the outcomes of [`first_outcomes`] in the setup. A position's
    /// text is written as a difference from it.
    fn opening(&self) -> Position;

    /// The legal moves of the seat to act, the values it can pick, or the outcomes of chance; none when the game is
    /// over. Only a chance outcome may be listed more than once, consecutively: a piece with several copies is listed
    /// once per copy.
    fn legal(&self, position: &Position) -> Vec<Move>;

    /// Whether [`Engine::legal`] can list what may be answered within its limits.
    fn can_list(&self, position: &Position) -> bool {
        !self.legal(position).is_empty()
    }

    /// The same position, unless what may be answered in it cannot be listed: then the game ends there. Else only the seat that is
    /// asked would see that there is no list, which may depend on what others hide.
    fn settled(&self, mut position: Position) -> Position {
        if let Ask::Choose { at, .. } | Ask::Pick { at, .. } | Ask::Race { at } = position.ask
            && !self.can_list(&position)
        {
            position.exhaust(self.game(), at);
        }
        position
    }

    /// The position at the next question after a move from [`Engine::legal`]. For any other move the result is
    /// unspecified.
    fn play_unchecked(&self, position: &Position, mv: &Move) -> Position;

    /// The same with a position that is not needed any more.
    fn play_owned(&self, position: Position, mv: &Move) -> Position {
        self.play_unchecked(&position, mv)
    }

    /// Runs the program from a position in which nothing is asked to the next question.
    fn resume(&self, position: &Position) -> Position;

    /// Why a move is not legal; none if it is. What is listed is looked for first: to explain takes longer.
    fn refuses(&self, position: &Position, mv: &Move) -> Option<Refusal> {
        self.explain().refusal(position, mv)
    }

    /// The position after a move that may not be legal.
    ///
    /// # Errors
    /// Says why the move is not legal; the position is unchanged.
    fn play(&self, position: &Position, mv: &Move) -> Result<Position, Refusal> {
        match self.refuses(position, mv) {
            Some(refusal) => Err(refusal),
            None => Ok(self.play_unchecked(position, mv)),
        }
    }

    /// The position after a claim or offer.
    ///
    /// # Errors
    /// Says why the answer is refused; the position is unchanged.
    fn answer(&self, position: &Position, answer: &Answer) -> Result<Position, Refusal>;

    /// The invariants that the position violates, as far as the step budget of a decision suffices to test each.
    fn violations(&self, position: &Position) -> Violations;

    /// The explanations for the game.
    fn explain(&self) -> &dyn Explain;

    /// A state for in-place play; load a position into it first.
    fn run(&self) -> Box<dyn Run + '_>;

    /// The meter from which its decisions take their steps, if there is one.
    fn meter(&self) -> Option<&Meter>;

    /// The same interpreter, whose decisions take their steps from a meter, and no longer from that of this one.
    fn within(&self, meter: &Meter) -> Arc<dyn Engine>;

    /// How many constructs there are to lower, and those that were not lowered, with their rules; none for an
    /// interpreter that does not lower.
    fn lowering(&self) -> Option<(usize, Vec<(&'static str, RuleId)>)> {
        None
    }

    /// The kind of interpreter, for reports.
    fn name(&self) -> &'static str;
}
