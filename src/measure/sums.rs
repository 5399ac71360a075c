//! Exactly mergeable sums.
//!
//! Data are integers and are kept as integer sums, so that shards merged in any order give identical figures; only
//! the final results are rounded.

use crate::base::get_or_default;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::statistics::{Estimate, Sample, normal_quantile, real};

/// How often each number occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Histogram(pub BTreeMap<i64, u64>);

impl Histogram {
    /// Adds a number.
    pub fn add(&mut self, value: i64) {
        *self.0.entry(value).or_default() += 1;
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (value, count) in &other.0 {
            *self.0.entry(*value).or_default() += count;
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// The number with this rank in ascending order, from 1; 0 if there is none.
    #[must_use]
    pub fn at(&self, rank: u64) -> i64 {
        let mut below = 0;
        for (value, count) in &self.0 {
            below += count;
            if below >= rank {
                return *value;
            }
        }
        self.0.keys().next_back().copied().unwrap_or(0)
    }

    /// A quantile: the least value that this share of all numbers do not exceed, with a distribution-free interval
    /// whose ends are order statistics.
    #[must_use]
    pub fn quantile(&self, share: f64, level: f64) -> Estimate {
        self.quantile_of(share, level, real(self.count()))
    }

    /// The same of numbers that tell no more than so many independent ones: the ends are ranks among those.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "ranks are held between 1 and the count"
    )]
    pub fn quantile_of(&self, share: f64, level: f64, independent: f64) -> Estimate {
        let count = self.count();
        if count == 0 {
            return Estimate::default();
        }
        let n = real(count);
        let few = independent.clamp(1.0, n);
        let reach = normal_quantile((1.0 - level) / 2.0) * (few * share * (1.0 - share)).sqrt();
        let rank = |place: f64| self.at(place.clamp(1.0, n) as u64);
        // Undoes upward rounding errors at whole ranks.
        let middle = (n * share - 1e-9).ceil();
        let (low, high) = ((few * share - reach).floor(), (few * share + reach).ceil() + 1.0);
        Estimate { value: real(rank(middle)), low: real(rank(low * n / few)), high: real(rank(high * n / few)) }
    }

    /// The sums of the numbers and of their squares.
    #[must_use]
    pub fn moments(&self) -> Moments {
        let mut moments = Moments::new(1);
        for (value, count) in &self.0 {
            moments.add_many(&[*value], *count);
        }
        moments
    }
}

/// The greatest integer, up to its sign, of which as many games as anybody plays have sums of products that are exact.
pub(super) const GREATEST: i64 = 100_000_000_000_000;

/// The sums of several integers per game, and of their products; none beyond 10^14.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// The number of games.
    pub count: u64,
    /// The sum of each number.
    pub sums: Vec<i128>,
    /// The sums of the pairwise products: 0·0, 1·0, 1·1, 2·0, …
    pub products: Vec<i128>,
}

impl Moments {
    /// No games, with this many numbers each.
    #[must_use]
    pub fn new(numbers: usize) -> Self {
        Self { count: 0, sums: vec![0; numbers], products: vec![0; numbers * (numbers + 1) / 2] }
    }

    /// Adds the numbers of one game.
    pub fn add(&mut self, numbers: &[i64]) {
        self.add_many(numbers, 1);
    }

    fn add_many(&mut self, numbers: &[i64], times: u64) {
        self.count += times;
        let times = i128::from(times);
        let mut products = self.products.iter_mut();
        for (at, (sum, &number)) in self.sums.iter_mut().zip(numbers).enumerate() {
            *sum += i128::from(number) * times;
            for (&other, product) in numbers[..=at].iter().zip(&mut products) {
                *product += i128::from(number) * i128::from(other) * times;
            }
        }
    }

    /// Adds the sums of other games.
    pub fn merge(&mut self, other: &Self) {
        if self.sums.is_empty() {
            *self = Self::new(other.sums.len());
        }
        self.count += other.count;
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
        for (product, more) in self.products.iter_mut().zip(&other.products) {
            *product += more;
        }
    }

    /// The mean of a number.
    #[must_use]
    pub fn mean(&self, at: usize) -> f64 {
        if self.count == 0 { 0.0 } else { real(self.sum(at)) / real(self.count) }
    }

    /// The sum of a number.
    #[must_use]
    pub fn sum(&self, at: usize) -> i128 {
        get_or_default(&self.sums, at)
    }

    fn product(&self, a: usize, b: usize) -> i128 {
        let (low, high) = (a.min(b), a.max(b));
        get_or_default(&self.products, high * (high + 1) / 2 + low)
    }

    /// The sample covariance of two numbers, with n − 1.
    #[must_use]
    pub fn covariance(&self, a: usize, b: usize) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        // In integers around whole numbers next to the means, so that nothing cancels and products stay small.
        let n = i128::from(self.count);
        let (one, two) = (self.sum(a), self.sum(b));
        let (near, other) = (one.div_euclid(n), two.div_euclid(n));
        let around = || {
            let shifted = self.product(a, b).checked_add(n.checked_mul(near)?.checked_mul(other)?)?;
            shifted.checked_sub(near.checked_mul(two)?)?.checked_sub(other.checked_mul(one)?)
        };
        let Some(around) = around() else {
            // Shards are input: theirs may be greater.
            return (real(self.product(a, b)) - real(one) * real(two) / real(n)) / real(n - 1);
        };
        let (left, right) = (real(one - n * near), real(two - n * other));
        (real(around) - left * right / real(n)) / real(n - 1)
    }

    /// The variance of a weighted sum of the numbers.
    #[must_use]
    pub fn variance(&self, weights: &[(usize, f64)]) -> f64 {
        let pairs = weights.iter().flat_map(|&(a, u)| weights.iter().map(move |&(b, v)| (a, u, b, v)));
        let sum: f64 = pairs.map(|(a, u, b, v)| u * v * self.covariance(a, b)).sum();
        sum.max(0.0)
    }

    /// The mean of a weighted sum of the numbers.
    #[must_use]
    pub fn combined(&self, weights: &[(usize, f64)]) -> Sample {
        let mean = weights.iter().map(|&(at, weight)| weight * self.mean(at)).sum();
        Sample { mean, variance: self.variance(weights), count: self.count }
    }

    /// The mean of one number.
    #[must_use]
    pub fn sample(&self, at: usize) -> Sample {
        self.combined(&[(at, 1.0)])
    }

    /// The ratio of two sums: the mean that weights each game. Its variance is that of its linearization (Cochran
    /// 1977, § 6.4).
    #[must_use]
    pub fn ratio(&self, above: usize, below: usize) -> Sample {
        let base = self.mean(below);
        if base == 0.0 {
            return Sample::default();
        }
        let mean = self.mean(above) / base;
        let variance = self.variance(&self.ratio_weights(above, below));
        Sample { mean, variance, count: self.count }
    }

    /// The linearization of a ratio of sums.
    pub(super) fn ratio_weights(&self, above: usize, below: usize) -> [(usize, f64); 2] {
        let base = self.mean(below);
        if base == 0.0 {
            return [(above, 0.0), (below, 0.0)];
        }
        [(above, 1.0 / base), (below, -self.mean(above) / base / base)]
    }
}
