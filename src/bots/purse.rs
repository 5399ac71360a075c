//! What a bot may spend on one move in a game whose decisions take long.

use std::sync::Arc;

use super::DECISION;
use crate::model::{Engine, Meter};

/// How many steps the heavy decisions and evaluations of a search may take together: a second or so.
const STEPS: u64 = 5 * DECISION;

/// What takes no more steps than this is not heavy, however much of it there is: a search of many moves is what was asked for.
const LIGHT: u64 = DECISION / 100;

/// An engine to search with, and what is left to spend on a move.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    /// The engine, whose decisions are paid for.
    pub engine: Arc<dyn Engine>,
    meter: Meter,
    /// What it is filled with.
    full: u64,
}

impl Purse {
    /// A full one; a search that is `timed` has no need of it and is held to the clock alone. What the engine itself is held to
    /// goes on to hold.
    pub(super) fn new(engine: &dyn Engine, timed: bool) -> Self {
        let full = if timed { u64::MAX } else { STEPS };
        let meter = Meter::new(full).each(DECISION).beyond(LIGHT).inside(engine.meter());
        Self { engine: engine.within(&meter), meter, full }
    }

    /// Fills it for the next move.
    pub(super) fn fill(&self) {
        self.meter.refill(self.full);
    }

    /// Whether the search has to end.
    pub(super) fn is_empty(&self) -> bool {
        self.meter.is_spent()
    }

    /// What values positions with it.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }
}
