//! The conformance cases, each a test named after its clause.

mod disk;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use regelwerk::conformance::{Case, load_cases, run_case};

use disk::{Disk, files_below, read, root, rules_of};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
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
            trials.push(Trial::test(name, move || {
                if twice { Err("two cases have this name".into()) } else { run(&rules, &case) }
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The rule file that cases are about: one beside them by its path, or a shipped
/// game by its name.
fn rules_beside(cases: &Path, game: &str) -> PathBuf {
    let beside = cases.parent().unwrap_or(Path::new("")).join(game);
    if beside.is_file() { beside } else { rules_of(game) }
}

fn run(path: &Path, case: &Case) -> Result<(), Failed> {
    if case.clauses.is_empty() {
        return Err("a case names the clause it is about".into());
    }
    let outcome = run_case(case, &path.display().to_string(), &read(path), &Disk);
    if outcome.passed() {
        return Ok(());
    }
    let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
    Err(Failed::from(failures.join("\n")))
}
