//! A budget of steps for many decisions together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many steps all decisions of some interpreters may take together. Once they are taken, each decision is out of
/// steps at once, so that whatever plays comes to its end.
#[derive(Clone, Debug)]
pub struct Meter {
    left: Arc<AtomicU64>,
    /// How many of them one decision may take.
    each: u64,
}

impl Meter {
    /// So many steps.
    #[must_use]
    pub fn new(steps: u64) -> Self {
        Self { left: Arc::new(AtomicU64::new(steps)), each: u64::MAX }
    }

    /// The same, where one decision may take no more than so many: a search that looks at the time between decisions
    /// then ends in time.
    #[must_use]
    pub fn each(self, steps: u64) -> Self {
        Self { each: steps, ..self }
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// The budget of the next decision: no more than what is left, and than one may take.
    #[must_use]
    pub fn grant(&self, budget: u64) -> u64 {
        self.left().min(self.most(budget))
    }

    /// What a decision may take whatever is left: the budget, or what one may take.
    #[must_use]
    pub fn most(&self, budget: u64) -> u64 {
        self.each.min(budget)
    }

    /// Takes what a decision needed.
    pub fn take(&self, steps: u64) {
        let less = |left: u64| Some(left.saturating_sub(steps));
        // It always succeeds.
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
    }

    fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }
}
