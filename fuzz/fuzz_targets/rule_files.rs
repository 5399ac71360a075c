//! A text is refused with a place, or a game that is the same on both interpreters.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    promises::rule_file(input, 1, 0);
});
