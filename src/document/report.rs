//! All findings about a document.

use super::compare::compare;
use super::finding::{Check, Finding};
use super::inspect::inspect;
use super::registry::{Known, Settled};
use super::split::Document;

/// What depends on a clause whose sentence has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Impact {
    /// The clause.
    pub clause: String,
    /// The rules that implement it, with their places.
    pub rules: Vec<String>,
    /// The cases about it, with their files.
    pub cases: Vec<String>,
}

/// Counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Clauses with a fingerprint.
    pub clauses: usize,
    /// Those whose sentences are unchanged.
    pub found: usize,
    /// Clauses of other documents, without a fingerprint.
    pub elsewhere: usize,
    /// Sentences and rows of the document, or of the part concerned.
    pub sentences: usize,
}

/// A report on a document.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The counts.
    pub summary: Summary,
    /// Findings not yet settled, in order of line.
    pub open: Vec<Finding>,
    /// Known defects, each with how it was dealt with.
    pub known: Vec<(Finding, String)>,
    /// Known defects that the document no longer has.
    pub gone: Vec<Known>,
}

impl Report {
    /// Compares a document with what is settled about it, and checks its consistency.
    #[must_use]
    pub fn new(document: &Document, settled: &Settled) -> Self {
        let compared = compare(document, settled);
        let units = document.units.get(compared.part.clone()).unwrap_or(&[]);
        let summary = Summary {
            clauses: compared.clauses,
            found: compared.found,
            elsewhere: compared.elsewhere,
            sentences: units.iter().filter(|unit| unit.speaks()).count(),
        };
        let first = units.first().filter(|_| compared.part.start > 0).map(|unit| unit.line);
        let end = document.units.get(compared.part.end).map(|unit| unit.line);
        let within = |line| first.is_none_or(|first| first <= line) && end.is_none_or(|end| line < end);
        let mut report = Self { summary, open: compared.findings, ..Self::default() };
        let mut used = vec![false; settled.kept.known.len()];
        for mut finding in inspect(document).into_iter().filter(|finding| within(finding.line)) {
            let fits = |known: &Known| {
                known.check == finding.check && known.subject == finding.subject && known.heading == finding.heading
            };
            let place = settled.kept.known.iter().position(fits);
            if let Some((known, used)) = place.and_then(|at| Some((settled.kept.known.get(at)?, used.get_mut(at)?))) {
                *used = true;
                report.known.push((finding, known.why.clone()));
                continue;
            }
            // A list that lost an item has a gap in its labels or sums: one finding, not two.
            let gap = |lost: &&mut Finding| {
                lost.check == Check::Missing
                    && lost.heading == finding.heading
                    && matches!(finding.check, Check::Label | Check::Sum)
            };
            if let Some(lost) = report.open.iter_mut().find(gap) {
                lost.message = format!("{}; since then {} (line {})", lost.message, finding.message, finding.line);
                continue;
            }
            // Somebody who judges a finding to be no defect has to record it.
            finding.cure = format!(
                "{}; if it is harmless, list it in document.ron: check: {:?}, subject: {:?}, heading: {:?}",
                finding.cure, finding.check, finding.subject, finding.heading
            );
            report.open.push(finding);
        }
        let unused = settled.kept.known.iter().zip(used).filter(|(_, used)| !used);
        report.gone = unused.map(|(known, _)| known.clone()).collect();
        report.open.sort_by(|a, b| (a.line, a.check, &a.subject).cmp(&(b.line, b.check, &b.subject)));
        report
    }

    /// The clauses whose sentences have changed.
    #[must_use]
    pub fn touched(&self) -> Vec<&str> {
        let lost = |finding: &&Finding| matches!(finding.check, Check::Changed | Check::Missing);
        let mut ids: Vec<&str> =
            self.open.iter().filter(lost).flat_map(|finding| finding.clauses.iter().map(String::as_str)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The number of findings of a kind.
    #[must_use]
    pub fn count(&self, check: Check) -> usize {
        self.open.iter().filter(|finding| finding.check == check).count()
    }
}
