//! Values, moves, answers and positions as text, and back.
//!
//! A position fits on one line and is easy to write by hand: whatever is left out is as at the start.
//!
//! ```text
//! GAME 2 | mover=white | stone.white: e5 f6 | stone.black: e6
//! ```
//!
//! A move is its parameters joined by `-`, such as `e5-e7`, after the name of its action where the move is otherwise
//! ambiguous.
//!
//! **Invariant:** pure conversions. Nothing here decides what is legal, reads a file or draws; an engine can continue
//! from every position that [`parse_position`] returns.

mod answers;
mod args;
mod control;
mod error;
mod find;
mod local;
mod moves;
mod names;
mod partial;
mod position;
mod race;
mod read;
mod stack;
#[cfg(test)]
mod tests;
mod unread;
mod value;
mod write;
mod zone;

pub use answers::{claim_pattern, is_answer, parse_answer, print_answer, print_answer_with};
pub use error::NotationError;
pub use find::find_move;
pub use moves::{
    asked_slot, move_parts, move_pattern, parameter_names, parameter_types, parse_move, picked_type, print_move,
    print_named_with,
};
pub use names::type_name;
pub use position::MAX_LENGTH;
pub use read::parse_position;
pub use value::{field_value, parse_value, print_value};
pub use write::{print_position, variable_name};
pub use zone::{print_pieces, zone_name};
