//! Measures, conditions and races of settings.

use regelwerk::engine::Fast;
use regelwerk::load::{Asked, NoFiles, RuleFile, Setup};
use regelwerk::measure::{
    Aims, Condition, Known, Out, Plan, Quantity, Race, Relation, Tally, Tolerance, Wanted, condition, expression,
    simulate, summary,
};
use regelwerk::model::Engine;
use regelwerk::report::Code;

/// A game that lasts a geometric number of turns: each turn ends it with a chance of one in `sides`.
const DICE: &str = "
game dice
players a, b
option sides = 6 from 2..20
var face: int
action go { }
play { turns { roll d in 1..sides  face := d  mover plays go } }
end one after move when face == 1 { win me }
";

fn asked(name: &str, text: &str, by_turn: bool) -> Asked {
    Asked { name: name.to_owned(), text: text.to_owned(), by_turn }
}

fn engine(text: &str, setup: &Setup, measures: &[Asked]) -> Fast {
    let loaded = RuleFile::read("g.rules", text, &NoFiles).measuring(measures).load(setup);
    Fast::new(loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.reports)))
}

fn played(engine: &Fast, seed: u64, games: u64) -> Tally {
    let plan = Plan { cap: 2000, seed, ..Plan::default() };
    simulate(engine, &engine.start(), &plan, 0..games, &|_| ())
}

/// However many measures there are, those of one position take no more steps than three decisions: 50 sums of 10 000 products,
/// each of some tens of thousands of steps, are read, and not all of 900.
#[test]
fn measures_of_a_position_share_a_budget() {
    let text = "game g\nplayers a, b\naction go { }\nplay { mover plays go  draw }\n";
    let heavy = "sum x * y for x in 1..100, y in 1..100";
    for (count, all) in [(50, true), (900, false)] {
        let measures: Vec<Asked> = (0..count).map(|number| asked(&format!("m{number}"), heavy, false)).collect();
        let tally = played(&engine(text, &Setup::default(), &measures), 1, 1);
        assert_eq!(tally.unread == 0, all, "{count}: {}", tally.unread);
        assert_eq!(tally.measures[0].counts.0.keys().copied().collect::<Vec<_>>(), [5050 * 5050], "{count}");
    }
}

/// The stones on a board of nine fields: as many as plies at the end; before the nth turn n - 1 of them.
#[test]
fn measures_by_hand() {
    let text = std::fs::read_to_string(crate::support::root("tests/fixtures/tictactoe.rules")).expect("rules");
    let measures =
        [asked("marks", "count(mark)", false), asked("free", "count(empty)", true), asked("full", "no empty", false)];
    let engine = engine(&text, &Setup::default(), &measures);
    let tally = played(&engine, 1, 400);
    assert_eq!(tally.measures[0].counts, tally.plies);
    let turns: i128 = tally.turns.0.iter().map(|(turns, games)| i128::from(*turns) * i128::from(*games)).sum();
    // 9 + 8 + … over the turns of each game.
    let free: i128 = tally
        .turns
        .0
        .iter()
        .map(|(n, games)| i128::from((0..*n).map(|t| 9 - t).sum::<i64>()) * i128::from(*games))
        .sum();
    assert_eq!((tally.measures[1].games.sum(0), tally.measures[1].games.sum(1)), (free, turns));
    let full = tally.plies.0.get(&9).copied().unwrap_or(0);
    assert_eq!(tally.measures[2].games.sum(0), i128::from(full));
    let found = summary(engine.game(), &tally, 0.95);
    assert_eq!(found.measures[0].mean, found.plies.mean);
    assert_eq!((found.measures[1].min, found.measures[1].max), (1, 9));
}

/// Negative values have a histogram and quantiles like others.
#[test]
fn measures_may_be_negative() {
    let engine = engine(DICE, &Setup::default(), &[asked("less", "0 - ply", false)]);
    let (tally, found) = (played(&engine, 3, 200), |tally: &Tally| summary(engine.game(), tally, 0.95));
    let figures = &found(&tally).measures[0];
    assert_eq!((figures.max, figures.min), (-found(&tally).plies.min, -found(&tally).plies.max));
    assert!((figures.mean.value + found(&tally).plies.mean.value).abs() < 1e-9);
}

/// A measure is no part of the rules, and a wrong one is reported at its place.
#[test]
fn measures_are_checked() {
    let rules = RuleFile::read("g.rules", DICE, &NoFiles);
    let plain = rules.load(&Setup::default()).game.expect("a game").digest;
    let with = |text: &str| rules.measuring(&[asked("it", text, false)]).load(&Setup::default());
    assert_eq!(with("ply * 2").game.expect("a game").digest, plain);
    for (text, code) in [
        ("pyl", Code::UnknownName),
        ("seats", Code::WrongType),
        ("ply define two = 2", Code::Unexpected),
        ("ply +", Code::Unexpected),
    ] {
        let loaded = with(text);
        assert!(loaded.game.is_none(), "{text}");
        let reports = loaded.reports.sorted();
        let report = reports.iter().find(|report| report.code == code).unwrap_or_else(|| panic!("{text}: {reports:?}"));
        assert_eq!(loaded.sources.get(report.span.file).map(|source| source.name.as_str()), Some("measure it"));
        // A syntax error says what was expected.
        assert!(report.help.is_some() || report.fix.is_some() || code == Code::Unexpected, "{text}: {report:?}");
    }
}

#[test]
fn conditions_are_read() {
    let engine = engine(DICE, &Setup::default(), &[asked("double", "ply * 2", false)]);
    let read =
        |text: &str| condition(text, engine.game()).map(|one| (one.quantity, one.relation, one.wanted, one.within));
    let (equal, most, least) = (Relation::Equal, Relation::AtMost, Relation::AtLeast);
    let usual = Tolerance::Share(0.02);
    assert_eq!(read("turns = 20"), Ok((Quantity::Turns, equal, Wanted::Value(20.0), usual)));
    assert_eq!(read("turns = 80% of base"), Ok((Quantity::Turns, equal, Wanted::OfBase(0.8), usual)));
    assert_eq!(
        read("turns = 20 within 1"),
        Ok((Quantity::Turns, equal, Wanted::Value(20.0), Tolerance::Absolute(1.0)))
    );
    assert_eq!(read("turns = 20 within 5%"), Ok((Quantity::Turns, equal, Wanted::Value(20.0), Tolerance::Share(0.05))));
    assert_eq!(read("ended >= 99%"), Ok((Quantity::Ended, least, Wanted::Value(0.99), usual)));
    assert_eq!(read("wins of b <= 0.5"), Ok((Quantity::Wins(1), most, Wanted::Value(0.5), usual)));
    assert_eq!(read("wins even"), Ok((Quantity::Spread, most, Wanted::Value(0.05), usual)));
    assert_eq!(read("wins even within 2%"), Ok((Quantity::Spread, most, Wanted::Value(0.02), Tolerance::Share(0.02))));
    assert_eq!(read("double = 12"), Ok((Quantity::Measure(0, false), equal, Wanted::Value(12.0), usual)));
    assert_eq!(read("ply * 2 = 12"), Ok((Quantity::Measure(0, false), equal, Wanted::Value(12.0), usual)));
    for text in ["", "turns", "turns = many", "turns = 5 within what", "wins of c = 1", "ply = 3"] {
        let error = condition(text, engine.game()).expect_err(text);
        assert!(!error.message.is_empty() && !error.cure.is_empty(), "{text}");
    }
    // Shares of games are no more than all, and lengths no shares.
    for text in
        ["wins even within 3", "ended >= 50", "wins of b = 50 within 2%", "draws <= 10% within 5", "plies = 50%"]
    {
        let error = condition(text, engine.game()).expect_err(text);
        assert!(error.message.contains("share of games"), "{text}: {}", error.message);
    }
    assert_eq!(expression("count(stone) == 3 = 50%"), Some("count(stone) == 3"));
    assert_eq!([expression("turns = 3"), expression("wins even"), expression("wins of a = 1")], [None; 3]);
}

fn sides(n: u32) -> Fast {
    let setup = Setup { options: vec![("sides".to_owned(), n.to_string())], ..Setup::default() };
    engine(DICE, &setup, &[])
}

fn aims(game: &regelwerk::ir::Game, texts: &[&str], games: u64) -> Aims {
    let conditions: Vec<Condition> = texts.iter().map(|text| condition(text, game).expect("a condition")).collect();
    Aims { conditions, games }
}

fn race(engines: &[Fast], aims: &Aims, seed: u64) -> Race {
    let none = |engine: &Fast| Tally::new(engine.game());
    let mut race = Race::new(none(&engines[0]), engines.iter().map(none).collect());
    let mut from = 0;
    for to in aims.looks() {
        if race.is_settled(aims) {
            break;
        }
        let play = |engine: &Fast| {
            let plan = Plan { cap: 2000, seed, ..Plan::default() };
            simulate(engine, &engine.start(), &plan, from..to, &|_| ())
        };
        let mut round = Race::new(play(&engines[0]), engines.iter().map(none).collect());
        for at in race.running() {
            round.tallies[at] = play(&engines[at]);
        }
        race = race.after(&round, aims);
        from = to;
    }
    race
}

/// A game that ends with a chance of 1/n each turn lasts n turns on average, and its first seat wins n/(2n - 1) of games:
/// of 2 to 9 sides, 6 gives 6 turns. Other seeds give the same answer.
#[test]
fn a_race_finds_what_can_be_computed() {
    let engines: Vec<Fast> = (2..10).map(sides).collect();
    let aims = aims(engines[0].game(), &["turns = 6 within 0.5"], 40_000);
    for seed in 0..3 {
        let race = race(&engines, &aims, seed);
        assert_eq!(race.running().collect::<Vec<_>>(), [4], "seed {seed}");
        assert!(race.is_settled(&aims) && race.front(&aims) == [4]);
        assert!(race.out.iter().flatten().all(|out| matches!(out, Out::Farther(_))));
    }
    // The seats' shares differ by 1/(2n - 1): 0.143 with four sides, 0.111 with five, 0.091 with six, 0.077 with seven. What
    // is said must be true: up to four break it, five and six may stay open, eight and nine are farther than seven.
    let keeps = aims_of(&engines, &["turns = 2", "wins even within 10%"]);
    let race = race(&engines, &keeps, 0);
    assert!(race.out[..3].iter().all(|out| *out == Some(Out::Breaks(1))), "{:?}", race.out);
    let running: Vec<usize> = race.running().collect();
    assert!(running.contains(&4) && running.iter().all(|at| (3..6).contains(at)), "{:?}", race.out);
    assert!(race.out[6..].iter().all(|out| matches!(out, Some(Out::Farther(_)))), "{:?}", race.out);
}

fn aims_of(engines: &[Fast], texts: &[&str]) -> Aims {
    aims(engines[0].game(), texts, 40_000)
}

/// Of many races between equal settings, at most one in twenty says that one is farther than another.
#[test]
fn equal_settings_are_rarely_told_apart() {
    let engines: Vec<Fast> = (0..4).map(|_| sides(6)).collect();
    let aims = aims(engines[0].game(), &["turns = 3"], 256);
    let mut wrong = 0;
    for seed in 0..60 {
        // Each setting has games of its own, so that they differ by chance.
        let none = |engine: &Fast| Tally::new(engine.game());
        let mut race = Race::new(none(&engines[0]), engines.iter().map(none).collect());
        let mut from = 0;
        for to in aims.looks() {
            let play = |at: u64, engine: &Fast| {
                let plan = Plan { cap: 2000, seed: seed * 10 + at, ..Plan::default() };
                simulate(engine, &engine.start(), &plan, from..to, &|_| ())
            };
            let mut round = Race::new(play(9, &engines[0]), engines.iter().map(none).collect());
            for at in race.running() {
                round.tallies[at] = play(at as u64, &engines[at]);
            }
            race = race.after(&round, &aims);
            from = to;
        }
        wrong += u32::from(race.out.iter().any(Option::is_some));
    }
    assert!(wrong <= 3, "{wrong} of 60");
}

/// A share is met only once its interval lies on the right side.
#[test]
fn conditions_are_judged_by_intervals() {
    let dice = sides(6);
    let (few, many) = (played(&dice, 1, 20), played(&dice, 1, 4000));
    let judge =
        |text: &str, tally: &Tally| condition(text, dice.game()).expect("a condition").judge(tally, None, 0.95).known;
    assert_eq!((judge("ended >= 99%", &few), judge("ended >= 99%", &many)), (Known::Open, Known::Met));
    assert_eq!((judge("turns = 6", &few), judge("turns = 60", &few)), (Known::Open, Known::Missed));
    assert_eq!(judge("turns = 6 within 10%", &many), Known::Met);
}

/// A round that was read from a file is one of these settings, or none.
#[test]
fn a_round_of_other_settings_is_refused() {
    let engine = sides(2);
    let none = || played(&engine, 1, 0);
    let mut race = Race::new(none(), vec![none(), none()]);
    assert!(race.fits(2) && !race.fits(3));
    race.out.pop();
    assert!(!race.fits(2));
}
