//! Keys of positions: the exclusive or of independent 64-bit parts, so that a part can be
//! exchanged without looking at the others (after Zobrist, 1970).
//!
//! Each part is a well-mixed number. Parts for nothing (no piece, no tokens, an empty set)
//! are 0.

use super::position::{Position, Standing};
use crate::base::{SaturatingFrom, optional};
use crate::ir::{PhaseId, Piece, SeatId, Value};

/// Spreads a number over 64 bits (the finaliser of `SplitMix64`, Steele et al. 2014).
#[must_use]
pub const fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// A number's part for one kind of place.
fn part(sort: u64, place: usize, n: u64) -> u64 {
    mix(n ^ mix((place as u64) << 3 | sort))
}

/// What a piece counts as, wherever it is.
#[must_use]
pub fn piece_digest(piece: &Piece) -> u64 {
    let owner = optional(piece.owner);
    let first = mix(u64::from(piece.kind) << 16 | owner);
    piece.fields.iter().fold(first, |digest, &field| mix(digest ^ u64::from(field.cast_unsigned())))
}

/// A piece on a site, by its digest.
#[must_use]
pub fn piece_key(site: usize, digest: u64) -> u64 {
    part(1, site, digest)
}

/// Tokens of a pool on a site.
#[must_use]
pub fn token_key(pool: usize, site: usize, count: u32) -> u64 {
    if count == 0 { 0 } else { part(2, pool << 16 | site, u64::from(count)) }
}

/// A piece in a zone: `list` counts the lists of all zones.
#[must_use]
pub fn zone_key(list: usize, place: usize, digest: u64) -> u64 {
    part(3, list << 24 | place, digest)
}

/// A number that a variable holds: `cell` counts the values of all variables.
#[must_use]
pub fn number_key(cell: usize, n: i64) -> u64 {
    part(4, cell, n.cast_unsigned())
}

/// A member of a set that a variable holds.
#[must_use]
pub fn member_key(cell: usize, n: i64) -> u64 {
    part(5, cell, n.cast_unsigned())
}

/// A piece that a variable holds, alone or in a set, by its digest.
#[must_use]
pub fn held_key(cell: usize, digest: u64) -> u64 {
    part(6, cell, digest)
}

/// Whose turn it is, the phase, and who plays.
#[must_use]
pub fn turn_key(mover: SeatId, phase: Option<PhaseId>, standing: &[Standing]) -> u64 {
    let first = mix(u64::from(mover) << 32 | optional(phase));
    standing.iter().fold(part(7, 0, first), |key, standing| {
        let rank = match standing {
            Standing::Playing => 0,
            Standing::Ranked(rank) => u64::from(*rank) + 1,
        };
        mix(key ^ rank)
    })
}

fn value_key(cell: usize, value: &Value) -> u64 {
    match value {
        Value::Int(n) => number_key(cell, *n),
        Value::Bool(b) => number_key(cell, i64::from(*b)),
        Value::Atom(n) => number_key(cell, i64::from(*n)),
        Value::Piece(piece) => held_key(cell, piece_digest(piece)),
        Value::Set(bits) => bits.iter().fold(0, |key, n| key ^ member_key(cell, i64::saturating_from(n))),
        Value::Ints(list) => list.iter().fold(0, |key, &n| key ^ member_key(cell, n)),
        Value::Pieces(list) => list.iter().fold(0, |key, piece| mix(key ^ held_key(cell, piece_digest(piece)))),
        Value::Way(way) => part(0, cell, u64::from(way.to)) ^ way.taken.iter().fold(0, |k, n| k ^ part(0, n, 1)),
        Value::Ways(ways) => ways.iter().fold(0, |key, way| {
            way.taken.iter().fold(mix(key ^ part(0, cell, u64::from(way.to))), |k, n| k ^ part(0, n, 1))
        }),
        // Nothing; and the checker allows no variables for moves.
        Value::Unset | Value::Move(_) | Value::Moves(_) => 0,
    }
}

impl Position {
    /// What counts when positions are compared for repetition: pieces, tokens,
    /// variables that are not records, whose turn it is, the phase and who plays.
    /// `records` tells which variables to leave out.
    #[must_use]
    pub fn key(&self, records: impl Fn(usize) -> bool) -> u64 {
        self.key_with(self.mover, records)
    }

    /// The same as if it were another seat's turn.
    #[must_use]
    pub fn key_with(&self, mover: SeatId, records: impl Fn(usize) -> bool) -> u64 {
        let mut key = turn_key(mover, self.phase, &self.standing);
        for (site, piece) in self.sites.iter().enumerate() {
            if let Some(piece) = piece {
                key ^= piece_key(site, piece_digest(piece));
            }
        }
        for (pool, counts) in self.tokens.iter().enumerate() {
            for (site, &count) in counts.iter().enumerate() {
                key ^= token_key(pool, site, count);
            }
        }
        for (list, pieces) in self.zones.iter().flatten().enumerate() {
            for (place, piece) in pieces.iter().enumerate() {
                key ^= zone_key(list, place, piece_digest(piece));
            }
        }
        let mut cell = 0;
        for (var, values) in self.vars.iter().enumerate() {
            for value in values {
                if !records(var) {
                    key ^= value_key(cell, value);
                }
                cell += 1;
            }
        }
        key
    }
}
