//! Sowing: a few tokens at once, many of them one by one, along tracks that go round and tracks that end, with numbers of
//! tokens of every width.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::Engine;
use regelwerk::module::module;

use super::hosted::Hosted;
use super::law::compare;

/// Boards, each with a direction in which tokens are sown.
const TRACKS: [(&str, &str); 6] = [
    ("ring 3", "ahead"),
    ("ring 14", "ahead"),
    ("ring 9", "back"),
    ("track 6", "ahead"),
    ("square 5 x 3", "e"),
    ("square 3 x 4", "ne"),
];

/// What is passed over.
const SKIPS: [&str; 6] =
    ["", "skip from", "skip side(me)", "skip side(me) | {from}", "skip sites - from", "skip odd & seed"];

/// What else becomes of tokens: nothing puts any more, there are more and more, or what is put depends on the position.
const MORE: [&str; 3] = [
    "if seed at last > 2 { move 2 seed from last to from }",
    "put 1 seed on last",
    "if seed at last mod 2 == 0 { move all seed from last to side(me) - last }",
];

#[test]
fn tokens_are_sown_as_in_the_interpreter() {
    let mut seen = 0;
    for (board, way) in TRACKS {
        let odd = odd(board);
        for (number, skip) in SKIPS.iter().enumerate() {
            for (nth, count) in ["1", "4", "15", "40", "(if f in odd then 2 else 30)"].iter().enumerate() {
                let more = MORE[(number + nth) % MORE.len()];
                let text = format!(
                    "game g\nplayers one, two\nboard {board}\ntokens seed\ntokens gem owned\n\
                     {odd}\n\
                     region side(p: seat) = if p == one then odd else sites - odd\n\
                     setup {{ for f in sites {{ put {count} seed on f }}  for p in seats {{ put 3 gem of p on side(p) }} }}\n\
                     action sow_one {{ choose from in sites & seed  sow seed from from along {way} {skip} as last  {more} }}\n\
                     action sow_own {{ choose from in sites & own gem  sow own gem from from along {way} {skip} as last }}\n\
                     play {{ turns {{ mover plays sow_one | sow_own else {{ draw }} }} }}\n"
                );
                let what = format!("{board} {way} {skip}, {count} each, {more}");
                let loaded = load("sowing.rules", &text, &NoFiles, &Setup::default());
                let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{what}: {:?}", loaded.reports)));
                let bytes = module(fast.game()).unwrap_or_else(|gap| panic!("{what}: {gap:?}"));
                let mut hosted = Hosted::new(&bytes, &what);
                seen += compare(&fast, &mut hosted, 3, 25, &what);
            }
        }
    }
    assert!(seen > 2000, "only {seen} positions");
}

/// Every other site of a board.
fn odd(board: &str) -> &'static str {
    if board.starts_with("square") {
        "region odd = {f in sites where (f.column + f.row) mod 2 == 1}"
    } else {
        "region odd = {f in sites where f.number mod 2 == 1}"
    }
}
