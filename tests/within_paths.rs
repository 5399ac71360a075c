//! Paths that are called or asked for within others: each element sees `here`, `taken` and the boards as its own walker does,
//! and every piece that walks is off the board meanwhile.

use regelwerk::engine::Fast;
use regelwerk::ir::Game;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::notation::print_move;
use regelwerk::reference::Walker;

use crate::support::reports;

fn game(text: &str) -> Game {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    loaded.game.clone().unwrap_or_else(|| panic!("{text}\n{}", reports(&loaded)))
}

/// What one may choose at the start, on both interpreters: own men go by the path `p`, and the way is written if it takes.
fn ways(men: &str, takes: bool, paths: &str) -> Vec<String> {
    let to = if takes { "choose w in p(f)  move f to w.to" } else { "choose t in p(f)  move f to t" };
    let text = format!(
        "game g\nplayers white, black\nboard square 6 x 2\npiece man owned\n{paths}\n\
         setup {{ put man of white on {men} }}\naction go {{ choose f in own man  {to} }}\n\
         play {{ turns {{ mover plays go else pass }} }}\nend long after move when ply == 40 {{ draw }}\n"
    );
    let (fast, walker) = (Fast::new(game(&text)), Walker::new(game(&text)));
    let [one, two] = [&fast as &dyn Engine, &walker].map(|engine| {
        let moves = engine.legal(&engine.start());
        moves.iter().map(|mv| print_move(engine.game(), &engine.start(), mv)).collect::<Vec<_>>()
    });
    assert_eq!(one, two, "{paths}");
    one.into_iter().filter(|mv| mv != "pass").collect()
}

/// The men stand on c1 and d1. What is expected was found on paper: each walker looks at where it stands itself.
#[test]
fn arguments_directions_and_limits_see_where_each_walker_is() {
    let probe = "path probe(x: site) = (slide directions through sites)? then (if here == x)\n";
    let shapes = [
        // Only who does not slide away is still where the path was called.
        ("path p = step e to sites then probe(here)", ["c1-d1", "d1-e1"].as_slice()),
        ("path p = probe(here)", &["c1-c1", "d1-d1"]),
        // The start is no longer here behind the first step.
        ("path p = step e to sites then probe(start)", &["c1-c1", "d1-d1"]),
        ("path p = along d in (if here == start then n else e) (step d to sites)", &["c1-c2", "d1-d2"]),
        (
            "path p = step e to sites then (along d in (if here == start then w else n) (step d to sites))",
            &["c1-d2", "d1-e2"],
        ),
        ("path p = along d in (if no taken then n else e) (step d to sites)", &["c1-c2", "d1-d2"]),
        ("path p = slide e up to (if here == start then 1 else 2) through sites", &["c1-d1", "d1-e1"]),
        (
            "path p = step n to sites then slide e up to (if here == start then 1 else 2) through sites",
            &["c1-d2", "c1-e2", "d1-e2", "d1-f2"],
        ),
        // Two walkers at once, each with directions and with a limit of its own.
        (
            "path p = (step n to sites or step e to sites) then (along d in (if here.row == 2 then w else e) (step d to sites))",
            &["c1-e1", "c1-b2", "d1-f1", "d1-c2"],
        ),
        (
            "path p = (step n to sites or step e to sites) then slide e up to here.row through sites",
            &["c1-e1", "c1-d2", "c1-e2", "d1-f1", "d1-e2", "d1-f2"],
        ),
        (
            "path on(n: int) = slide e up to n through sites\n\
             path p = (step n to sites or step e to sites) then on(here.row)",
            &["c1-e1", "c1-d2", "c1-e2", "d1-f1", "d1-e2", "d1-f2"],
        ),
    ];
    for (path, expected) in shapes {
        assert_eq!(ways("{c1, d1}", false, &format!("{probe}{path}")), expected, "{path}");
    }
}

/// The same of what was taken so far.
#[test]
fn what_was_taken_is_seen_in_arguments_and_limits() {
    let shapes = [
        ("path p = take then slide e up to count(taken) through sites", ["c1-d1xc1", "d1-e1xd1"].as_slice()),
        (
            "path on(n: int) = slide e up to n through sites\npath p = take then step n to sites then on(count(taken))",
            &["c1-d2xc1", "d1-e2xd1"],
        ),
        (
            "path p = (take or step w to sites) then (along d in (if some taken then n else s) (step d to sites))",
            &["c1-c2xc1", "d1-d2xd1"],
        ),
        // A path that takes nothing itself is told what was taken before it was called.
        ("path back = step w to taken\npath p = take then step e to sites then back", &["c1-c1xc1", "d1-d1xd1"]),
        (
            "path once = if count(taken) == 1\npath p = (take then step e to sites){1..2} then once",
            &["c1-d1xc1", "d1-e1xd1"],
        ),
        (
            "path once = if count(taken) == 1\npath twice = once then step n to sites\npath p = take then twice",
            &["c1-c2xc1", "d1-d2xd1"],
        ),
    ];
    for (path, expected) in shapes {
        assert_eq!(ways("{c1, d1}", true, path), expected, "{path}");
    }
}

/// A path that is called in one that takes and asked for by itself elsewhere: there it has taken nothing.
#[test]
fn a_path_that_is_asked_for_has_taken_nothing() {
    let clean = "path clean = if no taken then step n to sites\n";
    assert_eq!(
        ways("{c1, d1}", true, &format!("{clean}path p = take then step e to sites then clean")),
        Vec::<String>::new()
    );
    let asked = "path p = take then step e to sites then (if some clean(here)) then step n to sites";
    assert_eq!(ways("{c1, d1}", true, &format!("{clean}{asked}")), ["c1-d2xc1", "d1-e2xd1"]);
}

/// Whoever walks is off the board, also for the paths that are asked for on the way, and for those that these ask for.
#[test]
fn paths_that_are_asked_for_do_not_see_the_piece_that_walks() {
    let beside = "path beside = step directions to own man\npath far = step directions to empty then if some beside(here)\n\
                  define seen(f: site) = some beside(f)\n";
    for (path, expected) in [
        ("path p = step e to sites then (if seen(here))", [].as_slice()),
        ("path p = step e to sites then (if some beside(here))", &[]),
        ("path p = step e to sites then (if no beside(here))", &["c1-d1"]),
        ("path p = step e to sites then (if some far(here))", &[]),
        // The site that it left is empty, so that one can go back there.
        ("path back = step w to empty\npath p = step e to sites then (if some back(here))", &["c1-d1"]),
        ("path back = step w to occupied\npath p = step e to sites then (if some back(here))", &[]),
        (
            "path over = hop w over man to sites\npath p = step e to sites then step e to sites then (if some over(here))",
            &[],
        ),
        // Pieces are counted without it, too.
        ("path one = if count(own man) == 0\npath p = step e to sites then (if some one(here))", &["c1-d1"]),
        ("path none = if no (own man & sites)\npath p = step e to sites then (if some none(here))", &["c1-d1"]),
    ] {
        assert_eq!(ways("c1", false, &format!("{beside}{path}")), expected, "{path}");
    }
    // From the site of another man both are away.
    let lone = "path lone = if no own man\npath p = step e to own man then (if some lone(here))";
    assert_eq!(ways("{c1, d1}", false, lone), ["c1-d1"]);
}
