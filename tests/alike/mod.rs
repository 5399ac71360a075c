//! The law of secrets: two positions that a viewer cannot tell apart give it the same bytes, whatever it asks.
//!
//! Pairs come from random play of everything that hides something: the bundled games in every setup, the classics, the
//! fixtures, games that gave secrets away, generated games, and rule files with a rule disturbed. `docs/secrets.md` has
//! the figures.

mod histories;
mod subjects;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use regelwerk::bots::{Budget, Spec};
use regelwerk::ir::{Move, SeatId};
use regelwerk::model::{Ask, Engine, Frame, Position, Viewer};
use regelwerk::notation::{print_move, print_position};
use regelwerk::play::{InformationSet, Match, Record, Step, Stream, Who, deal, determinize, told};
use regelwerk::say::Lang;
use regelwerk::view::{Detail, Look, asked, explained, picture, position as draw};

use crate::support::print_position as whole;
use histories::compare_games;
use subjects::{Subject, disturbed, generated, made, shipped};

/// Everything that a viewer can ask of a game, as bytes: each answer with its name.
fn answers(subject: &Subject, game: &Match<'_>, viewer: Viewer, texts: &[String], hint: bool) -> Vec<(String, String)> {
    let Subject { engine, sources, blind, .. } = subject;
    let (rules, door) = (engine.game(), game.door(Who::Viewer(viewer)));
    let seen = &door.position();
    let head = Record { game: rules.name.clone(), ..Record::default() };
    let mut found = vec![
        ("drawing".to_owned(), draw(rules, seen, &Look::default())),
        ("picture".to_owned(), picture(rules, seen, "")),
        ("line".to_owned(), print_position(engine, seen)),
        ("prompt".to_owned(), asked(Lang::En, rules, seen)),
        ("observation".to_owned(), format!("{seen:?}")),
        ("result".to_owned(), format!("{:?}", door.outcome())),
        ("record".to_owned(), format!("{:?} {:?}", door.record(&head), door.seat_record(&head))),
    ];
    if !subject.silent {
        return found;
    }
    let legal = door.legal();
    found.push(("legal".to_owned(), format!("{legal:?}")));
    let text = |mv: &Move| door.written(&Step::Move(mv.clone())).open();
    found.push(("moves".to_owned(), legal.iter().map(text).collect::<Vec<_>>().join("\n")));
    found.push(("undo".to_owned(), format!("{:?}", door.undo())));
    let Viewer::Seat(seat) = viewer else { return found };
    if !texts.is_empty() {
        for text in texts.iter().map(String::as_str).chain(["", "?", "claim nothing", "offer draw", "c9", "#1"]) {
            let answer = match door.read(text) {
                Err(error) => format!("{error} {:?}", error.cure()),
                Ok(step) => explained(Lang::En, rules, sources, text, &door.grounds(&step), Detail::Rules),
            };
            found.push((format!("why {text}"), answer));
        }
    }
    if game.asked() == Some(seat) {
        for mv in legal.iter().take(if texts.is_empty() { 0 } else { 2 }) {
            let why = door.grounds(&Step::Move(mv.clone()));
            found.push((format!("why {mv:?}"), explained(Lang::En, rules, sources, "it", &why, Detail::Rules)));
        }
        let seated = door.seated();
        if let Some((view, known)) = seated.filter(|_| hint) {
            found.push(("sample".to_owned(), whole(engine, &known.determinize(&mut Stream::new(9, "sample", 0)))));
            let spec = Spec::Mcts { budget: Budget::Count(4), depth: Some(12) };
            let mut bot = spec.bot(engine, blind, Stream::new(5, "hint", 0));
            let chosen = bot.choose(&view, &known, &|| false);
            found.push(("hint".to_owned(), format!("{chosen:?}")));
        }
    }
    found
}

/// What came of it: pairs compared, pairs whose positions differ, answers compared.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: usize,
    /// Games whose rules tell nothing of their own, so that everything is compared.
    silent: usize,
    pairs: usize,
    different: usize,
    answers: usize,
}

impl std::ops::Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            silent: self.silent + other.silent,
            pairs: self.pairs + other.pairs,
            different: self.different + other.different,
            answers: self.answers + other.answers,
        }
    }
}

/// Plays at random; games that nobody wrote may stop where nothing is legal.
fn stroll(engine: &dyn Engine, seed: u64, plies: u32, mut each: impl FnMut(&Position)) {
    let mut dice = Stream::new(seed, "stroll", 0);
    let mut position = deal(engine, engine.start(), &mut dice);
    for _ in 0..plies * 8 {
        if position.in_setup(engine.game()) {
            return;
        }
        each(&position);
        let moves = engine.legal(&position);
        if position.is_over() || position.ply >= plies || moves.is_empty() {
            return;
        }
        position = engine.play_unchecked(&position, &moves[dice.below(moves.len())]);
    }
}

/// Compares pairs in one random game of a subject.
fn compare(subject: &Subject, seed: u64, plies: u32) -> Count {
    let engine = &subject.engine;
    let mut count = Count { games: 1, silent: usize::from(subject.silent), ..Count::default() };
    let mut texts: Vec<String> = Vec::new();
    stroll(engine, seed + 1, 10, |position| {
        let moves = engine.legal(position).into_iter().take(2);
        texts.extend(moves.map(|mv| print_move(engine.game(), position, &mv)));
    });
    texts.sort();
    texts.dedup();
    texts.truncate(4);
    let mut dice = Stream::new(seed, "alike", 0);
    stroll(engine, seed, plies, |position| {
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
            // Explanations and hints sample dozens of positions each, so only some pairs are asked for them.
            let (why, hint) = (count.pairs.is_multiple_of(8), asked && count.pairs % 32 < 4);
            let texts = if why { texts.as_slice() } else { &[] };
            count.answers += alike(subject, (position, &other), viewer, texts, hint);
        }
    });
    count + compare_games(subject, seed, plies)
}

/// Compares two positions that a viewer cannot tell apart; returns the number of answers compared.
fn alike(
    subject: &Subject,
    (position, other): (&Position, &Position),
    viewer: Viewer,
    texts: &[String],
    hint: bool,
) -> usize {
    let engine = &subject.engine;
    let what = || format!("{} {viewer:?}: {}\n{}", subject.name, whole(engine, position), whole(engine, other));
    let [one, two] =
        [position, other].map(|position| answers(subject, &Match::new(engine, position.clone()), viewer, texts, hint));
    assert_eq!(one.len(), two.len(), "{}", what());
    for (one, two) in one.iter().zip(&two) {
        assert_eq!(one, two, "{}", what());
    }
    // The last of several secret choices lays all of them open, so that what is told then may differ.
    let last =
        |frame: &Frame| matches!(frame, Frame::Together(_, left, chosen) if left.is_empty() && !chosen.is_empty());
    if !subject.silent || position.control.iter().any(last) {
        return one.len();
    }
    let possible = engine.legal(other);
    let mut told_of = 0;
    for mv in engine.legal(position).iter().filter(|mv| possible.contains(mv)).take(2) {
        let said = |position: &Position| told(engine, position, mv, viewer);
        assert_eq!(said(position), said(other), "{}: told of {mv:?}", what());
        told_of += 1;
    }
    one.len() + told_of
}

/// How many pairs of positions of a game that nobody wrote are answered alike; none if it hides nothing, or tells it.
pub(crate) fn pairs_of(name: &str, text: &str, seed: u64, plies: u32) -> Option<usize> {
    let subject = made(name, "g.rules", text).filter(|subject| subject.silent)?;
    Some(compare(&subject, seed, plies).pairs)
}

/// Compares pairs until there are at least so many: in each round a game of each shipped subject, and of a few that
/// nobody wrote.
#[expect(clippy::print_stdout, reason = "the figures of the full run")]
fn law(pairs: usize, (each, plies, invented): (usize, u32, usize)) -> Count {
    let shipped = shipped(each);
    assert!(shipped.len() > 20, "only {} games hide something", shipped.len());
    let mut all = [Count::default(); 3];
    for round in 0.. {
        let (made, spoilt) = (generated(round, invented as u64), disturbed(round, invented));
        for (count, subjects) in all.iter_mut().zip([&shipped, &made, &spoilt]) {
            let found = subjects.par_iter().map(|subject| compare(subject, round, plies));
            *count = *count + found.reduce(Count::default, std::ops::Add::add);
        }
        println!("{} shipped; {all:?}", shipped.len());
        if all.iter().map(|count| count.pairs).sum::<usize>() >= pairs {
            break;
        }
    }
    all.into_iter().fold(Count::default(), std::ops::Add::add)
}

/// Ten thousand pairs.
#[test]
fn positions_that_look_alike_are_answered_alike() {
    let count = law(10_000, (8, 14, 24));
    assert!(count.different * 2 > count.pairs, "{count:?}");
}

/// Within a move that another plays, a name that nothing reads any more veils nothing, whether or not it stands for
/// something.
#[test]
fn names_that_are_read_no_more_veil_nothing() {
    let text = "game g\nplayers a, b\nboard square 3 x 1\npiece chip\nvar last(p: seat): int seen by p\nvar mark: set of site\n\
        setup { put chip on b1 }\naction hide { choose k in 1..3 seen by me last(me) := k choose f in occupied mark += f }\n\
        action twice { choose k in 1..2 me plays hide else { } }\n\
        play { turns { mover plays twice } }\nend e after move when ply > 9 { draw }\n";
    let subject = made("twice", "g.rules", text).expect("a game that hides something");
    let (engine, mut dice, mut nested) = (&subject.engine, Stream::new(1, "alike", 0), 0);
    stroll(engine, 1, 8, |position| {
        let Some(seat) = position.asked() else { return };
        let other = InformationSet::new(engine, position, seat).determinize(&mut dice);
        let legal = engine.legal(position);
        let texts: Vec<String> = legal.iter().map(|mv| print_move(engine.game(), position, mv)).collect();
        alike(&subject, (position, &other), Viewer::Seat(seat), &texts, false);
        if matches!(position.ask, Ask::Pick { .. }) {
            let game = Match::new(engine, position.clone());
            let why = game.door(Who::seat(seat)).grounds(&Step::Move(legal[0].clone()));
            assert!(!why.veiled, "{}", whole(engine, position));
            nested += 1;
        }
    });
    assert!(nested > 2, "{nested}");
}

/// The full run: `cargo test --release --test suite a_million_pairs -- --ignored --nocapture`. `ALIKE_PAIRS` says how
/// many pairs, if not a million.
#[test]
#[ignore = "an hour; run by hand in release mode"]
fn a_million_pairs_are_answered_alike() {
    let pairs = std::env::var("ALIKE_PAIRS").ok().and_then(|text| text.parse().ok());
    let count = law(pairs.unwrap_or(1_000_000), (1, 60, 400));
    assert!(count.different * 2 > count.pairs, "{count:?}");
}
