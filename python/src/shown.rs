//! Positions as seen, outcomes.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use regelwerk::Position;
use regelwerk::notation::{print_pieces, print_value, variable_name, zone_name};

use super::games::returns;

/// A position, whole or as somebody sees it. As text it is the board and the question; a hidden piece
/// is `?`, and a hidden variable has no value.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct View(pub(crate) Position);

#[pymethods]
impl View {
    /// On one line; if it is the whole position, as `Rules.at` reads it.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// The number of plies played.
    #[getter]
    fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// The sites of the board by name, each with the piece on it as text.
    #[getter]
    fn sites<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, piece) in self.0.sites() {
            found.set_item(name, piece)?;
        }
        Ok(found)
    }

    /// The zones by name, such as `hand(white)`, each with its pieces as text.
    #[getter]
    fn zones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (game, found) = (self.0.rules().engine().game(), PyDict::new(py));
        for (zone, lists) in self.0.model().zones.iter().enumerate() {
            for (index, pieces) in lists.iter().enumerate() {
                let texts: Vec<String> =
                    pieces.iter().map(|piece| print_pieces(game, std::slice::from_ref(piece))).collect();
                found.set_item(zone_name(game, zone, index), texts)?;
            }
        }
        Ok(found)
    }

    /// The variables by name, such as `score(white)`, each with its value as text; `?` is hidden.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (game, found) = (self.0.rules().engine().game(), PyDict::new(py));
        for (var, (info, values)) in game.vars.iter().zip(&self.0.model().vars).enumerate() {
            for (index, value) in values.iter().enumerate() {
                found.set_item(variable_name(game, var, index), print_value(game, &info.ty, value))?;
            }
        }
        Ok(found)
    }

    /// The counted tokens by name and seat (`None` where nobody owns them): how many lie on each site
    /// on which some do.
    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (game, found) = (self.0.rules().engine().game(), PyDict::new(py));
        let mut pools = self.0.model().tokens.iter();
        for tokens in &game.tokens {
            let owners: Vec<Option<&str>> = if tokens.owned {
                game.seats.iter().map(|seat| Some(seat.name.as_str())).collect()
            } else {
                vec![None]
            };
            for owner in owners {
                let lying = PyDict::new(py);
                let counts = pools.next().into_iter().flatten();
                for (site, count) in game.topology.sites.iter().zip(counts).filter(|(_, count)| **count > 0) {
                    lying.set_item(&site.name, count)?;
                }
                found.set_item((&tokens.name, owner), lying)?;
            }
        }
        Ok(found)
    }

    /// The board as a picture; empty if there is none.
    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> Option<String> {
        let picture = self.0.svg();
        (!picture.is_empty()).then_some(picture)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<View {}>", self.0.text())
    }
}

/// How a game ended. As text it says who won and by which clause.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct Outcome(pub(crate) regelwerk::Outcome);

#[pymethods]
impl Outcome {
    /// The numbers of the seats that won.
    #[getter]
    fn winners(&self) -> Vec<usize> {
        self.0.winners()
    }

    /// What it means for each seat: `win`, `draw`, `loss` or `open`.
    #[getter]
    fn verdicts(&self) -> Vec<&'static str> {
        self.0.model().verdicts.iter().map(|verdict| verdict.word()).collect()
    }

    /// The rank of each seat from 1, if it has one; ties share theirs.
    #[getter]
    fn ranks(&self) -> Vec<Option<u8>> {
        self.0.model().ranks.iter().map(|rank| (*rank > 0).then_some(*rank)).collect()
    }

    /// The score of each seat, none for one that is not ranked; empty if the rules do not score.
    #[getter]
    fn scores(&self) -> Vec<Option<i64>> {
        let outcome = self.0.model();
        (0..outcome.scores.len()).map(|seat| outcome.score(seat)).collect()
    }

    /// What it is worth to each seat, from -1 to 1: 1 for a win, 0 for a draw or where nothing was
    /// decided, -1 for a loss; where the rules rank more than two, evenly spaced by rank.
    #[getter]
    fn returns(&self) -> Vec<f32> {
        returns(self.0.model())
    }

    /// Whether the rules decided the game; otherwise it stopped undecided.
    #[getter]
    fn is_decided(&self) -> bool {
        self.0.is_decided()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.verdicts().join(" "))
    }
}
