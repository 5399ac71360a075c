//! A document is split, and compared with its own draft.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    promises::document(input, &regelwerk::document::Settled::default());
});
