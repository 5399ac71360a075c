//! What a third attack found, made from the promises alone: each test is a find.

use std::cell::Cell;
use std::sync::Arc;

use regelwerk::Rules;
use regelwerk::bots::{Evaluation, Spec};
use regelwerk::engine::Fast;
use regelwerk::ir::{SeatId, Value};
use regelwerk::load::{NoFiles, RuleFile, Setup, load};
use regelwerk::model::{Ending, Engine, Meter, Viewer};
use regelwerk::play::{Match, Seed, Step, Stream, Who, determinize};
use regelwerk::serve::{Fault, Limits, RuleSource, Selection, Server};
use serde_json::{Value as Json, json};

use crate::limits::Bundled;
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

/// A check counts what it takes to lay variants over the rules, also those that exclude each other: where there are too many
/// pairs to look at, it says that not all are checked.
#[test]
fn pairs_that_exclude_each_other_count() {
    for (count, unfinished) in [(20, false), (360, true)] {
        let variants: Vec<_> = (0..count)
            .map(|at| format!("variant v{at} \"v\" {{ replace end e after move when ply > {at} {{ draw }} }}\n"))
            .collect();
        let variants = variants.concat();
        let text = format!(
            "game g\nplayers a, b\naction go {{ }}\nplay {{ turns {{ mover plays go }} }}\n\
             end e after move when ply > 900 {{ draw }}\n{variants}"
        );
        assert!(text.len() < 30_000);
        let rules = RuleFile::read("g.rules", &text, &NoFiles);
        let loaded = rules.check_all();
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        assert_eq!(loaded.unfinished, unfinished);
        let setups = rules.setups().len();
        assert!(if unfinished { setups > count } else { setups == count + 1 }, "{setups}");
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

/// What is said about all that a seat holds possible takes no more steps together than one decision, and what could not be
/// decided counts as unknown: the grounds are veiled, and nothing is taken back.
#[test]
fn an_information_set_is_looked_through_within_one_budget() {
    for (repeated, decided) in [(1, true), (500_000, false)] {
        let text = format!(
            "game g\nplayers a, b\npiece m {{ up: bool }}\nvar x: int\nzone w: pile of m, seen by no\n\
             setup {{ put 1 m with up = true on w  put 1 m with up = false on w }}\n\
             action go {{ repeat {repeated} {{ x += 1 }} }}\naction wait {{ }}\n\
             play {{ turns {{ mover plays go  mover plays wait }} }}\n\
             end e after move when ply > 900 {{ draw }}\n"
        );
        let loaded = load("g.rules", &text, &NoFiles, &Setup::default());
        let said = reports(&loaded);
        let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{said}")));
        for engine in [&fast as &dyn Engine, fast.reference()] {
            let start = engine.opening();
            let step = Step::Move(engine.legal(&start)[0].clone());
            let mut game = Match::new(engine, start);
            let seat = Who::seat(SeatId::new(0));
            let grounds = game.door(seat).grounds(&step);
            assert!(grounds.verdict.is_ok(), "whether it is legal is always said");
            assert_eq!(grounds.veiled, !decided, "{}: {repeated}", engine.name());
            game.play(step).expect("legal");
            assert_eq!(game.door(seat).undo().is_some(), decided, "{}: {repeated}", engine.name());
        }
    }
}

/// A way that an act of a race goes is listed with the sites it passes, whichever interpreter lists it.
#[test]
fn ways_in_races_have_their_sites() {
    let text = "game g\nplayers a, b\nboard square 5 x 5\npiece man owned\nsetup { put man of a on a1  put man of b on {b2, b4, d4} }\n\
                path jump = (hop diagonal over enemy piece - taken taking to empty)+ fully\n\
                action leap { choose from in own man  choose way in jump(from)  move from to way.to  remove way.taken }\n\
                play { race seats play leap until now + 1000 }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let said = reports(&loaded);
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{said}")));
    assert!(fast.lowered());
    let trails = |engine: &dyn Engine| {
        let start = engine.opening();
        let mut run = engine.run();
        assert!(run.load(&start));
        let mut all = engine.legal(&start);
        run.each_legal(&mut |mv| all.push(mv.clone()));
        all.iter()
            .flat_map(|mv| &mv.args)
            .filter_map(|value| if let Value::Way(way) = value { Some(way.trail.to_vec()) } else { None })
            .collect()
    };
    // From a1 over b2 to c3, and from there over b4 to a5 or over d4 to e5; both lists.
    let site = |name: &str| fast.game().topology.sites.iter().position(|site| site.name == name).expect("a site");
    let number = |name: &str| u32::try_from(site(name)).expect("a number");
    let wanted: Vec<Vec<u32>> =
        [["c3", "a5"], ["c3", "e5"]].iter().map(|way| way.iter().map(|name| number(name)).collect()).collect();
    let mut both = [wanted.clone(), wanted].concat();
    for engine in [&fast as &dyn Engine, fast.reference()] {
        let mut found: Vec<Vec<u32>> = trails(engine);
        found.sort();
        both.sort();
        assert_eq!(found, both, "{}", engine.name());
    }
}

/// A source whose requests are late once it was asked so often, and how often the last one has asked.
struct Hurried {
    patience: Cell<u32>,
    asked: Cell<u32>,
}

impl RuleSource for Hurried {
    fn names(&self) -> Vec<String> {
        Bundled.names()
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        Bundled.open(name, setup)
    }

    fn seed(&self) -> Result<Seed, Fault> {
        Bundled.seed()
    }

    fn begin(&self) {
        self.asked.set(0);
    }

    fn is_late(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() > self.patience.get()
    }
}

/// A request that is late is answered with what there is, and goes on where it stopped.
#[test]
fn a_request_that_is_late_has_what_it_found() {
    let answer = |server: &mut Server<'_>, method: &str, params: Json| -> Json {
        let line = json!({"id": 1, "method": method, "params": params}).to_string();
        let said: Json = serde_json::from_str(&server.answer(&line).text).expect("JSON");
        assert!(said["error"].is_null(), "{said}");
        said["result"].clone()
    };
    let server = |source| Server::new(source, Selection::default(), Limits::default());
    let hurried = Hurried { patience: Cell::new(u32::MAX), asked: Cell::new(0) };
    let (mut late, mut patient) = (server(&hurried), server(&Bundled));
    // Before each answer in the first game, and then before each batch, the time is asked for.
    answer(&mut late, "simulate", json!({"rules": "kalaha", "games": 1, "seed": 5}));
    hurried.patience.set(hurried.asked.get() + 2);
    let asked = json!({"rules": "kalaha", "games": 1_000_000, "seed": 5});
    let first = answer(&mut late, "simulate", asked);
    // One game, twice as many, and again, before it is late.
    assert_eq!([&first["games"], &first["late"]], [&json!(7), &json!(true)]);
    hurried.patience.set(1000);
    let next = answer(&mut late, "simulate", json!({"simulation": first["simulation"], "games": 2}));
    assert_eq!([&next["games"], &next["late"]], [&json!(9), &Json::Null]);
    let whole = answer(&mut patient, "simulate", json!({"rules": "kalaha", "games": 9, "seed": 5}));
    assert_eq!([&whole["plies"], &whole["seats"]], [&next["plies"], &next["seats"]], "the same games");
    answer(&mut late, "new", json!({"rules": "kalaha", "seed": 1}));
    let chosen = answer(&mut late, "choose", json!({"who": "a", "bot": "mcts:4000000000"}));
    assert!(chosen["move"].is_string() && chosen["late"] == json!(true), "{chosen}");
}
