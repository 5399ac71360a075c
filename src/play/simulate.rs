//! Many random games, on many threads, with the same result on any number.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::random::{Stop, playout};
use super::reaction::Reactions;
use super::seed::Stream;
use super::stats::{Statistics, Violation, lengths, mean, seat_stats, share};
use crate::model::{Ending, Engine, Outcome, Position, Run, Verdict};
use crate::notation::print_position;

/// How many broken invariants are shown.
const EXAMPLES: usize = 10;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// At most so many plies a game.
    pub cap: u32,
    /// The seed; game number n draws from stream n.
    pub seed: u64,
    /// Whether invariants are tested in every position.
    pub invariants: bool,
    /// Whether the rules gone by are counted, which takes time.
    pub rules: bool,
    /// How races are decided; anything legal comes first where this is left out.
    pub reactions: Option<Reactions>,
}

/// What one game came to.
struct Played {
    plies: u32,
    decisions: u64,
    answers: u64,
    stop: Stop,
    outcome: Option<Outcome>,
    violations: u64,
    example: Option<Violation>,
    rule_uses: Vec<u64>,
}

/// Plays games at random from a position. `told` hears how many are done, from
/// several threads.
pub fn simulate(engine: &dyn Engine, start: &Position, plan: &Plan, told: &(dyn Fn(u64) + Sync)) -> Statistics {
    let done = AtomicU64::new(0);
    let ready = || {
        let mut run = engine.run();
        run.load(start);
        run.mark();
        run
    };
    let played: Vec<Played> = (0..plan.games)
        .into_par_iter()
        .map_init(ready, |run, number| {
            let played = play(engine, run.as_mut(), plan, number);
            told(done.fetch_add(1, Ordering::Relaxed) + 1);
            played
        })
        .collect();
    gather(engine, plan, &played)
}

fn play(engine: &dyn Engine, run: &mut dyn Run, plan: &Plan, number: u64) -> Played {
    let mut dice = Stream::new(plan.seed, "game", number);
    let (mut violations, mut example) = (0, None);
    let mut rule_uses = vec![0; if plan.rules { engine.game().rules.len() } else { 0 }];
    let mut test = |run: &mut dyn Run| {
        if !plan.invariants {
            return;
        }
        let broken = run.violations();
        violations += broken.len() as u64;
        if let (Some(&rule), None) = (broken.first(), &example) {
            let position = print_position(engine, &run.position());
            example = Some(Violation { game: number, ply: run.ply(), rule, position });
        }
    };
    run.back();
    let game = playout(engine, run, plan.cap, plan.reactions.as_ref(), &mut dice, &mut |run, chosen| {
        test(run);
        if plan.rules
            && let Some(mv) = chosen.in_run(run)
        {
            for rule in engine.grounds(&run.position(), &mv) {
                if let Some(uses) = rule_uses.get_mut(rule as usize) {
                    *uses += 1;
                }
            }
        }
        true
    });
    test(run);
    Played {
        plies: game.plies,
        decisions: game.decisions,
        answers: game.answers,
        stop: game.stop,
        outcome: game.outcome,
        violations,
        example,
        rule_uses,
    }
}

fn gather(engine: &dyn Engine, plan: &Plan, played: &[Played]) -> Statistics {
    let seats = engine.game().seats.len();
    let games = played.len() as u64;
    let mut found = Statistics { games, ..Statistics::default() };
    let mut verdicts: Vec<Vec<Verdict>> = vec![Vec::new(); seats];
    let (mut decisions, mut answers, mut draws) = (0, 0, 0);
    found.rule_uses = vec![0; if plan.rules { engine.game().rules.len() } else { 0 }];
    for game in played {
        decisions += game.decisions;
        answers += game.answers;
        found.violations += game.violations;
        for (sum, uses) in found.rule_uses.iter_mut().zip(&game.rule_uses) {
            *sum += uses;
        }
        if found.examples.len() < EXAMPLES {
            found.examples.extend(game.example.clone());
        }
        let verdict = |seat: usize| game.outcome.as_ref().and_then(|o| o.verdicts.get(seat)).copied();
        for (seat, list) in verdicts.iter_mut().enumerate() {
            list.push(verdict(seat).unwrap_or(Verdict::Open));
        }
        match &game.outcome {
            Some(outcome) => {
                draws += u64::from(outcome.decided() && outcome.winners().next().is_none());
                found.exhausted += u64::from(matches!(outcome.ending, Ending::Budget(_)));
                match found.endings.iter_mut().find(|(ending, _)| *ending == outcome.ending) {
                    Some((_, count)) => *count += 1,
                    None => found.endings.push((outcome.ending, 1)),
                }
            }
            None => found.capped += u64::from(game.stop == Stop::Cap),
        }
    }
    // The sort is stable: endings as frequent stand in the order of the games.
    found.endings.sort_by_key(|(_, count)| Reverse(*count));
    found.seats = verdicts.iter().map(|list| seat_stats(list, games)).collect();
    found.draws = share(draws, games);
    found.branching = mean(answers, decisions);
    found.lengths = lengths(played.iter().map(|game| game.plies).collect());
    found
}
