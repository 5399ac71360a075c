//! Many games between bots, in parallel; the result does not depend on the number of threads.

use crate::base::SaturatingFrom;
use core::time::Duration;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{ContestSums, Evaluation, Spec};
use crate::measure::{Lengths, Shares, Totals};
use crate::model::{Ask, Ending, Engine, Meter, Outcome, Position};
use crate::play::{Bot, Idle, Luck, Match, Reactions, Stream, Who, random_move};

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
pub(super) struct Played {
    /// For each seat, the number of its bot.
    pub(super) who: Vec<usize>,
    pub(super) plies: u32,
    pub(super) outcome: Option<Outcome>,
}

/// Plays games between bots from a position. `on_progress` receives the number of games done, from several threads.
pub fn contest(
    engine: &dyn Engine,
    start: &Position,
    rules: &Schedule,
    timer: &Timer<'_>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Contest {
    contest_part(engine, start, rules, 0..rules.games, timer, on_progress).figures()
}

/// Plays those of the games that have these numbers.
pub fn contest_part(
    engine: &dyn Engine,
    start: &Position,
    rules: &Schedule,
    games: Range<u64>,
    timer: &Timer<'_>,
    on_progress: &(dyn Fn(u64) + Sync),
) -> ContestSums {
    let evaluation = Arc::new(if rules.entries.iter().any(|spec| spec.evaluates()) {
        Evaluation::new(engine)
    } else {
        Evaluation::blind(engine)
    });
    let done = AtomicU64::new(0);
    let play = |number| {
        let played = play(engine, start, rules, &evaluation, timer, number);
        on_progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        let mut sums = ContestSums::new(rules.entries.len());
        sums.add(number, &played, rules.cap);
        sums
    };
    let none = || ContestSums::new(rules.entries.len());
    games.into_par_iter().map(play).reduce(none, |one, other| one.merge(&other))
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
    // What the game itself takes is counted, not what the bots think.
    let meter = Meter::new(u64::MAX).inside(engine.meter());
    let counted = engine.within(&meter);
    let (mut game, mut left) = (Match::new(&*counted, start.clone()), meter.left());
    let (first, mut questions, mut idle, mut luck) = (start.ply, 0, Idle::thoughtful(), Luck::default());
    let limit = (u64::from(rules.cap) + 16).saturating_mul(QUESTIONS_PER_PLY);
    while !game.position().is_over() && game.position().ply - first < rules.cap && questions < limit {
        questions += 1;
        let position = game.position();
        let (ply, bytes, steps) = (position.ply, position.bytes(), left - meter.left());
        left = meter.left();
        let mv = match position.ask {
            Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. } if idle.is_too_long(ply, bytes, steps) => break,
            Ask::Chance { .. } if luck.is_endless(ply, position.shuffles_on(), bytes, steps) => break,
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => {
                let Some((spec, bot)) = bots.get_mut(usize::from(seat)) else { break };
                let Some((view, known)) = game.door(Who::seat(seat)).seated() else { break };
                let (stop, before) = (spec.time().map(timer), meter.left());
                let chosen = match &stop {
                    Some(stop) => bot.choose(&view, &known, stop.as_ref()),
                    None => bot.choose(&view, &known, &|| false),
                };
                meter.refill(before);
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
