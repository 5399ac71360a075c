//! The end of a game.

use super::machine::Machine;
use crate::ir::{Expr, RuleId, Slot, Value};
use crate::model::{Ending, Finish, Frame, Outcome, Standing, Verdict, next_rank};

impl Machine<'_> {
    /// The named seats get the verdict; the others get the opposite.
    pub(super) fn decide(&mut self, seats: &Expr, verdict: Verdict, rule: RuleId) {
        let named = self.eval(seats).into_set();
        if !named.is_empty() {
            self.finish_by(rule, Finish::decided(self.walker.game.seats.len(), &named, verdict));
        }
    }

    /// Ranks seats by a number; if several share the highest, they draw.
    pub(super) fn rank(&mut self, slot: Slot, seats: &Expr, by: &Expr, rule: RuleId) {
        let ranked = self.eval(seats).into_set();
        let mut scores = vec![0; self.walker.game.seats.len()];
        for (seat, score) in scores.iter_mut().enumerate().filter(|(seat, _)| ranked.contains(*seat)) {
            self.bind(slot, Value::atom_of(seat));
            *score = self.eval(by).int();
        }
        self.bind(slot, Value::Unset);
        self.finish_by(rule, Finish::ranked(&ranked, scores));
    }

    /// Gives seats their final rank, from the top or from the bottom. Once every seat has one, the game is over.
    pub(super) fn place(&mut self, seats: &Expr, from_top: bool, rule: RuleId) {
        let mut named = self.eval(seats).into_set();
        named.intersect(&self.pos.playing());
        if named.is_empty() {
            return;
        }
        let rank = next_rank(&self.pos.standing, named.count(), from_top);
        for (seat, standing) in self.pos.standing.iter_mut().enumerate() {
            if named.contains(seat) {
                *standing = Standing::Ranked(rank);
            }
        }
        if let Some(result) = Finish::placed(&self.pos.standing) {
            self.finish_by(rule, result);
        }
    }

    /// Ends the game without a result.
    pub(super) fn finish_open(&mut self, ending: Ending) {
        self.finish(Outcome::open(self.walker.game.seats.len(), ending));
    }

    /// Ends the game by the end condition whose block is running, or by a statement's rule. What a spent budget has cut short
    /// decides nothing.
    pub(super) fn finish_by(&mut self, rule: RuleId, finish: Finish) {
        if self.steps == 0 {
            return self.finish_open(Ending::Budget(self.last));
        }
        if self.ahead && self.leave_end() {
            return;
        }
        self.finish(Outcome::by_rule(finish, self.end, rule));
    }

    fn finish(&mut self, outcome: Outcome) {
        self.pos.outcome = Some(outcome);
        self.halted = true;
    }

    /// Skips what is left of the effects of an action that ended the game, down to a height of the control stack. The names that
    /// they bound are still visible to the guards.
    pub(super) fn leave_effects(&mut self, depth: usize) {
        while self.pos.control.len() > depth {
            match self.pos.control.pop() {
                Some(Frame::Block(block, _)) if self.pos.control.len() > depth => self.clear(block),
                Some(Frame::Phase(before)) => self.pos.phase = before,
                Some(Frame::Played(before) | Frame::Actor(before)) => self.pos.actor = before,
                Some(
                    Frame::Block(..)
                    | Frame::While(_)
                    | Frame::Repeat(..)
                    | Frame::Each(..)
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
