//! Exact solutions: the value of small two-player games of perfect information.
//!
//! [`solve`] searches every line that matters to its end; there is no guess
//! in it. First it bounds the value again and again by searches with a window
//! of no width (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, *Best-first
//! fixed-depth minimax algorithms*, 1996) over a table of whole positions. A
//! position that comes up below itself ends that: then all positions are
//! numbered and computed from the ends of the game backwards (`graph`).
//!
//! What a seat wants is to do better than the other, and then the greatest
//! difference of the scores, if the rules score.
//!
//! **Invariant:** a value is proven or not given. The table compares whole
//! positions, never their hashes alone; nothing is replaced in it; play without
//! end counts as nothing at all, so where it matters the value stays open. No
//! clock: when to stop for lack of time says the caller.

mod graph;
mod line;
mod search;
mod table;
mod value;

use thiserror::Error;

use crate::ir::{Game, Move};
use crate::model::{Engine, Position};
use search::{Broken, Search};

pub use value::GameValue;

/// How much may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// So many moves are tried.
    pub nodes: u64,
    /// So many bytes are kept of positions.
    pub bytes: u64,
    /// Whether the value of each first move is computed as well.
    pub each: bool,
    /// Whether a game with claims is solved as if nobody made them.
    pub without_claims: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { nodes: u64::MAX, bytes: 1 << 30, each: false, without_claims: false }
    }
}

/// How far the work has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Moves tried.
    pub nodes: u64,
    /// Positions kept.
    pub positions: u64,
    /// What the value is at least, as far as is proven.
    pub least: Option<GameValue>,
    /// What it is at most.
    pub most: Option<GameValue>,
}

/// Why the value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// As many moves were tried as were allowed.
    Nodes,
    /// As many bytes were kept as were allowed.
    Memory,
    /// The caller had enough.
    Time,
    /// A line is longer than is followed.
    Depth,
    /// Play can go round without end, and the value depends on what that counts.
    Cycles,
    /// The step budget ran out while moves were listed.
    Budget,
}

impl Stop {
    /// As a word, for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Depth => "depth",
            Self::Cycles => "cycles",
            Self::Budget => "budget",
        }
    }
}

/// How the value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By searching from the beginning, without positions that come up again.
    Search,
    /// From the ends backwards.
    Graph,
}

impl Method {
    /// As a word, for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Graph => "graph",
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What the first seat can make sure of; none if of nothing.
    pub least: Option<GameValue>,
    /// More than this the second seat need not give; none if it can make sure of nothing.
    pub most: Option<GameValue>,
    /// How.
    pub method: Method,
    /// Moves tried.
    pub nodes: u64,
    /// Positions kept.
    pub positions: u64,
    /// Moves that each keep the value, if it is known.
    pub line: Vec<Move>,
    /// Whether they come to an end of the game.
    pub line_ends: bool,
    /// The first moves with what each comes to, in the order of the rules, if it was asked for.
    pub each: Vec<(Move, Option<GameValue>)>,
    /// Why the value is not known, if it is not.
    pub stop: Option<Stop>,
}

impl Solution {
    /// What perfect play comes to for the first seat, if it is proven.
    #[must_use]
    pub fn value(&self) -> Option<GameValue> {
        self.least.filter(|least| Some(*least) == self.most)
    }
}

/// Why a game cannot be solved at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsolvable {
    /// More or fewer than two seats: what is best for one depends on what the others want.
    #[error("the game has {0} players; only two-player games have a game-theoretic value")]
    Players(usize),
    /// Seats do not see all.
    #[error("the game has hidden information: perfect play would be a mixed strategy")]
    Hidden,
    /// Claims are answers beside the moves.
    #[error("the game has claims (`{0}`), which are not moves")]
    Claims(String),
    /// Chance decides on the way.
    #[error("the game involves chance")]
    Chance,
    /// Who is first decides on the way.
    #[error("the game has races")]
    Race,
    /// Seats choose at the same time.
    #[error("the game has simultaneous moves")]
    Together,
    /// The rules come to no result.
    #[error("a line of play ends without a result: {0}")]
    NoResult(&'static str),
    /// A decision takes more steps than the budget allows.
    #[error("a decision exceeds the step budget")]
    Budget,
    /// The position is over, or not one of the game.
    #[error("no seat is asked in this position")]
    Over,
}

impl Unsolvable {
    /// What to do about it.
    #[must_use]
    pub fn cure(&self) -> &'static str {
        match self {
            Self::Players(_) => "choose two players if the rules allow it; `simulate` plays any game at random",
            Self::Hidden | Self::Race | Self::Together => "`simulate` plays any game at random",
            Self::Claims(_) => {
                "choose a reading without them, or use `--without-claims` to assume that nobody makes any"
            }
            Self::Chance => "choose a reading without chance, or start after it with `--position`",
            Self::NoResult(_) => "make the rules say what happens then",
            Self::Budget => "make sure that every loop ends, and choose from smaller sets",
            Self::Over => "start from a position in which a seat is asked",
        }
    }
}

/// Whether a game is of the kind that can be solved, as far as its rules show.
fn fits(game: &Game, plan: &Plan) -> Result<(), Unsolvable> {
    if game.seats.len() != 2 {
        return Err(Unsolvable::Players(game.seats.len()));
    }
    if game.hides() || game.hides_choices() {
        return Err(Unsolvable::Hidden);
    }
    match game.claims.first() {
        Some(claim) if !plan.without_claims => Err(Unsolvable::Claims(claim.action.name.clone())),
        Some(_) | None => Ok(()),
    }
}

/// Works out what perfect play comes to from a position. `told` hears of progress
/// and says whether to go on.
///
/// Offers are left out: what both must agree to changes nothing between seats
/// whose aims are opposed.
///
/// # Errors
/// If the game is not one of two seats that see all and choose in turn.
pub fn solve(
    engine: &dyn Engine,
    start: &Position,
    plan: &Plan,
    told: &mut dyn FnMut(Progress) -> bool,
) -> Result<Solution, Unsolvable> {
    fits(engine.game(), plan)?;
    let mut search = Search::new(engine, plan, told);
    match search.value_of(start) {
        Ok(_) => line::found(&mut search, start, plan),
        Err(Broken::Unsolvable(why)) => Err(why),
        Err(Broken::Stop(stop)) => Ok(search.unsolved(stop)),
        Err(Broken::Cycle) => graph::solve(engine, start, plan, search),
    }
}
