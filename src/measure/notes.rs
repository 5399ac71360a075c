//! What is recorded of one game.

use std::sync::Arc;

use crate::base::{Bits, SaturatingFrom};
use crate::ir::{Game, SeatId, StmtKind};
use crate::model::Ending;
use crate::model::{Ask, Engine, Meter, Outcome, Run, STEPS, Verdict};
use crate::play::{Playout, Stop};

use super::sums::GREATEST;

/// How many steps all measures of a position may take: those of three decisions.
const TOGETHER: u64 = 3 * STEPS;

/// Whether a game counts turns.
#[must_use]
pub fn has_turns(game: &Game) -> bool {
    game.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| matches!(stmt.kind, StmtKind::Turns(..)))
}

/// What is recorded while a game is played.
#[derive(Clone, Debug)]
pub(super) struct Notes<'a> {
    engine: &'a dyn Engine,
    /// What reads the measures of a position, from one meter for all of them.
    reader: Arc<dyn Engine>,
    meter: Meter,
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
    /// The values of each measure in the order they were read.
    pub(super) measured: Vec<Vec<i64>>,
    /// How many values took more steps to read than the step budget.
    pub(super) unread: u64,
}

impl<'a> Notes<'a> {
    /// Empty notes.
    pub(super) fn new(engine: &'a dyn Engine) -> Self {
        let game = engine.game();
        let meter = Meter::new(TOGETHER).inside(engine.meter());
        Self {
            engine,
            reader: engine.within(&meter),
            meter,
            has_turns: has_turns(game),
            turns: 0,
            rounds: 0,
            widths: Vec::new(),
            order: Vec::new(),
            turn: None,
            mover: None,
            round: Bits::new(),
            measured: vec![Vec::new(); game.measures.len()],
            unread: 0,
        }
    }

    /// Clears the notes of the previous game.
    pub(super) fn clear(&mut self) {
        let Self {
            engine: _,
            reader: _,
            meter: _,
            has_turns: _,
            turns,
            rounds,
            widths,
            order,
            turn,
            mover,
            round,
            measured,
            unread,
        } = self;
        (*turns, *rounds, *turn, *mover, *round, *unread) = (0, 0, None, None, Bits::new(), 0);
        widths.clear();
        order.clear();
        measured.iter_mut().for_each(Vec::clear);
    }

    /// Records the state of a game before an answer is played.
    pub(super) fn take(&mut self, run: &mut dyn Run) {
        match run.ask() {
            Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. } => {}
            Ask::Chance { .. } | Ask::Over => return,
        }
        self.widths.push(u32::saturating_from(run.count()));
        let turn = run.turn();
        if !self.has_turns {
            self.read(run, true);
        } else if run.is_in_turn() && self.turn != Some(turn) {
            let mover = run.mover();
            self.turn = Some(turn);
            self.turns += 1;
            if self.mover != Some(mover) && (self.rounds == 0 || self.round.contains(usize::from(mover))) {
                self.rounds += 1;
                self.round = Bits::new();
            }
            self.round.insert(usize::from(mover));
            self.mover = Some(mover);
            if !self.order.contains(&mover) {
                self.order.push(mover);
            }
            self.read(run, true);
        }
    }

    /// Records the state of a game after its last answer.
    pub(super) fn end(&mut self, run: &dyn Run) {
        self.read(run, false);
    }

    /// Reads the measures that are due.
    fn read(&mut self, run: &dyn Run, by_turn: bool) {
        let measures = &self.engine.game().measures;
        if measures.iter().all(|measure| measure.by_turn != by_turn) {
            return;
        }
        let position = run.position();
        self.meter.refill(TOGETHER);
        for (measure, values) in measures.iter().zip(&mut self.measured) {
            if measure.by_turn == by_turn {
                match self.reader.explain().measured(&position, measure) {
                    Some(value) if value.unsigned_abs() <= GREATEST.unsigned_abs() => values.push(value),
                    Some(_) | None => self.unread += 1,
                }
            }
        }
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

    /// The same, followed by the sum and the count of each measure.
    pub(super) fn all_numbers(&self, game: &Playout) -> Vec<i64> {
        let measured = self.measured.iter().flat_map(|values| sum_and_count(values.iter().copied()));
        self.numbers(game).into_iter().chain(measured).collect()
    }
}

/// The sum of a measure's values in a game, and how many there are.
pub(super) fn sum_and_count(values: impl Iterator<Item = i64>) -> [i64; 2] {
    values.fold([0, 0], |[sum, count], value| [sum.saturating_add(value), count + 1])
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
