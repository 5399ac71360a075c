//! Sessions for the rooms that offer them to people and programs.

use super::session::Session;
#[cfg(feature = "serve")]
use crate::bots::DECISION;
use crate::bots::Spec;
use crate::ir::{self, SeatId};
#[cfg(feature = "serve")]
use crate::model::Meter;
use crate::model::{self, Engine, Grounds, Refusal};
use crate::notation::{NotationError, print_answer, print_move};
use crate::play::{
    Door, Luck, Match, Reactions, Record, ReplayError, Shown, Step, Stream, Who, random_move, read_step,
};

impl Session {
    /// What one asker gets of the game.
    pub(crate) fn door(&self, who: Who) -> Door<'_> {
        self.game.door(who)
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        self.rules.engine()
    }

    #[doc(hidden)]
    #[must_use]
    pub fn model(&self) -> &model::Position {
        self.game.position()
    }

    #[doc(hidden)]
    #[must_use]
    pub fn game(&self) -> &Match<'static> {
        &self.game
    }

    /// Plays a move that is known to be legal.
    #[doc(hidden)]
    pub fn play_legal(&mut self, mv: ir::Move) {
        self.game.play_unchecked(mv);
        self.draw();
    }

    /// The same game for a bot that has to be done in time: a decision that takes longer than a search can wait for is not
    /// looked into.
    #[cfg(feature = "serve")]
    pub(crate) fn hurried(&self) -> Self {
        let game = self.game.within(&Meter::new(u64::MAX).each(DECISION));
        Self { rules: self.rules.clone(), game, seed: self.seed, start: self.start.clone(), draws: self.draws }
    }

    /// Plays the steps of a record.
    pub(crate) fn replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        record.play(&mut self.game)
    }

    /// Plays the steps of a record while `going` returns true, asked before each with about how many bytes its positions take;
    /// whether all have been played.
    #[cfg(feature = "serve")]
    pub(crate) fn replay_while(&mut self, record: &Record, going: &dyn Fn(usize) -> bool) -> Result<bool, ReplayError> {
        record.play_while(&mut self.game, &|game| going(game.bytes()))
    }

    /// Draws chance outcomes automatically from now on.
    pub(crate) fn drawing(mut self) -> Self {
        self.draws = true;
        self.draw();
        self
    }

    /// The steps from a number on, as a record has them.
    #[cfg(feature = "serve")]
    pub(crate) fn texts(&self, from: usize) -> Vec<String> {
        let game = self.rules.game();
        let text = |(before, step): (std::sync::Arc<_>, &Step)| match step {
            Step::Move(mv) => print_move(game, &before, mv),
            Step::Answer(answer) => print_answer(game, &before, answer),
        };
        self.game.since(from).map(text).collect()
    }

    /// The logical clock of races, in milliseconds.
    #[cfg(feature = "serve")]
    pub(crate) fn now(&self) -> i64 {
        self.model().now
    }

    /// What the clock shows once nobody has acted in a race that has a deadline.
    #[cfg(feature = "serve")]
    pub(crate) fn deadline(&self) -> Option<i64> {
        self.game.deadline().map(|(_, then)| then)
    }

    /// Takes back all steps from a number on.
    #[cfg(feature = "serve")]
    pub(crate) fn rewind(&mut self, steps: usize) {
        self.game.rewind(steps);
    }

    pub(crate) fn play_step(&mut self, step: Step) -> Result<(), Refusal> {
        self.game.play(step)
    }

    /// Parses a text as a step.
    pub(crate) fn read(&self, text: &str) -> Result<Step, NotationError> {
        read_step(self.engine(), self.model(), text)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn written(&self, step: &Step) -> String {
        match step {
            Step::Move(mv) => print_move(self.rules.game(), self.model(), mv),
            Step::Answer(answer) => print_answer(self.rules.game(), self.model(), answer),
        }
    }

    /// The rules that a step relies on, or why it is refused, as far as a seat can know; without a seat, as the
    /// referee knows it.
    pub(super) fn grounds(&self, step: &Step, seat: Option<SeatId>) -> Shown<Grounds> {
        self.door(seat.map_or(Who::Referee, Who::seat)).grounds(step)
    }

    /// Whether chance is to act and its outcome is drawn from the seed.
    pub(crate) fn is_to_draw(&self) -> bool {
        self.draws && matches!(self.model().ask, model::Ask::Chance { .. })
    }

    /// Draws one chance outcome, if outcomes are drawn; false if it did not. Each step has its own random stream, so
    /// that a step undone and played again is followed by the same outcomes.
    pub(crate) fn draw_once(&mut self, luck: &mut Luck) -> bool {
        if !self.is_to_draw() {
            return false;
        }
        let drawn = luck.draw(self.engine(), self.model(), &mut self.dice("play"));
        drawn.is_some_and(|mv| {
            self.game.play_unchecked(mv);
            true
        })
    }

    /// The random stream for the next step.
    pub(crate) fn dice(&self, what: &str) -> Stream {
        Stream::of(self.seed, what, self.game.steps().len() as u64)
    }

    /// A bot's answer for the seat to act, chance included.
    pub(crate) fn answer_of(&self, spec: Spec, stop: &dyn Fn() -> bool) -> Option<ir::Move> {
        let (engine, position, mut dice) = (self.game.engine(), self.model(), self.dice("play"));
        match position.ask {
            model::Ask::Choose { seat, .. } | model::Ask::Pick { seat, .. } => {
                self.search(spec, seat, stop, self.dice("bot"))
            }
            model::Ask::Race { .. } if !engine.game().cues.is_empty() => {
                Reactions::default().first(engine, position, &mut dice)
            }
            model::Ask::Race { .. } | model::Ask::Chance { .. } => random_move(engine, position, &mut dice),
            model::Ask::Over => None,
        }
    }

    /// The move that a bot chooses from what a seat sees.
    pub(crate) fn search(&self, spec: Spec, seat: SeatId, stop: &dyn Fn() -> bool, dice: Stream) -> Option<ir::Move> {
        let evaluation = self.rules.evaluation(spec.evaluates());
        let (view, known) = self.door(Who::seat(seat)).seated()?;
        let chosen = spec.bot(self.game.engine(), &evaluation, dice).choose(&view, &known, stop)?;
        view.legal.get(chosen).cloned()
    }
}

/// What only servers ask for.
#[cfg(feature = "serve")]
impl Session {
    /// The number of steps so far.
    pub(crate) fn steps(&self) -> usize {
        self.game.steps().len()
    }

    /// About how many bytes its positions take.
    pub(crate) fn bytes(&self) -> usize {
        self.game.bytes()
    }

    /// Takes back what the asker did last; false if it may not.
    pub(crate) fn undo_for(&mut self, who: Who) -> bool {
        match who {
            Who::Referee => self.undo(),
            Who::Viewer(_) => {
                let Some(left) = self.door(who).undo() else { return false };
                self.game.rewind(left)
            }
        }
    }

    /// The record for the referee.
    pub(crate) fn whole_record(&self, who: Who) -> Option<Shown<Record>> {
        self.door(who).record(&self.head())
    }

    /// The record for a viewer.
    pub(crate) fn seat_record(&self, who: Who) -> Option<Shown<crate::play::SeatRecord>> {
        self.door(who).seat_record(&self.head())
    }

    /// What a seat does next in a race by its reaction time, if anything; an outer none if that takes too many steps to find out.
    /// Each seat has a stream of its own: what another one intends, which may be hidden, changes nothing.
    pub(crate) fn act(&self, seat: SeatId) -> Option<Option<ir::Move>> {
        let mut dice = self.dice(&format!("race {}", usize::from(seat)));
        self.game.reaction(seat, &mut dice).map(|act| act.filter(|mv| self.game.admits(mv)))
    }
}
