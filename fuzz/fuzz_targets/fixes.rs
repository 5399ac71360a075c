//! All fixes of a rule file leave fewer errors, and lose nothing.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    promises::fix(input);
});
