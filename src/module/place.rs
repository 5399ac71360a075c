//! Where a statement of the course stands, and what a seat is offered there.

use super::func::{Address, Stretch};
use crate::base::SaturatingFrom;
use crate::ir::{ActionRef, BlockId, RuleId};
use crate::model::{EndMoment, StmtRef};

/// What is asked, as the module says it.
pub(super) const CHOOSE: i32 = 1;
pub(super) const PICKED: i32 = 2;
pub(super) const CHANCE: i32 = 3;
pub(super) const RACE: i32 = 4;

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
    /// A loop.
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

/// The question that turns begin with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    /// The statement that asks it.
    pub at: StmtRef,
    /// A number that no other turns have.
    pub turns: i64,
    /// Whether it can always be answered.
    pub sure: bool,
}

/// The next question: the first of the next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Next {
    /// The number of the turns that begin with it.
    pub at: i64,
    /// Whether the mover stays, since the turn has not begun.
    pub stays: bool,
    /// Whether it can always be answered.
    pub sure: bool,
    /// How many moves are counted as plies until then.
    pub moves: i64,
}

/// What a statement is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The game is being set up.
    Setup,
    /// The mover stays until the next question, since the turn has not begun.
    BeforeTurn,
    Play,
}

/// Where a statement stands.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub around: Vec<Around>,
    /// The end of the block, which a pick of nothing goes to.
    pub leave: Stretch,
    /// The first question of the turns around, if nothing is left of this turn behind the statement.
    pub next: Option<Beginning>,
    /// The first question of the turns around, whose position is remembered.
    pub first: Option<Beginning>,
    /// Whether names tell positions apart: the constructs around read some that are bound outside of the turns.
    pub named: bool,
    /// Whether it belongs to an end condition that does nothing but decide the game: then the next question is the same
    /// whatever is left of it.
    pub deciding: bool,
    /// Of what it is part.
    pub of: Stage,
}

impl Place {
    pub(super) fn within(&self, around: Around) -> Self {
        let mut inner = self.clone();
        inner.around.push(around);
        inner
    }

    /// The same within a loop, or a phase: something may be left of the turn.
    pub(super) fn looped(&self, around: Around) -> Self {
        Self { next: None, ..self.within(around) }
    }

    /// The same where end conditions are tested.
    pub(super) fn ending(&self, at: EndMoment) -> Self {
        let of = if at == EndMoment::BeforeTurn { Stage::BeforeTurn } else { Stage::Play };
        Self { of, ..self.clone() }
    }

    /// How many moves of the turns around are under way.
    pub(super) fn moves(&self) -> i64 {
        let inside = self.around.iter().rev().take_while(|around| !matches!(around, Around::Turns(_)));
        i64::saturating_from(inside.filter(|around| matches!(around, Around::Played(_))).count())
    }

    /// Whether a move is under way.
    pub(super) fn is_moving(&self) -> bool {
        let mut inside = self.around.iter().rev().filter(|around| !matches!(around, Around::Loop | Around::Phase(_)));
        matches!(inside.next(), Some(Around::Played(_)))
    }

    /// The next question, after so many more moves.
    pub(super) fn next(&self, moves: i64) -> Option<Next> {
        let (stays, moves) = (self.of == Stage::BeforeTurn, self.moves() + moves);
        self.next.map(|first| Next { at: first.turns, stays, sure: first.sure, moves })
    }
}
