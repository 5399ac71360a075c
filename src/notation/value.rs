//! Values as text, by their type.
//!
//! | type | text |
//! |---|---|
//! | site, seat, direction, kind, enum member | its name |
//! | number, truth value | `12`, `true` |
//! | set | `{a b}` |
//! | piece | `kind.owner{value,flag,field=value,…}`: names and set flags alone, other fields only if not at their default |
//! | way | its end, then `x` and what it takes joined by `+`: `c5xb4+d4` |
//! | move | `(ACTION a-b)` |
//! | no value (never in a move) | `?` |

use std::collections::BTreeSet;

use smallvec::SmallVec;

use super::NotationError;
use super::moves::{parse_action, print_named};
use super::names::{atom_name, find_atom, known_atom, places_top, split_top, type_name};
use super::partial::{OPEN, Unsaid, at_default, tells_apart, whole};
use super::position::MAX_LENGTH;
use crate::base::{Bits, SaturatingFrom, to_index};
use crate::ir::{Field, Fields, Game, Id, Kind, KindId, Move, Piece, SeatId, Ty, Value, Way};

/// A value as text.
#[must_use]
pub fn print_value(game: &Game, ty: &Ty, value: &Value) -> String {
    let member = if let Ty::Set(inner) = ty { inner } else { ty };
    match value {
        Value::Unset => "?".to_owned(),
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Atom(n) => atom_name(game, ty, *n as usize),
        // An empty set built where its type was not known to be a list: equal under the rules, but represented
        // differently.
        Value::Set(bits) if bits.is_empty() && !member.is_atom() => "{-}".to_owned(),
        Value::Set(bits) => list(bits.iter().map(|n| atom_name(game, member, n))),
        Value::Ints(numbers) => list(numbers.iter().map(i64::to_string)),
        Value::Piece(piece) => print_piece(game, piece),
        Value::Way(way) => print_way(game, way),
        Value::Pieces(pieces) => format!("{{{}}}", super::zone::print_pieces(game, pieces)),
        Value::Ways(ways) => list(ways.iter().map(|way| print_way(game, way))),
        Value::Move(mv) => print_stored(game, mv),
        Value::Moves(moves) => list(moves.iter().map(|mv| print_stored(game, mv))),
    }
}

fn list(members: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", spaced(members))
}

/// Words with blanks between them. What is longer than any text that is read ends in `…`: names may be long, and lists, too.
pub(super) fn spaced(words: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        if text.len() + word.len() > MAX_LENGTH {
            text.push('…');
            break;
        }
        text.push_str(&word);
    }
    text
}

fn print_stored(game: &Game, mv: &Move) -> String {
    format!("({})", print_named(game, mv))
}

/// A piece as text.
pub(super) fn print_piece(game: &Game, piece: &Piece) -> String {
    if piece.is_uncounted() {
        return "?*".to_owned();
    }
    let Some(kind) = game.kinds.get(piece.kind) else {
        // Only its back is visible.
        let owner = piece.owner.map(|seat| format!(".{}", atom_name(game, &Ty::Seat, usize::from(seat))));
        return format!("?{}", owner.unwrap_or_default());
    };
    let mut text = kind.name.clone();
    match piece.owner {
        Some(seat) => {
            text.push('.');
            text.push_str(&atom_name(game, &Ty::Seat, usize::from(seat)));
        }
        None if kind.owned => text.push_str(".-"),
        None => {}
    }
    let told = Meanings::of(kind);
    let fields: Vec<String> = kind
        .fields
        .iter()
        .zip(&piece.fields)
        .filter(|(field, value)| field.ty.is_atom() || field.default != **value)
        .map(|(field, value)| {
            let said = print_value(game, &field.ty, &field_value(&field.ty, *value));
            let alone = if field.ty == Ty::Bool { &field.name } else { &said };
            let bare = if field.ty == Ty::Bool { *value == 1 } else { field.ty.is_atom() };
            // A name that another field could mean as well needs that of its own field.
            if bare && told.count(game, alone) == 1 { alone.clone() } else { format!("{}={said}", field.name) }
        })
        .collect();
    if !fields.is_empty() {
        text = format!("{text}{{{}}}", fields.join(","));
    }
    text
}

/// The fields of a kind, by what their values may be: a kind may have many fields of one type.
struct Meanings<'g> {
    flags: BTreeSet<&'g str>,
    types: Vec<(&'g Ty, usize)>,
}

impl<'g> Meanings<'g> {
    fn of(kind: &'g Kind) -> Self {
        let mut found = Self { flags: BTreeSet::new(), types: Vec::new() };
        for field in &kind.fields {
            if field.ty == Ty::Bool {
                found.flags.insert(&field.name);
            } else if let Some((_, count)) = found.types.iter_mut().find(|(ty, _)| **ty == field.ty) {
                *count += 1;
            } else if field.ty.is_atom() {
                found.types.push((&field.ty, 1));
            }
        }
        found
    }

    /// How many fields a text alone may mean, as in [`may_mean`].
    fn count(&self, game: &Game, text: &str) -> usize {
        let valued = self.types.iter().filter(|(ty, _)| known_atom(game, ty, text).is_some());
        usize::from(self.flags.contains(text)) + valued.map(|(_, count)| count).sum::<usize>()
    }
}

/// Whether a text alone may mean a field: the name of a flag that is set, or a value of the field's type.
fn may_mean(game: &Game, field: &Field, text: &str) -> bool {
    let ty = &field.ty;
    if *ty == Ty::Bool { field.name == text } else { ty.is_atom() && known_atom(game, ty, text).is_some() }
}

fn print_way(game: &Game, way: &Way) -> String {
    let mut text = atom_name(game, &Ty::Site, way.to as usize);
    for (index, site) in way.taken.iter().enumerate() {
        text.push(if index == 0 { 'x' } else { '+' });
        text.push_str(&atom_name(game, &Ty::Site, site));
    }
    text
}

/// A field's number as a value.
#[must_use]
pub fn field_value(ty: &Ty, number: i32) -> Value {
    match ty {
        Ty::Int => Value::Int(i64::from(number)),
        Ty::Bool => Value::Bool(number != 0),
        Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => {
            Value::atom_of(to_index(i64::from(number)))
        }
    }
}

/// Parses a value of a type.
///
/// # Errors
/// Says why the text is not a move.
pub fn parse_value(game: &Game, ty: &Ty, text: &str) -> Result<Value, NotationError> {
    let text = text.trim();
    let misfit = || NotationError::misfit(format!("a {}", type_name(game, ty)), text);
    match ty {
        Ty::Int => parse_int(text).map(Value::Int).ok_or_else(misfit),
        Ty::Bool => match text {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(misfit()),
        },
        Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => find_atom(game, ty, text).map(Value::atom_of),
        Ty::Piece => parse_piece_in_part(game, text, Unsaid::Initial)
            .and_then(|piece| whole(game, text, piece))
            .map(Value::Piece),
        Ty::Way => parse_way(game, text).map(|way| Value::Way(Box::new(way))),
        Ty::Move => parse_stored(game, text).map(|mv| Value::Move(Box::new(mv))),
        Ty::Set(inner) => parse_set(game, inner, text),
    }
}

fn parse_int(text: &str) -> Option<i64> {
    // A leading `+` would give one number two texts.
    if text.starts_with('+') { None } else { text.parse().ok() }
}

fn parse_set(game: &Game, inner: &Ty, text: &str) -> Result<Value, NotationError> {
    let misfit = || NotationError::misfit(format!("a set of {}s, such as `{{a b}}`", type_name(game, inner)), text);
    let body = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or_else(misfit)?;
    if body == "-" {
        return Ok(Value::Set(Bits::new()));
    }
    let parts = split_top(body, char::is_whitespace);
    match inner {
        Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => {
            parts.into_iter().map(|part| find_atom(game, inner, part)).collect::<Result<Bits, _>>().map(Value::Set)
        }
        Ty::Int => {
            let numbers = parts.into_iter().map(|part| parse_int(part).ok_or_else(misfit));
            let mut numbers = numbers.collect::<Result<Vec<i64>, _>>()?;
            numbers.sort_unstable();
            numbers.dedup();
            Ok(Value::Ints(numbers))
        }
        Ty::Way => {
            let mut ways = parts.into_iter().map(|part| parse_way(game, part)).collect::<Result<Vec<Way>, _>>()?;
            ways.sort();
            ways.dedup();
            Ok(Value::Ways(ways))
        }
        Ty::Move => {
            let moves = parts.into_iter().map(|part| parse_stored(game, part));
            Ok(Value::Moves(moves.collect::<Result<_, _>>()?))
        }
        Ty::Piece => {
            // A list, whose order matters.
            let mut pieces = Vec::new();
            for part in parts {
                let (text, count) = super::zone::copies(part, pieces.len())?;
                let piece = parse_piece_in_part(game, text, Unsaid::Initial)?;
                pieces.extend(std::iter::repeat_n(whole(game, text, piece)?, count));
            }
            Ok(Value::Pieces(pieces))
        }
        Ty::Bool | Ty::Set(_) => {
            if parts.is_empty() {
                Ok(Value::Set(Bits::new()))
            } else {
                Err(misfit())
            }
        }
    }
}

fn parse_stored(game: &Game, text: &str) -> Result<Move, NotationError> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    parse_action(game, inner)
}

/// Parses a value of a type; a piece may leave fields unspecified.
pub(super) fn parse_in_part(game: &Game, ty: &Ty, text: &str, unsaid: Unsaid) -> Result<Value, NotationError> {
    if *ty == Ty::Piece {
        parse_piece_in_part(game, text.trim(), unsaid).map(Value::Piece)
    } else {
        parse_value(game, ty, text)
    }
}

/// The same where it only matters whether the text is such a value.
pub(super) fn read_in_part(game: &Game, ty: &Ty, text: &str, unsaid: Unsaid) -> Option<Value> {
    match ty {
        Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) => known_atom(game, ty, text.trim()).map(Value::atom_of),
        Ty::Way => read_way(game, text.trim()).map(|way| Value::Way(Box::new(way))),
        Ty::Piece => {
            // A piece begins with its kind: what does not is no matter for a message.
            let kind = text.split(['{', '.']).next()?;
            known_atom(game, &Ty::Kind, kind.trim())?;
            parse_in_part(game, ty, text, unsaid).ok()
        }
        Ty::Int | Ty::Bool | Ty::Move | Ty::Set(_) => parse_in_part(game, ty, text, unsaid).ok(),
    }
}

/// Parses a piece; omitted fields get their defaults.
pub(super) fn parse_piece(game: &Game, text: &str) -> Result<Piece, NotationError> {
    parse_piece_in_part(game, text, Unsaid::Initial).map(|piece| at_default(game, piece))
}

/// Parses a piece; omitted fields stay unspecified, numbers and flags as far as is said.
fn parse_piece_in_part(game: &Game, text: &str, unsaid: Unsaid) -> Result<Piece, NotationError> {
    if text.starts_with('?') {
        return Err(NotationError::Concealed { found: text.to_owned() });
    }
    let (head, fields) = match text.split_once('{') {
        None => (text, ""),
        Some((head, rest)) => {
            let inner = rest.strip_suffix('}');
            (head, inner.ok_or_else(|| NotationError::misfit("a piece, such as `kind.owner{field=value}`", text))?)
        }
    };
    let (name, owner) = match head.split_once('.') {
        None => (head.trim(), None),
        Some((name, owner)) => (name.trim(), Some(owner.trim())),
    };
    let number = super::names::find("kind", name, game.kinds.iter().map(|kind| kind.name.as_str()))?;
    let Some(kind) = game.kinds.nth(number) else {
        return Err(NotationError::misfit("a kind", name));
    };
    let seats =
        || game.seats.iter().map(|seat| format!("{}.{}", kind.name, seat.name)).collect::<Vec<_>>().join("` or `");
    let owner = match (owner, kind.owned) {
        (None, true) => {
            return Err(NotationError::misfit(format!("a piece with its owner, such as `{}`", seats()), head));
        }
        (Some("-") | None, _) => None,
        (Some(_), false) => {
            let expected = format!("a piece: no seat owns a `{}`, write it alone", kind.name);
            return Err(NotationError::misfit(expected, head));
        }
        (Some(owner), true) => Some(SeatId::new(find_atom(game, &Ty::Seat, owner)?)),
    };
    let left = |field: &Field| if unsaid == Unsaid::Open || tells_apart(field) { OPEN } else { field.default };
    let mut values: Fields = kind.fields.iter().map(left).collect();
    let mut given = Bits::new();
    for part in split_top(fields, |c| c == ',') {
        let names = kind.fields.iter().map(|field| field.name.as_str());
        let (at, value) = match part.split_once('=') {
            Some((name, value)) => (super::names::find("field", name.trim(), names)?, value),
            None => bare_field(game, kind, part.trim())?,
        };
        if !given.insert(at) {
            return Err(NotationError::misfit("each field once, such as `name=value`", text));
        }
        if let (Some(field), Some(place)) = (kind.fields.get(at), values.get_mut(at)) {
            *place = field_number(game, &field.ty, value.trim())?;
            if unsaid == Unsaid::Open && *place == OPEN {
                return Err(NotationError::misfit("another number", value));
            }
        }
    }
    let kind = KindId::at(number).unwrap_or(KindId::NOTHING);
    Ok(Piece { kind, owner, fields: values })
}

/// A field given by its value alone, or by its name if it is a truth value.
fn bare_field<'t>(game: &Game, kind: &Kind, text: &'t str) -> Result<(usize, &'t str), NotationError> {
    let mut fields = kind.fields.iter().enumerate().filter(|(_, field)| may_mean(game, field, text));
    let value = |field: &Field| if field.ty == Ty::Bool { "true" } else { text };
    match (fields.next(), fields.next()) {
        (Some((at, field)), None) => Ok((at, value(field))),
        (None, _) => Err(NotationError::misfit("a field, such as `name=value`, or its value alone", text)),
        (Some((_, one)), Some((_, two))) => {
            let (this, that) = (value(one), value(two));
            let expected = format!("one field, such as `{}={this}` or `{}={that}`", one.name, two.name);
            Err(NotationError::misfit(expected, text))
        }
    }
}

fn field_number(game: &Game, ty: &Ty, text: &str) -> Result<i32, NotationError> {
    let range = || NotationError::OutOfRange {
        what: "the number".to_owned(),
        found: text.to_owned(),
        limits: format!("write a number from {} to {}", i32::MIN, i32::MAX),
    };
    match parse_value(game, ty, text)? {
        Value::Int(n) => i32::try_from(n).map_err(|_| range()),
        Value::Bool(b) => Ok(i32::from(b)),
        Value::Atom(n) => i32::try_from(n).map_err(|_| range()),
        Value::Unset
        | Value::Set(_)
        | Value::Ints(_)
        | Value::Piece(_)
        | Value::Pieces(_)
        | Value::Way(_)
        | Value::Ways(_)
        | Value::Move(_)
        | Value::Moves(_) => Err(NotationError::misfit(format!("a {}", type_name(game, ty)), text)),
    }
}

/// Parses a way.
fn parse_way(game: &Game, text: &str) -> Result<Way, NotationError> {
    if let Some(way) = read_way(game, text) {
        return Ok(way);
    }
    // The first name that does not fit.
    let site = |name: &str| find_atom(game, &Ty::Site, name);
    for at in places_top(text, |c| c == 'x') {
        if known_atom(game, &Ty::Site, &text[..at]).is_some() {
            text[at + 1..].split('+').try_for_each(|taken| site(taken).map(drop))?;
        }
    }
    site(text).and_then(|_| Err(NotationError::misfit("a way", text)))
}

/// The way a text is. The name of a site may contain an `x`, so every `x` is tried.
fn read_way(game: &Game, text: &str) -> Option<Way> {
    let site = |name: &str| known_atom(game, &Ty::Site, name);
    let way = |to: usize, taken: Bits| Way { to: u32::saturating_from(to), taken, trail: SmallVec::new() };
    let split = places_top(text, |c| c == 'x').into_iter().find_map(|at| {
        let to = site(&text[..at])?;
        let taken: Option<Bits> = text[at + 1..].split('+').map(site).collect();
        Some(way(to, taken?))
    });
    split.or_else(|| site(text).map(|to| way(to, Bits::new())))
}
