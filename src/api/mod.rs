//! The public interface of the library: rules, games in progress, statistics.
//! Everything here is at the root of the crate.
//!
//! **Invariant:** this room has no logic of its own; it presents what programs need as a few
//! types. No item of another room has to be named to use it.

mod bot;
mod diagnostics;
mod error;
mod hosting;
mod loader;
mod rules;
mod session;
mod shown;
mod statistics;
mod tournament;
mod why;

pub use bot::{Bot, BotError};
pub use diagnostics::Diagnostics;
pub use error::{LoadError, PlayError};
pub use loader::Loader;
#[cfg(feature = "serve")]
pub(crate) use loader::checked;
#[cfg(feature = "cli")]
pub(crate) use loader::{check_with_fixes, offer_fixes};
pub use rules::Rules;
pub use session::{Ask, Session};
pub use shown::{Datum, Move, Outcome, Position};
pub use statistics::{Played, Simulation, Statistics};
pub use tournament::Tournament;
pub use why::{Clause, Explanation, Rule};
