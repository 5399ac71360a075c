//! Running the cases of one rule file on another.

use std::cell::OnceCell;

use super::case::{Case, CaseSetup, Given};
use super::outcome::{Failure, Outcome};
use super::runner::Interpreters;
use super::stage::{Stage, run_case_within};
use crate::load::{RuleFile, Setup};
use crate::model::Meter;

/// A rule file in one setup.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The rule file.
    pub file: &'a RuleFile,
    /// The setup.
    pub setup: &'a Setup,
}

/// The result of running a case of the old rules on the new ones.
#[derive(Clone, Debug)]
pub enum Transferred {
    /// It still passes.
    Holds,
    /// It passed and now fails, in these ways.
    Fails(Vec<Failure>),
    /// It does not pass on the old rules, whatever it does on the new ones.
    FailedBefore {
        /// Whether it passes on the new ones.
        passes: bool,
    },
    /// It cannot be run on both, and why: it is about another setup.
    NotTransferable(String),
}

/// Runs cases of the old rules that share a [`stage`](super::stages) on the new ones. Both runs take their steps from the
/// meter, if there is one. `told` is called after each case.
pub fn transfer(
    cases: &[&Case],
    old: &Rules<'_>,
    new: &Rules<'_>,
    meter: Option<&Meter>,
    told: &dyn Fn(),
) -> Vec<Transferred> {
    let put = |rules: &Rules<'_>| -> Result<Vec<Case>, String> {
        cases.iter().map(|case| Ok(Case { setup: settled(&case.setup, rules.setup)?, ..(*case).clone() })).collect()
    };
    let none = |why: String| {
        let fate = |_| {
            told();
            Transferred::NotTransferable(why.clone())
        };
        cases.iter().map(fate).collect()
    };
    let (before, after) = match (put(old), put(new)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(why), _) | (_, Err(why)) => return none(why),
    };
    if let Some(first) = after.first().filter(|case| !matches!(case.given, Given::Unavailable(_))) {
        // Its setup may not be available in combination with this one.
        let loaded = new.file.load(&Setup::from(&first.setup));
        if loaded.game.is_none() {
            let why = loaded.reports.sorted().first().map(|report| report.message.clone());
            return none(why.unwrap_or_default());
        }
    }
    let (earlier, later) = (Shared::new(&before, old.file, meter), Shared::new(&after, new.file, meter));
    let fate = |(before, after): (&Case, &Case)| {
        let (outcome, sound) = (later.run(after), earlier.run(before).passed());
        told();
        match (sound, outcome.passed()) {
            (true, true) => Transferred::Holds,
            (true, false) => Transferred::Fails(outcome.failures),
            (false, passes) => Transferred::FailedBefore { passes },
        }
    };
    before.iter().zip(&after).map(fate).collect()
}

/// Rules that cases of one setup share, prepared when the first of them is run.
struct Shared<'a> {
    cases: &'a [Case],
    file: &'a RuleFile,
    meter: Option<&'a Meter>,
    stage: OnceCell<Option<Stage>>,
}

impl<'a> Shared<'a> {
    fn new(cases: &'a [Case], file: &'a RuleFile, meter: Option<&'a Meter>) -> Self {
        Self { cases, file, meter, stage: OnceCell::new() }
    }

    fn run(&self, case: &Case) -> Outcome {
        let stage = self.stage.get_or_init(|| {
            // If one of them does not fit the rules, each is reported separately.
            let all: Vec<&Case> = self.cases.iter().collect();
            let stage = if all.len() > 1 { Stage::new(&all, self.file, Interpreters::Reference).ok() } else { None };
            stage.map(|stage| stage.metered(self.meter))
        });
        let alone = || run_case_within(case, self.file, Interpreters::Reference, self.meter);
        stage.as_ref().map_or_else(alone, |stage| stage.run(case))
    }
}

/// The setup of a case combined with that of the rules.
fn settled(case: &CaseSetup, rules: &Setup) -> Result<CaseSetup, String> {
    let mut setup = case.clone();
    match (case.players, rules.players) {
        (Some(own), Some(other)) if own != other => return Err(format!("it is about {own} players")),
        (own, other) => setup.players = own.or(other),
    }
    setup.variants.extend(rules.variants.iter().filter(|name| !case.variants.contains(name)).cloned());
    for (mine, theirs) in [(&mut setup.readings, &rules.readings), (&mut setup.options, &rules.options)] {
        for (name, value) in theirs {
            match mine.iter().find(|(known, _)| known == name) {
                Some((_, own)) if own != value => return Err(format!("it is about {name} = {own}")),
                Some(_) => {}
                None => mine.push((name.clone(), value.clone())),
            }
        }
    }
    Ok(setup)
}

/// Whether a case is about exactly those settings in which the new setup differs from the old one. Never if they do
/// not differ.
#[must_use]
pub fn settles(case: &CaseSetup, old: &Setup, new: &Setup) -> bool {
    let variants = new.variants.iter().filter(|name| !old.variants.contains(name));
    let readings = new.readings.iter().filter(|pair| !old.readings.contains(pair));
    let options = new.options.iter().filter(|pair| !old.options.contains(pair));
    let players = new.players.filter(|_| new.players != old.players);
    let nothing = variants.clone().next().is_none()
        && readings.clone().next().is_none()
        && options.clone().next().is_none()
        && players.is_none();
    !nothing
        && variants.into_iter().all(|name| case.variants.contains(name))
        && readings.into_iter().all(|pair| case.readings.contains(pair))
        && options.into_iter().all(|pair| case.options.contains(pair))
        && players.is_none_or(|players| case.players == Some(players))
}

/// Whether one case can replace another that fails: it names the first, and so most specific, clause of that one.
#[must_use]
pub fn stands_for(own: &Case, failed: &Case) -> bool {
    failed.clauses.first().is_some_and(|clause| own.clauses.contains(clause))
}
