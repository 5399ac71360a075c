//! What passes a place between two questions: nobody sees it there, but what is left of it may tell.

use crate::support::tells;

/// Two seats with purses that they alone count; an open row and an open pile, which all count; a pile and a set of which not all do.
const TABLE: &str = "game g\nplayers a, b\nkinds card\n  | kind | rank |\n  | sun | 1 |\n  | moon | 2 |\n\
    zone bank: pile of card, seen by no, number seen by no\nzone purse(p: seat): pile of card, seen by p, number seen by p\n\
    zone heap: pile of card, seen by all, number seen by no\nzone bowl: set of card, seen by all, number seen by no\n\
    zone tip(p: seat): pile of card, seen by p, number seen by no\nzone stock(p: seat): pile of card, seen by no, number seen by p\n\
    zone hand(p: seat): set of card, seen by p\nzone fan(p: seat): row of card, seen by p\nzone table: row of card, seen by all\n\
    zone mixed: row of card, seen by all, order seen by no\n\
    zone pile: pile of card, seen by all\nzone gone: row of card, seen by no\nvar n: int\nvar note(p: seat): int seen by p\n\
    setup { put 6 sun on bank put sun on table put sun on heap for p in seats { put 6 sun on stock(p) put sun on hand(p) put moon on hand(p) put sun on fan(p) put moon on fan(p) } }\n\
    action fill { choose k in 0..1 seen by me move top k of stock(me) to purse(me) }\n";

/// The reports of an action, each with its line, counted from 1, and what it says depends on what.
fn told(action: &str) -> Vec<(usize, String)> {
    let play = "play { turns { mover plays fill opponent(mover) plays draw else pass } }\n";
    tells(&format!("{TABLE}action draw {{\n{action} }}\n{play}"), TABLE.lines().count() + 1)
}

/// A line that is reported, and what for.
type Told = (usize, &'static str);

const N_BY_HEAP: Told = (2, "the value of `n` depends on how many pieces lie in `heap`");
const N_BY_PURSE: Told = (2, "the value of `n` depends on how many pieces lie in `purse`");
const LEFT_BY_PURSE: Told = (2, "where pieces lie, or how many, depends on how many pieces lie in `purse`");
const LEFT_BY_CHOICE: Told = (2, "where pieces lie, or how many, depends on the pieces of `hand`");

/// Whether any piece is left where not all are counted, once one has gone or come.
const EMPTY: &[(&str, Told)] = &[
    ("move top of heap to bank\nif no heap { n := 1 } put sun on heap", N_BY_HEAP),
    ("move top of heap to bank\nn := count(top of heap)\nmove all of heap to bank", N_BY_HEAP),
    ("move bottom of heap to bank\nif some heap { n := 1 }\nput sun on heap", N_BY_HEAP),
    ("move top of heap to bank\nfor c in top of heap { n := 1 }\nmove all of heap to bank", N_BY_HEAP),
    ("move top of heap to bank\nensure some heap", (2, "what is legal here depends on how many pieces lie in `heap`")),
    (
        "move top of heap to bank\nif some heap { choose z in 1..2 } put sun on heap",
        (2, "whether this is asked, and of whom, depends on how many pieces lie in `heap`"),
    ),
    ("move all of purse(opponent(me)) to heap\nn := count(top of heap)\nmove all of heap to bank", N_BY_PURSE),
    ("move all of purse(opponent(me)) to bowl\nn := count(bowl)\nmove all of bowl to bank", N_BY_PURSE),
    ("move all of purse(opponent(me)) to bowl\nif no bowl { n := 1 } put sun on bowl", N_BY_PURSE),
    (
        "move all of purse(opponent(me)) to tip(me)\nif some tip(me) { note(me) := 1 }\nmove all of tip(me) to bank",
        (2, "the value of `note` depends on how many pieces lie in `purse`"),
    ),
];

/// A number of pieces that not everybody knows comes somewhere, and some go on.
const ON: &[(&str, Told)] = &[
    ("move top of purse(opponent(me)) to table\nmove top of table to bank", LEFT_BY_PURSE),
    ("move top of purse(opponent(me)) to table\nmove bottom of table to purse(opponent(me))", LEFT_BY_PURSE),
    ("move all of purse(opponent(me)) to heap\nmove top 2 of heap to bank", LEFT_BY_PURSE),
];

/// Of equal pieces the last goes: which that is tells of the one that came before it.
const COPY: &[(&str, Told)] = &[
    (
        "choose c in hand(me) seen by me move c from hand(me) under fan(opponent(me))\nmove c from fan(opponent(me)) to gone",
        LEFT_BY_CHOICE,
    ),
    (
        "choose c in hand(me) seen by me move c from hand(me) under fan(opponent(me))\nmove c from fan(opponent(me)) to hand(me)",
        LEFT_BY_CHOICE,
    ),
    ("choose c in hand(me) seen by me move c from hand(me) under pile\nmove c from pile to gone", LEFT_BY_CHOICE),
    ("roll c in hand(me) seen by no move c from hand(me) under table\nmove c from table to gone", LEFT_BY_CHOICE),
    (
        "choose c in hand(me) seen by me move c from hand(me) to table put 1 sun on table put 1 moon on table\nmove c from table to gone",
        LEFT_BY_CHOICE,
    ),
];

/// What passes and tells nothing.
const SILENT: &[&str] = &[
    // Nothing has been touched, or what is left stays until it is seen.
    "if no heap { n := 1 } move top of heap to bank",
    "for c in top of heap { n := 1 }",
    "move top of heap to bank if no heap { n := 1 }",
    "move all of purse(opponent(me)) to bowl n := count(bowl)",
    // Counted all along.
    "move top of pile to gone if no pile { n := 1 } put sun on pile",
    "move top of table to gone n := count(table) move all of table to gone",
    "move top of pile to table move top of table to gone",
    // Whoever is told knows it.
    "move all of purse(me) to tip(me) if some tip(me) { note(me) := 1 } move all of tip(me) to bank",
    // Nothing is left, or what goes on is counted where it goes.
    "move all of purse(opponent(me)) to table move all of table to bank",
    "move top of purse(opponent(me)) to table move top of table to gone",
    // There is a top to go.
    "move top of heap to table move top of table to bank",
    // The same piece goes on, or nobody sees in which order they lie, or it was named as it came.
    "choose c in hand(me) seen by me move c from hand(me) to fan(opponent(me)) move c from fan(opponent(me)) to gone",
    "choose c in hand(me) seen by me move c from hand(me) under gone move c from gone to hand(me)",
    "choose c in hand(me) seen by me move c from hand(me) under mixed move c from mixed to gone",
    "choose c in hand(me) move c from hand(me) under table move c from table to gone",
    "choose c in hand(me) move c from hand(me) under fan(opponent(me)) move c from fan(opponent(me)) to gone",
    "choose c in fan(me) seen by me put sun on fan(me) move c from fan(me) to gone",
];

#[test]
fn what_is_left_of_what_passed_is_reported() {
    for (action, (line, what)) in EMPTY.iter().chain(ON).chain(COPY) {
        let found = told(action);
        assert!(found.iter().any(|found| *found == (*line, (*what).to_owned())), "{action}\n{found:?}");
    }
}

#[test]
fn what_tells_nothing_as_it_passes_is_not_reported() {
    for action in SILENT {
        assert_eq!(told(action), [], "{action}");
    }
}
