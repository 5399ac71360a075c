//! What a check found.

use std::fmt;

use crate::base::Sources;
use crate::report::{Diagnostic, Rendered, Report, Reports, Severity, Style, diagnostic, render};

/// How wide the lines of a report may be.
const WIDTH: usize = 100;

/// What a check of rules found: errors and warnings, in the order of their places.
///
/// As text ([`Display`](fmt::Display)) each stands with the lines of the file around its place;
/// [`Diagnostics::list`] gives them as data.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    sources: Sources,
    reports: Reports,
}

impl Diagnostics {
    #[doc(hidden)]
    #[must_use]
    pub fn new(sources: Sources, reports: Reports) -> Self {
        Self { sources, reports }
    }

    /// The texts, and the reports with their places in them.
    pub(crate) fn parts(&self) -> (&Sources, &Reports) {
        (&self.sources, &self.reports)
    }

    /// Each with its file, line, column, code, message and cure.
    #[must_use]
    pub fn list(&self) -> Vec<Diagnostic> {
        self.reports.sorted().into_iter().map(|report| diagnostic(report, &self.sources)).collect()
    }

    /// How many of them are errors: with one or more the rules cannot be played.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many of them are warnings.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reports.is_empty()
    }

    fn count(&self, severity: Severity) -> usize {
        self.reports.sorted().iter().filter(|report| report.code.severity() == severity).count()
    }

    fn text(&self, report: &Report) -> String {
        match render(report, &self.sources, Style::Human { colour: false, width: WIDTH }) {
            Rendered::Text(text) => text,
            Rendered::Record(record) => record.message,
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.reports.sorted().into_iter().map(|report| self.text(report)).collect();
        f.write_str(texts.concat().trim_end())
    }
}
