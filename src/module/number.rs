//! Expressions whose value is a number: each leaves a 64-bit number on the stack.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Help, Out, Wide};
use super::func::Address;
use crate::base::SaturatingFrom;
use crate::compile::program::{Args, Cell, Local, Loop, Number};
use crate::ir::{Fold, IntOp};

impl<'a> Emit<'a> {
    #[expect(clippy::too_many_lines, reason = "one arm per kind")]
    pub(super) fn number(&mut self, number: &'a Number<Wide>) -> Out {
        match number {
            Number::Const(n) => {
                self.f.long(*n);
            }
            Number::Local(at) => self.local(*at),
            Number::Var(cell) => {
                self.place(cell)?;
                self.entry(self.layout.vars, self.program.cells[0], 3);
                self.f.load(0);
            }
            Number::Mover => self.small_number(self.layout.mover),
            Number::Me => self.me(),
            Number::Ply => self.small_number(self.layout.ply),
            Number::Turn => self.small_number(self.layout.turn),
            Number::Now => {
                self.f.read(self.layout.now);
            }
            Number::Occurrences => self.occurrences()?,
            Number::OccurrencesOf(part) => self.occurrences_of(*part)?,
            Number::Neg(inner) => {
                // The least number has no opposite.
                self.f.long(0);
                self.number(inner)?;
                self.difference();
            }
            Number::Abs(inner) => {
                self.number(inner)?;
                let n = self.f.keep();
                self.f.long(0).get(n);
                self.difference();
                self.f.get(n).get(n).long(0).op(I::I64LtS).op(I::Select);
            }
            Number::Calc(op, both) => self.calc(*op, both)?,
            Number::Greater(both) => self.chosen_of(both, &I::I64GtS)?,
            Number::Lesser(both) => self.chosen_of(both, &I::I64LtS)?,
            Number::If(parts) => {
                self.test(&parts.0)?;
                self.f.choice(ValType::I64);
                self.number(&parts.1)?;
                self.f.otherwise();
                self.number(&parts.2)?;
                self.f.end();
            }
            Number::ByMe(values) => {
                self.me();
                self.looked_up(values);
            }
            Number::ByLocal(at, values) => {
                self.local(*at);
                self.looked_up(values);
            }
            Number::ByMeAnd(at, size, values) => {
                self.me_and(*at, *size);
                self.looked_up(values);
            }
            Number::ByPiece(site, values) => {
                self.piece_at(site)?;
                self.f.op(I::I64ExtendI32U);
                self.looked_up(values);
            }
            Number::Table(table) => {
                self.place_in(&table.by)?;
                self.looked_up(&table.values);
            }
            Number::Count(set) => {
                let set = self.set(set)?;
                self.size(&set);
            }
            Number::Length(list) => self.length(list)?,
            Number::ZoneSize(cell) => self.zone_size(cell)?,
            Number::WayTo(way) => self.way_to(way)?,
            Number::Tokens(both) => self.tokens_on(&both.0, &both.1)?,
            Number::TokensAt(both) => {
                let sum = self.f.word();
                self.number(&both.1)?;
                let site = self.f.keep();
                self.f.long(0).set(sum);
                let pools = self.pools(&both.0)?;
                self.each_pool(&pools, &mut |emit, pool| {
                    emit.tokens_at(pool, site);
                    emit.f.get(sum).op(I::I64Add).set(sum);
                    Ok(())
                })?;
                self.f.get(sum);
            }
            Number::Fold(fold, both) => self.fold(*fold, &both.0, &both.1)?,
            Number::Following(seat) => {
                self.number(seat)?;
                self.following();
            }
            Number::Preceding(seat) => {
                self.number(seat)?;
                self.help(Help::Preceding);
            }
            Number::Distance(parts) => {
                self.number(&parts.0)?;
                let from = self.one();
                self.number(&parts.1)?;
                let to = self.one();
                let ways = self.set(&parts.2)?;
                self.distance(&from, &to, &ways)?;
            }
            Number::Truth(test) => {
                self.test(test)?;
                self.f.op(I::I64ExtendI32U);
            }
            Number::Memo(memo, args) => {
                for value in self.defined(*memo, args)? {
                    self.f.get(value);
                }
            }
            Number::With(both) => {
                self.with_lists(|emit| {
                    let scope = emit.scope();
                    emit.bind_all(&both.0)?;
                    emit.number(&both.1)?;
                    emit.leave_scope(scope);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// The value of a number that is the same wherever control comes from.
    pub(super) fn constant(&self, number: &Number<Wide>) -> Option<usize> {
        let Number::Local(at) = number else { return None };
        let (_, local) = self.numbers.iter().rev().find(|(name, _)| name == at)?;
        self.constants.iter().find_map(|(held, n)| (held == local).then_some(*n))
    }

    /// Leaves the number that a name stands for.
    pub(super) fn local(&mut self, at: Local) {
        match self.numbers.iter().rev().find(|(name, _)| *name == at) {
            Some(&(_, local)) => {
                self.f.get(local);
            }
            None => {
                self.f.read(self.layout.locals + 8 * u32::from(at));
            }
        }
    }

    fn small_number(&mut self, at: Address) {
        self.f.read_int(at).op(I::I64ExtendI32U);
    }

    /// Replaces the index on the stack by the entry of a table.
    pub(super) fn looked_up(&mut self, values: &[i64]) {
        let base = self.table_of_numbers(values);
        self.entry(base, values.len(), 3);
        self.f.load(0);
    }

    /// Leaves the index for the acting seat and a name with so many values.
    pub(super) fn me_and(&mut self, at: Local, size: usize) {
        self.me();
        self.f.long(i64::saturating_from(size)).op(I::I64Mul);
        self.index_of_name(at);
        self.f.op(I::I64Add);
    }

    /// Leaves a name as an index: a negative number is beyond any table, also after something is added to it.
    fn index_of_name(&mut self, at: Local) {
        self.local(at);
        self.clipped();
    }

    /// Makes an index that is negative, or very large, one that lies beyond all tables.
    pub(super) fn clipped(&mut self) {
        const BEYOND: i64 = 1 << 40;
        let n = self.f.keep();
        self.f.get(n).long(BEYOND).get(n).long(BEYOND).op(I::I64LtU).op(I::Select);
    }

    /// Leaves the index that several numbers make, the last one fastest.
    fn place_in(&mut self, by: &'a Args<Wide>) -> Out {
        match by.as_ref() {
            [] => {
                self.f.long(0);
            }
            [(only, _)] => self.number(only)?,
            many => {
                let place = self.f.word();
                self.f.long(0).set(place);
                for (index, size) in many {
                    self.number(index)?;
                    self.clipped();
                    self.f.get(place).long(i64::saturating_from(*size)).op(I::I64Mul).op(I::I64Add).set(place);
                }
                self.f.get(place);
            }
        }
        Ok(())
    }

    /// Leaves the index of a table with several dimensions; for tables of other kinds.
    pub(super) fn table_index(&mut self, by: &'a Args<Wide>) -> Out {
        self.place_in(by)
    }

    /// Leaves the place of a variable's value.
    pub(super) fn place(&mut self, cell: &'a Cell<Wide>) -> Out {
        if cell.at.is_empty() {
            self.f.long(cell.first.into());
            return Ok(());
        }
        self.place_in(&cell.at)?;
        if cell.first > 0 {
            self.clipped();
            self.f.long(cell.first.into()).op(I::I64Add);
        }
        Ok(())
    }

    /// Leaves the number of the piece on a site, 32 bits.
    pub(super) fn piece_at(&mut self, site: &'a Number<Wide>) -> Out {
        self.number(site)?;
        self.entry(self.layout.sites, self.program.sites, 1);
        self.f.load_short(0);
        Ok(())
    }

    /// Replaces two numbers by their difference, kept in range.
    fn difference(&mut self) {
        let (b, a) = (self.f.keep(), self.f.keep());
        self.f.get(a).get(b).op(I::I64Sub);
        let difference = self.f.keep();
        // It overflows if the operands have different signs and the difference another one than the first.
        self.kept_in_range(difference, a);
        self.f.get(a).get(b).op(I::I64Xor).get(a).get(difference).op(I::I64Xor);
        self.f.op(I::I64And).long(0).op(I::I64GeS).op(I::Select);
    }

    /// Leaves a result, and below what replaces it if it overflowed: the end of the range on the side of an operand.
    fn kept_in_range(&mut self, result: u32, operand: u32) {
        self.f.get(result).get(operand).long(63).op(I::I64ShrS).long(i64::MAX).op(I::I64Xor);
    }

    fn calc(&mut self, op: IntOp, both: &'a (Number<Wide>, Number<Wide>)) -> Out {
        self.number(&both.0)?;
        self.number(&both.1)?;
        match op {
            IntOp::Add => {
                let (b, a) = (self.f.keep(), self.f.keep());
                self.sum(a, b);
            }
            IntOp::Sub => self.difference(),
            IntOp::Mul => self.help(Help::Product),
            IntOp::Div => self.help(Help::Quotient),
            IntOp::Mod => self.help(Help::Remainder),
        }
        Ok(())
    }

    fn chosen_of(&mut self, both: &'a (Number<Wide>, Number<Wide>), first: &I<'static>) -> Out {
        self.number(&both.0)?;
        self.number(&both.1)?;
        let (b, a) = (self.f.keep(), self.f.keep());
        self.f.get(a).get(b).get(a).get(b).op(first.clone()).op(I::Select);
        Ok(())
    }

    fn fold(&mut self, fold: Fold, over: &'a Loop<Wide>, of: &'a Number<Wide>) -> Out {
        self.once(|emit| emit.folded(fold, over, of))
    }

    fn folded(&mut self, fold: Fold, over: &'a Loop<Wide>, of: &'a Number<Wide>) -> Out {
        let (total, some) = (self.f.word(), self.f.small());
        self.f.long(Fold::OF_NOTHING).set(total).int(0).set(some);
        self.each(over, 0, &mut |emit| {
            emit.number(of)?;
            let n = emit.f.keep();
            match fold {
                // Nothing and a number are the number.
                Fold::Sum | Fold::Union => emit.sum(total, n),
                Fold::Max | Fold::Min => {
                    let first = if fold == Fold::Max { I::I64GtS } else { I::I64LtS };
                    emit.f.get(n).get(total).get(n).get(total).op(first);
                    emit.f.get(some).op(I::I32Eqz).op(I::I32Or).op(I::Select);
                }
            }
            emit.f.set(total).int(1).set(some);
            Ok(())
        })?;
        self.f.get(total);
        Ok(())
    }

    /// Leaves the sum of two locals, kept in range.
    fn sum(&mut self, a: u32, b: u32) {
        self.f.get(a).get(b).op(I::I64Add);
        let sum = self.f.keep();
        self.kept_in_range(sum, a);
        // It overflows if both operands have another sign than the sum.
        self.f.get(a).get(sum).op(I::I64Xor).get(b).get(sum).op(I::I64Xor);
        self.f.op(I::I64And).long(0).op(I::I64GeS).op(I::Select);
    }
}
