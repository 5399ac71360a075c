//! Many games at once, for learning: one call moves all of them on, and writes what the seats to move
//! see, may do and got into arrays that stay where they are.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use regelwerk::ir::{Asked, Game, SeatId, StmtKind};
use regelwerk::model::{Ask, Engine, Outcome, Run, Verdict, Viewer};
use regelwerk::play::Stream;
use self_cell::self_cell;

use super::fault;
use super::numbering::Overflow;
use super::rules::{Rules, Tables};
use super::state::Seat;

/// The most consecutive questions without one to a learner; rules that exceed it never ask.
const QUESTIONS: usize = 1_000_000;

/// So many games are one task of a thread.
const TASK: usize = 16;

/// Who may be asked in a game, as words.
pub(crate) fn asks(game: &Game) -> Vec<&'static str> {
    let stmts = || game.blocks.iter().flat_map(|block| &block.stmts).map(|stmt| &stmt.kind);
    let any = |wanted: fn(&StmtKind) -> bool| stmts().any(wanted);
    let words = [
        ("choose", any(|kind| matches!(kind, StmtKind::Plays { .. }))),
        ("pick", any(|kind| matches!(kind, StmtKind::Pick(..)))),
        ("together", any(|kind| matches!(kind, StmtKind::Together { .. }))),
        ("race", any(|kind| matches!(kind, StmtKind::Race { .. }))),
        ("chance", any(|kind| kind.asks() == Some(Asked::Chance))),
    ];
    words.into_iter().filter(|(_, is)| *is).map(|(word, _)| word).collect()
}

/// What an outcome is worth to each seat, from -1 to 1.
pub(crate) fn returns(outcome: &Outcome) -> Vec<f32> {
    let worth = |verdict: &Verdict| match verdict {
        Verdict::Win => 1.0,
        Verdict::Loss => -1.0,
        Verdict::Draw | Verdict::Open => 0.0,
    };
    let verdicts = &outcome.verdicts;
    // All win or lose together, or play alone.
    if !outcome.decided() || verdicts.windows(2).all(|pair| pair[0] == pair[1]) {
        return verdicts.iter().map(worth).collect();
    }
    let place = |rank: &u8| if *rank == 0 { u8::MAX } else { *rank };
    let others = f32::from(u8::try_from(verdicts.len() - 1).unwrap_or(u8::MAX));
    let each = outcome.ranks.iter().map(|rank| {
        let signs = outcome.ranks.iter().map(|other| match place(other).cmp(&place(rank)) {
            std::cmp::Ordering::Less => -1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 1.0,
        });
        signs.sum::<f32>() / others
    });
    each.collect()
}

/// What seats get at the end of a game.
#[derive(Clone, Copy, Debug)]
enum Worth {
    Outcome,
    Scores,
}

impl Worth {
    fn of(self, outcome: &Outcome) -> Vec<f32> {
        #[expect(clippy::cast_precision_loss, reason = "rewards are single-precision numbers")]
        let number = |score: &i64| *score as f32;
        match self {
            Self::Scores if !outcome.scores.is_empty() => outcome.scores.iter().map(number).collect(),
            Self::Outcome | Self::Scores => returns(outcome),
        }
    }
}

/// One of the games.
struct One<'a> {
    run: Box<dyn Run + 'a>,
    dice: Stream,
    /// Draws for `sample`.
    sampling: Stream,
    /// The numbers of the legal actions.
    legal: Vec<usize>,
    questions: u64,
}

type Many<'a> = Vec<One<'a>>;

self_cell!(
    /// Games together with what runs them.
    struct Games {
        owner: Arc<dyn Engine>,
        #[not_covariant]
        dependent: Many,
    }
);

/// What games have in common.
struct Common {
    rules: regelwerk::Rules,
    tables: Tables,
    cap: u32,
    /// The seat that learns, if the others are played at random.
    learner: Option<SeatId>,
    worth: Worth,
    seats: usize,
}

/// Where a game is written.
struct Row<'r> {
    observation: &'r mut [f32],
    last: &'r mut [f32],
    mask: &'r mut [bool],
    rewards: &'r mut [f32],
    to_move: &'r mut i64,
    terminated: &'r mut bool,
    truncated: &'r mut bool,
}

impl One<'_> {
    /// Plays chance, and the seats that do not learn, up to the next question to one that does.
    fn advance(&mut self, common: &Common) {
        for _ in 0..QUESTIONS {
            match (self.run.ask(), common.learner) {
                (Ask::Over, _) | (Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }, None) => return,
                (Ask::Choose { seat, .. } | Ask::Pick { seat, .. }, Some(learner)) if seat == learner => return,
                (Ask::Chance { .. } | Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }, _) => {
                    let count = self.run.count();
                    if count == 0 || self.run.ply() >= common.cap {
                        return;
                    }
                    let chosen = self.dice.below(count);
                    self.run.play_nth(chosen);
                }
            }
        }
    }

    fn restart(&mut self, common: &Common) {
        self.run.restore();
        self.questions = 0;
        self.advance(common);
    }

    /// Whether it is to be stopped undecided.
    fn is_stopped(&mut self, common: &Common) -> bool {
        self.run.ply() >= common.cap || self.questions >= u64::from(common.cap) * 64 || self.run.count() == 0
    }

    /// Plays an action and writes what it led to. A game that ends is followed by the next at once.
    fn step(&mut self, common: &Common, action: usize, row: &mut Row<'_>) -> Result<(), Overflow> {
        if let Some(n) = self.legal.iter().position(|number| *number == action) {
            self.run.play_nth(n);
            self.questions += 1;
            self.advance(common);
        }
        row.rewards.fill(0.0);
        let over = self.run.outcome().map(|outcome| common.worth.of(outcome));
        *row.terminated = over.is_some();
        *row.truncated = over.is_none() && self.is_stopped(common);
        if let Some(worth) = over {
            row.rewards.iter_mut().zip(worth).for_each(|(place, worth)| *place = worth);
        }
        for _ in 0..QUESTIONS {
            if self.run.outcome().is_none() && !self.is_stopped(common) {
                break;
            }
            if *row.terminated || *row.truncated {
                let me = common
                    .learner
                    .or_else(|| SeatId::all(common.seats).nth(usize::try_from(*row.to_move).unwrap_or_default()));
                self.see(common, me.unwrap_or(SeatId::FIRST), row.last);
            }
            self.restart(common);
        }
        self.write(common, row)
    }

    /// Writes what a seat sees.
    fn see(&self, common: &Common, me: SeatId, into: &mut [f32]) {
        let (engine, position) = (common.rules.engine(), self.run.position());
        into.fill(0.0);
        let features = &common.tables.features;
        if engine.game().is_open() {
            features.write(&position, usize::from(me), into);
        } else {
            let seen = engine.explain().observation(&position, Viewer::Seat(me));
            features.write(&seen, usize::from(me), into);
        }
    }

    /// Writes what the seat to move sees and may do.
    fn write(&mut self, common: &Common, row: &mut Row<'_>) -> Result<(), Overflow> {
        for number in self.legal.drain(..) {
            if let Some(place) = row.mask.get_mut(number) {
                *place = false;
            }
        }
        let ask = self.run.ask();
        let seat = match ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(seat),
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => None,
        };
        *row.to_move = seat.map_or(-1, i64::from);
        let mut used = Vec::new();
        for n in 0..self.run.count() {
            if let Some(mv) = self.run.legal(n) {
                let number = common.tables.numbering.number(&ask, &mv, &mut used)?;
                self.legal.push(number);
                if let Some(place) = row.mask.get_mut(number) {
                    *place = true;
                }
            }
        }
        self.see(common, seat.unwrap_or(SeatId::FIRST), row.observation);
        Ok(())
    }
}

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
