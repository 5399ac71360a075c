#![doc = include_str!("../docs/library.md")]
//!
//! # Rooms
//!
//! The modules of the crate are rooms, each with its reason and what it may import
//! (`docs/architecture.md`). They are hidden here: what a program needs is below.

// The parser that pest derives without `std` names it.
extern crate alloc;

mod api;
#[doc(hidden)]
pub mod base;
#[doc(hidden)]
pub mod book;
#[doc(hidden)]
pub mod bots;
#[doc(hidden)]
pub mod bundled;
mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod compile;
#[doc(hidden)]
pub mod conformance;
#[doc(hidden)]
pub mod diff;
#[doc(hidden)]
pub mod document;
#[doc(hidden)]
pub mod editor;
#[doc(hidden)]
pub mod engine;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod ir;
#[doc(hidden)]
pub mod knowledge;
#[doc(hidden)]
pub mod lint;
#[doc(hidden)]
pub mod load;
#[cfg(feature = "lsp")]
#[doc(hidden)]
pub mod lsp;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod mend;
#[doc(hidden)]
pub mod model;
#[cfg(feature = "module")]
#[cfg_attr(docsrs, doc(cfg(feature = "module")))]
pub mod module;
#[cfg(feature = "native")]
#[cfg_attr(docsrs, doc(cfg(feature = "native")))]
pub mod native;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod say;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod serve;
#[doc(hidden)]
pub mod solve;
#[doc(hidden)]
pub mod syntax;
#[cfg(feature = "table")]
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod view;

pub use api::{
    Ask, Bot, BotError, Clause, Datum, Diagnostics, Explanation, LoadError, Loader, Move, Outcome, PlayError, Played,
    Position, Rule, Rules, Session, Simulation, Statistics, Tournament,
};
pub use bots::{Contest, Tally as BotTally};
#[cfg(feature = "files")]
pub use files::FileError;
pub use load::{Choice, Files};
pub use measure::statistics::Estimate;
pub use measure::{Lengths, Share, Shares};
pub use model::{Ending, Verdict};
pub use notation::NotationError;
pub use play::{Record, ReplayError};
pub use report::{Diagnostic, Edit, Elsewhere, Place};
