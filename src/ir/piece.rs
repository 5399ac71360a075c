//! Pieces and tokens.

use smallvec::SmallVec;

use super::value::{Ty, Value};
use super::zone::Sight;
use super::{KindId, RuleId, SeatId, Slot};

/// A piece: pieces of the same kind, owner and fields are the same piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Its kind.
    pub kind: KindId,
    /// Its owner, if seats own such pieces.
    pub owner: Option<SeatId>,
    /// The values of its kind's fields, by number.
    pub fields: SmallVec<[i32; 4]>,
}

/// A field that varies from piece to piece.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type: a numbered type, a truth value, or a number.
    pub ty: Ty,
    /// Its value when a piece is put without saying it.
    pub default: i32,
    /// How it is drawn behind the piece's symbol; not at all when empty.
    pub symbol: String,
}

impl Field {
    /// What a piece has in a field that its kind lacks.
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
    /// The class it was declared in with others, if any.
    pub class: Option<String>,
    /// Whether seats own such pieces.
    pub owned: bool,
    /// What varies from piece to piece.
    pub fields: Vec<Field>,
    /// The attributes of the kind from its table, by column name.
    pub attributes: Vec<(String, Value)>,
    /// The rule that declares it.
    pub rule: RuleId,
    /// Who sees which kind a piece is and its fields; its place and owner are seen.
    pub sight: Sight,
    /// The local name of the piece in its sight (`it`).
    pub it: Slot,
}

/// Tokens that are counted, not told apart.
#[derive(Clone, Debug)]
pub struct Tokens {
    /// Their name in the rules.
    pub name: String,
    /// Their name for people.
    pub title: String,
    /// Whether seats own them; then each seat's are counted apart.
    pub owned: bool,
}
