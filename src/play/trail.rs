//! The positions of a game.

use std::sync::Arc;

use super::matches::Step;
use crate::model::{Ask, Engine, Frame, Meter, Position};

/// About how many bytes of positions a game keeps that plays its steps again for the others.
const ROOM: usize = 64 << 20;

/// How many of the last positions are kept whatever they take: they are asked for most.
const RECENT: usize = 4;

/// The positions before each step, and the current one.
///
/// Clones share them. A game whose positions are large keeps only every second of them, then every fourth, and so on; the
/// steps between are played again when somebody looks back.
#[derive(Clone)]
pub(super) struct Trail {
    kept: Vec<Option<Arc<Position>>>,
    current: Arc<Position>,
    /// For each position the last one up to it in which a seat was asked, or the game was over; the first if there is none.
    looked: Vec<usize>,
    /// Whether the current position is one of a shuffle.
    shuffled: bool,
    /// Each position whose number is a multiple is kept.
    gap: usize,
    /// About how many bytes are kept.
    bytes: usize,
    /// How many may be.
    room: usize,
    /// Plays steps again, with a budget for each of them but none for all: they were played before.
    again: Arc<dyn Engine>,
}

impl Trail {
    /// A game whose position is kept before each step, but for the cards of a shuffle: whoever keeps many limits them together.
    pub(super) fn whole(engine: &dyn Engine, start: Position) -> Self {
        let current = shared(start);
        let bytes = current.bytes();
        Self {
            kept: vec![Some(current.clone())],
            current,
            looked: vec![0],
            shuffled: false,
            gap: 1,
            bytes,
            room: usize::MAX,
            again: engine.within(&Meter::new(u64::MAX)),
        }
    }

    /// A game that keeps no more positions than fit.
    pub(super) fn sparse(engine: &dyn Engine, start: Position) -> Self {
        Self { room: ROOM, ..Self::whole(engine, start) }
    }

    pub(super) fn current(&self) -> &Position {
        &self.current
    }

    /// The current position, to be played on from, if nobody else holds it.
    pub(super) fn spare(&mut self) -> Option<Position> {
        Arc::get_mut(&mut self.current)?;
        let first = self.kept.iter().flatten().next()?.clone();
        Arc::into_inner(std::mem::replace(&mut self.current, first))
    }

    pub(super) fn push(&mut self, next: Position) {
        self.current = shared(next);
        // A deck of thousands of cards is not kept once for each of them.
        let shuffling = |position: &Position| matches!(position.control.last(), Some(Frame::Shuffle(..)));
        let passing = shuffling(&self.current) && self.shuffled;
        self.shuffled = shuffling(&self.current);
        if !passing {
            self.bytes += self.current.bytes();
        }
        let chance = matches!(self.current.ask, Ask::Chance { .. });
        let looked = self.looked.last().copied().filter(|_| chance);
        self.looked.push(looked.unwrap_or(self.kept.len()));
        self.kept.push((!passing).then(|| self.current.clone()));
        self.drop_old();
        while self.bytes > self.room && self.gap < self.kept.len() {
            self.gap *= 2;
            for at in 0..self.kept.len().saturating_sub(RECENT) {
                self.forget(at);
            }
        }
    }

    /// Drops the position that is no longer among the last.
    fn drop_old(&mut self) {
        if let Some(at) = self.kept.len().checked_sub(RECENT + 1) {
            self.forget(at);
        }
    }

    fn forget(&mut self, at: usize) {
        if at.is_multiple_of(self.gap) {
            return;
        }
        if let Some(old) = self.kept.get_mut(at).and_then(Option::take) {
            self.bytes = self.bytes.saturating_sub(old.bytes());
        }
    }

    /// Goes back to the position before a step, the last ones given.
    pub(super) fn truncate(&mut self, steps: &[Step]) {
        let current = self.at(steps.len(), steps);
        self.looked.truncate(steps.len() + 1);
        for old in self.kept.drain(steps.len() + 1..).flatten() {
            self.bytes = self.bytes.saturating_sub(old.bytes());
        }
        if let (Some(current), Some(place)) = (current, self.kept.last_mut()) {
            if place.is_none() {
                self.bytes += current.bytes();
                *place = Some(current.clone());
            }
            self.shuffled = matches!(current.control.last(), Some(Frame::Shuffle(..)));
            self.current = current;
        }
    }

    /// The number of the last position up to one in which a seat was asked, the first if there is none; none beyond the last.
    pub(super) fn looked(&self, number: usize) -> Option<usize> {
        self.looked.get(number).copied()
    }

    /// The position before a step; the current one after the last. None beyond.
    pub(super) fn at(&self, number: usize, steps: &[Step]) -> Option<Arc<Position>> {
        let nearest = self.kept.get(..=number)?.iter().rposition(Option::is_some)?;
        let first = self.kept.get(nearest)?.clone()?;
        Some(steps.get(nearest..number)?.iter().fold(first, |position, step| self.after(position, step)))
    }

    /// The position after a step, played again.
    fn after(&self, before: Arc<Position>, step: &Step) -> Arc<Position> {
        let next = match step {
            Step::Move(mv) => match Arc::try_unwrap(before) {
                Ok(before) => self.again.play_owned(before, mv),
                Err(before) => self.again.play_unchecked(&before, mv),
            },
            // What was accepted once is accepted again.
            Step::Answer(answer) => self.again.answer(&before, answer).unwrap_or_else(|_| Arc::unwrap_or_clone(before)),
        };
        shared(next)
    }

    /// The steps from a number on, each with the position before it.
    pub(super) fn since<'a>(
        &'a self,
        number: usize,
        steps: &'a [Step],
    ) -> impl Iterator<Item = (Arc<Position>, &'a Step)> {
        let mut last: Option<Arc<Position>> = None;
        steps.iter().enumerate().skip(number).map(move |(at, step)| {
            let before = match (self.kept.get(at).cloned().flatten(), last.take(), at.checked_sub(1)) {
                (Some(kept), _, _) => kept,
                (None, Some(last), Some(before)) => self.after(last, &steps[before]),
                (None, _, _) => self.at(at, steps).unwrap_or_else(|| self.current.clone()),
            };
            last = Some(before.clone());
            (before, step)
        })
    }

    /// About how many bytes are kept.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }
}

/// A position to keep: its history is shared with those after it.
fn shared(mut position: Position) -> Arc<Position> {
    position.history.share();
    Arc::new(position)
}
