//! Playouts on the fast interpreter allocate nothing from ply to ply.

mod disk;

use std::alloc::System;

use regelwerk::engine::Fast;
use regelwerk::ir::{Move, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Run};
use regelwerk::play::{Chosen, Stream, perft, playout};
use regelwerk::reference::Walker;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use disk::{Disk, read, rules_of};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How much a playout may allocate beyond the program.
const MEBIBYTE: usize = 1 << 20;

/// Bytes in use.
fn in_use() -> usize {
    let stats = COUNTED.stats();
    stats.bytes_allocated.saturating_add_signed(stats.bytes_reallocated).saturating_sub(stats.bytes_deallocated)
}

fn allocations() -> usize {
    let stats = COUNTED.stats();
    stats.allocations + stats.reallocations
}

/// Plays a game five times with the same dice; returns the number of plies in the last game that allocated, and its
/// number of answers. In the first games the buffers for lists grow to their final size.
fn busy_plies(engine: &dyn Engine, run: &mut dyn Run, seed: u64) -> (usize, usize) {
    let (mut busy, mut answers) = (0, 0);
    for _ in 0..5 {
        run.restore();
        let mut dice = Stream::new(seed, "allocations", 0);
        (busy, answers) = (0, 0);
        let mut before = None;
        playout(engine, run, 2_000, None, &mut dice, &mut |_: &mut dyn Run, _: &Chosen| {
            let now = allocations();
            busy += usize::from(before.is_some_and(|before| now > before));
            answers += 1;
            before = Some(allocations());
            true
        });
    }
    (busy, answers)
}

/// One after the other, since all that is allocated meanwhile is counted.
#[test]
fn games_allocate_little() {
    playouts_allocate_nothing_per_ply();
    games_are_played_on_in_place();
    long_lists_take_room();
    tables_are_kept_once();
    long_moves_take_no_more_than_they_need();
}

/// What can be answered is listed at each question that a count goes back to: some hundreds of long lists are too many.
fn long_lists_take_room() {
    let text = "game g\nplayers a, b\naction go { choose n in 1..2 repeat 390 { choose d in 1..90000 } }\n\
                play { turns { mover plays go } }\nend e after move when ply > 9 { draw }\n";
    let engine = Fast::new(load("g.rules", text, &Disk, &Setup::default()).game.expect("a game that checks"));
    let taken = || COUNTED.stats().bytes_allocated.saturating_add_signed(COUNTED.stats().bytes_reallocated);
    let before = taken();
    assert!(perft(&engine, &engine.start(), 1, &|_| ()).limited);
    let taken = taken() - before;
    // All of them have 450 MB.
    assert!(taken < 64 * MEBIBYTE, "{taken} bytes");
}

/// Ninety thousand moves of five parameters are kept several times at once: each by itself takes little beyond what it holds.
fn long_moves_take_no_more_than_they_need() {
    let text = "game g\nplayers a, b\naction go { choose p in 1..10 choose q in 1..10 choose r in 1..10 choose s in 1..10 choose t in 1..9 }\n\
                play { turns { mover plays go } }\nend e after move when ply > 9 { draw }\n";
    let game = || load("g.rules", text, &Disk, &Setup::default()).game.expect("a game that checks");
    for engine in [Box::new(Fast::new(game())) as Box<dyn Engine>, Box::new(Walker::new(game()))] {
        let start = engine.start();
        // An interpreter keeps room to list moves in.
        drop(engine.legal(&start));
        let before = in_use();
        let legal = engine.legal(&start);
        let room = |mv: &Move| size_of_val(mv) + mv.args.len() * size_of::<Value>();
        let needed: usize = legal.iter().map(room).sum();
        let listed = in_use() - before;
        let copied = legal.clone();
        let both = in_use() - before;
        assert_eq!(copied.len(), 90_000);
        assert!(listed * 2 < needed * 3 && both * 2 < needed * 5, "{needed} {listed} {both}");
    }
}

/// A region of two sites on a board of 306 sites has 93 636 values: where they are equal they are kept once, and where rules read
/// them again they take nothing more.
fn tables_are_kept_once() {
    let bytes = |body: &str, uses: usize| {
        let used = "if f in x(f, g) { n += 1 } ".repeat(uses);
        let text = format!(
            "game g\nplayers a, b\nboard square 17 x 18\npiece s owned\nregion x(f: site, g: site) = {body}\nvar n: int\n\
             action go {{ choose f in empty choose g in empty put own s on f {used}}}\nplay {{ turns {{ mover plays go }} }}\n\
             end over after move when ply > 9 {{ draw }}\n"
        );
        let before = in_use();
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let engine = Fast::new(loaded.game.expect("rules that check"));
        let taken = in_use() - before;
        assert!(engine.lowered(), "{body}");
        taken
    };
    let (once, often) = (bytes("f | g", 1), bytes("f | g", 60));
    assert!(often < once + 2 * MEBIBYTE, "{once} {often}");
    let (different, equal) = (bytes("f | g", 1), bytes("f", 1));
    assert!(equal + MEBIBYTE < different, "{equal} {different}");
}

fn playouts_allocate_nothing_per_ply() {
    for game in ["halma", "sternhalma", "kalaha", "halali", "hai-noon", "halli-galli"] {
        let path = rules_of(game);
        let loaded = load(&path.display().to_string(), &read(&path), &Disk, &Setup::default());
        let engine = Fast::new(loaded.game.expect("a shipped game checks"));
        assert!(engine.lowered(), "{game}");
        let start = engine.start();
        let before = in_use();
        let mut run = engine.run();
        run.load(&start);
        run.save();
        for seed in 0..3 {
            let (busy, answers) = busy_plies(&engine, run.as_mut(), seed);
            assert!(answers > 10, "{game}: only {answers} answers");
            assert_eq!(busy, 0, "{game}: of {answers} answers");
        }
        let held = in_use().saturating_sub(before);
        assert!(held > 0 && held < MEBIBYTE, "{game}: {held} bytes held");
    }
}

/// The reference interpreter goes on from a position in place: a zone may hold very many pieces, of which a shuffle asks for each.
fn games_are_played_on_in_place() {
    let text = "game g\nplayers a, b\nkinds card { v: int }\n  | kind |\n  | x |\nzone deck: pile of card, seen by no\n\
                setup { for i in 1..2000 { put x with v = i on deck } shuffle deck }\naction go { choose n in 1..2 }\n\
                play { repeat 2 { a plays go } draw }\n";
    let engine = Walker::new(load("g.rules", text, &Disk, &Setup::default()).game.expect("a game that checks"));
    let (mut run, before) = (engine.run(), COUNTED.stats().bytes_allocated);
    let played = playout(&engine, run.as_mut(), 100, None, &mut Stream::new(1, "cards", 0), &mut |_, _| true);
    let taken = COUNTED.stats().bytes_allocated - before;
    assert_eq!((played.plies, played.questions), (2, 2001));
    // A copy of all cards has 80 kB.
    assert!(taken < 16 * MEBIBYTE, "{taken} bytes");
}
