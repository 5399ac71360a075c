//! Errors of the library as exceptions of `regelwerk.errors`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use regelwerk::{Diagnostic, LoadError, NotationError, PlayError};

use super::why::Why;

/// An exception of a class in `regelwerk.errors`.
fn raised(py: Python<'_>, class: &str, fields: &Bound<'_, PyDict>) -> PyErr {
    let made = py.import("regelwerk.errors").and_then(|module| module.getattr(class)?.call((), Some(fields)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The fields that every exception has.
fn fields<'py>(
    py: Python<'py>,
    message: &str,
    code: &str,
    cure: Option<&str>,
    place: Option<(&str, usize)>,
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("message", message)?;
    fields.set_item("code", code)?;
    fields.set_item("cure", cure)?;
    fields.set_item("file", place.map(|(file, _)| file))?;
    fields.set_item("line", place.map(|(_, line)| line))?;
    Ok(fields)
}

/// A report as `regelwerk.Diagnostic`.
pub(crate) fn diagnostic<'py>(py: Python<'py>, found: &Diagnostic) -> PyResult<Bound<'py, PyAny>> {
    let place = Some((found.place.file.as_str(), found.place.line));
    let fields = fields(py, &found.message, found.code, found.help.as_deref(), place)?;
    fields.set_item("severity", found.severity)?;
    fields.set_item("column", found.place.column)?;
    py.import("regelwerk.errors")?.getattr("Diagnostic")?.call((), Some(&fields))
}

/// Why rules could not be loaded.
pub(crate) fn load(py: Python<'_>, error: &LoadError) -> PyErr {
    let code = match error {
        LoadError::Unknown { .. } => "load/unknown-game",
        LoadError::Setting { .. } => "load/setting",
        _ => "load/file",
    };
    let made = || -> PyResult<PyErr> {
        let list = error.diagnostics().map(regelwerk::Diagnostics::list).unwrap_or_default();
        let first = list.iter().find(|found| found.severity == "error");
        let fields = match first {
            Some(found) => {
                let place = Some((found.place.file.as_str(), found.place.line));
                fields(py, &error.to_string(), found.code, found.help.as_deref(), place)?
            }
            None => fields(py, &error.to_string(), code, error.cure().as_deref(), None)?,
        };
        let list = list.iter().map(|found| diagnostic(py, found)).collect::<PyResult<Vec<_>>>()?;
        fields.set_item("diagnostics", pyo3::types::PyTuple::new(py, list)?)?;
        Ok(raised(py, "LoadError", &fields))
    };
    made().unwrap_or_else(|error| error)
}

/// Why a text means nothing.
pub(crate) fn notation(py: Python<'_>, error: &NotationError) -> PyErr {
    let cure = error.cure();
    let message = match &cure {
        Some(cure) => format!("{error}\n  help: {cure}"),
        None => error.to_string(),
    };
    text(py, &message, cure.as_deref())
}

/// The same, said in full.
pub(crate) fn text(py: Python<'_>, message: &str, cure: Option<&str>) -> PyErr {
    match fields(py, message, "notation", cure, None) {
        Ok(fields) => raised(py, "NotationError", &fields),
        Err(error) => error,
    }
}

/// Why a move could not be played.
pub(crate) fn play(py: Python<'_>, error: PlayError) -> PyErr {
    match error {
        PlayError::Text(error) => notation(py, &error),
        PlayError::Illegal(why) => {
            let place = why.rules().first().map(|rule| (rule.file.clone(), rule.line));
            let place = place.as_ref().map(|(file, line)| (file.as_str(), *line));
            let made = fields(py, &why.to_string(), "illegal", None, place).and_then(|fields| {
                fields.set_item("why", Bound::new(py, Why(why))?)?;
                Ok(fields)
            });
            match made {
                Ok(fields) => raised(py, "IllegalMove", &fields),
                Err(error) => error,
            }
        }
        other => text(py, &other.to_string(), None),
    }
}

/// What these rules cannot be used for, and what to do.
pub(crate) fn unfit(py: Python<'_>, message: &str, cure: &str) -> PyErr {
    match fields(py, &format!("{message}\n  help: {cure}"), "unfit", Some(cure), None) {
        Ok(fields) => raised(py, "UnfitError", &fields),
        Err(error) => error,
    }
}
