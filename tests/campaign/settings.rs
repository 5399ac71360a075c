//! Every pair of settings of the bundled games and of the classics, on both interpreters.

use std::path::PathBuf;

use regelwerk::load::{RuleFile, Setup};
use regelwerk::play::Stream;

use super::clock::{about, timed};
use super::promises::play_both;
use super::targets::Found;
use crate::support::{Disk, GAMES, classics, read, reports, rules_of};

/// One choice that a player may make.
#[derive(Clone)]
enum Choice {
    Players(u32),
    Variant(String),
    Reading(String, String),
    Option(String, String),
}

impl Choice {
    /// What it chooses among: two of one kind do not go together.
    fn among(&self) -> (u8, &str) {
        match self {
            Self::Players(_) => (0, ""),
            Self::Variant(name) => (1, name),
            Self::Reading(name, _) => (2, name),
            Self::Option(name, _) => (3, name),
        }
    }

    fn make(&self, setup: &mut Setup) {
        match self.clone() {
            Self::Players(count) => setup.players = Some(count),
            Self::Variant(name) => setup.variants.push(name),
            Self::Reading(name, value) => setup.readings.push((name, value)),
            Self::Option(name, value) => setup.options.push((name, value)),
        }
    }
}

/// All values of a few, of many the ends and some between.
fn some(values: &[String]) -> Vec<String> {
    let step = values.len().div_ceil(6).max(1);
    let last = values.last().filter(|_| !(values.len() - 1).is_multiple_of(step));
    values.iter().step_by(step).chain(last).cloned().collect()
}

fn choices(rules: &RuleFile) -> Vec<Choice> {
    let offer = rules.load(&Setup::default()).offer;
    let mut all: Vec<Choice> = offer.players.iter().skip(1).map(|count| Choice::Players(*count)).collect();
    all.extend(offer.variants.iter().map(|(name, ..)| Choice::Variant(name.clone())));
    for one in &offer.readings {
        let others = one.values.iter().filter(|value| **value != one.default);
        all.extend(others.map(|value| Choice::Reading(one.name.clone(), value.clone())));
    }
    for one in &offer.options {
        let others = some(&one.values).into_iter().filter(|value| *value != one.default);
        all.extend(others.map(|value| Choice::Option(one.name.clone(), value)));
    }
    all
}

/// Each pair of choices, and each choice alone, with the rule file.
fn all() -> Vec<(PathBuf, Setup)> {
    let mut found = Vec::new();
    for path in GAMES.iter().map(|game| rules_of(game)).chain(classics()) {
        let rules = RuleFile::read(&path.display().to_string(), &read(&path), &Disk);
        let choices = choices(&rules);
        for (at, one) in choices.iter().enumerate() {
            let mut alone = Setup::default();
            one.make(&mut alone);
            found.push((path.clone(), alone.clone()));
            for other in choices[at + 1..].iter().filter(|other| other.among() != one.among()) {
                let mut both = alone.clone();
                other.make(&mut both);
                found.push((path.clone(), both));
            }
        }
    }
    found
}

/// Settings are refused with a reason, or the game is the same on both interpreters. Those with these numbers of a fixed
/// disorder, so that any part of them is a sample.
pub(super) fn settings(seed: u64, from: u64, to: u64) -> Found {
    let all = all();
    let count = all.len() as u64;
    let mut found = Found::default();
    for number in from..to.min(count) {
        // A step without a common divisor reaches each once.
        let step = (count / 3..=count + 1).find(|step| gcd(*step, count) == 1);
        let at = (number * step.unwrap_or(1)) % count;
        let (path, setup) = &all[usize::try_from(at).unwrap_or_default()];
        let what = format!("{} {}", path.file_stem().unwrap_or_default().to_string_lossy(), told(setup));
        about(what.clone());
        found.inputs += 1;
        let loaded = timed("check", || RuleFile::read(&path.display().to_string(), &read(path), &Disk).load(setup));
        match loaded.game {
            Some(game) => {
                let played = play_both(game, seed, number, &what, 12);
                found.positions += played.positions;
                found.accepted += 1;
            }
            None => assert!(!reports(&loaded).is_empty(), "{what}: refused without a reason"),
        }
    }
    found
}

/// A setup in words.
fn told(setup: &Setup) -> String {
    let mut words: Vec<String> = setup.players.iter().map(|count| format!("{count} players")).collect();
    words.extend(setup.variants.iter().cloned());
    words.extend(setup.readings.iter().chain(&setup.options).map(|(name, value)| format!("{name}={value}")));
    words.join(", ")
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How many settings there are.
pub(super) fn how_many() -> u64 {
    all().len() as u64
}

/// A few at random, for the tests that run every time.
pub(super) fn sample(seed: u64, count: u64) -> Found {
    let from = Stream::new(seed, "settings", 0).below(usize::try_from(how_many()).unwrap_or(1).max(1)) as u64;
    let from = from.min(how_many().saturating_sub(count));
    settings(seed, from, from + count)
}
