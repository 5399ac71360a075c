//! Random playouts against a clock provided by the caller.

use super::random::{Chosen, Playout, Stop, playout};
use super::seed::Stream;
use crate::model::{Engine, Run};

/// Totals over all playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// Plies, including those of the playout cut off at the end.
    pub plies: u64,
    /// Decisions made by seats.
    pub decisions: u64,
    /// Questions answered, chance included.
    pub questions: u64,
    /// Playouts that reached their end or the cap.
    pub playouts: u64,
    /// The plies of completed playouts.
    pub full_plies: u64,
    /// Playouts that were stopped by the step budget, which are none that reached their end.
    pub exhausted: u64,
}

impl Bench {
    /// The mean number of plies per completed playout; 0 if there is none.
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
        match game.stop {
            Stop::Over | Stop::Cap => {
                self.playouts += 1;
                self.full_plies += u64::from(game.plies);
            }
            Stop::Budget => self.exhausted += 1,
            Stop::Watcher => {}
        }
    }
}

/// Plays at random, at most `cap` plies per game, for as long as `running` returns true. Playout n draws from stream
/// n of the seed. `running` is asked before every question, so it has to be quick: rather a flag than a clock.
pub fn bench(engine: &dyn Engine, cap: u32, seed: u64, running: &dyn Fn() -> bool) -> Bench {
    let mut bench = Bench::default();
    let mut watch = |_: &mut dyn Run, _: &Chosen| running();
    let mut run = ready(engine);
    loop {
        let mut dice = Stream::new(seed, "bench", bench.playouts + bench.exhausted);
        run.restore();
        let game = playout(engine, run.as_mut(), cap, None, &mut dice, &mut watch);
        bench.add(&game);
        // Where the budget ends a playout before anything is played, nothing else looks at the clock.
        let unplayed = game.questions == 0 || game.stop == Stop::Budget;
        if game.stop == Stop::Watcher || unplayed && !running() {
            return bench;
        }
    }
}

/// The same for a fixed number of playouts.
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

/// A run at the start of the game, saved there.
fn ready(engine: &dyn Engine) -> Box<dyn Run + '_> {
    let mut run = engine.run();
    run.load(&engine.start());
    run.save();
    run
}
