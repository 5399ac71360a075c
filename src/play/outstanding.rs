//! Moves that were chosen at the same time, are announced, and wait to be carried out while a seat is asked something else: what was
//! hidden of them still is.
//!
//! **Invariant:** a sample depends on what a seat learned of such a move, never on the rest of it.

use super::matches::Match;
use super::recall::may_be_unseen;
use super::seed::Stream;
use crate::ir::{Game, Move, SeatId, Value};
use crate::model::{Ask, Engine, Frame, Position, StmtRef, Viewer};

/// A move that a seat does not know altogether.
#[derive(Debug)]
pub(super) struct Outstanding {
    /// Where on the control stack the choices are.
    frame: usize,
    at: StmtRef,
    /// Whose move it is.
    seat: SeatId,
    mv: Move,
    /// For each argument, whether it is known.
    seen: Vec<bool>,
}

/// The moves of others that wait in a position. Of those that may hide something, only the action is taken to be known. Where the
/// seat is asked for a choice of its own at the same time, those of others are not among them.
pub(super) fn outstanding(game: &Game, position: &Position, seat: SeatId) -> Vec<Outstanding> {
    let mut found = Vec::new();
    for (frame, place) in position.control.iter().enumerate() {
        let Frame::Together(at, _, chosen) = place else { continue };
        let others = chosen.iter().filter(|(by, mv)| *by != seat && may_be_unseen(game, &Ask::Over, mv));
        found.extend(others.map(|(by, mv)| {
            let seen = vec![false; mv.args.len()];
            Outstanding { frame, at: *at, seat: *by, mv: mv.clone(), seen }
        }));
    }
    found
}

impl Outstanding {
    /// Adds what the seat was told of the move when all had chosen.
    pub(super) fn recall(&mut self, game: &Match<'_>, seat: SeatId) {
        let chosen = |number: usize| {
            let before = game.before(number)?;
            let here = matches!(before.ask, Ask::Choose { at, .. } if at == self.at);
            here.then(|| game.announcement(number)).flatten()
        };
        let rules = game.engine().game();
        let told = (0..game.steps().len()).rev().find_map(chosen);
        if let Some(seen) = told.and_then(|told| told.seen_of(rules, (self.seat, &self.mv), Viewer::Seat(seat))) {
            self.seen = seen;
        }
    }

    /// Chooses the move anew where it waits, uniformly among the legal ones that look the same. If there is none in this sample, the
    /// seat is taken not to have chosen.
    pub(super) fn redraw(&self, engine: &dyn Engine, drawn: &mut Position, dice: &mut Stream) {
        let mut asked = drawn.clone();
        asked.control.truncate(self.frame + 1);
        asked.control.push(Frame::Actor(asked.actor.replace(self.seat)));
        asked.ask = Ask::Choose { seat: self.seat, at: self.at };
        let mut fitting = engine.legal(&asked);
        fitting.retain(|other| self.looks_like(other));
        let mv = (!fitting.is_empty()).then(|| fitting.swap_remove(dice.below(fitting.len())));
        let Some(Frame::Together(_, _, chosen)) = drawn.control.get_mut(self.frame) else { return };
        let Some(place) = chosen.iter().position(|(by, _)| *by == self.seat) else { return };
        match mv {
            Some(mv) => chosen[place].1 = mv,
            None => drop(chosen.remove(place)),
        }
    }

    fn looks_like(&self, other: &Move) -> bool {
        let both = self.mv.args.iter().zip(&other.args).zip(&self.seen);
        let same = |((one, two), seen): ((&Value, &Value), &bool)| !*seen || one == two;
        self.mv.action == other.action && self.mv.args.len() == other.args.len() && both.into_iter().all(same)
    }
}
