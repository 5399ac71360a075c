//! All tests except the conformance cases, in one binary.

mod adversary;
mod alike;
mod api;
mod attack;
mod authors;
mod book;
mod bots;
mod bounds;
mod brute;
mod campaign;
mod check;
mod classics;
mod cli;
mod costs;
mod counted;
mod cures;
mod damage;
mod diff;
mod disk;
mod docs;
mod document;
mod door;
mod editor;
mod equal;
mod filters;
mod folders;
mod format;
mod guards;
mod highlight;
#[path = "module/hosted.rs"]
#[expect(dead_code, reason = "shared with the tests of modules, which need more of it")]
mod hosted;
mod knowledge;
#[path = "module/law.rs"]
mod law;
mod laws;
mod limits;
mod lsp;
mod meaning;
mod measure;
mod mend;
mod new;
mod overlays;
mod overrides;
mod perft;
mod records;
mod refusals;
mod repetition;
mod schema;
mod second_attack;
mod secrets;
mod serve;
mod slips;
mod solve;
mod support;
#[cfg(unix)]
mod terminal;
mod third_attack;
mod tidy;
mod tune;
mod tutorial;
mod typed;
mod watch;
mod words;
mod work;
mod yardstick;
