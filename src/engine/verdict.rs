//! How a game ends.

use super::eval::count;
use super::machine::Flow;
use super::run::Run;
use crate::base::Word;
use crate::compile::program::{Number, Set};
use crate::ir::RuleId;
use crate::model::{Ending, Outcome, Standing, Verdict};

impl<'a, W: Word> Run<'a, W> {
    /// The seats named win or lose; the others get the opposite.
    pub(super) fn decide(&mut self, seats: &'a Set<W>, verdict: Verdict, rule: RuleId) -> Flow {
        let named = self.set(seats);
        if named.is_empty() {
            return Flow::Next;
        }
        let wins = |seat| named.contains(seat) == (verdict == Verdict::Win);
        let number = self.game.seats.len();
        let verdicts = (0..number).map(|seat| if wins(seat) { Verdict::Win } else { Verdict::Loss }).collect();
        let ranks = (0..number).map(|seat| if wins(seat) { 1 } else { 2 }).collect();
        self.finish_by(rule, verdicts, ranks, Vec::new());
        Flow::Over
    }

    /// Ranks seats by a number; several with the greatest share a draw.
    pub(super) fn rank(&mut self, at: u16, seats: &'a Set<W>, by: &'a Number<W>, rule: RuleId) {
        let ranked = self.set(seats);
        let number = self.game.seats.len();
        let mut scores = vec![0; number];
        for seat in ranked.iter().filter(|&seat| seat < number) {
            self.set_local(at, count(seat));
            scores[seat] = self.number(by);
        }
        let better = |seat: usize| ranked.iter().filter(|&other| scores[other] > scores[seat]).count();
        let mut ranks = vec![0; number];
        for seat in ranked.iter() {
            ranks[seat] = u8::try_from(better(seat) + 1).unwrap_or(u8::MAX);
        }
        let top = ranks.iter().filter(|&&rank| rank == 1).count();
        let verdict = |&rank: &u8| match (rank, top) {
            (1, 1) => Verdict::Win,
            (1, _) => Verdict::Draw,
            (_, _) => Verdict::Loss,
        };
        let verdicts = ranks.iter().map(verdict).collect();
        self.finish_by(rule, verdicts, ranks, scores);
    }

    /// Gives seats their final rank, from the top or from the bottom. When all
    /// have one, the game is over.
    pub(super) fn place_seats(&mut self, seats: &'a Set<W>, from_top: bool, rule: RuleId) -> Flow {
        let named = self.set(seats).and(self.state.playing);
        if named.is_empty() {
            return Flow::Next;
        }
        let number = self.state.standing.len();
        let held = |rank: usize| {
            let is = |standing: &Standing| matches!(standing, Standing::Ranked(r) if usize::from(*r) == rank);
            self.state.standing.iter().any(is)
        };
        let mut free = (1..=number).filter(|&rank| !held(rank));
        let rank =
            if from_top { free.next() } else { free.next_back().map(|last| (last + 1).saturating_sub(named.count())) };
        let rank = u8::try_from(rank.unwrap_or(number)).unwrap_or(u8::MAX);
        for seat in named.iter() {
            self.state.standing[seat] = Standing::Ranked(rank);
            self.state.playing.remove(seat);
            self.state.fresh &= !self.program.stale.playing;
        }
        if !self.state.playing.is_empty() {
            return Flow::Next;
        }
        let rank_of = |standing: &Standing| match standing {
            Standing::Ranked(rank) => *rank,
            Standing::Playing => 0,
        };
        let ranks: Vec<u8> = self.state.standing.iter().map(rank_of).collect();
        let top = ranks.iter().filter(|&&rank| rank == 1).count();
        let verdict = |&rank: &u8| match (rank, top == number) {
            (1, false) => Verdict::Win,
            (1, true) => Verdict::Draw,
            (_, _) => Verdict::Loss,
        };
        let verdicts = ranks.iter().map(verdict).collect();
        self.finish_by(rule, verdicts, ranks, Vec::new());
        Flow::Over
    }

    /// Ends the game without a result.
    pub(super) fn finish_open(&mut self, ending: Ending) {
        let seats = self.game.seats.len();
        self.finish(Outcome {
            verdicts: vec![Verdict::Open; seats],
            ranks: vec![0; seats],
            scores: Vec::new(),
            ending,
            statement: None,
        });
    }

    /// Ends the game by the end condition that runs, or by a statement's rule.
    pub(super) fn finish_by(&mut self, rule: RuleId, verdicts: Vec<Verdict>, ranks: Vec<u8>, scores: Vec<i64>) {
        let ending = Ending::Rule(self.end.unwrap_or(rule));
        self.finish(Outcome { verdicts, ranks, scores, ending, statement: Some(rule) });
    }

    fn finish(&mut self, outcome: Outcome) {
        self.state.outcome = Some(outcome);
        self.halted = true;
    }
}
