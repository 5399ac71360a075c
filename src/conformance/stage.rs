//! Preparing rules for cases.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::base::{Sources, nearest};
use crate::engine::Fast;
use crate::ir::RuleId;
use crate::load::{RuleFile, Setup};
use crate::model::{Engine, Meter};
use crate::notation;
use crate::play::{Stream, deal};
use crate::reference::Walker;
use crate::report::{Report, Severity};

use super::case::{Case, Given};
use super::outcome::Outcome;
use super::runner::{Interpreters, Run};

/// Runs a case on a rule file.
#[must_use]
pub fn run_case(case: &Case, rules: &RuleFile, on: Interpreters) -> Outcome {
    run_case_within(case, rules, on, None)
}

/// The same with steps from a meter.
#[must_use]
pub fn run_case_within(case: &Case, rules: &RuleFile, on: Interpreters, meter: Option<&Meter>) -> Outcome {
    let mut outcome = Outcome::default();
    if let Some(message) = vain(case) {
        outcome.fail(0, message.to_owned(), None);
        return outcome;
    }
    match (Stage::new(&[case], rules, on), &case.given) {
        (Ok(stage), Given::Start | Given::Position(_)) => return stage.metered(meter).run(case),
        (Ok(_), Given::Unavailable(words)) => {
            outcome.fail(0, format!("the setup should be refused with `{words}`: it was accepted"), None);
        }
        (Err(faults), Given::Unavailable(words)) if faults.iter().any(|fault| fault.contains(words.as_str())) => {}
        (Err(faults), Given::Unavailable(words)) => {
            let faults = faults.join("; ");
            outcome.fail(0, format!("the setup should be refused with `{words}`: {faults}"), None);
        }
        (Err(faults), _) => {
            outcome.fail(0, format!("the rules or conditions have errors: {}", faults.join("; ")), None);
        }
    }
    outcome
}

/// Why a case shows nothing, whatever the rules say.
fn vain(case: &Case) -> Option<&'static str> {
    match &case.given {
        Given::Unavailable(words) if words.trim().is_empty() => {
            Some("`Unavailable` names no words, so any refusal would do: say what the message must contain")
        }
        Given::Unavailable(_) if !case.steps.is_empty() => {
            Some("no step can be carried out where the setup is refused: leave `steps` out")
        }
        Given::Start | Given::Position(_) if case.steps.is_empty() => {
            Some("the case has no steps, so it shows nothing: add what must be legal, illegal or true")
        }
        Given::Unavailable(_) | Given::Start | Given::Position(_) => None,
    }
}

/// Groups cases that can share a [`Stage`], by index, ordered by the first of each group.
#[must_use]
pub fn stages(cases: &[&Case]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Option<Setup>, Vec<usize>)> = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        // A setup that must be refused needs a stage of its own.
        let setup = (!matches!(case.given, Given::Unavailable(_))).then(|| Setup::from(&case.setup));
        match groups.iter_mut().find(|(other, _)| setup.is_some() && *other == setup) {
            Some((_, group)) => group.push(number),
            None => groups.push((setup, vec![number])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Rules prepared for cases of one setup.
#[derive(Debug)]
pub struct Stage {
    walker: Walker,
    /// The interpreter that must agree with it.
    fast: Option<Fast>,
    sources: Sources,
    /// The conditions of all cases, in the order in which they were added to the rules.
    conditions: Vec<String>,
    /// The rules used up to the first question.
    first: OnceLock<Vec<RuleId>>,
}

impl Stage {
    /// Loads the rules together with the conditions of cases that share a setup.
    ///
    /// # Errors
    /// Says what is wrong with the rules in this setup, or with a condition.
    pub fn new(cases: &[&Case], rules: &RuleFile, on: Interpreters) -> Result<Self, Vec<String>> {
        let mut conditions: Vec<String> = cases.iter().flat_map(|case| super::conditions::conditions(case)).collect();
        conditions.sort_unstable();
        conditions.dedup();
        let asked = conditions.iter().enumerate().map(|(number, condition)| {
            let text = format!("define {} = {condition}", super::conditions::condition_name(number));
            (format!("the condition `{condition}`"), text)
        });
        let setup = cases.first().map(|case| Setup::from(&case.setup)).unwrap_or_default();
        let loaded = rules.with(asked).load(&setup);
        let faults = loaded.reports.sorted();
        let faults = faults.iter().filter(|report| report.code.severity() == Severity::Error);
        let Some(game) = loaded.game else {
            let told = |report: &Report| {
                let own = usize::from(report.span.file.0) < rules.sources().len();
                let text = loaded.sources.get(report.span.file).filter(|_| !own);
                let place = text.map_or_else(String::new, |text| format!("in {}: ", text.name));
                match &report.help {
                    Some(help) => format!("{place}{}: {help}", report.message),
                    None => format!("{place}{}", report.message),
                }
            };
            return Err(faults.map(|report| told(report)).collect());
        };
        let (walker, fast) = match on {
            Interpreters::Both => {
                let fast = Fast::new(game);
                (fast.reference().clone(), Some(fast))
            }
            Interpreters::Reference => (Walker::new(game), None),
        };
        Ok(Self { walker, fast, sources: loaded.sources, conditions, first: OnceLock::new() })
    }

    /// The same, whose cases take their steps from a meter, if there is one. What is compared with the reference needs
    /// no more than it, and is not counted.
    #[must_use]
    pub fn metered(mut self, meter: Option<&Meter>) -> Self {
        if let Some(meter) = meter {
            self.walker = self.walker.metered(meter);
            self.fast = self.fast.map(|fast| fast.metered(meter));
        }
        self
    }

    /// Runs one of its cases.
    #[must_use]
    pub fn run(&self, case: &Case) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(message) = vain(case) {
            outcome.fail(0, message.to_owned(), None);
            return outcome;
        }
        let walker = &self.walker;
        let known = &walker.game().clauses.clauses;
        for id in case.clauses.iter().filter(|id| !known.is_empty() && !known.contains_key(*id)) {
            let near = nearest(id, known.keys().map(String::as_str)).map(|near| format!("; did you mean `{near}`?"));
            outcome.fail(0, format!("the rules have no clause `{id}`{}", near.unwrap_or_default()), None);
        }
        let position = match &case.given {
            Given::Start | Given::Unavailable(_) => match case.setup.seed {
                Some(seed) => deal(walker, walker.start(), &mut Stream::new(seed, "deal", 0)),
                None => walker.opening(),
            },
            Given::Position(text) => {
                let game = walker.game();
                let head = format!("{} {}", game.name, game.seats.len());
                let full = if text.starts_with(&head) { text.clone() } else { format!("{head} | {text}") };
                match notation::parse_position(walker, &full) {
                    Ok(position) if position.is_over() => {
                        let why = "the position says how the game has ended, which no rule has then decided";
                        outcome.fail(0, format!("{why}: give one from which it is played to its end"), None);
                        return outcome;
                    }
                    Ok(position) => position,
                    Err(error) => {
                        outcome.fail(0, format!("the position cannot be read: {error}"), None);
                        return outcome;
                    }
                }
            }
        };
        let mut run = Run {
            engine: walker,
            fast: self.fast.as_ref(),
            game: walker.game(),
            sources: &self.sources,
            position,
            conditions: &self.conditions,
            outcome,
            step: 0,
            trace: Vec::new(),
            used: BTreeSet::new(),
            refusing: BTreeSet::new(),
            listed: None,
        };
        // Rules that are settled at load, and those used up to the beginning of the case.
        run.touch_settled();
        if matches!(case.given, Given::Start) {
            run.touch(self.first.get_or_init(|| walker.explain().first_trace()));
        }
        run.touch_kinds();
        for (number, step) in case.steps.iter().enumerate() {
            run.step = number + 1;
            run.carry_out(step);
            if !run.outcome.passed() {
                break;
            }
        }
        run.conclude();
        run.outcome
    }
}
