//! What somebody did, as far as a viewer learns it.

use std::fmt;

use crate::ir::Move;

/// What was done, as far as a viewer learns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A move or answer as text, with `?` for what the viewer does not learn; and the move, if it learns all of it.
    Done(String, Option<Move>),
    /// A secret choice, which nobody else learns yet.
    Chosen,
    /// Nobody acted in a race.
    Waited,
}

/// The same in every language: programs read it.
impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(text, _) => f.write_str(text),
            Self::Chosen => f.write_str("has chosen"),
            Self::Waited => f.write_str("nobody acts"),
        }
    }
}
