//! Pieces that another piece replaces where they are not seen: they may be anything that they could be before, and so may
//! the one that is left.

use std::collections::BTreeSet;

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Grounds};
use regelwerk::play::{Match, Step, Stream, Who, deal};

use crate::support::reports;

/// Each seat has three tiles, which only it sees on the board, in a bag that nobody sees into.
fn engine(deal: &str, way: &str) -> Fast {
    let text = format!(
        "game t\nplayers a, b\nboard square 4 x 2\npiece tile owned {{ rank: int, turned: int }} seen by it.owner\npiece man\n\
        zone bag(p: seat): row of tile, seen by no\nzone out: row of tile, seen by all\n\
        setup {{\n for p in seats {{ for k in 1..3 {{ put tile of p with rank = k on bag(p) }} shuffle bag(p) }}\n\
        {deal}\n move top of bag(b) to a2\n}}\n\
        action x {{ choose f in own tile {way} }}\naction y {{ choose k in 1..2 }}\n\
        play {{ repeat 4 {{ a plays x | y  b plays x | y }} }}\n"
    );
    let loaded = load("t.rules", &text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{way}: {}", reports(&loaded));
    Fast::new(loaded.game.expect("a game"))
}

/// What `b` and the referee are told of `x a1`, which is `a`'s piece, after some steps, and the rank of that piece. The game
/// is played from its start, or from the position in which it was set up.
fn told(engine: &Fast, steps: &[&str], seed: u64, whole: bool) -> ([Grounds; 2], i32) {
    let mut dice = Stream::new(seed, "deal", 0);
    let mut game = if whole {
        let mut game = Match::new(engine, engine.start());
        while game.in_setup() {
            let mv = game.fate(&mut dice).expect("an outcome");
            game.play(Step::Move(mv)).expect("possible");
        }
        game
    } else {
        Match::new(engine, deal(engine, engine.start(), &mut dice))
    };
    for text in steps {
        let step = game.door(Who::Referee).read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(step).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    }
    let on_a1 = engine.game().topology.sites.iter().position(|site| site.name == "a1").expect("a site");
    let rank = game.position().sites[on_a1].as_ref().expect("a tile").fields[0];
    let grounds = [Who::seat(SeatId::new(1)), Who::Referee].map(|who| {
        let door = game.door(who);
        door.grounds(&door.read("x a1").expect("a step")).open()
    });
    (grounds, rank)
}

const STEPS: &[&str] = &["x a1", "y 1", "x a1"];
const ONE: &str = "move top of bag(a) to a1";
const THREE: &str = "move top of bag(a) to a1 move top of bag(a) to b1 move top of bag(a) to c1";

/// How the setup deals, and what takes the other two tiles of `a` out of the game.
const WAYS: [(&str, &str); 15] = [
    (ONE, "move top of bag(a) to a1"),
    (ONE, "move bottom of bag(a) to a1"),
    (ONE, "move all of bag(a) to own tile"),
    (ONE, "move top 2 of bag(a) to a1 | b1 remove b1"),
    (ONE, "remove a1 move top of bag(a) to a1"),
    (ONE, "move top of bag(a) to c1 move c1 to a1"),
    (ONE, "move top of bag(a) to c1 swap a1, c1 remove c1"),
    (ONE, "move top of bag(a) to b1 rotate (a1 | b1) by 1 remove b1"),
    (ONE, "move top of bag(a) to a1 change a1: turned = 1"),
    (THREE, "remove b1 | c1"),
    (THREE, "change c1: rank = 5 remove b1"),
    (THREE, "put man on b1 | c1"),
    // As many tiles as before.
    (THREE, "put tile of a with rank = 1 on b1 | c1"),
    (THREE, "put man on b1 move b1 to c1"),
    // Before anybody is asked.
    ("move top of bag(a) to a1 move top of bag(a) to a1 move top of bag(a) to a1", ""),
];

/// However its fellows have left the game unseen, a refusal does not depend on which piece is left.
#[test]
fn what_is_left_is_not_named() {
    for (deal, way) in WAYS {
        let engine = engine(deal, way);
        for whole in [true, false] {
            // In a position that is given nothing has left the game.
            if !whole && way.is_empty() {
                continue;
            }
            let all: Vec<_> = (1..=12).map(|seed| told(&engine, STEPS, seed, whole)).collect();
            let ranks: BTreeSet<i32> = all.iter().map(|(_, rank)| *rank).collect();
            assert_eq!(ranks.len(), 3, "{deal}, {way}");
            for ([seat, referee], rank) in &all {
                assert_eq!(seat, &all[0].0[0], "{deal}, {way}: rank {rank}");
                assert!(seat.verdict.is_err(), "{deal}, {way}: rank {rank}");
                assert_ne!(seat, referee, "{deal}, {way}: rank {rank}");
            }
        }
    }
}

/// Where the others lie open, everybody can tell which is left, and it is named.
#[test]
fn what_everybody_can_infer_is_named() {
    let engine = engine(ONE, "move a1 to out move top of bag(a) to a1");
    for seed in 1..=12 {
        for whole in [true, false] {
            let ([seat, referee], rank) = told(&engine, STEPS, seed, whole);
            assert_eq!(seat, referee, "rank {rank}");
            assert!(!seat.veiled, "rank {rank}");
        }
    }
}
