//! `bench`: plies per second in random playouts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::exit::{Exit, Failure};
use super::game::{GameArgs, no_threads, open};
use super::ui::Ui;
use crate::api::Rules;
use crate::model::Engine;
#[cfg(feature = "native")]
use crate::native::NativeRun;
use crate::play::{Bench, bench};

/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Measures plies per second in uniformly random playouts, on one thread
#[derive(Clone, Debug, clap::Args)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// How many seconds to play
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    seconds: f64,
    /// The maximum number of plies per game
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    cap: u32,
    /// Play compiled rules, as machine code; only decisions of seats are counted then
    #[cfg(feature = "native")]
    #[arg(long, conflicts_with = "engine")]
    native: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        Ok(_) | Err(_) => Err("write a number of seconds greater than 0, at most 86400".to_owned()),
    }
}

/// Runs the command.
#[expect(clippy::cast_precision_loss, reason = "rates need no more than 52 bits")]
pub(super) fn run(args: &BenchArgs, ui: Ui) -> Result<Exit, Failure> {
    let opened = open(ui, &args.game.game, &args.game.setup)?;
    let played = Played::new(args, &opened)?;
    let (begin, limit) = (Instant::now(), Duration::from_secs_f64(args.seconds));
    let bar = ui.bar(limit.as_secs(), "seconds");
    let (late, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let (found, engine) = thread::scope(|scope| {
        // A flag is read before every question; reading the clock there would slow down what is measured.
        let timing = || {
            while !done.load(Ordering::Relaxed) && begin.elapsed() < limit {
                bar.set_position(begin.elapsed().as_secs());
                thread::sleep(LOOK.min(limit.saturating_sub(begin.elapsed())));
            }
            late.store(true, Ordering::Relaxed);
        };
        thread::Builder::new().spawn_scoped(scope, timing).map_err(|error| no_threads(&error))?;
        let found = played.bench(args, &|| !late.load(Ordering::Relaxed));
        done.store(true, Ordering::Relaxed);
        Ok::<_, Failure>(found)
    })?;
    bar.finish_and_clear();
    let took = begin.elapsed().as_secs_f64().max(1e-9);
    let (plies, playouts) = (found.plies as f64 / took, found.playouts as f64 / took);
    let (decisions, questions) = (found.decisions as f64 / took, found.questions as f64 / took);
    if ui.is_json() {
        ui.json(&json!({
            "game": opened.game().name,
            "plies_per_second": plies,
            "decisions_per_second": decisions,
            "questions_per_second": questions,
            "playouts_per_second": playouts,
            "mean_plies": found.mean_plies(),
            "engine": engine,
            "budget": found.exhausted,
        }));
    } else {
        ui.line(format!("{}: {plies:.0} plies per second, {playouts:.2} playouts per second", opened.game().name));
        ui.line(format!("{decisions:.0} decisions of seats, {questions:.0} questions with those to chance per second"));
        ui.line(format!(
            "{} playouts of {:.1} plies on average in {took:.1} s, at most {} plies each, engine `{}`",
            found.playouts,
            found.mean_plies(),
            args.cap,
            engine
        ));
    }
    if found.exhausted > 0 {
        ui.note(format!("{} playouts were stopped by the step budget; the figures say little", found.exhausted));
        return Ok(Exit::Limit);
    }
    Ok(Exit::Done)
}

/// What plays.
enum Played<'a> {
    Interpreter(&'a dyn Engine),
    #[cfg(feature = "native")]
    Native(Box<NativeRun>),
}

impl<'a> Played<'a> {
    #[cfg(not(feature = "native"))]
    #[expect(clippy::unnecessary_wraps, reason = "machine code may be refused")]
    fn new(_: &BenchArgs, rules: &'a Rules) -> Result<Self, Failure> {
        Ok(Self::Interpreter(rules.engine()))
    }

    #[cfg(feature = "native")]
    fn new(args: &BenchArgs, rules: &'a Rules) -> Result<Self, Failure> {
        if !args.native {
            return Ok(Self::Interpreter(rules.engine()));
        }
        let run = rules.native().and_then(|native| native.run());
        let run = run.map_err(|error| {
            let failure = Failure::new(Exit::Faults, format!("`{}`: {error}", rules.name()));
            failure.cure("`compile` says which rule; without `--native` the interpreter plays it")
        })?;
        Ok(Self::Native(Box::new(run)))
    }

    /// Plays, and says who played.
    fn bench(self, args: &BenchArgs, running: &dyn Fn() -> bool) -> (Bench, &'a str) {
        let (cap, seed) = (args.cap, args.game.setup.seed());
        match self {
            Self::Interpreter(engine) => (bench(engine, cap, seed, running), engine.name()),
            #[cfg(feature = "native")]
            Self::Native(mut run) => (run.bench(cap, seed, running), "native"),
        }
    }
}
