//! Rules.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use regelwerk::play::Record;

use super::fault;
use super::features::Features;
use super::games::asks;
use super::numbering::Numbering;
use super::state::State;

/// What was computed from rules once.
#[derive(Clone)]
pub(crate) struct Tables {
    pub(crate) numbering: Arc<Numbering>,
    pub(crate) features: Arc<Features>,
}

/// The rules of a game in one setup, ready to be played. `regelwerk.load` makes them.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct Rules {
    pub(crate) inner: regelwerk::Rules,
    tables: OnceLock<Tables>,
    /// How to load the same again.
    source: Py<PyDict>,
}

/// Loads rules: a bundled game or a path if `text` is none, else that text, with `name` in reports.
#[pyfunction]
#[pyo3(signature = (name, text, players, variants, options, readings, measures, by_turn, source))]
pub(crate) fn load(
    py: Python<'_>,
    name: &str,
    text: Option<&str>,
    players: Option<u32>,
    variants: Vec<String>,
    options: Vec<(String, String)>,
    readings: Vec<(String, String)>,
    measures: Vec<(String, String)>,
    by_turn: Vec<(String, String)>,
    source: Py<PyDict>,
) -> PyResult<Rules> {
    let loaded = py.detach(|| {
        let mut loader = regelwerk::Rules::loader();
        if let Some(players) = players {
            loader = loader.players(players);
        }
        for variant in &variants {
            loader = loader.variant(variant);
        }
        for (name, value) in &options {
            loader = loader.option(name, value);
        }
        for (name, value) in &readings {
            loader = loader.reading(name, value);
        }
        for (name, expression) in &measures {
            loader = loader.measure(name, expression);
        }
        for (name, expression) in &by_turn {
            loader = loader.measure_by_turn(name, expression);
        }
        match text {
            Some(text) => loader.text(name, text),
            None => loader.path(name),
        }
    });
    let inner = loaded.map_err(|error| fault::load(py, &error))?;
    Ok(Rules { inner, tables: OnceLock::new(), source })
}

/// The names of the bundled games.
#[pyfunction]
pub(crate) fn bundled() -> Vec<&'static str> {
    regelwerk::Rules::bundled_names()
}

/// Checks a text under every number of players, variant and reading; `None` for a file.
#[pyfunction]
pub(crate) fn check<'py>(py: Python<'py>, name: &str, text: Option<&str>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let found = match text {
        Some(text) => Ok(regelwerk::Rules::check(name, text, &regelwerk::bundled::Bundled)),
        None => regelwerk::Rules::check_path(name),
    };
    let found = found.map_err(|error| fault::load(py, &error))?;
    found.list().iter().map(|one| fault::diagnostic(py, one)).collect()
}

impl Rules {
    /// The tables of actions and observations.
    pub(crate) fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let engine = self.inner.engine();
            Tables { numbering: Arc::new(Numbering::new(engine)), features: Arc::new(Features::new(engine)) }
        })
    }
}

#[pymethods]
impl Rules {
    /// The name or path they were loaded from.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The title of the game.
    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    /// The names of the seats in the rules, in turn order.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.inner.engine().game().seats.iter().map(|seat| seat.name.clone()).collect()
    }

    /// The titles of the seats, in turn order.
    #[getter]
    fn seat_titles(&self) -> Vec<&str> {
        self.inner.seats().collect()
    }

    /// The supported numbers of players, the default first.
    #[getter]
    fn player_counts(&self) -> Vec<u32> {
        self.inner.player_counts().to_vec()
    }

    /// The variants: name and title.
    #[getter]
    fn variants(&self) -> Vec<(&str, &str)> {
        self.inner.variants().collect()
    }

    /// What the document leaves open: each reading with the values it can have, the default first.
    #[getter]
    fn readings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        choices(py, self.inner.readings())
    }

    /// The options, each with the values it can have, the default first; of a number that is not
    /// limited to a few values only the default.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        choices(py, self.inner.options())
    }

    /// A digest of the rules as resolved, the same on every machine.
    #[getter]
    fn digest(&self) -> String {
        self.inner.digest()
    }

    /// Whether every seat sees everything.
    #[getter]
    fn is_open(&self) -> bool {
        self.inner.engine().game().has_perfect_information()
    }

    /// Who may be asked: some of `choose`, `pick`, `race`, `together` and `chance`.
    #[getter]
    fn asks(&self) -> Vec<&'static str> {
        asks(self.inner.engine().game())
    }

    /// What is surely not intended, though the rules can be played.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.inner.warnings().list().iter().map(|found| fault::diagnostic(py, found)).collect()
    }

    /// Starts a game. Chance is drawn from the seed, and the same seed gives the same game; with
    /// `chance=True` questions to chance are left to the program, which sees them as legal moves.
    #[pyo3(signature = (seed = 0, *, chance = false))]
    fn new(slf: &Bound<'_, Self>, seed: u64, chance: bool) -> State {
        let rules = &slf.get().inner;
        let session = if chance { rules.session_with_chance(seed) } else { rules.session(seed) };
        State::new(slf, session, chance)
    }

    /// Starts a game from a position, as `View.text` of a whole position writes it.
    #[pyo3(signature = (position, seed = 0))]
    fn at(slf: &Bound<'_, Self>, position: &str, seed: u64) -> PyResult<State> {
        let session = slf.get().inner.session_at(position, seed);
        Ok(State::new(slf, session.map_err(|error| fault::notation(slf.py(), &error))?, false))
    }

    /// Plays a recorded game again, up to its last step; `State.record` writes records.
    #[pyo3(signature = (record, *, chance = false))]
    fn replay(slf: &Bound<'_, Self>, record: &str, chance: bool) -> PyResult<State> {
        let rules = &slf.get().inner;
        let fault = |error: &dyn std::fmt::Display| fault::text(slf.py(), &error.to_string(), None);
        let record = Record::parse(record).map_err(|error| fault(&error))?;
        let replayed = if chance { rules.replay_with_chance(&record) } else { rules.replay(&record) };
        let session = replayed.map_err(|error| fault(&error))?;
        Ok(State::new(slf, session, chance))
    }

    /// How many actions there are in the fixed numbering.
    #[getter]
    fn action_count(&self) -> usize {
        self.tables().numbering.size()
    }

    /// The parts of the numbering: what each is for, its first number, how many numbers it has.
    #[getter]
    fn action_groups(&self) -> Vec<(String, usize, usize)> {
        self.tables().numbering.groups()
    }

    /// How many numbers an observation has.
    #[getter]
    fn observation_size(&self) -> usize {
        self.tables().features.size()
    }

    /// The parts of an observation: what each shows, its first number, its shape.
    #[getter]
    fn observation_parts(&self) -> Vec<(String, usize, Vec<usize>)> {
        self.tables().features.parts()
    }

    /// The most different outcomes a question to chance has, as far as the rules tell beforehand.
    #[getter]
    fn chance_count(&self) -> usize {
        self.tables().numbering.chance()
    }

    /// How to load the same rules again.
    #[getter]
    fn source(&self, py: Python<'_>) -> Py<PyDict> {
        self.source.clone_ref(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyDict>, String))> {
        let restore = py.import("regelwerk.restore")?.getattr("rules")?;
        Ok((restore, (self.source.clone_ref(py), self.inner.digest())))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (_memo = None))]
    fn __deepcopy__(slf: Bound<'_, Self>, _memo: Option<Py<PyAny>>) -> Bound<'_, Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().inner.digest() == self.inner.digest())
    }

    fn __hash__(&self) -> u64 {
        self.inner.engine().game().digest
    }

    fn __repr__(&self) -> String {
        format!("<Rules {} for {} players>", self.inner.name(), self.inner.seats().count())
    }
}

fn choices<'py>(py: Python<'py>, choices: &[regelwerk::Choice]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for choice in choices {
        let others = choice.values.iter().filter(|value| **value != choice.default);
        found.set_item(&choice.name, std::iter::once(&choice.default).chain(others).collect::<Vec<_>>())?;
    }
    Ok(found)
}
