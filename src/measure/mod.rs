//! Statistically sound figures about rules: how long games last, who wins them, what a variant or a reading changes.
//!
//! [`simulate`] plays many games and collects a [`Tally`] of integers; [`play_pairs`] plays two games side by side
//! with common random numbers and collects [`Pairs`]; [`differences`] draws the conclusions. [`statistics`] has the
//! intervals and tests. Tallies of parts add up exactly to that of the whole.
//!
//! **Invariant:** no clock, no file, no unnamed random stream. No figure depends on the number of threads, or on how
//! games were divided among runs.

mod compare;
mod looks;
mod notes;
mod pair;
mod readings;
mod refusals;
mod run;
mod shard;
pub mod statistics;
mod summary;
mod sums;
mod tally;

pub use compare::{Difference, Figure, differences};
pub use looks::{Looks, level};
pub use notes::has_turns;
pub use pair::{Pairs, Side, play_pairs};
pub use readings::{AlternativeReading, Effect, Tried, Weight, alternative_readings, effects, is_claimed};
pub use refusals::{Refused, refusals};
pub use run::{Plan, simulate, simulate_each};
pub use shard::{JoinError, Settings, Shard, join};
pub use summary::{Lengths, Share, Shares, Summary, Used, summary};
pub use sums::{Histogram, Moments};
pub use tally::{Ended, Leads, Results, Tally, Traced, Uses, Violation};
