//! What looks at earlier positions, beside the interpreter: guards on the position after a move, statements, end conditions
//! that look back in the middle of their effects, parts of positions, and whether a position stood after a ply.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::module::module;

use super::compare_playouts;
use super::hosted::Hosted;
use super::law::compare;

/// Men that step on two rings.
fn rules(course: &str, guard: &str, more: &str) -> String {
    format!(
        "game men\nplayers a, b\nboard graph {{ t1 - t2 - t3 - t1\n u1 - u2 - u3 }}\npiece man owned\n\
         record seen: int \"seen\"\nrecord board_seen: int \"of the board\"\nrecord left: int \"of the ring\"\n\
         var tally: int\nrecord first: int \"since\"\n\
         setup {{ put man of a on t1  put man of b on u1 }}\n\
         define since = min n for n in {{n in 0..ply where repeats(n)}}\n\
         action go {{ choose f in own man  choose t in around(f) & empty  move f to t  {guard} }}\n\
         action stay {{ tally := (tally + 1) mod 3 }}\n{more}\nplay {{ {course} }}\n"
    )
}

/// Compares a game with the interpreter if it can be compiled; whether it can.
fn alike(text: &str) -> bool {
    let loaded = load("men.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports)));
    let Ok(bytes) = module(fast.game()) else { return false };
    let mut hosted = Hosted::new(&bytes, text);
    for seed in 0..6 {
        compare(&fast, &mut hosted, seed, 60, text);
    }
    compare_playouts(&fast, &mut hosted, 6, 80, text);
    true
}

/// What is counted, and where: in an action, and in the rest of the rules.
const COUNTED: [(&str, &str); 8] = [
    ("ensure occurrences < 3", ""),
    ("ensure occurrences of board < 4", ""),
    ("ensure occurrences of (t1 | t2 | t3) < 6 and occurrences of (tally | mover) < 20", ""),
    ("seen := occurrences", "end much after move when occurrences >= 4 { draw }"),
    ("seen := occurrences of board  ensure occurrences < 4", "end much after turn when occurrences > 3 { draw }"),
    (
        "",
        "end note after move when occurrences >= 2 { first := since  seen := occurrences  board_seen := occurrences of board }",
    ),
    ("", "end three after move when occurrences >= 3 { if 2 * seen < ply - since { lose a } draw }"),
    ("if occurrences of (u1 | u2) > 3 { left += 1 }", "end note before turn when repeats(ply - 4) { seen += 1 }"),
];

#[test]
fn what_looks_back_sees_what_it_does_in_the_interpreter() {
    let courses = [
        "turns { mover plays go | stay }",
        "turns { mover plays go else pass }",
        "turns { mover plays go else { lose mover } }",
        "turns { mover plays go | stay  if tally == 2 { give turn to a } }",
        "turns { if tally == 2 { mover plays stay } else { mover plays go | stay } }",
        "let k = 2  turns { mover plays go | stay  if tally > k { stop } }",
        "phase one { turns { mover plays go | stay } }",
        "while true { turns { mover plays go | stay  if tally == 2 { stop } } }",
        "give turn to b  turns { mover plays go | stay }",
        "turns { mover may play go }",
        "turns { mover plays go  mover may play stay }",
        "turns { roll d in 1..2  if d == 2 { mover plays go | stay } else { opponent(mover) plays go | stay } }",
    ];
    let mut compiled = Vec::new();
    for (at, course) in courses.iter().enumerate() {
        let found = COUNTED.iter().filter(|(guard, more)| alike(&rules(course, guard, more))).count();
        compiled.push((at, found));
    }
    // All but guards behind statements that look back themselves, where turns begin with a question to the mover.
    let most = COUNTED.len() - 1;
    let mostly: Vec<usize> = compiled.iter().filter(|(_, found)| *found >= most).map(|(at, _)| *at).collect();
    assert_eq!(mostly, [0, 1, 6, 8, 9], "{compiled:?}");
}

/// Where a seat that could move before can do so no longer although the position is the same, the game is over instead: what
/// depends on counters is refused.
#[test]
fn who_could_move_before_may_not_be_able_to_again() {
    let end = "end much after move when occurrences >= 2 { draw }";
    let course = "turns { mover plays go else { lose mover } }";
    assert!(alike(&rules(course, "", end)));
    for guard in ["require ply < 20", "require left < 3  left += 1", "ensure ply < 9"] {
        let text = rules(course, "", end).replace("move f to t", guard);
        assert!(!alike(&text.replace("ensure ply < 9", "move f to t  ensure ply < 9")), "{guard}");
    }
    assert!(alike(&rules(course, "left += 1", end)));
}

/// Laying and taking stones: no position twice, and no board twice.
#[test]
fn no_position_comes_back() {
    for guard in ["occurrences > 1", "occurrences of board > 1", "occurrences of (board | mover) > 1"] {
        for end in ["rank p in seats by count(stone of p)", "count_up()"] {
            let text = format!(
                "game g\nplayers a, b\nboard square 4 x 3\npiece stone owned\nrecord passes: int \"passes\"\n\
                 define chain(f: site, p: seat) = group(f, stone of p, orthogonal)\n\
                 define free(f: site, p: seat) = around(chain(f, p), orthogonal) & empty\n\
                 define caught(f: site) = union chain(g, opponent(me)) for g in around(f, orthogonal) & enemy stone\n\
                   where no free(g, opponent(me))\n\
                 procedure count_up() {{ rank p in seats by count(stone of p) }}\n\
                 action lay {{ choose f in empty  passes := 0  put own stone on f  remove caught(f)\n\
                   ensure some free(f, me)  ensure not ({guard}) }}\n\
                 action rest {{ passes += 1 }}\n\
                 play {{ turns {{ mover plays lay | rest }} }}\n\
                 end agreed after move when passes == 2 {{ {end} }}\n"
            );
            assert!(alike(&text), "{guard} {end}");
        }
    }
}
