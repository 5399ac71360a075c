//! Values, pieces, zones and moves by the titles that the rules give them, for people.
//!
//! What has no title keeps its name, and what nobody can give a title (numbers, sites) is written as in the notation.

use super::position::seat_title;
use crate::ir::{ActionRef, Field, Game, Kind, Move, Piece, Ty, Value};
use crate::model::{Deed, Observation};
use crate::notation::{field_value, parameter_types, picked_type, print_move, print_pieces, print_value};
use crate::say::Lang;

/// The title, or the name where there is none.
fn titled<'a>(title: &'a str, name: &'a str) -> &'a str {
    if title.is_empty() { name } else { title }
}

/// A value by its titles.
#[must_use]
pub fn titled_value(game: &Game, ty: &Ty, value: &Value) -> String {
    match (ty, value) {
        (_, Value::Piece(piece)) => titled_piece(game, piece),
        (_, Value::Pieces(pieces)) => titled_pieces(game, pieces),
        (Ty::Set(member), Value::Set(members)) => {
            let one =
                |number: usize| u32::try_from(number).map(|number| titled_value(game, member, &Value::Atom(number)));
            members.iter().filter_map(|number| one(number).ok()).collect::<Vec<_>>().join(", ")
        }
        (Ty::Seat, Value::Atom(number)) => seat_title(game, *number as usize).to_owned(),
        (Ty::Kind, Value::Atom(number)) => game
            .kinds
            .nth(*number as usize)
            .map_or_else(|| print_value(game, ty, value), |kind| titled(&kind.title, &kind.name).to_owned()),
        (Ty::Enum(which), Value::Atom(number)) => game
            .enums
            .get(*which)
            .and_then(|info| info.members.get(*number as usize))
            .map_or_else(|| print_value(game, ty, value), |(name, title)| titled(title, name).to_owned()),
        (_, _) => print_value(game, ty, value),
    }
}

/// A piece: its kind, then its owner and fields in parentheses.
fn titled_piece(game: &Game, piece: &Piece) -> String {
    let Some(kind) = game.kinds.get(piece.kind) else {
        // Only its back is visible.
        return print_pieces(game, std::slice::from_ref(piece));
    };
    let owner = piece.owner.map(|seat| seat_title(game, usize::from(seat)).to_owned());
    let fields =
        kind.fields.iter().zip(&piece.fields).filter_map(|(field, value)| told_field(game, kind, field, *value));
    let parts: Vec<String> = owner.into_iter().chain(fields).collect();
    let name = titled(&kind.title, &kind.name);
    if parts.is_empty() { name.to_owned() } else { format!("{name} ({})", parts.join(", ")) }
}

/// A field that is worth saying: a flag that is set, a value other than that at the start.
fn told_field(game: &Game, kind: &Kind, field: &Field, number: i32) -> Option<String> {
    if !field.ty.is_atom() && field.default == number {
        return None;
    }
    let text = titled_value(game, &field.ty, &field_value(&field.ty, number));
    let alone = kind.fields.iter().filter(|other| other.ty == field.ty).count() == 1;
    match (&field.ty, number) {
        (Ty::Bool, 1) => Some(field.name.clone()),
        (ty, _) if ty.is_atom() && alone => Some(text),
        (_, _) => Some(format!("{} {text}", field.name)),
    }
}

/// Pieces in order, with consecutive copies counted.
#[must_use]
pub fn titled_pieces(game: &Game, pieces: &[Piece]) -> String {
    let runs = pieces.chunk_by(|one, next| one == next);
    let text = |run: &[Piece]| match run {
        [] => String::new(),
        [piece] => titled_piece(game, piece),
        [piece, ..] => format!("{} × {}", run.len(), titled_piece(game, piece)),
    };
    runs.map(text).collect::<Vec<_>>().join(", ")
}

/// A name with indices, such as `Hand (South)`: `which` numbers them row by row.
#[must_use]
pub(super) fn indexed(game: &Game, title: &str, indices: &[(Ty, usize)], which: usize) -> String {
    let mut rest = which;
    let mut parts: Vec<String> = Vec::new();
    for (ty, size) in indices.iter().rev() {
        let size = (*size).max(1);
        let number = rest % size;
        let atom = u32::try_from(number).ok().filter(|_| ty.is_atom()).map(Value::Atom);
        parts.push(atom.map_or_else(|| number.to_string(), |atom| titled_value(game, ty, &atom)));
        rest /= size;
    }
    parts.reverse();
    if parts.is_empty() { title.to_owned() } else { format!("{title} ({})", parts.join(", ")) }
}

/// A move by the titles of what it names; none where they say no more than the notation does.
#[must_use]
pub fn titled_move(game: &Game, position: &Observation, mv: &Move) -> Option<String> {
    let types = match mv.action {
        ActionRef::Pick => vec![picked_type(game, position)?],
        ActionRef::Action(_) => parameter_types(game, mv),
        ActionRef::Race(_) | ActionRef::Wait | ActionRef::Pass | ActionRef::Decline => return None,
    };
    let values = || types.iter().zip(&mv.args);
    let says_more = |(ty, value): (&Ty, &Value)| titled_value(game, ty, value) != print_value(game, ty, value);
    if !values().any(says_more) {
        return None;
    }
    let text: Vec<String> = values().map(|(ty, value)| titled_value(game, ty, value)).collect();
    let text = text.join(", ");
    let action = if let ActionRef::Action(number) = mv.action { game.actions.get(number) } else { None };
    // The notation names the action where another could be meant.
    let named = action.filter(|action| print_move(game, position, mv).starts_with(&format!("{} ", action.name)));
    Some(named.map_or_else(|| text.clone(), |action| format!("{}: {text}", titled(&action.title, &action.name))))
}

/// What was done, for people: a move that is learnt whole by its titles.
#[must_use]
pub fn deed(lang: Lang, game: &Game, before: &Observation, deed: &Deed) -> String {
    match deed {
        Deed::Done(text, mv) => {
            mv.as_ref().and_then(|mv| titled_move(game, before, mv)).unwrap_or_else(|| text.clone())
        }
        Deed::Chosen => lang.say("told-chosen", &[]),
        Deed::Waited => lang.say("told-waited", &[]),
    }
}
