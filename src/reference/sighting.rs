//! What is recorded on request while the program runs: who sees which piece, and the rules used.

use super::Eval;
use super::machine::Machine;
use crate::base::Bits;
use crate::ir::{Move, Piece, RuleId, SeatId};
use crate::model::Answer;

/// A piece that was moved, by which seat, and who sees it.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    pub(super) by: SeatId,
    pub(super) piece: Piece,
    pub(super) who: Bits,
}

impl Machine<'_> {
    /// Starts recording who sees which piece.
    pub(super) fn listening(mut self) -> Self {
        self.sightings = Some(Vec::new());
        self
    }

    /// The rules that a move relies on up to the next question.
    pub(super) fn trail(mut self, mv: &Move) -> Vec<RuleId> {
        self.trail = Some(Vec::new());
        self.answered(mv);
        self.trail.unwrap_or_default()
    }

    /// The rules used by the setup and play up to the first question.
    pub(super) fn first_trail(mut self) -> Vec<RuleId> {
        self.trail = Some(Vec::new());
        self.started();
        self.trail.unwrap_or_default()
    }

    /// The rules that a claim or offer relies on.
    pub(super) fn answer_trail(mut self, answer: &Answer) -> Vec<RuleId> {
        self.trail = Some(Vec::new());
        self.apply_answer(answer);
        self.trail.unwrap_or_default()
    }

    pub(super) fn note(&mut self, rule: RuleId) {
        if let Some(trail) = &mut self.trail
            && !trail.contains(&rule)
        {
            trail.push(rule);
        }
    }

    /// The pieces that a move moves, each with the viewers that see it.
    pub(super) fn sightings(mut self, mv: &Move) -> Vec<Sighting> {
        self.answered(mv);
        self.sightings.unwrap_or_default()
    }

    /// Records who sees some pieces, on request.
    pub(super) fn record(&mut self, pieces: &[Piece], who: impl FnOnce(&mut Eval<'_>) -> Bits) {
        if self.sightings.is_none() || pieces.is_empty() {
            return;
        }
        let who = self.with_eval(who);
        let by = self.pos.acting();
        if let Some(heard) = &mut self.sightings {
            heard.extend(pieces.iter().map(|piece| Sighting { by, piece: piece.clone(), who: who.clone() }));
        }
    }
}
