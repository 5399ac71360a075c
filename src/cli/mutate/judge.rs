//! The fate of mutants: which cases are run on one, in which order, and what becomes of it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::conformance::{Case, Given, Interpreters, Mutant, Stage, run_case, stages};
use crate::files::Library;
use crate::load::{RuleFile, Setup};

/// How many of the cases that detected something are remembered.
const HINTS: usize = 8;

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The checker rejects it in a setup in which the rules are used.
    Stillborn,
    /// A case failed.
    Killed,
    /// Its cases took too long: where the rules as they are play on, it does not come to an end.
    Endless,
    /// No case failed.
    Survived,
}

/// Runs cases on mutants of one rule file.
pub(super) struct Judge<'a> {
    name: &'a str,
    text: &'a str,
    cases: &'a [Case],
    /// The cases that share a setup, by index.
    groups: Vec<Vec<usize>>,
    /// The group of each case.
    group_of: Vec<usize>,
    /// The setups in which all parts of the rule file are used.
    setups: Vec<Setup>,
    /// Cases that detected mutants before.
    hints: Vec<AtomicUsize>,
    /// What the cases of one mutant may take.
    limit: Duration,
}

impl<'a> Judge<'a> {
    /// For the mutants of a rule file.
    pub(super) fn new(name: &'a str, text: &'a str, cases: &'a [Case], limit: Duration) -> Self {
        let all: Vec<&Case> = cases.iter().collect();
        let groups = stages(&all);
        let mut group_of = vec![0; cases.len()];
        for (number, group) in groups.iter().enumerate() {
            for &at in group {
                group_of[at] = number;
            }
        }
        let rules = RuleFile::read(name, text, &Library);
        let setups: Vec<Setup> = std::iter::once(Setup::default()).chain(rules.covering(&mut 0)).collect();
        let setups = rules.loads(&setups).filter(|(_, loaded)| loaded.game.is_some());
        let setups = setups.map(|(setup, _)| setup.clone()).collect();
        let hints = (0..HINTS).map(|_| AtomicUsize::new(usize::MAX)).collect();
        Self { name, text, cases, groups, group_of, setups, hints, limit }
    }

    /// What becomes of a mutant.
    pub(super) fn fate(&self, mutant: &Mutant) -> Fate {
        let rules = RuleFile::read(self.name, &mutant.text(self.text), &Library);
        // A variant or an overlay that no longer means anything is not noticed by its cases, but by `check`.
        if self.setups.iter().any(|setup| rules.load(setup).game.is_none()) {
            return Fate::Stillborn;
        }
        let start = Instant::now();
        let mut trial = Trial { judge: self, rules, stages: self.groups.iter().map(|_| None).collect() };
        for at in self.order(mutant) {
            if !trial.passes(at) {
                self.hints[at % HINTS].store(at, Ordering::Relaxed);
                return Fate::Killed;
            }
            if start.elapsed() > self.limit {
                return Fate::Endless;
            }
        }
        Fate::Survived
    }

    /// All cases: those that cite what the changed place cites, the most specific clause first; those that detected
    /// others; the rest.
    fn order(&self, mutant: &Mutant) -> Vec<usize> {
        let hints: Vec<usize> = self.hints.iter().map(|hint| hint.load(Ordering::Relaxed)).collect();
        let rank = |at: usize| {
            let common = self.cases[at].clauses.iter().position(|clause| mutant.clauses.contains(clause));
            (common.unwrap_or(usize::MAX), !hints.contains(&at), at)
        };
        let mut order: Vec<usize> = (0..self.cases.len()).collect();
        order.sort_by_cached_key(|&at| rank(at));
        order
    }
}

/// The cases of one mutant; those with the same setup share rules that are loaded once.
struct Trial<'a> {
    judge: &'a Judge<'a>,
    rules: RuleFile,
    /// For each group the rules in its setup; none inside where they do not load.
    stages: Vec<Option<Option<Stage>>>,
}

impl Trial<'_> {
    fn passes(&mut self, at: usize) -> bool {
        let case = &self.judge.cases[at];
        if matches!(case.given, Given::Unavailable(_)) {
            return run_case(case, &self.rules, Interpreters::Reference).passed();
        }
        let number = self.judge.group_of[at];
        let stage = self.stages[number].get_or_insert_with(|| {
            let cases: Vec<&Case> = self.judge.groups[number].iter().map(|&at| &self.judge.cases[at]).collect();
            Stage::new(&cases, &self.rules, Interpreters::Reference).ok()
        });
        match stage {
            Some(stage) => stage.run(case).passed(),
            None => run_case(case, &self.rules, Interpreters::Reference).passed(),
        }
    }
}
