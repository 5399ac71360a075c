//! Races in which nobody can act at the next moment.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ask, Engine};
use regelwerk::notation::print_move;

use crate::equal::compare;
use crate::support::reports;

fn race(rules: &str) -> Fast {
    let text = format!("game w\nplayers a, b, c\nboard square 3 x 1\nrecord laid: int\n{rules}\n");
    let loaded = load("w.rules", &text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

/// What is listed at the beginning, on both interpreters.
fn listed(fast: &Fast) -> Vec<String> {
    let start = fast.start();
    let told = |engine: &dyn Engine| -> Vec<String> {
        engine.legal(&start).iter().map(|mv| print_move(engine.game(), &start, mv)).collect()
    };
    let found = told(fast);
    assert_eq!(found, told(fast.reference()));
    found
}

/// Without a deadline a race waits for what time alone makes legal: a seat that can do nothing at once is listed with what it can do
/// first. With a deadline, and if nobody ever can do anything, it is not.
#[test]
fn a_race_without_a_deadline_waits() {
    let late = "define delay: a = 300, b = 500, c = 0\naction hit { choose f in sites  require now >= laid + delay(me) and f == a1  win me }\n";
    let seats = |seats: &str, rest: &str| race(&format!("{late}play {{ race {seats} play hit {rest} }}"));
    assert_eq!(listed(&seats("seats", "")), ["a a1 @300", "b a1 @500", "c a1"]);
    assert_eq!(listed(&seats("{a, b}", "")), ["a a1 @300", "b a1 @500"]);
    assert_eq!(listed(&seats("{b}", "else { draw }")), ["b a1 @500"]);
    assert_eq!(listed(&seats("{a, b}", "until 400 else { draw }")), ["wait"]);
    let never = race(
        "action go { laid += 1 }\naction hit { require now < 0  win me }\n\
         play { a plays go  race seats play hit else { b plays go }  draw }",
    );
    let after = never.play_unchecked(&never.start(), &never.legal(&never.start())[0]);
    assert!(matches!(after.ask, Ask::Choose { seat, .. } if seat == SeatId::new(1)));
    // At some moments only, and each seat at its own.
    let beats = race(
        "define beat: a = 40, b = 70, c = 90\naction hit { require now mod 100 == beat(me) and now > 200  win me }\n\
         play { race {a, b} play hit }",
    );
    assert_eq!(listed(&beats), ["a hit @240", "b hit @270"]);
}

/// What a seat is listed with does not depend on what the others may do, which it need not know. A seat that can never act again
/// stops nothing, and where the clock is calculated with, the search ends.
#[test]
fn moments_are_limited() {
    let hidden = |other: i64| {
        race(&format!(
            "var code(p: seat): int seen by p\nsetup {{ code(a) := 1  code(b) := {other} }}\n\
             action act {{ require now >= 1000 * code(me) }}\nplay {{ race {{a, b}} play act  draw }}"
        ))
    };
    for (other, theirs) in [(0, "b act"), (1, "b act @1000"), (2, "b act @2000")] {
        assert_eq!(listed(&hidden(other)), ["a act @1000", theirs]);
    }
    let once = |guard: &str| {
        race(&format!(
            "action act {{ require me == c or {guard}  laid := now }}\nplay {{ while ply < 9 {{ race seats play act }} draw }}"
        ))
    };
    for (guard, wanted) in [
        ("now in {100, 200}", ["a act @100", "b act @100", "c act"]),
        ("now mod 5000 == 7", ["a act @7", "b act @7", "c act"]),
        ("now mod 20000 == 10000", ["a act @10000", "b act @10000", "c act"]),
    ] {
        assert_eq!(listed(&once(guard)), wanted, "{guard}");
    }
    for never in ["now mod 2 == 3", "now in {0}", "abs(now) < 0", "now in {10001}"] {
        assert_eq!(listed(&once(never)), ["c act"], "{never}");
    }
}

/// Both interpreters play such races alike, also where guards look at the position after the move, and in what a turn looks ahead to.
#[test]
fn both_interpreters_wait_alike() {
    for (guard, ensured, end) in [
        ("require now >= laid + delay(me)", "", ""),
        (
            "require now >= laid + delay(me) and now mod 7 != 3",
            "",
            "end e after move when occurrences of board >= 3 { draw }",
        ),
        ("", "ensure prior < 100 or now mod 1000 >= 500", "end e after move when occurrences >= 2 { draw }"),
    ] {
        let fast = race(&format!(
            "piece man\nrecord prior: int\ndefine delay: a = 30, b = 50, c = 70\naction hit {{ choose f in sites  {guard}\n\
             if some man & {{f}} {{ remove f }} else {{ put man on f }}  prior := laid  laid := now  {ensured} }}\n\
             action rest {{ require now > laid + 90 }}\nplay {{ while ply < 40 {{ race seats play hit | rest }} draw }}\n{end}"
        ));
        assert_eq!(fast.name(), "fast");
        for seed in 0..8 {
            assert!(compare(&fast, seed, 60, guard) > 1);
        }
    }
}
