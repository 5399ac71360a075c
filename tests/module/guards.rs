//! Guards on the position after a move, most of which are decided without trying the move out: they hold, or fail, for a
//! reason that the move does not touch.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::module::module;

use super::hosted::Hosted;
use super::law::compare;

/// Guards of all sorts: what they look at is a way, a ray, a group, what lies beside, an index as a whole, or a variable too.
const GUARDS: [&str; 16] = [
    "all p in seats: stroll(king of p) meets goal(p)",
    "stroll(king of me) meets goal(me)",
    "not stroll(king of opponent(me)) meets goal(me)",
    "all p in seats: leaps(king of p) meets goal(p)",
    "leaps_home(king of me) meets king of me",
    "all p in seats: creep(king of p) meets goal(p)",
    "not attacked(king of me, opponent(me))",
    "attacked(king of me, me) or not attacked(king of opponent(me), me)",
    "not beset(king of me)",
    "connected(king of one, king of two, sites - wall, orthogonal)",
    "some (group(king of me, sites - wall) & goal(me))",
    "around(king of me) meets empty",
    "count(wall) <= most or some (around(king of me) & wall)",
    "stroll(king of me) meets goal(me) and not attacked(king of me, opponent(me))",
    "any s in goal(me): s in empty",
    "not boxed(me)",
];

/// Moves of all sorts: what they touch is the last parameter, other sites, or what lies beside them.
const MOVES: [&str; 10] = [
    "choose t in empty  put wall on t",
    "choose f in own man  choose t in around(f) - own man - king  move f to t  count_up()",
    "choose f in own man  choose t in around(f) & empty  let beside = toward(t, n) & empty  move f to t  put wall on beside",
    "choose t in empty  choose d in orthogonal  put wall on t | toward(t, d) & empty",
    "choose d in orthogonal  choose t in empty  require some toward(t, d)  put wall on t | toward(t, d) - king",
    "choose t in wall  remove t  if t in edge { put own man on t }",
    "choose f in own king  choose t in around(f) - own man - king  move f to t",
    "choose f in own man  choose t in enemy man  swap f, t  most += 1",
    "choose t in empty  put man of opponent(me) on t",
    "choose f in enemy man  choose t in around(f) & empty  move f to t",
];

const SMALL: &str = "square 4 x 5";

#[test]
fn guards_hold_where_they_do_in_the_interpreter() {
    let mut seen = 0;
    for board in [SMALL, "square 9 x 8", "hex hexagon 3"] {
        let hexagonal = board.starts_with("hex");
        let ends = if hexagonal {
            "region near = {s in sites where s.q == -2}\nregion far = {s in sites where s.q == 2}\n\
             region spot = {s in near | far where s.r == 0}"
        } else {
            "region near = {s in sites where s.row == 1}\nregion far = {s in sites where s.row == 4}\n\
             region spot = {s in near | far where s.column == 2}"
        };
        for (number, guard) in GUARDS.iter().enumerate() {
            for (nth, first) in MOVES.iter().enumerate() {
                // Half of them on the smallest board.
                if (number + nth) % if board == SMALL { 2 } else { 5 } > 0 {
                    continue;
                }
                let second = MOVES[(nth + 3) % MOVES.len()];
                let moves = format!("{first}\n{second}");
                if hexagonal && (moves.contains("orthogonal") || guard.contains("orthogonal") || moves.contains(", n)"))
                {
                    continue;
                }
                let text = format!(
                    "game g\nplayers one, two\nboard {board}\npiece king owned\npiece man owned\npiece wall\n{ends}\n\
                     region edge = near | far\nregion goal(p: seat) = if p == one then far else near\n\
                     var most: int = 3 \"most\"\n\
                     path stroll = (step directions to sites - wall)*\n\
                     path leaps = (along d in directions (step d to sites - wall then step d to sites))*\n\
                     path leaps_home = (along d in directions (step d to sites - wall then step d to empty | king))+\n\
                     path creep = (step directions to empty | king then step directions to sites){{0..3}}\n\
                     path line = along d in directions ((slide d through empty)? then step d to sites)\n\
                     define attacked(f: set of site, by: seat) = line(f) meets man of by or around(f) meets king of by\n\
                     define beset(f: set of site) = all s in around(f): s in occupied\n\
                     define boxed(p: seat) = beset(king of p) and count(man of p) > 1\n\
                     procedure count_up() {{ if count(wall) > most {{ most += 1 }} }}\n\
                     setup {{ for p in seats {{ put king of p on goal(opponent(p)) & spot  put man of p on goal(opponent(p)) - spot }} }}\n\
                     action first_move {{ {first}  ensure {guard} }}\n\
                     action second_move {{ {second}  ensure {guard} }}\n\
                     action third_move {{ choose t in edge & empty  require opponent(me) can play first_move  put wall on t  ensure {guard} }}\n\
                     action fill {{ choose t in empty  put wall on t }}\n\
                     play {{ turns {{ mover plays third_move | first_move | second_move else {{ mover plays fill else {{ draw }} }} }} }}\n"
                );
                let what = format!("{board}, {first} | {second}, ensure {guard}");
                let loaded = load("guards.rules", &text, &NoFiles, &Setup::default());
                let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{what}: {:?}", loaded.reports)));
                let bytes = module(fast.game()).unwrap_or_else(|gap| panic!("{what}: {gap:?}"));
                let mut hosted = Hosted::new(&bytes, &what);
                seen += compare(&fast, &mut hosted, 5, 20, &what);
            }
        }
    }
    assert!(seen > 1500, "only {seen} positions");
}
