//! Shards of a simulation, and merging them.

use crate::base::SaturatingFrom;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::run::Plan;
use super::tally::Tally;

/// What must be equal in all shards of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The rules: a path or the name of a bundled game.
    pub game: String,
    /// The digest of the rules as resolved.
    pub digest: String,
    /// The number of players, if it was stated.
    pub players: Option<u32>,
    /// The variants played.
    pub variants: Vec<String>,
    /// The readings chosen: name and alternative.
    pub readings: Vec<(String, String)>,
    /// The options chosen: name and value.
    pub options: Vec<(String, String)>,
    /// The initial position, unless it is the start of the game.
    pub position: Option<String>,
    /// The total number of games.
    pub games: u64,
    /// How games are played.
    pub plan: Plan,
}

/// A shard of a simulation, as stored in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The settings of the simulation.
    pub settings: Settings,
    /// The number of its first game.
    pub from: u64,
    /// One more than the number of its last game.
    pub to: u64,
    /// The totals over its games.
    pub tally: Tally,
}

impl Settings {
    /// The games of shard number `part`, from 1, out of `of`.
    #[must_use]
    pub fn part(&self, part: u64, of: u64) -> Range<u64> {
        let edge = |n: u64| u64::saturating_from(u128::from(self.games) * u128::from(n) / u128::from(of.max(1)));
        edge(part.saturating_sub(1))..edge(part)
    }
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
    /// Two were played with different settings.
    #[error("they differ in {2}")]
    Settings(usize, usize, &'static str),
    /// Two share games.
    #[error("both contain game {2}")]
    Overlap(usize, usize, u64),
    /// Games are missing.
    #[error("games {0} to {1} are missing")]
    Missing(u64, u64),
    /// A shard does not contain what it declares.
    #[error("it claims to contain {1} games, but has {2}")]
    Broken(usize, u64, u64),
}

/// Merges all shards of a simulation into what one run would have found.
///
/// # Errors
/// Says why they do not make up one simulation.
pub fn join(shards: &[Shard]) -> Result<Shard, JoinError> {
    let Some(first) = shards.first() else { return Err(JoinError::Nothing) };
    for (at, shard) in shards.iter().enumerate() {
        let held = shard.to.saturating_sub(shard.from);
        if held != shard.tally.games || shard.to > shard.settings.games {
            return Err(JoinError::Broken(at, held, shard.tally.games));
        }
        if let Some(what) = unlike(&first.settings, &shard.settings) {
            return Err(if what == "rules" { JoinError::Rules(0, at) } else { JoinError::Settings(0, at, what) });
        }
    }
    let mut order: Vec<usize> = (0..shards.len()).filter(|&at| shards[at].tally.games > 0).collect();
    order.sort_by_key(|&at| shards[at].from);
    let (mut next, mut last, mut tally) = (0, 0, None::<Tally>);
    for at in order {
        let shard = &shards[at];
        if shard.from < next {
            return Err(JoinError::Overlap(last, at, shard.from));
        }
        if shard.from > next {
            return Err(JoinError::Missing(next, shard.from - 1));
        }
        (next, last) = (shard.to, at);
        tally = Some(match tally {
            Some(sum) => sum.merge(&shard.tally),
            None => shard.tally.clone(),
        });
    }
    if next < first.settings.games {
        return Err(JoinError::Missing(next, first.settings.games - 1));
    }
    let tally = tally.unwrap_or_else(|| first.tally.clone());
    Ok(Shard { settings: first.settings.clone(), from: 0, to: next, tally })
}

/// The first setting in which two shards differ.
fn unlike(one: &Settings, other: &Settings) -> Option<&'static str> {
    let differs = [
        (one.digest != other.digest, "rules"),
        (one.games != other.games, "the total number of games"),
        (one.plan.seed != other.plan.seed, "seeds"),
        (one.plan.cap != other.plan.cap, "caps"),
        (one.plan.reactions != other.plan.reactions, "reaction times"),
        (one.position != other.position, "initial positions"),
        (one != other, "settings"),
    ];
    differs.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
}
