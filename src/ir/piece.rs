//! Pieces and tokens.

use super::value::{Ty, Value};
use super::zone::Sight;
use super::{Fields, KindId, RuleId, SeatId, Slot};

/// A piece. Pieces with the same kind, owner and fields are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Its kind.
    pub kind: KindId,
    /// Its owner, if the kind is owned.
    pub owner: Option<SeatId>,
    /// The values of its kind's fields, by number.
    pub fields: Fields,
}

/// A field whose value varies from piece to piece.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type: a numbered type, a truth value, or a number.
    pub ty: Ty,
    /// Its value when a piece is put without stating one.
    pub default: i32,
    /// The suffix drawn after the piece's symbol; nothing if empty.
    pub symbol: String,
}

impl Field {
    /// The value of a field that the piece's kind lacks.
    pub const LACKING: i32 = 0;
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name in the rules.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// How it is drawn.
    pub symbol: String,
    /// The class it was declared in, if any.
    pub class: Option<String>,
    /// Whether seats own such pieces.
    pub owned: bool,
    /// The fields that vary from piece to piece.
    pub fields: Vec<Field>,
    /// The attributes of the kind from its table, by column name.
    pub attributes: Vec<(String, Value)>,
    /// Its rule.
    pub rule: RuleId,
    /// Who sees a piece's kind and fields; everybody sees its place.
    pub sight: Sight,
    /// Who sees whose a piece is.
    pub owner_sight: Sight,
    /// The local name of the piece in its sight (`it`).
    pub it: Slot,
}

impl Kind {
    /// Whether anybody may not see what a piece on a board is, or whose.
    #[must_use]
    pub fn hides(&self) -> bool {
        !matches!((&self.sight, &self.owner_sight), (Sight::All, Sight::All))
    }
}

/// Tokens: counted, never told apart.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// Their name in the rules.
    pub name: String,
    /// Their name for people.
    pub title: String,
    /// Whether seats own them; each seat's tokens are then counted separately.
    pub owned: bool,
}
