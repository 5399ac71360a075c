//! `check`: checks rule files and applies fixes.

use std::path::Path;

use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::exit::{Exit, Failure};
use super::limits::StepArgs;
use super::reports::{report_json, report_text};
use super::ui::Ui;
use super::write::rewrite;
use crate::api::{check_with_fixes, offer_fixes};
use crate::bundled::is_bundled;
use crate::files::{Library, find_rules, read_text};
use crate::lint::{Budget, Progress, lint, unlowered};
use crate::load::{Loaded, Setup, WORK, check_all, check_within, load};
use crate::mend::{Mended, Subject, mend_loaded};
use crate::report::Severity;

/// Checks rule files for every number of players, variant and reading
///
/// Every report has a location, a code that `regelwerk explain CODE` explains, and where possible
/// a suggestion. A fix is offered only if it reduces the errors in the file; `--fix` applies them.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// Rule files, or names of bundled games
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Apply the suggested fixes for errors and report what was changed
    #[arg(long)]
    fix: bool,
    /// Also play N random games in every setup, warn about rules that none of them used, and report invariants that
    /// did not hold
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", value_parser = clap::value_parser!(u64).range(1..))]
    play: Option<u64>,
    /// The maximum number of moves in each of these games
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "play", value_parser = clap::value_parser!(u32).range(1..))]
    cap: u32,
    /// The random seed of these games
    #[arg(long, value_name = "N", default_value_t = 0, requires = "play")]
    seed: u64,
    #[command(flatten)]
    steps: StepArgs,
}

/// The most warnings of a file that are printed for people.
const SHOWN: usize = 200;

/// The results for all files.
#[derive(Debug, Default)]
struct Tally {
    checked: usize,
    errors: usize,
    warnings: usize,
    fixes: usize,
    missing: Option<Exit>,
    /// Whether not all setups of a file were checked.
    unfinished: bool,
    results: Vec<Value>,
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs, ui: Ui) -> Exit {
    let mut tally = Tally::default();
    let bar = ui.bar(args.files.len() as u64, "checking");
    for file in &args.files {
        let line = |text: String| bar.suspend(|| ui.line(text));
        if let Err(failure) = one(args, ui, file, &mut tally, &line) {
            // The other files are checked nevertheless.
            tally.results.push(json!({"file": file, "ok": false, "reports": [], "error": failure.message}));
            if !ui.is_json() {
                bar.suspend(|| ui.failure(&failure));
            }
            tally.missing = Some(failure.exit);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if ui.is_json() {
        ui.json(&json!({"files": tally.results, "errors": tally.errors, "warnings": tally.warnings}));
    } else {
        ui.line(summary(&tally));
    }
    match tally.missing {
        Some(exit) => exit,
        None if tally.errors > 0 => Exit::Faults,
        None if tally.unfinished => Exit::Limit,
        None => Exit::Done,
    }
}

/// Checks one file, applying fixes first if requested.
fn one(args: &CheckArgs, ui: Ui, file: &str, tally: &mut Tally, line: &dyn Fn(String)) -> Result<(), Failure> {
    let (name, mut text) = find_rules(file)?;
    let mut fixed: Vec<Value> = Vec::new();
    // What cannot be written is said of the file that is there, after its errors.
    let mut unwritten = None;
    let mut loaded = if args.fix {
        let (mut mended, mut loaded) = mended(&name, &text);
        if let Err(failure) = written(&name, &text, &mended.text) {
            unwritten = Some(failure);
            loaded = check_with_fixes(&name, &text, &Library);
            mended = Mended { text, ..Mended::default() };
        }
        for (at, fix) in &mended.done {
            if !ui.is_json() {
                line(format!("{name}:{at}: {}", fix.message));
            }
            fixed.push(json!({"line": at, "message": fix.message, "text": fix.text}));
        }
        if mended.refused > 0 && !ui.is_json() {
            line(format!("{name}: {} skipped, because they change what others change", count(mended.refused, "fix")));
        }
        text = mended.text;
        loaded
    } else {
        check_with_fixes(&name, &text, &Library)
    };
    tally.checked += 1;
    let mut unplayed = false;
    if let Some(games) = args.play.filter(|_| !loaded.reports.has_errors()) {
        let budget = Budget { games, cap: args.cap, seed: args.seed, steps: args.steps.limit_steps };
        let bar = ui.bar(0, "playing");
        let told = |at: &Progress| progress(ui, &bar, &name, at);
        let found = lint(&name, &text, &Library, budget, &told);
        bar.finish_and_clear();
        loaded.reports.append(found.reports);
        unplayed = found.unfinished;
    } else if !loaded.reports.has_errors() {
        loaded.reports.append(unlowered(&name, &text, &Library));
    }
    let reports = loaded.reports.sorted();
    let mut warnings = 0;
    for report in &reports {
        let shown = match report.code.severity() {
            Severity::Error => {
                tally.errors += 1;
                true
            }
            Severity::Warning => {
                warnings += 1;
                warnings <= SHOWN
            }
        };
        // With `--fix`, the certain ones that are left were tried and do not help.
        tally.fixes += usize::from(report.certain && !args.fix);
        if shown && !ui.is_json() {
            line(report_text(&loaded.sources, report));
        }
    }
    tally.warnings += warnings;
    if warnings > SHOWN && !ui.is_json() {
        line(format!("{name}: {} more warnings; `--format json` lists all", warnings - SHOWN));
    }
    if !ui.is_json() {
        for (_, why) in &loaded.incompatible {
            line(format!("{name}: {why}, so the two are not played together"));
        }
    }
    if loaded.unfinished {
        tally.unfinished = true;
        if !ui.is_json() {
            line(format!("{name}: not all of its setups are checked: they take more steps than a check may take"));
        }
    }
    if unplayed && !loaded.unfinished {
        tally.unfinished = true;
        if !ui.is_json() {
            line(format!("{name}: not all of its games are played: they take more steps than `--limit-steps` allows"));
        }
    }
    let list: Vec<Value> = reports.iter().map(|report| report_json(&loaded.sources, report)).collect();
    let incompatible: Vec<&str> = loaded.incompatible.iter().map(|(variant, _)| variant.as_str()).collect();
    let mut result = json!({"file": file, "ok": !loaded.reports.has_errors(), "reports": list, "barred": incompatible});
    if let Some(object) = result.as_object_mut() {
        if args.fix {
            object.insert("fixed".to_owned(), Value::Array(fixed));
        }
        if loaded.unfinished || unplayed {
            object.insert("unfinished".to_owned(), Value::Bool(true));
        }
    }
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    tally.results.push(result);
    Ok(())
}

/// Shows how far the games are; where there is no terminal to draw on, how many there will be.
fn progress(ui: Ui, bar: &ProgressBar, name: &str, at: &Progress) {
    if (at.setup, at.game) == (0, 0) && bar.is_hidden() && !ui.is_json() {
        ui.note(format!("{name}: playing {} in each of {}", count(at.games, "game"), count(at.setups, "setup")));
    }
    bar.set_length(at.games.saturating_mul(at.setups) as u64);
    bar.set_position(at.setup.saturating_mul(at.games).saturating_add(at.game) as u64);
    bar.set_message(format!("setup {} of {}", at.setup.saturating_add(1), at.setups));
}

/// Applies fixes to a file, in the default setup and in the first setup with errors, and writes it. The file is checked
/// again only where it has changed, and all together take no more steps than a check.
fn mended(name: &str, text: &str) -> (Mended, Loaded) {
    let subject = Subject { name, text, files: &Library };
    let mut loaded = check_all(name, text, &Library);
    let mut work = loaded.work;
    let mut mended = Mended { text: text.to_owned(), ..Mended::default() };
    let again = |mended: &Mended, work: &mut u64| {
        let loaded = check_within(name, &mended.text, &Library, WORK.saturating_sub(*work));
        *work += loaded.work;
        loaded
    };
    if loaded.reports.has_errors() && loaded.wrong.is_none() {
        mended = mend_loaded(subject, &Setup::default(), &mut loaded, &mut work);
        if mended.text == text {
            // The fixes that do not improve it have been tried.
            return (mended, loaded);
        }
        loaded = again(&mended, &mut work);
    }
    if let Some(setup) = loaded.wrong.clone() {
        let subject = Subject { text: &mended.text, ..subject };
        let mut alone = load(name, subject.text, &Library, &setup);
        work += alone.work;
        let more = mend_loaded(subject, &setup, &mut alone, &mut work);
        let changed = more.text != mended.text;
        mended.text = more.text;
        mended.done.extend(more.done);
        mended.refused += more.refused;
        if changed {
            loaded = again(&mended, &mut work);
        }
    }
    loaded.work = work;
    offer_fixes(Subject { text: &mended.text, ..subject }, &mut loaded);
    (mended, loaded)
}

/// Writes a file in place of what was read from it.
fn written(name: &str, before: &str, after: &str) -> Result<(), Failure> {
    if before == after {
        return Ok(());
    }
    if is_bundled(name) {
        let help = "copy it with `regelwerk new NAME --from GAME` and fix the copy";
        return Err(Failure::new(Exit::Usage, format!("`{name}` is a bundled game and cannot be changed")).cure(help));
    }
    rewrite(Path::new(name), before, after)?;
    if read_text(Path::new(name))? != after {
        let cure = "another program is writing to it: close that program and run the command again";
        return Err(Failure::new(Exit::Missing, format!("`{name}` does not contain what was written")).cure(cure));
    }
    Ok(())
}

fn count(n: usize, what: &str) -> String {
    let more = if what.ends_with('x') { "es" } else { "s" };
    match n {
        0 => format!("no {what}{more}"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}{more}"),
    }
}

fn summary(tally: &Tally) -> String {
    let checked =
        if tally.checked == 1 { "1 file checked".to_owned() } else { format!("{} files checked", tally.checked) };
    let fixes = match tally.fixes {
        0 => String::new(),
        fixes => format!("; {} available: `regelwerk check --fix`", count(fixes, "fix")),
    };
    format!("{checked}: {}, {}{fixes}", count(tally.errors, "error"), count(tally.warnings, "warning"))
}
