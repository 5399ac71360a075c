//! Many games between bots, in parallel; the result does not depend on the number of threads.

use crate::base::SaturatingFrom;
use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Evaluation, Spec};
use crate::measure::{Histogram, Lengths, Results, Shares};
use crate::model::{Ask, Ending, Engine, Outcome, Position, Verdict};
use crate::play::{Bot, Match, Reactions, Stream, Who, random_move};

/// The confidence level of the intervals.
const LEVEL: f64 = 0.95;

/// How many questions may be asked per ply of the cap.
const QUESTIONS_PER_PLY: u64 = 64;

/// The games to play.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The bots, one per seat.
    pub entries: Vec<Spec>,
    /// The number of games.
    pub games: u64,
    /// The maximum number of plies per game.
    pub cap: u32,
    /// The seed; game number n draws from streams of its own.
    pub seed: u64,
    /// Whether the bots rotate through the seats from game to game.
    pub rotate: bool,
}

/// The results of one bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// In all games.
    pub all: Shares,
    /// The mean rank where the rules rank; 0 if they never did.
    pub rank: f64,
    /// The mean score if the rules score; none if they never did.
    pub score: Option<f64>,
    /// For each seat, the number of games on it and their results.
    pub seats: Vec<(u64, Shares)>,
}

/// The results of a contest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contest {
    /// The number of games played.
    pub games: u64,
    /// The lengths of the games.
    pub lengths: Lengths,
    /// The results of each bot.
    pub entries: Vec<Tally>,
    /// Games stopped at the cap.
    pub capped: u64,
    /// Games stopped by the step budget.
    pub exhausted: u64,
    /// The endings of games with their numbers, most frequent first.
    pub endings: Vec<(Ending, u64)>,
}

/// A clock supplied by the caller: given a duration from now, returns a function that says whether it has passed.
pub type Timer<'a> = dyn Fn(Duration) -> Box<dyn Fn() -> bool> + Sync + 'a;

/// One game.
struct Played {
    /// For each seat, the number of its bot.
    who: Vec<usize>,
    plies: u32,
    outcome: Option<Outcome>,
}

/// Plays games between bots from a position. `on_progress` receives the number of games done, from several threads.
pub fn contest(
    engine: &dyn Engine,
    start: &Position,
    rules: &Schedule,
    timer: &Timer<'_>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Contest {
    let evaluation = Arc::new(if rules.entries.iter().any(|spec| spec.evaluates()) {
        Evaluation::new(engine)
    } else {
        Evaluation::blind(engine)
    });
    let done = AtomicU64::new(0);
    let play = |number| {
        let played = play(engine, start, rules, &evaluation, timer, number);
        on_progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        played
    };
    let played: Vec<Played> = (0..rules.games).into_par_iter().map(play).collect();
    gather(rules, &played)
}

fn play(
    engine: &dyn Engine,
    start: &Position,
    rules: &Schedule,
    evaluation: &Arc<Evaluation>,
    timer: &Timer<'_>,
    number: u64,
) -> Played {
    let seats = engine.game().seats.len();
    let turn = if rules.rotate { usize::saturating_from(number % (seats.max(1) as u64)) } else { 0 };
    let who: Vec<usize> = (0..seats).map(|seat| (seat + seats - turn) % seats).collect();
    let mut bots: Vec<(Spec, Box<dyn Bot + '_>)> = Vec::new();
    for (seat, &entry) in (0..).zip(&who) {
        let spec = rules.entries.get(entry).copied().unwrap_or(Spec::Random);
        let dice = Stream::new(rules.seed, "bot", number * 64 + seat);
        bots.push((spec, spec.bot(engine, evaluation, dice)));
    }
    let mut dice = Stream::new(rules.seed, "contest", number);
    let mut game = Match::new(engine, start.clone());
    let (first, mut questions) = (start.ply, 0);
    let limit = (u64::from(rules.cap) + 16).saturating_mul(QUESTIONS_PER_PLY);
    while !game.position().is_over() && game.position().ply - first < rules.cap && questions < limit {
        questions += 1;
        let position = game.position();
        let mv = match position.ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => {
                let Some((spec, bot)) = bots.get_mut(usize::from(seat)) else { break };
                let Some((view, known)) = game.door(Who::seat(seat)).seated() else { break };
                let stop = spec.time().map(timer);
                let chosen = match &stop {
                    Some(stop) => bot.choose(&view, &known, stop.as_ref()),
                    None => bot.choose(&view, &known, &|| false),
                };
                chosen.and_then(|at| view.legal.get(at).cloned())
            }
            Ask::Race { .. } if !engine.game().cues.is_empty() => {
                Reactions::default().first(engine, position, &mut dice)
            }
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => random_move(engine, position, &mut dice),
        };
        let Some(mv) = mv else { break };
        game.play_unchecked(mv);
    }
    let end = game.position();
    Played { who, plies: end.ply - first, outcome: end.outcome.clone() }
}

fn gather(rules: &Schedule, played: &[Played]) -> Contest {
    let games = played.len() as u64;
    let mut found = Contest { games, ..Contest::default() };
    let mut plies = Histogram::default();
    for game in played {
        plies.add(u64::from(game.plies));
    }
    found.lengths = Lengths::counted(&plies, LEVEL);
    for game in played {
        match &game.outcome {
            None if game.plies < rules.cap => found.exhausted += 1,
            None => found.capped += 1,
            Some(outcome) => match found.endings.iter_mut().find(|(ending, _)| *ending == outcome.ending) {
                Some((_, count)) => *count += 1,
                None => found.endings.push((outcome.ending, 1)),
            },
        }
    }
    // The sort is stable: equally frequent endings stay in the order of the games.
    found.endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    found.entries = (0..rules.entries.len()).map(|entry| tally(entry, rules.entries.len(), played)).collect();
    found
}

fn tally(entry: usize, seats: usize, played: &[Played]) -> Tally {
    let (mut all, mut by_seat) = (Results::default(), vec![(0, Results::default()); seats]);
    let (mut ranks, mut ranked, mut scores, mut scored) = (0, 0, 0, 0);
    for game in played {
        let Some(seat) = game.who.iter().position(|&who| who == entry) else { continue };
        let outcome = game.outcome.as_ref();
        let verdict = outcome.and_then(|outcome| outcome.verdicts.get(seat)).copied().unwrap_or(Verdict::Open);
        all.add(verdict);
        if let Some((games, results)) = by_seat.get_mut(seat) {
            *games += 1;
            results.add(verdict);
        }
        if let Some(&rank) = outcome.and_then(|outcome| outcome.ranks.get(seat)).filter(|&&rank| rank > 0) {
            ranks += i64::from(rank);
            ranked += 1;
        }
        if let Some(score) = outcome.and_then(|outcome| outcome.scores.get(seat)) {
            scores += score;
            scored += 1;
        }
    }
    let games = by_seat.iter().map(|(games, _)| games).sum();
    Tally {
        all: Shares::of(&all, games, LEVEL),
        rank: mean(ranks, ranked).unwrap_or(0.0),
        score: mean(scores, scored),
        seats: by_seat.iter().map(|(games, results)| (*games, Shares::of(results, *games, LEVEL))).collect(),
    }
}

/// The mean of a sum; none for no terms.
#[expect(clippy::cast_precision_loss, reason = "means need no more than 52 bits")]
fn mean(sum: i64, count: u32) -> Option<f64> {
    (count > 0).then(|| sum as f64 / f64::from(count))
}
