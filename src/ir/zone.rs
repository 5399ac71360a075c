//! Zones: places for pieces off the boards, and who sees them.

use super::expr::Expr;
use super::piece::Piece;
use super::value::Ty;
use super::{ActionId, Fields, KindId, RuleId, Slot, ZoneId};
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

/// How the pieces of a zone are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneForm {
    /// A stack, the last on top; only the top can be seen.
    Pile,
    /// Side by side, in order.
    Row,
    /// Unordered: kept sorted, so that equal contents are equal values.
    Set,
}

/// A zone: one list of pieces for each combination of its indices.
#[derive(Clone, Debug)]
pub struct Zone {
    /// Its name.
    pub name: String,
    /// What people call it; empty if it has no title.
    pub title: String,
    /// Its indices: their types and how many values each has.
    pub indices: Vec<(Ty, usize)>,
    /// The local names of its indices, used by its sight.
    pub params: Vec<Slot>,
    /// How its pieces are arranged.
    pub form: ZoneForm,
    /// The kinds it may hold; any other kind violates its rule.
    pub kinds: Bits,
    /// The maximum number of pieces.
    pub limit: Option<usize>,
    /// For each of its lists the sites it lies beside; empty if it lies beside none.
    pub beside: Vec<Bits>,
    /// Who sees its pieces.
    pub sight: Sight,
    /// Who sees how many there are, beside those who see all of them.
    pub number_sight: Sight,
    /// Who sees in which order they lie.
    pub order_sight: Sight,
    /// Its rule.
    pub rule: RuleId,
}

/// A zone with its indices.
#[derive(Clone, Debug)]
pub struct ZoneRef {
    /// The number in [`Game::zones`](super::Game).
    pub zone: ZoneId,
    /// Its indices.
    pub at: Vec<Expr>,
}

/// Where pieces come from or go to.
#[derive(Clone, Debug)]
pub enum PieceLocation {
    /// Sites of boards.
    Sites(Expr),
    /// A zone.
    Zone(ZoneRef),
}

/// Which pieces of a zone are moved.
#[derive(Clone, Debug)]
pub enum PieceSelection {
    /// This many from the top.
    Top(Expr),
    /// This many from the bottom.
    Bottom(Expr),
    /// All.
    All,
    /// These, as far as they are there.
    These(Expr),
}

/// When an attentive seat intends to play an action in a race. Not a rule of the game: only bots and simulations use
/// it.
#[derive(Clone, Debug)]
pub struct Cue {
    /// The action.
    pub action: ActionId,
    /// The wait beyond the reaction time, in milliseconds.
    pub wait: i64,
    /// The condition, with the seat as the acting one.
    pub when: Expr,
}

impl Zone {
    /// Who sees its pieces, their number, and their order.
    pub fn sights(&self) -> impl Iterator<Item = &Sight> {
        [&self.sight, &self.number_sight, &self.order_sight].into_iter()
    }
}

impl Piece {
    /// The back of this piece: its owner, and nothing else.
    #[must_use]
    pub fn back(&self) -> Self {
        Self { kind: KindId::HIDDEN, owner: self.owner, fields: Fields::new() }
    }

    /// The same without its owner.
    #[must_use]
    pub fn disowned(self) -> Self {
        Self { owner: None, ..self }
    }

    /// What stands in an observation for all the pieces of which not even the number is seen.
    #[must_use]
    pub fn uncounted() -> Self {
        Self { kind: KindId::UNCOUNTED, owner: None, fields: Fields::new() }
    }

    /// Whether it stands for any number of pieces.
    #[must_use]
    pub fn is_uncounted(&self) -> bool {
        self.kind == KindId::UNCOUNTED
    }

    /// Whether only its back is seen.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.kind == KindId::HIDDEN
    }
}
