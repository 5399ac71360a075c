//! What is independent of games and of the language: source spans, number conversions, bitsets, similar names.
//!
//! **Invariant:** nothing here imports another room.

mod bits;
mod nearest;
mod number;
mod relative;
mod sign;
mod source;
mod span;
mod wide;
mod words;

pub use bits::Bits;
pub use nearest::{is_one_edit, is_slip, nearest};
pub use number::{SaturatingFrom, get_or_default, integer, optional, to_index};
pub use relative::resolve_relative;
pub use sign::is_command;
pub use source::{Source, Sources, line_start, unmarked};
pub use span::{FileId, Span, Spanned};
pub use wide::Words;
pub use words::{Word, Word64, Word128};
