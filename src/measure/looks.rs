//! Interim looks: when a simulation may stop early.
//!
//! Stopping as soon as a figure looks good inflates the error. So the looks are fixed before the first game: after
//! 256 games and at each doubling, up to all games. Each interval uses its share of the 5 %, so that all of them
//! together hold with 95 %, whichever look is the last (Bonferroni). Games are identified by number, so threads
//! change nothing.

use std::ops::Range;

/// The first look comes after this many games.
const FIRST: u64 = 256;

/// The looks at a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    games: u64,
    /// Whether the simulation may stop before the last look.
    early: bool,
}

impl Looks {
    /// One look after all games, or several if the simulation may stop early.
    #[must_use]
    pub fn new(games: u64, early: bool) -> Self {
        Self { games, early }
    }

    /// The ranges of games between looks, in order.
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

    /// The confidence level of each interval.
    #[must_use]
    pub fn level(&self) -> f64 {
        level(self.parts().count())
    }
}

/// The level of each of this many intervals that hold simultaneously with 95 %.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "there are at most 64 looks")]
pub fn level(looks: usize) -> f64 {
    1.0 - 0.05 / looks.max(1) as f64
}
