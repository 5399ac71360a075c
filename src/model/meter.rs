//! A budget of steps for many decisions together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many steps all decisions of some interpreters may take together. Once they are taken, each decision is out of
/// steps at once, so that whatever plays comes to its end.
#[derive(Clone, Debug)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// So many steps.
    #[must_use]
    pub fn new(steps: u64) -> Self {
        Self(Arc::new(AtomicU64::new(steps)))
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// The budget of the next decision: no more than what is left.
    #[must_use]
    pub fn grant(&self, budget: u64) -> u64 {
        self.left().min(budget)
    }

    /// Takes what a decision needed.
    pub fn take(&self, steps: u64) {
        let less = |left: u64| Some(left.saturating_sub(steps));
        // It always succeeds.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
    }

    fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
