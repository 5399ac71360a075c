//! Games as machine code: a game is [compiled](crate::module), and `wasmtime` makes instructions of this machine of it, in
//! some tens of milliseconds. Random games then take a half to a tenth of the interpreter's time.
//!
//! **Invariant:** a random game is the one that the interpreter plays with the same seed, ply by ply, and nothing but the
//! memory of its module is within its reach (`tests/native`).

use std::fmt;

use wasmtime::{
    Config, Engine, Error, Inlining, Instance, Module, ResourceLimiter, Store, StoreLimits, StoreLimitsBuilder,
    TypedFunc, WasmParams, WasmResults,
};

use crate::ir::Game;
use crate::model::Verdict;
use crate::module::{Untranslated, module};
use crate::play::{Bench, Stop};

/// The most bytes that one run may take.
const MEMORY: usize = 256 << 20;

/// A game as machine code. Clones are cheap and share it.
#[derive(Clone, Debug)]
pub struct Native {
    module: Module,
    seats: usize,
}

/// Why a game is not played as machine code.
#[derive(Debug)]
#[non_exhaustive]
pub enum NativeError {
    /// A rule cannot be compiled yet.
    Untranslated(Untranslated),
    /// This machine cannot run it.
    Machine(String),
    /// A decision took more than it may.
    Exhausted,
}

/// A random game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NativeGame {
    /// The number of plies.
    pub plies: u32,
    /// The number of decisions made by seats.
    pub decisions: u64,
    /// The total number of legal answers over all decisions.
    pub answers: u64,
    /// Why it stopped.
    pub stop: Stop,
    /// What became of each seat.
    pub verdicts: Vec<Verdict>,
    /// Each seat's score; 0 where the rules count none.
    pub scores: Vec<i64>,
}

/// Plays one random game after the other, on one thread.
pub struct NativeRun {
    store: Store<StoreLimits>,
    seats: usize,
    seed: TypedFunc<(i64, i64, i64), ()>,
    start: TypedFunc<(), ()>,
    playout: TypedFunc<i32, i32>,
    ply: TypedFunc<(), i32>,
    decisions: TypedFunc<(), i64>,
    answers: TypedFunc<(), i64>,
    verdict: TypedFunc<i32, i32>,
    score: TypedFunc<i32, i64>,
}

impl Native {
    /// Makes machine code of a game.
    ///
    /// # Errors
    /// If a rule cannot be compiled yet, or this machine runs no such code.
    pub fn new(game: &Game) -> Result<Self, NativeError> {
        let bytes = module(game).map_err(NativeError::Untranslated)?;
        let mut config = Config::new();
        config.compiler_inlining(Inlining::Yes);
        let engine = Engine::new(&config).map_err(|error| NativeError::unable(&error))?;
        let module = Module::new(&engine, bytes).map_err(|error| NativeError::unable(&error))?;
        Ok(Self { module, seats: game.seats.len() })
    }

    /// Prepares a run; each thread needs its own.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn run(&self) -> Result<NativeRun, NativeError> {
        let limits = StoreLimitsBuilder::new().memory_size(MEMORY).build();
        let mut store = Store::new(self.module.engine(), limits);
        store.limiter(|limits| -> &mut dyn ResourceLimiter { limits });
        let unable = |error: Error| NativeError::unable(&error);
        let found = Instance::new(&mut store, &self.module, &[]).map_err(unable)?;
        Ok(NativeRun {
            seats: self.seats,
            seed: function(&found, &mut store, "seed")?,
            start: function(&found, &mut store, "start")?,
            playout: function(&found, &mut store, "playout")?,
            ply: function(&found, &mut store, "ply")?,
            decisions: function(&found, &mut store, "decisions")?,
            answers: function(&found, &mut store, "answers")?,
            verdict: function(&found, &mut store, "verdict")?,
            score: function(&found, &mut store, "score")?,
            store,
        })
    }
}

fn function<Params: WasmParams, Results: WasmResults>(
    found: &Instance,
    store: &mut Store<StoreLimits>,
    name: &str,
) -> Result<TypedFunc<Params, Results>, NativeError> {
    found.get_typed_func(store, name).map_err(|error| NativeError::unable(&error))
}

impl NativeRun {
    /// Plays the game with a number, drawn from a seed, for at most so many plies.
    ///
    /// # Errors
    /// If a decision takes more than it may; the next game can be played all the same.
    pub fn play(&mut self, seed: u64, number: u64, cap: u32) -> Result<NativeGame, NativeError> {
        self.played(seed, number, cap).map_err(|_| NativeError::Exhausted)
    }

    /// Plays a game, of which nothing is asked but why it stopped.
    fn run(&mut self, seed: u64, number: u64, cap: u32) -> Result<Stop, Error> {
        let store = &mut self.store;
        self.seed.call(&mut *store, (seed.cast_signed(), 0, number.cast_signed()))?;
        self.start.call(&mut *store, ())?;
        Ok(match self.playout.call(&mut *store, cap.cast_signed())? {
            0 => Stop::Over,
            1 => Stop::Cap,
            _ => Stop::Budget,
        })
    }

    /// How many plies the last game had, and how many decisions.
    fn counts(&mut self) -> Result<(u32, u64), Error> {
        let store = &mut self.store;
        Ok((self.ply.call(&mut *store, ())?.cast_unsigned(), self.decisions.call(&mut *store, ())?.cast_unsigned()))
    }

    fn played(&mut self, seed: u64, number: u64, cap: u32) -> Result<NativeGame, Error> {
        let stop = self.run(seed, number, cap)?;
        let (plies, decisions) = self.counts()?;
        let store = &mut self.store;
        let (mut verdicts, mut scores) = (Vec::new(), Vec::new());
        for seat in (0..).take(self.seats) {
            verdicts.push(match self.verdict.call(&mut *store, seat)? {
                1 => Verdict::Win,
                2 => Verdict::Draw,
                3 => Verdict::Loss,
                _ => Verdict::Open,
            });
            scores.push(self.score.call(&mut *store, seat)?);
        }
        Ok(NativeGame {
            plies,
            decisions,
            answers: self.answers.call(&mut *store, ())?.cast_unsigned(),
            stop,
            verdicts,
            scores,
        })
    }

    /// Plays random games of at most `cap` plies for as long as `running` returns true, which is asked after each.
    /// Questions to chance are not counted.
    pub fn bench(&mut self, cap: u32, seed: u64, running: &dyn Fn() -> bool) -> Bench {
        let mut bench = Bench::default();
        loop {
            let stop = self.run(seed, bench.playouts + bench.exhausted, cap);
            match stop.and_then(|stop| Ok((stop, self.counts()?))) {
                Ok((stop, (plies, decisions))) => {
                    bench.plies += u64::from(plies);
                    bench.full_plies += u64::from(plies);
                    bench.decisions += decisions;
                    bench.questions += decisions;
                    bench.playouts += u64::from(stop != Stop::Budget);
                    bench.exhausted += u64::from(stop == Stop::Budget);
                }
                Err(_) => bench.exhausted += 1,
            }
            if !running() {
                return bench;
            }
        }
    }
}

impl fmt::Debug for NativeRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeRun").field("seats", &self.seats).finish_non_exhaustive()
    }
}

impl NativeError {
    fn unable(error: &Error) -> Self {
        Self::Machine(error.to_string())
    }
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untranslated(gap) => write!(f, "the rules cannot be compiled yet: {}", gap.what),
            Self::Machine(why) => write!(f, "this machine cannot run the compiled rules: {why}"),
            Self::Exhausted => f.write_str("a decision takes more than it may"),
        }
    }
}

impl std::error::Error for NativeError {}
