//! Coverage: which clauses the rules implement and the cases test.
//!
//! A case counts for a clause only if it names the clause, passes, and used a rule that implements it; for a
//! prohibition, the refusal must cite it.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::case::{Case, Given, Step};
use super::outcome::Outcome;
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
    /// Cases that name it but did not exercise it, or failed.
    pub idle: Vec<String>,
}

/// A case that counts for a clause.
#[derive(Clone, Debug)]
struct Counted {
    name: String,
    /// Whether it shows what must succeed.
    positive: bool,
    /// Whether it shows what must fail.
    negative: bool,
}

/// Coverage under construction.
#[derive(Debug, Default)]
pub struct Coverage {
    table: ClauseTable,
    rules: BTreeMap<String, Vec<String>>,
    cases: BTreeMap<String, Vec<Counted>>,
    idle: BTreeMap<String, Vec<String>>,
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
        let (positive, negative) = signs(case);
        for clause in &case.clauses {
            let counts = outcome.passed() && outcome.touched.contains(clause);
            // A refused setup uses no rule.
            let unavailable = outcome.passed() && matches!(case.given, Given::Unavailable(_));
            if counts || unavailable {
                let counted = Counted { name: name.to_owned(), positive, negative };
                self.cases.entry(clause.clone()).or_default().push(counted);
            } else {
                self.idle.entry(clause.clone()).or_default().push(name.to_owned());
            }
        }
    }

    /// The coverage of each clause, in the order of the documents.
    #[must_use]
    pub fn clauses(&self) -> IndexMap<String, Covered> {
        let none = Vec::new();
        let all = self.table.clauses.iter().map(|(id, clause)| {
            let rules = self.rules.get(id).cloned().unwrap_or_default();
            let cases = self.cases.get(id).unwrap_or(&none);
            let idle = self.idle.get(id).cloned().unwrap_or_default();
            let state = state(&clause.force, !rules.is_empty(), cases, !idle.is_empty());
            let cases = cases.iter().map(|case| case.name.clone()).collect();
            (id.clone(), Covered { clause: clause.clone(), state, rules, cases, idle })
        });
        all.collect()
    }
}

fn state(force: &Force, rules: bool, cases: &[Counted], named: bool) -> State {
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

/// Whether a case shows what must succeed, and what must fail.
fn signs(case: &Case) -> (bool, bool) {
    let mut signs = (false, matches!(case.given, Given::Unavailable(_)));
    for step in &case.steps {
        let (positive, negative) = match step {
            Step::Play(_) | Step::Legal(_) | Step::Holds(_) | Step::Granted(_) | Step::Asked(_) => (true, false),
            // An exact result implies both what must hold and that nothing else does.
            Step::Won(..) | Step::Drawn(_) | Step::Ranks(_) | Step::Scores(_) | Step::Sees(..) => (true, true),
            Step::Illegal(..) | Step::IllegalAmong(..) | Step::Refused(..) | Step::Fails(_) | Step::GoesOn => {
                (false, true)
            }
            Step::Only(moves) => (!moves.is_empty(), true),
            Step::From(_, ends) => (!ends.is_empty(), true),
            Step::Count(count) => (*count > 0, true),
        };
        signs = (signs.0 || positive, signs.1 || negative);
    }
    signs
}
