//! Totals of games between bots, in integers that add up exactly.

use serde::{Deserialize, Serialize};

use super::contest::{Contest, Played, Tally};
use crate::measure::{Ended, Histogram, Lengths, Results, Shares, Totals, is_possible};
use crate::model::{Ending, Verdict};

/// The confidence level of the intervals.
const LEVEL: f64 = 0.95;

/// A sum and the number of its terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Mean {
    sum: i64,
    count: u64,
}

impl Mean {
    fn add(&mut self, term: i64) {
        self.sum = self.sum.saturating_add(term);
        self.count += 1;
    }

    fn merge(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.count += other.count;
    }

    /// None for no terms.
    #[expect(clippy::cast_precision_loss, reason = "means need no more than 52 bits")]
    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// The totals of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntrySums {
    /// The results on each seat.
    seats: Vec<Results>,
    ranks: Mean,
    scores: Mean,
}

/// The totals of a contest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestSums {
    games: u64,
    plies: Histogram,
    entries: Vec<EntrySums>,
    capped: u64,
    exhausted: u64,
    endings: Vec<Ended>,
}

impl ContestSums {
    /// No games between this many bots.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        let none = EntrySums { seats: vec![Results::default(); entries], ..EntrySums::default() };
        Self { entries: vec![none; entries], ..Self::default() }
    }

    /// Adds a game by its number.
    pub(super) fn add(&mut self, number: u64, game: &Played, cap: u32) {
        self.games += 1;
        self.plies.add(i64::from(game.plies));
        match &game.outcome {
            None if game.plies < cap => self.exhausted += 1,
            None => self.capped += 1,
            Some(outcome) => {
                self.exhausted += u64::from(matches!(outcome.ending, Ending::Budget(_)));
                self.add_ending(&Ended { ending: outcome.ending, games: 1, first: number });
            }
        }
        let outcome = game.outcome.as_ref();
        for (seat, &who) in game.who.iter().enumerate() {
            let Some(entry) = self.entries.get_mut(who) else { continue };
            let verdict = outcome.and_then(|outcome| outcome.verdicts.get(seat)).copied().unwrap_or(Verdict::Open);
            if let Some(results) = entry.seats.get_mut(seat) {
                results.add(verdict);
            }
            if let Some(&rank) = outcome.and_then(|outcome| outcome.ranks.get(seat)).filter(|&&rank| rank > 0) {
                entry.ranks.add(i64::from(rank));
            }
            if let Some(score) = outcome.and_then(|outcome| outcome.scores.get(seat)) {
                entry.scores.add(*score);
            }
        }
    }

    fn add_ending(&mut self, more: &Ended) {
        match self.endings.binary_search_by_key(&more.ending, |ended| ended.ending) {
            Ok(at) => {
                self.endings[at].games += more.games;
                self.endings[at].first = self.endings[at].first.min(more.first);
            }
            Err(at) => self.endings.insert(at, more.clone()),
        }
    }

    /// The figures, with intervals.
    #[must_use]
    pub fn figures(&self) -> Contest {
        let mut endings: Vec<&Ended> = self.endings.iter().collect();
        endings.sort_by_key(|ended| (std::cmp::Reverse(ended.games), ended.first));
        Contest {
            games: self.games,
            lengths: Lengths::counted(&self.plies, LEVEL),
            entries: self.entries.iter().map(EntrySums::figures).collect(),
            capped: self.capped,
            exhausted: self.exhausted,
            endings: endings.into_iter().map(|ended| (ended.ending, ended.games)).collect(),
        }
    }
}

impl EntrySums {
    fn figures(&self) -> Tally {
        let mut all = Results::default();
        for results in &self.seats {
            all.merge(results);
        }
        let shares = |results: &Results| (results.games(), Shares::of(results, results.games(), LEVEL));
        Tally {
            all: shares(&all).1,
            rank: self.ranks.value().unwrap_or(0.0),
            score: self.scores.value(),
            seats: self.seats.iter().map(shares).collect(),
        }
    }
}

impl Totals for ContestSums {
    fn merge(mut self, other: &Self) -> Self {
        self.games += other.games;
        self.plies.merge(&other.plies);
        for (mine, more) in self.entries.iter_mut().zip(&other.entries) {
            for (mine, more) in mine.seats.iter_mut().zip(&more.seats) {
                mine.merge(more);
            }
            mine.ranks.merge(more.ranks);
            mine.scores.merge(more.scores);
        }
        self.capped += other.capped;
        self.exhausted += other.exhausted;
        for ended in &other.endings {
            self.add_ending(ended);
        }
        self
    }

    fn games(&self) -> Option<u64> {
        Some(self.games)
    }

    fn is_possible(&self) -> bool {
        let results = self.entries.iter().flat_map(|entry| &entry.seats);
        results.into_iter().all(|results| is_possible(results, self.games))
            && [self.capped, self.exhausted].iter().all(|count| *count <= self.games)
    }
}
