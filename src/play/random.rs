//! Uniformly random play.

use super::reaction::{Reactions, cued_race};
use super::seat::{Bot, View};
use super::seed::Stream;
use crate::ir::Move;
use crate::model::{Ask, Engine, Outcome, Position};

/// So many questions may be asked per ply of the cap: a game whose seats only
/// pick and decline ends, too.
const QUESTIONS_PER_PLY: u64 = 64;

/// Why a playout stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The game was over.
    Over,
    /// It had as many plies as were allowed.
    Cap,
    /// Whoever watched it had seen enough.
    Told,
}

/// A game played at random.
#[derive(Clone, Debug)]
pub struct Playout {
    /// How it ended, if it did.
    pub outcome: Option<Outcome>,
    /// How many plies were played.
    pub plies: u32,
    /// How many decisions seats made.
    pub decisions: u64,
    /// How many answers they had to choose from, all in all.
    pub answers: u64,
    /// Why it stopped.
    pub stop: Stop,
}

/// A legal move, each as likely; none if there is none.
#[must_use]
pub fn random_move(engine: &dyn Engine, position: &Position, dice: &mut Stream) -> Option<Move> {
    let mut legal = engine.legal(position);
    if legal.is_empty() { None } else { Some(legal.swap_remove(dice.below(legal.len()))) }
}

/// A bot that plays any of its legal moves, each as likely.
#[derive(Clone, Debug)]
pub struct RandomBot(pub Stream);

impl Bot for RandomBot {
    fn choose(&mut self, view: &View) -> Option<usize> {
        if view.legal.is_empty() { None } else { Some(self.0.below(view.legal.len())) }
    }
}

/// Goes on from a position in the midst of the set-up to the first question of
/// play; chance is drawn.
#[must_use]
pub fn deal(engine: &dyn Engine, mut position: Position, dice: &mut Stream) -> Position {
    while matches!(position.ask, Ask::Chance { .. }) && position.in_setup(engine.game()) {
        let Some(outcome) = random_move(engine, &position, dice) else { break };
        position = engine.follow(&position, &outcome);
    }
    position
}

/// Plays at random from a position for at most `cap` plies. Races go by reaction
/// times if some are given and the rules have cues, else anything legal comes
/// first, each as likely. `watch` sees each position but the last with the move
/// chosen in it, and says whether to go on.
pub fn playout(
    engine: &dyn Engine,
    start: Position,
    cap: u32,
    reactions: Option<&Reactions>,
    dice: &mut Stream,
    watch: &mut dyn FnMut(&Position, &Move) -> bool,
) -> (Playout, Position) {
    let (first_ply, mut position) = (start.ply, start);
    let (mut decisions, mut answers, mut questions) = (0, 0, 0);
    let limit = (u64::from(cap) + 16).saturating_mul(QUESTIONS_PER_PLY);
    let stop = loop {
        if position.is_over() {
            break Stop::Over;
        }
        if position.ply - first_ply >= cap || questions >= limit {
            break Stop::Cap;
        }
        questions += 1;
        let mut legal = engine.legal(&position);
        if legal.is_empty() {
            // The budget of steps ran out while moves were listed.
            break Stop::Cap;
        }
        if matches!(position.ask, Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }) {
            decisions += 1;
            answers += legal.len() as u64;
        }
        let timed = reactions.filter(|_| cued_race(engine, &position));
        let mv = match timed.and_then(|reactions| reactions.first(engine, &position, dice)) {
            Some(mv) => mv,
            None => legal.swap_remove(dice.below(legal.len())),
        };
        if !watch(&position, &mv) {
            break Stop::Told;
        }
        position = engine.follow(&position, &mv);
    };
    let plies = position.ply - first_ply;
    (Playout { outcome: position.outcome.clone(), plies, decisions, answers, stop }, position)
}
