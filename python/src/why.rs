//! Explanations.

use pyo3::prelude::*;
use regelwerk::Explanation;

/// Whether a move is legal, and by which rules. As text it is an explanation for players; it is true
/// if the move is legal.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct Why(pub(crate) Explanation);

#[pymethods]
impl Why {
    /// Whether it is legal.
    #[getter]
    fn legal(&self) -> bool {
        self.0.is_legal()
    }

    /// The rules that forbid it, the most relevant first, or those it relies on.
    #[getter]
    fn rules(&self) -> Vec<Rule> {
        self.0.rules().iter().cloned().map(Rule).collect()
    }

    fn __bool__(&self) -> bool {
        self.0.is_legal()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let cited: Vec<&str> =
            self.0.rules().iter().flat_map(|rule| &rule.clauses).map(|clause| clause.name.as_str()).collect();
        format!("<Why legal={} clauses={cited:?}>", if self.0.is_legal() { "True" } else { "False" })
    }
}

/// A rule of the rule file, with the clauses it implements.
#[pyclass(frozen, module = "regelwerk")]
pub(crate) struct Rule(regelwerk::Rule);

#[pymethods]
impl Rule {
    /// What kind of rule it is, such as `guard`.
    #[getter]
    fn kind(&self) -> &str {
        self.0.kind
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The file it is in.
    #[getter]
    fn file(&self) -> &str {
        &self.0.file
    }

    /// The line, from 1.
    #[getter]
    fn line(&self) -> usize {
        self.0.line
    }

    /// The text of the line.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The clauses it implements: the id of each, without the §, and what it says.
    #[getter]
    fn clauses(&self) -> Vec<(String, String)> {
        self.0.clauses.iter().map(|clause| (clause.name.clone(), clause.text.clone())).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Rule {} {} {}:{}>", self.0.kind, self.0.name, self.0.file, self.0.line)
    }
}
