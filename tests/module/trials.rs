//! Guards on the position after a move, beside the interpreter: which moves need not be tried out, outcomes that are kept
//! from one question to the next, and moves that are taken back piece by piece or by a copy.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::module::module;

use super::compare_playouts;
use super::hosted::Hosted;
use super::law::compare;

/// What has to hold after a move.
const GUARDS: [&str; 12] = [
    "not attacked(king of me)",
    "not attacked(king of me) and count(own king | own rook) > 0",
    "no king of me & {f in king of me where around(f) meets rook of opponent(me)}",
    "connected(king of me, king of opponent(me), occupied) or count(rook) < 4",
    "some king of me | rook of me",
    "(any f in own rook: no around(f) & enemy king) or no own rook",
    "not walk(king of me) meets king of opponent(me)",
    "some free(me) & around(king of me)",
    "x < 3 or not attacked(king of me)",
    "not attacked(king of me) or opponent(me) can play quiet",
    "all p in playing: some reach(p)",
    "(sum seed at f for f in sites) < 7 and not attacked(king of me)",
];

/// What a move does.
const ACTIONS: [&str; 6] = [
    "choose f in own rook | own king  choose t in around(f) - own rook - own king  move f to t",
    "choose f in own rook  choose t in line(f) - own king  swap f, t",
    "choose t in empty  put own rook on t  remove around(t, {n}) & enemy rook",
    "choose f in own rook  choose k in {1, 2}  choose t in line(f) & empty  x := k  remove f  put rook of me on t  put 1 seed on t",
    "choose t in empty  let gone = around(t) & enemy rook  put own rook on t  remove gone  x += 1",
    "choose f in occupied  if f in rook { remove f } else { x := 0 }  repeat x { put own rook on a1 }",
];

fn rules(action: &str, guard: &str) -> String {
    format!(
        "game g\nplayers one, two\nboard square 4 x 4\npiece king owned\npiece rook owned\ntokens seed\nvar x: int\n\
         setup {{ put king of one on a1  put king of two on d4  put rook of one on {{b2, c1}}  put rook of two on {{d3, a4}} }}\n\
         path line = slide orthogonal through empty then step orthogonal to sites\n\
         path walk = (step directions to empty)* then step directions to sites\n\
         define attacked(S: set of site) = any f in S: line(f) meets rook of opponent(me) or around(f) meets king of opponent(me)\n\
         define free(p: seat) = around(rook of p | king of p) & empty\n\
         define reach(p: seat) = union around(f) & empty for f in king of p | rook of p\n\
         action go {{ {action}  ensure {guard} }}\n\
         action quiet {{ choose f in own king  choose t in around(f) & empty  move f to t  ensure not attacked(king of me) }}\n\
         play {{ turns {{ mover plays go | quiet else {{ draw }} }} }}\n\
         end long after move when ply > 50 {{ draw }}\n"
    )
}

fn alike(text: &str) -> Option<usize> {
    let loaded = load("trials.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports)));
    let bytes = module(fast.game()).ok()?;
    let mut hosted = Hosted::new(&bytes, text);
    let seen = (0..3).map(|seed| compare(&fast, &mut hosted, seed, 30, text)).sum();
    compare_playouts(&fast, &mut hosted, 3, 40, text);
    Some(seen)
}

#[test]
fn guards_find_what_they_do_in_the_interpreter() {
    let (mut seen, mut compiled) = (0, 0);
    for action in ACTIONS {
        for guard in GUARDS {
            if let Some(found) = alike(&rules(action, guard)) {
                (compiled, seen) = (compiled + 1, seen + found);
            }
        }
    }
    assert!(compiled == ACTIONS.len() * GUARDS.len() && seen > 2000, "{compiled} of them, {seen} positions");
}

/// Outcomes are kept for each seat, until something changes that they depend on: pieces, variables, seats that drop out.
#[test]
fn outcomes_are_kept_while_they_hold() {
    for (guard, more) in [
        ("some around(f) & empty", ""),
        ("count(around(f) & own m) <= k", "action more { k := (k + 1) mod 3 }"),
        ("all p in playing: some m of p or count(m) < 4", "action leave { require count(playing) > 2  place me }"),
        (
            "no around(group(f, own m, orthogonal)) & enemy m or f in field",
            "action more { field := around(c2) - field }",
        ),
        ("occurrences < 2 and some around(f) & empty", "action more { choose f in own m  remove f }"),
    ] {
        let text = format!(
            "game g\nplayers a, b, c\nboard square 4 x 3\npiece m owned\nvar k: int = 1\nvar field: set of site = {{a1, b2}}\n\
             action lay {{ choose f in empty  put own m on f  remove around(f, {{n, w}}) & enemy m  ensure {guard} }}\n\
             {more}\naction rest {{ k := 0 }}\n\
             play {{ turns {{ mover plays lay {} | rest }} }}\nend long after move when ply > 60 {{ draw }}\n",
            more.split_whitespace().nth(1).map_or(String::new(), |name| format!("| {name}"))
        );
        assert!(alike(&text).is_some_and(|seen| seen > 30), "{guard}");
    }
}
