//! Checking a document for inconsistencies.

use super::finding::Finding;
use super::split::Document;
use super::{form, places, sums, terms};

/// All inconsistencies within a document, in order of line.
#[must_use]
pub fn inspect(document: &Document) -> Vec<Finding> {
    let mut findings = Vec::new();
    places::references(document, &mut findings);
    form::labels(document, &mut findings);
    form::pairs(document, &mut findings);
    form::lost(document, &mut findings);
    terms::terms(document, &mut findings);
    sums::sums(document, &mut findings);
    findings.sort_by(|a, b| (a.line, a.check, &a.subject).cmp(&(b.line, b.check, &b.subject)));
    findings.dedup();
    findings
}
