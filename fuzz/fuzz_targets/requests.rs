//! Lines of the protocol are answered one by one.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;
use regelwerk::Rules;
use regelwerk::load::Setup;
use regelwerk::play::Seed;
use regelwerk::serve::{Fault, Limits, RuleSource, Selection, Server, bundled};

/// Nothing but what is bundled.
struct Shelf;

impl RuleSource for Shelf {
    fn names(&self) -> Vec<String> {
        vec!["kuhn-poker".to_owned()]
    }

    fn open(&self, name: &str, setup: &Setup) -> Result<Rules, Fault> {
        bundled(name, setup)
    }

    fn seed(&self) -> Result<Seed, Fault> {
        Ok(1.into())
    }
}

fuzz_target!(|input: &str| {
    let limits = Limits { games: 4, steps: 400, ..Limits::default() };
    let mut server = Server::new(&Shelf, Selection::default(), limits);
    for line in input.lines() {
        promises::request(&mut server, line);
    }
});
