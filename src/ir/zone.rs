//! Zones: places for pieces off the boards, and who sees what.

use super::expr::Expr;
use super::piece::Piece;
use super::value::Ty;
use super::{ActionId, KindId, RuleId, Slot, ZoneId};
use crate::base::Bits;

/// Who sees pieces or a value.
#[derive(Clone, Debug, Default)]
pub enum Sight {
    /// Everybody, spectators included.
    #[default]
    All,
    /// Nobody.
    Nobody,
    /// The seats of a set; spectators see what all seats see.
    Seats(Expr),
}

/// How the pieces of a zone lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneForm {
    /// One on the other, the last on top; only the top can be seen.
    Pile,
    /// Side by side in order.
    Row,
    /// Without order: kept sorted, so that equal contents are equal values.
    Set,
}

/// A zone: one list of pieces for each combination of its indices.
#[derive(Clone, Debug)]
pub struct Zone {
    /// Its name.
    pub name: String,
    /// Its indices: their types and how many values each has.
    pub indices: Vec<(Ty, usize)>,
    /// The local names of its indices, for its sight.
    pub params: Vec<Slot>,
    /// How its pieces lie.
    pub form: ZoneForm,
    /// The kinds it may hold; whatever else lies there breaks its rule.
    pub kinds: Bits,
    /// At most this many pieces may lie there.
    pub limit: Option<usize>,
    /// Who sees them.
    pub sight: Sight,
    /// Its rule.
    pub rule: RuleId,
}

/// A zone by number, with its indices.
#[derive(Clone, Debug)]
pub struct ZoneRef {
    /// The number in [`Game::zones`](super::Game).
    pub zone: ZoneId,
    /// Its indices.
    pub at: Vec<Expr>,
}

/// Where pieces come from or go.
#[derive(Clone, Debug)]
pub enum Spot {
    /// Sites of boards.
    Sites(Expr),
    /// A zone.
    Zone(ZoneRef),
}

/// Which pieces of a zone are meant.
#[derive(Clone, Debug)]
pub enum Packet {
    /// So many from the top.
    Top(Expr),
    /// So many from the bottom.
    Bottom(Expr),
    /// All.
    All,
    /// These, as far as they lie there.
    These(Expr),
}

/// When an attentive seat means to play an action in a race. No rule of the
/// game: bots and simulations use it.
#[derive(Clone, Debug)]
pub struct Cue {
    /// The action.
    pub action: ActionId,
    /// How many milliseconds it waits beyond its reaction time.
    pub wait: i64,
    /// The condition, asked for the seat as the one that acts.
    pub when: Expr,
}

impl Piece {
    /// The back of this piece: whose it is, and nothing more.
    #[must_use]
    pub fn back(&self) -> Self {
        Self { kind: KindId::HIDDEN, owner: self.owner, fields: smallvec::SmallVec::new() }
    }

    /// Whether only its back is seen.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.kind == KindId::HIDDEN
    }
}
