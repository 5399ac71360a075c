//! Secrecy in generated games: what a viewer cannot tell apart is answered alike.

use super::clock::about;
use super::targets::Found;
use crate::alike::pairs_of;

/// Games with cards that each seat sees alone; `accepted` are those that hide something and do not tell it.
pub(super) fn pairs(seed: u64, from: u64, to: u64) -> Found {
    let mut found = Found::default();
    for number in from..to {
        let text = super::generate::secretive(seed, number);
        about(format!("game {number}"));
        found.inputs += 1;
        let name = format!("game {number} of seed {seed}");
        if let Some(pairs) = pairs_of(&name, &text, seed.wrapping_add(number), 12) {
            found.accepted += 1;
            found.positions += pairs as u64;
        }
    }
    found
}
