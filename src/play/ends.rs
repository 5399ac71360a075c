//! The results of the games that end while sequences are counted.

use crate::model::{Outcome, Verdict};

/// Games that are over after a number of plies. Picks, chance and declining after the last of them multiply the count as
/// they do between plies, so that the games of all depths together are all that there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// How many there are.
    pub over: u64,
    /// How many of them each seat wins.
    pub won: Vec<u64>,
    /// How many are drawn.
    pub drawn: u64,
}

impl Ends {
    pub(super) fn none(seats: usize) -> Self {
        Self { won: vec![0; seats], ..Self::default() }
    }

    pub(super) fn add(&mut self, outcome: &Outcome) {
        self.over = self.over.saturating_add(1);
        for (count, verdict) in self.won.iter_mut().zip(&outcome.verdicts) {
            *count = count.saturating_add(u64::from(*verdict == Verdict::Win));
        }
        self.drawn = self.drawn.saturating_add(u64::from(outcome.verdicts.contains(&Verdict::Draw)));
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.over = self.over.saturating_add(other.over);
        for (count, more) in self.won.iter_mut().zip(&other.won) {
            *count = count.saturating_add(*more);
        }
        self.drawn = self.drawn.saturating_add(other.drawn);
    }
}
