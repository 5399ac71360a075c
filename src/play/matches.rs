//! A game in progress, with its history.

use std::sync::{Arc, OnceLock};

use super::lost::Change;
use super::random::random_move;
use super::reaction::Reactions;
use super::seat::Announcement;
use super::seed::Stream;
use super::trail::Trail;
use crate::ir::{ActionRef, Move, SeatId, Value};
use crate::model::{Answer, Ask, Engine, Frame, Meter, Position, Refusal};
use crate::notation::{print_answer, print_move};

/// So many outcomes of chance since a seat was last asked are gone through to tell what has changed since.
const OUTCOMES: usize = 64;

/// One step of a game: a move, a chance outcome, or an answer other than a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A move, a picked value or an outcome of chance.
    Move(Move),
    /// A claim or an offer.
    Answer(Answer),
}

impl Step {
    /// The seat that takes it in a position; none for chance.
    #[must_use]
    pub fn seat(&self, position: &Position) -> Option<SeatId> {
        match self {
            Self::Answer(Answer::Claim { seat, .. } | Answer::Offer { seat, .. }) => Some(*seat),
            Self::Move(mv) => position.asked().or_else(|| mv.racer()),
        }
    }
}

/// A borrowed or shared engine.
#[derive(Clone)]
enum Handle<'a> {
    Borrowed(&'a dyn Engine),
    Shared(Arc<dyn Engine>),
}

impl Handle<'_> {
    fn engine(&self) -> &dyn Engine {
        match self {
            Self::Borrowed(engine) => *engine,
            Self::Shared(engine) => engine.as_ref(),
        }
    }
}

/// A game in progress. Clones share the earlier positions.
///
/// It can be asked for every earlier position. One that borrows its engine keeps about 64 MiB of them and works the others out
/// again; one that shares its engine keeps all.
#[derive(Clone)]
pub struct Match<'a> {
    engine: Handle<'a>,
    trail: Trail,
    steps: Vec<Step>,
    /// What each step makes known, once somebody has asked for it.
    announced: Vec<Arc<OnceLock<Announcement>>>,
    /// For each position what became of the pieces before it, once somebody has asked for it.
    changes: Vec<Arc<OnceLock<Change>>>,
}

impl std::fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Match").field("positions", &self.trail.len()).field("steps", &self.steps).finish()
    }
}

impl<'a> Match<'a> {
    /// A game that begins at a position.
    #[must_use]
    pub fn new(engine: &'a dyn Engine, start: Position) -> Self {
        let trail = Trail::sparse(engine, start);
        Self {
            engine: Handle::Borrowed(engine),
            trail,
            steps: Vec::new(),
            announced: Vec::new(),
            changes: vec![Arc::default()],
        }
    }

    /// The same on a shared engine, for callers that keep many games and limit them together: no step of such a game is
    /// ever played again.
    #[must_use]
    pub fn shared(engine: Arc<dyn Engine>, start: Position) -> Match<'static> {
        let trail = Trail::whole(&*engine, start);
        Match {
            engine: Handle::Shared(engine),
            trail,
            steps: Vec::new(),
            announced: Vec::new(),
            changes: vec![Arc::default()],
        }
    }

    /// The same game, whose decisions take their steps from a meter from now on.
    #[must_use]
    pub fn within(&self, meter: &Meter) -> Match<'static> {
        let engine = Handle::Shared(self.engine().within(meter));
        // What is worked out where the meter is spent is not what everybody is told.
        let announced = self.steps.iter().map(|_| Arc::default()).collect();
        let changes = self.changes.iter().map(|_| Arc::default()).collect();
        Match { engine, trail: self.trail.clone(), steps: self.steps.clone(), announced, changes }
    }

    /// The interpreter.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        self.engine.engine()
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.trail.current()
    }

    /// The steps so far.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Plays a step.
    ///
    /// # Errors
    /// Says why it is refused; nothing has changed then.
    pub fn play(&mut self, step: Step) -> Result<(), Refusal> {
        let next = match &step {
            // Such a position is not copied for each card.
            Step::Move(mv) if self.is_shuffling() => {
                if let Some(refusal) = self.engine().explain().refusal(self.position(), mv) {
                    return Err(refusal);
                }
                self.play_unchecked(mv.clone());
                return Ok(());
            }
            Step::Move(mv) => self.engine().play(self.position(), mv)?,
            Step::Answer(answer) => self.engine().answer(self.position(), answer)?,
        };
        self.push(step, next);
        Ok(())
    }

    /// Plays a move that [`Engine::legal`] lists; for any other move the result is unspecified.
    pub fn play_unchecked(&mut self, mv: Move) {
        let next = match self.trail.spare() {
            Some(position) => self.engine().play_owned(position, &mv),
            None => self.engine().play_unchecked(self.position(), &mv),
        };
        self.push(Step::Move(mv), next);
    }

    fn push(&mut self, step: Step, next: Position) {
        let next = self.engine().settled(next);
        self.trail.push(next);
        self.steps.push(step);
        self.announced.push(Arc::default());
        self.changes.push(Arc::default());
    }

    /// The question. It is public, as is who is asked.
    #[must_use]
    pub fn ask(&self) -> &Ask {
        &self.position().ask
    }

    /// The seat to act, if it is a single one.
    #[must_use]
    pub fn asked(&self) -> Option<SeatId> {
        self.position().asked()
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// The questions answered from a step on.
    pub fn questions(&self, from: usize) -> impl Iterator<Item = Ask> {
        self.since(from).map(|(before, _)| before.ask.clone())
    }

    /// The number of plies made.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.position().ply
    }

    /// The time of the last act of a race.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.position().now
    }

    /// Whether the setup still runs.
    #[must_use]
    pub fn in_setup(&self) -> bool {
        self.position().in_setup(self.engine().game())
    }

    /// Whether chance is asked for a card of a shuffle.
    #[must_use]
    pub fn is_shuffling(&self) -> bool {
        matches!(self.position().control.last(), Some(Frame::Shuffle(..)))
    }

    /// Who takes a step; none for chance.
    #[must_use]
    pub fn by(&self, step: &Step) -> Option<SeatId> {
        step.seat(self.position())
    }

    /// What happens if nobody decides: an outcome of chance, in a race the first act; none if the game is over.
    pub fn fate(&self, dice: &mut Stream) -> Option<Move> {
        match self.ask() {
            Ask::Race { .. } => Reactions::default().first(self.engine(), self.position(), dice),
            Ask::Choose { .. } | Ask::Pick { .. } | Ask::Chance { .. } | Ask::Over => {
                random_move(self.engine(), self.position(), dice)
            }
        }
    }

    /// What a seat does next in a race by its reaction time, be it admissible or not; none if it does nothing, and an outer none if
    /// that takes too many steps to find out.
    pub fn reaction(&self, seat: SeatId, dice: &mut Stream) -> Option<Option<Move>> {
        let (engine, reactions) = (self.engine(), Reactions::default());
        if engine.game().cues.is_empty() {
            Some(reactions.any(engine, self.position(), seat, dice))
        } else {
            reactions.act(engine, self.position(), seat, dice)
        }
    }

    /// Whether a move would be played.
    #[must_use]
    pub fn admits(&self, mv: &Move) -> bool {
        self.engine().refuses(self.position(), mv).is_none()
    }

    /// That nobody acts in a race until its deadline, and what the clock shows then, in milliseconds; none where it has none.
    #[must_use]
    pub fn deadline(&self) -> Option<(Move, i64)> {
        let wait = self.engine().legal(self.position()).into_iter().find(|mv| mv.action == ActionRef::Wait)?;
        let then = self.engine().play_unchecked(self.position(), &wait).now;
        Some((wait, then))
    }

    /// Takes the last step back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let last = self.steps.len().checked_sub(1);
        last.is_some_and(|last| self.rewind(last))
    }

    /// Takes all steps from a number on back, together; false if there are none.
    pub fn rewind(&mut self, steps: usize) -> bool {
        if steps >= self.steps.len() {
            return false;
        }
        self.steps.truncate(steps);
        self.trail.truncate(&self.steps);
        self.announced.truncate(steps);
        self.changes.truncate(steps + 1);
        true
    }

    /// The last step that a seat took; none if chance took all.
    #[must_use]
    pub fn last_decided(&self) -> Option<usize> {
        let at = self.trail.looked(self.steps.len().checked_sub(1)?)?;
        let chance = |position: Arc<Position>| matches!(position.ask, Ask::Chance { .. });
        self.before(at).is_some_and(|before| !chance(before)).then_some(at)
    }

    /// The number of the last move, the position it was made in, and the move.
    pub(super) fn last_move(&self) -> Option<(usize, Arc<Position>, &Move)> {
        let mut steps = self.steps.iter().enumerate().rev();
        let (number, mv) = steps.find_map(|(number, step)| match step {
            Step::Move(mv) => Some((number, mv)),
            Step::Answer(_) => None,
        })?;
        Some((number, self.trail.at(number, &self.steps)?, mv))
    }

    /// The position in which a seat made its latest choice of those made at once that are under way before a step.
    pub(super) fn chosen_before(&self, number: usize, seat: SeatId) -> Option<Arc<Position>> {
        let place = |before: &Position| if let Ask::Choose { at, .. } = before.ask { Some(at) } else { None };
        let here = place(&*self.before(number)?)?;
        let earlier = (0..number).rev().map_while(|step| Some((step, self.before(step)?)));
        let mut round = earlier.take_while(|(_, before)| place(before) == Some(here));
        let chose = |step: usize| matches!(self.steps.get(step), Some(Step::Move(_)));
        round.find(|(step, before)| before.asked() == Some(seat) && chose(*step)).map(|(_, before)| before)
    }

    /// What a step makes known; none unless it is a move. It is worked out once.
    pub(super) fn announcement(&self, number: usize) -> Option<&Announcement> {
        let Step::Move(mv) = self.steps.get(number)? else { return None };
        let known = self.announced.get(number)?;
        if known.get().is_none() {
            let before = self.trail.at(number, &self.steps)?;
            let drawn = matches!(before.ask, Ask::Chance { .. })
                && mv.args.iter().any(|value| matches!(value, Value::Piece(_)));
            let traffic = if drawn { self.traffic(number) } else { None };
            known.get_or_init(|| {
                let earlier = |seat| self.chosen_before(number, seat);
                Announcement::new(self.engine(), &before, mv, traffic.as_deref(), &earlier)
            });
        }
        known.get()
    }

    /// The lists that pieces have come to or left before a step, since a seat was last asked; none if that is long ago.
    fn traffic(&self, number: usize) -> Option<Vec<(usize, usize)>> {
        let first = self.trail.looked(number)?;
        let mut lists = Vec::new();
        for (step, at) in self.steps.get(first..number)?.iter().zip(first..).take(OUTCOMES + 1) {
            let Step::Move(mv) = step else { return None };
            lists.extend(self.engine().explain().traffic(&*self.before(at)?, mv));
        }
        (number - first <= OUTCOMES).then_some(lists)
    }

    /// For each position what became of the pieces before it; what is not known yet is for [`super::lost::lost`] to find.
    pub(super) fn changes(&self) -> &[Arc<OnceLock<Change>>] {
        &self.changes
    }

    /// The steps from an index on, each with the position before it.
    pub fn since(&self, number: usize) -> impl Iterator<Item = (Arc<Position>, &Step)> {
        self.trail.since(number, &self.steps)
    }

    /// The position before a step; the current one after the last. None beyond.
    pub(super) fn before(&self, number: usize) -> Option<Arc<Position>> {
        self.trail.at(number, &self.steps)
    }

    /// The position before a step, or if chance was asked there the last one before in which a seat was asked; the first if there
    /// is none. None beyond the last.
    pub(super) fn looked(&self, number: usize) -> Option<Arc<Position>> {
        self.before(self.trail.looked(number)?)
    }

    /// How many pieces lie in zones, all of which a shuffle may lay anew.
    #[must_use]
    pub fn in_zones(&self) -> usize {
        self.position().zones.iter().flatten().map(Vec::len).sum()
    }

    /// About how many bytes its positions take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.trail.bytes() + self.position().history.bytes()
    }

    /// The steps as text, in order.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.texts_from(0)
    }

    /// The steps from a number on as text, in order.
    pub(crate) fn texts_from(&self, number: usize) -> Vec<String> {
        let game = self.engine().game();
        let text = |(before, step): (Arc<Position>, &Step)| match step {
            Step::Move(mv) => print_move(game, &before, mv),
            Step::Answer(answer) => print_answer(game, &before, answer),
        };
        self.since(number).map(text).collect()
    }
}
