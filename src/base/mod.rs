//! What knows no game and no language: places in texts, small sets, near names.
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
