//! Keys of positions: the exclusive or of independent 64-bit components, so that one can be exchanged without looking
//! at the others (Zobrist hashing, 1970).
//!
//! Each component is a well-mixed number. The component of nothing (no piece, no tokens, an empty set) is 0.

use smallvec::SmallVec;

use super::position::{Ask, EndMoment, Frame, Position, Standing, StmtRef, TurnStage};
use crate::base::{SaturatingFrom, optional};
use crate::ir::{ActionRef, Game, Liveness, PartId, PhaseId, Piece, SeatId, Slot, Value, VarId, ZoneId};

/// Spreads a number over 64 bits (the finaliser of `SplitMix64`, Steele et al. 2014).
#[must_use]
pub const fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// The component for value `n` at a place of one sort.
fn part(sort: u64, place: usize, n: u64) -> u64 {
    mix(n ^ mix((place as u64) << 3 | sort))
}

/// The digest of a piece, independent of where it is.
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

/// A piece in a zone: `list` numbers the lists of all zones consecutively.
#[must_use]
pub fn zone_key(list: usize, place: usize, digest: u64) -> u64 {
    part(3, list << 24 | place, digest)
}

/// A number held by a variable: `cell` numbers the values of all variables consecutively.
#[must_use]
pub fn number_key(cell: usize, n: i64) -> u64 {
    part(4, cell, n.cast_unsigned())
}

/// A member of a set held by a variable.
#[must_use]
pub fn member_key(cell: usize, n: i64) -> u64 {
    part(5, cell, n.cast_unsigned())
}

/// A piece held by a variable, alone or in a set, by its digest.
#[must_use]
pub fn held_key(cell: usize, digest: u64) -> u64 {
    part(6, cell, digest)
}

/// The mover, the phase, and which seats still play.
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
        // Nothing to hash: the checker allows no variables that hold moves.
        Value::Unset | Value::Move(_) | Value::Moves(_) => 0,
    }
}

/// The initial key of a part: its number, and the mover if the part includes it.
#[must_use]
pub fn part_seed(number: PartId, mover: Option<SeatId>) -> u64 {
    part(0, 2, u64::from(number) << 8 | optional(mover))
}

/// Whether the program is within a move; `control` is the control stack from its top.
#[must_use]
pub fn is_moving<'f>(control: impl Iterator<Item = &'f Frame>, ask: &Ask) -> bool {
    // A move being chosen already has its `Played` frame; only one below it means that a move is under way.
    let mut asked = usize::from(matches!(ask, Ask::Choose { .. }));
    for frame in control {
        match frame {
            Frame::Played(_) if asked > 0 => asked = 0,
            Frame::Played(_) => return true,
            Frame::Actor(_) | Frame::Ends(..) | Frame::Turns(..) | Frame::Together(..) | Frame::Ask(_) => return false,
            Frame::Block(..)
            | Frame::While(_)
            | Frame::Repeat(..)
            | Frame::Each(..)
            | Frame::Phase(_)
            | Frame::Shuffle(..) => {}
        }
    }
    false
}

/// A hash of the control stack and of what is asked, absorbed word by word in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct ControlHash(u64);

impl ControlHash {
    /// Starts from what is asked, who acts, and which seat was given the next turn.
    #[must_use]
    pub fn new(ask: &Ask, actor: Option<SeatId>, next_mover: Option<SeatId>) -> Self {
        let mut hash = Self::default();
        hash.ask(ask);
        hash.add(optional(actor) << 8 | optional(next_mover));
        hash
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn at(&mut self, sort: u64, (block, number): StmtRef) {
        self.add(sort << 32 | u64::from(block) << 16 | u64::from(number));
    }

    fn ask(&mut self, ask: &Ask) {
        match ask {
            Ask::Choose { seat, at } => self.at(1 | u64::from(*seat) << 8, *at),
            Ask::Pick { seat, at } => self.at(2 | u64::from(*seat) << 8, *at),
            Ask::Race { at } => self.at(3, *at),
            Ask::Chance { at } => self.at(4, *at),
            Ask::Over => self.add(0),
        }
    }

    /// Absorbs the next frame.
    pub fn frame(&mut self, frame: &Frame) {
        match frame {
            Frame::Block(block, next) => self.at(5, (*block, *next)),
            Frame::While(at) => self.at(6, *at),
            Frame::Repeat(at, left) => {
                self.at(7, *at);
                self.add(u64::from(*left));
            }
            Frame::Each(at, left) => {
                self.at(8, *at);
                self.add(left.len() as u64);
                for member in left {
                    self.add(value_key(0, member));
                }
            }
            Frame::Turns(at, stage) => self.at(
                match stage {
                    TurnStage::Begin => 9,
                    TurnStage::Body => 10,
                    TurnStage::End => 11,
                    TurnStage::Pass => 12,
                },
                *at,
            ),
            Frame::Phase(before) => self.add(13 << 32 | optional(*before)),
            Frame::Played(before) => self.add(14 << 32 | optional(*before)),
            Frame::Actor(before) => self.add(15 << 32 | optional(*before)),
            Frame::Ends(moment, number) => {
                let sort = match moment {
                    EndMoment::BeforeTurn => 16,
                    EndMoment::AfterMove => 17,
                    EndMoment::AfterTurn => 18,
                };
                self.add(sort << 32 | u64::from(*number));
            }
            Frame::Shuffle(at, left) => {
                self.at(19, *at);
                self.add(u64::from(*left));
            }
            Frame::Together(at, left, chosen) => {
                self.at(20, *at);
                for &seat in left {
                    self.add(u64::from(seat));
                }
                self.add(chosen.len() as u64);
                for (seat, mv) in chosen {
                    let action = match mv.action {
                        ActionRef::Action(number) => u64::from(number),
                        ActionRef::Race(number) => 1 << 16 | u64::from(number),
                        ActionRef::Wait => 2 << 16,
                        ActionRef::Pass => 3 << 16,
                        ActionRef::Decline => 4 << 16,
                        ActionRef::Pick => 5 << 16,
                    };
                    self.add(u64::from(*seat) << 32 | action);
                    mv.args.iter().for_each(|arg| self.add(value_key(0, arg)));
                }
            }
            Frame::Ask(ask) => {
                self.add(21 << 32);
                self.ask(ask);
            }
        }
    }

    /// Absorbs a live local name.
    pub fn name(&mut self, slot: Slot, value: &Value) {
        self.add(u64::from(slot));
        self.add(value_key(0, value));
    }

    /// The component of the key for all that was absorbed.
    #[must_use]
    pub fn key(self) -> u64 {
        part(0, 1, self.0)
    }
}

impl Frame {
    /// The local names that are read when the construct resumes.
    #[must_use]
    pub fn reads<'g>(&self, liveness: &'g Liveness) -> &'g [Slot] {
        match self {
            Self::Repeat(_, 0)
            | Self::Shuffle(..)
            | Self::Together(..)
            | Self::Phase(_)
            | Self::Played(_)
            | Self::Actor(_)
            | Self::Ends(..)
            | Self::Ask(_) => &[],
            Self::Each(_, left) if left.is_empty() => &[],
            Self::Block(block, next) => liveness.from(*block, *next),
            Self::While(at) | Self::Repeat(at, _) | Self::Each(at, _) | Self::Turns(at, _) => liveness.again(*at),
        }
    }
}

impl Ask {
    /// The local names that the offered answers depend on.
    #[must_use]
    pub fn reads<'g>(&self, liveness: &'g Liveness) -> &'g [Slot] {
        match self {
            Self::Pick { at, .. } | Self::Race { at } | Self::Chance { at } => liveness.again(*at),
            Self::Choose { .. } | Self::Over => &[],
        }
    }
}

impl Position {
    /// Adds this position to its own history.
    pub fn remember(&mut self, game: &Game) {
        let (key, parts) = (self.key(game), self.part_keys(game));
        self.history.push(self.ply, key, parts);
    }

    /// The keys of the separately counted parts; 0 within a move, when they are not yet settled.
    #[must_use]
    pub fn part_keys(&self, game: &Game) -> SmallVec<[u64; 1]> {
        let moving = is_moving(self.control.iter().rev(), &self.ask);
        game.parts.ids().map(|part| if moving { 0 } else { self.part_key(game, part) }).collect()
    }

    /// The key of a part by its number.
    #[must_use]
    pub fn part_key(&self, game: &Game, number: PartId) -> u64 {
        let Some(counted) = game.parts.get(number) else { return 0 };
        part_seed(number, counted.mover.then_some(self.mover))
            ^ self.table_key(
                game,
                |site| counted.sites.contains(site),
                |zone| counted.zones.contains(&zone),
                |var| counted.vars.contains(&var),
            )
    }

    /// The key of the contents of some sites and zones and the values of some variables.
    fn table_key(
        &self,
        game: &Game,
        sites: impl Fn(usize) -> bool,
        zones: impl Fn(ZoneId) -> bool,
        vars: impl Fn(VarId) -> bool,
    ) -> u64 {
        let mut key = 0;
        for (site, piece) in self.sites.iter().enumerate() {
            if let Some(piece) = piece
                && sites(site)
            {
                key ^= piece_key(site, piece_digest(piece));
            }
        }
        for (pool, counts) in self.tokens.iter().enumerate() {
            for (site, &count) in counts.iter().enumerate().filter(|(site, _)| sites(*site)) {
                key ^= token_key(pool, site, count);
            }
        }
        let lists =
            game.zones.ids().zip(&self.zones).flat_map(|(zone, lists)| lists.iter().map(move |list| (zone, list)));
        for (list, (_, pieces)) in lists.enumerate().filter(|(_, (zone, _))| zones(*zone)) {
            for (place, piece) in pieces.iter().enumerate() {
                key ^= zone_key(list, place, piece_digest(piece));
            }
        }
        let cells =
            game.vars.ids().zip(&self.vars).flat_map(|(var, values)| values.iter().map(move |value| (var, value)));
        for (cell, (_, value)) in cells.enumerate().filter(|(_, (var, _))| vars(*var)) {
            key ^= value_key(cell, value);
        }
        key
    }

    /// The number of plies, including one being made.
    #[must_use]
    pub fn plies_begun(&self) -> u32 {
        self.ply.saturating_add(u32::from(is_moving(self.control.iter().rev(), &self.ask)))
    }

    /// The key for repetition: pieces, tokens, variables that are not records, the mover, the phase, which seats
    /// play, which seat is asked what, and the control stack with its live local names. Offers do not count, nor do
    /// counters that only increase.
    #[must_use]
    pub fn key(&self, game: &Game) -> u64 {
        let mut hash = ControlHash::new(&self.ask, self.actor, self.next_mover);
        self.control.iter().for_each(|frame| hash.frame(frame));
        let frames = self.control.iter().flat_map(|frame| frame.reads(&game.liveness));
        for &slot in frames.chain(self.ask.reads(&game.liveness)) {
            hash.name(slot, self.locals.get(usize::from(slot)).unwrap_or(&Value::Unset));
        }
        let record = |var| game.vars.get(var).is_some_and(|info| info.record);
        turn_key(self.mover, self.phase, &self.standing)
            ^ hash.key()
            ^ self.table_key(game, |_| true, |_| true, |var| !record(var))
    }
}
