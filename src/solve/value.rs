//! The value of an outcome.

use super::Unsolvable;
use crate::base::get_or_default;
use crate::model::{Ending, Outcome, Verdict};

/// The value of an outcome for the first seat; the second seat's is its negation. Greater is better for the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameValue {
    /// 1 if the first seat does better, -1 if the second does, 0 if neither.
    pub verdict: i8,
    /// The first seat's score less the second's; 0 if the rules do not score.
    pub margin: i64,
}

impl GameValue {
    /// Less than any value.
    pub(super) const LEAST: Self = Self { verdict: i8::MIN, margin: i64::MIN };

    /// More than any value.
    pub(super) const MOST: Self = Self { verdict: i8::MAX, margin: i64::MAX };

    /// The value of an outcome.
    ///
    /// # Errors
    /// If the rules give no result.
    pub fn of(outcome: &Outcome) -> Result<Self, Unsolvable> {
        match outcome.ending {
            Ending::Rule(_) => {}
            Ending::NoMove(_) => {
                return Err(Unsolvable::NoResult("nothing is legal, and the rules do not say what happens then"));
            }
            Ending::PlayedOut => return Err(Unsolvable::NoResult("`play` reaches its last statement")),
            Ending::Budget(_) => {
                return Err(Unsolvable::Budget);
            }
        }
        let rank = |seat: usize| match outcome.verdicts.get(seat) {
            Some(Verdict::Win) => 2,
            Some(Verdict::Draw) => 1,
            Some(Verdict::Loss) => 0,
            Some(Verdict::Open) | None => -1_i8,
        };
        let (first, second) = (rank(0), rank(1));
        if first < 0 || second < 0 {
            return Err(Unsolvable::NoResult("a seat neither wins nor loses"));
        }
        if first + second != 2 {
            return Err(Unsolvable::NotOpposed);
        }
        let score = |seat: usize| get_or_default(&outcome.scores, seat);
        Ok(Self { verdict: (first - second).signum(), margin: score(0).saturating_sub(score(1)) })
    }

    /// The next greater value.
    pub(super) fn above(self) -> Self {
        match (self.margin.checked_add(1), self.verdict.checked_add(1)) {
            (Some(margin), _) => Self { margin, ..self },
            (None, Some(verdict)) => Self { verdict, margin: i64::MIN },
            (None, None) => self,
        }
    }

    /// The number of the seat that does better.
    #[must_use]
    pub fn winner(self) -> Option<usize> {
        match self.verdict {
            0 => None,
            1.. => Some(0),
            i8::MIN..0 => Some(1),
        }
    }
}
