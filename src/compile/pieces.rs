//! All pieces a game can have, numbered.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use smallvec::SmallVec;

use crate::base::{SaturatingFrom, get_or_default};

use super::range::{self, Range};
use super::{Gap, Unlowered};
use crate::ir::{Field, Game, Kind, KindId, Piece, RuleId, SeatId, Ty};

/// The maximum number of pieces that are numbered.
const MOST: usize = 16_384;

/// All pieces a game can have, numbered from 1 in their order; 0 is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    /// The pieces; index 0 stands for none.
    all: Vec<Option<Piece>>,
    /// The piece of each kind and owner (none first, then by seat) with default fields.
    made: Vec<u16>,
    /// How many owners `made` distinguishes.
    owners: usize,
    /// The fields of all kinds by name.
    fields: Vec<Changes>,
}

/// What each piece becomes when a field is set.
#[derive(Clone, Debug)]
struct Changes {
    name: String,
    /// The field's lowest value.
    low: i64,
    /// How many values it has.
    size: usize,
    /// For each piece, the one whose field has the lowest value, and how far the next value is from it.
    steps: Vec<(u16, u16)>,
}

impl Pieces {
    /// Numbers the pieces of a game.
    ///
    /// # Errors
    /// When there are too many, or infinitely many.
    pub(crate) fn of(game: &Game) -> Result<Self, Unlowered> {
        let seats = game.seats.len();
        let numbers = range::of_fields(game);
        let mut all = Vec::new();
        for (kind, info) in game.kinds.numbered() {
            let nobody = std::iter::once(None);
            let owners: Vec<Option<SeatId>> = if info.owned {
                nobody.chain((0..seats).map(SeatId::new).map(Some)).collect()
            } else {
                nobody.collect()
            };
            let at = |Gap(what)| Unlowered { what, rule: info.rule };
            for owner in owners {
                for fields in combinations(game, &numbers, info).map_err(at)? {
                    all.push(Some(Piece { kind, owner, fields: fields.into_iter().collect() }));
                    if all.len() > MOST {
                        return Err(at(Gap("more than 16384 different pieces")));
                    }
                }
            }
        }
        all.sort();
        all.insert(0, None);
        let mut pieces = Self { all, made: Vec::new(), owners: seats + 1, fields: Vec::new() };
        pieces.fill(game, &numbers)?;
        Ok(pieces)
    }

    fn fill(&mut self, game: &Game, numbers: &Numbers<'_>) -> Result<(), Unlowered> {
        for (number, kind) in game.kinds.numbered() {
            for owner in 0..self.owners {
                let owner = owner.checked_sub(1).filter(|_| kind.owned).map(SeatId::new);
                let fields = kind.fields.iter().map(|field| field.default).collect();
                let piece = Piece { kind: number, owner, fields };
                let made = self.number(Some(&piece));
                self.made
                    .push(made.ok_or(Unlowered { what: "a field whose default is no value of it", rule: kind.rule })?);
            }
        }
        // For each field, in the order in which they first occur, its first kind, and what it is in the kinds that have it.
        let mut strides: IndexMap<&str, (RuleId, Vec<Stride>)> = IndexMap::new();
        for (number, kind) in game.kinds.numbered() {
            let at = |Gap(what)| Unlowered { what, rule: kind.rule };
            let mut stride = 1;
            let mut all = Vec::with_capacity(kind.fields.len());
            for (place, field) in kind.fields.iter().enumerate().rev() {
                let of = values(game, numbers, field).map_err(at)?;
                all.push((field, Stride { kind: number, place, of, apart: stride }));
                stride *= of.1;
            }
            for (field, stride) in all.into_iter().rev() {
                strides.entry(&field.name).or_insert_with(|| (kind.rule, Vec::new())).1.push(stride);
            }
        }
        for (name, (rule, strides)) in strides {
            let changes = self.changes(name, game.kinds.len(), &strides);
            self.fields.push(changes.map_err(|Gap(what)| Unlowered { what, rule })?);
        }
        Ok(())
    }

    /// All combinations of the other fields stand together, in order, so that each step of a field leads as far on as the
    /// fields behind it have combinations.
    fn changes(&self, name: &str, kinds: usize, strides: &[Stride]) -> Result<Changes, Gap> {
        let Some(&Stride { of: (low, size), .. }) = strides.first() else { return Err(Gap("a field of no kind")) };
        if strides.iter().any(|stride| stride.of != (low, size)) {
            return Err(Gap("a field that kinds give different types"));
        }
        // For each kind, the place of the field and how far its values are apart.
        let mut by_kind = vec![None; kinds];
        for stride in strides {
            by_kind[usize::from(stride.kind)] = Some((stride.place, stride.apart));
        }
        let step = |(number, piece): (usize, &Option<Piece>)| {
            let found = piece.as_ref().and_then(|piece| Some((piece, by_kind.get(usize::from(piece.kind)).copied()??)));
            let (first, stride) = match found {
                Some((piece, (at, stride))) => {
                    let value = usize::saturating_from(i64::from(piece.fields[at]).saturating_sub(low));
                    (number.saturating_sub(value * stride), stride)
                }
                None => (number, 0),
            };
            (u16::saturating_from(first), u16::saturating_from(stride))
        };
        let steps = self.all.iter().enumerate().map(step).collect();
        Ok(Changes { name: name.to_owned(), low, size, steps })
    }

    /// How many numbers there are, including that of no piece.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The piece with a number.
    #[must_use]
    pub(crate) fn get(&self, number: usize) -> Option<&Piece> {
        self.all.get(number)?.as_ref()
    }

    /// The number of a piece; none for a piece the game cannot have.
    #[must_use]
    pub(crate) fn number(&self, piece: Option<&Piece>) -> Option<u16> {
        let Some(piece) = piece else { return Some(0) };
        let at = self.all.binary_search_by(|there| there.as_ref().cmp(&Some(piece))).ok()?;
        u16::try_from(at).ok()
    }

    /// The number of a field.
    #[must_use]
    pub(crate) fn field(&self, name: &str) -> Option<u16> {
        let at = self.fields.iter().position(|field| field.name == name)?;
        u16::try_from(at).ok()
    }

    /// The piece of a kind and an owner with default fields.
    #[must_use]
    pub(crate) fn made(&self, kind: usize, owner: Option<usize>) -> u16 {
        let owner = match owner {
            Some(seat) => seat.saturating_add(1),
            None => 0,
        };
        get_or_default(&self.made, kind.saturating_mul(self.owners).saturating_add(owner))
    }

    /// The lowest value of a field, and how many it has.
    #[cfg(feature = "module")]
    #[must_use]
    pub(crate) fn range_of(&self, field: u16) -> Option<(i64, usize)> {
        self.fields.get(usize::from(field)).map(|changes| (changes.low, changes.size))
    }

    /// What a piece becomes when a field is set.
    #[inline]
    #[must_use]
    pub(crate) fn changed(&self, piece: u16, field: u16, value: i64) -> u16 {
        let Some(changes) = self.fields.get(usize::from(field)) else { return piece };
        let value = usize::try_from(value.saturating_sub(changes.low)).ok();
        let Some(value) = value.filter(|&value| value < changes.size) else { return piece };
        let step = changes.steps.get(usize::from(piece));
        step.map_or(piece, |&(first, stride)| u16::saturating_from(usize::from(first) + value * usize::from(stride)))
    }
}

/// A field of a kind: its place among the fields, its lowest value and how many it has, and how far these are apart.
#[derive(Clone, Copy, Debug)]
struct Stride {
    kind: KindId,
    place: usize,
    of: (i64, usize),
    apart: usize,
}

/// The numbers that fields can hold.
type Numbers<'g> = BTreeMap<&'g str, Range>;

/// The lowest value of a field, and the number of its values.
fn values(game: &Game, numbers: &Numbers<'_>, field: &Field) -> Result<(i64, usize), Gap> {
    const UNBOUNDED: Gap = Gap("a field of pieces that holds any number");
    if field.ty != Ty::Int {
        return domain(game, &field.ty).map(|size| (0, size)).ok_or(UNBOUNDED);
    }
    let &(low, high) = numbers.get(field.name.as_str()).ok_or(UNBOUNDED)?;
    let size = usize::saturating_from(high.saturating_sub(low)).saturating_add(1);
    if size <= MOST && i32::try_from(low).is_ok() && i32::try_from(high).is_ok() {
        Ok((low, size))
    } else {
        Err(UNBOUNDED)
    }
}

/// The number of values of a type, if they are numbered.
pub(super) fn domain(game: &Game, ty: &Ty) -> Option<usize> {
    match ty {
        Ty::Bool => Some(2),
        Ty::Seat => Some(game.seats.len()),
        Ty::Site => Some(game.topology.sites.len()),
        Ty::Dir => Some(game.topology.directions.len()),
        Ty::Kind => Some(game.kinds.len()),
        Ty::Enum(number) => game.enums.get(*number).map(|info| info.members.len()),
        Ty::Int | Ty::Piece | Ty::Way | Ty::Move | Ty::Set(_) => None,
    }
}

/// Every combination of field values of a kind.
fn combinations(game: &Game, numbers: &Numbers<'_>, kind: &Kind) -> Result<Vec<SmallVec<[i32; 4]>>, Gap> {
    let mut all = vec![SmallVec::new()];
    for field in &kind.fields {
        let (low, size) = values(game, numbers, field)?;
        if all.len() * size > MOST {
            return Err(Gap("more than 16384 different pieces"));
        }
        all = all
            .into_iter()
            .flat_map(|fields| {
                (0..size).map(move |value| {
                    let mut fields: SmallVec<[i32; 4]> = fields.clone();
                    fields.push(i32::saturating_from(low + i64::saturating_from(value)));
                    fields
                })
            })
            .collect();
    }
    Ok(all)
}
