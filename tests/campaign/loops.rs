//! Loops without end: each construct of the language, over and over, on boards and lists near what the language allows. The
//! budget of steps has to end each of them in a moment, so what a construct costs must be what it counts.

use std::fmt::Write as _;

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::play::{Stream, playout};
use regelwerk::reference::Walker;

use super::clock::{about, timed};
use super::targets::Found;

/// Numbers worked out on a board with the sites X and Y, one on a line.
const NUMBERS: &str = include_str!("numbers.txt");

/// Statements on such a board, one on a line; WAY is one of its directions.
const STATEMENTS: &str = include_str!("statements.txt");

/// What lies on the board, and in the zones, before the loop.
const FILLINGS: &[&str] = &[
    "",
    "for x in sites where x.number mod 2 == 0 { put st of w on x }",
    "put st of w on sites",
    "put 50 tk on sites",
    "put 3000 k1 on hd put 3000 k2 on pl put 3000 k3 on se",
    "for x in sites where x.number mod 3 == 0 { put st of w with h = x.number on x } put 99 k1 on hd put 99 k2 on pl",
];

/// What all these games have in common.
const COMMON: &str = "piece st owned { h: int, up: bool }
piece rk
tokens tk
tokens ot owned
kinds card { mark: bool }
  | kind | rank |
  | k1   | 1    |
  | k2   | 2    |
  | k3   | 3    |
var v: int
var vs(i: site): int
var SS: set of site
var DD: set of direction
var PP: set of seat
var KK: set of kind
var II: set of int
zone hd: row of card, seen by all
zone pl: pile of card, seen by all
zone se: set of card, seen by all
path sp(D: set of direction) = step D to sites
path sl(D: set of direction) = slide D through sites
path ch(D: set of direction) = (step D to sites)*
path cf(D: set of direction) = (step D to empty)+ fully
path hp1(D: set of direction) = hop D over sites to sites
path hpt(D: set of direction) = (hop D over piece - taken taking to empty)+
path hptf(D: set of direction) = (hop D over piece - taken taking to empty)+ fully
path al(D: set of direction) = along d in D ((slide d through sites)? then step d to sites)
path rp(D: set of direction) = (step D to sites){2..4}
path orp(D: set of direction) = (step D to sites or slide D through empty or hop D over sites to sites)*
path tk2(D: set of direction) = (step D to sites then take){2}
path ifp(D: set of direction) = (if count({x in sites where x == here}) > 0 then step D to sites)*
path upn(D: set of direction) = slide D up to 1000000 through sites
define dd1(S: set of site) = {x in S where x == x}
define dd2(f: site, S: set of site) = S | f
define dd3(S: set of piece) = {c in S where c.rank > 1}
region reg2 = {x in sites where x.number > 1}
procedure pr(q: int) { v += q }
procedure pr2(S: set of site) { v += count(S) }
procedure pr3(S: set of piece) { v += count(S) }
procedure pr4(f: site) { if f in sites { v += 1 } }
action wait { require v > 3 v += 1 }
action aa { choose x in sites require v < 0 v += 1 }
action ab { choose x in sites v += 1 ensure v < 0 }
end late after move when ply > 3 { draw }
";

/// A board with two of its sites and one of its directions.
struct Board {
    text: String,
    sites: [&'static str; 2],
    way: &'static str,
}

fn board(text: &str, sites: [&'static str; 2], way: &'static str) -> Board {
    Board { text: format!("board {text}"), sites, way }
}

/// A graph with these lines.
fn graph(lines: impl Iterator<Item = String>, sites: [&'static str; 2], way: &'static str) -> Board {
    board(&format!("graph {{\n{}\n}}", lines.collect::<Vec<_>>().join("\n")), sites, way)
}

fn boards() -> Vec<Board> {
    let all = (0..60).flat_map(|one| (one + 1..60).map(move |other| format!("p{one} - p{other}")));
    let layers = (0..11).flat_map(|l| (0..36).map(move |n| format!("l{l}_{} - l{}_{}", n / 6, l + 1, n % 6)));
    vec![
        board("square 64 x 64", ["a1", "bl64"], "n"),
        board("square 32 x 32", ["a1", "af32"], "n"),
        board("square 16 x 16", ["a1", "p16"], "n"),
        board("hex hexagon 18", ["a1", "b1"], "ne"),
        board("ring 4096", ["s1", "s2048"], "ahead"),
        board("ring 1000", ["s1", "s500"], "ahead"),
        board("track 1000", ["s1", "s1000"], "ahead"),
        graph((0..600).map(|n| format!("u: h - p{n}")), ["h", "p5"], "u"),
        graph((0..500).map(|n| format!("h > p{n} > g")).chain(["g > h".to_owned()]), ["h", "g"], "link"),
        graph(all, ["p0", "p59"], "link"),
        graph(layers, ["l0_0", "l11_0"], "link"),
        graph((0..600).map(|n| format!("d{n}: x3 - x4")), ["x3", "x4"], "d0"),
    ]
}

/// Where a loop stands.
#[derive(Clone, Copy, Debug)]
enum Place {
    Setup,
    Effects,
    Guard,
    Definition,
}

const PLACES: [Place; 4] = [Place::Setup, Place::Effects, Place::Guard, Place::Definition];

/// A game with a loop in it.
fn looped(place: Place, board: &Board, filling: &str, what: &str, is_number: bool) -> String {
    let [x, y] = board.sites;
    let word = |text: &str| match text {
        "X" => x.to_owned(),
        "Y" => y.to_owned(),
        "WAY" => board.way.to_owned(),
        other => other.to_owned(),
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut what_there = String::new();
    let mut rest = what;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_name(c) != is_name(first)).unwrap_or(rest.len());
        what_there.push_str(&word(&rest[..end]));
        rest = &rest[end..];
    }
    let statement = if is_number { format!("v := {what_there}") } else { what_there.clone() };
    let endless = format!("while v < 1000000000000 {{ if true {{ {statement} }} }}");
    let mut text = format!("game g\nplayers w, b\n{}\n{COMMON}", board.text);
    let (setup, action) = match place {
        Place::Setup => (endless.as_str(), "v += 1".to_owned()),
        Place::Effects => ("", format!("v += 1 {endless}")),
        Place::Guard => ("", format!("require any q in 1..100000, r in 1..1000: {what_there} + q < -1 v += 1")),
        Place::Definition => ("", "choose z in 1..100000 require far(z) v += 1".to_owned()),
    };
    if matches!(place, Place::Definition) {
        let _ = writeln!(text, "define far(q: int) = any r in 1..1000: {what_there} + q < -1");
    }
    let _ = writeln!(text, "setup {{ {filling} {setup} }}\naction go {{ {action} }}");
    let _ = writeln!(text, "play {{ turns {{ mover plays go | wait }} }}");
    text
}

/// Loops with these numbers from a seed: each file is checked, and each that passes is played on both interpreters.
pub(super) fn loops(seed: u64, from: u64, to: u64) -> Found {
    let boards = boards();
    let (numbers, statements): (Vec<&str>, Vec<&str>) = (NUMBERS.lines().collect(), STATEMENTS.lines().collect());
    let mut found = Found::default();
    for number in from..to {
        let mut dice = Stream::new(seed, "loop", number);
        let board = &boards[dice.below(boards.len())];
        let filling = FILLINGS[dice.below(FILLINGS.len())];
        let at = dice.below(numbers.len() + statements.len());
        let is_number = at < numbers.len();
        let what = if is_number { numbers[at] } else { statements[at - numbers.len()] };
        let place = PLACES[dice.below(if is_number { PLACES.len() } else { 2 })];
        let text = looped(place, board, filling, what, is_number);
        about(format!("{place:?}, {}, {filling}: {what}", &board.text[..board.text.len().min(24)]));
        found.inputs += 1;
        let loaded = timed("check", || load("g.rules", &text, &NoFiles, &Setup::default()));
        let Some(game) = loaded.game else { continue };
        found.accepted += 1;
        let engines: [Box<dyn Engine>; 2] = [Box::new(Walker::new(game.clone())), Box::new(Fast::new(game))];
        for engine in engines {
            let mut run = engine.run();
            assert!(run.load(&engine.start()), "{text}");
            let mut dice = Stream::new(seed, "looped", number);
            timed("game", || playout(engine.as_ref(), run.as_mut(), 100, None, &mut dice, &mut |_, _| true));
            found.positions += 1;
        }
    }
    found
}
