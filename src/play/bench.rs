//! Random playouts against a clock that the caller holds.

use super::random::{Stop, playout};
use super::seed::Stream;
use crate::model::Engine;

/// How many plies pass between two looks at the clock.
const PLIES_PER_LOOK: u64 = 16;

/// What was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// Plies, those of the playout cut off at the end included.
    pub plies: u64,
    /// Playouts that came to their end or to the cap.
    pub playouts: u64,
    /// The plies of those.
    pub full_plies: u64,
}

impl Bench {
    /// How many plies a playout has on average; 0 if none was completed.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a mean needs no more than 52 bits")]
    pub fn mean_plies(&self) -> f64 {
        if self.playouts == 0 { 0.0 } else { self.full_plies as f64 / self.playouts as f64 }
    }
}

/// Plays at random, at most `cap` plies a game, as long as `running` says so.
pub fn bench(engine: &dyn Engine, cap: u32, seed: u64, running: &dyn Fn() -> bool) -> Bench {
    let (start, mut bench, mut looks) = (engine.start(), Bench::default(), 0_u64);
    let mut watch = |_: &_, _: &_| {
        looks += 1;
        looks % PLIES_PER_LOOK != 0 || running()
    };
    loop {
        let mut dice = Stream::new(seed, "bench", bench.playouts);
        let (game, _) = playout(engine, start.clone(), cap, None, &mut dice, &mut watch);
        bench.plies += u64::from(game.plies);
        if game.stop == Stop::Told {
            return bench;
        }
        bench.playouts += 1;
        bench.full_plies += u64::from(game.plies);
        if game.plies == 0 && !running() {
            return bench;
        }
    }
}
