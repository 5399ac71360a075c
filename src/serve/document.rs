//! Copies of source documents, held against the registries of the rules.

use std::fmt;

use serde_json::{Map, Value, json};

use super::Server;
use super::fault::{Code, Fault};
use super::request::Fields;
use crate::document::{Clause, Document, Finding, Impact, Report, Settled, read_kept, read_registry};
use crate::load::{Files, RuleFile};
use crate::syntax::ast::item::ItemKind;

/// The file with what is settled about a document, next to its registry.
const KEPT: &str = "document.ron";

/// Why no document can be held against rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The rules name no document.
    NoDocument,
    /// The registry has no fingerprints.
    NoPrints,
    /// A file that they name is missing: why.
    Missing(String),
    /// A file that they name is not well-formed: its name, and why.
    Faulty(String, String),
}

impl Unfit {
    /// What to do about it.
    pub(crate) fn cure(&self) -> &'static str {
        match self {
            Self::NoDocument => "`document \"title\" clauses \"clauses.ron\"` names one",
            Self::NoPrints => "`regelwerk document FILE` prints those of a document, to be copied into the registry",
            Self::Missing(_) => "the registry has to stand next to the rule file",
            Self::Faulty(..) => "correct the file",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDocument => write!(f, "the rules name no document"),
            Self::NoPrints => write!(f, "the registry of the rules has no fingerprints"),
            Self::Missing(why) => write!(f, "{why}"),
            Self::Faulty(file, why) => write!(f, "`{file}` is not well-formed: {why}"),
        }
    }
}

/// The registries that rules refer to, themselves or by what they extend, and what is settled next to them.
pub(crate) fn settled(rules: &RuleFile, files: &dyn Files) -> Result<Settled, Unfit> {
    let mut found: Option<Settled> = None;
    for item in rules.items() {
        let ItemKind::Document { clauses: Some(file), .. } = &item.kind else { continue };
        let by = rules.sources().get(item.span.file).map_or("", |source| source.name.as_str());
        let (_, text) = files.read(by, &file.node).map_err(Unfit::Missing)?;
        let registry = read_registry(&text).map_err(|why| Unfit::Faulty(file.node.clone(), why))?;
        if let Some(settled) = &mut found {
            settled.registry.clauses.extend(registry.clauses);
            continue;
        }
        let kept = match files.read(by, KEPT) {
            Ok((_, text)) => read_kept(&text).map_err(|why| Unfit::Faulty(KEPT.to_owned(), why))?,
            Err(_) => Settled::default().kept,
        };
        found = Some(Settled { registry, kept });
    }
    let settled = found.ok_or(Unfit::NoDocument)?;
    if settled.registry.clauses.iter().all(|clause: &Clause| clause.print.is_empty()) {
        return Err(Unfit::NoPrints);
    }
    Ok(settled)
}

/// The clauses whose sentences have changed, each with the rules that implement it, under all player counts, variants
/// and readings.
pub(crate) fn impacts(report: &Report, rules: &RuleFile) -> Vec<Impact> {
    let ids = report.touched();
    let mut impacts: Vec<Impact> =
        ids.iter().map(|id| Impact { clause: (*id).to_owned(), ..Impact::default() }).collect();
    if impacts.is_empty() {
        return impacts;
    }
    let setups = rules.setups();
    for (_, loaded) in rules.loads(&setups) {
        let Some(game) = loaded.game else { continue };
        for rule in &game.rules {
            let (line, _) = loaded.sources.line_column(rule.span);
            let file = loaded.sources.get(rule.span.file).map_or("", |source| source.name.as_str());
            let place = format!("{} ({file}:{line})", rule.name);
            for impact in impacts.iter_mut().filter(|impact| rule.clauses.contains(&impact.clause)) {
                if !impact.rules.contains(&place) {
                    impact.rules.push(place.clone());
                }
            }
        }
    }
    impacts
}

/// A finding, for programs.
pub(crate) fn finding_json(finding: &Finding) -> Value {
    json!({
        "check": finding.check.text(), "line": finding.line, "heading": finding.heading, "subject": finding.subject,
        "message": finding.message, "cure": finding.cure, "clauses": finding.clauses,
    })
}

/// A report, for programs.
pub(crate) fn report_json(settled: &Settled, report: &Report) -> Map<String, Value> {
    let known = report.known.iter().map(|(finding, why)| {
        let mut value = finding_json(finding);
        value["why"] = json!(why);
        value
    });
    let gone = report.gone.iter();
    let gone =
        gone.map(|known| json!({"check": known.check.text(), "subject": known.subject, "heading": known.heading}));
    let summary = report.summary;
    let mut found = Map::new();
    for (name, value) in [
        ("document", json!(settled.registry.document)),
        ("clauses", json!(summary.clauses)),
        ("found", json!(summary.found)),
        ("elsewhere", json!(summary.elsewhere)),
        ("sentences", json!(summary.sentences)),
        ("findings", report.open.iter().map(finding_json).collect()),
        ("known", known.collect()),
        ("gone", gone.collect()),
    ] {
        found.insert(name.to_owned(), value);
    }
    found
}

impl Server<'_> {
    pub(super) fn document(&self, fields: &Fields) -> Result<Value, Fault> {
        let (file, text) = self.file(fields)?;
        let Some(copy) = fields.text("text")? else {
            return Err(fields.missing("text", "give the text of the document"));
        };
        let copy =
            Document::read(copy).map_err(|error| Fault::new(Code::Limit, error.to_string(), "give only the rules"))?;
        let rules = RuleFile::read(&file, &text, &self.texts);
        let settled = settled(&rules, &self.texts)
            .map_err(|unfit| Fault::new(Code::BadSelection, unfit.to_string(), unfit.cure()))?;
        let report = Report::new(&copy, &settled);
        let mut found = report_json(&settled, &report);
        let impacts = impacts(&report, &rules);
        let impacts: Vec<Value> =
            impacts.iter().map(|impact| json!({"clause": impact.clause, "rules": impact.rules})).collect();
        found.insert("impact".to_owned(), json!(impacts));
        Ok(Value::Object(found))
    }
}
