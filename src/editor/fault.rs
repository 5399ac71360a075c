//! Errors in a rule file, with places by file name.

use super::analysis::Place;
use crate::base::{Sources, Span};
use crate::load::{Files, RuleFile};
use crate::report::{Code, Severity};

/// An error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its place.
    pub place: Place,
    /// Its code.
    pub code: Code,
    /// What was found and what was expected; then how to fix it.
    pub message: String,
    /// Related places.
    pub related: Vec<(Place, String)>,
    /// The fix, as an edit.
    pub cure: Option<Cure>,
}

/// An edit that fixes an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cure {
    /// The range to replace.
    pub place: Place,
    /// The replacement.
    pub text: String,
}

impl Fault {
    /// Whether the rule file can be used nevertheless.
    #[must_use]
    pub fn is_warning(&self) -> bool {
        self.code.severity() == Severity::Warning
    }
}

/// The errors of a rule file in all its setups, and the names of the rule files read; none if `keep_going` returned false.
pub fn faults(
    name: &str,
    text: &str,
    files: &dyn Files,
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<(Vec<Fault>, Vec<String>)> {
    let loaded = RuleFile::read(name, text, files).check_while(keep_going)?;
    let place = |span| place(&loaded.sources, span);
    let fault = |report: &crate::report::Report| Fault {
        place: place(report.span),
        code: report.code,
        message: match &report.help {
            Some(help) => format!("{}\nhelp: {help}", report.message),
            None => report.message.clone(),
        },
        related: report.also.iter().map(|(span, label)| (place(*span), label.clone())).collect(),
        cure: report.fix.as_ref().map(|fix| Cure { place: place(fix.span), text: fix.text.clone() }),
    };
    let faults = loaded.reports.sorted().into_iter().map(fault).collect();
    Some((faults, loaded.sources.names().map(str::to_owned).collect()))
}

fn place(sources: &Sources, span: Span) -> Place {
    let file = sources.get(span.file).map_or_else(String::new, |source| source.name.clone());
    Place { file, start: span.start as usize, end: span.end as usize }
}
