//! Many games at once, for learning: one call moves all of them on, and writes what the seats to move
//! see, may do and got into arrays that stay where they are.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use regelwerk::ir::SeatId;
use regelwerk::play::Stream;

use super::fault;
use super::games::{Common, Games, One, Row, Worth, asks};
use super::numbering::Overflow;
use super::rules::Rules;
use super::state::Seat;

/// So many games are one task of a thread.
const TASK: usize = 16;

/// Many games at once; `regelwerk.VectorEnv` presents it.
#[pyclass(frozen, module = "regelwerk._core")]
pub(crate) struct Batch {
    common: Common,
    games: Mutex<Games>,
    count: usize,
    pool: Option<rayon::ThreadPool>,
    /// What the seat to move sees in each game.
    #[pyo3(get)]
    observations: Py<PyArray2<f32>>,
    /// What was seen last in games that ended in this step.
    #[pyo3(get)]
    final_observations: Py<PyArray2<f32>>,
    /// Which actions are legal in each game.
    #[pyo3(get)]
    masks: Py<PyArray2<bool>>,
    /// What each seat got by the last step in each game.
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    /// The seat to move in each game.
    #[pyo3(get)]
    to_move: Py<PyArray1<i64>>,
    /// Whether the last step ended the game.
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    /// Whether the last step stopped it undecided.
    #[pyo3(get)]
    truncated: Py<PyArray1<bool>>,
    /// What `sample` drew.
    #[pyo3(get)]
    sampled: Py<PyArray1<i64>>,
}

/// The arrays while they are written.
struct Arrays<'py> {
    observations: PyReadwriteArray2<'py, f32>,
    last: PyReadwriteArray2<'py, f32>,
    masks: PyReadwriteArray2<'py, bool>,
    rewards: PyReadwriteArray2<'py, f32>,
    to_move: PyReadwriteArray1<'py, i64>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
}

impl Batch {
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        Ok(Arrays {
            observations: self.observations.bind(py).try_readwrite()?,
            last: self.final_observations.bind(py).try_readwrite()?,
            masks: self.masks.bind(py).try_readwrite()?,
            rewards: self.rewards.bind(py).try_readwrite()?,
            to_move: self.to_move.bind(py).try_readwrite()?,
            terminated: self.terminated.bind(py).try_readwrite()?,
            truncated: self.truncated.bind(py).try_readwrite()?,
        })
    }

    /// Does something to each game and its row.
    fn each(
        &self,
        py: Python<'_>,
        act: impl Fn(usize, &mut One<'_>, &mut Row<'_>) -> Result<(), Overflow> + Sync,
    ) -> PyResult<()> {
        let mut arrays = self.arrays(py)?;
        let mut rows = arrays.rows(self.count)?;
        let done = py.detach(|| {
            let mut games = lock(&self.games);
            games.with_dependent_mut(|_, games| match &self.pool {
                None => games.iter_mut().zip(&mut rows).enumerate().try_for_each(|(n, (game, row))| act(n, game, row)),
                Some(pool) => pool.install(|| {
                    let all = games.par_iter_mut().zip(rows.par_iter_mut()).enumerate().with_min_len(TASK);
                    all.try_for_each(|(n, (game, row))| act(n, game, row))
                }),
            })
        });
        done.map_err(|error| error.raise(py))
    }
}

fn lock(games: &Mutex<Games>) -> MutexGuard<'_, Games> {
    games.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Arrays<'_> {
    fn rows(&mut self, count: usize) -> PyResult<Vec<Row<'_>>> {
        fn chunks<T>(all: &mut [T], count: usize) -> impl Iterator<Item = &mut [T]> {
            let each = (all.len() / count.max(1)).max(1);
            all.chunks_mut(each)
        }
        let rows = chunks(self.observations.as_slice_mut()?, count)
            .zip(chunks(self.last.as_slice_mut()?, count))
            .zip(chunks(self.masks.as_slice_mut()?, count))
            .zip(chunks(self.rewards.as_slice_mut()?, count))
            .zip(self.to_move.as_slice_mut()?)
            .zip(self.terminated.as_slice_mut()?)
            .zip(self.truncated.as_slice_mut()?);
        let row = |((((((observation, last), mask), rewards), to_move), terminated), truncated)| Row {
            observation,
            last,
            mask,
            rewards,
            to_move,
            terminated,
            truncated,
        };
        Ok(rows.map(row).collect())
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (rules, count, seed, cap, learner, rewards, threads))]
    fn new(
        rules: &Bound<'_, Rules>,
        count: usize,
        seed: u64,
        cap: u32,
        learner: Option<Seat>,
        rewards: &str,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let (py, inner) = (rules.py(), &rules.get().inner);
        let game = inner.engine().game();
        if asks(game).contains(&"race") {
            let message = format!("{} has races: nobody is asked there, whoever acts first acts", inner.name());
            return Err(fault::unfit(py, &message, "play it with `State`, or `simulate` it"));
        }
        let worth = match rewards {
            "outcome" => Worth::Outcome,
            "scores" => Worth::Scores,
            other => return Err(PyValueError::new_err(format!("rewards are `outcome` or `scores`, not `{other}`"))),
        };
        let learner = learner.map(|seat| seat.number(inner)).transpose()?.map(SeatId::new);
        let threads = threads.unwrap_or_else(rayon::current_num_threads);
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).transpose();
        let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let tables = rules.get().tables().clone();
        let (size, width, seats) = (tables.features.size(), tables.numbering.size(), game.seats.len());
        let games = Games::new(inner.shared_engine(), |engine| {
            let start = engine.start();
            (0..count as u64)
                .map(|number| {
                    let mut run = engine.run();
                    run.load(&start);
                    run.save();
                    let (dice, sampling) = (Stream::new(seed, "game", number), Stream::new(seed, "sample", number));
                    One { run, dice, sampling, legal: Vec::new(), questions: 0 }
                })
                .collect()
        });
        Ok(Self {
            common: Common { rules: inner.clone(), tables, cap, learner, worth, seats },
            games: Mutex::new(games),
            count,
            pool,
            observations: PyArray2::zeros(py, [count, size], false).unbind(),
            final_observations: PyArray2::zeros(py, [count, size], false).unbind(),
            masks: PyArray2::zeros(py, [count, width], false).unbind(),
            rewards: PyArray2::zeros(py, [count, seats], false).unbind(),
            to_move: PyArray1::zeros(py, [count], false).unbind(),
            terminated: PyArray1::zeros(py, [count], false).unbind(),
            truncated: PyArray1::zeros(py, [count], false).unbind(),
            sampled: PyArray1::zeros(py, [count], false).unbind(),
        })
    }

    /// Starts all games again; with a seed, from new streams.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let common = &self.common;
        self.each(py, |number, game, row| {
            if let Some(seed) = seed {
                game.dice = Stream::new(seed, "game", number as u64);
                game.sampling = Stream::new(seed, "sample", number as u64);
            }
            game.restart(common);
            row.rewards.fill(0.0);
            (*row.terminated, *row.truncated) = (false, false);
            game.write(common, row)
        })
    }

    /// Plays an action in each game.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        if actions.len() != self.count {
            let message = format!("{} actions for {} games", actions.len(), self.count);
            return Err(PyValueError::new_err(message));
        }
        let wrong = lock(&self.games).with_dependent(|_, games| {
            let legal =
                |game: &One<'_>, action: i64| usize::try_from(action).is_ok_and(|action| game.legal.contains(&action));
            games.iter().zip(actions).position(|(game, action)| !legal(game, *action))
        });
        if let Some(game) = wrong {
            let action = actions.get(game).copied().unwrap_or_default();
            return Err(PyValueError::new_err(format!("action {action} is not legal in game {game}: see `masks`")));
        }
        let common = &self.common;
        self.each(py, |number, game, row| {
            let action = actions.get(number).and_then(|action| usize::try_from(*action).ok());
            action.map_or(Ok(()), |action| game.step(common, action, row))
        })
    }

    /// Draws a legal action in each game, all equally likely.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut sampled = self.sampled.bind(py).try_readwrite()?;
        let places = sampled.as_slice_mut()?;
        lock(&self.games).with_dependent_mut(|_, games| {
            for (game, place) in games.iter_mut().zip(places) {
                let chosen = game.sampling.below(game.legal.len());
                *place = game.legal.get(chosen).and_then(|number| i64::try_from(*number).ok()).unwrap_or(-1);
            }
        });
        Ok(self.sampled.bind(py).clone())
    }
}
