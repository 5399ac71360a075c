//! Running the cases of one rule file on another.

use super::case::{Case, CaseSetup, Given};
use super::outcome::Failure;
use super::runner::Interpreters;
use super::stage::run_case;
use crate::load::{RuleFile, Setup};

/// A rule file with what is settled for it.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The rule file.
    pub file: &'a RuleFile,
    /// What is settled.
    pub setup: &'a Setup,
}

/// What became of a case of the old rules under the new ones.
#[derive(Clone, Debug)]
pub enum Carried {
    /// It still holds.
    Holds,
    /// It held and does not any more: what failed.
    Fails(Vec<Failure>),
    /// It cannot be put to both, and why: it is about another setup.
    Elsewhere(String),
}

/// Puts a case of the old rules to the new ones.
#[must_use]
pub fn carry(case: &Case, old: &Rules<'_>, new: &Rules<'_>) -> Carried {
    let put = |rules: &Rules<'_>| settled(&case.setup, rules.setup).map(|setup| Case { setup, ..case.clone() });
    let run = |case: &Case, rules: &Rules<'_>| run_case(case, rules.file, Interpreters::Reference);
    let (before, after) = match (put(old), put(new)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(why), _) | (_, Err(why)) => return Carried::Elsewhere(why),
    };
    if !matches!(case.given, Given::Unavailable(_)) {
        // Its setup may not be offered together with what is settled here.
        let loaded = new.file.load(&Setup::from(&after.setup));
        if loaded.game.is_none() {
            let why = loaded.reports.sorted().first().map(|report| report.message.clone());
            return Carried::Elsewhere(why.unwrap_or_default());
        }
    }
    let outcome = run(&after, new);
    if outcome.passed() {
        return Carried::Holds;
    }
    if run(&before, old).passed() {
        Carried::Fails(outcome.failures)
    } else {
        Carried::Elsewhere("it does not pass on the old rules with these settings".to_owned())
    }
}

/// The setup of a case with what is settled for the rules.
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

/// Whether a case is about what the new setup settles otherwise than the old
/// one: all of it. Never if they settle the same.
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

/// Whether one case can stand for another that fails: it names the clause that
/// the other is about first of all.
#[must_use]
pub fn stands_for(own: &Case, failed: &Case) -> bool {
    failed.clauses.first().is_some_and(|clause| own.clauses.contains(clause))
}
