//! `test`: runs cases.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::files::{Library, find_rules, read_text, walk};
use super::ui::Ui;
use crate::conformance::{CaseFile, Interpreters, load_cases, run_case};

/// Where cases lie when nothing is said.
const CASES: &str = "tests/conformance";

/// Runs cases: files of them, or folders with such files
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TestArgs {
    /// Files or folders; `tests/conformance` when left out
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Only cases whose name holds this, such as `ziehen/4`
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
}

/// Runs the command.
pub(super) fn run(args: &TestArgs, ui: Ui) -> Result<Exit, Failure> {
    let standard = [PathBuf::from(CASES)];
    let paths = if args.paths.is_empty() { &standard[..] } else { &args.paths };
    let mut files = Vec::new();
    for path in paths {
        files.extend(
            walk(path, "ron").map_err(|failure| failure.cure("name a file of cases, or a folder that holds some"))?,
        );
    }
    let (mut passed, mut failed) = (0, 0);
    let mut results: Vec<Value> = Vec::new();
    let bar = ui.bar(files.len() as u64, "cases");
    for path in &files {
        let cases = load_cases(&read_text(path)?).map_err(|error| {
            let message = format!("`{}` is no well-formed file of cases: {error}", path.display());
            Failure::new(Exit::Faults, message)
                .cure("`Cases(game: \"…\", cases: [Case(clauses: […], name: \"…\", steps: […])])`")
        })?;
        let (name, text) = rules(path, &cases)?;
        for case in &cases.cases {
            let clause = case.clauses.first().map_or("", String::as_str);
            let title = format!("{}/{clause}: {}", cases.game, case.name);
            if args.only.as_ref().is_some_and(|words| !title.contains(words.as_str())) {
                continue;
            }
            let outcome = run_case(case, &name, &text, &Library, Interpreters::Both);
            let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
            if outcome.passed() {
                passed += 1;
            } else {
                failed += 1;
                if !ui.is_json() {
                    bar.suspend(|| ui.line(format!("{title} … FAILED\n{}", failures.join("\n"))));
                }
            }
            results.push(json!({"case": title, "clauses": case.clauses, "passed": outcome.passed(), "failures": failures, "touched": outcome.touched}));
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
        return Err(Failure::new(Exit::Missing, "there are no such cases")
            .cure("name a folder with cases, or leave `--only` out"));
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Faults })
}

/// The rule file that cases are about: a shipped game, or a path beside them.
fn rules(path: &Path, cases: &CaseFile) -> Result<(String, String), Failure> {
    let beside = path.parent().unwrap_or(Path::new("")).join(&cases.game);
    if beside.is_file() { find_rules(&beside.display().to_string()) } else { find_rules(&cases.game) }
}
