//! A record is refused with a reason, or replayed.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

static GAME: std::sync::LazyLock<regelwerk::reference::Walker> = std::sync::LazyLock::new(common::walker);

fuzz_target!(|input: &str| {
    promises::record(&GAME, input);
});
