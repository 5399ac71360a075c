//! Repetition: how often a position has occurred. Between two questions, the position meant is the one at the next
//! question, so the program runs ahead on a copy to reach it.

use smallvec::SmallVec;

use super::Eval;
use super::eval::{SITES_A_STEP, extent};
use super::machine::Machine;
use crate::base::SaturatingFrom;
use crate::ir::{Game, PartId, SeatId, StmtKind};
use crate::model::{AHEAD, Ask, Ending, Engine as _, Frame, Position, Standing};

impl Machine<'_> {
    /// Asks a question; its position counts for repetition from now on.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.ask_on(ask);
        let setting_up = matches!(self.pos.ask, Ask::Chance { .. }) && self.pos.in_setup(&self.walker.game);
        if self.counts() && !setting_up {
            self.steps = self.steps.saturating_sub(extent(&self.pos) / SITES_A_STEP);
            self.pos.remember(&self.walker.game);
        }
    }

    /// Asks a question that belongs to the one before it: the next card of a shuffle.
    pub(super) fn ask_on(&mut self, ask: Ask) {
        self.pos.ask = ask;
        self.halted = true;
    }

    /// Counts the position of a question that is asked again, if the claim has made it another.
    pub(super) fn count_again(&mut self) {
        if self.counts() && !is_counted(self.walker.game(), &self.pos, &self.pos) {
            self.pos.remember(&self.walker.game);
        }
    }

    /// Withdraws a question that no seat can answer.
    pub(super) fn take_back(&mut self) {
        self.pos.ask = Ask::Over;
        self.halted = false;
        if self.counts() {
            self.pos.history.pop();
        }
    }

    fn counts(&self) -> bool {
        self.walker.game.remembers && !self.ahead
    }

    /// Runs ahead to the next question as if no end condition could decide the game before it and no position could
    /// recur.
    fn run_ahead(mut self) -> Self {
        self.ahead = true;
        self.pos.outcome = None;
        self.run();
        self
    }

    /// Counts a turn or a round while running ahead; whether so many have passed that there is no next question.
    pub(super) fn leads_nowhere(&mut self) -> bool {
        if self.ahead {
            self.rounds += 1;
            self.halted |= self.rounds > AHEAD;
        }
        self.halted
    }

    /// At the end of the game, the position that would have been asked about next is the last one counted: its key
    /// and the keys of its parts. None if there is no such position.
    pub(super) fn count_last(&self) -> Option<(u64, SmallVec<[u64; 1]>)> {
        let spent = self.pos.outcome.as_ref().is_some_and(|outcome| matches!(outcome.ending, Ending::Budget(_)));
        // Once nobody plays, nobody is asked.
        if !self.counts() || spent || !self.pos.standing.contains(&Standing::Playing) {
            return None;
        }
        let granted = self.walker.granted_aside();
        let mut next = Self::new(self.walker, self.pos.clone(), granted);
        next.leave_statements();
        let next = next.run_ahead();
        self.walker.spend_aside(granted, next.steps);
        if next.steps == 0 {
            return None;
        }
        let next = next.pos;
        Some((next.key(&self.walker.game), next.part_keys(&self.walker.game)))
    }

    /// Whether the statement that would end the game belongs to an end condition; the rest of its block is skipped.
    pub(super) fn leave_end(&mut self) -> bool {
        self.leave_statements();
        matches!(self.pos.control.last(), Some(Frame::Ends(..)))
    }

    /// Skips the statements after one that ends the game.
    fn leave_statements(&mut self) {
        while let Some(frame) = self.pos.control.pop() {
            match frame {
                Frame::Block(block, _) => self.clear(block),
                Frame::Phase(before) => self.pos.phase = before,
                Frame::While(_) | Frame::Repeat(..) | Frame::Each(..) | Frame::Shuffle(..) => {}
                Frame::Turns(..)
                | Frame::Played(_)
                | Frame::Actor(_)
                | Frame::Ends(..)
                | Frame::Together(..)
                | Frame::Ask(_) => {
                    self.pos.control.push(frame);
                    return;
                }
            }
        }
    }

    /// Starts carrying out the answer to the current question, as if it were the only one. `before` is the previous
    /// actor.
    pub(super) fn begin_answer(&mut self, before: Option<SeatId>) {
        match std::mem::replace(&mut self.pos.ask, Ask::Over) {
            // No move is being chosen: the caller only wants to know whether a seat could move.
            Ask::Race { .. } | Ask::Pick { .. } | Ask::Chance { .. } | Ask::Over => {
                self.pos.control.push(Frame::Played(before));
            }
            Ask::Choose { at, .. } => {
                let together = matches!(self.walker.stmt(at).map(|stmt| &stmt.kind), Some(StmtKind::Together { .. }));
                if together && let Some(Frame::Actor(before)) = self.pos.control.pop() {
                    self.pos.control.pop();
                    self.pos.control.push(Frame::Played(before));
                }
            }
        }
    }
}

/// Whether the last position that counted in a game is this one.
fn is_counted(game: &Game, before: &Position, now: &Position) -> bool {
    before.history.last().is_some_and(|(_, key, _)| key == now.key(game))
}

impl Eval<'_> {
    /// What `whole` finds for the position at the current or next question, or `last` for the last position counted
    /// if the game is over, and whether that position has been counted; none while running ahead.
    fn standing<T>(
        &mut self,
        whole: impl Fn(&Position) -> T,
        last: impl FnOnce((u32, u64, &[u64])) -> Option<T>,
    ) -> Option<(T, bool)> {
        if self.ahead {
            return None;
        }
        self.tick(extent(self.pos) / SITES_A_STEP);
        let over = self.pos.is_over() && self.pos.control.is_empty();
        if over || !matches!(self.pos.ask, Ask::Over) {
            let last = self.pos.history.last().filter(|_| over).and_then(last);
            return Some((last.unwrap_or_else(|| whole(self.pos)), true));
        }
        let mut next = Machine::new(self.walker, self.copied(), self.steps);
        if let Some((height, frame)) = self.begun {
            // The statement that looks is on the way.
            next.pos.control.truncate(*height);
            next.pos.control.push(frame.clone());
        }
        let next = next.run_ahead();
        self.steps = next.steps;
        let counted = next.asked_again && is_counted(self.game, self.pos, &next.pos);
        Some((whole(&next.pos), counted))
    }

    fn standing_key(&mut self) -> Option<(u64, bool)> {
        let game = self.game;
        // The position stays as it is for as long as expressions are evaluated in it.
        if self.stood.is_none() {
            self.stood = self.standing(|position| position.key(game), |(_, key, _)| Some(key));
        }
        self.stood
    }

    pub(super) fn occurrences(&mut self) -> i64 {
        self.tick(self.pos.history.steps());
        let Some((key, counted)) = self.standing_key() else { return 1 };
        let before = self.pos.history.count(key);
        // An observation has no history, not even of the position itself.
        i64::saturating_from(if counted { before.max(1) } else { before + 1 })
    }

    /// At how many plies a part has been as it is in that position.
    pub(super) fn occurrences_of(&mut self, part: PartId) -> i64 {
        let game = self.game;
        self.tick(self.pos.history.steps());
        let found = self.standing(
            |position| (position.part_key(game, part), position.plies_begun()),
            |(ply, _, parts)| Some((*parts.get(usize::from(part))?, ply)),
        );
        let Some(((key, now), _)) = found else { return 1 };
        i64::saturating_from(self.pos.history.count_part(part.into(), key, now))
    }

    pub(super) fn repeats(&mut self, ply: i64) -> bool {
        self.tick(self.pos.history.find_steps());
        let (Ok(ply), Some((key, _))) = (u32::try_from(ply), self.standing_key()) else { return false };
        self.pos.history.stood(ply, key)
    }
}
