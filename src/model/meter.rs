//! A budget of steps for many decisions together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The default step budget of one decision.
pub const STEPS: u64 = 4_000_000;

/// How many steps all decisions of some interpreters may take together. Once they are taken, each decision is out of
/// steps at once, so that whatever plays comes to its end.
#[derive(Clone, Debug)]
pub struct Meter {
    left: Arc<AtomicU64>,
    /// How many of them one decision may take.
    each: u64,
    /// A decision that takes no more than so many is not counted, and may be made when nothing is left.
    light: u64,
    /// Whether what is asked about a position is taken as well.
    throughout: bool,
    /// The meter from which they are taken as well.
    outer: Option<Arc<Self>>,
}

impl Meter {
    /// So many steps.
    #[must_use]
    pub fn new(steps: u64) -> Self {
        Self { left: Arc::new(AtomicU64::new(steps)), each: u64::MAX, light: 0, throughout: false, outer: None }
    }

    /// The same, where one decision may take no more than so many: a search that looks at the time between decisions
    /// then ends in time.
    #[must_use]
    pub fn each(self, steps: u64) -> Self {
        Self { each: steps, ..self }
    }

    /// The same for decisions that take more than so many steps; the others are free, and can be made once nothing is left.
    /// Whoever asks for very many decisions looks at [`Meter::is_spent`] between them.
    #[must_use]
    pub fn beyond(self, light: u64) -> Self {
        Self { light, ..self }
    }

    /// The same, within another one, if there is one: that one counts all of them.
    #[must_use]
    pub fn inside(self, outer: Option<&Self>) -> Self {
        Self { outer: outer.cloned().map(Arc::new), ..self }
    }

    /// Gives it so many steps again.
    pub fn refill(&self, steps: u64) {
        self.left.store(steps, Ordering::Relaxed);
    }

    /// The same, from which explanations and what viewers see are taken as well, not decisions alone. What they come to then
    /// depends on what was asked before: for a question that is answered by asking many others.
    #[must_use]
    pub fn throughout(self) -> Self {
        Self { throughout: true, ..self }
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// The budget of the next decision: no more than what is left, and than one may take.
    #[must_use]
    pub fn grant(&self, budget: u64) -> u64 {
        let granted = self.left().max(self.light).min(self.each).min(budget);
        self.outer.as_ref().map_or(granted, |outer| outer.grant(granted))
    }

    /// What an explanation may take: what one decision may take, whatever is left, unless explanations count.
    #[must_use]
    pub fn grant_aside(&self, budget: u64) -> u64 {
        let granted = if self.throughout { self.grant(budget) } else { self.each.min(budget) };
        self.outer.as_ref().map_or(granted, |outer| outer.grant_aside(granted))
    }

    /// Takes what an explanation needed, if explanations count.
    pub fn take_aside(&self, steps: u64) {
        if self.throughout {
            self.take(steps);
        } else if let Some(outer) = &self.outer {
            outer.take_aside(steps);
        }
    }

    /// Takes what a decision needed.
    pub fn take(&self, steps: u64) {
        if let Some(outer) = &self.outer {
            outer.take(steps);
        }
        if steps <= self.light {
            return;
        }
        let less = |left: u64| Some(left.saturating_sub(steps));
        // It always succeeds.
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
    }

    /// How many steps are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }
}
