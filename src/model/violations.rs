//! What invariants say of a position.

use crate::ir::RuleId;

/// The invariants that a position violates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    /// Those that do not hold, and zones with pieces that they cannot have.
    pub broken: Vec<RuleId>,
    /// Those that take more steps to test than the step budget of a decision: they may hold or not.
    pub spent: Vec<RuleId>,
}

impl Violations {
    /// Takes down whether an invariant holds, and whether its test spent the budget.
    pub(crate) fn test(&mut self, rule: RuleId, (holds, spent): (bool, bool)) {
        if spent {
            self.spent.push(rule);
        } else if !holds {
            self.broken.push(rule);
        }
    }

    /// Whether every invariant was tested and holds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.broken.is_empty() && self.spent.is_empty()
    }
}
