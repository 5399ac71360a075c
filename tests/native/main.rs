//! Games as machine code beside the interpreter: random games from the same seed are the same games.
//!
//! `NATIVE_GAMES=400 cargo test --release --features native --test native -- --nocapture` plays as many games of each setup
//! as one likes, and prints how many positions were compared.

#[path = "../disk.rs"]
mod disk;
#[path = "../folders.rs"]
mod folders;
#[path = "../support.rs"]
#[expect(dead_code, reason = "shared with the suite, which needs more of it")]
mod support;

use regelwerk::Rules;
use regelwerk::engine::Fast;
use regelwerk::model::{Engine, Verdict};
use regelwerk::native::{Native, NativeError};
use regelwerk::play::{Stream, playout};

use support::{GAMES, classics, fixtures, game, rules_of, setups};

const SEED: u64 = 12;
const CAP: u32 = 400;

/// Compares random games; returns how many decisions they have.
fn compare(fast: &Fast, native: &Native, games: u64, what: &str) -> u64 {
    let (mut run, mut machine, mut seen) = (fast.run(), native.run().expect("memory"), 0);
    run.load(&fast.start());
    run.save();
    for number in 0..games {
        run.restore();
        let mut dice = Stream::new(SEED, "game", number);
        let found = playout(fast, run.as_mut(), CAP, None, &mut dice, &mut |_, _| true);
        let other = machine.play(SEED, number, CAP).unwrap_or_else(|error| panic!("{what}, game {number}: {error}"));
        let counted = (found.plies, found.decisions, found.answers, found.stop);
        assert_eq!(counted, (other.plies, other.decisions, other.answers, other.stop), "{what}, game {number}");
        for seat in 0..fast.game().seats.len() {
            let verdict = found.outcome.as_ref().map_or(Verdict::Open, |outcome| outcome.verdicts[seat]);
            assert_eq!(other.verdicts[seat], verdict, "{what}, game {number}, seat {seat}");
            if let Some(score) = found.outcome.as_ref().and_then(|outcome| outcome.scores.get(seat)) {
                assert_eq!(other.scores[seat], *score, "{what}, game {number}, seat {seat}");
            }
        }
        seen += found.decisions;
    }
    seen
}

#[test]
#[expect(clippy::print_stdout, reason = "how much was compared is what a long run is for")]
fn random_games_are_those_of_the_interpreter() {
    let games = std::env::var("NATIVE_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(4);
    let (mut compared, mut positions, mut refused) = (0, 0, 0);
    let files = GAMES.iter().map(|name| rules_of(name)).chain(classics()).chain(fixtures());
    for path in files {
        for setup in setups(&path) {
            let fast = Fast::new(game(&path, &setup));
            match Native::new(fast.game()) {
                Ok(native) => {
                    positions += compare(&fast, &native, games, &format!("{} {setup:?}", path.display()));
                    compared += 1;
                }
                Err(NativeError::Untranslated(_)) => refused += 1,
                Err(error) => panic!("{} {setup:?}: {error}", path.display()),
            }
        }
    }
    println!("{compared} setups, {positions} positions, no difference; {refused} setups cannot be compiled yet");
    assert!(compared > 100, "only {compared} setups can be compiled");
}

#[test]
fn clones_play_on_other_threads() {
    let native = Rules::bundled("kalaha").expect("a bundled game").native().expect("machine code");
    let wins = |from: u64| {
        let mut run = native.clone().run().expect("memory");
        let games = (from..from + 50).map(move |number| run.play(1, number, 500).expect("a game"));
        games.filter(|game| game.verdicts[0] == Verdict::Win).count()
    };
    let (one, other) = std::thread::scope(|scope| {
        let (one, other) = (scope.spawn(|| wins(0)), scope.spawn(|| wins(50)));
        (one.join().expect("no panic"), other.join().expect("no panic"))
    });
    let alone = wins(0) + wins(50);
    assert_eq!(one + other, alone);
    assert!((20..80).contains(&alone), "the seats are about equal: {alone}");
}

/// A decision that takes too much ends, and the next game is played as if nothing had been.
#[test]
fn what_takes_too_much_is_stopped() {
    let text = "
      game counting \"Counting\"
      players one, two
      board square 3 x 1
      var n: int
      action wait { choose s in sites n := 0 }
      action count_up {
        choose s in sites
        while n < 900000000 { n += 1 while n mod 7 != 0 { n += 1 } }
      }
      play { turns { mover plays wait | count_up } }
      end done after move when n > 5 { draw }
    ";
    let rules = Rules::loader().text("counting.rules", text).expect("rules that check");
    let native = rules.native().expect("machine code");
    let mut run = native.run().expect("memory");
    let ended: Vec<bool> = (0..40).map(|number| run.play(3, number, 1).is_ok()).collect();
    assert!(
        ended.contains(&true) && ended.contains(&false),
        "some games begin with counting, others do not: {ended:?}"
    );
    let again: Vec<bool> = (0..40).map(|number| native.run().expect("memory").play(3, number, 1).is_ok()).collect();
    assert_eq!(ended, again);
}
