//! Confidence intervals and tests. `docs/statistics.md` gives the formulas and their sources.

use crate::base::SaturatingFrom;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, Discrete, DiscreteCDF, Normal, StudentsT};

/// An estimate with its confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// An estimate with a symmetric interval.
    #[must_use]
    pub fn around(value: f64, reach: f64) -> Self {
        Self { value, low: value - reach, high: value + reach }
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn reach(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// An integer as a floating-point number. Sums over games stay below 2^53, or lose digits that no interval could
/// show.
#[expect(clippy::cast_precision_loss, reason = "figures need no more than 52 bits")]
pub(super) fn real(n: impl Into<i128>) -> f64 {
    n.into() as f64
}

/// The value that a standard normal variable exceeds with probability `tail`.
#[must_use]
pub fn normal_quantile(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail.clamp(1e-300, 0.5))
}

/// The value that Student's t with this many degrees of freedom exceeds with probability `tail`.
#[must_use]
pub fn t_quantile(tail: f64, freedom: f64) -> f64 {
    // Beyond a million degrees of freedom the two agree to six digits.
    if freedom > 1e6 {
        return normal_quantile(tail);
    }
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::INFINITY, |t| -t.inverse_cdf(tail.clamp(1e-300, 0.5)))
}

/// The probability that Student's t exceeds a value.
#[must_use]
pub fn t_tail(value: f64, freedom: f64) -> f64 {
    if value.is_nan() {
        return 1.0;
    }
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(1.0, |t| t.sf(value))
}

/// The mean of a sample and the variance of its elements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// The mean.
    pub mean: f64,
    /// The variance of one element.
    pub variance: f64,
    /// The size of the sample.
    pub count: u64,
}

impl Sample {
    /// The standard deviation of one element.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    fn freedom(&self) -> f64 {
        real(self.count) - 1.0
    }

    /// The standard error of the mean; infinite for a single element.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.count < 2 { f64::INFINITY } else { (self.variance / real(self.count)).sqrt() }
    }

    /// The mean with its interval by Student's t.
    #[must_use]
    pub fn interval(&self, level: f64) -> Estimate {
        if self.count < 2 {
            return Estimate { value: self.mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        Estimate::around(self.mean, t_quantile((1.0 - level) / 2.0, self.freedom()) * self.error())
    }

    /// The p-value of a mean this far above `bound` if the true mean is `bound`.
    #[must_use]
    pub fn above(&self, bound: f64) -> f64 {
        let (distance, error) = (self.mean - bound, self.error());
        if error > 0.0 {
            return t_tail(distance / error, self.freedom());
        }
        if distance > 0.0 { 0.0 } else { 1.0 }
    }

    /// The two-sided p-value of a mean this far from 0 if the true mean is 0. It is never less than that of a
    /// sign-flip test (2 in 2ⁿ): a few integers may be equal by chance, and then have no variance.
    #[must_use]
    pub fn differs(&self) -> f64 {
        let distance = Self { mean: self.mean.abs(), ..*self };
        let signs = 0.5_f64.powi(i32::saturating_from(self.count.saturating_sub(1)).min(1000));
        (2.0 * distance.above(0.0)).max(signs).min(1.0)
    }
}

/// A count as a share of a total, with its Wilson interval (1927).
#[must_use]
pub fn wilson(count: u64, of: u64, level: f64) -> Estimate {
    if of == 0 {
        return Estimate { value: 0.0, low: 0.0, high: 1.0 };
    }
    let (n, p, z) = (real(of), real(count) / real(of), normal_quantile((1.0 - level) / 2.0));
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let reach = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let low = if count == 0 { 0.0 } else { (middle - reach).max(0.0) };
    let high = if count == of { 1.0 } else { (middle + reach).min(1.0) };
    Estimate { value: p, low, high }
}

/// A binary property of both games of a pair: a 2 × 2 table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedCounts {
    /// Pairs with the property in both games.
    pub both: u64,
    /// In the first game only.
    pub first: u64,
    /// In the second game only.
    pub second: u64,
}

impl PairedCounts {
    /// Adds a pair.
    pub fn add(&mut self, first: bool, second: bool) {
        match (first, second) {
            (true, true) => self.both += 1,
            (true, false) => self.first += 1,
            (false, true) => self.second += 1,
            (false, false) => {}
        }
    }

    /// Whether so many pairs can have been counted like this.
    pub(super) fn is_possible(&self, pairs: u64) -> bool {
        let known = self.first.checked_add(self.second).and_then(|sum| sum.checked_add(self.both));
        known.is_some_and(|known| known <= pairs)
    }

    /// Adds the pairs of another table.
    pub fn merge(&mut self, other: &Self) {
        self.both += other.both;
        self.first += other.first;
        self.second += other.second;
    }

    /// The share in the first game minus that in the second, with the interval of Bonett and Price (2012).
    #[must_use]
    pub fn difference(&self, pairs: u64, level: f64) -> Estimate {
        if pairs == 0 {
            return Estimate { value: 0.0, low: -1.0, high: 1.0 };
        }
        let value = (real(self.first) - real(self.second)) / real(pairs);
        let (middle, error) = self.adjusted(pairs);
        let reach = normal_quantile((1.0 - level) / 2.0) * error;
        Estimate { value, low: (middle - reach).clamp(-1.0, value), high: (middle + reach).clamp(value, 1.0) }
    }

    /// The difference and its standard error after adding one pair to either side.
    fn adjusted(&self, pairs: u64) -> (f64, f64) {
        let n = real(pairs) + 2.0;
        let (first, second) = ((real(self.first) + 1.0) / n, (real(self.second) + 1.0) / n);
        let difference = first - second;
        (difference, ((second + first - difference * difference) / n).max(0.0).sqrt())
    }

    /// The p-value of shares this far apart if the true ones are equal: `McNemar`'s test with the mid-p of the
    /// binomial distribution (Fagerland et al. 2013).
    #[must_use]
    pub fn differs(&self) -> f64 {
        let (all, less) = (self.first + self.second, self.first.min(self.second));
        // Of a tie all outcomes are at least as extreme; the sum would be rounded.
        if self.first == self.second {
            return 1.0;
        }
        Binomial::new(0.5, all).map_or(1.0, |binomial| (2.0 * binomial.cdf(less) - binomial.pmf(less)).clamp(0.0, 1.0))
    }

    /// The p-value of a difference this far above `bound` if the true one is `bound`.
    #[must_use]
    pub fn above(&self, pairs: u64, bound: f64) -> f64 {
        let (difference, error) = self.adjusted(pairs);
        Normal::standard().sf((difference - bound) / error.max(f64::MIN_POSITIVE))
    }

    /// The same for a difference below `bound`.
    #[must_use]
    pub fn below(&self, pairs: u64, bound: f64) -> f64 {
        Self { both: self.both, first: self.second, second: self.first }.above(pairs, -bound)
    }
}

/// P-values adjusted for their number by Holm's method (1979): rejecting those below α has a family-wise error rate
/// of at most α.
#[must_use]
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut corrected, mut least) = (vec![1.0; values.len()], 0.0_f64);
    for (place, &at) in order.iter().enumerate() {
        least = least.max(values[at] * real((values.len() - place) as i128)).min(1.0);
        corrected[at] = least;
    }
    corrected
}
