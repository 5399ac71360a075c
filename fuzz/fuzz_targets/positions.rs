//! A position is refused with a reason, or means the same on both interpreters.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

static GAME: std::sync::LazyLock<(regelwerk::reference::Walker, regelwerk::engine::Fast)> =
    std::sync::LazyLock::new(|| {
        let walker = common::walker();
        let fast = regelwerk::engine::Fast::new(regelwerk::model::Engine::game(&walker).clone());
        (walker, fast)
    });

fuzz_target!(|input: &str| {
    promises::position(&GAME.0, &GAME.1, input);
});
