//! What decided where pieces lie unseen goes on with them, and is told where they come to be counted or seen.

use crate::support::tells;

/// Two seats, the first with a number that it alone knows, a covered tile, a number that nobody knows; zones that nobody counts, that
/// their seat alone counts, and that all count.
const TABLE: &str = "game g\nplayers a, b\nboard square 2 x 2\nkinds card\n  | kind | rank |\n  | low | 1 |\n  | high | 2 |\n\
    kinds tile seen by no\n  | kind |\n  | gold |\n  | sand |\n\
    zone dark: pile of card, seen by no, number seen by no\nzone cup: pile of card, seen by no, number seen by no\n\
    zone mug: row of card, seen by no, number seen by no\nzone box: row of card, seen by no\nzone table: row of card, seen by all\n\
    zone heap: pile of card, seen by all, number seen by no\nzone purse(p: seat): row of card, seen by p, number seen by p\n\
    zone bag(p: seat): row of card, seen by p, number seen by p\nzone safe(p: seat): row of card, seen by p\nzone shy: row of card, seen by (if pub == 1 then seats else {}), number seen by no\n\
    zone tiles: set of tile, seen by no\n\
    var code(p: seat): int seen by p\nvar sec: int seen by no\nvar pub: int\n\
    setup { put 2 low on dark put low on box put high on box put low on purse(a) put low on purse(b) put low on safe(b) put high on safe(b)\n\
    put gold on tiles put sand on tiles roll t in tiles seen by no move t from tiles to a1 roll s in 1..2 seen by no sec := s }\n\
    action hide { choose n in 1..2 seen by me code(me) := n }\naction act { }\n";

/// The reports of steps of play, each with its line, counted from 1, and what it says depends on what; rules may be appended.
fn told(steps: &str, rules: &str) -> Vec<(usize, String)> {
    let text = format!("{TABLE}play {{ a plays hide\n{steps}\nb plays act a plays act }}\n{rules}");
    tells(&text, TABLE.lines().count() + 1)
}

const PLACES_BY_CODE: &str = "where pieces lie, or how many, depends on `code`";
const PIECES_BY_CODE: &str = "what can be seen of a piece depends on `code`";

/// The line that is reported, and what for.
const TELLING: &[(&str, usize, &str)] = &[
    // A secret number of pieces, however they go on.
    ("move top (code(a) - 1) of dark to cup\nmove top of cup to table", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nmove bottom of cup to heap", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nmove all of cup to shy", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nmove all of cup to box", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nmove all of cup to safe(b)", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nmove all of cup to purse(b)", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nmove top of cup to b2", 2, PLACES_BY_CODE),
    ("if code(a) == 1 { move top of dark to cup }\nmove all of cup to table", 2, PLACES_BY_CODE),
    ("repeat code(a) { move top of dark to cup }\nmove all of cup to table", 2, PLACES_BY_CODE),
    ("for x in dark where x.rank == code(a) { move x from dark to cup }\nmove top of cup to table", 2, PLACES_BY_CODE),
    (
        "let some_of = {x in dark where x.rank == code(a)} move some_of from dark to cup\nmove all of cup to table",
        2,
        PLACES_BY_CODE,
    ),
    (
        "if sec == 1 { move top of dark to cup }\nmove top of cup to table",
        2,
        "where pieces lie, or how many, depends on `sec`",
    ),
    (
        "if any t at a1: t.kind == gold { move top of dark to purse(a) }\nmove top of purse(a) to table",
        2,
        "where pieces lie, or how many, depends on where `gold` is",
    ),
    (
        "if any x in safe(b): x.kind == low { move top of dark to cup }\nmove top of cup to table",
        2,
        "where pieces lie, or how many, depends on the pieces of `safe`",
    ),
    (
        "if some mug { move top of dark to cup }\nmove top of cup to table",
        2,
        "where pieces lie, or how many, depends on how many pieces lie in `mug`",
    ),
    // Nor does it help to ask the zones themselves.
    (
        "if count(cup) > 1 { move top of cup to mug }\nmove top of mug to table",
        2,
        "where pieces lie, or how many, depends on how many pieces lie in `cup`",
    ),
    (
        "if no mug { move top of cup to mug }\nmove top of cup to table",
        2,
        "where pieces lie, or how many, depends on how many pieces lie in `mug`",
    ),
    // Where they came from tells as much.
    ("move top (code(a)) of dark to cup\nmove top of dark to table", 2, PLACES_BY_CODE),
    // Through several zones, after questions, and before them in the rules.
    (
        "move top (code(a) - 1) of dark to cup move all of cup to mug b plays act\nmove top of mug to table",
        2,
        PLACES_BY_CODE,
    ),
    ("repeat 2 {\nmove top of cup to table b plays act\nmove top (code(a) - 1) of dark to cup }", 2, PLACES_BY_CODE),
    ("move top (code(a) - 1) of dark to cup\nspill()", 5, PLACES_BY_CODE),
    // Where those who know it count them, and on from there.
    ("move top (code(a) - 1) of dark to purse(a)\nmove all of purse(a) to table", 2, PLACES_BY_CODE),
    (
        "for p in seats { move top (code(p) - 1) of dark to purse(p) }\nfor p in seats { move all of purse(p) to table }",
        2,
        PLACES_BY_CODE,
    ),
    // A number that is kept as well.
    ("keep_and_pay(a)\nmove all of purse(a) to table", 2, "where pieces lie, or how many, depends on `k`"),
    // Kept in a second place, in whichever way.
    ("twice(a)\nmove all of purse(a) to table", 2, "where pieces lie, or how many, depends on `k`"),
    ("less(a)\nmove all of purse(a) to table", 2, "where pieces lie, or how many, depends on `k`"),
    ("pay(a) number(a)\nmove all of purse(a) to table", 2, "where pieces lie, or how many, depends on `k`"),
    // What is left where nobody counts.
    ("draw_some(a)\nmove top 2 of dark to table", 2, "where pieces lie, or how many, depends on `k`"),
    (
        "draw_some(a) move all of dark to mug\nmove all of mug to table",
        2,
        "where pieces lie, or how many, depends on `k`",
    ),
    ("once(a)\nmove all of bag(a) to table", 2, "where pieces lie, or how many, depends on `k`"),
    // A number in no purse.
    ("hold(a)\nmove top of cup to table", 2, "where pieces lie, or how many, depends on `k`"),
    // Only the order: which comes is told.
    ("if code(a) == 1 { move top of dark under dark }\nmove top of dark to table", 2, PLACES_BY_CODE),
    // One piece or another.
    (
        "roll x in box seen by no roll y in box seen by no\nmove (if code(a) == 1 then x else y) from box to table",
        2,
        PIECES_BY_CODE,
    ),
    (
        "roll x in box seen by no roll y in box seen by no let z = if code(a) == 1 then x else y\nmove z from box to table",
        2,
        PIECES_BY_CODE,
    ),
    (
        "roll x in box seen by no roll y in box seen by no let z = if code(a) == 1 then x else y move z from box to mug\nmove top of mug to table",
        2,
        PIECES_BY_CODE,
    ),
    (
        "roll x in safe(b) seen by no roll y in safe(b) seen by no\nmove (if code(a) == 1 then x else y) from safe(b) to box",
        2,
        PIECES_BY_CODE,
    ),
];

/// Procedures that those steps call.
const RULES: &str = "procedure keep_and_pay(p: seat) { roll k in 0..1 seen by p code(p) := k move top k of dark to purse(p) }\n\
    procedure hold(p: seat) { roll k in 0..1 seen by p move top k of dark to cup }\n\
    procedure twice(p: seat) { roll k in 0..1 seen by p move top k of dark to purse(p) move top k of dark to bag(p) }\n\
    procedure less(p: seat) { roll k in 0..1 seen by p move top k of dark to purse(p) move top (1 - k) of dark to bag(p) }\n\
    procedure once(p: seat) { roll k in 0..1 seen by p if k == 1 { move top of dark to purse(p) } move top k of dark to bag(p) }\n\
    procedure number(p: seat) { code(p) := count(purse(p)) }\n\
    procedure draw_some(p: seat) { roll k in 0..1 seen by p move top k of dark to purse(p) }\n\
    procedure pay(p: seat) { roll k in 0..1 seen by p move top k of bag(p) to purse(p) }\n";

/// What the pieces alone decide, who knows it counts, or is told on purpose.
const SILENT: &[&str] = &[
    "move top 2 of dark to cup move top of cup to table",
    "move all of dark to cup move all of cup to table",
    "roll x in box seen by no move x from box to cup move top of cup to table",
    "move top (code(a) - 1) of dark to purse(a) move all of purse(a) to cup",
    "move top (code(a) - 1) of dark to cup move all of cup to purse(a)",
    "move top (told(code(a) - 1)) of dark to cup move top of cup to table",
    "if told(code(a) == 1) { move top of dark to cup } move top of cup to table",
    "move top (code(a) - 1) of dark to cup move told(cup) from cup to table",
    // A number of pieces that its seat holds is a number of pieces.
    "pay(a) move all of purse(a) to table",
    "pay(b) for p in seats { move all of purse(p) to heap }",
];

#[test]
fn what_decided_where_pieces_lie_is_told_with_them() {
    for (steps, line, what) in TELLING {
        let spill = if steps.contains("spill") { "procedure spill() {\nmove top of cup to table }\n" } else { "" };
        let found = told(steps, &format!("{spill}{RULES}"));
        assert!(found.contains(&(*line, (*what).to_owned())), "{steps}\n{found:?}");
    }
}

#[test]
fn what_pieces_decide_of_themselves_is_not_reported() {
    for steps in SILENT {
        assert_eq!(told(steps, RULES), [], "{steps}");
    }
}

/// What decides who sees whose a piece is shows with its owner, though nobody may see the piece.
#[test]
fn what_decides_who_sees_an_owner_is_told_with_it() {
    let head = "game g\nplayers a, b, c\nboard square 3 x 3\n";
    let play = |write: &str, more: &str| {
        format!(
            "{more}\nzone z: row of spy, seen by no\nvar code(p: seat): int seen by p\nvar pub: int\n\
             setup {{ put spy of a on a1 put spy of a on z }}\n\
             action hide {{ choose n in 1..2 seen by me  code(me) := n }}\n\
             action act {{ pub += 1 }}\naction place {{ choose n in 1..2 seen by me put own spy with n = n on b2 }}\n\
             play {{ a plays hide roll k in 1..2 seen by no\n{write}\nrepeat 3 {{ for p in seats {{ p plays act }} }} }}\n"
        )
    };
    let spy = |sight: &str, owner: &str| format!("piece spy owned {{ n: int, m: int }} {sight}owner seen by {owner}");
    let code = "what can be seen of a piece depends on `code`";
    for (sight, owner, write, found) in [
        ("seen by no, ", "(if it.n == 1 then seats else {})", "change a1: n = code(a)", code),
        ("seen by a, ", "(if it.n == 1 then {b} else {c})", "change a1: n = code(a)", code),
        ("seen by no, ", "(if it.n == 1 then seats else {})", "change z: n = code(a)", code),
        ("seen by no, ", "(if lit(it) then seats else {})", "change z: n = code(a)", code),
        ("seen by no, ", "(if it.n == 1 then seats else {})", "put spy of a with n = code(a) on b1", code),
        (
            "seen by no, ",
            "(if it.n == 1 then seats else {})",
            "change a1: n = k",
            "what can be seen of a piece depends on `k`",
        ),
        (
            "seen by no, ",
            "(if it.n == 1 then seats else {})",
            "a plays place",
            "what can be seen of a piece depends on `n`",
        ),
        ("seen by no, ", "(if it.n == 1 then seats else {})", "change a1: m = code(a)", ""),
        ("seen by no, ", "(if it.n == 1 then seats else {})", "change a1: n = pub", ""),
        ("seen by no, ", "no", "change a1: n = code(a)", ""),
    ] {
        let lit = if owner.contains("lit") { "\ndefine lit(s: piece) = s.n == 1" } else { "" };
        let told = tells(&format!("{head}{}", play(write, &(spy(sight, owner) + lit))), 0);
        let whats: Vec<&str> = told.iter().map(|(_, what)| what.as_str()).collect();
        assert_eq!(whats.contains(&found), !found.is_empty(), "{owner}, {write}: {whats:?}");
        assert!(!found.is_empty() || whats.is_empty(), "{owner}, {write}: {whats:?}");
    }
}

/// Of covered pieces it shows whose they are, and so of which kind, if the owners of some kinds are seen and those of others are not.
#[test]
fn backs_that_differ_tell_the_kind() {
    let text = |kinds: &str, write: &str| {
        format!(
            "game g\nplayers a, b, c\nboard square 3 x 3\n{kinds}\nzone z: row of ox | spy, seen by no\n\
             zone y(p: seat): set of ox | spy, seen by p\nzone open: row of ox | spy, seen by all\nvar pub: int\n\
             setup {{ for p in seats {{ put ox of p on y(p) put spy of p on y(p) }} }}\n\
             action act {{ pub += 1 }}\naction send {{ choose n in y(me) seen by me  {write} }}\n\
             action add {{ choose k in {{ox, spy}} seen by me  put own k on z }}\n\
             play {{ a plays send  b plays act  a plays add  repeat 3 {{ for p in seats {{ p plays act }} }} }}\n"
        )
    };
    let covered = "piece ox owned seen by no\npiece spy owned seen by no, owner seen by no";
    let alike = "piece ox owned seen by no\npiece spy owned seen by no";
    let whats = |text: &str| tells(text, 0).into_iter().map(|(_, what)| what).collect::<Vec<_>>();
    let (by_hand, by_choice) =
        ("what can be seen of a piece depends on the pieces of `y`", "what can be seen of a piece depends on `k`");
    for (kinds, write, found) in [
        (covered, "move n from y(me) to z", vec![by_hand, by_choice]),
        (covered, "move n from y(me) to a2", vec![by_hand, by_choice]),
        (covered, "move n from y(me) to open", vec![by_choice]),
        (alike, "move n from y(me) to z", vec![]),
        (alike, "move n from y(me) to a2", vec![]),
        ("piece ox owned seen by no\npiece spy seen by no", "move n from y(me) to z", vec![by_hand, by_choice]),
        ("piece ox owned seen by no, owner seen by no\npiece spy seen by no", "move n from y(me) to z", vec![]),
        (
            "piece ox owned { up: bool } seen by no, owner seen by (if it.up then {b} else {c})\n\
             piece spy owned { up: bool } seen by no, owner seen by (if it.up then {b} else {c})",
            "move n from y(me) to z",
            vec![],
        ),
        (
            "piece ox owned { up: bool } seen by no, owner seen by (if it.up then {b} else {c})\n\
             piece spy owned { up: bool } seen by no, owner seen by (if it.up then {b} else {a})",
            "move n from y(me) to z",
            vec![by_hand, by_choice],
        ),
    ] {
        let kinds = if kinds.contains("spy seen") {
            text(kinds, write).replace("put spy of p", "put spy").replace("put own k", "put k")
        } else {
            text(kinds, write)
        };
        let mut told = whats(&kinds);
        told.sort();
        let mut found: Vec<String> = found.into_iter().map(str::to_owned).collect();
        found.sort();
        assert_eq!(told, found, "{kinds}");
    }
}

/// What could be chosen in secret tells what decided it: a number that is chosen once more is kept where the first is, and so is what
/// a guard adds up.
#[test]
fn what_decided_a_secret_choice_goes_with_it() {
    let text = |items: &str, take: &str| {
        format!(
            "game g\nplayers a, b, c\nboard track 5 named \"f{{n}}\"\npiece coin\nkinds card\n  | kind | rank |\n  | lo | 0 |\n  | hi | 1 |\n\
             var code(p: seat): int seen by p\nvar ours: int seen by {{a, b}}\nvar spot: set of site seen by a\nvar pub: int\n\
             zone purse(p: seat): row of coin, seen by p, number seen by p\nzone fist(p: seat): row of coin, seen by p, number seen by p\n\
             zone hand(p: seat): row of card, seen by p, number seen by p\nzone palm(p: seat): row of card, seen by p, number seen by p\n\
             zone tray: row of coin | card, seen by all\n\
             setup {{ for p in seats {{ put 3 coin on purse(p) put lo on hand(p) put hi on hand(p) }} }}\n\
             action hide {{ choose n in 0..2 seen by me code(me) := n }}\naction share {{ choose n in 0..2 seen by {{a, b}} ours := n }}\n\
             action show {{ move all of fist(a) to tray move all of palm(a) to tray }}\naction take {{ {take} }}\n{items}\n\
             play {{ a plays hide b plays share a plays take b plays show c plays show a plays take }}\n"
        )
    };
    let whats = |items: &str, take: &str| {
        let mut whats: Vec<String> = tells(&text(items, take), 0).into_iter().map(|(_, what)| what).collect();
        whats.dedup();
        whats
    };
    let go = "move top n of purse(me) to fist(me)";
    let told = |of: &str| vec![format!("where pieces lie, or how many, depends on `{of}`")];
    for (take, found) in [
        // The acting seat's own number, of as many as there are.
        (format!("choose n in 0..2 seen by me {go}"), vec![]),
        (format!("choose n in 0..count(purse(me)) seen by me {go}"), vec![]),
        (format!("choose n in 0..count(purse(me)) seen by me require n < count(purse(me)) {go}"), vec![]),
        // What is secret decides it.
        (format!("choose n in code(me)..code(me) seen by me {go}"), told("code")),
        (format!("choose n in ours..ours seen by me {go}"), told("ours")),
        (format!("choose n in {{x in 0..2 where x == code(me)}} seen by me {go}"), told("code")),
        (format!("choose n in 0..2 seen by me require n == code(me) {go}"), told("code")),
        (format!("choose n in 0..2 seen by me let k = n require k == code(me) {go}"), told("code")),
        (format!("choose n in 0..2 seen by me prefer (if n == code(me) then 1 else 0) {go}"), told("code")),
        (format!("choose n in 0..2 seen by me {go} ensure count(fist(me)) == code(me)"), told("code")),
        // It is kept under another name.
        (format!("choose k in 0..2 seen by me choose n in k..k seen by me {go} code(me) := k"), told("k")),
        (
            format!("choose k in 0..2 seen by me choose n in 0..2 seen by me require n + k == 2 {go} code(me) := k"),
            told("k"),
        ),
        (
            format!(
                "choose n in 0..2 seen by me choose f in {{f in sites where f.number == n + 1}} seen by me {go} spot := f"
            ),
            told("n"),
        ),
    ] {
        assert_eq!(whats("", &take), found, "{take}");
    }
    let card = "choose c in {c in hand(me) where c.rank == code(me)} seen by me move c from hand(me) to palm(me)";
    assert_eq!(whats("", card), ["what can be seen of a piece depends on `code`"]);
    let card = "choose c in hand(me) seen by me require c.rank > 0 move c from hand(me) to palm(me)";
    assert_eq!(whats("", card), [""; 0]);
    // A later action reads off what came.
    let read = "choose k in count(fist(me))..count(fist(me)) seen by me code(me) := k";
    let text = text(&format!("action read {{ {read} }}"), &format!("choose n in 0..2 seen by me {go}"));
    let text = text.replace("b plays show", "a plays read b plays show");
    assert!(tells(&text, 0).iter().any(|(_, what)| what.contains("how many, depends on `n`")), "{:?}", tells(&text, 0));
}
