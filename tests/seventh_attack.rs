//! What a seventh attack found, from the promises alone: each test is a find.

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, Setup, check_all, load};
use regelwerk::model::Engine;
use regelwerk::notation::{parse_position, print_move};
use regelwerk::reference::Walker;

use crate::support::print_position;

/// The messages about a text, in order.
fn messages(text: &str) -> Vec<String> {
    let loaded = check_all("g.rules", text, &NoFiles);
    loaded.reports.sorted().iter().map(|report| report.message.clone()).collect()
}

fn game(text: &str) -> Game {
    load("g.rules", text, &NoFiles, &Setup::default()).game.unwrap_or_else(|| panic!("{text}\n{:?}", messages(text)))
}

/// The first moves on both interpreters, which list the same.
fn first_moves(text: &str) -> Vec<String> {
    let (walker, fast) = (Walker::new(game(text)), Fast::new(game(text)));
    let list = |engine: &dyn Engine| -> Vec<String> {
        let start = engine.start();
        engine.legal(&start).iter().map(|mv| print_move(engine.game(), &start, mv)).collect()
    };
    let moves = list(&walker);
    assert_eq!(moves, list(&fast), "{text}");
    moves
}

/// A board has the directions of its form, however few of its sites are joined.
#[test]
fn narrow_boards_have_all_directions() {
    let count = |board: &str, set: &str| {
        let text = format!(
            "game g\nplayers a, b\nboard {board}\npiece n owned\nvar x: int = count({set}) \"x\"\n\
             action go {{ choose f in empty  put own n on f }}\nplay {{ turns {{ mover plays go else {{ draw }} }} }}\n"
        );
        Walker::new(game(&text)).start().vars[0][0].int()
    };
    for board in ["square 1 x 5", "square 5 x 1", "square 1 x 1", "square 3 x 3 keep a1 | b3", "square 4 x 4"] {
        let found = ["directions", "orthogonal", "diagonal", "ne | s"].map(|set| count(board, set));
        assert_eq!(found, [8, 4, 4, 2], "{board}");
    }
    assert_eq!((count("hex rhombus 1 x 3", "directions"), count("track 1", "ahead | back")), (6, 2));
}

/// Between braces the bare name of a kind means the sites where it stands as soon as the others are sites.
#[test]
fn braces_mean_what_their_members_do() {
    let rules = |set: &str| {
        format!(
            "game g\nplayers a, b\nboard square 3 x 3\npiece m owned\nsetup {{ put m of a on c3 }}\n\
             action go {{ choose f in {set}  remove f }}\nplay {{ turns {{ mover plays go else {{ draw }} }} }}\n"
        )
    };
    assert_eq!(first_moves(&rules("{a1 | b1, m & sites}")), ["a1", "b1", "c3"]);
    assert_eq!(first_moves(&rules("{m & sites, a1}")), ["a1", "c3"]);
}

/// On a ring the sites between two are those on the shorter way, in whichever order the two are given.
#[test]
fn between_takes_the_shorter_way_round() {
    let between = |one: usize, two: usize| {
        let text = format!(
            "game g\nplayers a, b\nboard ring 9\npiece n owned\n\
             action go {{ choose f in between(s{one}, s{two})  put own n on f }}\naction stay {{ }}\n\
             play {{ turns {{ mover plays go | stay }} }}\n"
        );
        let mut moves = first_moves(&text);
        assert_eq!(moves.pop().as_deref(), Some("stay"));
        moves
    };
    for one in 1..=9 {
        for two in 1..=9 {
            let found = between(one, two);
            let ahead = (two + 9 - one) % 9;
            let (first, steps) = if ahead <= 4 { (one, ahead) } else { (two, 9 - ahead) };
            let mut sites: Vec<usize> = (1..steps).map(|step| (first + step - 1) % 9 + 1).collect();
            sites.sort_unstable();
            let sites: Vec<String> = sites.into_iter().map(|site| format!("s{site}")).collect();
            assert_eq!(found, sites, "between {one} and {two}");
        }
    }
}

/// A site holds so many tokens of one kind and owner; what comes on top is lost, on both interpreters.
#[test]
fn tokens_saturate() {
    let text = "game g\nplayers a, b\nboard track 3\ntokens seed\nsetup { put 3 seed on s1 }\n\
        action double { put (seed at s1) seed on s1 }\nplay { turns { mover plays double } }\n";
    let (walker, fast) = (Walker::new(game(text)), Fast::new(game(text)));
    let engines: [&dyn Engine; 2] = [&walker, &fast];
    for engine in engines {
        let mut position = engine.start();
        for round in 1..40_u32 {
            position = engine.play_unchecked(&position, &engine.legal(&position)[0]);
            assert_eq!(u64::from(position.tokens[0][0]), (3_u64 << round).min(u32::MAX.into()), "round {round}");
        }
    }
}

/// What is written of a piece is read back: a value that two fields could have names its own.
#[test]
fn fields_that_share_names_are_told_apart() {
    let text = "game g\nplayers north, south\nboard square 3 x 3\nenum rank = a1, b1, up\nenum lane = n, e, x1\n\
        piece man owned { home: site, r: rank = up, up: bool, d: direction, w: lane = x1, s: site }\n\
        action go { choose f in empty choose r in rank choose d in orthogonal\n\
          put own man with home = c3, r = r, d = d, s = c1 on f }\n\
        action raise { choose f in own man choose t in sites choose v in lane  change f: up = true, w = v, home = t }\n\
        play { turns { mover plays go | raise } }\n";
    let engine = Fast::new(game(text));
    let (mut position, mut seen) = (engine.start(), Vec::new());
    for number in 0..12 {
        let legal = engine.legal(&position);
        position = engine.play_unchecked(&position, &legal[(number * 7) % legal.len()]);
        let text = print_position(&engine, &position);
        assert_eq!(parse_position(&engine, &text).as_ref().map_err(ToString::to_string), Ok(&position), "{text}");
        seen.push(text);
    }
    assert!(seen.iter().any(|text| text.contains("r=a1") && text.contains("d=n")), "{seen:?}");
    let read =
        |piece: &str| parse_position(&engine, &seen[0].replace("man.north{", piece)).map_err(|error| error.to_string());
    let twice = read("man.north{home=a1,");
    assert!(twice.as_ref().is_err_and(|error| error.contains("each field once")), "{twice:?}");
    let either = read("man.north{up,");
    assert!(either.as_ref().is_err_and(|error| error.contains("`r=up` or `up=true`")), "{either:?}");
}

/// Where a direction forks, rows are looked for within the budget, and none of them is kept.
#[test]
fn rows_that_fork_take_no_memory() {
    let sites = |step: usize| (0..16).map(|at| format!("v{}", at * step % 17 + 1)).collect::<Vec<_>>();
    let chains = (1..=7).map(|step| format!("d: {}", sites(step).join(" - "))).collect::<Vec<_>>().join("\n");
    let rules = |of: &str| {
        format!(
            "game g\nplayers a, b\nboard graph {{\n{chains}\n}}\npiece m owned\nsetup {{ put m of a on sites - v1 }}\n\
             action go {{ choose t in empty  require {of}  put own m on t }}\nplay {{ turns {{ mover plays go else {{ draw }} }} }}\n"
        )
    };
    assert_eq!(first_moves(&rules("line(own m, 9)")), ["v1"]);
    assert_eq!(first_moves(&rules("rows(own m, 3) == own m")), ["v1"]);
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("g.rules"), rules("some rows(own m, 12)")).expect("written");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"))
        .current_dir(folder.path())
        .args(["check", "g.rules", "--limit-memory", "128"])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    assert!(!said.contains("stopped at") && said.contains("1 file checked"), "{said}");
}

/// A set without members is called empty where a reason names it.
#[test]
fn a_reason_calls_an_empty_set_empty() {
    let rules = "game g\nplayers a, b\nboard square 2 x 2\npiece m owned\n\
        action w { require own m == {a1} put own m on b1 }\naction v { choose f in empty put own m on f }\n\
        play { turns { mover plays w | v else { draw } } }\n";
    let folder = tempfile::TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("g.rules"), rules).expect("written");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_regelwerk"))
        .current_dir(folder.path())
        .args(["play", "g.rules", "--moves", "w"])
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    assert!(said.contains("`own m` is empty, not a1"), "{said}");
}
