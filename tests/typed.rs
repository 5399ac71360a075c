//! What is answered to a typed move that fits no legal one.

use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Position};
use regelwerk::notation::{find_move, print_move};
use regelwerk::reference::Walker;

fn walker(text: &str) -> Walker {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    Walker::new(loaded.game.expect("a game"))
}

/// The move that a text means, or the message with its cure.
fn answer(engine: &dyn Engine, position: &Position, text: &str) -> String {
    match find_move(engine, position, text) {
        Ok(mv) => print_move(engine.game(), position, &mv),
        Err(error) => format!("{error}; {}", error.cure().unwrap_or_default()),
    }
}

const CARDS: &str = "game g\nplayers a, b\nenum suit = clubs, hearts, spades\n\
    kinds card { suit: suit }\n  | kind |\n  | king |\n  | ace |\n\
    zone hand(p: seat): set of card, seen by p\nzone middle: row of card, seen by all\n\
    setup { put ace with suit = hearts on hand(a) put king with suit = spades on hand(a)\n\
      put king with suit = clubs on hand(b) put king with suit = hearts on middle }\n\
    action lay { choose c in hand(me) require c.suit != spades move c from hand(me) to middle }\n\
    action pass_on { choose c in hand(me) move c from hand(me) to hand(following(me)) }\n\
    play { a plays lay a plays pass_on draw }\n";

/// A card that the seat holds and may not lay is explained; of one that it does not hold, no suit is made up.
#[test]
fn no_field_of_a_piece_is_invented() {
    let engine = walker(CARDS);
    let start = engine.start();
    assert_eq!(answer(&engine, &start, "lay ace"), "lay ace{hearts}");
    assert_eq!(answer(&engine, &start, "lay king"), "lay king{spades}", "refused by the guard");
    let other = CARDS.replace("put king with suit = spades on hand(a)", "");
    let engine = walker(&other);
    let start = engine.start();
    let told = "there is no legal move `lay king`; the choices are `lay ace{hearts}`";
    assert_eq!(answer(&engine, &start, "lay king"), told);
    assert_eq!(answer(&engine, &start, "lay king{clubs}"), "lay king{clubs}", "written in whole, it is explained");
}

/// The message is about the action that is asked, not about another one of the game.
#[test]
fn the_answer_is_about_what_is_asked() {
    let engine = walker(
        "game g\nplayers a, b\nenum fate = keep, throw\nenum row = ones, twos\nvar kept: int\nvar taken: set of row\n\
         action again { choose x in fate choose y in fate choose z in fate if x == y and y == z { kept += 1 } }\n\
         action enter { choose where_to in row - taken taken += where_to }\n\
         play { a plays again a plays enter if kept > 0 { win a } else { draw } }\n",
    );
    let start = engine.start();
    let told = |found: &str, pattern: &str| format!("`{found}` is not a move; a move is written `{pattern}`; ");
    assert_eq!(answer(&engine, &start, "keep"), told("keep", "x-y-z"));
    assert_eq!(answer(&engine, &start, "throw die1"), told("throw die1", "x-y-z"));
    let mv = find_move(&engine, &start, "keep-keep-keep").expect("a move");
    let next = engine.play(&start, &mv).expect("legal");
    assert_eq!(answer(&engine, &next, "keep"), "there is no row `keep`; the choices are `ones`, `twos`");
}
