//! Bots play well, reproducibly, and only by what they see.

use regelwerk::ir::SeatId;
use std::sync::Arc;

use regelwerk::bots::{AlphaBeta, Evaluation, Schedule, Spec, Survey, contest, results};
use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Ask, Engine, Position, Viewer};
use regelwerk::notation::parse_position;
use regelwerk::play::{InformationSet, Stream, View, determinize};

use crate::support::{game, read, root, rules_of, setups, walk};

fn fast(path: &std::path::Path, setup: &Setup) -> Fast {
    Fast::new(game(path, setup))
}

fn fixture(name: &str) -> Fast {
    fast(&root(&format!("tests/fixtures/{name}.rules")), &Setup::default())
}

fn written(text: &str) -> Fast {
    let loaded = load("g.rules", text, &NoFiles, &Setup::default());
    assert!(!loaded.reports.has_errors(), "{:?}", loaded.reports);
    Fast::new(loaded.game.expect("a game"))
}

fn spec(text: &str) -> Spec {
    text.parse().expect("a bot")
}

fn games(engine: &dyn Engine, bots: &[&str], games: u64, seed: u64) -> regelwerk::bots::Contest {
    let entries = bots.iter().map(|text| spec(text)).collect();
    let rules = Schedule { entries, games, cap: 400, seed, rotate: true };
    contest(engine, &engine.start(), &rules, &|_| Box::new(|| false), &|_| ())
}

#[test]
fn search_never_loses_at_noughts_and_crosses() {
    let engine = fixture("tictactoe");
    let found = games(&engine, &["mcts:300", "random"], 20, 1);
    assert_eq!(found.entries[0].all.loss.count, 0, "{found:?}");
    assert!(found.entries[0].all.win.count >= 12, "{found:?}");
    // Both seats were played equally often.
    assert!(found.entries[0].seats.iter().all(|(games, _)| *games == 10), "{found:?}");
    let equal = games(&engine, &["alphabeta:9", "alphabeta:9"], 2, 1);
    assert_eq!(equal.entries[0].all.draw.count, 2, "{equal:?}");
}

#[test]
fn few_iterations_beat_random_play_at_sowing() {
    let engine = fast(&rules_of("kalaha"), &Setup::default());
    let found = games(&engine, &["mcts:60", "random"], 10, 3);
    assert!(found.entries[0].all.win.count >= 9, "{found:?}");
}

/// The value for the seat to act, by exhaustive search.
fn negamax(engine: &dyn Engine, position: &Position) -> f64 {
    let me = usize::from(position.asked().expect("a seat is asked"));
    let worth = |next: &Position| match (&next.outcome, next.asked()) {
        (Some(outcome), _) => 2.0 * results(outcome)[me] - 1.0,
        (None, Some(seat)) if usize::from(seat) == me => negamax(engine, next),
        (None, _) => -negamax(engine, next),
    };
    engine.legal(position).iter().map(|mv| worth(&engine.play_unchecked(position, mv))).fold(-1.0, f64::max)
}

#[test]
fn alphabeta_finds_the_value_of_small_games() {
    let mut looked = 0;
    let mut hold = |engine: &dyn Engine, from: u32, plies: u32| {
        let evaluation = Arc::new(Evaluation::new(engine));
        for seed in 0..3 {
            walk(engine, seed, plies, |position| {
                if position.ply < from || position.is_over() {
                    return;
                }
                looked += 1;
                let mut run = engine.run();
                assert!(run.load(position));
                let mut bot = AlphaBeta::new(engine, Arc::clone(&evaluation), 30);
                let (value, _, settled) = bot.value(run.as_mut(), 30, &|| false).expect("time enough");
                assert!(settled, "{position:?}");
                assert!((value - negamax(engine, position)).abs() < 1e-9, "{position:?}");
            });
        }
    };
    hold(&fixture("tictactoe"), 2, 9);
    let small = |text: &[(&str, &str)]| Setup {
        options: text.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        ..Setup::default()
    };
    hold(&fast(&rules_of("kalaha"), &small(&[("fields", "2"), ("seeds", "2")])), 0, 20);
    hold(&fast(&root("tests/fixtures/hex.rules"), &small(&[("size", "3")])), 3, 20);
    assert!(looked > 20, "only {looked} positions");
}

#[test]
fn alphabeta_refuses_what_it_cannot_play() {
    let why = |game: &str| spec("alphabeta:2").fits(fast(&rules_of(game), &Setup::default()).game());
    assert_eq!(why("halma"), Ok(()));
    assert_eq!(why("kalaha"), Ok(()));
    assert!(why("halali").is_err_and(|why| why.contains("hidden information")));
    assert!(why("hai-noon").is_err_and(|why| why.contains("it has 4")));
    assert_eq!(spec("mcts").fits(fast(&rules_of("hai-noon"), &Setup::default()).game()), Ok(()));
}

/// The lower end of the interval of a share in a row of `docs/bots.md`, in per cent.
fn at_least(cell: &str, share: &str) -> f64 {
    let interval = cell.split_once(share).and_then(|(_, rest)| rest.split_once('[')?.1.split_once('–'));
    interval.map_or(0.0, |(low, _)| low.parse().expect("a share"))
}

/// Where the games of `docs/bots.md` say which bot is stronger, `auto` takes that one, whatever random games look like.
#[test]
fn auto_takes_the_bot_that_was_stronger() {
    let page = read(&root("docs/bots.md"));
    let (_, rest) = page.split_once("### All games").expect("the table");
    let (table, _) = rest.split_once("With ten games").expect("its end");
    let surveys = [Survey { decided: 1.0, plies: 20.0 }, Survey { decided: 0.0, plies: 400.0 }];
    let second = std::time::Duration::from_secs(1);
    let (mut deep, mut wide) = (0, 0);
    for row in table.lines().filter(|line| line.starts_with("| ") && line.contains(" [")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (name, against) = (cells[1], cells[4]);
        let engine = fast(&rules_of(name), &Setup::default());
        let taken = surveys.map(|survey| Spec::strongest(engine.game(), survey, second).to_string());
        if at_least(against, "wins") > 50.0 {
            assert_eq!(taken, ["alphabeta:1s", "alphabeta:1s"], "{name}");
            deep += 1;
        } else if at_least(against, "losses") > 50.0 {
            assert_eq!(taken, ["mcts:1s", "mcts:1s"], "{name}");
            wide += 1;
        } else {
            let search = spec("alphabeta").fits(engine.game()).is_ok();
            let other = if search { "alphabeta:1s" } else { "mcts:1s" };
            assert_eq!(taken, ["mcts:1s", other], "{name}");
        }
    }
    assert_eq!(read(&root("rules/bots.tsv")).lines().count(), deep + wide);
    assert!(deep > 3 && wide > 1, "{deep} and {wide} games");
}

/// The move a bot chooses, with a random stream of its own.
fn chosen(
    engine: &dyn Engine,
    evaluation: &Arc<Evaluation>,
    text: &str,
    position: &Position,
    seat: SeatId,
) -> Option<usize> {
    let view = View::new(engine, position, Viewer::Seat(seat));
    let known = InformationSet::new(engine, position, seat);
    spec(text).bot(engine, evaluation, Stream::new(7, "bot", 0)).choose(&view, &known, &|| false)
}

/// A bot that searches says what it considers while it thinks: a legal move each time, and after a search in depth at last
/// the one it plays.
#[test]
fn bots_say_what_they_consider() {
    let engine = fast(&rules_of("kalaha"), &Setup::default());
    let evaluation = Arc::new(Evaluation::new(&engine));
    let position = engine.start();
    let view = View::new(&engine, &position, Viewer::Seat(SeatId::new(0)));
    let known = InformationSet::new(&engine, &position, SeatId::new(0));
    for text in ["mcts:200", "alphabeta:3"] {
        let told = std::cell::RefCell::new(Vec::new());
        let mut bot = spec(text).bot(&engine, &evaluation, Stream::new(7, "bot", 0));
        let chosen = bot.consider(&view, &known, &|| false, &|best| told.borrow_mut().push(best));
        let told = told.into_inner();
        assert!(told.len() > 1 && told.iter().all(|best| *best < view.legal.len()), "{text}: {told:?}");
        assert!(text.starts_with("mcts") || told.last().copied() == chosen, "{text}: {told:?}");
    }
}

/// In a redrawn position that a seat cannot tell apart, its bot samples the same determinizations, which look as they
/// should, and plays the same move.
#[test]
fn bots_use_only_what_they_see() {
    let (mut changed, mut asked) = (0, 0);
    for name in ["hai-noon", "halali", "halli-galli"] {
        let path = rules_of(name);
        for setup in setups(&path).into_iter().take(2) {
            let engine = fast(&path, &setup);
            let evaluation = Arc::new(Evaluation::new(&engine));
            let mut dice = Stream::new(11, "redraw", 0);
            let mut step = 0;
            walk(&engine, 43, 24, |position| {
                step += 1;
                let Some(seat) = position.asked().filter(|_| step % 4 == 0) else { return };
                let other = determinize(&engine, position, Viewer::Seat(seat), &mut dice);
                changed += usize::from(other != *position);
                asked += 1;
                let world = |position: &Position| {
                    InformationSet::new(&engine, position, seat).determinize(&mut Stream::new(
                        5,
                        "world",
                        u64::from(seat),
                    ))
                };
                let sampled = world(position);
                assert_eq!(sampled, world(&other), "{name}");
                let seen = |position: &Position| engine.explain().observation(position, Viewer::Seat(seat));
                assert_eq!(seen(&sampled), seen(position), "{name}");
                let choose = |position| chosen(&engine, &evaluation, "mcts:8:10", position, seat);
                assert_eq!(choose(position), choose(&other), "{name} {setup:?}");
            });
        }
    }
    assert!(changed > 20 && asked > 20, "{changed} of {asked} positions were redrawn to something else");
}

/// Secrets in the middle of a move: private choices and rolls, names computed from them, and the number of iterations
/// that depends on them.
const UNDERWAY: &[&str] = &[
    "game g\nplayers a, b\nvar t: int\nplay { a plays go }\n\
    action go { choose n in 1..6 seen by me  t += 1  choose m in 1..6 by b  if m == n { win b } else { win a } }\n",
    "game g\nplayers a, b\nvar own_code: int seen by a\nplay { a plays go }\n\
    procedure guess(f: int) { let g = f + 1  choose m in 1..8 by b  if m + 1 == g { win b } else { win a } }\n\
    action go { choose z in 1..2  roll d in 1..8 seen by a  own_code := d  let e = d * 2  guess(e / 2) }\n",
    "game g\nplayers a, b\nvar q: int seen by a\nvar twos: int\nplay { a plays go }\n\
    action go { choose z in 1..2  roll d in 1..8 seen by a  q := d\n\
    repeat q { choose m in 1..2 by b  if m == 2 { twos += 1 } }  if twos == q { win b } else { win a } }\n",
    "game g\nplayers a, b\nvar q: int seen by a\nvar twos: int\nplay { a plays go }\n\
    action go { choose z in 1..2  roll d in 1..8 seen by a  q := d\n\
    for i in 1..q { choose m in 1..2 by b  if m == 2 { twos += 1 } }  if twos == q { win b } else { win a } }\n",
];

#[test]
fn secrets_in_the_middle_of_a_move_make_no_difference() {
    for text in UNDERWAY {
        let engine = written(text);
        assert!(!engine.game().has_perfect_information(), "{text}");
        // All positions that the first move and chance can lead to, up to the second seat's question.
        let (mut open, mut asked) = (vec![engine.start()], Vec::new());
        while let Some(position) = open.pop() {
            if position.asked() == Some(SeatId::new(1)) {
                asked.push(position);
                continue;
            }
            open.extend(engine.legal(&position).iter().map(|mv| engine.play_unchecked(&position, mv)));
        }
        assert!(asked.len() >= 6, "{text}");
        let world = |position: &Position| {
            InformationSet::new(&engine, position, SeatId::new(1)).determinize(&mut Stream::new(3, "world", 0))
        };
        let first = world(&asked[0]);
        let same = |position: &&Position| position.locals.first() == asked[0].locals.first();
        for position in asked.iter().filter(|position| text.contains("seen by me") || same(position)) {
            assert_eq!(world(position), first, "{text}");
        }
    }
}

const SECRETS: &str = "game g\nplayers a, b\nvar bid(p: seat): int seen by p\nvar guessed: int\n\
    action call { choose n in 1..6 seen by me bid(me) := n }\n\
    action guess { choose n in 1..6 guessed += n }\n\
    play { together playing play call  b plays guess  together playing play call  rank p in seats by bid(p) }\n";

/// Neither secret choices of others nor hidden variables make a difference.
#[test]
fn secret_choices_stay_secret_from_bots() {
    let engine = written(SECRETS);
    let evaluation = Arc::new(Evaluation::new(&engine));
    let start = engine.start();
    let calls = engine.legal(&start);
    let after: Vec<Position> = calls.iter().map(|mv| engine.play_unchecked(&start, mv)).collect();
    let first = chosen(&engine, &evaluation, "mcts:40", &after[0], SeatId::new(1));
    assert!(after.iter().all(|position| position.asked() == Some(SeatId::new(1))));
    assert!(after.iter().all(|position| chosen(&engine, &evaluation, "mcts:40", position, SeatId::new(1)) == first));
    let then: Vec<Position> = after.iter().map(|position| engine.play_unchecked(position, &calls[2])).collect();
    let guess = chosen(&engine, &evaluation, "mcts:40", &then[0], SeatId::new(1));
    assert!(then.iter().all(|position| chosen(&engine, &evaluation, "mcts:40", position, SeatId::new(1)) == guess));
}

/// When two seats choose simultaneously, neither can respond to the other, so the search mixes. If it could see the
/// other's choice, one sign would look lost.
#[test]
fn search_mixes_simultaneous_choices() {
    let engine = written(
        "game g\nplayers a, b\nenum sign = rock, paper, scissors\nvar shown(p: seat): sign = rock\n\
         action show { choose s in sign shown(me) := s }\n\
         define beats(x: sign, y: sign) = x == rock and y == scissors or x == paper and y == rock or x == scissors and y == paper\n\
         play { together playing play show  for p in seats { if beats(shown(p), shown(opponent(p))) { win p } } draw }\n",
    );
    let found = games(&engine, &["mcts:200", "random"], 60, 2);
    let lost = found.entries[0].all.loss.count;
    assert!((8..=32).contains(&lost), "a third of the games are lost, by chance alone: {found:?}");
}

#[test]
fn contests_are_the_same_on_any_number_of_threads() {
    let engine = fast(&rules_of("hai-noon"), &Setup { players: Some(2), ..Setup::default() });
    let play = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| format!("{:?}", games(&engine, &["mcts:8:30", "random"], 4, seed)))
    };
    assert_eq!(play(1, 5), play(2, 5));
    assert_ne!(play(1, 5), play(1, 6));
}

/// Nearer to the goal is better, and a decided game has the value of its result.
#[test]
fn evaluation_follows_the_rules() {
    let engine = fast(&rules_of("halma"), &Setup::default());
    let evaluation = Evaluation::new(&engine);
    let start = engine.start();
    let values = evaluation.values(start.clone());
    assert!((values[0] - 0.5).abs() < 1e-9 && (values[1] - 0.5).abs() < 1e-9, "{values:?}");
    let size = engine.game().topology.sites.len();
    // A stone of White on its way: the nearer to Black's house, the better for White.
    let site = |name: &str| engine.game().topology.site(name).filter(|&at| at < size).expect("a site");
    let mut ahead = start.clone();
    let mut before = None;
    for (from, to) in [("j1", "f5"), ("f5", "e6"), ("e6", "d7")] {
        ahead.sites[site(to)] = ahead.sites[site(from)].take();
        let values = evaluation.values(ahead.clone());
        if let Some((white, black)) = before.replace((values[0], values[1])) {
            assert!(values[0] > white && values[1] < black, "{values:?} after {white}, {black}");
        }
    }
    let sowing = fast(&rules_of("kalaha"), &Setup::default());
    let text = "kalaha 2 | mover=a | seed: a1*4 b1*4 ka*30 kb*10";
    if let Ok(position) = parse_position(&sowing, text) {
        assert!(matches!(position.ask, Ask::Choose { .. }));
        let values = Evaluation::new(&sowing).values(position);
        assert!(values[0] > 0.6 && values[1] < 0.4, "{values:?}");
    } else {
        panic!("`{text}` is no position");
    }
}
