//! One misspelt declaration is one error, however often the name is used.
//!
//! Uses of the same unknown name become one report. If the name that was probably meant occurs only in its
//! declaration, the declaration is misspelt.

use std::collections::{BTreeMap, HashMap};

use crate::base::{FileId, Sources, Span};
use crate::report::{Code, Fix, Report, Reports};
use crate::syntax::{Kind, Words};

/// How many other uses a report shows.
const SHOWN: usize = 3;

/// Merges the reports for each unknown name.
pub(super) fn join(sources: &Sources, reports: &mut Reports) {
    let mut uses: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for report in reports.sorted() {
        let name = sources.slice(report.span);
        if report.code == Code::UnknownName && !name.is_empty() {
            uses.entry(name.to_owned()).or_default().push(report.span);
        }
    }
    let first =
        |report: &Report| uses.get(sources.slice(report.span)).is_none_or(|list| list.first() == Some(&report.span));
    reports.retain(|report| report.code != Code::UnknownName || first(report));
    // The words of a file are counted once for all its reports.
    let mut words: BTreeMap<FileId, HashMap<&str, usize>> = BTreeMap::new();
    for report in reports.iter_mut().filter(|report| report.code == Code::UnknownName) {
        let name = sources.slice(report.span).to_owned();
        let more = uses.get(&name).map_or(&[][..], |list| list.get(1..).unwrap_or_default());
        for span in more.iter().take(SHOWN) {
            report.also.push((*span, "and here".to_owned()));
        }
        let declared = report.maybe.pop().map(|(_, fix)| fix.span);
        let (Some(near), Some(place)) = (report.fix.as_ref().map(|fix| fix.text.clone()), declared) else { continue };
        let words = words.entry(place.file).or_insert_with(|| counts(sources, place.file));
        if words.get(near.as_str()).is_some_and(|count| *count > 1) {
            continue;
        }
        if more.is_empty() {
            report.also.push((place, format!("`{near}` is declared here but never used")));
        } else {
            report.also.insert(0, (report.span, "used here".to_owned()));
            report.span = place;
            report.message = format!("`{name}` is used, but declared as `{near}`");
            "declared here, but never used".clone_into(&mut report.label);
            report.help = Some(format!("did you mean `{name}`?"));
            report.fix = Some(Fix::replace(place, name));
        }
    }
}

/// How often each word occurs in a file.
fn counts(sources: &Sources, file: FileId) -> HashMap<&str, usize> {
    let text = sources.get(file).map_or("", |source| source.text.as_str());
    let mut counts = HashMap::new();
    for token in Words::new(text).filter(|token| token.kind == Kind::Word) {
        *counts.entry(token.text).or_default() += 1;
    }
    counts
}
