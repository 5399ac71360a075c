//! Pieces that come to a board where not all of them are seen by the same seats: that one is seen, or is not, tells which it is.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Viewer};
use regelwerk::notation::find_move;
use regelwerk::play;

use crate::support::tells;

const PIECES: &str = "what can be seen of a piece depends on the pieces of `bag`";

/// What is reported of a seat that moves a piece of its choice to a board, by the kinds that there are and by what was put where.
fn told(kinds: &str, zones: &str, setup: &str, play: &str) -> Vec<(usize, String)> {
    let text = format!(
        "game g\nplayers a, b, c\nboard square 3 x 3\n{kinds}\nzone bag(p: seat): row of {zones}, seen by p\n\
         zone pool: row of {zones}, seen by all\nvar turned: int\nsetup {{ {setup} }}\naction act {{ turned += 1 }}\n\
         action lay {{ choose x in bag(me) seen by me\nmove x from bag(me) to a2 }}\n\
         play {{ {play}\na plays lay b plays act c plays act }}\n"
    );
    tells(&text, 0)
}

/// A field decides who sees a piece, and pieces differ in it.
#[test]
fn a_field_that_differs_tells_which_piece_it_is() {
    let spy = "piece spy owned { n: int } seen by (if it.n == 1 then {b} else {c})";
    let reported = |setup: &str, play: &str| told(spy, "spy", setup, play);
    let two = "put spy of a with n = 1 on bag(a) put spy of a with n = 2 on bag(a)";
    assert_eq!(reported(two, ""), [(11, PIECES.to_owned())]);
    // What is not said is 0.
    assert_eq!(reported("put spy of a with n = 1 on bag(a) put spy of a on bag(a)", ""), [(11, PIECES.to_owned())]);
    // Pieces that are alike tell nothing.
    let alike = "put spy of a with n = 2 on bag(a) put spy of a with n = 2 on bag(a) put spy of a with n = 1 on pool";
    assert_eq!(reported(alike, ""), []);
    // A piece that differs comes from elsewhere, or is changed where it lies.
    assert_eq!(reported(alike, "move all of pool to bag(a)"), [(11, PIECES.to_owned())]);
    assert_eq!(
        reported("put 2 spy of a on pool", "change pool: n = 1 move all of pool to bag(a)"),
        [(11, PIECES.to_owned())]
    );
    assert_eq!(reported("put 2 spy of a on pool", "change pool: n = 0 move all of pool to bag(a)"), []);
    assert_eq!(
        reported("put 2 spy of a on pool", "change pool: n = turned move all of pool to bag(a)"),
        [(11, PIECES.to_owned())]
    );
}

/// The same where it is decided who sees whose a piece is.
#[test]
fn a_field_of_the_back_tells_which_piece_it_is() {
    let spy = "piece spy owned { up: bool } seen by no, owner seen by (if it.up then seats else {})";
    let two = "put spy of a with up = true on bag(a) put spy of a on bag(a)";
    assert_eq!(told(spy, "spy", two, ""), [(11, PIECES.to_owned())]);
    assert_eq!(told(spy, "spy", "put 2 spy of a on bag(a)", ""), []);
}

/// Kinds that are seen by different seats, if both may lie there.
#[test]
fn kinds_that_are_not_seen_alike_tell_which_piece_it_is() {
    let both = |one: &str, other: &str| format!("piece spy owned {one}\npiece ox owned {other}");
    let two = "put spy of a on bag(a) put ox of a on bag(a)";
    let reported = |one: &str, other: &str, setup: &str| told(&both(one, other), "spy | ox", setup, "");
    assert_eq!(reported("seen by no", "seen by all", two), [(12, PIECES.to_owned())]);
    assert_eq!(reported("seen by {b}", "seen by no", two), [(12, PIECES.to_owned())]);
    assert_eq!(reported("seen by {b}", "seen by it.owner", two), [(12, PIECES.to_owned())]);
    for sight in ["seen by no", "seen by {b}", "seen by it.owner", "seen by (if turned > 3 then seats else it.owner)"] {
        assert_eq!(reported(sight, sight, two), [], "{sight}");
    }
    // The other kind never gets there.
    assert_eq!(reported("seen by no", "seen by all", "put 2 spy of a on bag(a) put ox of a on pool"), []);
    let by_column = "kinds man owned seen by (if it.high then {b} else {c})\n  | kind | high: bool |\n  | ox | true |\n  | cow | false |";
    let oxen = |other: &str| told(by_column, "man", &format!("put ox of a on bag(a) put {other} of a on bag(a)"), "");
    assert_eq!(oxen("cow"), [(14, PIECES.to_owned())]);
    assert_eq!(oxen("ox"), []);
}

/// A seat knows the kinds of its own men, also where they are named one by one.
#[test]
fn kinds_of_own_men_are_known_to_their_owner() {
    let stratego = |men: &str| {
        format!(
            "game g\nplayers red, blue\nboard square 4 x 4\nkinds man owned {{ known: bool }} seen by (if it.known then seats else it.owner)\n\
             | kind | rank |\n| flag | 0 |\n| scout | 2 |\n| major | 7 |\n\
             setup {{ put flag of red on a1 put scout of red on b1 put flag of blue on a2 put major of blue on b2 }}\n\
             define movable(f: site) = any x at f: x.kind != flag\ndefine far(f: site) = if movable(f) then reach(f) else 0\n\
             define reach(f: site) = if (any x at f: x.kind == scout) then 4 else 1\n\
             action step {{ choose f in {men}\nchoose t in around(f, orthogonal) & empty move f to t }}\n\
             play {{ turns {{ mover plays step else {{ lose mover }} }} }}\nend long after move when ply > 60 {{ draw }}\n"
        )
    };
    for men in [
        "{x in own man where any t at x: t.kind in {scout, major}}",
        "{x in own man where any t at x: t.rank > 1}",
        "{x in own man & around(a1, orthogonal) where any t at x: t.rank > 1}",
        "{x in own man - a1 where not any t at x: t.kind == flag}",
        "{x in {y in own man where y != a1} where any t at x: t.rank > 1}",
        "{x in own man where movable(x)}",
        "{x in own man where far(x) > 1}",
    ] {
        assert_eq!(tells(&stratego(men), 0), [], "{men}");
    }
    for men in [
        "{x in occupied where any t at x: t.kind in {scout, major}}",
        "{x in enemy man where any t at x: t.rank > 1}",
        "{x in own man where any t at around(x, orthogonal): t.rank > 1}",
        "{x in own man | enemy man where any t at x: t.rank > 1}",
        "{x in own man where any y in around(x, orthogonal), t at y: t.rank > 1}",
    ] {
        let told = tells(&stratego(men), 0);
        assert!(told.iter().all(|(line, _)| *line == 13) && !told.is_empty(), "{men}: {told:?}");
    }
    // Where something may have moved, another piece may stand there.
    let moved = stratego("own man").replace("move f to t", "swap f, t if any x at f: x.rank > 1 { lose me }");
    let moved = moved.replace("& empty", "& enemy man");
    assert_eq!(tells(&moved, 0).len(), 1);
}

/// What lies open is seen by the end of a loop that surely asks.
#[test]
fn a_loop_over_all_seats_asks() {
    let text = |often: &str| {
        format!(
            "game g\nplayers a, b\nkinds card\n  | kind | rank |\n  | low | 1 |\n  | high | 2 |\nzone deck: pile of card, seen by no\n\
             zone table: row of card, seen by all\nvar score: int\nvar often: int\nsetup {{ put 3 low on deck put 3 high on deck shuffle deck }}\n\
             action act {{ often += 1 }}\n\
             play {{ move top of deck to table\n{often} {{ a plays act }}\nscore += sum x.rank for x in table\n\
             move all of table to deck shuffle deck a plays act }}\n"
        )
    };
    for sure in ["for p in seats", "repeat 8", "for n in 1..3", "for n in {2, 5}"] {
        assert_eq!(tells(&text(sure), 0), [], "{sure}");
    }
    for unsure in
        ["for p in {p in seats where often > 0}", "repeat often", "while often < 3", "for n in 1..often", "repeat 0"]
    {
        assert_eq!(
            tells(&text(unsure), 0),
            [(15, String::from("the value of `score` depends on the pieces of `deck`"))],
            "{unsure}"
        );
    }
    let out = format!("{}end none after move when often > 90 {{ eliminate b }}\n", text("for p in seats"));
    assert_eq!(tells(&out, 0).len(), 1);
}

/// Whose a piece is that was chosen is announced to those alone who see it where it comes to lie, be its kind seen by all.
#[test]
fn a_hidden_owner_is_not_announced() {
    let announced = |sight: &str, viewer: Viewer| {
        let text = format!(
            "game g\nplayers a, b, c\nboard square 3 x 1\npiece man owned {sight}\nzone rack: set of man, seen by a\n\
             setup {{ for p in seats {{ put man of p on rack }} }}\naction deploy {{ choose x in rack move x from rack to a1 }}\n\
             action go {{ choose n in 1..2 }}\nplay {{ a plays deploy repeat 3 {{ b plays go }} }}\n"
        );
        let engine = Fast::new(load("g.rules", &text, &NoFiles, &Setup::default()).game.expect("rules that check"));
        let start = engine.start();
        let mv = find_move(&engine, &start, "man.b").expect("a move");
        let deeds = play::told(&engine, &start, &mv, viewer);
        deeds.into_iter().map(|(_, deed)| format!("{deed:?}").contains("man.b")).collect::<Vec<_>>()
    };
    let [a, b, c] = [0, 1, 2].map(|seat| Viewer::Seat(SeatId::new(seat)));
    for (sight, knowing) in [("", vec![a, b, c]), ("owner seen by a", vec![a]), ("owner seen by {b}", vec![a, b])] {
        for viewer in [a, b, c, Viewer::Spectator] {
            let known = knowing.contains(&viewer) || sight.is_empty();
            assert_eq!(announced(sight, viewer), [known], "{sight}, {viewer:?}");
        }
    }
}
