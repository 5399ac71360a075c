//! What many games come to.

use crate::ir::RuleId;
use crate::model::{Ending, Verdict};

/// How long games were, in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lengths {
    /// The mean.
    pub mean: f64,
    /// The shortest.
    pub min: u32,
    /// One in twenty was not longer.
    pub low: u32,
    /// Half were not longer.
    pub median: u32,
    /// One in twenty was not shorter.
    pub high: u32,
    /// The longest.
    pub max: u32,
}

/// A share of games with its 95 % interval after Wilson.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// How many games.
    pub count: u64,
    /// Their share.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What games came to for one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatStats {
    /// Games won.
    pub win: Share,
    /// Games drawn.
    pub draw: Share,
    /// Games lost.
    pub loss: Share,
    /// Games that stopped undecided.
    pub open: Share,
}

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The number of the game, from 0.
    pub game: u64,
    /// After so many plies.
    pub ply: u32,
    /// The invariant's rule.
    pub rule: RuleId,
    /// The position.
    pub position: String,
}

/// What a simulation found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// How many games were played.
    pub games: u64,
    /// How long they were.
    pub lengths: Lengths,
    /// What they came to for each seat.
    pub seats: Vec<SeatStats>,
    /// Games that ended without a winner, by the rules.
    pub draws: Share,
    /// How many answers a seat had to choose from, on average.
    pub branching: f64,
    /// How games ended, and how often; the most frequent first.
    pub endings: Vec<(Ending, u64)>,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Games stopped by the budget of steps.
    pub exhausted: u64,
    /// How many positions broke an invariant.
    pub violations: u64,
    /// The first of them, at most one per game.
    pub examples: Vec<Violation>,
    /// How often each rule was gone by, where that was asked for.
    pub rule_uses: Vec<u64>,
}

/// A count as a share of all.
#[expect(clippy::cast_precision_loss, reason = "shares need no more than 52 bits")]
pub(crate) fn share(count: u64, of: u64) -> Share {
    if of == 0 {
        return Share::default();
    }
    // Wilson's interval; 1.96 standard deviations hold 95 %.
    let (n, p, z) = (of as f64, count as f64 / of as f64, 1.959_964);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let spread = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Share { count, share: p, low: (middle - spread).max(0.0), high: (middle + spread).min(1.0) }
}

#[expect(clippy::cast_precision_loss, reason = "a mean needs no more than 52 bits")]
pub(crate) fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

/// Mean and quantiles.
pub(crate) fn lengths(mut plies: Vec<u32>) -> Lengths {
    plies.sort_unstable();
    let at = |percent: usize| {
        let index = (plies.len() * percent).div_ceil(100).saturating_sub(1);
        plies.get(index).copied().unwrap_or(0)
    };
    Lengths {
        mean: mean(plies.iter().map(|&n| u64::from(n)).sum(), plies.len() as u64),
        min: plies.first().copied().unwrap_or(0),
        low: at(5),
        median: at(50),
        high: at(95),
        max: plies.last().copied().unwrap_or(0),
    }
}

/// The shares of one seat's verdicts.
pub(crate) fn seat_stats(verdicts: &[Verdict], games: u64) -> SeatStats {
    let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count() as u64;
    SeatStats {
        win: share(count(Verdict::Win), games),
        draw: share(count(Verdict::Draw), games),
        loss: share(count(Verdict::Loss), games),
        open: share(count(Verdict::Open), games),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_hundred() {
        let found = lengths((1..=100).rev().collect());
        assert_eq!((found.min, found.low, found.median, found.high, found.max), (1, 5, 50, 95, 100));
        assert!((found.mean - 50.5).abs() < 1e-9);
    }

    #[test]
    fn wilson_holds_the_share() {
        let half = share(50, 100);
        assert!((half.low - 0.4038).abs() < 1e-3 && (half.high - 0.5962).abs() < 1e-3, "{half:?}");
        let none = share(0, 10);
        assert!(none.low.abs() < 1e-9 && (none.high - 0.2775).abs() < 1e-3, "{none:?}");
    }
}
