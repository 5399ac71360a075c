//! `test`: runs cases.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::cases::{FOLDER, Found, cases_of, read_cases, run_all};
use super::exit::{Exit, Failure};
use super::files::walk;
use super::limits::StepArgs;
use super::ui::Ui;
use crate::conformance::{Case, Interpreters};
use crate::files::{Library, find_rules};
use crate::load::RuleFile;

/// Runs conformance cases: files, folders, or those of a game
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TestArgs {
    /// Files, folders, or a game, meaning its own cases; by default `tests/conformance`
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Only run cases whose name contains this, such as `ziehen/4`
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,

    #[command(flatten)]
    steps: StepArgs,
}

/// Runs the command.
pub(super) fn run(args: &TestArgs, ui: Ui) -> Result<Exit, Failure> {
    let standard = [PathBuf::from(FOLDER)];
    let paths = if args.paths.is_empty() { &standard[..] } else { &args.paths };
    let mut files = Vec::new();
    for path in paths {
        files.extend(found(path)?);
    }
    let (mut passed, mut failed) = (0, 0);
    let mut results: Vec<Value> = Vec::new();
    let bar = ui.bar(files.len() as u64, "cases");
    // The cases of one rule file are usually in several files.
    let mut last: Option<RuleFile> = None;
    for Found { path, file: cases, name, text } in &files {
        let title = |case: &Case| {
            let clause = case.clauses.first().map_or("", String::as_str);
            format!("{}/{clause}: {}", cases.game, case.name)
        };
        let wanted = |case: &&Case| args.only.as_ref().is_none_or(|words| title(case).contains(words.as_str()));
        let same = last.take().filter(|rules| rules.name() == name);
        let rules = same.unwrap_or_else(|| RuleFile::read(name, text, &Library));
        let chosen: Vec<&Case> = cases.cases.iter().filter(wanted).collect();
        let meter = args.steps.meter();
        let outcomes = run_all(&chosen, &rules, Interpreters::Both, Some(&meter), &|| !meter.is_spent(), &|_, _| ());
        args.steps.within(&meter, &format!("the cases in `{path}`"))?;
        last = Some(rules);
        for (case, outcome) in chosen.into_iter().zip(outcomes.into_iter().flatten()) {
            let title = title(case);
            let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
            if outcome.passed() {
                passed += 1;
            } else {
                failed += 1;
                if !ui.is_json() {
                    bar.suspend(|| ui.line(format!("{title} … FAILED\n{}", failures.join("\n"))));
                }
            }
            results.push(json!({"case": title, "file": path, "clauses": case.clauses, "passed": outcome.passed(), "failures": failures, "touched": outcome.touched}));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if ui.is_json() {
        ui.json(&json!({"passed": passed, "failed": failed, "cases": results}));
    } else {
        ui.line(format!("{passed} passed, {failed} failed"));
    }
    if passed + failed == 0 {
        return Err(match &args.only {
            Some(only) => Failure::new(Exit::Missing, format!("no case has `{only}` in its name"))
                .cure("leave out `--only` to see all cases"),
            None => Failure::new(Exit::Missing, "there are no cases")
                .cure("they are expected beside the rule file or in a folder `cases` beside it; see docs/cases.md"),
        });
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Faults })
}

/// The cases for a path; for a rule file or a game, the cases that belong to it.
fn found(path: &Path) -> Result<Vec<Found>, Failure> {
    let game = path.to_string_lossy();
    if path.extension().is_some_and(|end| end == "rules") || !path.exists() && find_rules(&game).is_ok() {
        return cases_of(&find_rules(&game)?.0);
    }
    let files = walk(path, &["ron"]).map_err(|failure| failure.cure("name a game, a file of cases, or a folder"))?;
    files.iter().map(|path| read_cases(path)).collect()
}
