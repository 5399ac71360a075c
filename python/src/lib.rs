//! Regelwerk for Python: the module `regelwerk._core`, presented by the package `regelwerk`.
//!
//! The package says what there is; here are the parts that are worth doing in Rust: rules and games,
//! simulations, the numbering of actions, observations as numbers, many games at once.

mod batch;
mod fault;
mod features;
mod games;
mod moves;
mod numbering;
mod rules;
mod shown;
mod simulate;
mod state;
mod why;

use pyo3::prelude::*;

/// The parts of `regelwerk` that are written in Rust.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::moves::{Move, Piece};
    #[pymodule_export]
    use super::rules::{Rules, bundled, check, load};
    #[pymodule_export]
    use super::shown::{Outcome, View};
    #[pymodule_export]
    use super::simulate::simulate;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::why::{Rule, Why};
}
