//! Random games in parallel, without Python's lock, as columns.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use regelwerk::model::Ending;
use regelwerk::{Bot, BotError, Played, Verdict};

use super::rules::Rules;

/// The longest time between two looks at signals and progress.
const LOOK: Duration = Duration::from_millis(50);

/// Plays random games; `progress` is called now and then with the number of games done. The columns
/// by name; Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (rules, first, games, seed, cap, bots, threads, progress))]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    rules: &Bound<'py, Rules>,
    first: u64,
    games: u64,
    seed: u64,
    cap: u32,
    bots: Vec<String>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let inner = rules.get().inner.clone();
    let bots = bots.iter().map(|bot| bot.parse::<Bot>()).collect::<Result<Vec<_>, _>>();
    let unfit = |error: BotError| PyValueError::new_err(error.to_string());
    let bots = bots.map_err(unfit)?;
    bots.iter().try_for_each(|bot| bot.fits(&inner)).map_err(unfit)?;
    let mut builder = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = threads {
        builder = builder.num_threads(threads);
    }
    let pool = builder.build().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let (done, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let played = thread::scope(|scope| {
        let work = scope.spawn(|| {
            let keep_going = |games| {
                done.fetch_max(games, Ordering::Relaxed);
                !stop.load(Ordering::Relaxed)
            };
            let plan = inner.simulate(games).from(first).seed(seed).cap(cap);
            pool.install(|| plan.seats(&bots).map(|plan| plan.each(&keep_going)))
        });
        let mut pause = Duration::from_millis(1);
        let mut watched = Ok(());
        while !work.is_finished() {
            py.detach(|| thread::sleep(pause));
            pause = LOOK.min(pause * 2);
            let told = |progress: &Bound<'py, PyAny>| progress.call1((done.load(Ordering::Relaxed),)).map(|_| ());
            watched = py.check_signals().and_then(|()| progress.as_ref().map_or(Ok(()), told));
            if watched.is_err() {
                stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        let played = py.detach(|| work.join()).map_err(|_| PyRuntimeError::new_err("a simulation broke off"));
        watched.and(played)
    })?;
    columns(py, &inner, &played.map_err(unfit)?)
}

fn columns<'py>(py: Python<'py>, rules: &regelwerk::Rules, played: &[Played]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    let seats = rules.engine().game().seats.len();
    found.set_item("plies", PyArray1::from_iter(py, played.iter().map(|game| game.plies)))?;
    found.set_item("turns", PyArray1::from_iter(py, played.iter().map(|game| game.turns)))?;
    found.set_item("decisions", PyArray1::from_iter(py, played.iter().map(|game| game.decisions)))?;
    found.set_item("answers", PyArray1::from_iter(py, played.iter().map(|game| game.answers)))?;
    let outcomes = || played.iter().map(|game| game.outcome.as_ref().map(regelwerk::Outcome::model));
    let verdict = |verdict: Option<Verdict>| match verdict {
        Some(Verdict::Win) => 1,
        Some(Verdict::Draw) => 0,
        Some(Verdict::Loss) => -1,
        Some(Verdict::Open) | None => -2,
    };
    let verdicts = outcomes().flat_map(|outcome| {
        (0..seats).map(move |seat| verdict(outcome.and_then(|outcome| outcome.verdicts.get(seat)).copied()))
    });
    found.set_item("verdicts", table(py, verdicts.collect::<Vec<i8>>(), seats)?)?;
    let ranks = outcomes().flat_map(|outcome| {
        (0..seats).map(move |seat| outcome.and_then(|outcome| outcome.ranks.get(seat)).copied().unwrap_or_default())
    });
    found.set_item("ranks", table(py, ranks.collect::<Vec<u8>>(), seats)?)?;
    let scored = outcomes().flatten().any(|outcome| !outcome.scores.is_empty());
    #[expect(clippy::cast_precision_loss, reason = "what is not scored is not a number")]
    let scores = outcomes().filter(|_| scored).flat_map(|outcome| {
        (0..seats).map(move |seat| {
            outcome.and_then(|outcome| outcome.score(seat)).map_or(f64::NAN, |score| score as f64)
        })
    });
    found.set_item("scores", table(py, scores.collect::<Vec<f64>>(), if scored { seats } else { 0 })?)?;
    found.set_item("measures", measured(py, rules, played)?)?;
    let mut names: Vec<String> = Vec::new();
    let game = rules.engine().game();
    let mut ended = Vec::new();
    for outcome in outcomes() {
        let name = match outcome.map(|outcome| outcome.ending) {
            None => "stopped".to_owned(),
            Some(ending @ Ending::Rule(rule)) => {
                game.rules.get(rule).map_or_else(|| ending.word().to_owned(), |rule| rule.name.clone())
            }
            Some(ending) => ending.word().to_owned(),
        };
        let number = names.iter().position(|other| *other == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        ended.push(i32::try_from(number).unwrap_or(i32::MAX));
    }
    found.set_item("endings", PyArray1::from_vec(py, ended))?;
    found.set_item("ending_names", names)?;
    Ok(found)
}

/// A column for each measure: its value in each game, the mean of its values where it is read by turn, not a number where
/// it was never read.
fn measured<'py>(py: Python<'py>, rules: &regelwerk::Rules, played: &[Played]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    #[expect(clippy::cast_precision_loss, reason = "means are floating-point numbers")]
    let mean = |values: &[i64]| {
        let sum: i128 = values.iter().copied().map(i128::from).sum();
        sum as f64 / values.len() as f64
    };
    for (at, measure) in rules.engine().game().measures.iter().enumerate() {
        let column = played.iter().map(|game| game.measured.get(at).map_or(f64::NAN, |values| mean(values)));
        found.set_item(&measure.name, PyArray1::from_iter(py, column))?;
    }
    Ok(found)
}

fn table<T: numpy::Element>(py: Python<'_>, all: Vec<T>, columns: usize) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = all.len().checked_div(columns).unwrap_or_default();
    PyArray1::from_vec(py, all).reshape([rows, columns])
}
