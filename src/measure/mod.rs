//! Statistically sound figures about rules: how long games last, who wins them, what a variant or a reading changes.
//!
//! [`simulate`] plays many games and collects a [`Tally`] of integers; [`play_pairs`] plays two games side by side
//! with common random numbers and collects [`Pairs`]; [`differences`] draws the conclusions. [`statistics`] has the
//! intervals and tests. Tallies of parts add up exactly to that of the whole.
//!
//! **Invariant:** no clock, no file, no unnamed random stream. No figure depends on the number of threads, or on how
//! games were divided among runs.

mod compare;
mod condition;
mod looks;
mod notes;
mod pair;
mod race;
mod readings;
mod refusals;
mod run;
mod shard;
pub mod statistics;
mod summary;
mod sums;
mod tally;
mod values;

pub use compare::{Difference, Figure, differences};
pub use condition::{
    Condition, ConditionError, Found, Known, Quantity, Relation, Tolerance, Wanted, condition, expression,
};
pub use looks::{Looks, level};
pub use notes::has_turns;
pub use pair::{Pairs, matched, play_one_pair, play_pairs};
pub use race::{Aims, Out, Race};
pub use readings::{AlternativeReading, Effect, Tried, Weight, alternative_readings, effects, is_claimed};
pub use refusals::{Refused, refusals};
pub use run::{
    AtRandom, Each, Plan, Seating, Side, simulate, simulate_each, simulate_listed, simulate_one, simulate_seated, steps,
};
pub(crate) use shard::is_possible;
pub use shard::{JoinError, Settings, Shard, Totals, join, part};
pub use summary::{Lengths, Share, Shares, Summary, Used, summary};
pub use sums::{Histogram, Moments};
pub use tally::{Ended, Extreme, Leads, Odd, Results, Tally, Traced, Uses, Violation};
pub use values::Values;
