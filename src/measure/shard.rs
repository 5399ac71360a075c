//! Shards of a command that repeats games, and merging them.

use crate::base::SaturatingFrom;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::pair::Pairs;
use super::tally::{Results, Tally};

/// Totals that add up exactly.
pub trait Totals: Clone {
    /// Adds the totals of other games.
    #[must_use]
    fn merge(self, other: &Self) -> Self;

    /// The number of games; none if it does not follow from the range of the shard.
    fn games(&self) -> Option<u64>;

    /// Whether nothing is counted in more games than there are.
    fn is_possible(&self) -> bool;
}

/// Whether so many games can have had these results.
pub(crate) fn is_possible(results: &Results, games: u64) -> bool {
    [results.win, results.draw, results.loss, results.open].map(u128::from).iter().sum::<u128>() <= games.into()
}

impl Totals for Tally {
    fn merge(self, other: &Self) -> Self {
        Self::merge(self, other)
    }

    fn games(&self) -> Option<u64> {
        Some(self.games)
    }

    fn is_possible(&self) -> bool {
        let counts = [self.decided, self.single[0], self.single[1], self.draws, self.capped, self.exhausted];
        self.seats.iter().chain(&self.places).all(|results| is_possible(results, self.games))
            && counts.iter().chain(&self.openers).all(|count| *count <= self.games)
    }
}

impl Totals for Pairs {
    fn merge(self, other: &Self) -> Self {
        Self::merge(self, other)
    }

    fn games(&self) -> Option<u64> {
        Some(self.pairs)
    }

    fn is_possible(&self) -> bool {
        self.is_possible()
    }
}

/// Several totals, one after the other. How many games each has is its own affair.
impl<T: Totals> Totals for Vec<T> {
    fn merge(self, other: &Self) -> Self {
        self.into_iter().zip(other).map(|(one, more)| one.merge(more)).collect()
    }

    fn games(&self) -> Option<u64> {
        None
    }

    fn is_possible(&self) -> bool {
        self.iter().all(Totals::is_possible)
    }
}

/// What must be equal in all shards of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The command, without what says which shard it is and where it goes.
    pub command: Vec<String>,
    /// The digests of the rules as resolved.
    pub rules: Vec<String>,
    /// The total number of games, or of shards where several totals have as many games as they need.
    pub games: u64,
}

/// A shard, as stored in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard<T> {
    /// The settings.
    pub settings: Settings,
    /// The number of its first game.
    pub from: u64,
    /// One more than the number of its last game.
    pub to: u64,
    /// The totals over its games.
    pub totals: T,
}

/// The part of a number of games that belongs to shard number `part`, from 1, out of `of`.
#[must_use]
pub fn part(games: u64, part: u64, of: u64) -> Range<u64> {
    let edge = |n: u64| u64::saturating_from(u128::from(games) * u128::from(n) / u128::from(of.max(1)));
    edge(part.saturating_sub(1))..edge(part)
}

/// Why shards cannot be merged. Shards are identified by their index in the list.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// The list is empty.
    #[error("there is nothing to merge")]
    Nothing,
    /// Two were played under different rules.
    #[error("they were played by different rules")]
    Rules(usize, usize),
    /// Two were played by different commands.
    #[error("one was played by `{2}`, the other by `{3}`")]
    Commands(usize, usize, String, String),
    /// Two share games.
    #[error("both contain game {2}")]
    Overlap(usize, usize, u64),
    /// Games are missing.
    #[error("games {0} to {1} are missing")]
    Missing(u64, u64),
    /// A shard does not contain what it declares.
    #[error("it claims to contain {1} games, but has {2}")]
    Broken(usize, u64, u64),
    /// A shard counts something in more games than it has.
    #[error("it counts more games of a kind than it has")]
    Impossible(usize),
}

/// Merges all shards of a command into what one run would have found.
///
/// # Errors
/// Says why they do not make up one run.
pub fn join<T: Totals>(shards: &[Shard<T>]) -> Result<Shard<T>, JoinError> {
    let Some(first) = shards.first() else { return Err(JoinError::Nothing) };
    for (at, shard) in shards.iter().enumerate() {
        let claimed = shard.to.saturating_sub(shard.from);
        let held = shard.totals.games().unwrap_or(claimed);
        if claimed != held || shard.to > shard.settings.games {
            return Err(JoinError::Broken(at, claimed, held));
        }
        if !shard.totals.is_possible() {
            return Err(JoinError::Impossible(at));
        }
        let (one, other) = (&first.settings, &shard.settings);
        if one.rules != other.rules {
            return Err(JoinError::Rules(0, at));
        }
        if one != other {
            return Err(JoinError::Commands(0, at, one.command.join(" "), other.command.join(" ")));
        }
    }
    let mut order: Vec<usize> = (0..shards.len()).filter(|&at| shards[at].to > shards[at].from).collect();
    order.sort_by_key(|&at| shards[at].from);
    let (mut next, mut last, mut totals) = (0, 0, None::<T>);
    for at in order {
        let shard = &shards[at];
        if shard.from < next {
            return Err(JoinError::Overlap(last, at, shard.from));
        }
        if shard.from > next {
            return Err(JoinError::Missing(next, shard.from - 1));
        }
        (next, last) = (shard.to, at);
        totals = Some(match totals {
            Some(sum) => sum.merge(&shard.totals),
            None => shard.totals.clone(),
        });
    }
    if next < first.settings.games {
        return Err(JoinError::Missing(next, first.settings.games - 1));
    }
    let totals = totals.unwrap_or_else(|| first.totals.clone());
    Ok(Shard { settings: first.settings.clone(), from: 0, to: next, totals })
}
