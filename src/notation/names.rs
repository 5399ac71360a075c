//! Names of atoms, and splitting texts.

use super::NotationError;
use crate::base::nearest;
use crate::ir::{Game, Ty};

/// Up to this many names are listed in full.
const MANY: usize = 12;

/// What a type is called in messages.
#[must_use]
pub fn type_name(game: &Game, ty: &Ty) -> String {
    match ty {
        Ty::Int => "number".to_owned(),
        Ty::Bool => "truth value".to_owned(),
        Ty::Seat => "seat".to_owned(),
        Ty::Site => "site".to_owned(),
        Ty::Dir => "direction".to_owned(),
        Ty::Kind => "kind".to_owned(),
        Ty::Enum(number) => game.enums.get(*number).map_or("member", |info| &info.name).to_owned(),
        Ty::Piece => "piece".to_owned(),
        Ty::Way => "way".to_owned(),
        Ty::Move => "move".to_owned(),
        Ty::Set(inner) => format!("set of {}s", type_name(game, inner)),
    }
}

/// The name of an atom.
pub(super) fn atom_name(game: &Game, ty: &Ty, number: usize) -> String {
    let name = match ty {
        Ty::Seat => game.seats.nth(number).map(|seat| &seat.name),
        Ty::Site => game.topology.sites.get(number).map(|site| &site.name),
        Ty::Dir => game.topology.directions.get(number).map(|direction| &direction.name),
        Ty::Kind => game.kinds.nth(number).map(|kind| &kind.name),
        Ty::Enum(e) => game.enums.get(*e).and_then(|info| info.members.get(number)).map(|(name, _)| name),
        Ty::Int | Ty::Bool | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => None,
    };
    name.map_or_else(|| format!("#{number}"), Clone::clone)
}

/// The numbers of the names that a text may mean: the one equal to it, else the first two that are in any letter case.
fn meant<'a>(text: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> (Option<usize>, Option<usize>) {
    if let Some(exact) = names.clone().into_iter().position(|name| name == text) {
        return (Some(exact), None);
    }
    let lower = text.to_lowercase();
    let plain = text.is_ascii();
    let same = |name: &'a str| {
        if plain && name.is_ascii() { name.eq_ignore_ascii_case(text) } else { name.to_lowercase() == lower }
    };
    let mut alike = names.into_iter().enumerate().filter(|(_, name)| same(name));
    let numbers = [alike.next(), alike.next()].map(|found| found.map(|(number, _)| number));
    numbers.into()
}

/// The number of the name equal to `text`; ignoring letter case if that is unambiguous.
pub(super) fn find<'a>(
    what: &str,
    text: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Result<usize, NotationError> {
    let name = |number: usize| names.clone().into_iter().nth(number).unwrap_or_default().to_owned();
    match meant(text, names.clone()) {
        (Some(number), None) => return Ok(number),
        (Some(a), Some(b)) => {
            return Err(NotationError::Ambiguous { found: text.to_owned(), readings: vec![name(a), name(b)] });
        }
        (None, _) => {}
    }
    let near = nearest(text, names.clone()).map(str::to_owned);
    let known = shortened(names.into_iter().map(str::to_owned).collect());
    Err(NotationError::Unknown { what: what.to_owned(), found: text.to_owned(), near, known })
}

/// Names for a message: of many, the first few and the last, which show the pattern.
pub(super) fn shortened(mut names: Vec<String>) -> Vec<String> {
    if names.len() > MANY {
        names.splice(3..names.len() - 1, ["…".to_owned()]);
    }
    names
}

/// The number of an atom by its name.
pub(super) fn find_atom(game: &Game, ty: &Ty, text: &str) -> Result<usize, NotationError> {
    match game.named(ty, text) {
        (Some(number), None) => Ok(number),
        // What is wrong takes long to say among many.
        (Some(_), Some(_)) | (None, _) => find(&type_name(game, ty), text, game.names(ty)),
    }
}

/// The same where it only matters whether there is one: similar names are not looked for.
pub(super) fn known_atom(game: &Game, ty: &Ty, text: &str) -> Option<usize> {
    if let (Some(number), None) = game.named(ty, text) { Some(number) } else { None }
}

/// Splits at every separator outside braces and parentheses; empty parts are dropped.
pub(super) fn split_top(text: &str, separator: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ if depth == 0 && separator(c) => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The positions of matching characters outside braces and parentheses.
pub(super) fn places_top(text: &str, fits: impl Fn(char) -> bool) -> Vec<usize> {
    let mut depth = 0_i32;
    let mut places = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ if depth == 0 && fits(c) => places.push(at),
            _ => {}
        }
    }
    places
}
