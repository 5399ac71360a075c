//! What the targets share: the promises are those of the campaign, and nothing is measured.

#![allow(dead_code, reason = "each target uses a part")]

#[path = "../tests/campaign/promises.rs"]
pub(crate) mod promises;

/// Takes no time: the fuzzer has a limit of its own.
pub(crate) mod clock {
    pub(crate) fn timed<T>(_what: &str, work: impl FnOnce() -> T) -> T {
        work()
    }
}

/// The reference interpreter of a small game with cards and secrets.
pub(crate) fn walker() -> regelwerk::reference::Walker {
    let text = include_str!("../rules/classics/kuhn-poker/kuhn-poker.rules");
    let loaded = regelwerk::load::load("g.rules", text, &regelwerk::load::NoFiles, &regelwerk::load::Setup::default());
    regelwerk::reference::Walker::new(loaded.game.expect("a game that is checked"))
}
