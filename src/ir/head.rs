//! The head of an action: its parameters, names and guards.

use super::{Expr, RuleId, Sight, Slot};

/// A line in the head of an action.
#[derive(Clone, Debug)]
pub enum Header {
    /// A parameter.
    Choose(Choice),
    /// A local name.
    Let(Slot, Expr, RuleId),
    /// A local name that only the effects read: it is worked out when they are carried out, and says nothing of what is legal.
    Late(Slot, Expr, RuleId),
    /// A guard on the position before the move.
    Require(Expr, RuleId),
    /// Only moves with the greatest value are legal.
    Prefer(Expr, RuleId),
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its name.
    pub slot: Slot,
    /// The set of its values.
    pub set: Expr,
    /// Who learns it; for a piece, only those who also see the piece.
    pub sight: Sight,
    /// The rule.
    pub rule: RuleId,
}

impl Header {
    /// The same head, in which names that only the effects read are told from those that decide what is legal.
    pub(crate) fn postponing(mut head: Vec<Self>, ensure: &[(Expr, RuleId)]) -> Vec<Self> {
        for at in (0..head.len()).rev() {
            let Self::Let(slot, value, rule) = &head[at] else { continue };
            let read = ensure.iter().any(|(guard, _)| guard.mentions(&[*slot]))
                || head[at + 1..].iter().any(|line| line.decides_by(*slot));
            if !read {
                head[at] = Self::Late(*slot, value.clone(), *rule);
            }
        }
        head
    }

    /// Whether a line reads a name to find out what is legal, or who learns what is chosen.
    fn decides_by(&self, slot: Slot) -> bool {
        match self {
            Self::Choose(choice) => {
                let told = if let Sight::Seats(seats) = &choice.sight { seats.mentions(&[slot]) } else { false };
                told || choice.set.mentions(&[slot])
            }
            Self::Let(_, expr, _) | Self::Require(expr, _) | Self::Prefer(expr, _) => expr.mentions(&[slot]),
            Self::Late(..) => false,
        }
    }
}
