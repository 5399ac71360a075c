//! What a third attack found, made from the promises alone: each test is a find.

use std::cell::Cell;
use std::sync::Arc;

use regelwerk::bots::{Evaluation, Spec};
use regelwerk::engine::Fast;
use regelwerk::ir::SeatId;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ending, Engine, Meter, Viewer};
use regelwerk::play::{Match, Stream, Who, determinize};

use crate::support::reports;

/// More steps than anything here takes.
const ALL: u64 = 1 << 40;

/// Both interpreters of a game whose only action, `go`, has this head and these effects.
fn engines(action: &str, play: &str) -> Fast {
    let text = format!(
        "game g\nplayers a, b\nvar x: int\naction go {{ {action} }}\nplay {{ {play} }}\n\
         end e after move when ply > 900 {{ draw }}\n"
    );
    let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
    let said = reports(&loaded);
    Fast::new(loaded.game.unwrap_or_else(|| panic!("{said}")))
}

const TURNS: &str = "turns { mover plays go }";

/// So many choices of one value each.
fn choices(count: usize) -> String {
    (0..count).map(|at| format!("choose z{at} in {{{at}}} ")).collect::<Vec<_>>().concat()
}

/// The moves that are listed at once have 500 000 parameters at most, on both interpreters.
#[test]
fn listed_moves_have_no_more_parameters_than_fit() {
    for (count, listed) in [(10_000, 10_000), (10_001, 0)] {
        // One value at first, so that the game begins.
        let last = format!("choose n in 1..(1 + x * {})  x := 1", count - 1);
        let fast = engines(&format!("{} {last}", choices(49)), TURNS);
        assert!(fast.lowered());
        for engine in [&fast as &dyn Engine, fast.reference()] {
            let start = engine.start();
            let next = engine.play_unchecked(&start, &engine.legal(&start)[0]);
            assert_eq!(engine.legal(&next).len(), listed, "{}: {count}", engine.name());
            let mut run = engine.run();
            assert!(run.load(&next));
            assert_eq!(run.count(), listed, "{}: {count}", engine.name());
        }
    }
}

/// What a meter allows one decision is all it takes, however much is left for others.
#[test]
fn a_meter_limits_each_decision() {
    let fast = engines("choose n in 1..2  repeat n * 20000 { x += 1 }", TURNS);
    for engine in [&fast as &dyn Engine, fast.reference()] {
        let start = engine.start();
        let ends = |meter: &Meter, n: usize| {
            let hurried = engine.within(meter);
            let mut run = hurried.run();
            assert!(run.load(&start));
            run.play_nth(n);
            run.outcome().is_some_and(|outcome| matches!(outcome.ending, Ending::Budget(_)))
        };
        let all = Meter::new(ALL);
        assert!(!ends(&all, 0), "{}", engine.name());
        let one = ALL - all.grant(ALL);
        assert!(one > 20_000, "{}: {one}", engine.name());
        // The second move takes twice as long.
        let shared = Meter::new(ALL);
        let each = shared.clone().each(one + one / 2);
        assert!(!ends(&each, 0) && ends(&each, 1), "{}", engine.name());
        let both = ALL - shared.grant(ALL);
        assert!((one..=3 * one).contains(&both), "{}: {both}", engine.name());
        assert!(!engine.play_unchecked(&start, &engine.legal(&start)[1]).is_over(), "nothing else is limited");
    }
}

/// A bot that is told to stop makes no more decisions than one for each time it asks, and one more.
#[test]
fn a_search_stops_after_any_decision() {
    let heavy = "repeat 3000 { x += 1 }";
    let (wide, rolled) = (format!("choose n in 1..300 {heavy}"), format!("choose n in 1..2 roll d in 1..300 {heavy}"));
    // Long games: the playouts of a search have thousands of decisions together.
    for (action, bot) in
        [(&wide, "alphabeta:3"), (&rolled, "alphabeta:3"), (&wide, "mcts:50:200"), (&rolled, "mcts:50:200")]
    {
        let meter = Meter::new(ALL);
        let engine = engines(action, TURNS).metered(&meter);
        let taken = |what: &mut dyn FnMut()| {
            let before = meter.grant(ALL);
            what();
            before - meter.grant(ALL)
        };
        let start = engine.start();
        let one = taken(&mut || {
            let next = engine.play_unchecked(&start, &engine.legal(&start)[0]);
            if let Some(rolled) = engine.legal(&next).first() {
                engine.play_unchecked(&next, rolled);
            }
        });
        assert!(one > 3000, "{one}");
        let evaluation = Arc::new(Evaluation::new(&engine));
        let spec: Spec = bot.parse().expect("a bot");
        let game = Match::new(&engine, start.clone());
        let (view, known) = game.door(Who::seat(SeatId::new(0))).seated().expect("a seat");
        for patience in [0_u64, 5] {
            let asked = Cell::new(0_u64);
            let stop = || asked.replace(asked.get() + 1) >= patience;
            let steps = taken(&mut || {
                let chosen = spec.bot(&engine, &evaluation, Stream::new(1, "bot", 0)).choose(&view, &known, &stop);
                assert!(chosen.is_some_and(|chosen| chosen < view.legal.len()));
            });
            let most = (patience + 3) * one;
            assert!(steps <= most, "{bot} {action}: {steps}, {most}");
        }
    }
}

/// However deep a search may go, it goes no deeper than there is memory and stack for.
#[test]
fn a_search_has_a_greatest_depth() {
    let meter = Meter::new(ALL);
    // Both moves lead to the same position, so that a depth takes no more than two decisions for each answer.
    let engine = engines("choose n in 1..2  x += 1", TURNS).metered(&meter);
    let evaluation = Arc::new(Evaluation::new(&engine));
    let spec: Spec = "alphabeta:4000000000".parse().expect("a bot");
    let game = Match::new(&engine, engine.start());
    let (view, known) = game.door(Who::seat(SeatId::new(0))).seated().expect("a seat");
    let asked = Cell::new(0_u64);
    let stop = || {
        asked.set(asked.get() + 1);
        false
    };
    assert!(spec.bot(&engine, &evaluation, Stream::new(1, "bot", 0)).choose(&view, &known, &stop).is_some());
    let most = 3 * 128 * 128;
    assert!(asked.get() <= most, "{}", asked.get());
}

/// Bots learn what positions are worth from random games, which end however long the rules take over each move.
#[test]
fn learning_what_positions_are_worth_ends() {
    let meter = Meter::new(ALL);
    // Seven thousand plies at two million steps each.
    let engine = engines("choose n in 1..2  repeat 5000000 { x += 1 }", TURNS).metered(&meter);
    assert!(Evaluation::new(&engine).survey().plies < 2.0, "no decision is looked into for so long");
    assert_eq!(meter.grant(ALL), ALL, "it has steps of its own");
}

/// A variant is chosen once, and no more is chosen than can be meant, before anything is done with it.
#[test]
fn no_variant_is_chosen_twice() {
    let refused = |setup: Setup| {
        let error = regelwerk::serve::bundled("kalaha", &setup).expect_err("more than can be meant");
        assert!(!error.cure.is_empty());
        error.message
    };
    let setup = |variants: Vec<String>| Setup { variants, ..Setup::default() };
    let name = "left_store".to_owned();
    assert!(regelwerk::serve::bundled("kalaha", &setup(vec![name.clone()])).is_ok());
    assert_eq!(refused(setup(vec![name.clone(), name.clone()])), "the variant `left_store` is chosen twice");
    assert!(refused(setup(vec![name; 1000])).contains("chosen twice"));
    let many = |letter: char| (0..1001).map(|at| format!("{letter}{at}")).collect::<Vec<_>>();
    assert!(refused(setup(many('v'))).contains("more than the 1000 that a setup can have"));
    let pairs: Vec<_> = many('o').into_iter().map(|name| (name, "1".to_owned())).collect();
    for setup in
        [Setup { options: pairs.clone(), ..Setup::default() }, Setup { readings: pairs.clone(), ..Setup::default() }]
    {
        assert!(refused(setup).contains("more than the 1000"));
    }
}

/// What is hidden is dealt anew in time in proportion to the pieces, wherever they may lie: each of them fits.
#[test]
fn large_decks_are_dealt_in_time() {
    let text = "game g\nplayers a, b\nkind_items\nzone z: pile of m | n, seen by all\nzone w: pile of n, seen by no\n\
        zone y(p: seat): set of m | n, seen by p\nsetup { put 30000 m on z  put 30000 n on z  put 30000 n on w }\n\
        action go { move top of z to y(me) }\nplay { turns { mover plays go } }\nend e after move when ply >= 9 { draw }\n"
        .replace("kind_items", "piece m { up: bool }\npiece n { up: bool }");
    let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
    let said = reports(&loaded);
    let engine = Fast::new(loaded.game.unwrap_or_else(|| panic!("{said}")));
    let start = engine.opening();
    let mut dice = Stream::new(1, "deal", 0);
    for _ in 0..3 {
        let dealt = determinize(&engine, &start, Viewer::Seat(SeatId::new(0)), &mut dice);
        let kind = |zone: usize, kind: usize| {
            dealt.zones[zone].iter().flatten().filter(|piece| usize::from(piece.kind) == kind).count()
        };
        assert_eq!([kind(0, 0), kind(0, 1), kind(1, 0), kind(1, 1)], [30_000, 30_000, 0, 30_000]);
        assert_ne!(dealt.zones[0], start.zones[0], "they have changed places");
    }
}
