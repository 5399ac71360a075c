//! Generated games as compiled modules.

use regelwerk::engine::Fast;
use regelwerk::load::{NoFiles, Setup, load};
use regelwerk::module::module;

use super::clock::{about, timed};
use super::generate;
use super::targets::Found;
use crate::hosted::Hosted;
use crate::law::compare;

/// The longest game.
const PLIES: usize = 25;

/// A module says at each question what the interpreter says. Three of four games are short ones, of which nearly all can be
/// compiled; those that cannot are refused with what is missing.
pub(super) fn modules(seed: u64, from: u64, to: u64) -> Found {
    let mut found = Found::default();
    for number in from..to {
        about(format!("module {number}"));
        let text = if number % 4 == 0 { generate::game(seed, number) } else { generate::brief(seed, number) };
        found.inputs += 1;
        let Some(game) = load("g.rules", &text, &NoFiles, &Setup::default()).game else { continue };
        let Ok(bytes) = timed("compile", || module(&game)) else { continue };
        let (fast, what) = (Fast::new(game), format!("seed {seed}, module {number}:\n{text}"));
        let mut hosted = Hosted::new(&bytes, &what);
        found.accepted += 1;
        for seed in 0..2 {
            found.positions += compare(&fast, &mut hosted, seed, PLIES, &what) as u64;
        }
    }
    found
}
