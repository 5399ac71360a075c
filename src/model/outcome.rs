//! How a game ended.

use crate::ir::RuleId;

/// What the end means for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It won, alone or with others.
    Win,
    /// Nobody was better, but it did not win.
    Draw,
    /// It lost.
    Loss,
    /// The game stopped before it was decided.
    Open,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A rule ended it.
    Rule(RuleId),
    /// The seat asked has no legal move, and the rules do not say what follows.
    NoMove(RuleId),
    /// The course of play came to its last statement without a result.
    PlayedOut,
    /// A decision needed more steps than the budget allows.
    Budget(RuleId),
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// What it means for each seat.
    pub verdicts: Vec<Verdict>,
    /// The rank of each seat from 1, ties sharing one; 0 if it has none.
    pub ranks: Vec<u8>,
    /// The score of each seat; empty if the rules do not score.
    pub scores: Vec<i64>,
    /// Why.
    pub ending: Ending,
    /// The statement that decided it, within the end condition, claim or offer.
    pub statement: Option<RuleId>,
}

impl Outcome {
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
