//! Uniformly random play.

use super::reaction::Reactions;
use super::seat::{Bot, View};
use super::seed::Stream;
use super::veil::Veil;
use crate::ir::Move;
use crate::model::{Ask, Engine, Outcome, Position, Run};

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
    /// How many questions were answered, those to chance included.
    pub questions: u64,
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
    fn choose(&mut self, view: &View, _: &Veil<'_>, _: &dyn Fn() -> bool) -> Option<usize> {
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

/// What was chosen in a playout.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// The legal answer with this number.
    Legal(usize),
    /// An act in a race, at its own moment.
    Timed(Move),
}

impl Chosen {
    /// The move.
    pub fn in_run(&self, run: &mut dyn Run) -> Option<Move> {
        match self {
            Self::Legal(n) => run.legal(*n),
            Self::Timed(mv) => Some(mv.clone()),
        }
    }
}

/// Plays at random for at most `cap` plies. Races go by reaction times if some are
/// given and the rules have cues, else anything legal comes first, each as likely.
/// `watch` sees the game before each answer with what was chosen, and says whether
/// to go on.
pub fn playout(
    engine: &dyn Engine,
    run: &mut dyn Run,
    cap: u32,
    reactions: Option<&Reactions>,
    dice: &mut Stream,
    watch: &mut dyn FnMut(&mut dyn Run, &Chosen) -> bool,
) -> Playout {
    let first_ply = run.ply();
    let reactions = reactions.filter(|_| !engine.game().cues.is_empty());
    let (mut decisions, mut answers, mut questions) = (0, 0, 0);
    let limit = (u64::from(cap) + 16).saturating_mul(QUESTIONS_PER_PLY);
    let stop = loop {
        if run.outcome().is_some() {
            break Stop::Over;
        }
        if run.ply() - first_ply >= cap || questions >= limit {
            break Stop::Cap;
        }
        questions += 1;
        let count = run.count();
        if count == 0 {
            // The budget of steps ran out while moves were listed.
            break Stop::Cap;
        }
        let ask = run.ask();
        if matches!(ask, Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }) {
            decisions += 1;
            answers += count as u64;
        }
        let timed = reactions.filter(|_| matches!(ask, Ask::Race { .. }));
        let timed = timed.and_then(|reactions| reactions.first(engine, &run.position(), dice));
        let chosen = timed.map_or_else(|| Chosen::Legal(dice.below(count)), Chosen::Timed);
        if !watch(run, &chosen) {
            break Stop::Told;
        }
        match &chosen {
            Chosen::Legal(n) => run.play(*n),
            Chosen::Timed(mv) => {
                run.follow(mv);
            }
        }
    };
    Playout { outcome: run.outcome().cloned(), plies: run.ply() - first_ply, decisions, answers, questions, stop }
}
