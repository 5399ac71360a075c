//! What the promises take from the tests' support.

use regelwerk::model::{Engine, Observation, Position};

pub(crate) fn print_position(engine: &dyn Engine, position: &Position) -> String {
    regelwerk::notation::print_position(engine, &Observation::referee(position))
}
