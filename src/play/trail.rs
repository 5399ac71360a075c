//! The positions of a game.

use std::sync::Arc;

use super::matches::Step;
use crate::model::{Ask, Engine, Meter, Position};

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
    /// Each position whose number is a multiple is kept.
    gap: usize,
    /// About how many bytes are kept.
    bytes: usize,
    /// How many may be.
    room: usize,
    /// Plays steps again, with a budget for each of them but none for all: they were played before.
    again: Option<Arc<dyn Engine>>,
}

impl Trail {
    /// A game whose position is kept before each step: whoever keeps many limits them together.
    pub(super) fn whole(start: Position) -> Self {
        let current = shared(start);
        let bytes = current.bytes();
        Self {
            kept: vec![Some(current.clone())],
            current,
            looked: vec![0],
            gap: 1,
            bytes,
            room: usize::MAX,
            again: None,
        }
    }

    /// A game that keeps no more positions than fit.
    pub(super) fn sparse(engine: &dyn Engine, start: Position) -> Self {
        Self { room: ROOM, again: Some(engine.within(&Meter::new(u64::MAX))), ..Self::whole(start) }
    }

    pub(super) fn current(&self) -> &Position {
        &self.current
    }

    pub(super) fn push(&mut self, next: Position) {
        self.current = shared(next);
        self.bytes += self.current.bytes();
        let chance = matches!(self.current.ask, Ask::Chance { .. });
        let looked = self.looked.last().copied().filter(|_| chance);
        self.looked.push(looked.unwrap_or(self.kept.len()));
        self.kept.push(Some(self.current.clone()));
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
        Some(steps.get(nearest..number)?.iter().fold(first, |position, step| self.after(&position, step)))
    }

    /// The position after a step, played again.
    fn after(&self, before: &Position, step: &Step) -> Arc<Position> {
        let Some(engine) = &self.again else { return Arc::new(before.clone()) };
        let next = match step {
            Step::Move(mv) => Ok(engine.play_unchecked(before, mv)),
            Step::Answer(answer) => engine.answer(before, answer),
        };
        // What was accepted once is accepted again.
        shared(next.unwrap_or_else(|_| before.clone()))
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
                (None, Some(last), Some(before)) => self.after(&last, &steps[before]),
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
