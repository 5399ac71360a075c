//! Random playouts against a clock provided by the caller.

use super::random::{Chosen, Playout, Stop, playout};
use super::seed::Stream;
use crate::model::{Engine, Run};

/// How many questions pass between two looks at the clock.
const QUESTIONS_PER_LOOK: u64 = 256;

/// What was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// Plies, those of the playout cut off at the end included.
    pub plies: u64,
    /// Decisions of seats.
    pub decisions: u64,
    /// Questions answered, those to chance included.
    pub questions: u64,
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

impl Bench {
    fn add(&mut self, game: &Playout) {
        self.plies += u64::from(game.plies);
        self.decisions += game.decisions;
        self.questions += game.questions;
        if game.stop != Stop::Told {
            self.playouts += 1;
            self.full_plies += u64::from(game.plies);
        }
    }
}

/// Plays at random, at most `cap` plies a game, as long as `running` says so.
/// Playout number n draws from stream n of the seed.
pub fn bench(engine: &dyn Engine, cap: u32, seed: u64, running: &dyn Fn() -> bool) -> Bench {
    let (mut bench, mut looks) = (Bench::default(), 0_u64);
    let mut watch = |_: &mut dyn Run, _: &Chosen| {
        looks += 1;
        looks % QUESTIONS_PER_LOOK != 0 || running()
    };
    let mut run = ready(engine);
    loop {
        let mut dice = Stream::new(seed, "bench", bench.playouts);
        run.restore();
        let game = playout(engine, run.as_mut(), cap, None, &mut dice, &mut watch);
        bench.add(&game);
        if game.stop == Stop::Told || game.questions == 0 && !running() {
            return bench;
        }
    }
}

/// The same for this many playouts.
#[must_use]
pub fn playouts(engine: &dyn Engine, cap: u32, seed: u64, games: u64) -> Bench {
    let mut bench = Bench::default();
    let mut run = ready(engine);
    for number in 0..games {
        let mut dice = Stream::new(seed, "bench", number);
        run.restore();
        bench.add(&playout(engine, run.as_mut(), cap, None, &mut dice, &mut |_, _| true));
    }
    bench
}

/// A game at its start, which is remembered.
fn ready(engine: &dyn Engine) -> Box<dyn Run + '_> {
    let mut run = engine.run();
    run.load(&engine.start());
    run.save();
    run
}
