//! The fast interpreter against the reference: the same moves in the same order, successors, keys, outcomes and
//! violated invariants.

use regelwerk::conformance::mutants;
use regelwerk::engine::Fast;
use regelwerk::ir::{Game, Move, SeatId, Value};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::measure::{Plan, simulate};
use regelwerk::model::{Ask, Engine, Position, Run};
use regelwerk::notation::parse_position;
use regelwerk::play::{Reactions, Stop, Stream, playout};
use regelwerk::reference::Walker;

use crate::support::{Disk, GAMES, classics, fixtures, game, print_position, read, reports, rules_of, setups, walk};

/// Compares what the seats intend to do in a race, and which acts are legal later on, where the run can tell.
fn compare_race(reference: &Walker, run: &mut dyn Run, position: &Position, legal: &[Move], dice: &mut Stream) {
    let text = || print_position(reference, position);
    for seat in SeatId::all(reference.game().seats.len()) {
        if let Some(cued) = run.cued(seat) {
            assert_eq!(Some(cued), reference.explain().cued(position, seat).0, "{}: seat {seat:?}", text());
        }
    }
    assert_eq!(run.now(), position.now, "{}", text());
    for _ in 0..2 {
        let mut act = legal[dice.below(legal.len())].clone();
        if let Some(Value::Int(time)) = act.args.get_mut(1) {
            *time += i64::try_from(dice.below(1000)).unwrap_or_default() - 20;
        }
        if let Some(allowed) = run.allows_act(&act) {
            assert_eq!(allowed, reference.explain().refusal(position, &act).is_none(), "{}: {act:?}", text());
        }
    }
}

/// Plays one random game on both and compares them at every question. Returns how many positions were compared.
pub(crate) fn compare(fast: &Fast, seed: u64, length: usize, what: &str) -> usize {
    let reference = fast.reference();
    let show = |position: &Position| print_position(reference, position);
    let mut position = reference.start();
    assert_eq!(fast.start(), position, "{what}: the start");
    let mut run = fast.run();
    assert!(run.load(&position), "{what}: the start cannot be taken up");
    let mut dice = Stream::new(seed, "equal", 0);
    let mut seen = 0;
    for _ in 0..length {
        let legal = reference.legal(&position);
        let text = || format!("{what}, seed {seed}: {}", show(&position));
        assert_eq!(run.count(), legal.len(), "{}: {:?}", text(), legal);
        let listed: Vec<_> = (0..legal.len()).filter_map(|n| run.legal(n)).collect();
        assert_eq!(listed, legal, "{}", text());
        assert_eq!(run.ask(), position.ask, "{}", text());
        assert_eq!(run.violations(), reference.violations(&position), "{}", text());
        if position.is_over() || legal.is_empty() {
            break;
        }
        if matches!(position.ask, Ask::Race { .. }) {
            compare_race(reference, run.as_mut(), &position, &legal, &mut dice);
        }
        let chosen = dice.below(legal.len());
        let next = reference.play_unchecked(&position, &legal[chosen]);
        run.play_nth(chosen);
        let found = run.position();
        assert!(found == next, "{}\n{:?}\nreference {next:#?}\nfast {found:#?}", text(), legal[chosen]);
        // A position loaded anew equals the one modified in place.
        if seen % 7 == 0 {
            assert_eq!(fast.play_unchecked(&position, &legal[chosen]), next, "{}", text());
            assert!(run.load(&next), "{}: cannot be taken up", text());
        }
        seen += usize::from(!matches!(next.ask, Ask::Chance { .. }));
        position = next;
    }
    seen
}

/// Every setup of a rule file, and every reading that is not the default.
fn everywhere(games: usize, length: usize, wanted: &dyn Fn(&str) -> bool) -> usize {
    let mut seen = 0;
    let bundled = GAMES.iter().map(|game| rules_of(game));
    for path in bundled.chain(fixtures()).filter(|path| wanted(&path.display().to_string())) {
        for setup in setups(&path) {
            let what = format!("{} {setup:?}", path.display());
            let fast = Fast::new(game(&path, &setup));
            if !fast.lowered() {
                continue;
            }
            for seed in 0..games as u64 {
                seen += compare(&fast, seed, length, &what);
            }
        }
    }
    seen
}

/// The classics in their default setups, as far as they are lowered.
fn classics_agree(games: u64, length: usize) -> usize {
    let mut seen = 0;
    for path in classics() {
        let fast = Fast::new(game(&path, &Setup::default()));
        if fast.lowered() {
            seen += (0..games).map(|seed| compare(&fast, seed, length, &path.display().to_string())).sum::<usize>();
        }
    }
    seen
}

#[test]
fn both_interpreters_agree_on_classics() {
    let seen = classics_agree(1, 12);
    assert!(seen > 200, "only {seen} positions");
}

#[test]
fn both_interpreters_agree() {
    let seen = everywhere(1, 60, &|_| true);
    assert!(seen > 5_000, "only {seen} positions");
}

/// Mutants are rules too: both interpreters must agree on them. Tries every `step`-th mutant of each game; returns
/// how many were compared.
fn disturbed(step: usize) -> usize {
    let mut seen = 0;
    for name in GAMES {
        let path = rules_of(name);
        let text = read(&path);
        for mutant in mutants(name, &text).into_iter().step_by(step) {
            let loaded = load(&path.display().to_string(), &mutant.text(&text), &Disk, &Setup::default());
            if let Some(game) = loaded.game {
                let fast = Fast::new(game);
                if fast.lowered() {
                    compare(&fast, 5, 25, &format!("{name}, {}", mutant.what));
                    seen += 1;
                }
            }
        }
    }
    seen
}

#[test]
fn both_agree_on_mutants() {
    let seen = disturbed(12);
    assert!(seen > 50, "only {seen} files");
}

/// The full run: `cargo test --release -- --ignored every_disturbed`.
#[test]
#[ignore = "minutes; run by hand in release mode"]
#[expect(clippy::print_stdout, reason = "the full run tells its figure")]
fn every_disturbed_rule_agrees() {
    println!("{} disturbed files agreed", disturbed(1));
}

/// The full run: `cargo test --release -- --ignored a_million`.
#[test]
#[ignore = "minutes; run by hand in release mode"]
#[expect(clippy::print_stdout, reason = "the full run tells its figure")]
fn a_million_positions_agree() {
    let seen = everywhere(5, 3_000, &|_| true);
    println!("{seen} positions agreed");
    assert!(seen >= 1_000_000, "only {seen} positions");
}

/// Classics of which the reference plays some hundred plies a second or fewer, and how many positions are
/// compared of each.
const SLOW: &[(&str, usize)] = &[
    ("battleship", 8_000),
    ("chess", 12_000),
    ("go", 3_000),
    ("hnefatafl", 10_000),
    ("lines-of-action", 10_000),
    ("quoridor", 3_000),
    ("shogi", 6_000),
    ("xiangqi", 8_000),
];

/// The same for the classics, in every setup:
/// `cargo test --test suite a_million_positions_of -- --ignored --nocapture`.
#[test]
#[ignore = "minutes; run by hand"]
#[expect(clippy::print_stdout, reason = "the full run tells its figures")]
fn a_million_positions_of_classics_agree() {
    let mut seen = 0;
    for path in classics() {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let wanted = SLOW.iter().find(|(slow, _)| *slow == name).map_or(38_000, |(_, wanted)| *wanted);
        let setups = setups(&path);
        let mut of_game = 0;
        for setup in &setups {
            let fast = Fast::new(game(&path, setup));
            assert!(fast.lowered(), "{name} {setup:?}");
            let mut of_setup = 0;
            for seed in 0..100_000 {
                of_setup += compare(&fast, seed, 3_000, &format!("{name} {setup:?}"));
                if of_setup * setups.len() >= wanted {
                    break;
                }
            }
            of_game += of_setup;
        }
        println!("{name}: {of_game} positions agreed in {} setups", setups.len());
        seen += of_game;
    }
    println!("{seen} positions agreed");
    assert!(seen >= 1_000_000, "only {seen} positions");
}

/// The same games give the same statistics on either interpreter and any number of threads.
#[test]
fn simulations_agree() {
    for name in GAMES {
        let game = || game(&rules_of(name), &Setup::default());
        let (fast, reference) = (Fast::new(game()), Walker::new(game()));
        let reactions = Some(Reactions::default());
        for (seed, reactions) in [(3, None), (4, reactions)] {
            let plan = Plan { cap: 80, seed, invariants: true, traced: 1, reactions };
            let on = |engine: &dyn Engine, threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                pool.install(|| simulate(engine, &engine.start(), &plan, 0..6, &|_| ()))
            };
            let wanted = on(&reference, 1);
            assert_eq!(on(&fast, 1), wanted, "{name}");
            assert_eq!(on(&fast, 2), wanted, "{name} on two threads");
        }
    }
}

/// What a position given by hand holds and no rule brings about is played by the reference interpreter.
#[test]
fn positions_beyond_the_rules_are_played_alike() {
    let text = "game g\nplayers p, q\nboard square 3 x 3\npiece man owned\npiece tower { height: int = 1 }\n\
        setup { put tower on b2 }\naction a { choose f in empty  put own man on f }\nplay { turns { mover plays a } }\n\
        end e after move when no empty { draw }\n";
    let loaded = load("g.rules", text, &Disk, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered());
    let plan = Plan { cap: 20, seed: 1, invariants: true, traced: 1, reactions: None };
    for height in [1, 2, -7] {
        let position = format!("g 2 | mover=p | tower{{height={height}}}: b2");
        let position = parse_position(&fast, &position).unwrap_or_else(|why| panic!("{position}: {why}"));
        let on = |engine: &dyn Engine| simulate(engine, &position, &plan, 0..4, &|_| ());
        let found = on(&fast);
        assert_eq!(found, on(fast.reference()), "{height}");
        let mut run = fast.run();
        // The lowered program takes over again where it can.
        for (position, count) in [(&position, 8), (&fast.start(), 8), (&position, 8)] {
            assert!(run.load(position));
            assert_eq!(run.count(), count);
            run.save();
            run.play_nth(0);
            assert_eq!(run.count(), count - 1);
            run.restore();
            assert_eq!(run.position(), *position);
        }
    }
}

/// The ending of a game is what ended it, not the end condition tested last in the previous game.
#[test]
fn an_ending_does_not_carry_over_to_the_next_game() {
    let text = "game lot\nplayers a, b\nboard track 2\npiece man owned\n\
        action go { choose f in empty  put own man on f }\nend settled after move when true { win mover }\n\
        play { turns { roll d in 1..2  if d == 1 { draw }  mover plays go } }\n";
    let loaded = load("g.rules", text, &Disk, &Setup::default());
    let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
    assert!(fast.lowered());
    let plan = Plan { cap: 9, seed: 1, invariants: false, traced: 0, reactions: None };
    let on = |engine: &dyn Engine| simulate(engine, &engine.start(), &plan, 0..20, &|_| ());
    assert_eq!(on(&fast), on(fast.reference()));
}

/// What is not lowered is not compared above: every fixture is lowered, and every classic with its variants and
/// readings.
#[test]
fn fixtures_and_classics_are_lowered() {
    for path in fixtures().into_iter().chain(classics()) {
        for setup in setups(&path) {
            let fast = Fast::new(game(&path, &setup));
            let (_, gaps) = fast.lowering().expect("it lowers");
            assert!(fast.lowered() && gaps.is_empty(), "{} {setup:?}: {gaps:?}", path.display());
        }
    }
}

/// The block of a loop has a lower number than the loop itself; what it puts into a field is nevertheless bounded.
#[test]
fn numbers_that_loops_put_into_pieces_are_lowered() {
    let text = "game g\nplayers a, b\npiece card { rank: int }\nzone deck: pile of card\nzone hand(p: seat): set of card\n\
        setup { for n in 1..8 { put card with rank = n on deck } for p in seats { move top 3 of deck to hand(p) } }\n\
        action lay { choose c in hand(me) move c from hand(me) under deck move top of deck to hand(me) }\n\
        play { turns { mover plays lay } }\n\
        end long after move when ply == 9 { rank p in seats by sum c.rank for c in hand(p) }\n";
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    let fast = Fast::new(loaded.game.expect("a game"));
    assert!(fast.lowered(), "{:?}", fast.lowering());
    for seed in 0..10 {
        compare(&fast, seed, 20, "cards with numbers");
    }
}

/// The bundled games are lowered completely, with every variant and reading.
#[test]
fn the_shipped_games_are_lowered() {
    for name in GAMES {
        for setup in setups(&rules_of(name)) {
            let game: Game = game(&rules_of(name), &setup);
            let fast = Fast::new(game);
            let (constructs, gaps) = fast.lowering().expect("it lowers");
            assert!(constructs > 0 && gaps.is_empty(), "{name} {setup:?}: {gaps:?}");
        }
    }
}

/// More moves than can be listed are different from no moves: both interpreters ask, list none, and the game stops at
/// the step budget. In a race, moves are counted per seat.
#[test]
fn too_many_moves_are_different_from_none() {
    const MANY: &str = "game g\nplayers a, b\nvar z: int \"moves\"\n";
    for (play, count) in [
        (
            "action x { choose k in 1..400  choose j in 1..400  z += 1 }\nplay { choose w in 1..1 by a  repeat 2 { a plays x else { lose a } } }\n",
            0,
        ),
        (
            "action x { choose k in 1..50001  z += 1 }\nplay { choose w in 1..1 by a  repeat 3 { race seats play x } }\n",
            100_002,
        ),
    ] {
        let loaded = load("g.rules", &format!("{MANY}{play}"), &Disk, &Setup::default());
        let fast = Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)));
        for engine in [&fast as &dyn Engine, fast.reference()] {
            let mut run = engine.run();
            assert!(run.load(&engine.start()));
            run.play_nth(0);
            assert_eq!((run.count(), run.outcome()), (count, None), "{play}");
            let mut dice = Stream::new(0, "many", 0);
            let played = playout(engine, run.as_mut(), 1, None, &mut dice, &mut |_, _| true);
            let wanted = if count == 0 { (Stop::Budget, 0) } else { (Stop::Cap, 1) };
            assert_eq!((played.stop, played.plies), wanted, "{play}");
        }
    }
}

/// A run tells by itself what seats intend to do in a race if every seat sees what that depends on. Where a cue looks into
/// a hand, or at earlier positions, only the observation of the seat can tell.
#[test]
fn a_run_knows_what_is_seen_of_races() {
    let text = |cue: &str| {
        format!(
            "game g\nplayers a, b\nkinds card\n  | kind |\n  | sun |\n  | moon |\nzone box: pile of card, seen by no\n\
             zone hand(p: seat): set of card, seen by p\nzone middle: pile of card, seen by all\nvar laid_at: int = -1\n\
             setup {{ put 12 sun on box put 12 moon on box shuffle box for p in seats {{ move top 3 of box to hand(p) }} }}\n\
             define up = told(any c in top of middle: c.kind == sun)\n\
             define held = told(any c in hand(me): c.kind == sun)\n\
             action turn_up {{ require some box move top of box to middle laid_at := now }}\n\
             action snap {{ require some middle require now > laid_at + 100 move all of middle under box }}\n\
             cue snap after 50: {cue}\ncue turn_up: no middle\n\
             play {{ while ply < 30 {{ race seats play turn_up | snap until now + 400 else {{ laid_at := 0 }} }} draw }}\n"
        )
    };
    for (cue, known) in [("up and now > laid_at", true), ("held", false), ("up and occurrences == 1", false)] {
        let loaded = load("g.rules", &text(cue), &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        let fast = Fast::new(loaded.game.expect("a game"));
        let mut run = fast.run();
        let mut acts = [0, 0];
        walk(&fast, 5, 40, |position| {
            if !matches!(position.ask, Ask::Race { .. }) {
                return;
            }
            assert!(run.load(position));
            for seat in SeatId::all(2) {
                assert_eq!(run.cued(seat).is_some(), known, "{cue}");
            }
            let mut legal = fast.legal(position);
            for act in legal.iter_mut().filter(|act| act.args.len() > 1) {
                for later in [0, 120, 400, 500] {
                    act.args[1] = Value::Int(position.now + later);
                    let allowed = fast.explain().refusal(position, act).is_none();
                    assert_eq!(run.allows_act(act), Some(allowed), "{cue}: {act:?}");
                    acts[usize::from(allowed)] += 1;
                }
            }
        });
        assert!(acts.iter().all(|count| *count > 20), "{acts:?}");
        for seed in 0..6 {
            compare(&fast, seed, 60, cue);
        }
    }
    let fast = Fast::new(game(&rules_of("halli-galli"), &Setup::default()));
    let mut run = fast.run();
    walk(&fast, 3, 12, |position| {
        if matches!(position.ask, Ask::Race { .. }) {
            assert!(run.load(position) && run.cued(SeatId::FIRST).is_some());
        }
    });
}

/// Positions are counted alike where a question can be foreseen although an end condition has effects, which only a position
/// that recurs brings about, or a seat that cannot move ends the game by a procedure; and where it cannot be.
#[test]
fn repetition_is_foreseen_alike() {
    let text = |end: &str| {
        format!(
            "game g\nplayers a, b\nboard square 5 x 1\npiece man owned\npiece wall owned\nvar last: int\n\
             setup {{ put man of a on a1 put man of b on e1 }}\n\
             action go {{ choose f in own man choose t in around(f, orthogonal) & empty move f to t }}\n\
             action build {{ choose f in own man choose t in empty & around(f, orthogonal) require some wall or ply > 3 \
               put own wall on t }}\n\
             procedure count_up() {{ rank p in seats by count(piece of p) }}\n\
             play {{ turns {{ mover plays go | build else {{ remove own man count_up() }} }} }}\n\
             end circle after move when {end} {{ remove wall of a count_up() }}\n\
             end long after turn when turn > 40 {{ draw }}\n"
        )
    };
    for end in ["occurrences >= 2", "occurrences > 2 and ply > 4", "occurrences == 3", "occurrences >= 1 and ply > 30"]
    {
        let loaded = load("g.rules", &text(end), &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{}", reports(&loaded));
        let fast = Fast::new(loaded.game.expect("a game"));
        let seen: usize = (0..40).map(|seed| compare(&fast, seed, 60, end)).sum();
        assert!(seen > 150, "{end}: {seen}");
    }
}
