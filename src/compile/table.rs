//! Tables: what does not depend on the position is computed once, for all arguments.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Gap;
use super::lower::Lower;
use super::pieces::domain;
use super::program::{Local, Number, Table, Test};
use crate::base::{SaturatingFrom, Word, to_index};
use crate::ir::{Dependencies, SeatId};
use crate::ir::{Expr, Slot, TableId, Ty, Value};

/// The tables of a game as they are read, each once.
#[derive(Debug, Default)]
pub(super) struct Tables<W> {
    pub numbers: Read<i64>,
    pub sets: Read<W>,
    pub tests: Read<bool>,
}

/// The values of tables by their numbers.
pub(super) type Read<T> = BTreeMap<TableId, Arc<[T]>>;

/// The maximum number of values computed for one table …
const TABLE: usize = 4_096;
/// … and for all tables of a game together.
const TABLES: usize = 40_000;

/// The maximum number of steps for one value, for all of them together …
const STEPS: u64 = 200_000;
pub(super) const ALL_STEPS: u64 = 10_000_000;
/// … and a value that needs more is charged as this many.
const VAIN: usize = TABLES / 16;

/// An argument that indexes a table.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Me,
    Slot(Slot),
}

/// The arguments that a cell of their table stands for.
pub(super) fn combination(args: &[(Arg, usize)], mut cell: usize) -> Vec<(Arg, usize)> {
    let mut bound: Vec<(Arg, usize)> = Vec::with_capacity(args.len());
    for (arg, size) in args.iter().rev() {
        bound.push((arg.clone(), cell % size));
        cell /= size;
    }
    bound.reverse();
    bound
}

/// A table's node, in its most compact form.
pub(super) enum Shape<T, W: Word> {
    Const(T),
    ByMe(Box<[T]>),
    ByLocal(Local, Box<[T]>),
    ByMeAnd(Local, usize, Box<[T]>),
    ByPiece(Box<Number<W>>, Box<[T]>),
    Table(Box<Table<T, W>>),
}

/// The most compact form of a table.
pub(super) fn shape<T: Clone + PartialEq, W: Word>(by: Vec<(Number<W>, usize)>, mut values: Vec<T>) -> Shape<T, W> {
    if values.len() == 1 || values.windows(2).all(|pair| pair[0] == pair[1]) {
        return Shape::Const(values.swap_remove(0));
    }
    match by.as_slice() {
        [(Number::Me, _)] => Shape::ByMe(values.into()),
        [(Number::Local(at), _)] => Shape::ByLocal(*at, values.into()),
        [(Number::Me, _), (Number::Local(at), size)] => Shape::ByMeAnd(*at, *size, values.into()),
        _ => Shape::Table(Box::new(Table { by: by.into(), values: values.into() })),
    }
}

/// The node for a table of truth values.
pub(super) fn test_of<W: Word>(shape: Shape<bool, W>) -> Test<W> {
    match shape {
        Shape::Const(value) => Test::Const(value),
        Shape::ByMe(values) => Test::ByMe(values),
        Shape::ByLocal(at, values) => Test::ByLocal(at, values),
        Shape::ByMeAnd(at, size, values) => Test::ByMeAnd(at, size, values),
        Shape::ByPiece(site, values) => Test::ByPiece(site, values),
        Shape::Table(table) => Test::Table(table),
    }
}

impl<W: Word> Lower<'_, W> {
    /// The arguments that an expression depends on, if it does not depend on the position: each with the number of
    /// its values. Names in `apart` are left out.
    pub(super) fn args(&self, expr: &Expr, apart: &[Slot]) -> Option<Vec<(Arg, usize)>> {
        let needs = Dependencies::of(self.game, expr);
        if needs.position {
            return None;
        }
        let mut args = Vec::new();
        if needs.me {
            args.push((Arg::Me, self.game.seats.len()));
        }
        for slot in needs.slots {
            if apart.contains(&slot) || matches!(self.known.get(&slot), Some(Number::Const(_))) {
                continue;
            }
            args.push((Arg::Slot(slot), self.slot_domain(slot)?));
        }
        Some(args)
    }

    pub(super) fn slot_domain(&self, slot: Slot) -> Option<usize> {
        let ty = &self.game.slots.get(slot)?.ty;
        if *ty == Ty::Piece { Some(self.pieces.len()) } else { domain(self.game, ty) }
    }

    /// The number of a slot's value as a value of its type.
    pub(super) fn as_value(&self, slot: Slot, number: usize) -> Value {
        let ty = self.game.slots.get(slot).map_or(&Ty::Int, |info| &info.ty);
        match ty {
            Ty::Int => Value::Int(i64::saturating_from(number)),
            Ty::Bool => Value::Bool(number != 0),
            Ty::Piece => self.pieces.get(number).cloned().map_or(Value::Unset, Value::Piece),
            Ty::Seat | Ty::Site | Ty::Dir | Ty::Kind | Ty::Enum(_) | Ty::Way | Ty::Move | Ty::Set(_) => {
                Value::atom_of(number)
            }
        }
    }

    /// The number of a value; none for sets.
    pub(super) fn as_number(&self, value: &Value) -> Option<i64> {
        let Value::Piece(piece) = value else { return value.number() };
        self.pieces.number(Some(piece)).map(i64::from)
    }

    /// A set as a bitset.
    pub(super) fn as_words(value: &Value) -> Option<W> {
        let Value::Set(bits) = value else { return value.clone().members().is_empty().then_some(W::NONE) };
        W::from_bits(bits)
    }

    /// The value of an expression that does not depend on the position, for given arguments.
    pub(super) fn work_out(&mut self, expr: &Expr, bound: &[(Arg, usize)]) -> Option<Value> {
        self.settle(expr)?;
        self.value_for(expr, bound)
    }

    /// Gives the names that an expression reads the values that are known, before it is worked out for many arguments.
    pub(super) fn settle(&mut self, expr: &Expr) -> Option<()> {
        for slot in Dependencies::of(self.game, expr).slots {
            if let Some(Number::Const(n)) = self.known.get(&slot) {
                let value = match self.game.slots.get(slot).map(|info| &info.ty) {
                    Some(Ty::Int) => Value::Int(*n),
                    _ => self.as_value(slot, usize::try_from(*n).ok()?),
                };
                self.blank.locals[usize::from(slot)] = value;
            }
        }
        Some(())
    }

    /// The value of an expression whose known names are settled, for given arguments.
    pub(super) fn value_for(&mut self, expr: &Expr, bound: &[(Arg, usize)]) -> Option<Value> {
        self.worked += 1;
        if self.worked > TABLES || self.steps == 0 {
            return None;
        }
        self.blank.actor = None;
        for (arg, number) in bound {
            match arg {
                Arg::Me => self.blank.actor = Some(SeatId::new(*number)),
                Arg::Slot(slot) => self.blank.locals[usize::from(*slot)] = self.as_value(*slot, *number),
            }
        }
        let most = STEPS.min(self.steps);
        let mut left = most;
        let value = self.walker.value_within(&mut self.blank, expr, &mut left, &self.distances);
        self.steps -= most - left;
        if value.is_none() {
            self.worked += VAIN;
        }
        value
    }

    /// Whether the budget still allows a table of this size.
    pub(super) fn affords(&self, cells: usize) -> bool {
        cells <= TABLE && self.worked + cells <= TABLES
    }

    /// An expression as a table: indexed by its arguments if it does not depend on the position, by the piece on a
    /// site if it depends on nothing else of the position.
    pub(super) fn tabled<T: Clone + PartialEq>(
        &mut self,
        expr: &Expr,
        read: impl Fn(&Self, &Value) -> Option<T>,
    ) -> Result<Option<Shape<T, W>>, Gap> {
        if let Some(values) = self.by_piece(expr, &read)? {
            return Ok(Some(values));
        }
        let Some(args) = self.args(expr, &[]) else { return Ok(None) };
        let cells: usize = args.iter().map(|(_, size)| *size).product();
        if cells == 0 || !self.affords(cells) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(cells);
        let Some(()) = self.settle(expr) else { return Ok(None) };
        for cell in 0..cells {
            let bound = combination(&args, cell);
            let Some(value) = self.value_for(expr, &bound).and_then(|value| read(self, &value)) else {
                return Ok(None);
            };
            values.push(value);
        }
        Ok(Some(shape(self.by(&args)?, values)))
    }

    fn by_piece<T: Clone + PartialEq>(
        &mut self,
        expr: &Expr,
        read: &impl Fn(&Self, &Value) -> Option<T>,
    ) -> Result<Option<Shape<T, W>>, Gap> {
        let needs = Dependencies::of(self.game, expr);
        let [site] = needs.pieces_at.as_slice() else { return Ok(None) };
        let unbound = |slot: &Slot| !matches!(self.known.get(slot), Some(Number::Const(_)));
        if needs.elsewhere || needs.me || !self.lifted.is_empty() || needs.slots.iter().any(unbound) {
            return Ok(None);
        }
        if !self.affords(self.pieces.len()) {
            return Ok(None);
        }
        // The site counts by itself as well where it is known, else by its piece alone, and any will do.
        let at = match self.known.get(site) {
            Some(Number::Const(n)) => to_index(*n),
            _ => 0,
        };
        if at >= self.blank.sites.len() {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(self.pieces.len());
        let Some(()) = self.settle(expr) else { return Ok(None) };
        for number in 0..self.pieces.len() {
            self.blank.sites[at] = self.pieces.get(number).cloned();
            let value = self.value_for(expr, &[(Arg::Slot(*site), at)]);
            self.blank.sites[at] = None;
            let Some(value) = value.and_then(|value| read(self, &value)) else { return Ok(None) };
            values.push(value);
        }
        Ok(Some(Shape::ByPiece(Box::new(self.slot(*site)?), values.into())))
    }

    /// The numbers that index a table.
    pub(super) fn by(&mut self, args: &[(Arg, usize)]) -> Result<Vec<(Number<W>, usize)>, Gap> {
        let mut by = Vec::new();
        for (arg, size) in args {
            let number = match arg {
                Arg::Me => Number::Me,
                Arg::Slot(slot) => self.slot(*slot)?,
            };
            by.push((number, *size));
        }
        Ok(by)
    }
}
