//! Diagnostics: a code, a location, what was found and expected, a suggestion.
//!
//! Every stage writes to one [`Reports`] and continues. Reports are data; `render` determines how they look.
//!
//! **Invariant:** every report has a place, and the stage that makes it determines its wording.

mod code;
mod explain;
mod render;

use std::collections::BTreeSet;

use crate::base::Span;

pub use code::Code;
pub use explain::page;
pub use render::{Diagnostic, Edit, Elsewhere, Place, Rendered, Style, diagnostic, render};

/// The severity of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but is certainly not what was meant.
    Warning,
}

/// An edit that fixes the cause of a report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// The range to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
    /// What it does, in a few words, such as "leave out `stone`".
    pub message: String,
}

impl Fix {
    /// A replacement of the text at a place.
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        let message = format!("write `{}`", text.trim());
        Self { span, text, message }
    }
}

/// How far an untried edit is to be trusted, most trusted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// Dropping one of two equal adjacent words.
    Doubled,
    /// Correcting a word to a similar known one.
    Spelling,
    /// Adding a bracket or mark.
    Mark,
    /// Swapping two adjacent tokens.
    Swap,
    /// Dropping something that does not belong.
    Stray,
    /// Adding a keyword.
    Word,
    /// Replacing something by a keyword or mark.
    Other,
    /// One of several possibilities: trusted only if no other helps.
    Guess,
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The kind of error; stable, with a page of its own.
    pub code: Code,
    /// The place.
    pub span: Span,
    /// What was found and what was expected, in one sentence.
    pub message: String,
    /// A label for the place.
    pub label: String,
    /// How to fix it.
    pub help: Option<String>,
    /// Related places.
    pub also: Vec<(Span, String)>,
    /// The fix, as an edit.
    pub fix: Option<Fix>,
    /// Whether nothing else than the fix can have been meant, so that it may be made unasked.
    pub certain: bool,
    /// Candidate edits, to be tried by `mend`.
    pub maybe: Vec<(Trust, Fix)>,
}

impl Report {
    /// A report with a message at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let label = code.label().to_owned();
        Self {
            code,
            span,
            message: message.into(),
            label,
            help: None,
            also: Vec::new(),
            fix: None,
            certain: false,
            maybe: Vec::new(),
        }
    }

    /// Sets how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The help, and what the fix does unless the help says so.
    #[must_use]
    pub fn cure(&self) -> Option<String> {
        let said = |help: &str, fix: &Fix| help == fix.message || help.contains(&format!("`{}`", fix.text.trim()));
        match (self.help.as_deref(), &self.fix) {
            (None, None) => None,
            (Some(help), Some(fix)) if !said(help, fix) => Some(format!("{help}\nfix: {}", fix.message)),
            (None, Some(fix)) => Some(fix.message.clone()),
            (Some(help), _) => Some(help.to_owned()),
        }
    }

    /// Sets the label for the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.also.push((span, label.into()));
        self
    }

    /// Offers a similar name, if there is one.
    #[must_use]
    pub fn suggest(mut self, near: Option<&str>) -> Self {
        if let Some(name) = near {
            self.help = Some(format!("did you mean `{name}`?"));
            self.fix = Some(Fix::replace(self.span, name));
        }
        self
    }

    /// Offers a candidate edit.
    #[must_use]
    pub fn maybe(mut self, trust: Trust, fix: Fix) -> Self {
        self.maybe.push((trust, fix));
        self
    }
}

/// The sink every stage writes to.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    list: Vec<Report>,
    /// The places and codes of the list, unless it was changed from outside since.
    known: Option<BTreeSet<(Span, &'static str)>>,
}

impl Reports {
    /// Adds a report, unless the same error is already reported at that place.
    pub fn push(&mut self, report: Report) {
        let key = |report: &Report| (report.span, report.code.text());
        let known = self.known.get_or_insert_with(|| self.list.iter().map(key).collect());
        if known.insert(key(&report)) {
            self.list.push(report);
        }
    }

    /// Adds all reports of another sink.
    pub fn append(&mut self, other: Reports) {
        for report in other.list {
            self.push(report);
        }
    }

    /// Whether any report is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|report| report.code.severity() == Severity::Error)
    }

    /// Whether there is nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The reports, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Report> {
        self.known = None;
        self.list.iter_mut()
    }

    /// Keeps the reports that pass.
    pub fn retain(&mut self, keep: impl FnMut(&Report) -> bool) {
        self.known = None;
        self.list.retain(keep);
    }

    /// The reports in order of place.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Report> {
        let mut list: Vec<&Report> = self.list.iter().collect();
        list.sort_by_key(|report| (report.span, report.code.text()));
        list
    }
}
