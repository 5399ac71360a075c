//! Coverage: which clauses the rules implement and the cases test.
//!
//! A case counts for a clause only if it names the clause, passes, and used a rule that implements it; for a
//! prohibition, the refusal must cite it. A setup that is refused uses no rule: it counts for clauses that facts implement.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::case::{Case, Given, Step};
use super::outcome::Outcome;
use super::trace::is_settled;
use crate::ir::{Clause, ClauseTable, Force, Game, RuleId};

/// The coverage state of a clause, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Passing cases show both what must succeed and what must fail.
    Tested,
    /// A decided gap that a passing case exercises.
    Decided,
    /// Recorded only, with a reason.
    Documented,
    /// A passing case exercises it, but none shows what must fail.
    NoNegative,
    /// A passing case shows what must fail, but none what must succeed.
    NoPositive,
    /// Rules implement it; no passing case uses them.
    Untested,
    /// A case names it, but no rule does.
    NoRule,
    /// No rule and no case.
    Open,
    /// Recorded only, without a reason.
    NoReason,
}

impl State {
    /// All states in order.
    pub const ALL: [Self; 9] = [
        Self::Tested,
        Self::Decided,
        Self::Documented,
        Self::NoNegative,
        Self::NoPositive,
        Self::Untested,
        Self::NoRule,
        Self::Open,
        Self::NoReason,
    ];

    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Tested => "tested",
            Self::Decided => "decided and shown",
            Self::Documented => "documented only",
            Self::NoNegative => "no negative case",
            Self::NoPositive => "no positive case",
            Self::Untested => "untested",
            Self::NoRule => "no rule",
            Self::Open => "open",
            Self::NoReason => "no reason given",
        }
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_done(self) -> bool {
        matches!(self, Self::Tested | Self::Decided | Self::Documented)
    }
}

/// The coverage of one clause.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The clause in the registry.
    pub clause: Clause,
    /// Its state.
    pub state: State,
    /// The rules that implement it, as lines for people.
    pub rules: Vec<String>,
    /// The passing cases that count for it.
    pub cases: Vec<String>,
    /// Cases that name it but did not exercise it.
    pub idle: Vec<String>,
    /// Cases that name it and failed, which says nothing of what they exercised.
    pub failed: Vec<String>,
}

/// A case that counts for a clause.
#[derive(Clone, Debug)]
struct Counted {
    name: String,
    /// Whether it shows what must succeed.
    positive: bool,
    /// Whether it shows what must fail.
    negative: bool,
    /// Whether the setup is refused, so that no rule is used.
    refused: bool,
}

/// Coverage under construction.
#[derive(Debug, Default)]
pub struct Coverage {
    table: ClauseTable,
    rules: BTreeMap<String, Vec<String>>,
    /// The clauses that facts implement: players, options, variants, boards. They alone can be why a setup is refused.
    facts: BTreeSet<String>,
    cases: BTreeMap<String, Vec<Counted>>,
    idle: BTreeMap<String, Vec<String>>,
    failed: BTreeMap<String, Vec<String>>,
}

impl Coverage {
    /// Empty coverage of these clauses.
    #[must_use]
    pub fn new(table: &ClauseTable) -> Self {
        Self { table: table.clone(), ..Self::default() }
    }

    /// Adds the rules of a game in one of its setups; `line` formats a rule.
    pub fn add_rules(&mut self, game: &Game, line: &dyn Fn(RuleId) -> String) {
        for (number, rule) in game.rules.numbered() {
            if is_settled(game, number) {
                self.facts.extend(rule.clauses.iter().cloned());
            }
            for clause in &rule.clauses {
                let lines = self.rules.entry(clause.clone()).or_default();
                let text = line(number);
                if !lines.contains(&text) {
                    lines.push(text);
                }
            }
        }
    }

    /// Adds a case that was run.
    pub fn add_case(&mut self, name: &str, case: &Case, outcome: &Outcome) {
        let refused = matches!(case.given, Given::Unavailable(_));
        for clause in &case.clauses {
            let touched = refused || outcome.touched.contains(clause);
            let (positive, negative) = signs(case, clause, self.table.forbids(clause));
            // A statement of which nothing came shows what must fail, not what must succeed.
            let positive = positive && touched;
            if !outcome.passed() {
                self.failed.entry(clause.clone()).or_default().push(name.to_owned());
            } else if touched || negative && outcome.passed_by.contains(clause) {
                let counted = Counted { name: name.to_owned(), positive, negative, refused };
                self.cases.entry(clause.clone()).or_default().push(counted);
            } else {
                self.idle.entry(clause.clone()).or_default().push(name.to_owned());
            }
        }
    }

    /// The coverage of each clause, in the order of the documents.
    #[must_use]
    pub fn clauses(&self) -> IndexMap<String, Covered> {
        let all = self.table.clauses.iter().map(|(id, clause)| {
            let rules = self.rules.get(id).cloned().unwrap_or_default();
            let all = self.cases.get(id).into_iter().flatten();
            let (cases, vain): (Vec<&Counted>, Vec<&Counted>) =
                all.partition(|case| !case.refused || self.facts.contains(id));
            let names = |cases: &[&Counted]| cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>();
            let mut idle = self.idle.get(id).cloned().unwrap_or_default();
            idle.extend(names(&vain));
            let failed = self.failed.get(id).cloned().unwrap_or_default();
            let named = !(idle.is_empty() && failed.is_empty());
            let state = state(&clause.force, !rules.is_empty(), &cases, named);
            (id.clone(), Covered { clause: clause.clone(), state, rules, cases: names(&cases), idle, failed })
        });
        all.collect()
    }
}

fn state(force: &Force, rules: bool, cases: &[&Counted], named: bool) -> State {
    let positive = cases.iter().any(|case| case.positive);
    let negative = cases.iter().any(|case| case.negative);
    match (force, rules, positive, negative) {
        (Force::Documented(reason), ..) if reason.trim().is_empty() => State::NoReason,
        (Force::Documented(_), ..) => State::Documented,
        (Force::Gap, ..) if !cases.is_empty() => State::Decided,
        (Force::Executable | Force::Assumed(_), true, true, true) => State::Tested,
        (Force::Executable | Force::Assumed(_), true, true, false) => State::NoNegative,
        (Force::Executable | Force::Assumed(_), true, false, true) => State::NoPositive,
        (Force::Gap, true, ..) | (Force::Executable | Force::Assumed(_), true, false, false) => State::Untested,
        (Force::Gap | Force::Executable | Force::Assumed(_), false, ..) if !cases.is_empty() || named => State::NoRule,
        (Force::Gap | Force::Executable | Force::Assumed(_), false, ..) => State::Open,
    }
}

/// Whether a case shows for a clause, which may be one that forbids, what must succeed, and what must fail.
fn signs(case: &Case, clause: &str, forbids: bool) -> (bool, bool) {
    // A refusal is that of the clauses which it names; no refusal names a clause that only permits, so that any does for it.
    let by = |clauses: &[String]| !forbids || clauses.iter().any(|named| named == clause);
    let mut signs = (false, matches!(case.given, Given::Unavailable(_)));
    for step in &case.steps {
        let (positive, negative) = match step {
            Step::Play(_) | Step::Legal(_) | Step::Holds(_) | Step::Granted(_) => (true, false),
            // An exact result implies both what must hold and that nothing else does.
            Step::Won(..) | Step::Drawn(_) | Step::Ranks(_) | Step::Scores(_) | Step::Sees(..) | Step::Asked(_) => {
                (true, true)
            }
            Step::Illegal(_, clauses) | Step::IllegalAmong(_, clauses) | Step::Refused(_, clauses) => {
                (false, by(clauses))
            }
            Step::Fails(_) | Step::GoesOn => (false, true),
            Step::Only(moves) => (!moves.is_empty(), true),
            Step::From(_, ends) => (!ends.is_empty(), true),
            Step::Count(count) => (*count > 0, true),
        };
        signs = (signs.0 || positive, signs.1 || negative);
    }
    signs
}
