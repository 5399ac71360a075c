//! `document`: compares a copy of a game's source document with its registry.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::files::walk;
use super::ui::Ui;
use crate::base::{FileId, Spanned};
use crate::conformance::load_cases;
use crate::document::{
    Clause, Document, Finding, Impact, Kind, Registry, Report, Settled, draft, inspect, read_kept, read_registry,
};
use crate::files::{Library, find_rules, read_text};
use crate::load::{Files, RuleFile};
use crate::report::Reports;
use crate::syntax::ast::item::ItemKind;
use crate::syntax::parse;

/// The default folder of cases.
const CASES: &str = "tests/conformance";

/// The file with what is settled about a document, next to its registry.
const KEPT: &str = "document.ron";

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
    let settled = settled(&args.what, &name, &text)?;
    let document = read_document(file)?;
    let report = Report::new(&document, &settled);
    let impacts = impacts(&report, args, &name, &text)?;
    if ui.is_json() {
        let summary = report.summary;
        let known: Vec<Value> = report
            .known
            .iter()
            .map(|(finding, why)| {
                let mut value = finding_json(finding);
                if let Some(fields) = value.as_object_mut() {
                    fields.insert("why".to_owned(), json!(why));
                }
                value
            })
            .collect();
        ui.json(&json!({
            "game": args.what,
            "document": settled.registry.document,
            "clauses": summary.clauses,
            "found": summary.found,
            "elsewhere": summary.elsewhere,
            "sentences": summary.sentences,
            "findings": report.open.iter().map(finding_json).collect::<Vec<_>>(),
            "known": known,
            "gone": report.gone.iter().map(|known| json!({"check": known.check.text(), "subject": known.subject, "heading": known.heading})).collect::<Vec<_>>(),
            "impact": impacts.iter().map(|impact| json!({"clause": impact.clause, "rules": impact.rules, "cases": impact.cases})).collect::<Vec<_>>(),
        }));
    } else {
        show(ui, file, &report, &impacts);
    }
    Ok(if report.open.is_empty() { Exit::Done } else { Exit::Faults })
}

/// The registries a rule file refers to, and what is settled next to them.
fn settled(game: &str, name: &str, text: &str) -> Result<Settled, Failure> {
    let tree = parse(FileId(0), text, &mut Reports::default());
    let named = |kind: &ItemKind| if let ItemKind::Document { clauses, .. } = kind { clauses.clone() } else { None };
    let registries: Vec<Spanned<String>> = tree.items.iter().filter_map(|item| named(&item.kind)).collect();
    if registries.is_empty() {
        let message = format!("the rules of `{game}` do not name a document");
        return Err(Failure::new(Exit::Usage, message).cure("`document \"title\" clauses \"clauses.ron\"` names one"));
    }
    let faulty = |file: &str, why: String| Failure::new(Exit::Faults, format!("`{file}` is not well-formed: {why}"));
    let mut settled = Settled::default();
    for (number, file) in registries.iter().enumerate() {
        let (_, text) = Library.read(name, &file.node).map_err(|why| Failure::new(Exit::Missing, why))?;
        let registry: Registry = read_registry(&text).map_err(|why| faulty(&file.node, why))?;
        if number == 0 {
            settled.registry = registry;
        } else {
            settled.registry.clauses.extend(registry.clauses);
        }
    }
    if let Ok((_, text)) = Library.read(name, KEPT) {
        settled.kept = read_kept(&text).map_err(|why| faulty(KEPT, why))?;
    }
    if settled.registry.clauses.iter().all(|clause: &Clause| clause.print.is_empty()) {
        let message = format!("the registry of `{game}` has no fingerprints");
        return Err(Failure::new(Exit::Usage, message)
            .cure("`regelwerk document FILE` prints those of a document, to be copied into the registry"));
    }
    Ok(settled)
}

/// The rules and cases that depend on the clauses affected.
fn impacts(report: &Report, args: &DocumentArgs, name: &str, text: &str) -> Result<Vec<Impact>, Failure> {
    let ids = report.touched();
    let mut impacts: Vec<Impact> =
        ids.iter().map(|id| Impact { clause: (*id).to_owned(), ..Impact::default() }).collect();
    if impacts.is_empty() {
        return Ok(impacts);
    }
    // Other numbers of players, variants and readings have rules of their own.
    let rules = RuleFile::read(name, text, &Library);
    for setup in rules.setups() {
        let loaded = rules.load(&setup);
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
    if args.cases.exists() {
        for path in walk(&args.cases, "ron")? {
            let Ok(cases) = load_cases(&read_text(&path)?) else { continue };
            let beside = path.parent().unwrap_or(Path::new("")).join(&cases.game);
            let game = if beside.is_file() { beside.display().to_string() } else { cases.game.clone() };
            if find_rules(&game).map_or(true, |(found, _)| found != name) {
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

fn finding_json(finding: &Finding) -> Value {
    json!({
        "check": finding.check.text(), "line": finding.line, "heading": finding.heading, "subject": finding.subject,
        "message": finding.message, "cure": finding.cure, "clauses": finding.clauses,
    })
}
