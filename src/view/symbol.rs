//! Symbols for pieces, tokens and empty sites on a board.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::paint::{Ink, Look};
use crate::base::{get_or_default, to_index};
use crate::ir::{Game, Kind, Piece, Ty, Value};
use crate::model::Position;
use crate::notation::print_value;

/// As many characters are drawn of the contents of a site; boards of thousands of sites stay legible, and their drawings small.
const WIDEST: usize = 16;

/// The contents of a site, abbreviated.
pub(super) struct Mark {
    pub(super) text: String,
    pub(super) ink: Ink,
}

/// A position to draw.
pub(super) struct Scene<'a> {
    pub(super) game: &'a Game,
    pub(super) position: &'a Position,
    pub(super) look: &'a Look,
    /// The symbols of owned pieces, which others must not have. There may be thousands, so they are listed once, and if asked for.
    taken: OnceCell<BTreeSet<String>>,
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
        if text.len() > 4 * WIDEST {
            break;
        }
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
    shortened(parts.join("+"))
}

impl<'a> Scene<'a> {
    pub(super) fn new(game: &'a Game, position: &'a Position, look: &'a Look) -> Self {
        Self { game, position, look, taken: OnceCell::new() }
    }

    /// The symbol of a piece. If only one kind is owned, it is that of the owner; else that of the kind, in capitals for
    /// the first seat, in lower case for the second, with the number of the seat for others. An unowned piece has its
    /// kind's symbol in the letter case that no seat's pieces use.
    fn piece_symbol(&self, piece: &Piece) -> String {
        let Some(kind) = self.game.kinds.get(piece.kind) else { return "?".to_owned() };
        if let Some(owner) = piece.owner {
            return owned_symbol(self.game, kind, usize::from(owner));
        }
        let taken = self.taken.get_or_init(|| {
            let owned = || self.game.kinds.iter().filter(|kind| kind.owned);
            let seats = 0..self.game.seats.len();
            seats.flat_map(|seat| owned().map(move |kind| owned_symbol(self.game, kind, seat))).collect()
        });
        let mut ways = [kind.symbol.clone(), kind.symbol.to_lowercase(), kind.symbol.to_uppercase()].into_iter();
        ways.find(|symbol| !taken.contains(symbol)).unwrap_or_else(|| format!("{}0", kind.symbol))
    }

    /// The symbol of a piece and what is told of its fields.
    pub(super) fn piece(&self, piece: &Piece) -> String {
        let kind = self.game.kinds.get(piece.kind);
        let marks = kind.map_or_else(String::new, |kind| field_marks(self.game, kind, piece));
        shortened(format!("{}{marks}", self.piece_symbol(piece)))
    }

    /// The mark for a site; `empty` if there is nothing on it.
    pub(super) fn mark(&self, site: usize, empty: &str) -> Mark {
        let game = self.game;
        let tokens = token_text(game, self.position, site);
        match self.position.sites.get(site).and_then(Option::as_ref) {
            Some(piece) => {
                let ink = piece.owner.map_or(Ink::Plain, Ink::Seat);
                Mark { text: format!("{}{tokens}", self.piece(piece)), ink }
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
}

/// A text of [`WIDEST`] characters at most: of a longer one its beginning.
fn shortened(text: String) -> String {
    if text.chars().nth(WIDEST).is_none() {
        return text;
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}
