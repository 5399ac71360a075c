//! The reports of a check.

use std::fmt;

use crate::base::Sources;
use crate::report::{Diagnostic, Rendered, Report, Reports, Severity, Style, diagnostic, render};

/// The maximum width of a report.
const WIDTH: usize = 100;

/// The result of checking rules: errors and warnings, in source order.
///
/// As text ([`Display`](fmt::Display)) each is shown with the surrounding lines of the file;
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

    /// The source texts, and the reports that point into them.
    pub(crate) fn parts(&self) -> (&Sources, &Reports) {
        (&self.sources, &self.reports)
    }

    /// Each with its file, line, column, code, message and suggestion.
    #[must_use]
    pub fn list(&self) -> Vec<Diagnostic> {
        self.reports.sorted().into_iter().map(|report| diagnostic(report, &self.sources)).collect()
    }

    /// The number of errors; rules with errors cannot be played.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// The number of warnings.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// Whether there are no reports.
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
