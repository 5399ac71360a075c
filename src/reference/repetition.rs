//! How often a position has stood: the one in which somebody is asked. Between two questions that
//! is the one that would be asked about next, so the program is run ahead on a copy to see it.

use smallvec::SmallVec;

use super::Eval;
use super::machine::Machine;
use crate::base::SaturatingFrom;
use crate::ir::{PartId, SeatId, StmtKind};
use crate::model::{Ask, Ending, Frame, Position};

impl Machine<'_> {
    /// Puts a question: a position that counts from now on.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.pos.ask = ask;
        self.halted = true;
        let setting_up = matches!(self.pos.ask, Ask::Chance { .. }) && self.pos.in_setup(&self.walker.game);
        if self.counts() && !setting_up {
            self.pos.remember(&self.walker.game);
        }
    }

    /// Takes back a question to seats that none of them can answer.
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

    /// Goes on to the next question as if no end could decide the game before it, and no position
    /// recur.
    fn run_ahead(mut self) -> Self {
        self.ahead = true;
        self.pos.outcome = None;
        self.run();
        self
    }

    /// The game is over: what would have been asked next is the last position that counts. Its key
    /// and those of its parts.
    pub(super) fn count_last(&self) -> Option<(u64, SmallVec<[u64; 1]>)> {
        let spent = self.pos.outcome.as_ref().is_some_and(|outcome| matches!(outcome.ending, Ending::Budget(_)));
        if !self.counts() || spent {
            return None;
        }
        let mut next = Self::new(self.walker, self.pos.clone(), self.walker.budget);
        next.leave_statements();
        let next = next.run_ahead().pos;
        Some((next.key(&self.walker.game), next.part_keys(&self.walker.game)))
    }

    /// Whether an end would decide the game, which then goes on instead.
    pub(super) fn leave_end(&mut self) -> bool {
        self.leave_statements();
        matches!(self.pos.control.last(), Some(Frame::Ends(..)))
    }

    /// Leaves what is behind a statement that ends the game.
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

    /// The answer to what is asked begins to be carried out, as if it were the only one. `before`
    /// acted until then.
    pub(super) fn begin_answer(&mut self, before: Option<SeatId>) {
        match std::mem::replace(&mut self.pos.ask, Ask::Over) {
            // Where nobody is asked, it is only asked whether somebody could move.
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

impl Eval<'_> {
    /// What `whole` says of the position that is asked about, now or next, or `last` of what was
    /// counted at the end of the game, and whether it has been counted; none while the program runs
    /// ahead.
    fn standing<T>(
        &mut self,
        whole: impl Fn(&Position) -> T,
        last: impl FnOnce((u32, u64, &[u64])) -> Option<T>,
    ) -> Option<(T, bool)> {
        if self.ahead {
            return None;
        }
        let over = self.pos.is_over() && self.pos.control.is_empty();
        if over || !matches!(self.pos.ask, Ask::Over) {
            let last = self.pos.history.iter().last().filter(|_| over).and_then(last);
            return Some((last.unwrap_or_else(|| whole(self.pos)), true));
        }
        let next = Machine::new(self.walker, self.pos.clone(), self.steps).run_ahead();
        self.steps = next.steps;
        Some((whole(&next.pos), next.asked_again))
    }

    fn standing_key(&mut self) -> Option<(u64, bool)> {
        let game = self.game;
        self.standing(|position| position.key(game), |(_, key, _)| Some(key))
    }

    pub(super) fn occurrences(&mut self) -> i64 {
        let Some((key, counted)) = self.standing_key() else { return 1 };
        let before = self.pos.history.count(key);
        // What is seen of a position comes without what was before it.
        i64::saturating_from(if counted { before.max(1) } else { before + 1 })
    }

    /// After how many plies a part has stood as it stands in that position.
    pub(super) fn occurrences_of(&mut self, part: PartId) -> i64 {
        let game = self.game;
        let found = self.standing(
            |position| (position.part_key(game, part), position.plies_begun()),
            |(ply, _, parts)| Some((*parts.get(usize::from(part))?, ply)),
        );
        let Some(((key, now), _)) = found else { return 1 };
        i64::saturating_from(self.pos.history.count_part(part.into(), key, now))
    }

    pub(super) fn repeats(&mut self, ply: i64) -> bool {
        let (Ok(ply), Some((key, _))) = (u32::try_from(ply), self.standing_key()) else { return false };
        self.pos.history.stood(ply, key)
    }
}
