//! What could run for ever or grow without bounds ends, and says why.

use std::fs;
use std::path::Path;
use std::process::Command;

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ask, Ending, Engine, Explain, Frame, SETUP_QUESTIONS, Why};
use regelwerk::notation::{parse_move, parse_position};
use regelwerk::play::{Stream, deal};
use regelwerk::reference::Walker;

use crate::support::{engine, print_position, reports, root};

/// The exit code of the program and its output, errors last.
fn regelwerk(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_regelwerk"))
        .env("LC_ALL", "C")
        .args(arguments)
        .output()
        .expect("the program runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), said(&output.stdout) + &said(&output.stderr))
}

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// A piece that may leap over anything has too many ways to enumerate: the budget ends the search for what forbids
/// the move, and the refusal names the choice itself, or the path whose clauses it goes by.
#[test]
fn a_refusal_ends_where_ways_multiply() {
    for (file, corner) in [("international-draughts", "j10"), ("russian-draughts", "h8")] {
        let walker = engine(&root(&format!("rules/classics/{file}/{file}.rules")), &Setup::default());
        for piece in ["man", "king"] {
            let text = format!("{file} 2 | mover=white | {piece}.white: e5 | man.black: d4 {corner}");
            let position = parse_position(&walker, &text).expect("a position");
            // a7 is not on the line from e5 over d4.
            let capture = parse_move(walker.game(), &position, "capture e5-a7xd4").expect("a move");
            let refusal = walker.refusal(&position, &capture).expect("it lands elsewhere");
            assert!(matches!(refusal.why, Why::NotAmong { .. }), "{file}: {refusal:?}");
            let choice = refusal.rules.last().map(|rule| walker.game().rules[*rule].name.as_str());
            let offers = ["capture", "leap", "flight", "leap_only", "leap_and_fly"];
            assert!(choice.is_some_and(|name| offers.contains(&name)), "{file}: {choice:?}");
        }
    }
}

/// A path of 2ⁿ steps: each path repeats the previous one twice.
fn doubled(times: u32) -> String {
    let paths: Vec<String> = (1..=times).map(|at| format!("path p{at} = p{0} then p{0}", at - 1)).collect();
    let paths = paths.join("\n");
    format!(
        "game g\nplayers a, b\nboard square 8 x 8\npiece m owned\n\
        setup {{ put m of a on a1 put m of b on h8 }}\npath p0 = step to empty\n{paths}\n\
        action go {{ choose f in own m choose t in p{times}(f) move f to t }}\n\
        play {{ turns {{ mover plays go else {{ draw }} }} }}\nend e after move when ply > 10 {{ draw }}\n"
    )
}

/// A path that takes nothing keeps no trail, which nobody would see, so none is copied.
#[test]
fn paths_of_many_steps_terminate() {
    let game = load("g", &doubled(10), &NoFiles, &Setup::default()).game.expect("it checks");
    let (walker, fast) = (Walker::new(game.clone()), Fast::new(game));
    // This many steps in any of eight directions reach everywhere except the other piece.
    let start = walker.start();
    assert_eq!(walker.legal(&start).len(), 63);
    assert_eq!(fast.legal(&start), walker.legal(&start));
    // Sixteen times as many may exceed the budget; then the file is rejected.
    let loaded = load("g", &doubled(14), &NoFiles, &Setup::default());
    let found: Vec<&str> = loaded.reports.sorted().iter().map(|report| report.code.text()).collect();
    assert!(loaded.game.is_some() && found.is_empty() || found == ["check/bad-start"], "{found:?}");
}

const REROLL: &str = "game g\nplayers a, b\nvar die(p: seat): int\n\
    setup { while die(a) == die(b) { for p in seats { roll n in 1..6 die(p) := n } } }\n\
    action go { choose n in 1..3 }\nplay { turns { mover plays go } }\n\
    end e after move when ply > 3 { rank p in seats by die(p) }\n";

/// The first outcomes tie for ever; the opening eventually takes others, and so do the dice.
#[test]
fn a_reroll_on_a_tie_is_allowed() {
    let loaded = load("g", REROLL, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let walker = Walker::new(loaded.game.expect("it checks"));
    let opening = walker.opening();
    assert!(matches!(opening.ask, Ask::Choose { .. }) && opening.vars[0][0] != opening.vars[0][1]);
    let dealt = deal(&walker, walker.start(), &mut Stream::new(1, "deal", 0));
    assert!(matches!(dealt.ask, Ask::Choose { .. }) && dealt.vars[0][0] != dealt.vars[0][1]);
    let again = parse_position(&walker, &print_position(&walker, &dealt)).expect("its own text");
    assert_eq!((again.vars, again.control, again.ask), (dealt.vars, dealt.control, dealt.ask));
}

/// A setup that no outcome ends is reported like an infinite loop.
#[test]
fn a_setup_that_rolls_for_ever_is_refused() {
    let endless = REROLL.replace("die(a) == die(b)", "die(a) < 7");
    let loaded = load("g", &endless, &NoFiles, &Setup::default());
    assert!(loaded.game.is_none());
    let found: Vec<&str> = loaded.reports.sorted().iter().map(|report| report.code.text()).collect();
    assert_eq!(found, ["check/bad-start"], "{}", reports(&loaded));
    // The same without the check of the setup: chance outcomes that never end it.
    let walker = Walker::new(load("g", REROLL, &NoFiles, &Setup::default()).game.expect("it checks"));
    let mut asked = 0;
    let stuck = regelwerk::model::set_up(&walker, walker.start(), |_| {
        asked += 1;
        0
    });
    assert_eq!(asked, SETUP_QUESTIONS);
    assert!(matches!(stuck.outcome.map(|outcome| outcome.ending), Some(Ending::Budget(_))));
}

#[test]
fn excessive_counts_are_refused_with_their_segment() {
    let text = "game g\nplayers a, b\npiece card\nzone box: pile of card, seen by no\n\
        setup { put 3 card on box }\naction go { choose n in 1..3 }\nplay { shuffle box turns { mover plays go } }\n\
        end e after move when ply > 3 { draw }\n";
    let loaded = load("g", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
    let walker = Walker::new(loaded.game.expect("it checks"));
    for count in ["18446744073709551615", "99999999999999999999999", "99999", "100000"] {
        let error = parse_position(&walker, &format!("g 2 | box: card*2 card*{count}")).expect_err("too many");
        assert_eq!(error.cure().as_deref(), Some("a zone takes at most 100000"), "{error}");
    }
    let fits = parse_position(&walker, "g 2 | box: card*2 card*99998").expect("it fits");
    assert_eq!(fits.zones[0][0].len(), 100_000);
    // The number of pieces still to be shuffled.
    let fits = format!("g 2 | box: card*3 | at={}", control(&walker, 1));
    assert!(parse_position(&walker, &fits).is_ok());
    let error = parse_position(&walker, &format!("g 2 | box: card*3 | at={}", control(&walker, u32::MAX)));
    let error = error.expect_err("too many");
    assert_eq!(error.cure().as_deref(), Some("a zone takes at most 100000"), "{error}");
}

/// The control stack of the start, in the middle of a shuffle, with this many pieces left.
fn control(walker: &Walker, left: u32) -> String {
    let mut start = walker.start();
    assert!(matches!(start.ask, Ask::Chance { .. }));
    for frame in &mut start.control {
        if let Frame::Shuffle(_, pieces) = frame {
            *pieces = left;
        }
    }
    let text = print_position(walker, &start);
    let at = text.split(" | ").find_map(|segment| segment.strip_prefix("at="));
    at.map_or_else(|| panic!("no control stack in {text}"), str::to_owned)
}

const MARKS: &str = "game g\nplayers x, o\nboard square 3 x 3\npiece mark owned\n\
    action place { choose square in empty put own mark on square }\n\
    play { turns { mover plays place } }\nend full after move when no empty { draw }\n";

/// Cases that fail on the original rules detect nothing.
#[test]
fn mutants_need_sound_cases() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let rules = written(home.path(), "g.rules", MARKS);
    let case = |name: &str, step: &str| format!("Case(clauses: [], name: \"{name}\", steps: [{step}])");
    let cases = [case("a mark", "Play([\"place b2\"])"), case("nowhere", "Illegal(\"place b2\", [])")].join(", ");
    written(home.path(), "g.ron", &format!("Cases(game: \"g.rules\", cases: [{cases}])"));
    let (exit, said) = regelwerk(&["mutate", &rules]);
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.contains("these cases fail on") && said.contains("`nowhere`") && !said.contains("`a mark`"), "{said}");
    // Rules with errors have no mutants at all.
    for wrong in ["game bad\n", "game g\nplayers a, b\nboard square 3 x 3\nplay { turns { mover plays z } }\n"] {
        let (exit, said) = regelwerk(&["mutate", &written(home.path(), "bad.rules", wrong)]);
        assert!(exit == Some(1) && said.contains("have errors"), "{exit:?} {said}");
    }
}

/// After one mark of each seat, `two` is violated: in every game, after the second ply and all later ones.
#[test]
fn random_games_report_violated_invariants() {
    let home = tempfile::tempdir().expect("a folder to work in");
    let rules = written(home.path(), "g.rules", &format!("{MARKS}invariant two: count(mark) < 2\n"));
    let (exit, said) = regelwerk(&["check", "--play", "3", "--seed", "5", &rules]);
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.contains("lint/broken-invariant"), "{said}");
    let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`two` did not hold in game 1 of 3, after 2 moves (seed 5, 2 players)"), "{said}");
    // Eight of ten positions of each game.
    let (exit, said) = regelwerk(&["simulate", &rules, "--games", "2"]);
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.contains("1 invariant: broken 16 times"), "{said}");
    let sound = written(home.path(), "h.rules", &format!("{MARKS}invariant nine: count(mark) < 10\n"));
    let (exit, said) = regelwerk(&["simulate", &sound, "--games", "2"]);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("1 invariant: held in every position"), "{said}");
}

/// What `check --fix` must not do without being asked.
#[test]
fn fixes_keep_every_word() {
    let lines = [
        "option komi = 7.5",
        "action take { choose f in own mark & !occupied remove f }",
        "score p = 3",
        "replace action place",
        "end over after when no empty { draw }",
        "invariant all_in: all k in kinds(card), s in sites: k == mark",
    ];
    for line in lines {
        let text = format!("{MARKS}{line}\n");
        let found = regelwerk::mend::mend(
            regelwerk::mend::Subject { name: "g", text: &text, files: &NoFiles },
            &Setup::default(),
        );
        assert_eq!(found.text, text, "{:#?}", found.done);
    }
    let half = load("g", &format!("{MARKS}option komi = 7.5\n"), &NoFiles, &Setup::default());
    let said = reports(&half);
    assert!(said.contains("`7.5` is not a whole number") && said.contains("syntax/bad-number"), "{said}");
}

/// Numbers of blocks, definitions and statements have 16 bits: a file with more of them is reported, with a place.
#[test]
fn too_many_blocks_or_definitions_are_reported() {
    let game = |items: &str, setup: &str| {
        let text = format!(
            "game g\nplayers a, b\nboard square 2 x 2\nvar n: int = 0\n{items}setup {{ {setup} }}\n\
            action go {{ n := 1 }}\nplay {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n"
        );
        reports(&load("g.rules", &text, &NoFiles, &Setup::default()))
    };
    let statements = game("", &"n := 1\n".repeat(65_001));
    assert!(statements.contains("a block cannot have more than 65000 statements"), "{statements}");
    let blocks = game("", &"if n > 1 {if n > 2 {}}\n".repeat(33_000));
    assert!(blocks.contains("a game cannot have so many blocks of statements"), "{blocks}");
    assert!(blocks.contains("declare fewer of them"), "{blocks}");
}
