//! Source documents: a copy of the text a game's rules come from, compared with the registry of its clauses and
//! checked for consistency.
//!
//! [`Document::read`] splits a text into headings, items, rows and sentences; `compare` finds what was changed,
//! moved, removed or added since the registry was made; `inspect` follows references and checks sums; `draft` writes
//! the first registry of a document.
//!
//! **Invariant:** strings in, findings out. No document is stored: a registry holds fingerprints of its sentences,
//! from which no word can be recovered.

mod abbreviations;
mod compare;
mod draft;
mod finding;
mod form;
mod inspect;
mod lines;
mod normal;
mod outline;
mod places;
mod references;
mod registry;
mod report;
mod sentences;
mod split;
mod sums;
mod terms;
mod words;

pub use compare::{Comparison, compare};
pub use draft::draft;
pub use finding::{Check, Finding};
pub use inspect::inspect;
pub use normal::{normal, resemblance};
pub use registry::{Clause, Kept, Known, Part, Passage, Registry, Settled, read_kept, read_registry};
pub use report::{Impact, Report, Summary};
pub use split::{Document, Kind, TooLong, Unit};

/// The maximum length of a text in bytes: 1 MiB, that is, some five hundred pages. What is found in it takes up to 240 times
/// as much memory.
pub const LENGTH: usize = 1 << 20;
