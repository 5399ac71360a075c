//! A shard is refused, or read.

#![no_main]

#[path = "../common.rs"]
mod common;
mod support;

use common::promises;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    promises::shard(input);
});
