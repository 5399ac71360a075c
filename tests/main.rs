//! All tests but the conformance cases, in one binary.

mod book;
mod bots;
mod brute;
mod check;
mod cli;
mod damage;
mod diff;
mod disk;
mod docs;
mod document;
mod editor;
mod equal;
mod folders;
mod format;
mod highlight;
mod laws;
mod lsp;
mod measure;
mod perft;
mod records;
mod secrets;
mod serve;
mod solve;
mod support;
mod tidy;
mod watch;
