//! Diagnostics: a code, a location, what was found and expected, a suggestion.
//!
//! Every stage writes to one [`Reports`] and goes on. Reports are data; how
//! they look is settled in `render`.
//!
//! **Invariant:** no report without a place, and no wording outside the stage
//! that makes it.

mod code;
mod explain;
mod render;

use crate::base::Span;

pub use code::Code;
pub use explain::page;
pub use render::{Diagnostic, Edit, Elsewhere, Place, Rendered, Style, diagnostic, render};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, and is surely not what was meant.
    Warning,
}

/// A change of the text that mends a report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub text: String,
    /// What it does, in a few words, such as "leave out `stone`".
    pub message: String,
}

impl Fix {
    /// Something else instead of what stands at a place.
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        let message = format!("write `{}`", text.trim());
        Self { span, text, message }
    }
}

/// How far a change is to be believed that has not been tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// One of two equal words side by side is left out.
    Doubled,
    /// A word is spelt like one that is known here.
    Spelling,
    /// A bracket or mark is added.
    Mark,
    /// Two neighbours change places.
    Swap,
    /// Something that does not belong here is left out.
    Stray,
    /// A word of the language is added.
    Word,
    /// Something is replaced by a word or mark of the language.
    Other,
    /// One of several that may all be meant: believed only if no other will do.
    Guess,
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What kind of fault; stable, with a page of its own.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// What was found and what was expected, in one sentence.
    pub message: String,
    /// A word at the place itself.
    pub label: String,
    /// How to mend it.
    pub help: Option<String>,
    /// Other places that matter.
    pub also: Vec<(Span, String)>,
    /// The cure as a change of the text.
    pub fix: Option<Fix>,
    /// Changes that may be the cure; `mend` tries them.
    pub maybe: Vec<(Trust, Fix)>,
}

impl Report {
    /// A report with a message at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let label = code.label().to_owned();
        Self { code, span, message: message.into(), label, help: None, also: Vec::new(), fix: None, maybe: Vec::new() }
    }

    /// Says how to mend it.
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

    /// Says something at the place itself.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        self.also.push((span, label.into()));
        self
    }

    /// Offers a near name as cure, if there is one.
    #[must_use]
    pub fn suggest(mut self, near: Option<&str>) -> Self {
        if let Some(name) = near {
            self.help = Some(format!("did you mean `{name}`?"));
            self.fix = Some(Fix::replace(self.span, name));
        }
        self
    }

    /// Offers a change of the text that may be the cure.
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
}

impl Reports {
    /// Adds a report, unless the same fault at the same place is there already.
    pub fn push(&mut self, report: Report) {
        let known = self.list.iter().any(|old| old.code == report.code && old.span == report.span);
        if !known {
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

    /// The reports, to be changed in place.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Report> {
        self.list.iter_mut()
    }

    /// Keeps the reports that pass.
    pub fn retain(&mut self, keep: impl FnMut(&Report) -> bool) {
        self.list.retain(keep);
    }

    /// The reports in the order of their places.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Report> {
        let mut list: Vec<&Report> = self.list.iter().collect();
        list.sort_by_key(|report| (report.span, report.code.text()));
        list
    }
}
