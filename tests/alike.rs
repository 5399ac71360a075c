//! The law of secrets: two positions that a viewer cannot tell apart give it the same bytes, whatever it asks.
//!
//! Pairs come from random play of everything that hides something: the bundled games in every setup, the classics, the
//! fixtures, and games that gave secrets away. `docs/secrets.md` has the figures.

use std::sync::Arc;

use regelwerk::base::Sources;
use regelwerk::bots::{Budget, Evaluation, Spec};
use regelwerk::engine::Fast;
use regelwerk::ir::{Move, SeatId};
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::model::{Engine, Frame, Position, Viewer};
use regelwerk::notation::{print_move, print_position};
use regelwerk::play::{InformationSet, Step, Stream, View, determinize, grounds, read_step, told};
use regelwerk::say::Lang;
use regelwerk::view::{Look, asked, explained, picture, position as draw};

use crate::support::{GAMES, classics, fixtures, load_file, print_position as whole, rules_of, setups, walk};

/// Games that gave away what they hide: by `why`, by what is legal.
const LEAKS: [(&str, &str); 4] = [
    (
        "a bet on a covered card",
        "kinds card\n  | kind |\n  | red |\n  | blue |\nzone deck: pile of card, seen by no\n\
         setup { put 3 red on deck put 3 blue on deck shuffle deck }\n\
         action bet { if told(any c in top of deck: c.kind == red) { win me } else { lose me } }\naction stay { }\n\
         play { turns { mover plays bet | stay } }\nend e after move when ply > 7 { draw }\n",
    ),
    (
        "dice under cups",
        "piece die { face: int }\nzone cup(p: seat): set of die, seen by p\n\
         setup { for p in seats { repeat 3 { roll f in 1..6 seen by p put die with face = f on cup(p) } } }\n\
         define there(n: int) = sum 1 for p in seats, d in cup(p) where d.face == n\n\
         action call { choose n in 1..6 if told(there(n)) > 1 { win me } }\naction look { choose n in 1..2 }\n\
         play { turns { mover plays look | call } }\nend e after move when ply > 9 { draw }\n",
    ),
    (
        "secret signs",
        "enum sign = rock, paper, scissors\nvar shown(p: seat): sign = rock\nvar round: int\n\
         action show { choose s in sign shown(me) := s }\n\
         play { repeat 6 { together seats play show round += 1 if shown(a) != shown(b) and round > 4 { win a } } draw }\n",
    ),
    (
        "cards drawn unseen, one chosen in mid-move",
        "piece card { rank: int }\nzone deck: pile of card, seen by no\nzone hand(p: seat): set of card, seen by p\n\
         zone laid: row of card, seen by all\nvar bid(p: seat): int seen by p\n\
         setup { for n in 1..12 { put card with rank = n on deck } shuffle deck for p in seats { move top 4 of deck to hand(p) } }\n\
         action draw { roll c in hand(opponent(me)) seen by me move c from hand(opponent(me)) to hand(me) }\n\
         action pass_on { choose c in hand(me) choose n in 1..3 seen by me bid(me) := n choose m in 1..2 by opponent(me)\n\
           bid(opponent(me)) := m move c from hand(me) under deck }\n\
         action lay { choose c in hand(me) move c from hand(me) to laid }\n\
         play { turns { mover plays draw | pass_on | lay else pass } }\nend e after move when ply > 12 { draw }\n",
    ),
];

/// A game that hides something.
struct Subject {
    name: String,
    engine: Fast,
    sources: Sources,
    blind: Arc<Evaluation>,
}

/// Everything that hides something; of the setups of a bundled game each of so many.
fn subjects(each: usize) -> Vec<Subject> {
    let mut found = Vec::new();
    let mut add = |name: String, loaded: regelwerk::load::Loaded| {
        if let Some(game) = loaded.game.filter(|game| !game.has_perfect_information()) {
            let engine = Fast::new(game);
            let blind = Arc::new(Evaluation::blind(&engine));
            found.push(Subject { name, engine, sources: loaded.sources, blind });
        }
    };
    let bundled = GAMES.iter().map(|game| rules_of(game)).flat_map(|path| {
        let setups = setups(&path);
        setups.into_iter().step_by(each).map(move |setup| (path.clone(), setup))
    });
    let others = classics().into_iter().chain(fixtures()).map(|path| (path, Setup::default()));
    for (path, setup) in bundled.chain(others) {
        add(format!("{} {setup:?}", path.display()), load_file(&path, &setup));
    }
    for (name, rules) in LEAKS {
        let loaded = load("g.rules", &format!("game g\nplayers a, b\n{rules}"), &NoFiles, &Setup::default());
        assert!(!loaded.reports.has_errors(), "{name}: {}", crate::support::reports(&loaded));
        add(name.to_owned(), loaded);
    }
    found
}

/// Everything that a viewer can ask of a position, as bytes: each answer with its name.
fn answers(
    subject: &Subject,
    position: &Position,
    viewer: Viewer,
    texts: &[String],
    hint: bool,
) -> Vec<(String, String)> {
    let Subject { engine, sources, blind, .. } = subject;
    let (game, view) = (engine.game(), View::new(engine, position, viewer));
    let seen = &view.position;
    let mut found = vec![
        ("drawing".to_owned(), draw(game, seen, &Look::default())),
        ("picture".to_owned(), picture(game, seen, "")),
        ("line".to_owned(), print_position(engine, seen)),
        ("prompt".to_owned(), asked(Lang::En, game, seen)),
        ("legal".to_owned(), format!("{:?}", view.legal)),
        ("observation".to_owned(), format!("{seen:?}")),
    ];
    let text = |mv: &Move| print_move(game, seen, mv);
    found.push(("moves".to_owned(), view.legal.iter().map(text).collect::<Vec<_>>().join("\n")));
    let Viewer::Seat(seat) = viewer else { return found };
    if !texts.is_empty() && position.asked().is_none_or(|asked| asked == seat) {
        for text in texts.iter().map(String::as_str).chain(["", "?", "claim nothing", "offer draw", "c9", "#1"]) {
            let answer = match read_step(engine, position, text) {
                Err(error) => format!("{error} {:?}", error.cure()),
                Ok(step) => explained(Lang::En, game, sources, text, &grounds(engine, position, Some(seat), &step)),
            };
            found.push((format!("why {text}"), answer));
        }
    }
    if position.asked() == Some(seat) {
        for mv in view.legal.iter().take(if texts.is_empty() { 0 } else { 2 }) {
            let why = grounds(engine, position, Some(seat), &Step::Move(mv.clone()));
            found.push((format!("why {mv:?}"), explained(Lang::En, game, sources, "it", &why)));
        }
        if hint {
            let known = InformationSet::new(engine, position, seat);
            let spec = Spec::Mcts { budget: Budget::Count(4), depth: Some(12) };
            let mut bot = spec.bot(engine, blind, Stream::new(5, "hint", 0));
            let chosen = bot.choose(&view, &known, &|| false);
            found.push(("hint".to_owned(), format!("{chosen:?}")));
        }
    }
    found
}

/// What came of it: pairs compared, pairs whose positions differ, answers compared.
#[derive(Debug, Default)]
struct Count {
    pairs: usize,
    different: usize,
    answers: usize,
}

/// Compares pairs in one random game of a subject.
fn compare(subject: &Subject, seed: u64, plies: u32, count: &mut Count) {
    let engine = &subject.engine;
    let mut texts: Vec<String> = Vec::new();
    walk(engine, seed + 1, 10, |position| {
        let moves = engine.legal(position).into_iter().take(2);
        texts.extend(moves.map(|mv| print_move(engine.game(), position, &mv)));
    });
    texts.sort();
    texts.dedup();
    texts.truncate(4);
    let mut dice = Stream::new(seed, "alike", 0);
    walk(engine, seed, plies, |position| {
        if position.in_setup(engine.game()) {
            return;
        }
        let seats = SeatId::all(engine.game().seats.len()).map(Viewer::Seat);
        for viewer in seats.chain([Viewer::Spectator]) {
            let asked = position.asked().map(Viewer::Seat) == Some(viewer);
            let other = match (viewer, position.asked()) {
                (Viewer::Seat(seat), Some(_)) if asked => {
                    InformationSet::new(engine, position, seat).determinize(&mut dice)
                }
                (_, _) => determinize(engine, position, viewer, &mut dice),
            };
            count.pairs += 1;
            count.different += usize::from(other != *position);
            let what = || format!("{} (seed {seed}) {viewer:?}: {}", subject.name, whole(engine, position));
            // Explanations and hints sample dozens of positions each, so only some pairs are asked for them.
            let (why, hint) = (count.pairs.is_multiple_of(8), asked && count.pairs % 32 < 4);
            let texts = if why { texts.as_slice() } else { &[] };
            let one = answers(subject, position, viewer, texts, hint);
            let two = answers(subject, &other, viewer, texts, hint);
            assert_eq!(one.len(), two.len(), "{}", what());
            for (one, two) in one.iter().zip(&two) {
                assert_eq!(one, two, "{}\n{}", what(), whole(engine, &other));
            }
            count.answers += one.len();
            // The last of several secret choices lays all of them open, so that what is told then may differ.
            let last = |frame: &Frame| matches!(frame, Frame::Together(_, left, chosen) if left.is_empty() && !chosen.is_empty());
            if position.control.iter().any(last) {
                continue;
            }
            let possible = engine.legal(&other);
            for mv in engine.legal(position).iter().filter(|mv| possible.contains(mv)).take(2) {
                let said = |position: &Position| told(engine, position, mv, viewer);
                assert_eq!(said(position), said(&other), "{}: told of {mv:?}", what());
                count.answers += 1;
            }
        }
    });
}

/// Compares pairs until there are at least so many, all subjects alike.
#[expect(clippy::print_stdout, reason = "the figures of the full run")]
fn law(pairs: usize) -> Count {
    let full = pairs > 100_000;
    let subjects = subjects(if full { 1 } else { 8 });
    assert!(subjects.len() > 20, "only {} games hide something", subjects.len());
    let mut count = Count::default();
    for seed in 0.. {
        for subject in &subjects {
            compare(subject, seed, if full { 60 } else { 14 }, &mut count);
        }
        if count.pairs >= pairs {
            break;
        }
    }
    println!("{} games and setups, {count:?}", subjects.len());
    count
}

/// Ten thousand pairs.
#[test]
fn positions_that_look_alike_are_answered_alike() {
    let count = law(10_000);
    assert!(count.different * 2 > count.pairs, "{count:?}");
}

/// The full run: `cargo test --release --test suite a_million_pairs -- --ignored --nocapture`.
#[test]
#[ignore = "an hour; run by hand in release mode"]
fn a_million_pairs_are_answered_alike() {
    let count = law(1_000_000);
    assert!(count.different * 2 > count.pairs, "{count:?}");
}
