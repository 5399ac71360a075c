//! `mutate`: changes one rule at a time and checks whether a case fails.

mod judge;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::cases::{game_cases, run_all};
use super::exit::{Exit, Failure};
use super::ui::Ui;
use crate::bundled::PREFIX;
use crate::conformance::{Case, Interpreters, Kind, Mutant, Outcome, Survivor, load_survivors, mutants};
use crate::files::{Library, find_rules, read_text};
use crate::load::{RuleFile, Setup};
use judge::{Fate, Judge};

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
    #[arg(long, value_name = "PERCENT", default_value_t = 98)]
    least: u32,
    /// Only changes of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    kind: Vec<Kind>,
    /// Only try every N-th mutant
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Only try mutants of this line
    #[arg(long, value_name = "N")]
    line: Option<usize>,
    /// What the cases of one mutant may take; one that takes longer counts as killed
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,
}

fn kind(text: &str) -> Result<Kind, String> {
    let names = || Kind::ALL.map(Kind::name).join(", ");
    Kind::named(text).ok_or_else(|| format!("the kinds are {}", names()))
}

/// Runs the command.
pub(super) fn run(args: &MutateArgs, ui: Ui) -> Result<Exit, Failure> {
    let (name, text) = find_rules(&args.game)?;
    let cases = game_cases(&args.game, args.cases.as_deref())?;
    sound(&cases, &name, &text)?;
    let excused = excused(args, &name)?;
    let mut all = mutants(&name, &text);
    let whole = all.len();
    all.retain(|mutant| args.kind.is_empty() || args.kind.contains(&mutant.kind));
    all.retain(|mutant| args.line.is_none_or(|line| mutant.line == line));
    let all: Vec<Mutant> = all.into_iter().step_by(args.every as usize).collect();
    let bar = ui.bar(all.len() as u64, "mutants");
    let judge = Judge::new(&name, &text, &cases, Duration::from_secs(args.patience));
    let fates: Vec<Fate> = all
        .par_iter()
        .map(|mutant| {
            let fate = judge.fate(mutant);
            bar.inc(1);
            fate
        })
        .collect();
    bar.finish_and_clear();
    if fates.iter().all(|fate| *fate == Fate::Stillborn) {
        let failure =
            Failure::new(Exit::Usage, "none of the changes leaves rules that can be played, so nothing was tested");
        return Err(failure.cure("take more kinds, another line, or more than each N-th change"));
    }
    let fates: Vec<(&Mutant, Fate)> = all.iter().zip(fates).collect();
    let verdict = Verdict::new(&fates, &excused, all.len() == whole);
    if ui.is_json() {
        ui.json(&verdict.json(&args.game));
    } else {
        verdict.print(&args.game, &name, ui);
    }
    let fine = verdict.total.percent() >= f64::from(args.least) && verdict.total.open == 0 && verdict.stale.is_empty();
    Ok(if fine { Exit::Done } else { Exit::Faults })
}

/// How many mutants have which fate.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    mutants: usize,
    invalid: usize,
    killed: usize,
    /// Of those killed, the ones whose cases took too long.
    endless: usize,
    same: usize,
    open: usize,
}

impl Counts {
    /// The share that is killed of those that do not mean the same: that cannot be noticed.
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
    fn percent(&self) -> f64 {
        let all = self.killed + self.open;
        if all == 0 { 100.0 } else { 100.0 * self.killed as f64 / all as f64 }
    }
}

/// What became of all mutants.
struct Verdict<'a> {
    total: Counts,
    kinds: Vec<(Kind, Counts)>,
    /// Those that no case notices, with the reason that there is.
    survivors: Vec<(&'a Mutant, Option<&'a str>)>,
    /// Reasons that are about no survivor.
    stale: Vec<&'a Survivor>,
}

impl<'a> Verdict<'a> {
    /// Counts them. If `whole`, all mutants of the file were tried.
    fn new(fates: &[(&'a Mutant, Fate)], excused: &'a [Survivor], whole: bool) -> Self {
        let mut total = Counts::default();
        let mut kinds: Vec<(Kind, Counts)> = Kind::ALL.map(|kind| (kind, Counts::default())).into();
        let mut survivors = Vec::new();
        for (mutant, fate) in fates {
            let reason = excused.iter().find(|known| known.fits(mutant)).map(|known| known.reason.as_str());
            if *fate == Fate::Survived {
                survivors.push((*mutant, reason));
            }
            let own = kinds.iter_mut().filter(|(kind, _)| *kind == mutant.kind).map(|(_, counts)| counts);
            for counts in own.chain([&mut total]) {
                counts.mutants += 1;
                match fate {
                    Fate::Stillborn => counts.invalid += 1,
                    Fate::Killed => counts.killed += 1,
                    Fate::Endless => {
                        counts.killed += 1;
                        counts.endless += 1;
                    }
                    Fate::Survived if reason.is_some() => counts.same += 1,
                    Fate::Survived => counts.open += 1,
                }
            }
        }
        kinds.retain(|(_, counts)| counts.mutants > 0);
        let stale = excused.iter().filter(|known| {
            let mut about = fates.iter().filter(|(mutant, _)| known.fits(mutant)).peekable();
            let tried = about.peek().is_some();
            !about.any(|(_, fate)| *fate == Fate::Survived) && (tried || whole)
        });
        let stale = stale.collect();
        Self { total, kinds, survivors, stale }
    }

    fn json(&self, game: &str) -> Value {
        let counts = |counts: &Counts| {
            json!({
                "mutants": counts.mutants, "stillborn": counts.invalid, "killed": counts.killed,
                "endless": counts.endless, "survived": counts.same + counts.open,
                "killed_percent": counts.percent(), "without_reason": counts.open,
            })
        };
        let survivor = |(mutant, reason): &(&Mutant, Option<&str>)| {
            json!({
                "line": mutant.line, "kind": mutant.kind.name(), "what": mutant.what, "nth": mutant.nth,
                "before": &*mutant.before, "reason": reason,
            })
        };
        let mut all = counts(&self.total);
        all["game"] = json!(game);
        all["kinds"] = self.kinds.iter().map(|(kind, own)| (kind.name().to_owned(), counts(own))).collect();
        all["survivors"] = self.survivors.iter().map(survivor).collect();
        all["stale"] = self.stale.iter().map(|known| json!({"before": known.before, "what": known.what})).collect();
        all
    }

    fn print(&self, game: &str, name: &str, ui: Ui) {
        for (mutant, reason) in &self.survivors {
            let nth = if mutant.several { format!(" (nth: {})", mutant.nth) } else { String::new() };
            ui.line(format!("{name}:{}: {}{nth}\n    {}", mutant.line, mutant.what, mutant.before));
            if let Some(reason) = reason {
                ui.line(format!("    excused: {reason}"));
            }
        }
        for known in &self.stale {
            ui.line(format!("stale: no mutant survives with {} in\n    {}", known.what, known.before));
        }
        ui.line(format!("{:<12}{:>8}{:>8}{:>8}{:>8}{:>8}", "kind", "mutants", "invalid", "killed", "same", "left"));
        for (kind, own) in &self.kinds {
            let Counts { mutants, invalid, killed, endless: _, same, open } = own;
            ui.line(format!("{:<12}{mutants:>8}{invalid:>8}{killed:>8}{same:>8}{open:>8}", kind.name()));
        }
        let total = &self.total;
        let endless = if total.endless == 0 { String::new() } else { format!(" ({} without an end)", total.endless) };
        ui.line(format!(
            "{game}: {} of {} mutants killed{endless} ({:.1} %), {} more mean the same, {} are invalid",
            total.killed,
            total.killed + total.open,
            total.percent(),
            total.same,
            total.invalid
        ));
    }
}

/// Refuses to start if cases fail on the unchanged rules: they would detect every mutant.
fn sound(cases: &[Case], name: &str, text: &str) -> Result<(), Failure> {
    let all: Vec<&Case> = cases.iter().collect();
    let rules = RuleFile::read(name, text, &Library);
    if rules.load(&Setup::default()).game.is_none() {
        return Err(Failure::new(Exit::Faults, format!("the rules of `{name}` have errors"))
            .cure(format!("run `regelwerk check {name}`")));
    }
    let outcomes = run_all(&all, &rules, Interpreters::Reference, None, &|| true, &|_, _| ());
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
