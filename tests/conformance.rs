//! The conformance cases, each a test named after its clause.

mod disk;
mod folders;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use regelwerk::conformance::{Case, Interpreters, load_cases, run_case};
use regelwerk::load::{RuleFile, Setup};

use disk::{Disk, read, root, rules_of};
use folders::files_below;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut all: BTreeMap<PathBuf, (Arc<RuleFile>, Vec<Case>)> = BTreeMap::new();
    for path in files_below(&root("tests/conformance"), "ron") {
        let file = match load_cases(&read(&path)) {
            Ok(file) => file,
            Err(error) => {
                let name = path.display().to_string();
                trials.push(Trial::test(name, move || Err(Failed::from(error))));
                continue;
            }
        };
        let mut seen: Vec<String> = Vec::new();
        for case in file.cases {
            let clause = case.clauses.first().cloned().unwrap_or_default();
            let name = format!("{}/{clause}: {}", file.game, case.name);
            let twice = seen.contains(&name);
            seen.push(name.clone());
            let rules = rules_beside(&path, &file.game);
            let read = || (Arc::new(RuleFile::read(&rules.display().to_string(), &read(&rules), &Disk)), Vec::new());
            let (rules, cases) = all.entry(rules.clone()).or_insert_with(read);
            cases.push(case.clone());
            let rules = Arc::clone(rules);
            trials.push(Trial::test(name, move || {
                if twice { Err("two cases have this name".into()) } else { run(&rules, &case) }
            }));
        }
    }
    // Variants that are files of their own inherit the readings of the game they extend.
    all.retain(|rules, _| !rules.parent().is_some_and(|folder| folder.ends_with("variants")));
    for (path, (rules, cases)) in all {
        trials.extend(readings(&path, &rules, &cases));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The rule file of cases: one given by a path relative to them, or a bundled game by name.
fn rules_beside(cases: &Path, game: &str) -> PathBuf {
    let beside = cases.parent().unwrap_or(Path::new("")).join(game);
    if beside.is_file() { beside } else { rules_of(game) }
}

fn run(rules: &RuleFile, case: &Case) -> Result<(), Failed> {
    if case.clauses.is_empty() {
        return Err("a case names the clause it is about".into());
    }
    let outcome = run_case(case, rules, Interpreters::Both);
    if outcome.passed() {
        return Ok(());
    }
    let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
    Err(Failed::from(failures.join("\n")))
}

/// One trial for each reading that is not the default: some case must choose it, and must fail under the default
/// instead. (That the case passes as it is, its own trial checks.)
fn readings(path: &Path, rules: &Arc<RuleFile>, cases: &[Case]) -> Vec<Trial> {
    let offer = rules.load(&Setup::default()).offer;
    let game = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut trials = Vec::new();
    for choice in offer.readings {
        for value in choice.values.iter().filter(|value| **value != choice.default) {
            let chosen = (choice.name.clone(), value.clone());
            let shown: Vec<Case> = cases
                .iter()
                .filter(|case| case.setup.readings.contains(&chosen))
                .map(|case| {
                    let mut case = case.clone();
                    case.setup.readings.retain(|reading| *reading != chosen);
                    case
                })
                .collect();
            let (rules, title) = (Arc::clone(rules), format!("{game}/reading {} = {}", chosen.0, chosen.1));
            trials.push(Trial::test(title, move || {
                if shown.iter().any(|case| run(&rules, case).is_err()) {
                    Ok(())
                } else {
                    Err(format!("{} cases choose this reading, and none can tell it from the default", shown.len())
                        .into())
                }
            }));
        }
    }
    trials
}
