//! The contents of zones as text: `deck: swim{red}*2 joker`, the last on top.

use super::NotationError;
use super::names::{atom_name, find, find_atom, split_top, type_name};
use super::value::{parse_piece, print_piece, spaced};
use crate::ir::{Game, Piece, ZoneForm};
use crate::model::{Position, most_piled};

/// A zone's name with its indices, such as `hand(white)`.
#[must_use]
pub fn zone_name(game: &Game, zone: usize, index: usize) -> String {
    let Some(info) = game.zones.nth(zone) else {
        return String::new();
    };
    let mut rest = index;
    let mut indices: Vec<String> = Vec::new();
    for (ty, size) in info.indices.iter().rev() {
        let size = (*size).max(1);
        indices.push(atom_name(game, ty, rest % size));
        rest /= size;
    }
    indices.reverse();
    if indices.is_empty() { info.name.clone() } else { format!("{}({})", info.name, indices.join(",")) }
}

/// Pieces in order, with consecutive copies counted.
#[must_use]
pub fn print_pieces(game: &Game, pieces: &[Piece]) -> String {
    let counted = |text: String, count: usize| if count == 1 { text } else { format!("{text}*{count}") };
    let mut last: Option<(String, usize)> = None;
    let runs = pieces.chunk_by(|one, other| one == other).map(|alike| (print_piece(game, &alike[0]), alike.len()));
    // What differs may look alike. The end shows the last of them.
    let words = runs.map(Some).chain([None]).filter_map(|run| match (run, &mut last) {
        (Some((text, more)), Some((same, count))) if *same == text => {
            *count += more;
            None
        }
        (run, last) => std::mem::replace(last, run).map(|(text, count)| counted(text, count)),
    });
    spaced(words)
}

/// The segments of all non-empty zones.
pub(super) fn zones(game: &Game, position: &Position) -> impl Iterator<Item = String> {
    position.zones.iter().enumerate().flat_map(move |(zone, lists)| {
        let filled = lists.iter().enumerate().filter(|(_, list)| !list.is_empty());
        filled.map(move |(index, list)| format!("{}: {}", zone_name(game, zone, index), print_pieces(game, list)))
    })
}

/// The maximum number of pieces a text may put in one zone.
pub(super) const MANY: usize = 100_000;

/// The error for exceeding it.
pub(super) fn too_many(what: &str, found: &str) -> NotationError {
    NotationError::OutOfRange {
        what: what.to_owned(),
        found: found.to_owned(),
        limits: format!("a zone takes at most {MANY}"),
    }
}

/// A piece as text and how many of it there are, beside so many others.
pub(super) fn copies(part: &str, held: usize) -> Result<(&str, usize), NotationError> {
    let (text, count) = part.rsplit_once('*').unwrap_or((part, "1"));
    if count.is_empty() || !count.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotationError::misfit("a number of pieces", part));
    }
    // A number too long to parse is too many as well.
    match count.parse().ok().filter(|count| *count <= MANY.saturating_sub(held)) {
        Some(count) => Ok((text, count)),
        None => Err(too_many("the number of pieces", part)),
    }
}

/// Applies a segment if its key names a zone; `room` says how many more pieces all zones together may hold.
pub(super) fn lay_zone(
    game: &Game,
    position: &mut Position,
    key: &str,
    value: &str,
    room: &mut usize,
) -> Result<bool, NotationError> {
    let (name, indices) = match key.split_once('(') {
        None => (key, Vec::new()),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(inner) => (name.trim(), split_top(inner, |c| c == ',')),
            None => return Ok(false),
        },
    };
    let Ok(zone) = find("zone", name, game.zones.iter().map(|zone| zone.name.as_str())) else {
        return Ok(false);
    };
    let Some(info) = game.zones.nth(zone) else { return Ok(false) };
    // Pieces on the board are told from a zone whose name differs in letter case alone.
    let plain = name.split(['.', '{']).next();
    let placed = game.kinds.iter().map(|kind| &kind.name).chain(game.tokens.iter().map(|tokens| &tokens.name));
    if info.name != name && placed.into_iter().any(|other| Some(other.as_str()) == plain) {
        return Ok(false);
    }
    if indices.len() != info.indices.len() {
        let types: Vec<String> = info.indices.iter().map(|(ty, _)| type_name(game, ty)).collect();
        let form = if types.is_empty() { info.name.clone() } else { format!("{}({})", info.name, types.join(",")) };
        return Err(NotationError::misfit(format!("a zone, which is written `{form}`"), key));
    }
    let mut index = 0;
    for (text, (ty, size)) in indices.iter().zip(&info.indices) {
        index = index * size + find_atom(game, ty, text)?;
    }
    let mut pieces = Vec::new();
    for part in split_top(value, char::is_whitespace) {
        let (text, count) = copies(part, pieces.len())?;
        let piece = parse_piece(game, text)?;
        let Some(left) = room.checked_sub(count) else {
            return Err(NotationError::OutOfRange {
                what: "the number of pieces".to_owned(),
                found: part.to_owned(),
                limits: format!("all zones together take at most {}", most_piled(game)),
            });
        };
        *room = left;
        pieces.extend(std::iter::repeat_n(piece, count));
    }
    if info.form == ZoneForm::Set {
        pieces.sort();
    }
    match position.zones.get_mut(zone).and_then(|lists| lists.get_mut(index)) {
        Some(list) if list.is_empty() => *list = pieces,
        _ => return Err(NotationError::Twice { what: format!("what lies in {key}") }),
    }
    Ok(true)
}
