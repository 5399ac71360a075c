//! The end of a game.

use super::eval::count;
use super::machine::Flow;
use super::repetition::Lookahead;
use super::run::Run;
use super::state::Frame;
use crate::base::Word;
use crate::compile::program::{Number, Set};
use crate::ir::RuleId;
use crate::model::{Ending, Finish, Outcome, Standing, Verdict, next_rank};

impl<'a, W: Word> Run<'a, W> {
    /// The named seats get the verdict; the others get the opposite.
    pub(super) fn decide(&mut self, seats: &'a Set<W>, verdict: Verdict, rule: RuleId) -> Flow {
        let named = self.set(seats);
        if named.is_empty() {
            return Flow::Next;
        }
        self.finish_by(rule, Finish::decided(self.game.seats.len(), &named.to_bits(), verdict))
    }

    /// Ranks seats by a number; if several share the highest, they draw.
    pub(super) fn rank(&mut self, at: u16, seats: &'a Set<W>, by: &'a Number<W>, rule: RuleId) -> Flow {
        let ranked = self.set(seats);
        let mut scores = vec![0; self.game.seats.len()];
        for (seat, score) in scores.iter_mut().enumerate().filter(|(seat, _)| ranked.contains(*seat)) {
            self.set_local(at, count(seat));
            *score = self.number(by);
        }
        self.finish_by(rule, Finish::ranked(&ranked.to_bits(), scores))
    }

    /// Gives seats their final rank, from the top or from the bottom. Once every seat has one, the game is over.
    pub(super) fn place_seats(&mut self, seats: &'a Set<W>, from_top: bool, rule: RuleId) -> Flow {
        let named = self.set(seats).and(self.state.playing);
        if named.is_empty() {
            return Flow::Next;
        }
        let rank = next_rank(&self.state.standing, named.count(), from_top);
        for (seat, standing) in self.state.standing.iter_mut().enumerate() {
            if named.contains(seat) {
                *standing = Standing::Ranked(rank);
            }
        }
        self.state.playing = self.state.playing.minus(named);
        self.state.fresh &= !self.program.stale.playing;
        match Finish::placed(&self.state.standing) {
            Some(result) => self.finish_by(rule, result),
            None => Flow::Next,
        }
    }

    /// Ends the game without a result.
    pub(super) fn finish_open(&mut self, ending: Ending) {
        self.finish(Outcome::open(self.game.seats.len(), ending));
    }

    /// Ends the game by the end condition whose block is running, or by a statement's rule. What a spent budget has cut short
    /// decides nothing.
    pub(super) fn finish_by(&mut self, rule: RuleId, finish: Finish) -> Flow {
        if self.steps == 0 {
            return self.spent(rule);
        }
        if self.ahead != Lookahead::Off && self.leave_end() {
            return Flow::Over;
        }
        self.finish(Outcome::by_rule(finish, self.end, rule));
        Flow::Over
    }

    fn finish(&mut self, outcome: Outcome) {
        self.state.outcome = Some(outcome);
        self.halted = true;
    }

    /// Skips what is left of the effects of an action that ended the game, down to a height of the control stack. The names that
    /// they bound are still visible to the guards.
    pub(super) fn leave_effects(&mut self, depth: usize) {
        while self.state.control.len() > depth {
            match self.state.control.pop() {
                Some(Frame::Block(block, _)) if self.state.control.len() > depth => self.clear(block),
                Some(Frame::Phase(before)) => self.state.phase = before,
                Some(Frame::Each(_, left)) => {
                    let kept = self.state.members.len().saturating_sub(left as usize);
                    self.state.members.truncate(kept);
                }
                Some(Frame::Played(before) | Frame::Actor(before)) => self.state.set_actor(before),
                Some(
                    Frame::Block(..)
                    | Frame::While(_)
                    | Frame::Repeat(..)
                    | Frame::Shuffle(..)
                    | Frame::Turns(..)
                    | Frame::Ends(..)
                    | Frame::Together(..)
                    | Frame::Ask(_),
                )
                | None => {}
            }
        }
    }
}
