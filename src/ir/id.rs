//! Numbers that name the things of a game: one type for each sort of thing, so that none
//! is taken for another, and one place where each is made.
//!
//! A number that is too great for its type becomes the greatest one, which nothing has: what
//! names nothing goes on naming nothing.

use serde::{Deserialize, Serialize};

use crate::base::SaturatingFrom;

/// The number of a seat in [`Game::seats`](super::Game::seats). There are at most 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatId(u8);

impl SeatId {
    /// The first seat.
    pub const FIRST: Self = Self(0);

    /// The seat with a number from 0.
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

macro_rules! number_of {
    ($id:ident, $($number:ty),*) => {$(
        impl From<$id> for $number {
            #[inline]
            fn from(id: $id) -> Self {
                id.0.into()
            }
        }
    )*};
}

number_of!(SeatId, usize, u32, u64, i32, i64);
