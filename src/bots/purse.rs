//! What a bot may spend on one move in a game whose decisions take long.

use std::sync::Arc;

use super::DECISION;
use crate::model::{Engine, Meter};

/// How many steps the heavy decisions and evaluations of a search may take together: a second or two.
const STEPS: u64 = 10 * DECISION;

/// What takes no more steps than this is not heavy, however much of it there is: a search of many moves is what was asked for.
const LIGHT: u64 = DECISION / 100;

/// An engine to search with, and what is left to spend on a move.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    /// The engine, whose decisions are paid for.
    pub engine: Arc<dyn Engine>,
    meter: Meter,
}

impl Purse {
    /// A full one. What the engine itself is held to goes on to hold.
    pub(super) fn new(engine: &dyn Engine) -> Self {
        let meter = Meter::new(STEPS).each(DECISION).beyond(LIGHT).inside(engine.meter());
        Self { engine: engine.within(&meter), meter }
    }

    /// Fills it for the next move.
    pub(super) fn fill(&self) {
        self.meter.refill(STEPS);
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
