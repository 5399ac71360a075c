//! `mutate`: changes one rule at a time and checks whether a case fails.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde_json::json;

use super::cases::{game_cases, run_all};
use super::exit::{Exit, Failure};

use super::ui::Ui;
use crate::bundled::PREFIX;
use crate::conformance::{Case, Interpreters, Mutant, Outcome, Survivor, load_survivors, mutants, run_case};
use crate::files::{Library, find_rules, read_text};
use crate::load::{RuleFile, Setup};

/// Changes one rule at a time and checks whether a case fails (mutation testing)
#[derive(Clone, Debug, clap::Args)]
pub(super) struct MutateArgs {
    /// A rule file, or the name of a bundled game
    #[arg(value_name = "GAME")]
    game: String,
    /// Where the cases are; by default the game's folder under `tests/conformance`
    #[arg(long, value_name = "PATH")]
    cases: Option<PathBuf>,
    /// Accepted survivors; by default `survivors.ron` beside the rules
    #[arg(long, value_name = "FILE")]
    excused: Option<PathBuf>,
    /// Fail if a smaller percentage is killed of those that are not accepted survivors
    #[arg(long, value_name = "PERCENT", default_value_t = 95)]
    least: u32,
    /// Only try every N-th mutant
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Only try mutants of this line
    #[arg(long, value_name = "N")]
    line: Option<usize>,
}

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// The checker rejects it in the default setup.
    Stillborn,
    /// A case failed.
    Killed,
    /// No case failed.
    Survived,
}

/// Runs the command.
#[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
pub(super) fn run(args: &MutateArgs, ui: Ui) -> Result<Exit, Failure> {
    let (name, text) = find_rules(&args.game)?;
    let cases = game_cases(&args.game, args.cases.as_deref())?;
    sound(&cases, &name, &text)?;
    let excused = excused(args, &name)?;
    let all: Vec<Mutant> = mutants(&name, &text)
        .into_iter()
        .step_by(args.every as usize)
        .filter(|mutant| args.line.is_none_or(|line| mutant.line == line))
        .collect();
    let bar = ui.bar(all.len() as u64, "mutants");
    // The case that detected the last mutant is tried first on the next one.
    let hints: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
    let setups = setups(&RuleFile::read(&name, &text, &Library));
    let fates: Vec<Fate> = all
        .par_iter()
        .map(|mutant| {
            let fate = fate(&name, mutant, &cases, &hints, &setups);
            bar.inc(1);
            fate
        })
        .collect();
    bar.finish_and_clear();
    let count = |fate| fates.iter().filter(|other| **other == fate).count();
    let (killed, survived) = (count(Fate::Killed), count(Fate::Survived));
    let survivors: Vec<&Mutant> =
        all.iter().zip(&fates).filter(|(_, fate)| **fate == Fate::Survived).map(|(mutant, _)| mutant).collect();
    // Layout does not distinguish lines.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let reason = |mutant: &Mutant| {
        let known =
            excused.iter().find(|known| words(&known.before) == words(&mutant.before) && known.what == mutant.what);
        known.map(|known| &known.reason)
    };
    let open = survivors.iter().filter(|mutant| reason(mutant).is_none()).count();
    // What means the same cannot be noticed.
    let share = if killed + open == 0 { 100.0 } else { 100.0 * killed as f64 / (killed + open) as f64 };
    if ui.is_json() {
        let list: Vec<_> = survivors
            .iter()
            .map(|mutant| json!({"line": mutant.line, "what": mutant.what, "before": mutant.before, "reason": reason(mutant)}))
            .collect();
        ui.json(&json!({
            "game": args.game, "mutants": all.len(), "stillborn": count(Fate::Stillborn), "killed": killed,
            "survived": survived, "killed_percent": share, "without_reason": open, "survivors": list,
        }));
    } else {
        for mutant in &survivors {
            ui.line(format!("{name}:{}: {}\n    {}", mutant.line, mutant.what, mutant.before));
            if let Some(reason) = reason(mutant) {
                ui.line(format!("    excused: {reason}"));
            }
        }
        ui.line(format!(
            "{}: {killed} of {} mutants killed ({share:.1} %), {} more mean the same, {} are invalid",
            args.game,
            killed + open,
            survived - open,
            count(Fate::Stillborn)
        ));
    }
    Ok(if share >= f64::from(args.least) && open == 0 { Exit::Done } else { Exit::Faults })
}

/// Refuses to start if cases fail on the unchanged rules: they would detect every mutant.
fn sound(cases: &[Case], name: &str, text: &str) -> Result<(), Failure> {
    let all: Vec<&Case> = cases.iter().collect();
    let rules = RuleFile::read(name, text, &Library);
    let outcomes = run_all(&all, &rules, Interpreters::Reference, &|| true, &|_, _| ());
    let failed = |(case, outcome): (&Case, Option<Outcome>)| {
        outcome.filter(|outcome| !outcome.passed()).map(|_| format!("`{}`", case.name))
    };
    let failed: Vec<String> = cases.iter().zip(outcomes).filter_map(failed).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let message = format!("these cases fail on `{name}` as it is: {}", failed.join(", "));
    let cure = format!("see what `regelwerk test` says of `{name}`: only cases that pass can notice a mutant");
    Err(Failure::new(Exit::Faults, message).cure(cure))
}

fn excused(args: &MutateArgs, name: &str) -> Result<Vec<Survivor>, Failure> {
    let rules = name.strip_prefix(PREFIX).map_or_else(|| PathBuf::from(name), |inside| Path::new("rules").join(inside));
    let standard = rules.with_file_name("survivors.ron");
    let path = args.excused.clone().unwrap_or(standard);
    if args.excused.is_none() && !path.is_file() {
        return Ok(Vec::new());
    }
    load_survivors(&read_text(&path)?).map_err(|error| {
        Failure::new(Exit::Faults, format!("`{}` is not a list of survivors: {error}", path.display()))
            .cure("`[Survivor(before: \"…\", what: \"…\", reason: \"…\")]`")
    })
}

/// The setups in which all parts of a rule file are used, as far as it loads in them.
fn setups(rules: &RuleFile) -> Vec<Setup> {
    let all = std::iter::once(Setup::default()).chain(rules.covering());
    all.filter(|setup| rules.load(setup).game.is_some()).collect()
}

fn fate(name: &str, mutant: &Mutant, cases: &[Case], hints: &[AtomicUsize], setups: &[Setup]) -> Fate {
    let rules = RuleFile::read(name, &mutant.text, &Library);
    // A variant or an overlay that no longer means anything is not noticed by its cases, but by `check`.
    if setups.iter().any(|setup| rules.load(setup).game.is_none()) {
        return Fate::Stillborn;
    }
    let fails = |at: usize| cases.get(at).is_some_and(|case| !run_case(case, &rules, Interpreters::Reference).passed());
    let tried: Vec<usize> = hints.iter().map(|hint| hint.load(Ordering::Relaxed)).collect();
    for &at in &tried {
        if fails(at) {
            return Fate::Killed;
        }
    }
    for at in (0..cases.len()).filter(|at| !tried.contains(at)) {
        if fails(at) {
            if let Some(hint) = hints.get(at % hints.len().max(1)) {
                hint.store(at, Ordering::Relaxed);
            }
            return Fate::Killed;
        }
    }
    Fate::Survived
}
