//! What can be said about a position, a move or an answer.

use super::Walker;
use super::machine::Machine;
use crate::base::Bits;
use crate::ir::{Measure, Move, RuleId, SeatId, Ty};
use crate::model::{
    Answer, Chosen, Displaced, Engine as _, Explain, Glance, Last, Position, Refusal, Viewer, first_outcomes,
    set_up_with,
};

impl Explain for Walker {
    fn refusal(&self, position: &Position, mv: &Move) -> Option<Refusal> {
        self.why_not(position, mv)
    }

    fn glance(&self, position: &Position, viewer: Viewer) -> Glance {
        self.glanced(position, viewer)
    }

    fn witnesses(&self, position: &Position, last: Last<'_>, chosen: Chosen<'_>) -> Vec<Bits> {
        self.learned(position, last, chosen)
    }

    fn claim_witnesses(&self, position: &Position, answer: &Answer) -> Vec<Bits> {
        self.learned_by_claim(position, answer)
    }

    fn cued(&self, position: &Position, seat: SeatId) -> (Option<Bits>, u64) {
        self.cues_of(position, seat)
    }

    fn first_acts(
        &self,
        position: &Position,
        seat: SeatId,
        wanted: &[(Bits, i64)],
        before: Option<i64>,
    ) -> (Option<Vec<Move>>, u64) {
        self.look_at_in_share(position, |eval| eval.first_acts(seat, wanted, before))
    }

    fn lays_open(&self, position: &Position, mv: &Move) -> bool {
        Self::lays_open(self, position, mv)
    }

    fn traffic(&self, position: &Position, mv: &Move) -> Vec<(usize, usize)> {
        self.look_ahead(position, |machine| machine.traffic(mv))
    }

    fn legality(&self, position: &Position, mv: &Move) -> Vec<RuleId> {
        self.legality_of(position, mv)
    }

    fn grounds(&self, position: &Position, mv: &Move) -> Vec<RuleId> {
        self.grounds_of(position, mv)
    }

    fn trace(&self, position: &Position, mv: &Move) -> Vec<RuleId> {
        let mut rules = self.grounds_of(position, mv);
        rules.extend(self.look_ahead(position, |machine| machine.trail(mv)));
        rules
    }

    fn displaced(&self, position: &Position, mv: &Move) -> Displaced {
        self.look_ahead(position, |machine| machine.displaced_while(|machine| machine.answered(mv)))
    }

    fn displaced_by_answer(&self, position: &Position, answer: &Answer) -> Displaced {
        self.look_ahead(position, |machine| machine.displaced_while(|machine| machine.apply_answer(answer)))
    }

    fn start_trace(&self) -> Vec<RuleId> {
        self.look_ahead(&self.blank(), Machine::first_trail)
    }

    fn first_trace(&self) -> Vec<RuleId> {
        let (mut rules, mut outcome) = (self.start_trace(), first_outcomes());
        let _ = set_up_with(
            self,
            self.start(),
            |_, outcomes| outcome(outcomes),
            |position, mv| rules.extend(self.look_ahead(position, |machine| machine.trail(mv))),
        );
        rules
    }

    fn answer_trace(&self, position: &Position, answer: &Answer) -> Vec<RuleId> {
        let grounds = self.answer_grounds(position, answer);
        grounds.into_iter().chain(self.look_ahead(position, |machine| machine.answer_trail(answer))).collect()
    }

    fn measured(&self, position: &Position, measure: &Measure) -> Option<i64> {
        let value = self.ask_of(position, |eval| Some(eval.eval(&measure.value)).filter(|_| !eval.spent()))?;
        Some(if measure.value.ty == Ty::Bool { i64::from(value.truth()) } else { value.int() })
    }

    fn scores(&self, position: &Position) -> Option<Vec<i64>> {
        self.standing_scores(position)
    }
}
