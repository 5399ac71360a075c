//! Bots that play any game by search.
//!
//! A [`Spec`] such as `mcts:1000` names a bot; [`contest()`] lets bots play many games. [`Mcts`] plays all games: it
//! searches by playouts, over determinizations where information is hidden. Where playouts tell little they are cut
//! off, and [`Evaluation`] derives from the rules how near each seat is to its goals.
//!
//! **Invariant:** nothing here serves one game; no clock; a bot is given what its seat sees and an
//! [`InformationSet`](crate::play::InformationSet), never the position.

mod alphabeta;
mod board_graph;
mod condition;
mod contest;
mod contest_sums;
mod degree;
mod evaluation;
mod goal;
mod mcts;
mod purse;
mod seated;
mod spec;

/// How many steps a decision may take, and the evaluation of a position, within a search that has to end in time: a tenth
/// of what the rules allow in play, and a thousand times what most games need.
pub const DECISION: u64 = 2_000_000;

pub use alphabeta::AlphaBeta;
pub use contest::{Contest, Schedule, Tally, Timer, contest, contest_part};
pub use contest_sums::{ContestSums, EntrySums};
pub use evaluation::{Evaluation, Survey, results};
pub use mcts::Mcts;
pub use seated::Seated;
pub use spec::{Budget, Spec};
