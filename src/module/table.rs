//! Tables in memory: each stands there once, and whatever is beyond its end is nothing.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Wide};
use super::func::Address;
use crate::base::SaturatingFrom;

impl Emit<'_> {
    /// The address of a table with these bytes.
    pub(super) fn table(&mut self, bytes: Vec<u8>) -> Address {
        if let Some(&at) = self.tables.get(&bytes) {
            return at;
        }
        let at = self.room(u32::saturating_from(bytes.len()));
        self.data.push((at, bytes.clone()));
        self.tables.insert(bytes, at);
        at
    }

    pub(super) fn table_of_numbers(&mut self, values: &[i64]) -> Address {
        self.table(values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    pub(super) fn table_of_shorts(&mut self, values: impl IntoIterator<Item = u16>) -> Address {
        self.table(values.into_iter().flat_map(u16::to_le_bytes).collect())
    }

    pub(super) fn table_of_ints(&mut self, values: impl IntoIterator<Item = u32>) -> Address {
        self.table(values.into_iter().flat_map(u32::to_le_bytes).collect())
    }

    pub(super) fn table_of_sets(&mut self, values: &[Wide]) -> Address {
        let bytes = values.iter().flat_map(|&set| self.words_of(set)).flat_map(u64::to_le_bytes).collect();
        self.table(bytes)
    }

    /// Leaves on the stack the address of an entry of a table, by the 64-bit index on it; that of nothing beyond its
    /// end.
    pub(super) fn entry(&mut self, base: Address, count: usize, shift: u32) {
        let index = self.f.keep();
        self.f.get(index).op(I::I32WrapI64);
        if shift > 0 {
            self.f.int(shift.cast_signed()).op(I::I32Shl);
        }
        self.f.at(base).op(I::I32Add).at(self.layout.nothing);
        self.f.get(index).long(i64::saturating_from(count)).op(I::I64LtU).op(I::Select);
    }

    /// The same for entries as large as sets.
    pub(super) fn entry_of_sets(&mut self, base: Address, count: usize) {
        if self.words.is_power_of_two() {
            return self.entry(base, count, 3 + self.words.trailing_zeros());
        }
        let index = self.f.keep();
        self.f.get(index).op(I::I32WrapI64).int(self.bytes.cast_signed()).op(I::I32Mul);
        self.f.at(base).op(I::I32Add).at(self.layout.nothing);
        self.f.get(index).long(i64::saturating_from(count)).op(I::I64LtU).op(I::Select);
    }
}
