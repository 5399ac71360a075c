//! What editors ask about rule files: where a name is declared and used, what it is, what can be written at a
//! position, the outline of a file, and how to rename.
//!
//! An [`Analysis`] covers one rule file with the files it extends. It is made from texts, correct or not, and answers
//! in byte offsets; protocols are the business of other rooms.
//!
//! **Invariant:** names mean what the checker recorded, keywords are allowed where the grammar accepts them: nothing
//! here resolves the one or lists the other.

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
