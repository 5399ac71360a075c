//! Determinization: sampling a position that looks the same to a viewer.

use std::collections::{BTreeMap, BTreeSet};

use super::seed::Stream;
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{ExprKind, Game, Piece, Sight, Slot, Value, ZoneForm};
use crate::model::{Engine, Position, Viewer};

/// The pieces that a viewer sees from the back only, and their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Hidden {
    /// The pieces by what is seen of them, in an order that does not reveal where they are.
    pieces: Vec<Vec<Piece>>,
    /// For each place, sites before zones, the kind of back there.
    backs: Vec<usize>,
    /// For each place, the kinds that it may hold, if not any of those with its kind of back.
    narrow: Vec<Option<Bits>>,
    /// The observation, which says where they are.
    seen: Option<Position>,
    /// Fields that a secret roll or choice is stored in, by name, with the numbers it may have been.
    secret: Vec<(String, Vec<i32>)>,
}

impl Hidden {
    /// What an observation leaves unknown.
    pub(super) fn of(game: &Game, seen: &Position, position: &Position) -> Self {
        // What is seen of a piece, and what it could be taken for: pieces that are alike in that change places.
        let mixed = mixed(game);
        let back = |seen: &Piece, piece: &Piece| {
            let taken_for = mixed.get(usize::from(piece.kind)).filter(|_| seen.is_hidden()).copied();
            (seen.clone(), taken_for)
        };
        let mut all: Vec<(Piece, (Piece, Option<usize>))> = Vec::new();
        for_hidden(seen, &mut position.clone(), &mut |seen, piece| all.push((piece.clone(), back(seen, piece))));
        let mut kinds: Vec<_> = all.iter().map(|(_, back)| back).collect();
        kinds.sort();
        kinds.dedup();
        let number = |back: &(Piece, Option<usize>)| kinds.partition_point(|kind| *kind < back);
        let backs: Vec<usize> = all.iter().map(|(_, back)| number(back)).collect();
        let mut pieces = vec![Vec::new(); kinds.len()];
        for ((piece, _), &back) in all.iter().cloned().zip(&backs) {
            pieces[back].push(piece);
        }
        for list in &mut pieces {
            list.sort();
        }
        let narrow = limits(game, seen, position).into_iter().zip(&backs).map(|(limit, &back)| {
            let fits = |kinds: &Bits| pieces[back].iter().all(|piece| kinds.contains(usize::from(piece.kind)));
            limit.filter(|kinds| !fits(kinds)).cloned()
        });
        let narrow = narrow.collect();
        Self { pieces, backs, narrow, seen: Some(seen.clone()), secret: secret_fields(game) }
    }

    /// One of the pieces, uniformly at random.
    pub(super) fn any(&self, dice: &mut Stream) -> Option<Piece> {
        let count = self.pieces.iter().map(Vec::len).sum();
        self.pieces.iter().flatten().nth(dice.below(count)).cloned()
    }
}

/// The position with its hidden pieces dealt at random again; each place keeps its kind of back.
pub(super) fn deal_hidden(game: &Game, position: &Position, hidden: &Hidden, dice: &mut Stream) -> Position {
    let mut drawn = position.clone();
    let Some(seen) = &hidden.seen else { return drawn };
    let mut left = hidden.pieces.clone();
    for list in &mut left {
        for end in (1..list.len()).rev() {
            list.swap(end, dice.below(end + 1));
        }
    }
    // Places that take only some of the kinds first.
    let mut dealt: Vec<Option<Piece>> = vec![None; hidden.backs.len()];
    for narrow in [true, false] {
        for ((place, &back), limit) in dealt.iter_mut().zip(&hidden.backs).zip(&hidden.narrow) {
            let Some(list) = left.get_mut(back).filter(|_| limit.is_some() == narrow) else { continue };
            let fits = |piece: &Piece| limit.as_ref().is_none_or(|kinds| kinds.contains(usize::from(piece.kind)));
            *place = match list.iter().rposition(fits) {
                Some(at) => Some(list.remove(at)),
                None => list.pop(),
            };
        }
    }
    let mut next = dealt.into_iter();
    for_hidden(seen, &mut drawn, &mut |back, piece| {
        if let Some(other) = next.next().flatten() {
            *piece = other;
        }
        // Where the kind is seen, so are the fields.
        for (name, numbers) in hidden.secret.iter().filter(|_| back.is_hidden()) {
            let fields = game.kinds.get(piece.kind).map_or(&[][..], |kind| &kind.fields);
            let at = fields.iter().position(|field| field.name == *name);
            if let (Some(field), Some(number)) =
                (at.and_then(|at| piece.fields.get_mut(at)), numbers.get(dice.below(numbers.len())))
            {
                *field = *number;
            }
        }
    });
    for (zone, lists) in game.zones.iter().zip(&mut drawn.zones) {
        if zone.form == ZoneForm::Set {
            for list in lists {
                list.sort();
            }
        }
    }
    drawn
}

/// Samples a position that the viewer cannot tell from this one by sight: pieces seen only from the back change
/// places among places with the same kind of back, and secret rolls stored in fields are rolled again. The sample
/// need not be reachable under the rules, and it does not depend on where the hidden pieces are in this position.
#[must_use]
pub fn determinize(engine: &dyn Engine, position: &Position, viewer: Viewer, dice: &mut Stream) -> Position {
    let seen = engine.explain().observation(position, viewer);
    deal_hidden(engine.game(), position, &Hidden::of(engine.game(), &seen, position), dice)
}

/// The fields of pieces that hold a roll or choice not everybody sees, with its possible numbers.
fn secret_fields(game: &Game) -> Vec<(String, Vec<i32>)> {
    let secret =
        |slot: Slot| game.choices_and_rolls().any(|(name, _, sight)| name == slot && !matches!(sight, Sight::All));
    let mut found: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    for stmt in game.blocks.iter().flat_map(|block| &block.stmts) {
        for (name, value) in stmt.kind.fields() {
            if let Some(slot) = value.as_slot().filter(|slot| secret(*slot)) {
                let number = |value: Value| {
                    if let Value::Int(n) = value { i32::saturating_from(n) } else { i32::saturating_from(value.atom()) }
                };
                let numbers = numbers_of(game, slot).into_iter().map(number);
                found.entry(name).or_default().extend(numbers);
            }
        }
    }
    let sorted = |mut numbers: Vec<i32>| {
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    found.into_iter().map(|(name, numbers)| (name.to_owned(), sorted(numbers))).collect()
}

/// The values a name is chosen or rolled from, where the rules list them.
pub(super) fn numbers_of(game: &Game, slot: Slot) -> Vec<Value> {
    match game.choices_and_rolls().find(|(name, ..)| *name == slot).map(|(_, set, _)| &set.kind) {
        Some(ExprKind::Const(set)) => set.clone().members(),
        Some(ExprKind::Range(a, b)) => match (&a.kind, &b.kind) {
            (ExprKind::Const(Value::Int(a)), ExprKind::Const(Value::Int(b))) => {
                (*a..=*b).take(1000).map(Value::Int).collect()
            }
            (_, _) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// For each kind, what it could be taken for from behind: kinds of one class, kinds that some zone may hold together, and
/// all kinds without a class have the same number.
fn mixed(game: &Game) -> Vec<usize> {
    let mut number: Vec<usize> = (0..game.kinds.len()).collect();
    let mut join = |kinds: &mut dyn Iterator<Item = usize>| {
        let mut first = None;
        for kind in kinds {
            let (one, other) = (number[*first.get_or_insert(kind)], number[kind]);
            for number in &mut number {
                if *number == other {
                    *number = one;
                }
            }
        }
    };
    let classes: BTreeSet<Option<&str>> = game.kinds.iter().map(|kind| kind.class.as_deref()).collect();
    for class in classes {
        let alike = game.kinds.iter().enumerate().filter(|(_, kind)| kind.class.as_deref() == class);
        join(&mut alike.map(|(number, _)| number));
    }
    for zone in &game.zones {
        join(&mut zone.kinds.iter());
    }
    number
}

/// The kinds that the places may hold whose pieces an observation does not show; none for sites, which may hold any.
fn limits<'g>(game: &'g Game, seen: &Position, position: &Position) -> Vec<Option<&'g Bits>> {
    let differs = |(seen, piece): (&Piece, &Piece)| seen.is_hidden() || seen != piece;
    let sites = seen.sites.iter().zip(&position.sites);
    let sites = sites.filter(|(seen, piece)| seen.as_ref().zip(piece.as_ref()).is_some_and(differs));
    let mut found: Vec<Option<&Bits>> = sites.map(|_| None).collect();
    for (zone, (seen, lists)) in game.zones.iter().zip(seen.zones.iter().zip(&position.zones)) {
        let pieces = seen.iter().flatten().zip(lists.iter().flatten());
        found.extend(pieces.filter(|pair| differs(*pair)).map(|_| Some(&zone.kinds)));
    }
    found
}

/// Visits the pieces of a position that an observation does not show as they are, with what it shows.
fn for_hidden(seen: &Position, position: &mut Position, each: &mut dyn FnMut(&Piece, &mut Piece)) {
    for (seen, piece) in seen.sites.iter().zip(&mut position.sites) {
        if let (Some(seen), Some(piece)) = (seen, piece)
            && (seen.is_hidden() || *seen != *piece)
        {
            each(seen, piece);
        }
    }
    for (seen, lists) in seen.zones.iter().flatten().zip(position.zones.iter_mut().flatten()) {
        for (seen, piece) in seen.iter().zip(lists) {
            if seen.is_hidden() || *seen != *piece {
                each(seen, piece);
            }
        }
    }
}
