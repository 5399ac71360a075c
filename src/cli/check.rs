//! `check`: holds rule files against the language.

use serde_json::{Value, json};

use super::exit::Exit;
use super::files::{Library, find_rules};
use super::reports::{report_json, report_text};
use super::ui::Ui;
use crate::load::check_all;
use crate::report::Severity;

/// Checks rule files for every number of players, variant and reading
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// Rule files, or names of games that come along
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs, ui: Ui) -> Exit {
    let (mut checked, mut errors, mut warnings, mut missing) = (0, 0, 0, None);
    let mut results: Vec<Value> = Vec::new();
    let bar = ui.bar(args.files.len() as u64, "checking");
    for file in &args.files {
        let (name, text) = match find_rules(file) {
            Ok(found) => found,
            Err(failure) => {
                // The other files are checked all the same.
                results.push(json!({"file": file, "ok": false, "reports": [], "error": failure.message}));
                if !ui.is_json() {
                    bar.suspend(|| ui.failure(&failure));
                }
                missing = Some(failure.exit);
                continue;
            }
        };
        checked += 1;
        let loaded = check_all(&name, &text, &Library);
        let reports = loaded.reports.sorted();
        for report in &reports {
            match report.code.severity() {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
            }
            if !ui.is_json() {
                bar.suspend(|| ui.line(report_text(&loaded.sources, report)));
            }
        }
        let list: Vec<Value> = reports.iter().map(|report| report_json(&loaded.sources, report)).collect();
        results.push(json!({"file": file, "ok": !loaded.reports.has_errors(), "reports": list}));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if ui.is_json() {
        ui.json(&json!({"files": results, "errors": errors, "warnings": warnings}));
    } else {
        ui.line(summary(checked, errors, warnings));
    }
    match missing {
        Some(exit) => exit,
        None if errors > 0 => Exit::Faults,
        None => Exit::Done,
    }
}

fn summary(files: u32, errors: u32, warnings: u32) -> String {
    let count = |n: u32, what: &str| match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let checked = if files == 1 { "1 file checked".to_owned() } else { format!("{files} files checked") };
    format!("{checked}: {}, {}", count(errors, "error"), count(warnings, "warning"))
}
