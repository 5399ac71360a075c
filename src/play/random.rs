//! Uniformly random play.

use super::door::Who;
use super::idle::{BYTES_AN_OUTCOME, Idle, Luck};
use super::information::InformationSet;
use super::matches::Match;
use super::reaction::Reactions;
use super::seat::{Bot, View};
use super::seed::Stream;
use crate::base::SaturatingFrom;
use crate::ir::{ActionRef, Move, Value};
use crate::model::{Ask, Engine, Frame, Outcome, Position, Run, set_up};

/// How many questions may be asked per ply of the cap, so that a game ends even if its seats only pick and decline.
const QUESTIONS_PER_PLY: u64 = 64;

/// Why a playout stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The game was over.
    Over,
    /// It reached the cap on plies.
    Cap,
    /// The step budget ran out while moves were listed or cues tested, or too many questions passed without a ply.
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
    if let (Ask::Chance { .. }, Some(Frame::Shuffle(_, left))) = (&position.ask, position.control.last()) {
        // One of the cards that are left: a deck may have thousands.
        let card = Value::Int(i64::saturating_from(dice.below(*left as usize)));
        return Some(Move { action: ActionRef::Pick, args: std::iter::once(card).collect() });
    }
    if matches!(position.ask, Ask::Chance { .. }) {
        return outcome(engine, position, dice).map(|(mv, _)| mv);
    }
    let mut legal = engine.legal(position);
    if legal.is_empty() { None } else { Some(legal.swap_remove(dice.below(legal.len()))) }
}

/// A random outcome of chance, of how many; none if there is none. There may be a hundred thousand, which take less room in a run.
pub(super) fn outcome(engine: &dyn Engine, position: &Position, dice: &mut Stream) -> Option<(Move, usize)> {
    let mut run = engine.run();
    if !run.load(position) {
        let mut legal = engine.legal(position);
        let count = legal.len();
        return (count > 0).then(|| (legal.swap_remove(dice.below(count)), count));
    }
    let count = run.count();
    let drawn = if count > 0 { run.legal(dice.below(count)) } else { None };
    drawn.map(|mv| (mv, count))
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
    /// A move that need not be listed: what a bot chose, or an act in a race at a time of its own.
    Named(Move),
    /// What the seats of a race do takes too many steps to find out: the game stops.
    Unknown,
}

impl Chosen {
    /// The move.
    pub fn in_run(&self, run: &mut dyn Run) -> Option<Move> {
        match self {
            Self::Legal(n) => run.legal(*n),
            Self::Named(mv) => Some(mv.clone()),
            Self::Unknown => None,
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

/// The bots of a game by seat; a seat without one plays at random.
pub type Bots<'a> = Vec<Option<Box<dyn Bot + 'a>>>;

/// A random game, question by question.
pub struct RandomGame<'a> {
    engine: &'a dyn Engine,
    run: &'a mut dyn Run,
    reactions: Option<&'a Reactions>,
    bots: Bots<'a>,
    /// The game with its steps, which bots remember; kept where there are any.
    course: Option<Match<'a>>,
    first_ply: u32,
    cap: u32,
    decisions: u64,
    answers: u64,
    questions: u64,
    /// The same, where a shuffle counts once.
    asked: u64,
    idle: Idle,
    luck: Luck,
    /// The steps of the run up to the last question.
    steps: u64,
    /// The steps beside those of the run since then.
    beside: u64,
    /// Whether it could not be found out what the seats intended in a race.
    unmoved: bool,
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
        let (first_ply, steps) = (run.ply(), run.steps());
        Self {
            engine,
            run,
            reactions,
            bots: Vec::new(),
            course: None,
            first_ply,
            cap,
            decisions: 0,
            answers: 0,
            questions: 0,
            asked: 0,
            idle: Idle::random(),
            luck: Luck::default(),
            steps,
            beside: 0,
            unmoved: false,
        }
    }

    /// The same with bots on some seats.
    #[must_use]
    pub fn seated(mut self, bots: Bots<'a>) -> Self {
        if bots.iter().any(Option::is_some) {
            self.course = Some(Match::new(self.engine, self.run.position()));
            self.idle = Idle::thoughtful();
        }
        self.bots = bots;
        self
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
        if self.asked >= limit || self.unmoved {
            return Err(Stop::Budget);
        }
        self.questions += 1;
        // A shuffle is one question, however many its cards.
        let shuffles = self.run.shuffles_on();
        self.asked += u64::from(!shuffles);
        let count = self.run.count();
        let ask = self.run.ask();
        let drawn = matches!(ask, Ask::Chance { .. });
        let heavy = count.saturating_mul(BYTES_AN_OUTCOME);
        let own = self.run.steps() - std::mem::replace(&mut self.steps, self.run.steps());
        let steps = own.saturating_add(std::mem::take(&mut self.beside));
        if count == 0 || (drawn && self.luck.is_endless(self.run.ply(), shuffles, heavy, steps)) {
            return Err(Stop::Budget);
        }
        if matches!(ask, Ask::Choose { .. } | Ask::Pick { .. } | Ask::Race { .. }) {
            // Only what bots remember is copied.
            let bytes = if self.course.is_some() { self.run.bytes() } else { 0 };
            if self.idle.is_too_long(self.run.ply(), bytes, steps) {
                return Err(Stop::Budget);
            }
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

    /// Whether a question is to a seat that a bot plays.
    #[must_use]
    pub fn is_thought(&self, question: &Question) -> bool {
        match question.ask {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => {
                self.bots.get(usize::from(seat)).is_some_and(Option::is_some)
            }
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => false,
        }
    }

    /// The move of the bot that is asked.
    fn thought(&mut self, question: &Question) -> Option<Move> {
        let (Ask::Choose { seat, .. } | Ask::Pick { seat, .. }) = question.ask else { return None };
        let bot = self.bots.get_mut(usize::from(seat))?.as_mut()?;
        let (view, known) = self.course.as_ref()?.door(Who::seat(seat)).seated()?;
        let chosen = bot.choose(&view, &known, &|| false)?;
        view.legal.get(chosen).cloned()
    }

    /// An answer: the move of a bot, the fastest seat's act, or a uniformly random legal answer.
    pub fn choose(&mut self, question: &Question, dice: &mut Stream) -> Chosen {
        if let Some(mv) = self.thought(question) {
            return Chosen::Named(mv);
        }
        let Some(reactions) = self.reactions.filter(|_| self.is_timed(question)) else {
            return Chosen::Legal(dice.below(question.count));
        };
        let (first, beside) = reactions.first_in(self.engine, self.run, dice);
        self.beside = self.beside.saturating_add(beside);
        self.unmoved = first.is_none();
        first.map_or(Chosen::Unknown, Chosen::Named)
    }

    /// Plays an answer.
    pub fn play(&mut self, chosen: &Chosen) {
        if let Some(course) = &mut self.course
            && let Some(mv) = chosen.in_run(self.run)
        {
            course.play_unchecked(mv);
        }
        match chosen {
            Chosen::Legal(n) => self.run.play_nth(*n),
            Chosen::Named(mv) => {
                self.run.play_unchecked(mv);
            }
            Chosen::Unknown => {}
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
    let course = RandomGame::new(engine, run, cap, reactions);
    play_out(course, dice, watch)
}

/// The same for a game that has been prepared.
pub fn play_out(
    mut course: RandomGame<'_>,
    dice: &mut Stream,
    watch: &mut dyn FnMut(&mut dyn Run, &Chosen) -> bool,
) -> Playout {
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
