//! Who may know what: what the rules alone tell a seat that it does not see.

use crate::support::tells;

/// Two seats, cards in hand, a covered stock; a choice by name, a secret number, and rules appended.
const TABLE: &str = "game g\nplayers a, b\nkinds card { suit: int }\n  | kind | rank |\n  | sun | 1 |\n  | moon | 2 |\n\
    zone stock: pile of card, seen by no\nzone hand(p: seat): set of card, seen by p\nzone table: row of card, seen by all\n\
    zone heap: pile of card, seen by all\nzone sack(p: seat): pile of card, seen by no, number seen by p\n\
    zone fan: row of card, seen by all, order seen by no\nzone mound: pile of card, seen by all, number seen by no\nvar bid(p: seat): int seen by p\nvar score(p: seat): int\nvar open: bool\n\
    setup { put 4 sun on stock put 4 moon on stock shuffle stock for p in seats { move top 2 of stock to hand(p) } }\n\
    end long after move when ply > 9 { draw }\n";

/// The lines of the rules appended that are reported, counted from 1, and what each report says depends on what.
fn told(rules: &str) -> Vec<(usize, String)> {
    tells(&format!("{TABLE}{rules}"), TABLE.lines().count())
}

/// Rules with what they tell, worked out by hand.
const TELLING: &[(&str, &[(usize, &str)])] = &[
    (
        "action draw {\nchoose c in hand(opponent(me))\nmove c from hand(opponent(me)) to hand(me) }",
        &[(2, "what can be chosen here depends on the pieces of `hand`")],
    ),
    (
        "action draw {\nrequire any c in hand(opponent(me)): c.kind == sun\nopen := true }",
        &[(2, "what is legal here depends on the pieces of `hand`")],
    ),
    (
        "action draw {\nopen := any c in top of stock: c.kind == sun }",
        &[(2, "the value of `open` depends on the pieces of `stock`")],
    ),
    // What happens under a condition on hidden things is as hidden as the condition, also in a procedure.
    (
        "action draw {\nif bid(opponent(me)) > 2 { mark() } }\nprocedure mark() {\nopen := true }",
        &[(4, "the value of `open` depends on `bid`")],
    ),
    // Through definitions and local names.
    (
        "define rich(p: seat) = some {c in hand(p) where c.rank > 1}\naction draw {\nlet x = rich(opponent(me))\nopen := x }",
        &[(4, "the value of `open` depends on the pieces of `hand`")],
    ),
    (
        "action draw {\nfor c in hand(me) { if c.kind == sun {\nput sun on table } } }",
        &[(3, "where pieces lie, or how many, depends on the pieces of `hand`")],
    ),
    (
        "action draw {\nopen := true }\nend rich after move when bid(a) > bid(b) { win a }",
        &[(3, "whether the game ends here depends on `bid`")],
    ),
    ("action draw {\nif ply > 3 {\nrank p in seats by bid(p) } }", &[(3, "the result depends on `bid`")]),
    // The one seat's secret in what the other sees.
    ("action draw {\nbid(opponent(me)) := bid(me) }", &[(2, "the value of `bid` depends on `bid`")]),
    // A choice kept secret from the others, and used openly.
    ("action draw {\nchoose n in 1..3 seen by me\nscore(me) := n }", &[(3, "the value of `score` depends on `n`")]),
    // The covered cards of an open pile.
    (
        "action draw {\nopen := any c in heap: c.kind == sun }",
        &[(2, "the value of `open` depends on the pieces of `heap`")],
    ),
    // Who is asked.
    (
        "action draw {\nopen := true }\naction more {\nif open { choose n in 1..2 by opponent(me) score(me) := n } if bid(me) > 1 {\nchoose n in 1..2 score(me) := n } }",
        &[(5, "the value of `score` depends on `bid`"), (5, "whether this is asked, and of whom, depends on `bid`")],
    ),
    // How many pieces there are.
    (
        "action draw {\nopen := count(sack(opponent(me))) > 1 or some sack(opponent(me)) }",
        &[(2, "the value of `open` depends on how many pieces lie in `sack`")],
    ),
    (
        "action draw {\nopen := count(mound) > 1 }",
        &[(2, "the value of `open` depends on how many pieces lie in `mound`")],
    ),
    (
        "action draw {\nopen := true }\nend few after move when all p in seats: no sack(p) { draw }",
        &[(3, "whether the game ends here depends on how many pieces lie in `sack`")],
    ),
    // Chance is asked for each piece.
    (
        "action draw {\nshuffle sack(me) }",
        &[(2, "whether this is asked, and of whom, depends on how many pieces lie in `sack`")],
    ),
    // A number chosen in secret shows where pieces are counted or their top is seen.
    (
        "action draw {\nchoose n in 1..2 seen by me move top n of sack(me) to hand(me) }",
        &[(2, "where pieces lie, or how many, depends on `n`")],
    ),
    (
        "action draw {\nchoose n in 1..2 seen by me move top n of sack(me) to mound }",
        &[(2, "where pieces lie, or how many, depends on `n`")],
    ),
    // In which order they lie.
    (
        "action draw {\nopen := any c in top of fan: c.kind == sun }",
        &[(2, "the value of `open` depends on the order of `fan`")],
    ),
    (
        "action draw {\nfor c in fan {\nscore(me) := c.rank } }",
        &[(3, "the value of `score` depends on the order of `fan`")],
    ),
    // What is written to a seat's variable that seat sees, whoever it is; a value that it saw before tells it nothing.
    ("action draw {\nbid(following(me)) := bid(me) }", &[(2, "the value of `bid` depends on `bid`")]),
    ("action draw {\nbid(following(me)) += bid(me) }", &[(2, "the value of `bid` depends on `bid`")]),
    ("action draw {\nlet b = following(me)\nbid(b) := bid(me) }", &[(3, "the value of `bid` depends on `bid`")]),
    (
        "action draw {\nlet b = following(me)\nbid(following(me)) := bid(b) }",
        &[(3, "the value of `bid` depends on `bid`")],
    ),
    (
        "action draw {\nbid(following(me)) := bid(following(following(me))) }",
        &[(2, "the value of `bid` depends on `bid`")],
    ),
    ("var boss: seat = a\naction draw {\nbid(boss) := bid(me) }", &[(3, "the value of `bid` depends on `bid`")]),
    (
        "var boss: seat = a\naction draw {\nboss := following(me)\nbid(boss) := bid(me) }",
        &[(4, "the value of `bid` depends on `bid`")],
    ),
    (
        "var seen(p: seat): set of seat seen by p\naction draw {\nseen(following(me)) += seen(me) }",
        &[(3, "the value of `seen` depends on `seen`")],
    ),
    // What lies open only between two questions is seen by nobody.
    (
        "action draw {\nmove top of stock to table if any c in top of table: c.kind == sun {\nopen := true }\nmove top of table to hand(me) }",
        &[(3, "the value of `open` depends on the pieces of `stock`")],
    ),
    (
        "action draw {\nmove top of stock to heap if any c in top of heap: c.kind == sun {\nopen := true }\nmove top of heap to hand(me) }",
        &[(3, "the value of `open` depends on the pieces of `stock`")],
    ),
    (
        "action draw {\nmove top of stock to heap open := any c in top of heap: c.kind == sun\nmove top of stock to heap }",
        &[(2, "the value of `open` depends on the pieces of `stock`")],
    ),
    (
        "action draw {\nmove all of hand(opponent(me)) to table score(me) := count({c in table where c.kind == sun})\nmove all of table to hand(opponent(me)) }",
        &[(2, "the value of `score` depends on the pieces of `hand`")],
    ),
    (
        "zone rack(p: seat): row of card, seen by p\naction draw {\nmove all of hand(opponent(me)) to rack(me) bid(me) := count({c in rack(me) where c.kind == sun})\nmove all of rack(me) to hand(opponent(me)) }",
        &[(3, "the value of `bid` depends on the pieces of `hand`")],
    ),
    // Neither through definitions and procedures, nor in a loop.
    (
        "define suns = count({c in table where c.kind == sun})\nprocedure look() { move top of stock to table }\nprocedure hide() { move all of table to stock }\naction draw {\nlook()\nif ply > 2 { score(me) := suns }\nhide() }",
        &[(6, "the value of `score` depends on the pieces of `stock`")],
    ),
    (
        "action draw {\nrepeat 2 {\nopen := any c in table: c.kind == sun\nmove all of table to stock\nmove top of stock to table } }",
        &[(3, "the value of `open` depends on the pieces of `stock`")],
    ),
    // Nor does it help to look at where it would lie.
    (
        "action draw {\nmove top of stock to table\nensure any c in top of table: c.kind == sun }",
        &[(3, "what is legal here depends on the pieces of `stock`")],
    ),
    // A piece moves only if it is there, so that its zone is asked for it.
    (
        "action draw {\nchoose c in table\nmove c from hand(opponent(me)) to hand(me) }",
        &[(3, "where pieces lie, or how many, depends on the pieces of `hand`")],
    ),
    (
        "action draw {\nfor c in hand(me) {\nmove c from hand(opponent(me)) to table } }",
        &[(3, "where pieces lie, or how many, depends on the pieces of `hand`")],
    ),
    (
        "action draw {\nchoose c in table\nmove c from stock to hand(me) }",
        &[(3, "where pieces lie, or how many, depends on the pieces of `stock`")],
    ),
    (
        "action draw {\nchoose c in hand(me)\nmove c from hand(me) to table\nmove c from hand(me) to heap }",
        &[(4, "where pieces lie, or how many, depends on the pieces of `hand`")],
    ),
    // And a piece that is not there is not shown.
    (
        "zone rack(p: seat): row of card, seen by p\naction draw {\nchoose c in hand(me) if c.kind == sun {\nopen := true }\nmove c from rack(me) to table }",
        &[
            (4, "the value of `open` depends on the pieces of `hand`"),
            (5, "where pieces lie, or how many, depends on the pieces of `hand`"),
        ],
    ),
    // Earlier positions show what was hidden in them.
    (
        "action draw {\nopen := occurrences > 1 }",
        &[(2, "the value of `open` depends on positions other than the one on the table")],
    ),
];

/// Rules that tell nothing, or say that they do.
const SILENT: &[&str] = &[
    "action draw { choose c in hand(me) move c from hand(me) to table }",
    "action draw { choose c in hand(me) open := c.kind == sun move c from hand(me) to heap }",
    "action draw { require any c in hand(me): c.kind == sun open := true }",
    "action draw { open := count(hand(opponent(me))) > 1 and some stock }",
    "action draw { open := any c in top of heap: c.kind == sun }",
    "action draw { roll c in hand(opponent(me)) seen by me move c from hand(opponent(me)) to hand(me) }",
    "action draw { choose n in 1..3 seen by me bid(me) := n + bid(me) }",
    "action draw { if bid(me) > 1 { bid(me) := 0 } }",
    "action draw { open := told(any c in hand(opponent(me)): c.kind == sun) }",
    "action draw { open := some mound and count(fan) > 1 and any c in fan: c.kind == sun }",
    "action draw { open := told(count(sack(opponent(me))) > 1) }",
    "action draw { require count(sack(me)) > 1 choose c in fan move c from fan to table }",
    "action draw { move top of stock to sack(me) move top of fan to hand(me) move all of sack(me) to mound }",
    "zone bag: set of card, seen by no, number seen by no\naction draw { choose n in 1..2 seen by me move top n of sack(me) to bag }",
    "action draw { score(me) := sum c.rank for c in fan open := count({c in fan where c.rank > 1}) > 2 }",
    "action draw { bid(following(me)) := bid(following(me)) + 1 let b = following(me) bid(b) += 1 bid(b) := ply }",
    "action draw { move top of stock to table if any c in top of table: c.kind == sun { open := true } }",
    "action draw { move top of stock to table choose n in 1..2 open := any c in top of table: c.kind == sun move top of table to hand(me) }",
    // The card that was chosen is announced with the move, as all saw it on its way.
    "action draw { choose c in hand(me) open := c.kind == sun move c from hand(me) to table move c from table to hand(me) }",
    "procedure lay(c: piece, p: seat) { move c from hand(p) to table }\naction draw { choose c in hand(me) open := c.kind == sun lay(c, me) }",
    "action draw { let p = me choose c in hand(p) move c from hand(p) under stock }",
    "action draw { for p in seats { for q in seats { if bid(p) > 1 { bid(p) := 1 } } } }",
    "define mine = {c in hand(me) where c.rank > 1}\naction draw { choose c in mine move c from hand(me) to table score(me) += c.rank }",
];

#[test]
fn what_the_rules_tell_is_reported() {
    for (rules, wanted) in TELLING {
        let actions = if rules.contains("action more") { "draw | more" } else { "draw" };
        let found = told(&format!("{rules}\nplay {{ turns {{ mover plays {actions} else pass }} }}\n"));
        let wanted: Vec<(usize, String)> = wanted.iter().map(|(line, what)| (*line, (*what).to_owned())).collect();
        assert_eq!(found, wanted, "{rules}");
    }
}

#[test]
fn what_all_may_know_is_not_reported() {
    for rules in SILENT {
        let found = told(&format!("{rules}\nplay {{ turns {{ mover plays draw else pass }} }}\n"));
        assert_eq!(found, [], "{rules}");
    }
}

/// What an action lays open and what follows takes away is seen as little, and an end that looks at it tells it.
#[test]
fn what_is_taken_away_after_an_action_was_not_seen() {
    let look = "action draw {\nmove top of stock to table\nopen := any c in table: c.kind == sun }\n";
    let after = |then: &str, more: &str| told(&format!("{look}play {{ turns {{ mover plays draw {then} }} }}\n{more}"));
    assert_eq!(after("", ""), []);
    assert_eq!(
        after("move all of table to stock", ""),
        [(3, "the value of `open` depends on the pieces of `stock`".to_owned())]
    );
    let ended = told(
        "action draw { move top of stock to table }\nplay { turns { mover plays draw move all of table to stock } }\n\
         end sun_came after move when any c in table: c.kind == sun { draw }\n",
    );
    assert_eq!(ended, [(3, "whether the game ends here depends on the pieces of `stock`".to_owned())]);
}

/// Outside its turn a seat is `me` and another the mover: what the mover sees it may not see.
#[test]
fn the_mover_and_the_acting_seat_are_two() {
    let action = "action answer {\nchoose c in hand(mover)\nmove c from hand(mover) to table }\n";
    let asked = |who: &str| told(&format!("{action}play {{ turns {{ {who} plays answer else pass }} }}\n"));
    assert_eq!(asked("mover"), []);
    assert_eq!(asked("opponent(mover)"), [(2, "what can be chosen here depends on the pieces of `hand`".to_owned())]);
}

/// A piece on a board whose sight hangs on a truth value of its own shows that value by its back.
#[test]
fn what_decides_who_sees_a_piece_shows_itself() {
    let board = |guard: &str| {
        format!(
            "board square 2 x 2\nkinds tile {{ covered: bool }} seen by (if it.covered then {{}} else seats)\n\
             | kind | n |\n| gold | 1 |\n| sand | 2 |\naction draw {{ choose f in tile\n{guard}\nopen := true }}\n\
             play {{ turns {{ mover plays draw else pass }} }}\n"
        )
    };
    assert_eq!(told(&board("require any t at f: t.covered")), []);
    let gold = told(&board("require f in gold"));
    assert_eq!(gold, [(7, "what is legal here depends on where `gold` is".to_owned())]);
}
