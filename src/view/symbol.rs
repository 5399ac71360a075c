//! Symbols for pieces, tokens and empty sites on a board.

use super::paint::Ink;
use crate::base::{get_or_default, to_index};
use crate::ir::{Game, Kind, Piece, Ty, Value};
use crate::model::Position;
use crate::notation::print_value;

/// The contents of a site, abbreviated.
pub(super) struct Mark {
    pub(super) text: String,
    pub(super) ink: Ink,
}

/// The symbol of a seat, or its number if two seats share a symbol.
#[must_use]
pub fn seat_symbol(game: &Game, seat: usize) -> String {
    let Some(info) = game.seats.nth(seat) else {
        return "?".to_owned();
    };
    let shared = game.seats.iter().filter(|other| other.symbol == info.symbol).count() > 1;
    if shared || info.symbol.is_empty() { (seat + 1).to_string() } else { info.symbol.clone() }
}

/// How the fields of a piece are drawn after its symbol: a flag that is set by its symbol, a direction as an arrow,
/// other values after their field's symbol.
fn field_marks(game: &Game, kind: &Kind, piece: &Piece) -> String {
    let mut text = String::new();
    for (field, &value) in kind.fields.iter().zip(&piece.fields) {
        match field.ty {
            Ty::Bool if value != 0 => text.push_str(&field.symbol),
            Ty::Bool => {}
            Ty::Dir => {
                let direction = usize::try_from(value).ok().and_then(|value| game.topology.directions.get(value));
                let name = direction.map_or("", |direction| direction.name.as_str());
                let arrows = [
                    ("n", "↑"),
                    ("ne", "↗"),
                    ("e", "→"),
                    ("se", "↘"),
                    ("s", "↓"),
                    ("sw", "↙"),
                    ("w", "←"),
                    ("nw", "↖"),
                ];
                text.push_str(arrows.iter().find(|(known, _)| *known == name).map_or(name, |(_, arrow)| arrow));
            }
            _ if !field.symbol.is_empty() => {
                text.push_str(&field.symbol);
                let value = if field.ty == Ty::Int {
                    Value::Int(value.into())
                } else {
                    Value::atom_of(to_index(i64::from(value)))
                };
                text.push_str(&print_value(game, &field.ty, &value));
            }
            Ty::Int | Ty::Seat | Ty::Site | Ty::Kind | Ty::Enum(_) | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => {}
        }
    }
    text
}

/// The symbol of a piece. If only one kind is owned, it is that of the owner; else that of the kind, in capitals for
/// the first seat, in lower case for the second, with the number of the seat for others. An unowned piece has its
/// kind's symbol in the letter case that no seat's pieces use.
#[must_use]
pub fn piece_symbol(game: &Game, piece: &Piece) -> String {
    let Some(kind) = game.kinds.get(piece.kind) else { return "?".to_owned() };
    if let Some(owner) = piece.owner {
        return owned_symbol(game, kind, usize::from(owner));
    }
    let taken = |symbol: &String| {
        let mut owned = game.kinds.iter().filter(|kind| kind.owned);
        owned.any(|kind| (0..game.seats.len()).any(|seat| owned_symbol(game, kind, seat) == *symbol))
    };
    let mut ways = [kind.symbol.clone(), kind.symbol.to_lowercase(), kind.symbol.to_uppercase()].into_iter();
    ways.find(|symbol| !taken(symbol)).unwrap_or_else(|| format!("{}0", kind.symbol))
}

fn owned_symbol(game: &Game, kind: &Kind, seat: usize) -> String {
    let kinds = game.kinds.iter().filter(|kind| kind.owned).count();
    match (kinds, seat) {
        (0 | 1, _) => seat_symbol(game, seat),
        (_, 0) => kind.symbol.to_uppercase(),
        (_, 1) => kind.symbol.to_lowercase(),
        (_, _) => format!("{}{}", kind.symbol, seat + 1),
    }
}

/// Whether the game counts tokens on sites.
pub(super) fn counts(game: &Game) -> bool {
    !game.tokens.is_empty()
}

/// The tokens on a site, abbreviated; empty if there are none.
pub(super) fn token_text(game: &Game, position: &Position, site: usize) -> String {
    let mut parts = Vec::new();
    let mut pool = 0;
    let several = game.tokens.len() > 1;
    for tokens in &game.tokens {
        let owners = if tokens.owned { game.seats.len() } else { 1 };
        for owner in 0..owners {
            let count = get_or_default(position.tokens.get(pool).map_or(&[], Vec::as_slice), site);
            pool += 1;
            if count == 0 {
                continue;
            }
            let mut text = count.to_string();
            if several {
                text.extend(tokens.name.chars().next());
            }
            if tokens.owned {
                text.push_str(&seat_symbol(game, owner));
            }
            parts.push(text);
        }
    }
    parts.join("+")
}

/// The mark for a site; `empty` if there is nothing on it.
pub(super) fn mark(game: &Game, position: &Position, site: usize, empty: &str) -> Mark {
    let tokens = token_text(game, position, site);
    match position.sites.get(site).and_then(Option::as_ref) {
        Some(piece) => {
            let ink = piece.owner.map_or(Ink::Plain, Ink::Seat);
            let kind = game.kinds.get(piece.kind);
            let marks = kind.map_or_else(String::new, |kind| field_marks(game, kind, piece));
            Mark { text: format!("{}{marks}{tokens}", piece_symbol(game, piece)), ink }
        }
        None if !tokens.is_empty() => {
            let seat = game.topology.sites.get(site).and_then(|info| info.seat);
            Mark { text: tokens, ink: seat.map_or(Ink::Plain, Ink::Seat) }
        }
        None => {
            let region = game.regions.iter().find(|region| region.seat.is_some() && region.sites.contains(site));
            match region.and_then(|region| region.seat) {
                Some(seat) if empty == "·" => Mark { text: ":".to_owned(), ink: Ink::Ground(seat) },
                Some(seat) => Mark { text: empty.to_owned(), ink: Ink::Ground(seat) },
                None => Mark { text: empty.to_owned(), ink: Ink::Faint },
            }
        }
    }
}
