//! Pieces that a text names in part, and moves of such pieces.
//!
//! Whoever types a move may leave out of a piece what the moves on offer leave no doubt about.

use super::NotationError;
use super::value::print_piece;
use crate::base::SaturatingFrom;
use crate::ir::{Field, Game, Move, Piece, Value};

/// The maximum number of candidate pieces listed.
const CANDIDATES: usize = 12;

/// What numbers and flags that a text leaves out stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// What they are initially, as where a piece is printed.
    Initial,
    /// Whatever they are.
    Open,
}

/// The value of a field that a text leaves unspecified.
pub(super) const OPEN: i32 = i32::MIN;

/// Whether the value of a field is always written, so that it must be given where a piece is named by itself.
pub(super) fn tells_apart(field: &Field) -> bool {
    field.ty.is_atom()
}

/// Whether a value equals the other, ignoring what the first leaves unspecified.
pub(super) fn fits(part: &Value, value: &Value) -> bool {
    match (part, value) {
        (Value::Piece(part), Value::Piece(piece)) => {
            let same = |(part, field): (&i32, &i32)| *part == OPEN || part == field;
            (part.kind, part.owner) == (piece.kind, piece.owner) && part.fields.iter().zip(&piece.fields).all(same)
        }
        (part, value) => part == value,
    }
}

/// A move with unspecified fields of its pieces set to their defaults.
pub(super) fn settled(game: &Game, mv: &Move) -> Move {
    let settle = |value: &Value| {
        if let Value::Piece(piece) = value { Value::Piece(at_default(game, piece.clone())) } else { value.clone() }
    };
    Move { action: mv.action, args: mv.args.iter().map(settle).collect() }
}

/// Whether the pieces of a move leave something unspecified.
pub(super) fn is_partial(mv: &Move) -> bool {
    mv.args.iter().any(|value| matches!(value, Value::Piece(piece) if piece.fields.contains(&OPEN)))
}

/// The parsed move, if its pieces leave nothing unspecified.
pub(super) fn whole_move(game: &Game, text: &str, mv: &Move) -> Result<Move, NotationError> {
    for value in &mv.args {
        if let Value::Piece(piece) = value {
            whole(game, text, piece.clone())?;
        }
    }
    Ok(settled(game, mv))
}

/// The piece with its unspecified fields at their defaults. A number may be what else stands for an unspecified field.
pub(super) fn at_default(game: &Game, mut piece: Piece) -> Piece {
    let fields = game.kinds.get(piece.kind).map_or(&[][..], |kind| &kind.fields);
    for (value, field) in piece.fields.iter_mut().zip(fields) {
        if *value == OPEN && tells_apart(field) {
            *value = field.default;
        }
    }
    piece
}

/// The piece, if nothing of it is unspecified.
pub(super) fn whole(game: &Game, text: &str, piece: Piece) -> Result<Piece, NotationError> {
    let fields = game.kinds.get(piece.kind).map_or(&[][..], |kind| &kind.fields);
    let open = |(field, value): (&Field, &i32)| *value == OPEN && tells_apart(field);
    let Some(at) = fields.iter().zip(&piece.fields).position(open) else { return Ok(piece) };
    let count = game.names(&fields[at].ty).len();
    let with = |number: usize| {
        let mut piece = piece.clone();
        piece.fields[at] = i32::saturating_from(number);
        print_piece(game, &at_default(game, piece))
    };
    match count {
        1 => Ok(at_default(game, piece)),
        _ => Err(NotationError::Ambiguous {
            found: text.to_owned(),
            readings: (0..count).take(CANDIDATES).map(with).collect(),
        }),
    }
}
