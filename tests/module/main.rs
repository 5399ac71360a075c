//! Games compiled to WebAssembly against the interpreter: the same questions, the same legal answers in the same order,
//! the same positions, results and random games. The modules run in an interpreter of their own.

#[path = "../disk.rs"]
mod disk;
#[path = "../folders.rs"]
mod folders;
mod guards;
mod hosted;
mod law;
mod races;
mod repetition;
mod sowing;
#[path = "../support.rs"]
#[expect(dead_code, reason = "shared with the suite, which needs more of it")]
mod support;
mod trials;
mod ways;
mod zones;

use regelwerk::engine::Fast;
use regelwerk::load::Setup;
use regelwerk::model::Engine;
use regelwerk::module::module;
use regelwerk::play::{Stop, Stream, playout};

use hosted::Hosted;
use law::{compare, compare_outcomes};
use support::{GAMES, classics, fixtures, game, rules_of, setups};

/// A random game of the interpreter and of the module from the same seed are the same game.
pub(crate) fn compare_playouts(fast: &Fast, hosted: &mut Hosted, games: u64, cap: u32, what: &str) {
    for number in 0..games {
        let mut run = fast.run();
        run.load(&fast.start());
        let found = playout(fast, run.as_mut(), cap, None, &mut Stream::new(7, "game", number), &mut |_, _| true);
        hosted.start(7, number);
        let stop = hosted.call("playout", &[cap.cast_signed()]);
        let expected = match found.stop {
            Stop::Over => 0,
            Stop::Cap => 1,
            Stop::Budget => 2,
            Stop::Watcher => panic!("nobody watches"),
        };
        let text = || format!("{what}, game {number}");
        assert_eq!(stop, expected, "{}", text());
        assert_eq!(hosted.call("ply", &[]).cast_unsigned(), found.plies, "{}", text());
        let counted = ["decisions", "answers"].map(|name| hosted.long(name, &[]).cast_unsigned());
        assert_eq!(counted, [found.decisions, found.answers], "{}", text());
        compare_outcomes(hosted, fast.game().seats.len(), found.outcome.as_ref(), &text);
    }
}

/// Compares all setups of some rule files, as far as they can be compiled; returns the names of the files of which the
/// default setup can, and how many positions were compared.
fn everywhere(games: u64, length: usize, all: bool) -> (Vec<String>, usize) {
    let (mut names, mut seen) = (Vec::new(), 0);
    let files = GAMES.iter().map(|name| rules_of(name)).chain(classics()).chain(fixtures());
    for path in files {
        for setup in if all { setups(&path) } else { vec![Setup::default()] } {
            let fast = Fast::new(game(&path, &setup));
            let what = format!("{} {setup:?}", path.display());
            let Ok(bytes) = module(fast.game()) else { continue };
            let mut hosted = Hosted::new(&bytes, &what);
            for seed in 0..games {
                seen += compare(&fast, &mut hosted, seed, length, &what);
            }
            compare_playouts(&fast, &mut hosted, games, 60, &what);
            if setup == Setup::default() {
                names.push(path.file_stem().expect("a file").to_string_lossy().into_owned());
            }
        }
    }
    (names, seen)
}

/// Moves that never end, next to one that does.
const ENDLESS: &str = r#"
game endless "Endless"

players one "One", two "Two"
board square 3 x 1
piece stone owned

action never {
  while count(sites) == 3 { put own stone on a1 }
}

action once {
  choose s in empty
  put own stone on s
}

play {
  turns { mover plays never | once }
}
"#;

#[test]
fn a_decision_that_takes_too_much_stops_and_can_be_taken_back() {
    let loaded = regelwerk::load::load("endless.rules", ENDLESS, &regelwerk::load::NoFiles, &Setup::default());
    let game = loaded.game.expect("rules without errors");
    let bytes = module(&game).expect("nothing that is missing");
    let mut hosted = Hosted::new(&bytes, "endless");
    hosted.start(1, 0);
    assert_eq!(hosted.call("count", &[]), 4);
    assert_eq!(hosted.call("action", &[0]), 0);
    assert!(hosted.traps("apply", &[0]), "it ended");
    assert_eq!(hosted.call("undo", &[]), 0);
    assert_eq!([hosted.call("count", &[]), hosted.call("ply", &[]), hosted.call("piece", &[0])], [4, 0, 0]);
    assert_eq!(hosted.call("apply", &[1]), 0);
    assert_eq!([hosted.call("ply", &[]), hosted.call("seat", &[])], [1, 1]);
    assert_eq!([-3, 2, i32::MAX].map(|seat| hosted.call("rank", &[seat])), [0; 3]);
    // There is no such answer, and no such seat, site or variable.
    assert_eq!(hosted.call("apply", &[4]), 1);
    assert_eq!(["verdict", "rank", "piece"].map(|name| hosted.call(name, &[-1])), [0; 3]);
    assert_eq!(["score", "variable"].map(|name| hosted.long(name, &[i32::MAX])), [0; 2]);
}

/// What a decision takes is counted in instructions: as many rounds of a loop end with a trap or not by what a round does.
#[test]
fn what_a_round_takes_counts() {
    let terms = |n: u32| (0..n).map(|k| format!("(x * v + {k}) mod {}", k + 2)).collect::<Vec<_>>().join(" + ");
    let text = |body: &str, rounds: u32| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\nvar v: int \"v\"\ndefine one(x: int) = {}\n\
             define three(x: int) = one(x) + one(x + 1) + one(x + 2)\n\
             define nine(x: int) = three(x) + three(x + 3) + three(x + 6)\n\
             action go {{ repeat {rounds} {{ v := {body} }} }}\nplay {{ turns {{ mover plays go }} }}\n\
             end over after move when ply == 3 {{ draw }}\n",
            terms(20)
        )
    };
    for (body, rounds, trapped) in [("v + 1", 1_000_000, false), ("nine(v)", 1000, false), ("nine(v)", 1_000_000, true)]
    {
        let loaded =
            regelwerk::load::load("g.rules", &text(body, rounds), &regelwerk::load::NoFiles, &Setup::default());
        let game = loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports));
        let mut hosted = Hosted::new(&module(&game).expect("nothing that is missing"), "rounds");
        hosted.start(1, 0);
        assert_eq!(hosted.traps("apply", &[0]), trapped, "{body} {rounds}");
    }
}

/// The seat that begins is the one that the rules name.
#[test]
fn the_rules_say_who_begins() {
    let text = ENDLESS.replace("board square", "first two\nboard square");
    let loaded = regelwerk::load::load("endless.rules", &text, &regelwerk::load::NoFiles, &Setup::default());
    let game = loaded.game.expect("rules without errors");
    let mut hosted = Hosted::new(&module(&game).expect("nothing that is missing"), "endless");
    hosted.start(1, 0);
    assert_eq!(["seat", "mover"].map(|name| hosted.call(name, &[])), [1, 1]);
}

/// Before the first turn, too, it is the seat that begins that acts: in the setup and in play.
#[test]
fn the_seat_that_begins_acts_before_its_turn() {
    let text = ENDLESS
        .replace("board square", "first two\nvar x(p: seat): int \"x\"\nboard square")
        .replace("play {", "setup { x(me) += 3 }\nplay { x(me) += 4");
    let loaded = regelwerk::load::load("first.rules", &text, &regelwerk::load::NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "first");
    hosted.start(1, 0);
    assert_eq!([0, 1].map(|at| hosted.long("variable", &[at])), [0, 7]);
    let number = |at: usize| fast.start().vars[0][at].int();
    assert_eq!([number(0), number(1)], [0, 7]);
}

/// A truth value that a definition finds out may be kept, passed on and put.
#[test]
fn truth_values_of_definitions_are_kept() {
    let text = "game g\nplayers a, b\nboard square 3 x 3\npiece m owned { up: bool }\nvar joined: bool \"joined\"\nvar x: int \"x\"\n\
        define beside(f: site) = any s in around(f): s in own m\n\
        define linked(f: site) = connected(f, own m, occupied | f)\n\
        define either(q: bool, f: site) = q or linked(f)\n\
        procedure note(q: bool) { if q { x += 1 } }\n\
        action go { choose f in empty  joined := beside(f)  let q = linked(f)  put own m with up = beside(f) on f\n\
          change own m: up = linked(f)  note(either(beside(f), f))  if q { x += 10 }\n\
          joined := if x mod 2 == 0 then linked(f) else joined  if any t at own m: t.up { x += 100 } }\n\
        play { turns { mover plays go else { draw } } }\n";
    let loaded = regelwerk::load::load("truth.rules", text, &regelwerk::load::NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "truth");
    let seen: usize = (0..20).map(|seed| compare(&fast, &mut hosted, seed, 20, "truth values")).sum();
    assert!(seen > 150, "only {seen} positions");
}

/// Pieces and tokens move on together, forward and backward, by more places than there are, and those of a part of the board.
#[test]
fn what_is_rotated_moves_on() {
    let text = "game g\nplayers a, b\nboard ring 7\npiece m owned { up: bool }\ntokens seed owned\ntokens stone\nvar n: int\n\
        setup { put m of a on {s1, s4}  put m of b on {s2}  put 3 seed of a on {s1, s3}  put 2 stone on {s2, s7} }\n\
        action turn_on { choose k in {-9, -7, -1, 0, 1, 2, 6, 8}  choose f in sites  rotate sites - f by k  n := k }\n\
        action part { choose f in own m  rotate (around(f) | f) by n  put own m with up = true on f }\n\
        action none { rotate {s in sites where n > 5} by 3  n += 1 }\n\
        play { turns { mover plays turn_on | part | none } }\nend over after move when occurrences >= 3 { draw }\n";
    let loaded = regelwerk::load::load("rotate.rules", text, &regelwerk::load::NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "rotate");
    let seen: usize = (0..10).map(|seed| compare(&fast, &mut hosted, seed, 60, "rotate")).sum();
    assert!(seen > 500, "only {seen} positions");
}

/// Chains of leaps lead where the interpreter's do: in parts of a board that fit a word and in those that do not, in rings of
/// two and others that come back to where they began, along lines of one direction, and with restrictions of all sorts.
#[test]
fn chains_of_leaps_lead_where_they_do_in_the_interpreter() {
    let square = "{s in sites where (2 * s.column + s.row) mod 3 != 1}";
    let boards = [
        ("square 6 x 5", "directions", square),
        ("square 6 x 5", "ne | s", square),
        ("square 17 x 17", "directions", square),
        ("hex hexagon 4", "directions", "{s in sites where (s.q + 2 * s.r) mod 3 != 1}"),
        ("ring 4", "directions", "{s1, s2}"),
        ("ring 4", "ahead", "{s1, s2}"),
        ("ring 5", "directions", "{s1, s2, s4}"),
        ("ring 9", "directions", "{s1, s2, s4, s6, s7}"),
        ("ring 9", "back", "{s1, s2, s4, s6, s7}"),
        ("graph { a - b - c - d - e  c - f - g - a  c > h > b }", "directions", "{a, c, e, f, h}"),
    ];
    let restrictions = [
        ("over occupied to empty", "f"),
        ("over own m to empty", "f"),
        ("over occupied to empty & side(me)", "f"),
        ("over occupied to empty & near(here)", "f"),
        ("over occupied to empty & near(start)", "f"),
        ("over occupied to empty & near(here) & near(start) & side(me)", "f"),
        ("over occupied to empty & around(m of two)", "f"),
        ("over occupied to empty", "around(f) & empty"),
    ];
    let mut seen = 0;
    for (board, ways, odd) in boards {
        for (hop, from) in restrictions {
            let text = format!(
                "game g\nplayers one, two\nboard {board}\npiece m owned\n\
                 region odd = {odd}\n\
                 define side(p: seat) = if p == one then odd else sites\n\
                 define near(f: site) = if f in odd then odd else sites\n\
                 path jump = (hop {ways} {hop})+\n\
                 action put_one {{ choose f in empty  put own m on f }}\n\
                 action go {{ choose f in own m  choose to in jump({from})  require to != f or f in odd  move f to to }}\n\
                 play {{ turns {{ mover plays go | put_one else {{ draw }} }} }}\n"
            );
            let what = format!("{board} {ways} {hop} from {from}");
            let loaded = regelwerk::load::load("leaps.rules", &text, &regelwerk::load::NoFiles, &Setup::default());
            let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{what}: {:?}", loaded.reports)));
            let bytes = module(fast.game()).unwrap_or_else(|gap| panic!("{what}: {gap:?}"));
            let mut hosted = Hosted::new(&bytes, &what);
            seen += (0..2).map(|seed| compare(&fast, &mut hosted, seed, 40, &what)).sum::<usize>();
        }
    }
    assert!(seen > 3000, "only {seen} positions");
}

#[test]
fn the_page_shows_the_hosts() {
    let page = disk::read(&disk::root("docs/module.md"));
    for host in ["examples/module/host.mjs", "examples/module/host.py"] {
        assert!(page.contains(disk::read(&disk::root(host)).trim_end()), "{host}");
    }
}

#[test]
fn modules_play_as_the_interpreter_does() {
    let (mut names, seen) = everywhere(2, 40, false);
    // A fixture may have the name of a classic.
    names.sort();
    names.dedup();
    // As the page says, and fixtures of all sorts.
    let page = disk::read(&disk::root("docs/module.md"));
    let known = names.iter().filter(|name| GAMES.contains(&name.as_str()) || rules_of(name).exists());
    assert_eq!(known.count(), 6 + 34, "{names:?}");
    assert!(
        page.contains("All six games that come with Regelwerk can be compiled, and of the classics 34"),
        "{names:?}"
    );
    assert!(seen > 500, "only {seen} positions");
}

/// What is left of a loop outlasts the questions within it, also where the loop begins in the middle.
#[test]
fn loops_that_ask_go_on_behind_each_question() {
    let setup = Setup {
        players: Some(4),
        readings: vec![("gathering".to_owned(), "each_decides".to_owned())],
        ..Setup::default()
    };
    let fast = Fast::new(game(&rules_of("kalaha"), &setup));
    let mut hosted = Hosted::new(&module(fast.game()).expect("nothing that is missing"), "kalaha");
    let seen: usize = (0..4).map(|seed| compare(&fast, &mut hosted, seed, 400, "kalaha")).sum();
    compare_playouts(&fast, &mut hosted, 20, 400, "kalaha");
    assert!(seen > 200, "only {seen} positions");
}

/// The full run, which prints its figures: `cargo test --release --test module -- --ignored --nocapture`; `MODULE_GAMES`
/// says how many games of each setup are played.
#[test]
#[ignore = "minutes; run by hand in release mode"]
#[expect(clippy::print_stdout, reason = "the full run tells its figure")]
fn every_setup_plays_as_the_interpreter_does() {
    let games = std::env::var("MODULE_GAMES").ok().and_then(|text| text.parse().ok());
    let (names, seen) = everywhere(games.unwrap_or(30), 400, true);
    println!("{seen} positions of all setups of {names:?}");
}

/// Memory grows before what is kept of an answer is written, also where that ends with the memory, to the byte, as it did in this
/// game after 24 plies.
#[test]
fn memory_grows_before_it_is_written() {
    let path = classics().into_iter().find(|path| path.ends_with("reversi/reversi.rules")).expect("reversi");
    let fast = Fast::new(game(&path, &Setup::default()));
    let bytes = module(fast.game()).expect("it can be compiled");
    let mut hosted = Hosted::new(&bytes, "reversi");
    hosted.start(1, 0);
    let answers = [1, 1, 0, 3, 4, 2, 4, 0, 1, 1, 9, 1, 1, 3, 2, 7, 0, 7, 1, 0, 4, 4, 1, 4, 10];
    for (ply, answer) in answers.into_iter().enumerate() {
        assert!(hosted.applies(answer), "a trap at ply {ply}");
    }
    for _ in answers {
        assert_eq!(hosted.call("undo", &[]), 0);
    }
    assert_eq!(hosted.call("undo", &[]), 1);
}
