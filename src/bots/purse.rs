//! What a bot may spend on one move in a game whose decisions take long.

use std::sync::Arc;

use super::DECISION;
use crate::model::{Engine, Meter};

/// How many steps the heavy decisions and evaluations of a search may take together: a second or so.
const STEPS: u64 = 5 * DECISION;

/// What takes no more steps than this is not heavy, however much of it there is: a search of many moves is what was asked for.
const LIGHT: u64 = DECISION / 100;

/// How many steps all decisions and evaluations of a search one answer deep may take together, light ones as well: a second
/// or so.
const WHOLE: u64 = 10 * DECISION;

/// An engine to search with, and what is left to spend on a move.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    /// The engine, whose decisions are paid for.
    pub engine: Arc<dyn Engine>,
    /// What heavy decisions are paid from, and what it is filled with.
    meter: Meter,
    full: u64,
    /// The same for all of them.
    whole: Meter,
    all: u64,
}

impl Purse {
    /// A full one. What the engine itself is held to goes on to hold.
    fn new(engine: &dyn Engine, full: u64, all: u64) -> Self {
        let whole = Meter::new(all).inside(engine.meter());
        let meter = Meter::new(full).each(DECISION).beyond(LIGHT).inside(Some(&whole));
        Self { engine: engine.within(&meter), meter, full, whole, all }
    }

    /// For a search that is held to the clock and has no need of it.
    pub(super) fn timed(engine: &dyn Engine) -> Self {
        Self::new(engine, u64::MAX, u64::MAX)
    }

    /// For a search whose iterations are counted: however many were asked for, heavy ones end it.
    pub(super) fn counted(engine: &dyn Engine) -> Self {
        Self::new(engine, STEPS, u64::MAX)
    }

    /// For a search of so many answers deep: each of them asks for several times the work.
    pub(super) fn deep(engine: &dyn Engine, depth: u32) -> Self {
        Self::new(engine, STEPS, WHOLE.saturating_mul(8_u64.saturating_pow(depth.saturating_sub(1))))
    }

    /// Fills it for the next move.
    pub(super) fn fill(&self) {
        self.meter.refill(self.full);
        self.whole.refill(self.all);
    }

    /// Whether the search has to end.
    pub(super) fn is_empty(&self) -> bool {
        self.meter.is_spent() || self.whole.is_spent()
    }

    /// What values positions with it.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }
}
