//! The current score: what the rules would rank seats by.

use super::{Eval, Walker};
use crate::ir::{SeatId, StmtKind, Value};
use crate::model::Position;

impl Walker {
    /// For each seat, the number by which the game's only `rank` statement ranks it. None if there is no such
    /// statement or more than one, or if it depends on what is computed just before it.
    pub(super) fn standing_scores(&self, position: &Position) -> Option<Vec<i64>> {
        let stmts = self.game.blocks.iter().flat_map(|block| &block.stmts);
        let mut ranks = stmts
            .filter_map(|stmt| if let StmtKind::Rank(slot, _, by) = &stmt.kind { Some((*slot, by)) } else { None });
        let (slot, by) = ranks.next()?;
        if ranks.next().is_some() {
            return None;
        }
        let frame = vec![Value::Unset; self.game.slots.len()];
        let mut eval = Eval::with_frame(self, position, frame.into(), self.budget);
        let scores = SeatId::all(self.game.seats.len())
            .map(|seat| {
                eval.acting = Some(seat);
                eval.bind(slot, Value::Atom(u32::from(seat)));
                eval.eval(by).int()
            })
            .collect();
        (!eval.spent() && !eval.met.unbound).then_some(scores)
    }
}
