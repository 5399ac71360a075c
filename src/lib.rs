//! Regelwerk: a declarative rules interpreter.
//!
//! A `.rules` file states a game: its players, boards, pieces, moves and ends.
//! [`load`] reads and checks it; [`reference::Walker`] plays it through the
//! [`model::Engine`] trait.
//!
//! ```
//! use regelwerk::load::{NoFiles, Setup, load};
//! use regelwerk::model::Engine;
//! use regelwerk::reference::Walker;
//!
//! let text = r#"
//!     game tictactoe "Tic-tac-toe"
//!     players x, o
//!     board square 3 x 3
//!     piece mark owned
//!     action place { choose square in empty  put own mark on square }
//!     play { turns { mover plays place } }
//!     end line after move when line(own mark, 3) { win me }
//!     end full after move when no empty { draw }
//! "#;
//! let loaded = load("tictactoe.rules", text, &NoFiles, &Setup::default());
//! let engine = Walker::new(loaded.game.expect("the file checks"));
//! let start = engine.start();
//! assert_eq!(engine.legal(&start).len(), 9);
//! ```
//!
//! **Invariant:** without the features `files` and `cli` nothing in this crate reads a file,
//! a clock or the environment, prints, or draws a random number that its
//! caller has not seeded.

mod api;
pub mod base;
pub mod book;
pub mod bots;
pub mod bundled;
mod check;
#[cfg(feature = "cli")]
pub mod cli;
mod compile;
pub mod conformance;
pub mod diff;
pub mod document;
pub mod editor;
pub mod engine;
#[cfg(feature = "files")]
pub mod files;
pub mod ir;
pub mod lint;
pub mod load;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod measure;
pub mod mend;
pub mod model;
pub mod notation;
pub mod play;
pub mod reference;
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
pub mod syntax;
pub mod view;

pub use api::{
    Ask, Bot, BotError, Clause, Diagnostics, Explanation, LoadError, Loader, Move, Outcome, PlayError, Position, Rule,
    Rules, Session, Simulation, Statistics, Tournament,
};
