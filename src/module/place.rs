//! Where a statement of the course stands, and what a seat is offered there.

use super::func::{Address, Stretch};
use crate::base::SaturatingFrom;
use crate::ir::{ActionRef, BlockId, RuleId};
use crate::model::StmtRef;

/// What is asked, as the module says it.
pub(super) const CHOOSE: i32 = 1;
pub(super) const PICKED: i32 = 2;
pub(super) const CHANCE: i32 = 3;

/// A construct around a statement, with what has to be done when it is left from within.
#[derive(Clone, Copy, Debug)]
pub(super) enum Around {
    /// Turns, and where play goes on behind them.
    Turns(Stretch),
    /// A phase, and where the one before is kept.
    Phase(Address),
    /// A move that counts as a ply once it is made, and where the seat that acted before is kept.
    Played(Address),
    /// A move that has been counted.
    Actor(Address),
    /// A loop, or a phase, behind whose statements more may follow.
    Loop,
}

/// What a seat is offered.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub at: StmtRef,
    pub may: bool,
    pub groups: Vec<Vec<ActionRef>>,
    pub otherwise: Option<BlockId>,
    pub rule: RuleId,
}

/// A statement as a number.
pub(super) fn numbered((block, number): StmtRef) -> i64 {
    i64::saturating_from(usize::from(block)) << 16 | i64::from(number)
}

/// Where a statement stands.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub around: Vec<Around>,
    /// The end of the block, which a pick of nothing goes to.
    pub leave: Stretch,
    /// The first question of the turns around, if nothing is left of this turn behind the statement.
    pub next: Option<StmtRef>,
    /// The first question of the turns around, whose position is remembered.
    pub first: Option<StmtRef>,
}

impl Place {
    pub(super) fn within(&self, around: Around) -> Self {
        let mut inner = self.clone();
        inner.around.push(around);
        inner
    }

    /// The same within a loop: something may be left of the turn.
    pub(super) fn looped(&self) -> Self {
        Self { next: None, ..self.within(Around::Loop) }
    }
}
