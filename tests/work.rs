//! Whatever work an interpreter does, it takes steps for it: large expressions, operations on large sets and zones, paths
//! with many starts. So no decision takes much longer than its budget allows.

use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Meter};
use regelwerk::play::{Reactions, Stop, Stream, perft, playout};
use regelwerk::reference::Walker;

use crate::support::reports;

fn fast(rules: &str) -> Fast {
    let loaded = load("g.rules", rules, &NoFiles, &Setup::default());
    let said = reports(&loaded);
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{rules}\n{said}")));
    assert!(fast.lowered(), "{rules}\n{said}");
    fast
}

/// What both interpreters take for something, the fast one first.
fn taken(fast: &Fast, work: &dyn Fn(&dyn Engine)) -> [u64; 2] {
    const ALL: u64 = 1 << 60;
    let (one, other) = (Meter::new(ALL), Meter::new(ALL));
    let engines: [(Box<dyn Engine>, &Meter); 2] =
        [(Box::new(fast.clone().metered(&one)), &one), (Box::new(fast.reference().clone().metered(&other)), &other)];
    engines.map(|(engine, meter)| {
        work(engine.as_ref());
        ALL - meter.grant(ALL)
    })
}

const TIMES: u64 = 4;

/// The steps for a statement, on a board of 32 × 32 full of pieces; nearly all of them are its own.
fn steps_for(statement: &str) -> [u64; 2] {
    let declared = "board square 32 x 32\npiece s owned { h: int }\npiece r\ntokens seed\n\
         piece card { c: int }\nzone z: pile of card\nzone u: set of card\nvar n: int\nvar all_: set of site = sites\n\
         var i: set of int = 1..1000\npath far = (slide directions through sites)*\n\
         path over = (hop directions over occupied to sites)*\npath on = (step directions to sites)*\n\
         setup { for k in 1..500 { put card with c = k on z  put card with c = k on u }  put s of a on sites - a1 }";
    steps_with(declared, statement)
}

/// The same where these items are declared.
fn steps_with(declared: &str, statement: &str) -> [u64; 2] {
    let fast = fast(&format!(
        "game g\nplayers a, b\n{declared}\n\
         action go {{ repeat {TIMES} {{ {statement} }} }}\nplay {{ turns {{ mover plays go }} }}\n\
         end e after move when ply > 3 {{ draw }}\n"
    ));
    taken(&fast, &|engine| {
        let start = engine.start();
        let next = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        assert!(!next.is_over(), "{statement}");
    })
}

/// A balanced tree of these operands.
fn tree(word: &str, mut operands: Vec<String>) -> String {
    while operands.len() > 1 {
        operands = operands.chunks(2).map(|pair| format!("({})", pair.join(word))).collect();
    }
    operands.pop().unwrap_or_default()
}

#[test]
fn what_an_operation_looks_at_costs_steps() {
    let numbers = |of: &dyn Fn(usize) -> String| (0..100).map(of).collect::<Vec<_>>();
    let sums = format!("n := {}", tree(" + ", numbers(&|k| format!("abs(n - {k})"))));
    let around = format!("n := {}", tree(" + ", numbers(&|_| "count(around(all_))".to_owned())));
    let tests = format!("if {} {{ n := 0 }}", tree(" or ", numbers(&|k| format!("n < 0 - {}", k + 1))));
    let body = tree(" and ", numbers(&|k| format!("n > 0 - {}", k + 1)));
    let each = format!("if all f in sites: {body} {{ n := 0 }}");
    let filter = format!("n := count({{f in sites where {body}}}) - 1024");
    // Each with the least, far below what it is, that both interpreters may take for it: what it looks at, or an eighth where that is copied.
    for (statement, least) in [
        (sums.as_str(), 200),
        (&around, 200),
        (&tests, 100),
        (&each, 100_000),
        (&filter, 2000),
        ("n += seed at all_", 128),
        ("rotate sites by 1", 256),
        ("move all seed from sites to a1", 128),
        ("put 1 seed on sites", 128),
        ("put s of b on sites", 128),
        ("change sites: h = n mod 7", 128),
        ("if i within i { n += 1 }", 2000),
        ("if i meets i { n += 1 }", 2000),
        ("n += count(i & i)", 2000),
        ("n += count(i - i)", 2000),
        ("if z within u and z meets u { n += 1 }", 2000),
        ("change u: c = n mod 7", 500),
        ("move all of u to z  move all of z to u", 1000),
        ("put r on a1  n += count(far(b2))  remove a1", 1000),
        ("put r on a1  n += count(over(b2))  remove a1", 200),
        ("put r on a1  n += count(on(b2))  remove a1", 30),
        ("if connected(a1, b2, all_) { n += 1 }", 30),
    ] {
        for (engine, steps) in ["fast", "reference"].iter().zip(steps_for(statement)) {
            let shown: String = statement.chars().take(80).collect();
            assert!(
                steps >= least * TIMES,
                "{engine}: {steps} steps for {TIMES} times `{shown}`, at least {least} each"
            );
        }
    }
}

/// The steps for a statement on an empty board.
fn steps_on(board: &str, statement: &str) -> [u64; 2] {
    let rest = "piece s owned { h: int }\nvar n: int\nvar all_: set of site = sites\n\
         path over(D: set of direction) = hop D over sites to sites";
    steps_with(&format!("board {board}\n{rest}"), statement)
}

/// Links of graphs are followed, and sites are looked at for pieces that are not there: each with the least that the fast
/// interpreter may take for it, and the reference. (The fast one has sets of sites with pieces, and tables of neighbours.)
#[test]
fn links_and_empty_sites_cost_steps() {
    let lines = |lines: Vec<String>| format!("graph {{\n{}\n}}", lines.join("\n"));
    let pairs = (0..60).flat_map(|one| (one + 1..60).map(move |other| format!("p{one} - p{other}")));
    let complete = lines(pairs.collect());
    let layers = (0..11).flat_map(|l| (0..36).map(move |n| format!("l{l}_{} - l{}_{}", n / 6, l + 1, n % 6)));
    let layers = lines(layers.collect());
    let parallel = lines((0..200).map(|n| format!("d{n}: x - y")).collect());
    for (board, statement, least) in [
        ("ring 1000", "for x at all_ { n += 1 }", [0, 1000 / 8]),
        ("ring 1000", "n += sum x.h for x at all_", [0, 1000 / 8]),
        ("ring 1000", "for x in all_ { }", [1000 / 8, 1000]),
        ("ring 1000", "n += count(group(s1, all_, ahead))", [1, 1900]),
        ("ring 1000", "n += count(rows(all_, 3))", [4000, 4000]),
        // Each of four times 60 ways is kept four times: by `take`, the step, the repetition and the union. The reference
        // copies what each took as well: a trail of 1 to 60 sites, for 2 steps a site, by the step for 4.
        (
            "ring 60\npath laden = (take then step ahead to sites - taken)*\npath again = laden or laden or laden or laden",
            "n += count(again(s1))",
            [4 * 60 * 4 * 5, 4 * 1830 * (2 + 4 + 2 + 2)],
        ),
        (&complete, "n += count(around(all_))", [1, 60 * 59 / 16]),
        (&complete, "n += count(group(p0, all_))", [1, 60 * 59 / 16]),
        (&complete, "n += distance(p0, p59)", [1, 60 * 59 / 16]),
        (&complete, "n += count(between(p0, p30))", [0, 59 / 16]),
        (&layers, "n += count(over(all_, directions))", [72 * 100 / 16, 1]),
        (&parallel, "n += count(opposite(directions))", [0, 200 * 200 / 16]),
        (&parallel, "n += sum count(between(x, t)) for t in all_", [0, 200 / 2]),
    ] {
        for ((engine, steps), least) in ["fast", "reference"].iter().zip(steps_on(board, statement)).zip(least) {
            assert!(
                steps >= least * TIMES,
                "{engine}: {steps} steps for {TIMES} times `{statement}`, at least {least} each"
            );
        }
    }
}

/// What seats intend in a race takes the steps that it takes, not those that were set aside for it.
#[test]
fn cues_cost_what_they_look_at() {
    let fast = fast(
        "game g\nplayers a, b, c\nvar n: int\naction hit { n += 1 }\ncue hit: n >= 0\n\
         play { while ply < 90 { race seats play hit until now + 5000 else { n += 1 } } draw }\n",
    );
    for whole in [Meter::new(1 << 60), Meter::new(1 << 60).throughout()] {
        let fast = fast.clone().metered(&whole);
        let (mut run, mut dice) = (fast.run(), Stream::new(1, "game", 0));
        assert!(run.load(&fast.start()));
        let played = playout(&fast, run.as_mut(), 200, Some(&Reactions::default()), &mut dice, &mut |_, _| true);
        assert_eq!((played.stop, played.plies), (Stop::Over, 90));
        let taken = (1 << 60) - whole.grant(1 << 60);
        assert!((90..90 * 1000).contains(&taken), "{taken} steps for 90 plies");
        let reference = fast.reference().clone().metered(&whole);
        for seat in SeatId::all(3) {
            assert!(reference.explain().cued(&fast.start(), seat).0.is_some());
        }
        let more = (1 << 60) - whole.grant(1 << 60) - taken;
        assert!(more < 1000, "{more} steps for three seats");
    }
}

/// Sites that are passed over in sowing are looked at.
#[test]
fn skipped_sites_cost_steps() {
    let fast = fast(
        "game g\nplayers a, b\nboard ring 1000\ntokens seed\nvar passed: set of site = sites - s1\n\
         setup { put 100 seed on s1 }\naction go { sow seed from s1 along ahead skip passed as last }\n\
         play { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n",
    );
    let steps = taken(&fast, &|engine| {
        let start = engine.start();
        assert!(!engine.play_unchecked(&start, &engine.legal(&start)[0]).is_over());
    });
    assert!(steps.iter().all(|steps| *steps > 100 * 1000 / 8), "{steps:?}");
}

/// Rows of a graph are looked at one by one: there may be very many, where sites have many neighbours in one direction.
#[test]
fn rows_of_a_graph_cost_steps() {
    let edges: Vec<String> =
        (1..=60).flat_map(|a| [(a, 1), (a, 2)]).map(|(a, hub)| format!("d: s{a} - h{hub}")).collect();
    let fast = fast(&format!(
        "game g\nplayers a, b\nboard graph {{\n  {}\n}}\nvar v: int \"v\"\nvar whole: set of site = sites \"whole\"\n\
         action go {{ repeat 10 {{ v += count(rows(whole, 3)) }}  whole := whole - s1 }}\n\
         play {{ turns {{ mover plays go }} }}\nend e after move when ply > 3 {{ draw }}\n",
        edges.join("\n  ")
    ));
    let steps = taken(&fast, &|engine| {
        let start = engine.start();
        let after = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        // All sites lie in rows through one of the hubs.
        assert_eq!(after.vars[0][0].int(), 10 * 62);
    });
    // For each hub the pairs of its neighbours, in each of ten rounds, eight of them a step.
    assert!(steps.iter().all(|steps| *steps > 10 * 2 * 60 * 59 / 2 / 8), "{steps:?}");
}

/// A game of so many plies with an action whose path has thousands of ways.
fn many_ways(plies: u32) -> Fast {
    fast(&format!(
        "game g\nplayers a, b\nboard square 4 x 3\npiece man owned\nvar n: int \"n\"\n\
         path grab = (step to man - taken then take)*\nsetup {{ put man of a on sites }}\n\
         action go {{ choose w in grab(b2)  choose p in {{me}}  n += count(w.taken) + p.number }}\n\
         play {{ turns {{ mover plays go }} }}\nend e after move when ply >= {plies} {{ draw }}\n"
    ))
}

/// Listing moves with ways takes steps in proportion to the ways, not to their square; so does counting them, which
/// plays each, and neither lists them anew for each.
#[test]
fn ways_are_listed_and_played_once() {
    // Nobody is asked again, which would follow the path again.
    let fast = many_ways(1);
    let moves = fast.legal(&fast.start()).len() as u64;
    assert!(moves > 1000, "{moves}");
    // A way is reached from each side, takes up to a dozen sites, and costs four steps for each of them.
    let listing = taken(&fast, &|engine| assert_eq!(engine.legal(&engine.start()).len() as u64, moves));
    assert!(listing.iter().all(|steps| (moves..400 * moves).contains(steps)), "{listing:?} steps for {moves} moves");
    let counting = taken(&fast, &|engine| {
        assert_eq!(perft(engine, &engine.start(), 1, &|_| {}).by_depth, [moves]);
    });
    // Each thread lists the moves, and so does each part of the work that is given to another thread.
    for (list, count) in listing.iter().zip(counting) {
        assert!(count < 100 * list + 100 * moves, "{count} steps, {list} to list the {moves} moves once");
    }
}

/// The reference alone, on which `Walker::run` is based.
#[test]
fn moves_are_replayed_alike() {
    let fast = many_ways(3);
    let walker: &Walker = fast.reference();
    for engine in [&fast as &dyn Engine, walker] {
        let start = engine.start();
        let mut run = engine.run();
        assert!(run.load(&start));
        let moves = engine.legal(&start);
        for listed in [false, true] {
            if listed {
                assert_eq!(run.count(), moves.len());
            }
            run.save();
            for at in [0, moves.len() / 2, moves.len() - 1] {
                run.replay_nth(at);
                assert_eq!(run.position(), engine.play_unchecked(&start, &moves[at]), "{} {at}", engine.name());
            }
            run.restore();
            assert_eq!(run.position(), start);
            run.forget();
        }
    }
}

/// The outcomes of a shuffle are counted and told by their number, and are those that are listed.
#[test]
fn shuffles_are_not_listed() {
    let loaded = load(
        "g.rules",
        "game g\nplayers a, b\npiece card { c: int }\nzone z: row of card\n\
         setup { for k in 1..30 { put card with c = k on z } }\naction go { shuffle z }\n\
         play { turns { mover plays go } }\nend e after move when ply > 3 { draw }\n",
        &NoFiles,
        &Setup::default(),
    );
    let fast = Fast::new(loaded.game.expect("a game"));
    for engine in [&fast as &dyn Engine, fast.reference()] {
        let start = engine.start();
        let shuffle = engine.play_unchecked(&start, &engine.legal(&start)[0]);
        let mut run = engine.run();
        assert!(run.load(&shuffle));
        let listed = engine.legal(&shuffle);
        assert_eq!((run.count(), listed.len()), (30, 30), "{}", engine.name());
        for at in [0, 7, 29, 30] {
            assert_eq!(run.legal(at).as_ref(), listed.get(at), "{}", engine.name());
        }
        run.play_nth(7);
        assert_eq!(run.position(), engine.play_unchecked(&shuffle, &listed[7]), "{}", engine.name());
    }
}

/// What is worked out between decisions that make no ply, or outcomes of chance, has a budget: here each takes 20 000 steps
/// and more, and there would be 10 000 of them.
#[test]
fn what_comes_without_a_ply_has_a_budget() {
    for between in ["mover may play never", "roll n in 1..2"] {
        let text = format!(
            "game g\nplayers a, b\nvar n: int\nvar on: bool\naction never {{ require on }}\n\
             play {{ turns {{ repeat 20000 {{ n += 1 }} {between} }} }}\n"
        );
        let fast = fast(&text);
        for engine in [&fast as &dyn Engine, fast.reference()] {
            let (mut run, mut dice) = (engine.run(), Stream::new(1, "game", 0));
            assert!(run.load(&engine.start()));
            let played = playout(engine, run.as_mut(), 200, None, &mut dice, &mut |_, _| true);
            assert_eq!((played.stop, played.plies), (Stop::Budget, 0), "{between}: {}", engine.name());
            assert!((10..=2000).contains(&played.questions), "{between}: {}: {}", engine.name(), played.questions);
        }
    }
}

/// A position that holds much is copied for each decision, which takes steps in proportion.
#[test]
fn copying_a_large_position_costs_steps() {
    let game = |members: usize| {
        fast(&format!(
            "game g\nplayers a, b\nboard square 3 x 3\nvar s(p: seat): set of int\nvar n: int\n\
             setup {{ for p in seats {{ s(p) := 1..{members} }} }}\naction go {{ n += 1 }}\n\
             play {{ turns {{ mover plays go }} }}\nend e after move when n > 50 {{ draw }}\n"
        ))
    };
    let steps = |members: usize| {
        let fast = game(members);
        let (start, meter) = (fast.start(), Meter::new(1 << 40));
        let legal = fast.legal(&start);
        let metered = fast.clone().metered(&meter);
        let _ = metered.play_unchecked(&start, &legal[0]);
        (1 << 40) - meter.left()
    };
    let (small, large) = (steps(9), steps(40_000));
    // Two sets of 40 000 numbers of eight bytes each are at least 1250 times 512 bytes.
    assert!(small < 100 && large > 1250, "{small} {large}");
}
