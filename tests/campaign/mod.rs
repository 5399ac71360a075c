//! The attack on the program, as tests: for each promise a target that makes inputs from a seed and asserts the promise.
//!
//! A few of each run with the others, from a fixed seed. The campaign runs as many as it is told to, from a seed of its
//! own, and prints what it reached:
//!
//! ```text
//! CAMPAIGN_COUNT=100000 CAMPAIGN_SEED=7 cargo test --release --test suite campaign -- --ignored --nocapture
//! ```

#![expect(clippy::print_stdout, reason = "the figures are what it is run for")]

pub(crate) mod generate;
mod kills;
mod targets;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::syntax::keywords;

use crate::damage::tokens;
use crate::support::reports;
use targets::{Played, TARGETS, play_both};

/// The seed of the tests that run every time.
const FIXED: u64 = 21;

/// A number from the environment, for the campaign.
fn told(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Prints a generated game, to look at what was found.
#[test]
#[ignore = "prints one game"]
fn one_game() {
    println!("{}", generate::game(told("CAMPAIGN_SEED", FIXED), told("CAMPAIGN_GAME", 0)));
}

/// What a run of generated games reached.
#[derive(Default)]
struct Reached {
    games: u64,
    valid: u64,
    positions: u64,
    lowered: u64,
    /// The longest that a game took, and its number.
    slowest: (Duration, u64),
    words: BTreeSet<String>,
}

/// Generates games, checks them and plays them on both interpreters.
fn generated(seed: u64, count: u64) -> Reached {
    let mut reached = Reached::default();
    for number in 0..count {
        let text = generate::game(seed, number);
        let begun = Instant::now();
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        reached.games += 1;
        let said = reports(&loaded);
        // It may be over at once or take too long; but it is written as the language wants.
        for code in ["syntax/unexpected", "check/unknown-name", "check/duplicate"] {
            assert!(!said.contains(code), "seed {seed}, game {number}:\n{said}\n{text}");
        }
        if let Some(game) = loaded.game {
            reached.valid += 1;
            reached.words.extend(tokens(&text).into_iter().map(|(from, to)| text[from..to].to_owned()));
            let Played { positions, lowered } = play_both(game, seed, number, &text);
            reached.positions += positions;
            reached.lowered += u64::from(lowered);
        }
        reached.slowest = reached.slowest.max((begun.elapsed(), number));
    }
    reached
}

fn print(what: &str, reached: &Reached) {
    let all = keywords();
    let used = all.iter().filter(|word| reached.words.contains(**word)).count();
    let idle: Vec<&str> = all.iter().filter(|word| !reached.words.contains(**word)).copied().collect();
    println!(
        "{what}: {} games, {} valid, {} of these on the fast engine, {} positions equal on both interpreters; {used} of {} \
         keywords used; slowest {:?}, game {}",
        reached.games,
        reached.valid,
        reached.lowered,
        reached.positions,
        all.len(),
        reached.slowest.0,
        reached.slowest.1,
    );
    println!("keywords not used: {}", idle.join(" "));
}

/// Generated games mean the same on both interpreters, and their positions and moves are read as they are written.
#[test]
fn generated_games_are_equal_on_both_interpreters() {
    let reached = generated(FIXED, 120);
    print("generated", &reached);
    assert!(reached.valid * 2 > reached.games, "{} of {} games are valid", reached.valid, reached.games);
    assert!(reached.positions > 500);
}

/// No input makes any target fail, and each accepts some inputs and refuses others.
#[test]
fn damaged_inputs_are_refused_or_mean_something() {
    for target in TARGETS {
        let found = (target.run)(FIXED, 40);
        println!("{}: {} inputs, {} accepted", target.name, found.inputs, found.accepted);
        assert!(found.inputs >= 40 && found.accepted < found.inputs, "{}: {found:?}", target.name);
    }
}

/// A command that is killed while it writes leaves the old text or the new one.
#[cfg(unix)]
#[test]
fn a_kill_loses_nothing() {
    let (killed, whole) = kills::kills(FIXED, 12);
    println!("{killed} commands killed while they wrote, {whole} of them before the new text was there");
}

/// The whole campaign.
#[test]
#[ignore = "as long as it is told to run"]
fn campaign() {
    let (seed, count) = (told("CAMPAIGN_SEED", FIXED), told("CAMPAIGN_COUNT", 1000));
    println!("seed {seed}");
    let begun = Instant::now();
    print("generated", &generated(seed, count / 10));
    for target in TARGETS {
        let from = Instant::now();
        let found = (target.run)(seed, count);
        println!(
            "{}: {} inputs, {} accepted, slowest {:?}, {:?} in all",
            target.name,
            found.inputs,
            found.accepted,
            found.slowest,
            from.elapsed()
        );
    }
    #[cfg(unix)]
    {
        let (killed, whole) = kills::kills(seed, count / 20);
        println!("{killed} commands killed while they wrote, {whole} of them before the new text was there");
    }
    println!("{:?} in all", begun.elapsed());
}
