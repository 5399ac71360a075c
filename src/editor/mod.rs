//! What editors ask of rule files: where a name is declared and used, what it
//! is, what may be written at a place, what a file holds, and how a name is
//! changed everywhere.
//!
//! An [`Analysis`] looks at one rule file with those it extends. It is made of
//! texts, sound or not, and answers in byte offsets; protocols are for others.
//!
//! **Invariant:** names mean what the checker noted of them, words stand where
//! the grammar takes them: nothing here resolves or lists either.

mod analysis;
mod builtin;
mod complete;
mod fault;
mod hover;
mod outline;
mod rename;

pub use analysis::{Analysis, Place, Target};
pub use complete::{Completion, Sort, complete};
pub use fault::{Cure, Fault, faults};
pub use hover::Hover;
pub use outline::{Entry, outline};
pub use rename::{Renaming, rename};
