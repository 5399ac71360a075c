//! Values of which a game may have several.

use serde::{Deserialize, Serialize};

use super::notes::sum_and_count;
use super::statistics::real;
use super::sums::{Histogram, Moments};

/// The values of a measure, or the numbers of legal answers, over many games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    /// How often each value was read.
    pub counts: Histogram,
    /// The number of games by number of values.
    pub sizes: Histogram,
    /// The sum of the values of each game, and how many there are.
    pub games: Moments,
}

impl Default for Values {
    fn default() -> Self {
        Self { counts: Histogram::default(), sizes: Histogram::default(), games: Moments::new(2) }
    }
}

impl Values {
    /// Adds the values of a game.
    pub fn add(&mut self, values: impl Iterator<Item = i64> + Clone) {
        for value in values.clone() {
            self.counts.add(value);
        }
        let [sum, count] = sum_and_count(values);
        self.sizes.add(count);
        self.games.add(&[sum, count]);
    }

    /// Adds the values of other games.
    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.sizes.merge(&other.sizes);
        self.games.merge(&other.games);
    }

    /// How many independent values tell at least as little of the value that this share of all do not exceed.
    ///
    /// Those of one game may hang together, and with their number. The estimated share deviates from the true one by the sum of what
    /// each game contributes, its number of values times the difference between its own share and that of all (Woodruff, *Confidence
    /// intervals for medians and other position measures*, 1952, for clusters). That varies most if all values of a game are on one
    /// side and the rarer side has the games with the most values, as is assumed here.
    #[must_use]
    pub fn independent(&self, share: f64) -> f64 {
        let rarer = share.min(1.0 - share);
        let all = real(self.counts.count());
        let (mut room, mut spread) = (rarer * all, 0.0);
        for (&size, &games) in self.sizes.0.iter().rev() {
            let size = real(size);
            let values = size * real(games);
            let within = values.min(room);
            room -= within;
            spread += size * (within * (1.0 - rarer).powi(2) + (values - within) * rarer.powi(2));
        }
        if spread > 0.0 { all * all * rarer * (1.0 - rarer) / spread } else { all }
    }
}
