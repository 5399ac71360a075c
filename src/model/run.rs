//! In-place play, for playouts, perft and search.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Violations;
use super::meter::Meter;
use super::outcome::Outcome;
use super::position::{Ask, Frame, Position};
use crate::base::Bits;
use crate::ir::{ActionRef, Move, SeatId, Value};

/// A position that is modified in place, so that playouts, perft and search need not copy a [`Position`] for every
/// move. Legal answers are identified by their index in the order of [`Engine::legal`](super::Engine::legal).
pub trait Run: Send {
    /// Loads a position and discards saved ones. False if the position contains something the game cannot have; no
    /// other method may be called then.
    fn load(&mut self, position: &Position) -> bool;

    /// The number of legal answers; 0 when the game is over or the step budget ran out.
    fn count(&mut self) -> usize;

    /// The legal answer with this index.
    fn legal(&mut self, n: usize) -> Option<Move>;

    /// Shows all legal answers, in order.
    fn each_legal(&mut self, act: &mut dyn FnMut(&Move)) {
        for n in 0..self.count() {
            if let Some(mv) = self.legal(n) {
                act(&mv);
            }
        }
    }

    /// Plays the legal answer with this index.
    fn play_nth(&mut self, n: usize);

    /// Plays a legal answer that need not be listed, such as a later act in a race. False if the game cannot have it.
    fn play_unchecked(&mut self, mv: &Move) -> bool;

    /// The number of plies made.
    fn ply(&self) -> u32;

    /// The number of turns completed.
    fn turn(&self) -> u32;

    /// Whose turn it is.
    fn mover(&self) -> SeatId;

    /// About how many bytes the position takes.
    fn bytes(&self) -> usize;

    /// How many steps all decisions have taken so far, with the lists of what is legal.
    fn steps(&self) -> u64;

    /// Whether a turn is being played: what is asked before the first, between `turns` and after them is asked outside.
    fn is_in_turn(&self) -> bool;

    /// Whether chance puts a card of a shuffle in its place and then the next one: [`Position::shuffles_on`].
    fn shuffles_on(&self) -> bool;

    /// The question.
    fn ask(&self) -> Ask;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<&Outcome>;

    /// The position.
    fn position(&self) -> Position;

    /// The position, maybe without what only its continuation needs: the control stack, local names, earlier positions.
    fn visible(&self) -> Position {
        self.position()
    }

    /// Appends bytes that are equal for two positions only if play continues alike from both: the whole position
    /// except for counters that no rule reads, as far as the interpreter can tell. The bytes differ between
    /// interpreters.
    fn identity(&self, into: &mut Vec<u8>);

    /// A 64-bit hash of these bytes, for uses where a rare collision does no harm.
    fn key(&self) -> u64 {
        let mut bytes = Vec::with_capacity(256);
        self.identity(&mut bytes);
        xxhash_rust::xxh3::xxh3_64(&bytes)
    }

    /// The logical time.
    fn now(&self) -> i64 {
        self.position().now
    }

    /// The actions that an attentive seat intends to play in the current race; none if only
    /// [`Explain::cued`](crate::model::Explain::cued) can tell.
    fn cued(&mut self, _seat: SeatId) -> Option<Bits> {
        None
    }

    /// Whether an act is legal in the current race at the time that it names; none if only
    /// [`Explain::refusal`](crate::model::Explain::refusal) can tell.
    fn allows_act(&mut self, _mv: &Move) -> Option<bool> {
        None
    }

    /// The invariants that the position violates, as far as the step budget of a decision suffices to test each.
    fn violations(&mut self) -> Violations;

    /// Saves the position, to be restored with [`Run::restore`].
    fn save(&mut self);

    /// Restores the position saved last, which stays saved.
    fn restore(&mut self);

    /// Restores the position saved last and plays the legal answer with this index. Where its answers were listed before
    /// it was saved, they are not copied.
    fn replay_nth(&mut self, n: usize) {
        self.restore();
        self.play_nth(n);
    }

    /// Discards the position saved last.
    fn forget(&mut self);
}

/// A hasher that records its input instead of hashing it, so that equal bytes mean equal values.
struct Gathered<'a>(&'a mut Vec<u8>);

impl Hasher for Gathered<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        // Never used: only the bytes are wanted.
        0
    }
}

/// In-place play on top of an interpreter that only works on whole positions.
pub struct Stepwise {
    engine: Arc<dyn super::Engine>,
    /// What its decisions take.
    meter: Meter,
    position: Position,
    legal: Option<Arc<Vec<Move>>>,
    saved: Vec<(Position, Option<Arc<Vec<Move>>>)>,
}

impl Stepwise {
    /// A game at its first question.
    #[must_use]
    pub fn new(engine: &dyn super::Engine) -> Self {
        let meter = Meter::new(u64::MAX).inside(engine.meter());
        let engine = engine.within(&meter);
        Self { position: engine.start(), engine, meter, legal: None, saved: Vec::new() }
    }

    /// How many pieces a shuffle has left: its outcomes, one for each, are not listed, since a zone may hold very many.
    fn shuffled(&self) -> Option<u32> {
        match (&self.position.ask, self.position.control.last()) {
            (Ask::Chance { .. }, Some(Frame::Shuffle(_, left))) => Some(*left),
            _ => None,
        }
    }

    fn moves(&mut self) -> &[Move] {
        self.legal.get_or_insert_with(|| Arc::new(self.engine.legal(&self.position)))
    }
}

impl std::fmt::Debug for Stepwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepwise").field("position", &self.position).finish_non_exhaustive()
    }
}

impl Run for Stepwise {
    fn load(&mut self, position: &Position) -> bool {
        self.position.clone_from(position);
        self.legal = None;
        self.saved.clear();
        true
    }

    fn count(&mut self) -> usize {
        self.shuffled().map_or_else(|| self.moves().len(), |left| left as usize)
    }

    fn legal(&mut self, n: usize) -> Option<Move> {
        let Some(left) = self.shuffled() else { return self.moves().get(n).cloned() };
        let number = u32::try_from(n).ok().filter(|number| *number < left)?;
        let value = Value::Int(i64::from(number));
        Some(Move { action: ActionRef::Pick, args: std::iter::once(value).collect() })
    }

    fn play_nth(&mut self, n: usize) {
        if let Some(mv) = self.legal(n) {
            Run::play_unchecked(self, &mv);
        }
    }

    fn play_unchecked(&mut self, mv: &Move) -> bool {
        // It is not copied: a zone may hold very many pieces.
        self.position = self.engine.play_owned(std::mem::take(&mut self.position), mv);
        self.legal = None;
        true
    }

    fn ply(&self) -> u32 {
        self.position.ply
    }

    fn turn(&self) -> u32 {
        self.position.turn
    }

    fn mover(&self) -> SeatId {
        self.position.mover
    }

    fn bytes(&self) -> usize {
        self.position.bytes()
    }

    fn steps(&self) -> u64 {
        u64::MAX - self.meter.left()
    }

    fn is_in_turn(&self) -> bool {
        self.position.control.iter().any(|frame| matches!(frame, Frame::Turns(..)))
    }

    fn shuffles_on(&self) -> bool {
        self.position.shuffles_on()
    }

    fn ask(&self) -> Ask {
        self.position.ask.clone()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.position.outcome.as_ref()
    }

    fn position(&self) -> Position {
        self.position.clone()
    }

    fn identity(&self, into: &mut Vec<u8>) {
        self.position.hash(&mut Gathered(into));
    }

    fn violations(&mut self) -> Violations {
        self.engine.violations(&self.position)
    }

    fn save(&mut self) {
        self.saved.push((self.position.clone(), self.legal.clone()));
    }

    fn restore(&mut self) {
        if let Some((position, legal)) = self.saved.last() {
            self.position.clone_from(position);
            self.legal.clone_from(legal);
        }
    }

    fn forget(&mut self) {
        self.saved.pop();
    }
}
