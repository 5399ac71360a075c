//! Ids: a separate numeric type for each sort of entity of a game, so that they cannot be confused, with a single
//! place that constructs each.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::base::SaturatingFrom;

/// The number of an entry of an [`Arena`](super::Arena).
pub trait Id: Copy {
    /// The number that names nothing.
    const NOTHING: Self;

    /// The number of the entry at an index; none if the index is too great to be numbered.
    fn at(index: usize) -> Option<Self>;

    /// The index.
    fn index(self) -> usize;
}

macro_rules! numbers {
    ($name:ident: $($number:ty),*) => {$(
        impl From<$name> for $number {
            #[inline]
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }
    )*};
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name($number);

        impl Id for $name {
            const NOTHING: Self = Self(<$number>::MAX);

            #[inline]
            fn at(index: usize) -> Option<Self> {
                <$number>::try_from(index).ok().map(Self).filter(|&id| id != Self::NOTHING)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(number: &str) -> Result<Self, ParseIntError> {
                number.parse().map(Self)
            }
        }

        impl From<$name> for usize {
            #[inline]
            fn from(id: $name) -> Self {
                id.index()
            }
        }

        numbers! { $name: u32, u64, i64 }
    )*};
}

ids! {
    /// A seat, in [`Game::seats`](super::Game::seats). There are at most 64.
    SeatId(u8);
    /// An enumeration, in [`Game::enums`](super::Game::enums).
    EnumId(u16);
    /// A kind of piece, in [`Game::kinds`](super::Game::kinds).
    KindId(u16);
    /// Counted tokens, in [`Game::tokens`](super::Game::tokens).
    TokenId(u16);
    /// A zone, in [`Game::zones`](super::Game::zones).
    ZoneId(u16);
    /// A variable, in [`Game::vars`](super::Game::vars).
    VarId(u16);
    /// A local name, in [`Game::slots`](super::Game::slots): the slot that holds its value.
    Slot(u16);
    /// A definition, in [`Game::functions`](super::Game::functions).
    FnId(u16);
    /// A path, in [`Game::paths`](super::Game::paths).
    PathId(u16);
    /// A table of values, in [`Game::lookups`](super::Game::lookups).
    TableId(u16);
    /// A block of statements, in [`Game::blocks`](super::Game::blocks).
    BlockId(u16);
    /// A separately counted part of positions, in [`Game::parts`](super::Game::parts).
    PartId(u16);
    /// An action, in [`Game::actions`](super::Game::actions).
    ActionId(u16);
    /// A claim, in [`Game::claims`](super::Game::claims).
    ClaimId(u16);
    /// An offer, in [`Game::offers`](super::Game::offers).
    OfferId(u16);
    /// A phase, in [`Game::phases`](super::Game::phases).
    PhaseId(u16);
    /// A rule that a verdict can name, in [`Game::rules`](super::Game::rules).
    RuleId(u32);
}

impl SeatId {
    /// The first seat.
    pub const FIRST: Self = Self(0);

    /// The seat with a number from 0. Too great a number becomes the greatest, which no seat has, so that it still
    /// names nothing.
    #[inline]
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self(u8::saturating_from(n))
    }

    /// The seats of a game for this many players, in order.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..u8::saturating_from(players)).map(Self)
    }
}

impl KindId {
    /// The kind of a piece seen only from the back; it occurs in observations only.
    pub const HIDDEN: Self = Self(u16::MAX);

    /// The kind of what stands for pieces that are not even counted; it occurs in observations only.
    pub const UNCOUNTED: Self = Self(u16::MAX - 1);
}

impl BlockId {
    /// The first block.
    pub const FIRST: Self = Self(0);
}

impl RuleId {
    /// The game itself, rule number 0.
    pub const GAME: Self = Self(0);
}
