//! Running the cases of one rule file on another.

use super::case::{Case, CaseSetup, Given};
use super::outcome::Failure;
use super::runner::Interpreters;
use super::stage::run_case;
use crate::load::{RuleFile, Setup};

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
    /// It cannot be run on both, and why: it is about another setup.
    NotTransferable(String),
}

/// Runs a case of the old rules on the new ones.
#[must_use]
pub fn transfer(case: &Case, old: &Rules<'_>, new: &Rules<'_>) -> Transferred {
    let put = |rules: &Rules<'_>| settled(&case.setup, rules.setup).map(|setup| Case { setup, ..case.clone() });
    let run = |case: &Case, rules: &Rules<'_>| run_case(case, rules.file, Interpreters::Reference);
    let (before, after) = match (put(old), put(new)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(why), _) | (_, Err(why)) => return Transferred::NotTransferable(why),
    };
    if !matches!(case.given, Given::Unavailable(_)) {
        // Its setup may not be available in combination with this one.
        let loaded = new.file.load(&Setup::from(&after.setup));
        if loaded.game.is_none() {
            let why = loaded.reports.sorted().first().map(|report| report.message.clone());
            return Transferred::NotTransferable(why.unwrap_or_default());
        }
    }
    let outcome = run(&after, new);
    if outcome.passed() {
        return Transferred::Holds;
    }
    if run(&before, old).passed() {
        Transferred::Fails(outcome.failures)
    } else {
        Transferred::NotTransferable("it does not pass on the old rules with these settings".to_owned())
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
