//! Racing: settings of the rules play the same games, round after round, and those that cannot be the answer drop out.
//!
//! The rounds are fixed beforehand, and every interval has its share of the 5 %: for each setting, each condition and
//! each look. So all that is said about all settings at all looks is true with 95 %, whichever look is the last
//! (successive elimination: Maron and Moore 1994, Even-Dar, Mannor and Mansour 2006).

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Found, Known};
use super::shard::Totals;
use super::tally::Tally;

/// The first round has this many games of each setting; every further round doubles them.
const FIRST: u64 = 64;

/// Why a setting dropped out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Out {
    /// It does not keep the condition with this number.
    Breaks(usize),
    /// It is farther from the target than the setting with this number.
    Farther(usize),
}

/// What is wanted: to be near the target, and to keep the other conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Aims {
    /// The target first, then the conditions to keep.
    pub conditions: Vec<Condition>,
    /// The most games of each setting.
    pub games: u64,
}

/// A race in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Race {
    /// How many rounds were played.
    pub round: u64,
    /// The rules before anything is varied.
    pub base: Tally,
    /// Each setting.
    pub tallies: Vec<Tally>,
    /// Why each dropped out, if it did.
    pub out: Vec<Option<Out>>,
}

/// What a round adds: the base first, then each setting.
impl Totals for Race {
    fn merge(self, other: &Self) -> Self {
        let (base, tallies) = (self.base.merge(&other.base), Totals::merge(self.tallies, &other.tallies));
        Self { base, tallies, ..self }
    }

    fn games(&self) -> Option<u64> {
        Some(self.base.games)
    }

    fn is_possible(&self) -> bool {
        Totals::is_possible(&self.base) && Totals::is_possible(&self.tallies)
    }
}

impl Aims {
    /// How many games of each setting are played after each round.
    #[must_use]
    pub fn looks(&self) -> Vec<u64> {
        let mut looks = vec![FIRST.min(self.games)];
        while let Some(&last) = looks.last().filter(|last| **last < self.games) {
            looks.push(last.saturating_mul(2).min(self.games));
        }
        looks
    }

    /// The level of each interval among this many settings.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a product of small numbers")]
    pub fn level(&self, settings: usize) -> f64 {
        let statements = (settings + 1) * self.conditions.len() * self.looks().len();
        1.0 - 0.05 / statements.max(1) as f64
    }
}

impl Race {
    /// A race before its first round.
    #[must_use]
    pub fn new(base: Tally, tallies: Vec<Tally>) -> Self {
        Self { round: 0, base, out: vec![None; tallies.len()], tallies }
    }

    /// Whether there is a tally and a state for each of so many settings.
    #[must_use]
    pub fn fits(&self, settings: usize) -> bool {
        self.tallies.len() == settings && self.out.len() == settings
    }

    /// The settings still in the race.
    pub fn running(&self) -> impl Iterator<Item = usize> {
        self.out.iter().enumerate().filter(|(_, out)| out.is_none()).map(|(at, _)| at)
    }

    /// What is known of each condition in a setting.
    #[must_use]
    pub fn found(&self, aims: &Aims, setting: usize) -> Vec<Found> {
        let level = aims.level(self.tallies.len());
        let tally = self.tallies.get(setting);
        let judge = |tally| aims.conditions.iter().map(|one| one.judge(tally, Some(&self.base), level)).collect();
        tally.map_or_else(Vec::new, judge)
    }

    /// Adds a round, and drops the settings that cannot be the answer.
    #[must_use]
    pub fn after(self, played: &Self, aims: &Aims) -> Self {
        let mut race = self.merge(played);
        race.round += 1;
        let found: Vec<Vec<Found>> = (0..race.tallies.len()).map(|setting| race.found(aims, setting)).collect();
        let kept = |of: &[Found], known: Known| of.iter().skip(1).all(|one| one.known == known);
        // Only a setting that surely keeps everything can put another out.
        let sure = race.running().filter(|&at| kept(&found[at], Known::Met));
        let far = |at: usize| found[at].first().map_or(f64::INFINITY, |target| target.distance.high);
        let best = sure.min_by(|&one, &other| far(one).total_cmp(&far(other)));
        let running: Vec<usize> = race.running().collect();
        for at in running {
            let broken = found[at].iter().skip(1).position(|one| one.known == Known::Missed);
            let target = found[at].first();
            let beaten = best.filter(|&best| {
                let reached = found[best].first().is_some_and(|best| best.known == Known::Met);
                let missed = target.is_some_and(|target| target.known == Known::Missed);
                let farther = target.is_some_and(|target| target.distance.low > far(best));
                best != at && ((reached && missed) || farther)
            });
            race.out[at] = broken.map(|number| Out::Breaks(number + 1)).or(beaten.map(Out::Farther));
        }
        race
    }

    /// Whether nothing is left to find out: every setting in the race meets everything, or there is only one, of which
    /// everything is known.
    #[must_use]
    pub fn is_settled(&self, aims: &Aims) -> bool {
        let all = |wanted: fn(Known) -> bool| {
            self.running().all(|at| self.found(aims, at).iter().all(|found| wanted(found.known)))
        };
        let alone = self.running().count() <= 1;
        self.round > 0 && (all(|known| known == Known::Met) || (alone && all(|known| known != Known::Open)))
    }

    /// The settings that no other one surpasses: none is at least as near to everything that is wanted, and nearer to
    /// something (Pareto).
    #[must_use]
    pub fn front(&self, aims: &Aims) -> Vec<usize> {
        let distances: Vec<Vec<f64>> = (0..self.tallies.len())
            .map(|at| self.found(aims, at).iter().map(|found| found.distance.value).collect())
            .collect();
        let surpasses = |one: &[f64], other: &[f64]| {
            let both = || one.iter().zip(other);
            both().all(|(one, other)| one <= other) && both().any(|(one, other)| one < other)
        };
        let beaten = |at: usize| distances.iter().any(|one| surpasses(one, &distances[at]));
        self.running().filter(|&at| !beaten(at)).collect()
    }
}
