//! Which cases of the old rules pass on the new ones.

use std::fmt::Write;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::super::cases::{cases_of, run_all};
use super::super::exit::Failure;
use super::super::limits::StepArgs;
use super::super::ui::Ui;
use super::One;
use crate::conformance::{Case, Interpreters, Outcome, Rules, Transferred, settles, stages, stands_for, transfer};

/// How many cases with the same fate are listed unless all are requested.
const SHOWN: usize = 8;

/// The fates of the cases.
#[derive(Debug)]
pub(super) struct Cases {
    holds: usize,
    /// Those that fail.
    failed: Vec<Broken>,
    /// Those that do not pass on the old rules, and whether they pass on the new ones.
    unsound: Vec<(Case, bool)>,
    /// Those about another setup, and why.
    elsewhere: Vec<(Case, String)>,
    /// The new rules' own cases: how many pass, and those that fail.
    own: (usize, Vec<Case>),
}

/// A case that fails.
#[derive(Debug)]
struct Broken {
    case: Case,
    /// The first step that fails; 0 for the initial position.
    step: usize,
    /// The failures.
    why: Vec<String>,
    /// The cases that replace it.
    by: Vec<String>,
}

/// So many cases of one setup share rules that are loaded once.
const SHARED: usize = 16;

/// The cases of a side.
fn cases(one: &One) -> Result<Vec<Case>, Failure> {
    Ok(cases_of(one.read.rules.name())?.into_iter().flat_map(|found| found.file.cases).collect())
}

/// Runs the cases of the old rules on the new ones, within so many steps.
pub(super) fn transferred(old: &One, new: &One, steps: &StepArgs, ui: Ui) -> Result<Cases, Failure> {
    let (own, theirs): (Vec<Case>, Vec<Case>) = if old.read.rules.name() == new.read.rules.name() {
        cases(old)?.into_iter().partition(|case| settles(&case.setup, &old.setup, &new.setup))
    } else {
        (cases(new)?, cases(old)?)
    };
    let before = Rules { file: &old.read.rules, setup: &old.setup };
    let after = Rules { file: &new.read.rules, setup: &new.setup };
    let bar = ui.bar((own.len() + theirs.len()) as u64, "cases");
    let these: Vec<&Case> = own.iter().collect();
    let meter = steps.meter();
    let goes_on = || !meter.is_spent();
    let outcomes = run_all(&these, after.file, Interpreters::Reference, Some(&meter), &goes_on, &|_, _| bar.inc(1));
    let passed: Vec<bool> = outcomes.iter().map(|outcome| outcome.as_ref().is_some_and(Outcome::passed)).collect();
    let all: Vec<&Case> = theirs.iter().collect();
    let groups = stages(&all);
    let groups: Vec<&[usize]> = groups.iter().flat_map(|group| group.chunks(SHARED)).collect();
    let carried = |group: &&[usize]| {
        if !goes_on() {
            return Vec::new();
        }
        let these: Vec<&Case> = group.iter().map(|&number| all[number]).collect();
        let fates = transfer(&these, &before, &after, Some(&meter), &|| bar.inc(1));
        group.iter().copied().zip(fates).collect::<Vec<(usize, Transferred)>>()
    };
    let mut fates: Vec<(usize, Transferred)> = groups.par_iter().flat_map_iter(carried).collect();
    fates.sort_unstable_by_key(|(number, _)| *number);
    bar.finish_and_clear();
    steps.within(&meter, "the cases of both rules")?;
    let sound: Vec<&Case> = own.iter().zip(&passed).filter(|(_, passed)| **passed).map(|(case, _)| case).collect();
    let mut result = Cases {
        holds: 0,
        failed: Vec::new(),
        unsound: Vec::new(),
        elsewhere: Vec::new(),
        own: (sound.len(), Vec::new()),
    };
    for (case, (_, fate)) in theirs.into_iter().zip(fates) {
        match fate {
            Transferred::Holds => result.holds += 1,
            Transferred::Fails(failures) => {
                let Some(step) = failures.first().map(|failure| failure.step) else { continue };
                let by = sound.iter().filter(|own| stands_for(own, &case)).map(|own| own.name.clone()).collect();
                let why =
                    failures.iter().map(|failure| format!("step {}: {}", failure.step, failure.message)).collect();
                result.failed.push(Broken { case, step, why, by });
            }
            Transferred::FailedBefore { passes } => result.unsound.push((case, passes)),
            Transferred::NotTransferable(why) => result.elsewhere.push((case, why)),
        }
    }
    let broken = own.into_iter().zip(passed).filter(|(_, passed)| !passed).map(|(case, _)| case);
    result.own.1.extend(broken);
    Ok(result)
}

/// The first clause of a case, and its name.
fn title(case: &Case) -> String {
    format!("§{}: {}", case.clauses.first().map_or("", String::as_str), case.name)
}

impl Cases {
    /// How many cases fail without being replaced.
    pub(super) fn fails(&self) -> usize {
        self.failed.iter().filter(|broken| broken.by.is_empty()).count() + self.own.1.len()
    }

    /// For people: some of the cases with each fate, or all.
    pub(super) fn text(&self, all: bool) -> String {
        let total = self.holds + self.failed.len();
        if total + self.unsound.len() + self.elsewhere.len() + self.own.0 + self.own.1.len() == 0 {
            return "No cases found for these rules.\n".to_owned();
        }
        let most = if all { usize::MAX } else { SHOWN };
        let more = |count: usize| match count.saturating_sub(most) {
            0 => String::new(),
            more => format!("  and {more} more: `--all` lists them\n"),
        };
        let (replaced, fails): (Vec<_>, Vec<_>) = self.failed.iter().partition(|broken| !broken.by.is_empty());
        let mut text = format!(
            "\u{1b}[1mCases:\u{1b}[0m {} of {total} of the old rules still pass, {} are replaced, {} fail",
            self.holds,
            replaced.len(),
            fails.len()
        );
        if !self.unsound.is_empty() {
            let now = self.unsound.iter().filter(|(_, passes)| *passes).count();
            let _ = write!(text, "; {} more fail on the old rules, of which {now} pass on the new", self.unsound.len());
        }
        if !self.elsewhere.is_empty() {
            let _ = write!(text, "; {} more are about another setup", self.elsewhere.len());
        }
        text.push('\n');
        for Broken { case, by, .. } in replaced.iter().take(most) {
            let _ = writeln!(text, "  \u{1b}[33mreplaced\u{1b}[0m  {}\n            by: {}", title(case), by.join("; "));
        }
        text.push_str(&more(replaced.len()));
        // A case that fails at once may not even fit the new rules; one that fails later is more informative.
        let (first, later): (Vec<_>, Vec<_>) = fails.into_iter().partition(|broken| broken.step < 2);
        for (these, heading) in [(later, "give a different result"), (first, "fail at their first step")] {
            if !these.is_empty() {
                let _ = writeln!(text, "  {} {heading}:", these.len());
            }
            for Broken { case, why, .. } in these.iter().take(most) {
                let why = why.first().map_or("", |why| why.lines().next().unwrap_or(""));
                let _ = writeln!(text, "  \u{1b}[31mfails\u{1b}[0m     {}\n            {why}", title(case));
            }
            text.push_str(&more(these.len()));
        }
        let (sound, broken) = &self.own;
        if *sound + broken.len() > 0 {
            let _ = writeln!(text, "  {sound} of {} cases of the new rules pass", sound + broken.len());
        }
        for case in broken {
            let _ = writeln!(text, "  \u{1b}[31mfails\u{1b}[0m     {}", title(case));
        }
        text
    }

    /// For programs.
    pub(super) fn as_json(&self) -> Value {
        let failed: Vec<Value> = self
            .failed
            .iter()
            .map(|Broken { case, why, by, .. }| {
                json!({"case": case.name, "clauses": case.clauses, "failures": why, "replaced_by": by})
            })
            .collect();
        let unsound: Vec<Value> = self
            .unsound
            .iter()
            .map(|(case, passes)| json!({"case": case.name, "clauses": case.clauses, "passes": passes}))
            .collect();
        let elsewhere: Vec<Value> = self
            .elsewhere
            .iter()
            .map(|(case, why)| json!({"case": case.name, "clauses": case.clauses, "why": why}))
            .collect();
        let own: Vec<Value> =
            self.own.1.iter().map(|case| json!({"case": case.name, "clauses": case.clauses})).collect();
        json!({"hold": self.holds, "failed": failed, "failed_before": unsound,
            "about_another_setup": elsewhere, "own_passed": self.own.0, "own_failed": own})
    }
}
