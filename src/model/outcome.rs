//! How a game ended.

use serde::{Deserialize, Serialize};

use super::position::Standing;
use crate::base::{Bits, SaturatingFrom, get_or_default};
use crate::ir::{Game, RuleId};

/// The result of a game for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It won, alone or with others.
    Win,
    /// It did not win, but no seat did better.
    Draw,
    /// It lost.
    Loss,
    /// The game stopped before it was decided.
    Open,
}

impl Verdict {
    /// As a word, for programs and in texts.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
            Self::Open => "open",
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Ending {
    /// A rule ended it.
    Rule(RuleId),
    /// The seat asked has no legal move, and the rules do not say what follows.
    NoMove(RuleId),
    /// Play reached its last statement without a result.
    PlayedOut,
    /// A decision needed more steps than the budget allows.
    Budget(RuleId),
}

impl Ending {
    /// As a word, for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rule(_) => "rule",
            Self::NoMove(_) => "no-move",
            Self::PlayedOut => "played-out",
            Self::Budget(_) => "budget",
        }
    }

    /// The rule it names, if any.
    #[must_use]
    pub fn rule(self) -> Option<RuleId> {
        match self {
            Self::Rule(rule) | Self::NoMove(rule) | Self::Budget(rule) => Some(rule),
            Self::PlayedOut => None,
        }
    }
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The verdict of each seat.
    pub verdicts: Vec<Verdict>,
    /// The rank of each seat from 1, ties sharing one; 0 if it has none.
    pub ranks: Vec<u8>,
    /// The score of each seat, 0 for one that is not ranked; empty if the rules do not score.
    pub scores: Vec<i64>,
    /// Why the game ended.
    pub ending: Ending,
    /// The statement that decided it, within the end condition, claim or offer.
    pub statement: Option<RuleId>,
}

impl Outcome {
    /// The score of a seat; none if the rules do not score or leave it out.
    #[must_use]
    pub fn score(&self, seat: usize) -> Option<i64> {
        let ranked = self.ranks.get(seat).is_some_and(|rank| *rank > 0);
        self.scores.get(seat).copied().filter(|_| ranked)
    }

    /// The clauses by which it came about: those of the end condition and of the statement that decided it, except those
    /// about another kind of result.
    #[must_use]
    pub fn clauses<'g>(&self, game: &'g Game) -> Vec<&'g str> {
        let rules: Vec<RuleId> = self.ending.rule().into_iter().chain(self.statement).collect();
        let tied = self.ranks.iter().filter(|rank| **rank == 1).count() != 1;
        let about = |id: &&str| {
            let clause = game.clauses.clauses.get(*id);
            clause.and_then(|clause| clause.only.tied).is_none_or(|meant| meant == tied)
        };
        let mut clauses = game.clauses_of(&rules);
        clauses.retain(about);
        clauses
    }
}

/// A result before the rule that brought it about is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// The verdict of each seat.
    pub verdicts: Vec<Verdict>,
    /// The rank of each seat from 1; 0 if it has none.
    pub ranks: Vec<u8>,
    /// The score of each seat; empty if the rules do not score.
    pub scores: Vec<i64>,
}

impl Finish {
    /// The named seats get the verdict; the others get the opposite.
    #[must_use]
    pub fn decided(seats: usize, named: &Bits, verdict: Verdict) -> Self {
        let wins = |seat| named.contains(seat) == (verdict == Verdict::Win);
        Self {
            verdicts: (0..seats).map(|seat| if wins(seat) { Verdict::Win } else { Verdict::Loss }).collect(),
            ranks: (0..seats).map(|seat| if wins(seat) { 1 } else { 2 }).collect(),
            scores: Vec::new(),
        }
    }

    /// Nobody wins.
    #[must_use]
    pub fn drawn(seats: usize) -> Self {
        Self { verdicts: vec![Verdict::Draw; seats], ranks: vec![1; seats], scores: Vec::new() }
    }

    /// Ranks seats by score, highest first; if several share the highest score, they draw. Seats that are not ranked
    /// lose.
    #[must_use]
    pub fn ranked(ranked: &Bits, scores: Vec<i64>) -> Self {
        let score = |seat: usize| get_or_default(&scores, seat);
        let better = |seat: usize| ranked.iter().filter(|&other| score(other) > score(seat)).count();
        let rank = |seat: usize| if ranked.contains(seat) { place(better(seat) + 1) } else { 0 };
        let ranks: Vec<u8> = (0..scores.len()).map(rank).collect();
        let top = ranks.iter().filter(|&&rank| rank == 1).count();
        let verdict = |&rank: &u8| match (rank, top) {
            (1, 1) => Verdict::Win,
            (1, _) => Verdict::Draw,
            (_, _) => Verdict::Loss,
        };
        let scores = if ranked.is_empty() { Vec::new() } else { scores };
        Self { verdicts: ranks.iter().map(verdict).collect(), ranks, scores }
    }

    /// The result once every seat has its final rank; none if one still plays.
    #[must_use]
    pub fn placed(standing: &[Standing]) -> Option<Self> {
        let rank = |standing: &Standing| match standing {
            Standing::Ranked(rank) => *rank,
            Standing::Playing => 0,
        };
        if standing.iter().any(|standing| rank(standing) == 0) {
            return None;
        }
        let ranks: Vec<u8> = standing.iter().map(rank).collect();
        let all = ranks.iter().all(|&rank| rank == 1);
        let verdict = |&rank: &u8| match (rank, all) {
            (1, false) => Verdict::Win,
            (1, true) => Verdict::Draw,
            (_, _) => Verdict::Loss,
        };
        Some(Self { verdicts: ranks.iter().map(verdict).collect(), ranks, scores: Vec::new() })
    }
}

/// The next free rank for this many seats, from the top or from the bottom. Seats that share a rank hold as many ranks,
/// from theirs on.
#[must_use]
pub fn next_rank(standing: &[Standing], seats: usize, from_top: bool) -> u8 {
    let at = |rank: usize| standing.iter().filter(move |s| matches!(s, Standing::Ranked(r) if usize::from(*r) == rank));
    let held = |rank: usize| (1..=rank).any(|first| at(first).count() > rank - first);
    let mut free = (1..=standing.len()).filter(|&rank| !held(rank));
    let rank = if from_top { free.next() } else { free.next_back().map(|last| (last + 1).saturating_sub(seats)) };
    place(rank.unwrap_or(standing.len()))
}

fn place(n: usize) -> u8 {
    u8::saturating_from(n)
}

impl Outcome {
    /// The end of a game by rule: by an end condition, claim or offer, or by a statement alone.
    #[must_use]
    pub fn by_rule(finish: Finish, end: Option<RuleId>, statement: RuleId) -> Self {
        let Finish { verdicts, ranks, scores } = finish;
        let ending = Ending::Rule(end.unwrap_or(statement));
        Self { verdicts, ranks, scores, ending, statement: Some(statement) }
    }

    /// The end of a game without a result.
    #[must_use]
    pub fn open(seats: usize, ending: Ending) -> Self {
        let (verdicts, ranks) = (vec![Verdict::Open; seats], vec![0; seats]);
        Self { verdicts, ranks, scores: Vec::new(), ending, statement: None }
    }

    /// Whether the rules decided the game.
    #[must_use]
    pub fn decided(&self) -> bool {
        matches!(self.ending, Ending::Rule(_))
    }

    /// The seats that won.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        self.verdicts.iter().enumerate().filter(|(_, v)| **v == Verdict::Win).map(|(seat, _)| seat)
    }
}
