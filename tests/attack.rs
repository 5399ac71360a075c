//! What attacks on the program found, one test for each; `docs/reliability.md` has the table. What is not here is in
//! `bounds`, `check`, `perft` and the files' own tests.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use regelwerk::engine::Fast;
use regelwerk::ir::ActionRef;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ask, Engine, Standing};
use regelwerk::notation::{NotationError, is_answer, parse_move, parse_position, print_move};
use regelwerk::play::{Stream, deal};
use regelwerk::reference::Walker;

use crate::support::{print_position, read, reports, root, walk};

/// The rest of a game in which little happens.
const REST: &str = "action go { choose n in 1..3 }\nplay { turns { mover plays go } }\n\
    end e after move when ply > 3 { draw }\n";

fn regelwerk(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().expect("an input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), said(&output.stdout) + &said(&output.stderr))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder to work in")
}

fn written(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("a file");
}

/// The codes and messages of a text.
fn said(text: &str) -> (Vec<&'static str>, String) {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    (loaded.reports.sorted().iter().map(|report| report.code.text()).collect(), reports(&loaded))
}

fn both(text: &str) -> (Walker, Fast) {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let game = loaded.game.clone().unwrap_or_else(|| panic!("{}", reports(&loaded)));
    (Walker::new(game.clone()), Fast::new(game))
}

/// Procedures that call others four times each are expanded as calls, not as copies.
#[test]
fn procedures_called_again_and_again_are_checked() {
    let level = |at: u32| format!("procedure p{at}() {{ {} }}\n", format!("p{}() ", at - 1).repeat(4));
    let levels: String = (1..=8).map(level).collect();
    let text = format!(
        "game g\nplayers a, b\nvar x: int\nprocedure p0() {{ x += 1 }}\n{levels}action go {{ p8() }}\n\
        play {{ turns {{ mover plays go }} }}\nend e after move when ply > 1 {{ rank p in seats by x }}\n"
    );
    let (walker, fast) = both(&text);
    for engine in [&walker as &dyn Engine, &fast] {
        let start = engine.start();
        let next = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        // Four calls on each of eight levels.
        assert_eq!(next.vars[0][0].int(), 4_i64.pow(8));
    }
}

/// The values of a region share one budget, however many parameters it has.
#[test]
fn a_region_of_two_sites_is_computed_or_refused() {
    let text = |size: u32| {
        format!(
            "game g\nplayers a, b\nboard square {size} x {size}\npiece m owned\n\
            setup {{ put m of a on a1 put m of b on b2 }}\n\
            region r(p: site, q: site) = {{t in sites where distance(p, t) < 2}}\n\
            action go {{ choose f in own m choose t in r(f, f) & empty move f to t }}\n\
            play {{ turns {{ mover plays go else {{ draw }} }} }}\nend e after move when ply > 4 {{ draw }}\n"
        )
    };
    let (codes, text_16) = said(&text(16));
    assert!(codes.contains(&"check/out-of-range") && text_16.contains("too many steps"), "{text_16}");
    let (walker, fast) = both(&text(4));
    let start = walker.start();
    // From the corner, all three neighbours but the one that is occupied.
    assert_eq!(walker.legal(&start).len(), 2);
    assert_eq!(fast.legal(&start), walker.legal(&start));
}

fn cards(count: u32) -> String {
    format!(
        "game g\nplayers a, b\npiece c {{ n: int = 0 }}\nzone z: pile of c, seen by no\n\
        setup {{ for n in 1..{count} {{ put c with n = n on z }} shuffle z }}\n{REST}"
    )
}

/// A shuffle costs one step for each card: none of its outcomes is listed, and no position is copied.
#[test]
fn a_large_deck_is_shuffled() {
    let (walker, fast) = both(&cards(30_000));
    assert!(matches!(walker.opening().ask, Ask::Choose { .. }));
    let dealt = |engine: &dyn Engine| deal(engine, engine.start(), &mut Stream::new(1, "deal", 0));
    let (one, other) = (dealt(&walker), dealt(&fast));
    assert_eq!(one, other);
    let mut numbers: Vec<i32> = one.zones[0][0].iter().map(|piece| piece.fields[0]).collect();
    assert!(numbers.windows(2).any(|pair| pair[0] > pair[1]));
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=30_000).collect::<Vec<_>>());
}

#[test]
fn a_long_table_is_no_nesting() {
    let rows: Vec<String> = (0..1000).map(|at| format!("  | c{at} | {at} |\n")).collect();
    let rows = rows.concat();
    let text = format!(
        "game g\nplayers a, b\nkinds card\n  | kind | rank |\n{rows}zone z: pile of card, seen by all\n\
        setup {{ for k in kinds(card) {{ put k on z }} }}\n{REST}"
    );
    let (walker, _) = both(&text);
    assert_eq!(walker.opening().zones[0][0].len(), 1000);
}

/// More pieces than a zone takes are no zero pieces: the setup is refused.
#[test]
fn more_pieces_than_fit_are_refused() {
    let text = |n: u64| {
        let zone = "piece seed\nzone z: pile of seed, seen by all\n";
        format!("game g\nplayers a, b\n{zone}setup {{ put {n} seed on z }}\n{REST}")
    };
    for n in [100_001, 5_000_000_000] {
        assert_eq!(said(&text(n)).0, ["check/bad-start"], "{n}");
    }
    assert_eq!(both(&text(100_000)).0.opening().zones[0][0].len(), 100_000);
}

/// A number in a field has 32 bits; a greater one becomes the greatest, on both interpreters.
#[test]
fn numbers_in_fields_saturate() {
    let text = "game g\nplayers a, b\nboard square 2 x 2\npiece m { n: int = 0 }\n\
        setup { put m with n = 5000000000 on a1 put m with n = 0 - 5000000000 on a2 }\n\
        action go { choose x in {a1, a2} change x: n = 3000000000 }\n\
        play { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n";
    let (walker, fast) = both(text);
    for engine in [&walker as &dyn Engine, &fast] {
        let start = engine.start();
        let number = |position: &regelwerk::model::Position, site: usize| {
            position.sites[site].as_ref().expect("a piece").fields[0]
        };
        let values = [number(&start, 0), number(&start, 2)];
        assert_eq!(values, [i32::MAX, i32::MIN]);
        let next = engine.play_unchecked(&start, &engine.legal(&start)[1]);
        assert_eq!([number(&next, 0), number(&next, 2)], [i32::MAX, i32::MAX]);
    }
    assert!(read(&root("docs/language.md")).contains("2 147 483 647"));
}

/// A kind has a name that moves and rules can use.
#[test]
fn kinds_have_names() {
    for name in ["if", "{x}", "?", "x y", "`x`", "7"] {
        let text = format!(
            "game g\nplayers a, b\nkinds card\n  | kind | rank |\n  | {name} | 1 |\n  | two | 2 |\n\
            zone z: pile of card, seen by all\nsetup {{ for k in kinds(card) {{ put k on z }} }}\n{REST}"
        );
        let (codes, text) = said(&text);
        assert!(codes.contains(&"check/missing-item") && text.contains("is not a name"), "{name}: {text}");
    }
}

/// A value that is called like a claim or an offer is a move all the same.
#[test]
fn values_called_like_answers_can_be_typed() {
    let home = folder();
    for word in ["claim", "offer", "accept", "pass", "decline", "wait", "resign"] {
        let text = format!(
            "game g\nplayers a, b\nenum bid = {word}, fold\nvar v: bid = fold\n\
            action say {{ choose n in bid v := n }}\nplay {{ turns {{ mover plays say }} }}\n\
            end e after move when ply > 2 and v == {word} {{ draw }}\n"
        );
        written(home.path(), "g.rules", &text);
        let (walker, _) = both(&text);
        let start = walker.start();
        assert_eq!(print_move(walker.game(), &start, &walker.legal(&start)[0]), word);
        let (exit, said) = regelwerk(home.path(), &["play", "g.rules", "--moves", word], "");
        assert_ne!(exit, Some(1), "{word}: {said}");
    }
}

/// What would change how a terminal shows the rest cannot stand in a rule file, and is not printed from elsewhere.
#[test]
fn control_characters_reach_no_terminal() {
    for hidden in ["\u{1b}]0;owned\u{7}", "\u{1b}[2J", "\u{202e}", "\u{0}"] {
        let (codes, text) = said(&format!("game g \"T{hidden}\"\nplayers a, b\n{REST}"));
        assert_eq!(codes, ["syntax/unexpected"], "{text}");
        assert!(text.contains("is not displayed"), "{text}");
    }
    let home = folder();
    written(home.path(), "g.rules", &format!("game g\nplayers a, b\n{REST}"));
    let case = "Cases(game: \"g.rules\", cases: [Case(clauses: [], name: \"x\\u{1b}]0;owned\\u{7}\", \
        steps: [Play([\"9\"])])])";
    written(home.path(), "g.ron", case);
    let record = "Record(game: \"g.rules\", digest: \"0\", steps: [\"\\u{1b}]0;owned\\u{7}\"])";
    written(home.path(), "g.record", record);
    for arguments in [["test", "g.rules"], ["replay", "g.record"], ["check", "\u{1b}]0;owned\u{7}.rules"]] {
        let (_, said) = regelwerk(home.path(), &arguments, "");
        let found = said.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(found, None, "{arguments:?}: {said:?}");
        assert!(said.contains("owned"), "{said}");
    }
}

/// No move is listed twice: a question names each action once, and no action is called like an answer that a seat has
/// anyway.
#[test]
fn no_move_is_listed_twice() {
    let rules = |name: &str, offered: &str| {
        format!(
            "game g\nplayers a, b\nvar n: int \"n\"\naction {name} {{ n += 1 }}\naction other {{ n += 2 }}\n\
             play {{ turns {{ {offered} }} }}\nend e after move when ply > 3 {{ draw }}\n"
        )
    };
    for offered in [
        "mover plays go | other | go",
        "mover plays go | other | pass | pass",
        "race seats play go | other | go",
        "together seats play go | other | go",
    ] {
        let (codes, text) = said(&rules("go", offered));
        assert_eq!(codes, ["check/duplicate"], "{offered}: {text}");
        assert!(text.contains("is offered twice"), "{text}");
    }
    for name in ["pass", "decline", "Pass"] {
        let (codes, text) = said(&rules(name, &format!("mover plays {name} | other")));
        assert_eq!(codes, ["check/duplicate"], "{text}");
        assert!(text.contains("an answer that seats have anyway"), "{text}");
    }
    // In another group, whose moves are asked for where the first has none, it may stand again.
    let (walker, _) = both(&rules("go", "mover plays go | other else go"));
    assert_eq!(walker.legal(&walker.start()).len(), 2);
}

/// The least number there is can be chosen, and is read as it is written.
#[test]
fn the_least_number_is_read() {
    let (walker, fast) = both(&format!(
        "game g\nplayers a, b\nvar n: int \"n\"\naction go {{ choose i in {{0 - {BILLIONS} * {BILLIONS} - 9, 3}} n := i }}\n\
         play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n"
    ));
    for engine in [&walker as &dyn Engine, &fast] {
        let start = engine.start();
        let least = &engine.legal(&start)[0];
        assert_eq!(print_move(engine.game(), &start, least), i64::MIN.to_string());
        for text in [format!("{}", i64::MIN), format!("go {}", i64::MIN)] {
            assert_eq!(parse_move(engine.game(), &start, &text).as_ref(), Ok(least), "{text}");
        }
        let next = engine.play_unchecked(&start, least);
        assert_eq!(next.vars[0][0].int(), i64::MIN);
        assert_eq!(parse_position(engine, &print_position(&walker, &next)), Ok(next));
    }
}

/// More than the square root of what fits in a number.
const BILLIONS: u64 = 1_000_000_000_000;

/// Help that cannot be written is a failure like any other.
#[cfg(target_os = "linux")]
#[test]
fn help_on_a_full_device_fails() {
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"], &["completions", "bash"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
        let mut command = Command::new(env!("CARGO_BIN_EXE_regelwerk"));
        let output = command.args(arguments).stdout(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// `save` says what it wants, with the seats there are, and writes nothing without a name.
#[test]
fn save_names_the_seats() {
    let home = folder();
    written(home.path(), "g.rules", &format!("game g\nplayers north, south\n{REST}"));
    for typed in ["save", "save \"\"", "save --for", "save --for north", "save --for east f.record"] {
        let (_, said) = regelwerk(home.path(), &["play", "g.rules"], &format!("{typed}\nquit\n"));
        assert!(said.contains("(north, south)"), "{typed}: {said}");
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 1, "{typed} has written a file");
    }
    let (_, said) = regelwerk(home.path(), &["play", "g.rules"], "1\nsave \"my game.record\"\nquit\n");
    assert!(home.path().join("my game.record").is_file(), "{said}");
}

/// A set of pieces that a turn keeps is part of the position's text, and a text without it is refused.
#[test]
fn a_position_within_a_turn_is_whole_or_refused() {
    let text = "game g\nplayers a, b\npiece card { n: int = 0, up: bool }\nzone deck: pile of card, seen by all\n\
        zone hand(p: seat): set of card, seen by all\n\
        setup { for n in 1..6 { put card with n = n on deck } for p in seats { move top 3 of deck to hand(p) } }\n\
        action show { choose c in hand(me) move c from hand(me) to deck }\naction say { choose n in 1..3 }\n\
        play { turns { let best = {c in hand(mover) where c.n > 1} mover plays say  let k = count(best)\n\
        mover plays say if k > 0 { mover plays show } } }\nend e after move when ply > 8 { draw }\n";
    let (walker, fast) = both(text);
    let mut kept = 0;
    walk(&fast, 3, 9, |position| {
        let text = print_position(&walker, position);
        for engine in [&walker as &dyn Engine, &fast] {
            assert_eq!(&parse_position(engine, &text).unwrap_or_else(|why| panic!("{text}: {why}")), position);
        }
        for local in text.split(" | ").filter(|segment| segment.starts_with("local.")) {
            let less = text.replace(&format!(" | {local}"), "");
            match parse_position(&walker, &less) {
                Err(why) => {
                    let name = local.split('=').next().unwrap_or_default();
                    let missing = matches!(&why, NotationError::Missing { what } if what.contains(name));
                    assert!(missing, "{less}: {why}");
                    kept += 1;
                }
                // Nothing that follows depends on it.
                Ok(other) => {
                    let moves = walker.legal(position);
                    assert_eq!((walker.legal(&other), fast.legal(&other)), (moves.clone(), moves.clone()), "{less}");
                    for mv in moves {
                        let next = walker.play_unchecked(position, &mv);
                        assert_eq!(walker.play_unchecked(&other, &mv).ask, next.ask, "{less}");
                    }
                }
            }
        }
    });
    assert!(kept >= 2, "only {kept} values were kept within turns");
}

/// A position within a turn that gives a value to a name that has none there, or that lacks a loop's, is refused; nor is a
/// list of seats accepted that no `together` has.
#[test]
fn a_position_within_a_turn_has_no_values_that_no_game_has() {
    let text = "game g\nplayers a, b, c\npiece card { n: int = 0 }\nzone deck: pile of card, seen by all\n\
        zone hand(p: seat): set of card, seen by all\nvar total: int\n\
        setup { for n in 1..9 { put card with n = n on deck } for p in seats { move top 3 of deck to hand(p) } }\n\
        define high(c: piece) = c.n > 4\n\
        action show { choose c in hand(me)  require high(c) or c.n > 0  total += c.n  choose k in 1..3  total += k }\n\
        action hide { choose c in hand(me)  total -= c.n  choose k in 1..2  total += k }\n\
        action say { choose n in 1..3 }\n\
        play { turns { mover plays say  for n in 1..3 { mover plays show | hide  total += n }  together seats play say } }\n\
        end e after move when ply > 30 { draw }\n";
    let (walker, fast) = both(text);
    let game = walker.game();
    let (mut unbound, mut missing, mut disordered) = (0, 0, 0);
    walk(&fast, 5, 30, |position| {
        let text = print_position(&walker, position);
        assert_eq!(&parse_position(&walker, &text).unwrap_or_else(|why| panic!("{text}: {why}")), position);
        for local in
            text.split(" | ").filter(|segment| segment.starts_with("local.c.") || segment.starts_with("local.n."))
        {
            let (key, value) = local.split_once('=').expect("a value");
            let (name, number) = key.trim_start_matches("local.").split_once('.').expect("a number");
            if value == "?" {
                continue;
            }
            for (slot, info) in game.slots.numbered().filter(|(slot, _)| slot.to_string() != number) {
                let forged = text.replace(local, &format!("local.{}.{slot}={value}", info.name));
                if info.name == name {
                    let why = parse_position(&walker, &forged).expect_err(&forged);
                    assert!(
                        matches!(why, NotationError::Unbound { .. } | NotationError::Missing { .. }),
                        "{forged}: {why}"
                    );
                    unbound += usize::from(matches!(why, NotationError::Unbound { .. }));
                }
            }
            if name == "n" {
                let less = text.replace(&format!(" | {local}"), "");
                match parse_position(&walker, &less) {
                    Err(why) => {
                        assert!(matches!(why, NotationError::Missing { .. }), "{less}: {why}");
                        missing += 1;
                    }
                    // What is left out is as at the first question of the game.
                    Ok(other) => assert_eq!(walker.legal(&other), fast.legal(&other), "{less}"),
                }
            }
        }
        if text.contains("(c b;)") {
            for other in ["(b c;)", "(b b;)"] {
                let forged = text.replace("(c b;)", other);
                assert!(parse_position(&walker, &forged).is_err(), "{forged}");
                disordered += 1;
            }
        }
    });
    assert!(unbound > 4 && missing > 4 && disordered > 1, "{unbound} {missing} {disordered}");
}

/// Once nobody plays any more there is no next question, which repetition would count: it is not looked for.
#[test]
fn a_game_that_nobody_plays_any_more_has_no_next_question() {
    let text = "game g\nplayers a, b, c\nvar n: int \"n\"\n\
        action out { choose p in playing  eliminate {p}  n += 1 }\naction stay { n += 1 }\n\
        play { turns { mover plays out | stay | pass } }\n\
        end again after move when occurrences >= 3 { draw }\nend e after move when n > 30 { draw }\n";
    let (walker, fast) = both(text);
    let mut over = 0;
    for seed in 0..20 {
        let mut dice = Stream::new(seed, "walk", 0);
        let mut position = walker.start();
        while !position.is_over() {
            let moves = walker.legal(&position);
            assert_eq!(fast.legal(&position), moves);
            let mv = &moves[dice.below(moves.len())];
            let next = walker.play_unchecked(&position, mv);
            assert_eq!(fast.play_unchecked(&position, mv), next, "{}", print_position(&walker, &position));
            // Neither interpreter runs on until its budget is spent.
            let few = walker.clone().with_budget(20_000);
            assert_eq!(few.play_unchecked(&position, mv), next, "{}", print_position(&walker, &position));
            position = next;
        }
        over += usize::from(position.standing.iter().all(|standing| *standing != Standing::Playing));
    }
    assert!(over > 3, "{over} games in which nobody was left");
}

/// An offered value with which the rules cannot be played is refused as a setting, not as an error of the rules.
#[test]
fn settings_that_do_not_go_together_are_settings() {
    let home = folder();
    let text = format!(
        "game g\nplayers a, b\noption size = 4 from 1..9\nboard square size x size\npiece m owned\n\
        setup {{ put m of a on a4 }}\ninvariant there: count(m of a) == 1\n{REST}"
    );
    written(home.path(), "g.rules", &text);
    for (size, wanted) in [("4", 0), ("9", 0), ("3", 2), ("10", 2)] {
        let set = format!("size={size}");
        let (exit, said) = regelwerk(home.path(), &["show", "g.rules", "--set", &set], "");
        assert_eq!(exit, Some(wanted), "{size}: {said}");
        let cured = said.contains("help: choose other values") || said.contains("it ranges from 1 to 9");
        assert_eq!(cured, wanted == 2, "{said}");
    }
}

/// A seed that nobody named comes from the operating system: 128 bits, so that no two are near each other, and it is printed
/// nowhere while something is hidden.
#[test]
fn seeds_that_nobody_named_are_far_apart() {
    let home = folder();
    let seed = |number: usize| -> u128 {
        let save = format!("save {number}.ron\nquit\n");
        let (_, said) = regelwerk(home.path(), &["play", "kuhn-poker", "--seat", "2=random"], &save);
        let record = read(&home.path().join(format!("{number}.ron")));
        let seed = record.lines().find_map(|line| line.trim().strip_prefix("seed: ")).expect("a seed");
        let digits = seed.trim_matches(|c: char| !c.is_ascii_digit());
        assert!(!said.contains(digits), "{said}");
        digits.parse().expect("a number of 128 bits")
    };
    let mut seeds: Vec<u128> = (0..3).map(seed).collect();
    seeds.push(0);
    seeds.sort_unstable();
    assert!(seeds.windows(2).all(|two| two[1] - two[0] > 1 << 96), "{seeds:?}");
}

/// At the first turn there is nothing to undo: the setup is nobody's move.
#[test]
fn the_setup_is_not_undone() {
    let home = folder();
    let text = format!(
        "game g\nplayers a, b\nvar d: int \"die\"\nsetup {{ roll n in 1..6 d := n }}\n{}",
        REST.replace("draw", "rank p in seats by d")
    );
    written(home.path(), "g.rules", &text);
    let (_, said) = regelwerk(home.path(), &["play", "g.rules"], "undo\n2\nundo\nundo\nquit\n");
    assert_eq!(said.matches("There is nothing to undo.").count(), 2, "{said}");
    assert!(said.contains("After 1 ply."), "{said}");
}

/// Links between folders are not followed, and a file outside of what was named is left alone.
#[cfg(unix)]
#[test]
fn links_between_folders_are_not_followed() {
    use std::os::unix::fs::symlink;

    let home = folder();
    fs::create_dir_all(home.path().join("inner/below")).expect("folders");
    let text = format!("game   g\nplayers a, b\n{REST}");
    written(home.path(), "outside.rules", &text);
    written(home.path(), "inner/one.rules", &text);
    for (to, name) in [("..", "inner/up"), (".", "inner/here"), ("../outside.rules", "inner/out.rules")] {
        symlink(to, home.path().join(name)).expect("a link");
    }
    let (exit, said) = regelwerk(home.path(), &["fmt", "inner"], "");
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("1 file: 1 changed"), "{said}");
    assert_eq!(read(&home.path().join("outside.rules")), text);
    // Cases are looked for in folders, too.
    let (exit, said) = regelwerk(home.path(), &["test", "inner"], "");
    assert_eq!(exit, Some(3), "{said}");
}

/// A pipe that nobody writes to keeps nobody waiting.
#[cfg(unix)]
#[test]
fn pipes_are_not_read() {
    let home = folder();
    let made = Command::new("mkfifo").arg(home.path().join("g.rules")).status();
    assert!(made.expect("`mkfifo` makes a pipe").success(), "no pipe was made");
    for arguments in [["check", "g.rules"], ["fmt", "g.rules"], ["show", "g.rules"]] {
        let (exit, said) = regelwerk(home.path(), &arguments, "");
        assert_eq!(exit, Some(3), "{said}");
        assert!(said.contains("it is no regular file"), "{said}");
    }
}

/// The files after one that cannot be read are formatted nevertheless.
#[test]
fn formatting_goes_on_after_an_unreadable_file() {
    let home = folder();
    fs::write(home.path().join("a.rules"), [0xff, 0xfe]).expect("a file");
    written(home.path(), "b.rules", &format!("game   g\nplayers a, b\n{REST}"));
    let (exit, said) = regelwerk(home.path(), &["fmt", "none.rules", "a.rules", "b.rules"], "");
    assert_eq!(exit, Some(3), "{said}");
    assert!(said.contains("byte 0 is not valid UTF-8") && said.contains("`b.rules` formatted"), "{said}");
    assert!(read(&home.path().join("b.rules")).starts_with("game g\n"));
}

/// Very many warnings are counted, and the first of them printed.
#[test]
fn many_warnings_are_counted() {
    let home = folder();
    let vars: Vec<String> = (0..3000).map(|at| format!("var v{at}: int\n")).collect();
    let vars = vars.concat();
    written(home.path(), "g.rules", &format!("game g\nplayers a, b\n{vars}{REST}"));
    let (exit, said) = regelwerk(home.path(), &["check", "g.rules"], "");
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("g.rules: 2800 more warnings; `--format json` lists all"), "{said}");
    assert!(said.contains("no errors, 3000 warnings"), "{said}");
}

/// Every move of a race is read back as it is printed, whatever its numbers, its seats and the clock; so is a secret
/// choice that a position holds.
#[test]
fn acts_with_numbers_and_odd_names_are_read_back() {
    let race = |seats: &str| {
        format!(
            "game g\nplayers {seats}\nvar n: int\naction add {{ choose i in {{-7, 7, -1, 0}} n += i }}\n\
             action two {{ choose i in -1..1 choose j in -1..1 n += 10 * i + j }}\n\
             play {{ turns {{ race seats play add | two until now + 5000000000 }} }}\n\
             end e after turn when turn > 3 {{ draw }}\n"
        )
    };
    for seats in ["a, b", "claim, accept"] {
        let (walker, fast) = both(&race(seats));
        let mut position = walker.start();
        for turn in 0..2 {
            let legal = walker.legal(&position);
            assert!(legal.len() > 20, "{turn}: {legal:?}");
            for mv in &legal {
                let text = print_move(walker.game(), &position, mv);
                assert!(!is_answer(walker.game(), &text), "{text}");
                assert_eq!(parse_move(walker.game(), &position, &text).as_ref(), Ok(mv), "{text}");
                let ActionRef::Race(_) = mv.action else { continue };
                let timed = format!("{text} @{}", mv.args[1].int());
                assert_eq!(parse_move(walker.game(), &position, &timed).as_ref(), Ok(mv), "{timed}");
            }
            // Somebody waits: the clock passes 32 bits.
            let wait = legal.iter().find(|mv| print_move(walker.game(), &position, mv) == "wait").expect("waiting");
            position = walker.play_unchecked(&position, wait);
            let text = print_position(&walker, &position);
            let again = parse_position(&fast, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(print_position(&walker, &again), text);
        }
        assert!(position.now > i64::from(u32::MAX));
    }
    let (walker, _) = both(
        "game g\nplayers a, b\nvar n: int\naction add { choose i in {-7, 7} n += i }\n\
         play { turns { together seats play add } }\nend e after turn when turn > 3 { draw }\n",
    );
    let start = walker.start();
    for mv in walker.legal(&start) {
        let chosen = walker.play_unchecked(&start, &mv);
        let text = print_position(&walker, &chosen);
        let again = parse_position(&walker, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(print_position(&walker, &again), text);
        assert_eq!(again, chosen, "{text}");
    }
}
