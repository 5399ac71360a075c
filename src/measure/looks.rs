//! Interim looks: when a simulation may stop early.
//!
//! Who stops as soon as a figure pleases is wrong more often than the interval
//! says. So the looks are settled before the first game: after 256 games and then
//! at each doubling, up to all. Each interval leaves out its share of the 5 %, so
//! that all of them together hold with 95 %, whichever look is the last
//! (Bonferroni). A game counts by its number, so threads change nothing.

use std::ops::Range;

/// The first look comes after this many games.
const FIRST: u64 = 256;

/// The looks at a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    games: u64,
    /// Whether it may end before the last.
    early: bool,
}

impl Looks {
    /// One look after all games, or several if it may end early.
    #[must_use]
    pub fn new(games: u64, early: bool) -> Self {
        Self { games, early }
    }

    /// The games between two looks, in order.
    pub fn parts(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let Self { games, early } = *self;
        let mut from = 0_u64;
        std::iter::from_fn(move || {
            let to = if !early {
                games
            } else if from == 0 {
                FIRST.min(games)
            } else {
                from.saturating_mul(2).min(games)
            };
            let part = from..to;
            from = to;
            (!part.is_empty()).then_some(part)
        })
    }

    /// The level of each interval.
    #[must_use]
    pub fn level(&self) -> f64 {
        level(self.parts().count())
    }
}

/// The level of each of this many intervals that hold together with 95 %.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "there are at most 64 looks")]
pub fn level(looks: usize) -> f64 {
    1.0 - 0.05 / looks.max(1) as f64
}
