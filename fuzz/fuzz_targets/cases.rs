//! Cases are refused with a place, or loaded.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    promises::cases(input);
});
