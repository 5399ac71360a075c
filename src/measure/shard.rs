//! Shards of a simulation, and merging them.

use crate::base::SaturatingFrom;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::run::Plan;
use super::tally::Tally;

/// What must be the same in all parts of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The rules: a path or the name of a bundled game.
    pub game: String,
    /// The digest of the rules as resolved.
    pub digest: String,
    /// How many play, if it was said.
    pub players: Option<u32>,
    /// The variants played.
    pub variants: Vec<String>,
    /// The readings chosen, as name and alternative.
    pub readings: Vec<(String, String)>,
    /// The options chosen, as name and value.
    pub options: Vec<(String, String)>,
    /// Where games begin, unless at the start.
    pub position: Option<String>,
    /// How many games there are in all.
    pub games: u64,
    /// How they are played.
    pub plan: Plan,
}

/// A part of a simulation, as it stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// What is simulated.
    pub settings: Settings,
    /// The number of its first game.
    pub from: u64,
    /// The number after that of its last.
    pub to: u64,
    /// What its games came to.
    pub tally: Tally,
}

impl Settings {
    /// The games of part number `part`, from 1, of so many.
    #[must_use]
    pub fn part(&self, part: u64, of: u64) -> Range<u64> {
        let edge = |n: u64| u64::saturating_from(u128::from(self.games) * u128::from(n) / u128::from(of.max(1)));
        edge(part.saturating_sub(1))..edge(part)
    }
}

/// Why parts cannot be joined. Parts are named by their place in the list, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JoinError {
    /// There are none.
    #[error("there is nothing to merge")]
    Nothing,
    /// Two were played by other rules.
    #[error("they were played by different rules")]
    Rules(usize, usize),
    /// Two were played with other settings.
    #[error("they differ in {2}")]
    Settings(usize, usize, &'static str),
    /// Two have games in common.
    #[error("both contain game {2}")]
    Overlap(usize, usize, u64),
    /// Games are in none.
    #[error("games {0} to {1} are missing")]
    Missing(u64, u64),
    /// A part does not hold what it says.
    #[error("it claims to contain {1} games, but has {2}")]
    Broken(usize, u64, u64),
}

/// Joins all parts of a simulation to what one run would have found.
///
/// # Errors
/// Says why they do not make one whole.
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

/// What two parts do not have in common.
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
