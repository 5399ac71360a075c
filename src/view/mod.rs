//! What people see: boards, positions, outcomes and refusals as text.
//!
//! [`board`] draws, `position` describes the whole state, [`refusal`] explains why a move is not legal, [`outcome`]
//! how a game ended.
//!
//! **Invariant:** pure strings. Nothing here calls an engine, measures a terminal or prints; the caller switches
//! colour on.

mod explain;
mod grid;
mod line;
mod markup;
mod paint;
mod position;
mod reason;
mod svg;
mod symbol;
#[cfg(test)]
mod tests;
mod titled;
mod unread;

pub use explain::{
    Detail, because, clause_line, explained, kind_of_clause, kind_word, outcome, refusal, rule_line, rules_list,
    rules_names, source_line,
};
pub use grid::board;
pub use markup::escape;
pub use paint::Look;
pub use position::{asked, move_sites, position, seat_title, standing_line};
pub use svg::picture;
pub use symbol::seat_symbol;
pub use titled::{deed, titled_move, titled_pieces, titled_value};
pub use unread::unread;
