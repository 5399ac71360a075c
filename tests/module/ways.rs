//! Paths whose ways differ by what they take, beside the interpreter: the same ways in the same order, on boards of several
//! sorts, with paths of all sorts.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::module::module;

use super::compare_playouts;
use super::hosted::Hosted;
use super::law::compare;

/// Paths from `f`, each with what has to be declared for it.
const PATHS: [&str; 22] = [
    "path p = (hop directions over enemy man - taken taking to empty)+",
    "path p = (hop directions over enemy man - taken taking to empty)+ fully",
    "path p = (hop directions over enemy man - taken taking to empty | start)* fully",
    "path p = hop directions over man taking to empty then (hop directions over man - taken taking to empty){2}",
    "path p = (along d in directions (hop d over enemy man - taken taking to empty then hop d over man to empty))+ or step directions to enemy man then take",
    "path p = (along d in directions ((slide d through empty)? then hop d over enemy man - taken taking to empty then (slide d through empty)?))+ fully",
    "path p = (step directions to enemy man - taken then take then step directions to empty)+ fully",
    "path p = take then (step directions to empty then if count(taken) < 3 then take){3}",
    "path p = along d in directions ((step d to enemy man then take)+ then step d to own man)",
    "path p = (along d in directions ((step d to occupied then take)+ then step d to empty)) then (hop directions over man - taken taking to empty)?",
    "path q(m: set of site) = hop directions over m - taken taking to empty\npath p = q(enemy man) then q(occupied)?",
    "path p = (step directions to man - taken then take){3} then if taken meets own man then step directions to empty",
    "path q(s: set of site) = (hop directions over enemy man - s taking to empty)+\npath p = (hop directions over enemy man - taken taking to empty then if some q(here, taken) or no own man & around(here))+ fully",
    "path p = (slide directions up to 2 through empty)? then step directions to enemy man then take",
    "path p = ((hop directions over enemy man - taken taking to empty)+ or (step directions to empty)) then (step directions to empty)?",
    "path p = (hop directions over enemy man taking to empty){2} or (hop directions over enemy man taking to empty)? fully",
    "path q(x: site) = (step directions to empty)? then if here == x\npath p = step directions to empty then take then q(here)",
    "path p = take then (along d in (if here == start then directions else {d in directions where some (toward(here, d) & man)}) (step d to sites)){2}",
    "path p = (take then slide directions up to count(taken) through empty){1..2}",
    "path q = step directions to taken\npath p = (step directions to enemy man then take) then (q or step directions to empty)",
    "path q = if count(taken) == 1\npath p = (hop directions over man - taken taking to empty)+ then q",
    "path q = step directions to own man\npath p = step directions to empty then take then if no q(here)",
];

/// What moves do with a way.
const ACTIONS: [&str; 5] = [
    "choose f in own man  choose w in p(f)  move f to w.to  remove w.taken & enemy man",
    "choose f in own man  choose w in p(f)  prefer count(w.taken)  move f to w.to",
    "choose f in own man  choose w in {w in p(f) where count(w.taken) mod 2 == 1 or w.to in around(f)}  swap f, w.to",
    "choose f in own man  require some p(f)  x := count(p(f))  choose w in p(f)  move f to w.to  remove w.taken - own man",
    "choose f in own man  let w = sum count(w.taken) for w in p(f)  x := w  choose t in around(f) & empty  move f to t",
];

fn alike(text: &str) -> Option<usize> {
    let loaded = load("ways.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game?);
    let bytes = module(fast.game()).ok()?;
    let mut hosted = Hosted::new(&bytes, text);
    let seen = (0..3).map(|seed| compare(&fast, &mut hosted, seed, 30, text)).sum();
    compare_playouts(&fast, &mut hosted, 3, 40, text);
    Some(seen)
}

#[test]
fn ways_are_those_of_the_interpreter() {
    let boards = [
        ("square 5 x 4", "{a1, b1, c1, d1, e2, c2}", "{a4, b4, c4, d3, e4, b3}"),
        (
            "square 6 x 6 keep {f in sites where (f.column + f.row) mod 2 == 0}",
            "{f in sites where f.row < 3}",
            "{f in sites where f.row > 4}",
        ),
        ("hex hexagon 3", "{f in sites where f.r < 0}", "{f in sites where f.r > 0}"),
        ("track 9", "{s1, s2, s5}", "{s4, s7, s8}"),
        ("graph { a - b - c - d - e  c - f - g - a  c > h > b }", "{a, c}", "{d, f}"),
        ("ring 6", "{s1, s3}", "{s4, s6}"),
    ];
    let (mut compared, mut seen) = (Vec::new(), 0);
    for (board, mine, others) in boards {
        let mut here = 0;
        for (at, path) in PATHS.iter().enumerate() {
            let action = ACTIONS[at % ACTIONS.len()];
            let text = format!(
                "game g\nplayers one, two\nboard {board}\npiece man owned\nvar x: int\n\
                 region mine = {mine}\nregion others = {others}\n\
                 setup {{ put man of one on mine  put man of two on others }}\n{path}\n\
                 action go {{ {action} }}\naction wait {{ choose f in own man  choose t in around(f) & empty  move f to t }}\n\
                 play {{ turns {{ mover plays go | wait else {{ draw }} }} }}\n\
                 end lost before turn when no own man {{ lose me }}\n\
                 end long after move when ply > 60 {{ draw }}\n"
            );
            if let Some(found) = alike(&text) {
                (here, seen) = (here + 1, seen + found);
            }
        }
        compared.push(here);
    }
    assert!(seen > 5000 && compared.iter().all(|here| *here > 3), "{seen} positions, {compared:?}");
}
