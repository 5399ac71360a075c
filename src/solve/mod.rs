//! Exact solutions: the value of small two-player games of perfect information.
//!
//! [`solve`] searches every line that matters to its end, without heuristics. It first narrows the bounds on the
//! value by repeated null-window searches (MTD(f): Plaat, Schaeffer, Pijls and de Bruin, *Best-first fixed-depth
//! minimax algorithms*, 1996) over a table of whole positions. If a position recurs on its own path, all positions
//! are numbered and solved backwards from the terminal ones (`graph`).
//!
//! Each seat prefers a better result, then the greatest difference of scores, if the rules score.
//!
//! **Invariant:** a value is proven or not given. The table compares whole positions, never hashes alone; no entry is
//! replaced; infinite play has no value, so where it matters the value stays open. No clock: the caller decides when
//! time is up.

mod graph;
mod line;
mod search;
mod table;
mod value;

use thiserror::Error;

use crate::ir::{Game, Move};
use crate::model::{Engine, Position};
use search::{Abort, Search};

pub use value::GameValue;

/// The budget and options of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The maximum number of moves tried.
    pub nodes: u64,
    /// The maximum number of bytes stored for positions.
    pub bytes: u64,
    /// Whether the value of each first move is computed as well.
    pub each: bool,
    /// Whether a game with claims is solved as if no seat made any.
    pub without_claims: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { nodes: u64::MAX, bytes: 1 << 30, each: false, without_claims: false }
    }
}

/// The progress of a solution.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Moves tried.
    pub nodes: u64,
    /// Positions stored.
    pub positions: u64,
    /// The proven lower bound on the value, if any.
    pub lower: Option<GameValue>,
    /// The proven upper bound, if any.
    pub upper: Option<GameValue>,
}

/// Why the value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit on moves was reached.
    Nodes,
    /// The limit on memory was reached.
    Memory,
    /// The caller stopped it.
    Time,
    /// A line exceeded the maximum length.
    Depth,
    /// Infinite play is possible, and the value depends on what it counts.
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
    /// By searching from the start; no position recurred on its own path.
    Search,
    /// By retrograde analysis.
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

/// The result of solving a game.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The best the first seat can force; none if it can force nothing.
    pub lower: Option<GameValue>,
    /// The best for itself that the second seat can force; none if it can force nothing.
    pub upper: Option<GameValue>,
    /// The method used.
    pub method: Method,
    /// Moves tried.
    pub nodes: u64,
    /// Positions stored.
    pub positions: u64,
    /// Moves that each preserve the value, if it is known.
    pub line: Vec<Move>,
    /// Whether they lead to the end of the game.
    pub line_ends: bool,
    /// The first moves with their values, in the order of the rules, if requested.
    pub each: Vec<(Move, Option<GameValue>)>,
    /// Why the value is not known, if it is not.
    pub stop: Option<Stop>,
}

impl Solution {
    /// The proven value for the first seat, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<GameValue> {
        self.lower.filter(|lower| Some(*lower) == self.upper)
    }
}

/// Why a game cannot be solved at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsolvable {
    /// More or fewer than two seats: the best play of one depends on the aims of the others.
    #[error("the game has {0} players; only two-player games have a game-theoretic value")]
    Players(usize),
    /// Some information is hidden.
    #[error("the game has hidden information: perfect play would be a mixed strategy")]
    Hidden,
    /// The game has claims, which are answers other than moves.
    #[error("the game has claims (`{0}`), which are not moves")]
    Claims(String),
    /// Chance is involved.
    #[error("the game involves chance")]
    Chance,
    /// The game has races.
    #[error("the game has races")]
    Race,
    /// Seats choose simultaneously.
    #[error("the game has simultaneous moves")]
    Together,
    /// The rules give no result.
    #[error("a line of play ends without a result: {0}")]
    NoResult(&'static str),
    /// Both seats win, both lose, or one of them draws alone.
    #[error("a line of play ends with results that are not opposed: what one seat wins, the other does not lose")]
    NotOpposed,
    /// A decision takes more steps than the budget allows.
    #[error("a decision exceeds the step budget")]
    Budget,
    /// The position is terminal, or not one of the game.
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
            Self::NotOpposed => "make it a draw, or a win for one seat and a loss for the other",
            Self::Budget => "make sure that every loop ends, and choose from smaller sets",
            Self::Over => "start from a position in which a seat is asked",
        }
    }
}

/// Whether the game can be solved, as far as its rules show.
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

/// The value of a position under perfect play. `told` receives the progress and says whether to go on.
///
/// Offers are ignored: what both seats must agree to changes nothing in a zero-sum game.
///
/// # Errors
/// If the game is not a sequential two-player game of perfect information.
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
        Err(Abort::Unsolvable(why)) => Err(why),
        Err(Abort::Stop(stop)) => Ok(search.unsolved(stop)),
        Err(Abort::Cycle) => graph::solve(engine, start, plan, search),
    }
}
