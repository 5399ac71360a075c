//! Statistics of paired games.

use super::notes::number;
use super::pair::Pairs;
use super::statistics::{Estimate, Sample, holm, real};

/// A figure to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The length in plies.
    Plies,
    /// The length in turns.
    Turns,
    /// The length in rounds.
    Rounds,
    /// The number of legal answers per decision.
    Branching,
    /// The wins of a seat.
    Seat(usize),
    /// The wins of the seat with the first turn (0), the second, ….
    Place(usize),
    /// Games that the rules end as a draw.
    Draws,
    /// Games that stop undecided.
    Open,
    /// The measure with this number.
    Measure(usize),
}

impl Figure {
    /// Whether it is a share of games rather than a mean.
    #[must_use]
    pub fn is_share(self) -> bool {
        match self {
            Self::Plies | Self::Turns | Self::Rounds | Self::Branching | Self::Measure(_) => false,
            Self::Seat(_) | Self::Place(_) | Self::Draws | Self::Open => true,
        }
    }
}

/// The difference in one figure: always the first game's minus the second's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The figure.
    pub figure: Figure,
    /// Its value in the first game.
    pub first: f64,
    /// Its value in the second game.
    pub second: f64,
    /// The difference with its interval.
    pub difference: Estimate,
    /// The difference relative to the second game's figure; for means only.
    pub relative: Option<Estimate>,
    /// The difference in standard deviations of one game: Cohen's d with the mean of both variances. For means only.
    pub effect: Option<f64>,
    /// The difference in standard deviations of paired differences. For means only.
    pub paired_effect: Option<f64>,
    /// The factor by which pairing reduces the number of games needed.
    pub saved: Option<f64>,
    /// The p-value: the probability of such a difference if there is none.
    pub p: f64,
    /// The p-value after Holm's correction for the number of figures.
    pub corrected: f64,
    /// The p-value of the equivalence test (two one-sided tests): the probability of a difference this far inside the
    /// margin if the true one is outside. None without a margin.
    pub outside: Option<f64>,
}

impl Difference {
    /// Whether the difference is significant at 5 % for all figures together.
    #[must_use]
    pub fn is_real(&self) -> bool {
        self.corrected < 0.05
    }

    /// Whether the figures are equivalent within the margin, at 5 %.
    #[must_use]
    pub fn is_equivalent(&self) -> bool {
        self.outside.is_some_and(|p| p < 0.05)
    }
}

/// Figures that differ by no more than this share of themselves are equal: their sums are exact, quotients are not.
const ROUNDED: f64 = 1e-12;

/// The indices of the first game's number and of the second's in [`Pairs::numbers`].
fn places(pairs: &Pairs, at: usize) -> (usize, usize) {
    (at, pairs.numbers.sums.len() / 2 + at)
}

/// The differences between paired games, with intervals of a level. `turns` says whether both games have turns. A
/// `margin` is relative: to the second game's mean for lengths and branching, to the number of games for results.
#[must_use]
pub fn differences(pairs: &Pairs, turns: bool, level: f64, margin: Option<f64>) -> Vec<Difference> {
    let mut found = vec![length(pairs, Figure::Plies, number::PLIES, level, margin)];
    if turns {
        found.push(length(pairs, Figure::Turns, number::TURNS, level, margin));
        found.push(length(pairs, Figure::Rounds, number::ROUNDS, level, margin));
    }
    let branching = (Figure::Branching, number::ANSWERS, number::DECISIONS);
    let measures = (pairs.numbers.sums.len() / 2).saturating_sub(number::COUNT) / 2;
    let measured = (0..measures).map(|at| (Figure::Measure(at), number::COUNT + 2 * at, number::COUNT + 2 * at + 1));
    // Where no value of one of them could be read, there is nothing to compare.
    let read = |at: usize| pairs.numbers.sums.get(at).is_some_and(|sum| *sum > 0);
    let measured = measured.filter(|(_, _, values)| <[usize; 2]>::from(places(pairs, *values)).into_iter().all(read));
    found.extend(std::iter::once(branching).chain(measured).map(|which| ratio(pairs, which, level, margin)));
    let mut shares: Vec<_> = pairs.wins.iter().enumerate().map(|(seat, wins)| (Figure::Seat(seat), wins)).collect();
    // Where the same seat always begins, turn order is seat order.
    if pairs.openers.iter().filter(|&&count| count > 0).count() > 1 {
        shares.extend(pairs.places.iter().enumerate().map(|(place, wins)| (Figure::Place(place), wins)));
    }
    shares.push((Figure::Draws, &pairs.draws));
    shares.push((Figure::Open, &pairs.open));
    let n = pairs.pairs;
    found.extend(shares.into_iter().map(|(figure, discord)| {
        let share = |count: u64| if n == 0 { 0.0 } else { real(count) / real(n) };
        let outside = margin.map(|margin| discord.above(n, -margin).max(discord.below(n, margin)));
        Difference {
            figure,
            first: share(discord.both + discord.first),
            second: share(discord.both + discord.second),
            difference: discord.difference(n, level),
            relative: None,
            effect: None,
            paired_effect: None,
            saved: None,
            p: discord.differs(),
            corrected: 1.0,
            outside,
        }
    }));
    let corrected = holm(&found.iter().map(|difference| difference.p).collect::<Vec<_>>());
    for (difference, corrected) in found.iter_mut().zip(corrected) {
        difference.corrected = corrected;
    }
    found
}

fn length(pairs: &Pairs, figure: Figure, at: usize, level: f64, margin: Option<f64>) -> Difference {
    let (a, b) = places(pairs, at);
    let numbers = &pairs.numbers;
    let part = |at| [(at, 1.0)];
    mean(numbers.mean(a), numbers.mean(b), [&part(a), &part(b)], pairs, figure, level, margin)
}

/// Branching is the mean over all decisions, and a measure the mean over all its values; so games are weighted by how
/// many of them they have.
fn ratio(pairs: &Pairs, (figure, above, below): (Figure, usize, usize), level: f64, margin: Option<f64>) -> Difference {
    let numbers = &pairs.numbers;
    let ((above, other_above), (below, other_below)) = (places(pairs, above), places(pairs, below));
    let (first, second) = (numbers.ratio(above, below).mean, numbers.ratio(other_above, other_below).mean);
    let weights = [numbers.ratio_weights(above, below), numbers.ratio_weights(other_above, other_below)];
    mean(first, second, [&weights[0], &weights[1]], pairs, figure, level, margin)
}

/// A difference of means. `parts` are the terms of their deviations.
fn mean(
    first: f64,
    second: f64,
    parts: [&[(usize, f64)]; 2],
    pairs: &Pairs,
    figure: Figure,
    level: f64,
    margin: Option<f64>,
) -> Difference {
    let numbers = &pairs.numbers;
    // The first minus `times` the second.
    let less = |times: f64| -> Sample {
        let negative = parts[1].iter().map(|&(at, weight)| (at, -times * weight));
        let weights: Vec<(usize, f64)> = parts[0].iter().copied().chain(negative).collect();
        let (mean, variance) = (first - times * second, numbers.variance(&weights));
        // Equal figures may be told apart by how they were rounded.
        let least = ROUNDED * first.abs().max(second.abs());
        let whole = |number: f64, least: f64| if number.abs() <= least { 0.0 } else { number };
        Sample { mean: whole(mean, least), variance: whole(variance, least * least), count: pairs.pairs }
    };
    let difference = less(1.0);
    let (one, two) = (numbers.variance(parts[0]), numbers.variance(parts[1]));
    let scaled = |by: f64| (by > 0.0).then(|| difference.mean / by.sqrt());
    let relative = (second > 0.0).then(|| {
        let ratio = Sample { mean: first / second - 1.0, ..less(first / second) };
        let ratio = Sample { variance: ratio.variance / second / second, ..ratio };
        ratio.interval(level)
    });
    // Neither above (1 + margin) times the second nor below (1 − margin) times it.
    let outside = margin.map(|margin| {
        let over = less(1.0 + margin);
        let under = Sample { mean: -over.mean, ..over }.above(0.0);
        under.max(less(1.0 - margin).above(0.0))
    });
    Difference {
        figure,
        first,
        second,
        difference: difference.interval(level),
        relative,
        effect: scaled(f64::midpoint(one, two)),
        paired_effect: scaled(difference.variance),
        saved: (difference.variance > 0.0).then(|| (one + two) / difference.variance),
        p: difference.differs(),
        corrected: 1.0,
        outside,
    }
}
