//! What a seventh attack found, from the promises alone: each test is a find.

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, Setup, check_all, load};
use regelwerk::model::Engine;
use regelwerk::notation::print_move;
use regelwerk::reference::Walker;

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
