//! What is independent of games and of the language: spans in texts, small sets, similar names.
//!
//! **Invariant:** nothing here imports another room.

mod beside;
mod bits;
mod nearest;
mod source;
mod span;
mod words;

pub use beside::beside;
pub use bits::Bits;
pub use nearest::nearest;
pub use source::{Source, Sources};
pub use span::{FileId, Span, Spanned};
pub use words::{Word, Word64, Word128, Words};
