//! What holds in every position.

use super::run::Run;
use super::state::Frame;
use crate::base::Word;
use crate::model::Violations;

/// All invariants of a position may take as many steps as this many decisions, as in the reference.
const INVARIANTS: u64 = 3;

impl<W: Word> Run<'_, W> {
    /// The invariants that the position violates.
    pub(super) fn broken(&mut self) -> Violations {
        let mut found = Violations::default();
        if self.setting_up() {
            return found;
        }
        let program = self.program;
        // What is left for all of them together, as in the reference.
        let mut left = self.budget.saturating_mul(INVARIANTS);
        for (holds, rule) in &program.invariants {
            self.refill();
            self.steps = self.steps.min(left);
            let before = self.steps;
            let holds = !self.is_spent() && self.test(holds);
            left -= before - self.steps;
            found.test(*rule, (holds, self.is_spent()));
        }
        if matches!(self.state.control.last(), Some(Frame::Shuffle(..))) {
            // What lies where is the same throughout.
            return found;
        }
        let mut lists = self.state.lists.as_slice();
        for zone in &self.game.zones {
            let count: usize = zone.indices.iter().map(|(_, size)| *size).product();
            let misfit = |list: &Vec<u16>| {
                let kind = |&piece: &u16| program.pieces.get(usize::from(piece)).map(|piece| usize::from(piece.kind));
                zone.limit.is_some_and(|limit| list.len() > limit)
                    || list.iter().any(|piece| kind(piece).is_none_or(|kind| !zone.kinds.contains(kind)))
            };
            let (these, others) = lists.split_at(count.min(lists.len()));
            lists = others;
            if these.iter().any(misfit) {
                found.broken.push(zone.rule);
            }
        }
        found
    }
}
