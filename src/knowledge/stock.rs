//! What may lie where: the kinds of piece that the rules bring to a place, and whether such pieces may differ there in fields by
//! which it is decided who sees them.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::Bits;
use crate::ir::{Expr, ExprKind, Field, Game, Kind, PieceExpr, Sight, StmtKind, Value, ZoneId};

use super::course::place;
use super::pieces::marks;

/// A zone, or the boards.
type Place = Option<ZoneId>;

/// The value of a field on all pieces of a kind in a place; none if it may differ from piece to piece.
type Worth = Option<i32>;

/// What may lie in each place, in whatever order the statements of a game run.
#[derive(Debug, Default)]
pub(super) struct Stock {
    kinds: BTreeMap<Place, Bits>,
    /// By kind and field.
    fields: BTreeMap<Place, BTreeMap<(usize, usize), Worth>>,
    /// How many fields of kinds were looked at.
    pub(super) steps: u64,
}

/// No more fields than these are looked at: rules that people write take some hundreds.
pub(super) const STEPS: u64 = 1_000_000;

/// A kind, with those of its fields by which it is decided who sees something of such a piece, and their numbers.
type Marking<'g> = (usize, Vec<(usize, &'g Field)>);

impl Stock {
    pub(super) fn of(game: &Game) -> Self {
        let mut stock = Self::default();
        let marking: Vec<Marking<'_>> = game.kinds.iter().enumerate().filter_map(marking).collect();
        let mut hauls: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
        let stmts = || game.blocks.iter().flat_map(|block| &block.stmts).map(|stmt| &stmt.kind);
        for stmt in stmts() {
            if let StmtKind::Put(piece, _) = stmt {
                stock.put(game, None, piece, &marking);
            } else if let StmtKind::PutIn(piece, _, zone) = stmt {
                stock.put(game, Some(zone.zone), piece, &marking);
            } else if let StmtKind::MovePieces { from, to, .. } = stmt {
                hauls.entry(place(from)).or_default().insert(place(to));
            }
        }
        // Until nothing new comes anywhere.
        stock.carry(&hauls);
        for stmt in stmts() {
            if let StmtKind::Change(at, fields) = stmt {
                stock.change(place(at), fields, &marking);
            }
        }
        stock.carry(&hauls);
        stock
    }

    /// The kinds of piece that may lie in a place.
    pub(super) fn kinds(&self, at: Place) -> impl Iterator<Item = usize> + '_ {
        self.kinds.get(&at).into_iter().flat_map(Bits::iter)
    }

    /// Whether pieces of a kind may differ in a place in what decides who sees them.
    pub(super) fn differ(&self, at: Place, kind: usize) -> bool {
        let fields = self.fields.get(&at);
        fields.is_some_and(|fields| fields.range((kind, 0)..=(kind, usize::MAX)).any(|(_, worth)| worth.is_none()))
    }

    fn put(&mut self, game: &Game, at: Place, piece: &PieceExpr, marking: &[Marking<'_>]) {
        let named = if let ExprKind::Const(Value::Atom(kind)) = piece.kind.kind { Some(kind as usize) } else { None };
        let kinds = named.map_or_else(|| Bits::all(game.kinds.len()), Bits::one);
        self.kinds.entry(at).or_default().unite(&kinds);
        for (number, fields) in marking.iter().filter(|(number, _)| named.is_none_or(|named| named == *number)) {
            for (field, info) in fields {
                let said = piece.fields.iter().find(|(name, _)| *name == info.name);
                self.worth(at, (*number, *field), said.map_or(Some(info.default), |(_, value)| fixed(value)));
            }
        }
    }

    fn change(&mut self, at: Place, fields: &[(String, Expr)], marking: &[Marking<'_>]) {
        let kinds = self.kinds.get(&at).cloned().unwrap_or_default();
        for (number, marks) in marking.iter().filter(|(number, _)| kinds.contains(*number)) {
            for (field, info) in marks {
                if let Some((_, value)) = fields.iter().find(|(name, _)| *name == info.name) {
                    self.worth(at, (*number, *field), fixed(value));
                }
            }
        }
    }

    /// A field may have this value here, and whether that is new.
    fn worth(&mut self, at: Place, field: (usize, usize), worth: Worth) -> bool {
        self.steps += 1;
        let fields = self.fields.entry(at).or_default();
        let before = fields.get(&field).copied();
        let both = before.map_or(worth, |before| before.filter(|_| before == worth));
        fields.insert(field, both);
        before != Some(both)
    }

    /// Whatever may lie in a place may come wherever pieces go from there.
    fn carry(&mut self, hauls: &BTreeMap<Place, BTreeSet<Place>>) {
        let mut open: BTreeSet<Place> = hauls.keys().copied().collect();
        while let Some(from) = open.pop_first().filter(|_| self.steps < STEPS) {
            let kinds = self.kinds.get(&from).cloned().unwrap_or_default();
            let fields = self.fields.get(&from).cloned().unwrap_or_default();
            for to in hauls.get(&from).into_iter().flatten().copied().filter(|to| *to != from) {
                let there = self.kinds.entry(to).or_default();
                let mut more = !kinds.within(there);
                there.unite(&kinds);
                for (field, worth) in &fields {
                    more |= self.worth(to, *field, *worth);
                }
                if more {
                    open.insert(to);
                }
            }
        }
    }
}

fn marking((number, kind): (usize, &Kind)) -> Option<Marking<'_>> {
    let sights = [&kind.sight, &kind.owner_sight];
    let marks = |name: &str| {
        sights.iter().any(|sight| if let Sight::Seats(seats) = sight { marks(seats, kind.it, name) } else { false })
    };
    let fields: Vec<(usize, &Field)> = kind.fields.iter().enumerate().filter(|(_, field)| marks(&field.name)).collect();
    (!fields.is_empty()).then_some((number, fields))
}

/// A value that is the same whenever it is worked out.
fn fixed(value: &Expr) -> Worth {
    if let ExprKind::Const(Value::Int(number)) = value.kind {
        return i32::try_from(number).ok();
    }
    if let ExprKind::Const(Value::Bool(holds)) = value.kind {
        return Some(i32::from(holds));
    }
    if let ExprKind::Const(Value::Atom(member)) = value.kind {
        return i32::try_from(member).ok();
    }
    None
}
