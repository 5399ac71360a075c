//! Moves, with the action and its named parameters.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use regelwerk::Datum;

/// A move, a picked value or an outcome of chance.
///
/// `str(move)` is its text, as `State.play` reads it. Moves of one game are equal if they do the same.
#[pyclass(frozen, module = "regelwerk", eq, hash)]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Move(pub(crate) regelwerk::Move);

impl Eq for Move {}

#[pymethods]
impl Move {
    /// As text.
    #[getter]
    fn text(&self) -> &str {
        self.0.as_str()
    }

    /// The name of its action; `pick`, `pass`, `decline` or `wait` where it has none.
    #[getter]
    fn action(&self) -> String {
        self.0.action()
    }

    /// Its parameters by name, in the order of the rules: numbers as `int`, truth values as `bool`,
    /// names (sites, seats, kinds, …) as `str`, pieces as `Piece`, sets as `tuple`.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, value) in self.0.parameters() {
            found.set_item(name, datum(py, &value)?)?;
        }
        Ok(found)
    }

    fn __str__(&self) -> &str {
        self.0.as_str()
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.0)
    }
}

/// A piece in a move: pieces are equal if kind, owner and fields are.
#[pyclass(frozen, module = "regelwerk", eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    /// The name of its kind.
    #[pyo3(get)]
    kind: String,
    /// The name of the seat it belongs to, if it has an owner.
    #[pyo3(get)]
    owner: Option<String>,
    fields: Vec<(String, Datum)>,
}

#[pymethods]
impl Piece {
    /// The fields of its kind, by name.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, value) in &self.fields {
            found.set_item(name, datum(py, value)?)?;
        }
        Ok(found)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let owner = self.owner.as_ref().map(|owner| format!(" owner={owner}")).unwrap_or_default();
        Ok(format!("<Piece {}{owner} {}>", self.kind, self.fields(py)?.repr()?))
    }
}

/// A value for Python.
fn datum<'py>(py: Python<'py>, value: &Datum) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Datum::Number(number) => number.into_bound_py_any(py),
        Datum::Truth(truth) => truth.into_bound_py_any(py),
        Datum::Name(text) | Datum::Text(text) => text.into_bound_py_any(py),
        Datum::Piece { kind, owner, fields } => {
            Piece { kind: kind.clone(), owner: owner.clone(), fields: fields.clone() }.into_bound_py_any(py)
        }
        Datum::Set(members) => {
            let members = members.iter().map(|member| datum(py, member)).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, members)?.into_bound_py_any(py)
        }
        other => format!("{other:?}").into_bound_py_any(py),
    }
}
