//! Uniformly random play.

use super::information::InformationSet;
use super::reaction::Reactions;
use super::seat::{Bot, View};
use super::seed::Stream;
use crate::ir::Move;
use crate::model::{Ask, Engine, Outcome, Position, Run, set_up};

/// How many questions may be asked per ply of the cap, so that a game ends even if its seats only pick and decline.
const QUESTIONS_PER_PLY: u64 = 64;

/// Why a playout stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The game was over.
    Over,
    /// It reached the cap on plies.
    Cap,
    /// The step budget ran out while moves were listed, or too many questions passed without a ply.
    Budget,
    /// The watcher stopped it.
    Watcher,
}

/// A game played at random.
#[derive(Clone, Debug)]
pub struct Playout {
    /// The outcome, if the game ended.
    pub outcome: Option<Outcome>,
    /// The number of plies played.
    pub plies: u32,
    /// The number of decisions made by seats.
    pub decisions: u64,
    /// The total number of legal answers over all decisions.
    pub answers: u64,
    /// The number of questions answered, chance included.
    pub questions: u64,
    /// Why it stopped.
    pub stop: Stop,
}

/// A uniformly random legal move; none if there is none.
#[must_use]
pub fn random_move(engine: &dyn Engine, position: &Position, dice: &mut Stream) -> Option<Move> {
    let mut legal = engine.legal(position);
    if legal.is_empty() { None } else { Some(legal.swap_remove(dice.below(legal.len()))) }
}

/// A bot that plays uniformly random legal moves.
#[derive(Clone, Debug)]
pub struct RandomBot(pub Stream);

impl Bot for RandomBot {
    fn choose(&mut self, view: &View, _: &InformationSet<'_>, _: &dyn Fn() -> bool) -> Option<usize> {
        if view.legal.is_empty() { None } else { Some(self.0.below(view.legal.len())) }
    }
}

/// Plays random chance from a position within the setup to the first question of play.
#[must_use]
pub fn deal(engine: &dyn Engine, position: Position, dice: &mut Stream) -> Position {
    set_up(engine, position, |outcomes| if outcomes == 0 { 0 } else { dice.below(outcomes) })
}

/// An answer chosen in a playout.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// The legal answer with this index.
    Legal(usize),
    /// An act in a race, at a time of its own.
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

/// A question in a random game, to a seat or to chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub ask: Ask,
    /// How many answers are legal; at least one.
    pub count: usize,
}

/// A random game, question by question.
pub struct RandomGame<'a> {
    engine: &'a dyn Engine,
    run: &'a mut dyn Run,
    reactions: Option<&'a Reactions>,
    first_ply: u32,
    cap: u32,
    decisions: u64,
    answers: u64,
    questions: u64,
}

impl std::fmt::Debug for RandomGame<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RandomGame").field("questions", &self.questions).finish_non_exhaustive()
    }
}

impl<'a> RandomGame<'a> {
    /// Continues from the current position of a run for at most `cap` plies. Races are decided by reaction times if
    /// they are given and the rules have cues.
    pub fn new(engine: &'a dyn Engine, run: &'a mut dyn Run, cap: u32, reactions: Option<&'a Reactions>) -> Self {
        let reactions = reactions.filter(|_| !engine.game().cues.is_empty());
        let first_ply = run.ply();
        Self { engine, run, reactions, first_ply, cap, decisions: 0, answers: 0, questions: 0 }
    }

    /// The underlying run.
    pub fn run(&mut self) -> &mut dyn Run {
        self.run
    }

    /// The number of plies played.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.run.ply() - self.first_ply
    }

    /// The next question; call this once between two answers.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn question(&mut self) -> Result<Question, Stop> {
        if self.run.outcome().is_some() {
            return Err(Stop::Over);
        }
        let limit = (u64::from(self.cap) + 16).saturating_mul(QUESTIONS_PER_PLY);
        if self.plies() >= self.cap {
            return Err(Stop::Cap);
        }
        if self.questions >= limit {
            return Err(Stop::Budget);
        }
        self.questions += 1;
        let count = self.run.count();
        if count == 0 {
            return Err(Stop::Budget);
        }
        let ask = self.run.ask();
        if matches!(ask, Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }) {
            self.decisions += 1;
            self.answers += count as u64;
        }
        Ok(Question { ask, count })
    }

    /// Whether a question is decided by reaction times.
    #[must_use]
    pub fn is_timed(&self, question: &Question) -> bool {
        self.reactions.is_some() && matches!(question.ask, Ask::Race { .. })
    }

    /// An answer: the fastest seat's act, or a uniformly random legal answer.
    pub fn choose(&self, question: &Question, dice: &mut Stream) -> Chosen {
        let timed = self.reactions.filter(|_| self.is_timed(question));
        let timed = timed.and_then(|reactions| reactions.first(self.engine, &self.run.position(), dice));
        timed.map_or_else(|| Chosen::Legal(dice.below(question.count)), Chosen::Timed)
    }

    /// Plays an answer.
    pub fn play(&mut self, chosen: &Chosen) {
        match chosen {
            Chosen::Legal(n) => self.run.play_nth(*n),
            Chosen::Timed(mv) => {
                self.run.play_unchecked(mv);
            }
        }
    }

    /// The result, after the playout stopped.
    #[must_use]
    pub fn end(self, stop: Stop) -> Playout {
        let (outcome, plies) = (self.run.outcome().cloned(), self.plies());
        Playout { outcome, plies, decisions: self.decisions, answers: self.answers, questions: self.questions, stop }
    }
}

/// Plays at random for at most `cap` plies. Races are decided by reaction times if they are given and the rules have
/// cues, else by a uniformly random legal act. `watch` sees the game before each answer together with the answer, and
/// says whether to go on.
pub fn playout(
    engine: &dyn Engine,
    run: &mut dyn Run,
    cap: u32,
    reactions: Option<&Reactions>,
    dice: &mut Stream,
    watch: &mut dyn FnMut(&mut dyn Run, &Chosen) -> bool,
) -> Playout {
    let mut course = RandomGame::new(engine, run, cap, reactions);
    let stop = loop {
        let question = match course.question() {
            Ok(question) => question,
            Err(stop) => break stop,
        };
        let chosen = course.choose(&question, dice);
        if !watch(course.run(), &chosen) {
            break Stop::Watcher;
        }
        course.play(&chosen);
    };
    course.end(stop)
}
