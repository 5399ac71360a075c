//! What is recorded of one game.

use crate::base::{Bits, SaturatingFrom};
use crate::ir::{Game, SeatId, StmtKind};
use crate::model::Ending;
use crate::model::{Ask, Outcome, Run, Verdict};
use crate::play::{Playout, Stop};

/// Whether a game counts turns.
#[must_use]
pub fn has_turns(game: &Game) -> bool {
    game.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| matches!(stmt.kind, StmtKind::Turns(..)))
}

/// What is recorded while a game is played.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    has_turns: bool,
    /// Turns in which a seat had something to decide.
    pub(super) turns: u32,
    /// A round ends when a seat that already had a turn in it has another; consecutive turns of a seat count as one.
    pub(super) rounds: u32,
    /// The number of legal answers at each decision.
    pub(super) widths: Vec<u32>,
    /// The seats in the order of their first turns.
    order: Vec<SeatId>,
    turn: Option<u32>,
    mover: Option<SeatId>,
    round: Bits,
}

impl Notes {
    /// Empty notes.
    pub(super) fn new(game: &Game) -> Self {
        Self { has_turns: has_turns(game), ..Self::default() }
    }

    /// Clears the notes of the previous game.
    pub(super) fn clear(&mut self) {
        let mut widths = std::mem::take(&mut self.widths);
        widths.clear();
        *self = Self { has_turns: self.has_turns, widths, ..Self::default() };
    }

    /// Records the state of a game before an answer is played.
    pub(super) fn take(&mut self, run: &mut dyn Run) {
        let asked = match run.ask() {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(seat),
            Ask::Race { .. } => None,
            Ask::Chance { .. } | Ask::Over => return,
        };
        self.widths.push(u32::saturating_from(run.count()));
        let turn = run.turn();
        if !self.has_turns {
            self.first_turn(asked);
        } else if self.turn != Some(turn) {
            let mover = run.mover();
            self.turn = Some(turn);
            self.turns += 1;
            if self.mover != Some(mover) && (self.rounds == 0 || self.round.contains(usize::from(mover))) {
                self.rounds += 1;
                self.round = Bits::new();
            }
            self.round.insert(usize::from(mover));
            self.mover = Some(mover);
            self.first_turn(Some(mover));
        }
    }

    fn first_turn(&mut self, seat: Option<SeatId>) {
        self.order.extend(seat.filter(|seat| !self.order.contains(seat)));
    }

    /// The seats in the order of their first turns, followed in seat order by those that had none. None if the game
    /// has no turns.
    pub(super) fn order(&self, seats: usize) -> Option<Vec<usize>> {
        let last = usize::from(*self.order.last()?);
        let mut order: Vec<usize> = self.order.iter().map(|&seat| usize::from(seat)).collect();
        for seat in (1..seats).map(|step| (last + step) % seats) {
            if !order.contains(&seat) {
                order.push(seat);
            }
        }
        Some(order)
    }

    /// The [`Numbers`] of a game.
    pub(super) fn numbers(&self, game: &Playout) -> Numbers {
        let number = |n: u64| i64::saturating_from(n);
        [
            i64::from(game.plies),
            i64::from(self.turns),
            i64::from(self.rounds),
            number(game.decisions),
            number(game.answers),
        ]
    }
}

/// Plies, turns, rounds, decisions of seats, and the total number of their legal answers.
pub(super) type Numbers = [i64; 5];

/// The indices in [`Numbers`].
pub(super) mod number {
    /// Plies.
    pub(in super::super) const PLIES: usize = 0;
    /// Turns.
    pub(in super::super) const TURNS: usize = 1;
    /// Rounds.
    pub(in super::super) const ROUNDS: usize = 2;
    /// Decisions.
    pub(in super::super) const DECISIONS: usize = 3;
    /// Answers.
    pub(in super::super) const ANSWERS: usize = 4;
    /// How many there are.
    pub(in super::super) const COUNT: usize = 5;
}

/// The verdict of a seat.
pub(super) fn verdict(game: &Playout, seat: usize) -> Verdict {
    game.outcome.as_ref().and_then(|outcome| outcome.verdicts.get(seat)).copied().unwrap_or(Verdict::Open)
}

/// Whether the rules ended a game as a draw of some seats; if all lose, none draws.
pub(super) fn is_drawn(game: &Playout) -> bool {
    game.outcome.as_ref().is_some_and(|outcome| outcome.decided() && outcome.verdicts.contains(&Verdict::Draw))
}

/// Whether a game stopped undecided: at the cap, at the step budget, or where the rules do not say how to continue.
pub(super) fn is_open(game: &Playout) -> bool {
    game.stop != Stop::Over || !game.outcome.as_ref().is_some_and(Outcome::decided)
}

/// Whether a game was stopped by the step budget.
pub(super) fn is_exhausted(game: &Playout) -> bool {
    match &game.outcome {
        Some(outcome) => matches!(outcome.ending, Ending::Budget(_)),
        None => game.stop == Stop::Budget,
    }
}
