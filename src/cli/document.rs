//! `document`: compares a copy of a game's source document with its registry.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::files::walk;
use super::ui::Ui;
use crate::conformance::load_cases;
use crate::document::{Document, Finding, Impact, Kind, Report, draft, inspect};
use crate::files::{Library, find_rules, read_text};
use crate::load::RuleFile;
use crate::serve::{Unfit, finding_json, impacts, report_json, settled};

/// The default folder of cases.
const CASES: &str = "tests/conformance";

/// Compares a copy of a source document with a game's registry (`document GAME FILE`), or drafts a registry (`document FILE`)
#[derive(Clone, Debug, clap::Args)]
pub(super) struct DocumentArgs {
    /// A game, or the document from which to draft a registry
    #[arg(value_name = "GAME or FILE")]
    what: String,
    /// The document: plain text or Markdown
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Where to look for cases that depend on a clause
    #[arg(long, value_name = "PATH", default_value = CASES)]
    cases: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &DocumentArgs, ui: Ui) -> Result<Exit, Failure> {
    match &args.file {
        Some(file) => validate(args, file, ui),
        None => draft_registry(&args.what, ui),
    }
}

fn read_document(path: &Path) -> Result<Document, Failure> {
    Document::read(&read_text(path)?)
        .map_err(|error| Failure::new(Exit::Limit, error.to_string()).cure("give only the rules"))
}

/// Writes the first registry of a document, and reports inconsistencies.
fn draft_registry(what: &str, ui: Ui) -> Result<Exit, Failure> {
    let path = Path::new(what);
    if !path.is_file() && find_rules(what).is_ok() {
        return Err(Failure::new(Exit::Usage, format!("`{what}` is a game; the document is missing"))
            .cure(format!("write `regelwerk document {what} FILE`")));
    }
    let document = read_document(path)?;
    let title = document.headings().next().unwrap_or(what).to_owned();
    let findings = inspect(&document);
    if ui.is_json() {
        let units = document.units.iter().filter(|unit| unit.kind != Kind::Contents).map(|unit| {
            json!({
                "kind": format!("{:?}", unit.kind).to_lowercase(), "line": unit.line, "heading": unit.heading,
                "ordinal": unit.ordinal, "print": format!("{:016x}", unit.print), "near": format!("{:016x}", unit.near),
                "text": unit.text,
            })
        });
        let findings: Vec<Value> = findings.iter().map(finding_json).collect();
        ui.json(&json!({"document": title, "units": units.collect::<Vec<_>>(), "findings": findings}));
    } else {
        ui.print(&draft(&document, &title));
        for finding in &findings {
            ui.note(finding_text(finding));
        }
    }
    Ok(if findings.is_empty() { Exit::Done } else { Exit::Faults })
}

fn validate(args: &DocumentArgs, file: &Path, ui: Ui) -> Result<Exit, Failure> {
    let (name, text) = find_rules(&args.what)?;
    let rules = RuleFile::read(&name, &text, &Library);
    let settled = settled(&rules, &Library)?;
    let document = read_document(file)?;
    let report = Report::new(&document, &settled);
    let impacts = impacts_of(&report, args, &rules)?;
    if ui.is_json() {
        let mut found = report_json(&settled, &report);
        found.insert("game".to_owned(), json!(args.what));
        let impact = |impact: &Impact| json!({"clause": impact.clause, "rules": impact.rules, "cases": impact.cases});
        found.insert("impact".to_owned(), impacts.iter().map(impact).collect());
        ui.json(&Value::Object(found));
    } else {
        show(ui, file, &report, &impacts);
    }
    Ok(if report.open.is_empty() { Exit::Done } else { Exit::Faults })
}

/// The rules and cases that depend on the clauses affected.
fn impacts_of(report: &Report, args: &DocumentArgs, rules: &RuleFile) -> Result<Vec<Impact>, Failure> {
    let mut impacts = impacts(report, rules);
    if !impacts.is_empty() && args.cases.exists() {
        for path in walk(&args.cases, &["ron"])? {
            let Ok(cases) = load_cases(&read_text(&path)?) else { continue };
            let beside = path.parent().unwrap_or(Path::new("")).join(&cases.game);
            let game = if beside.is_file() { beside.display().to_string() } else { cases.game.clone() };
            if find_rules(&game).map_or(true, |(found, _)| found != rules.name()) {
                continue;
            }
            for case in &cases.cases {
                for impact in impacts.iter_mut().filter(|impact| case.clauses.contains(&impact.clause)) {
                    impact.cases.push(format!("{}: {}", path.display(), case.name));
                }
            }
        }
    }
    Ok(impacts)
}

impl From<Unfit> for Failure {
    fn from(unfit: Unfit) -> Self {
        let exit = match unfit {
            Unfit::NoDocument | Unfit::NoPrints => Exit::Usage,
            Unfit::Missing(_) => Exit::Missing,
            Unfit::Faulty(..) => Exit::Faults,
        };
        Self::new(exit, unfit.to_string()).cure(unfit.cure())
    }
}

fn show(ui: Ui, file: &Path, report: &Report, impacts: &[Impact]) {
    let summary = report.summary;
    for finding in &report.open {
        ui.line(finding_text(finding));
        for clause in &finding.clauses {
            for impact in impacts.iter().filter(|impact| impact.clause == *clause) {
                for rule in &impact.rules {
                    ui.line(format!("  rule for §{clause}: {rule}"));
                }
                for case in &impact.cases {
                    ui.line(format!("  case for §{clause}: {case}"));
                }
                if impact.rules.is_empty() && impact.cases.is_empty() {
                    ui.line(format!("  no rule and no case depends on §{clause}"));
                }
            }
        }
    }
    for (finding, why) in &report.known {
        ui.line(format!("known, {}: {}\n  settled: {why}", place(finding), finding.message));
    }
    for known in &report.gone {
        let what = known.check.text();
        ui.line(format!(
            "no longer found, {what} {} under „{}“: remove it from document.ron",
            known.subject, known.heading
        ));
    }
    let elsewhere = match summary.elsewhere {
        0 => String::new(),
        n => format!(" ({n} more belong to another document)"),
    };
    ui.line(format!(
        "{}: {} of {} clauses found{elsewhere}, {} sentences, {} known, {}",
        file.display(),
        summary.found,
        summary.clauses,
        summary.sentences,
        match report.known.len() {
            1 => "1 defect".to_owned(),
            n => format!("{n} defects"),
        },
        match report.open.len() {
            0 => "nothing new".to_owned(),
            1 => "1 finding".to_owned(),
            n => format!("{n} findings"),
        }
    ));
}

fn place(finding: &Finding) -> String {
    let what = finding.check.text();
    match finding.line {
        0 => what.to_owned(),
        line => format!("line {line}, {what}"),
    }
}

fn finding_text(finding: &Finding) -> String {
    format!("{}: {}\n  \u{1b}[1mhelp:\u{1b}[0m {}", place(finding), finding.message, finding.cure)
}
