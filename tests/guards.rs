//! Guards on the position after a move, which are tested only for moves that touch what they depend on: both
//! interpreters list the same moves whatever the effects do.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::notation::{parse_position, print_move};

use crate::equal::compare;

/// A king must not be left to a rook, a knight or the other king. Effects move and exchange pieces, make new ones,
/// remove others beside the last parameter, and set a variable that the guard reads.
const RULES: &str = r#"
game guards "Guards"
players a, b
board square 5 x 5
piece king owned
piece rook owned
piece knight owned
piece pawn owned
var shield: set of site = {}
path line = along d in orthogonal ((slide d through empty)? then step d to sites)
region leaps(f: site) = {t in sites where abs(t.column - f.column) * abs(t.row - f.row) == 2}
define attacked(f: set of site, by: seat) =
  line(f) meets rook of by or (any k in f: leaps(k) meets knight of by) or around(f) meets king of by
define in_check(p: seat) = attacked(king of p - shield, opponent(p))
setup {
  put king of a on c1  put rook of a on a1  put knight of a on b1  put pawn of a on a2 | c2 | e2
  put king of b on c5  put rook of b on e5  put knight of b on d5  put pawn of b on a4 | c4 | e4
}
action go { choose from in own piece  choose to in around(from) - own piece - king  move from to to  ensure not in_check(me) }
action trade { choose from in own piece  choose to in own piece  require from != to  swap from, to  ensure not in_check(me) }
action raise { choose from in own pawn  choose to in empty & around(from)  remove from  put own rook on to  ensure not in_check(me) }
action sweep {
  choose from in own pawn
  choose to in toward(from, orthogonal)
  remove toward(to, orthogonal) - king
  ensure not in_check(me)
}
action hide { choose from in own king  choose to in own pawn  shield := {from}  remove to  ensure not in_check(me) }
play { turns { shield := {}  mover plays go | trade | raise | sweep | hide else pass } }
end long after move when ply >= 60 { draw }
"#;

fn guards() -> Fast {
    let loaded = load("g.rules", RULES, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    fast
}

#[test]
fn both_interpreters_list_the_same_guarded_moves() {
    let fast = guards();
    let seen: usize = (0..60).map(|seed| compare(&fast, seed, 60, "guards")).sum();
    assert!(seen > 1_000, "only {seen} positions");
}

/// The pawn on c2 stands between its king and a rook: it may stay on the file, as a pawn or as a rook, and go nowhere
/// else. In check, only what ends it is legal.
#[test]
fn a_shielding_piece_stays_where_it_shields() {
    let fast = guards();
    let free = ["b1", "b2", "b3", "c3", "d1", "d2", "d3"];
    let free: Vec<String> = ["go", "raise"].iter().flat_map(|how| free.map(|to| format!("{how} c2-{to}"))).collect();
    let free: Vec<&str> = free.iter().map(String::as_str).collect();
    for (text, wanted) in [
        ("pawn.a: c2 | rook.b: c5", &["go c2-c3", "raise c2-c3"][..]),
        ("pawn.a: c2 | knight.b: b3", &["go c2-b3"]),
        ("pawn.a: c2 | knight.b: c5", &free),
        ("pawn.a: b2 | rook.b: c5", &["go b2-c2", "go b2-c3", "raise b2-c2", "raise b2-c3"]),
    ] {
        let position = format!("guards 2 | mover=a | king.a: c1 | king.b: a5 | {text}");
        let position = parse_position(fast.reference(), &position).expect("a position");
        let game = fast.reference().game();
        let moves = fast.legal(&position);
        let texts = moves.iter().map(|mv| print_move(game, &position, mv));
        let pawn = &text[8..10];
        let mut found: Vec<String> = texts
            .filter(|mv| [format!("go {pawn}"), format!("raise {pawn}")].iter().any(|how| mv.starts_with(how)))
            .collect();
        found.sort();
        assert_eq!(found, wanted, "{text}");
    }
}

/// Walls between the nine cells of a board of three by three must leave both pawns a way to the other side. Walls also
/// go away again.
const WAYS: &str = r#"
game ways "Ways"
players a, b
board square 5 x 5
piece pawn owned
piece wall
region cells = {f in sites where f.column mod 2 == 1 and f.row mod 2 == 1}
region goal(p: seat) = {f in cells where f.row == (if p == a then 5 else 1)}
path stroll = (along d in orthogonal (step d to sites - wall then step d to cells))*
path pace = along d in orthogonal (step d to empty then step d to cells & empty)
setup { put pawn of a on c1  put pawn of b on c5 }
action build { choose to in empty - cells  put wall on to  ensure all p in seats: stroll(pawn of p) meets goal(p) }
action clear { choose to in wall  remove to }
action walk { choose to in reached  move own pawn to to }
define reached = union pace(f) for f in own pawn
play { turns { mover plays build | clear | walk else pass } }
end long after move when ply >= 60 { draw }
"#;

fn ways() -> Fast {
    let loaded = load("w.rules", WAYS, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    fast
}

#[test]
fn both_interpreters_leave_a_way_open() {
    let fast = ways();
    let seen: usize = (0..40).map(|seed| compare(&fast, seed, 60, "ways")).sum();
    assert!(seen > 1_000, "only {seen} positions");
}

/// With walls on a2 and c2, the only way between the lower row and the rest leads over e2, and the lower pawn gets
/// there over d1 only.
#[test]
fn a_wall_may_not_close_the_last_way() {
    let fast = ways();
    let text = "ways 2 | mover=a | pawn.a: c1 | pawn.b: c5 | wall: a2 c2";
    let position = parse_position(fast.reference(), text).expect("a position");
    let game = fast.reference().game();
    let moves = fast.legal(&position);
    let built: Vec<String> = moves.iter().map(|mv| print_move(game, &position, mv)).collect();
    let cells = ["a1", "c1", "e1", "a3", "c3", "e3", "a5", "c5", "e5"];
    for column in 'a'..='e' {
        for row in 1..=5 {
            let site = format!("{column}{row}");
            let taken = cells.contains(&site.as_str()) || site == "a2" || site == "c2";
            let wanted = !taken && site != "e2" && site != "d1";
            assert_eq!(built.contains(&format!("build {site}")), wanted, "{site}");
        }
    }
}
