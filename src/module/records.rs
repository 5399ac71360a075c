//! Earlier positions, remembered by their keys: in order, and sorted into lists by some bits of the key, so that few are
//! looked at to find one. What is remembered is not part of the position: only how many entries there are. Whoever takes a
//! position up again forgets those that came later.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help};
use super::func::Func;
use super::layout::{BEFORE, ENTRY, HISTORY, LISTS, PLY, Records};
use crate::ir::PartId;

impl Emit<'_> {
    /// Remembers the position at the question that some turns begin with, which is being asked.
    pub(super) fn remember_position(&mut self, turns: i64) {
        let (mover, count) = (self.layout.mover, self.layout.remembered);
        self.f.read_int(count).int(HISTORY.cast_signed()).op(I::I32GeU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        let parts = self.game.parts.ids().map(Some);
        for (part, records) in std::iter::once(None).chain(parts).zip(self.layout.history.clone()) {
            self.f.read_int(mover).op(I::I64ExtendI32U);
            match part {
                None => self.key_at(turns, true),
                Some(part) => self.help(Help::PartKey(part)),
            }
            let key = self.f.keep();
            self.f.read_int(count).int(ENTRY.cast_signed()).op(I::I32Mul);
            let entry = self.f.keep_small();
            let list = self.list_of(key);
            self.f.get(entry).get(key).store(records.entries);
            self.f.get(entry).read_int(self.layout.ply).store_int(records.entries + PLY);
            self.f.get(entry).get(list).load_int(records.last).store_int(records.entries + BEFORE);
            self.f.get(list).read_int(count).int(1).op(I::I32Add).store_int(records.last);
        }
        self.f.write_int(count, |f| {
            f.read_int(count).int(1).op(I::I32Add);
        });
    }

    /// The local with the offset of the list that a key is in.
    fn list_of(&mut self, key: u32) -> u32 {
        self.f.get(key).op(I::I32WrapI64).int(LISTS.cast_signed() - 1).op(I::I32And).int(2).op(I::I32Shl);
        self.f.keep_small()
    }

    /// Forgets the positions behind so many, the parameter.
    pub(super) fn forget_positions(&mut self) {
        self.f = Func::new(1);
        let count = self.layout.remembered;
        let done = self.f.block();
        let again = self.f.again();
        self.f.read_int(count).get(0).op(I::I32LeU).br_if(done);
        self.f.write_int(count, |f| {
            f.read_int(count).int(1).op(I::I32Sub);
        });
        self.f.read_int(count).int(ENTRY.cast_signed()).op(I::I32Mul);
        let entry = self.f.keep_small();
        for records in self.layout.history.clone() {
            self.f.get(entry).load(records.entries);
            let key = self.f.keep();
            let list = self.list_of(key);
            self.f.get(list).get(entry).load_int(records.entries + BEFORE).store_int(records.last);
        }
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
    }

    /// Does something with each entry that has a key, the latest first: with the local of its offset.
    fn entries_with(&mut self, records: Records, key: u32, each: &mut dyn FnMut(&mut Self, u32)) {
        let list = self.list_of(key);
        self.f.get(list).load_int(records.last);
        let number = self.f.keep_small();
        let entry = self.f.small();
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(number).op(I::I32Eqz).br_if(done);
        self.f.get(number).int(1).op(I::I32Sub).int(ENTRY.cast_signed()).op(I::I32Mul).set(entry);
        self.f.get(entry).load_int(records.entries + BEFORE).set(number);
        self.f.get(entry).load(records.entries).get(key).op(I::I64Ne).br_if(again);
        each(self, entry);
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
    }

    fn records(&self, number: usize) -> Option<Records> {
        self.layout.history.get(number).copied()
    }

    /// How many of the positions that are remembered have a key, the parameter.
    pub(super) fn seen_before(&mut self) {
        self.f = Func::new(1);
        let seen = self.f.word();
        if let Some(records) = self.records(0) {
            self.entries_with(records, 0, &mut |emit, _| {
                emit.f.get(seen).long(1).op(I::I64Add).set(seen);
            });
        }
        self.f.get(seen);
    }

    /// Whether a position that is remembered has a key and a ply, the parameters.
    pub(super) fn stood(&mut self) {
        self.f = Func::new(2);
        if let Some(records) = self.records(0) {
            self.entries_with(records, 0, &mut |emit, entry| {
                emit.f.get(entry).load_int(records.entries + PLY).op(I::I64ExtendI32U).get(1).op(I::I64Eq);
                emit.f.when();
                emit.f.int(1).op(I::Return);
                emit.f.end();
            });
        }
        self.f.int(0);
    }

    /// At how many plies a part has had a key, including the one that comes, at which it has it: key and ply are the
    /// parameters.
    pub(super) fn part_seen(&mut self, part: PartId) {
        self.f = Func::new(2);
        let (count, last) = (self.f.word(), self.f.word());
        self.f.long(1).set(count).get(1).set(last);
        if let Some(records) = self.records(1 + usize::from(part)) {
            self.entries_with(records, 0, &mut |emit, entry| {
                emit.f.get(entry).load_int(records.entries + PLY).op(I::I64ExtendI32U);
                let ply = emit.f.keep();
                emit.f.get(ply).get(last).op(I::I64Ne);
                emit.f.when();
                emit.f.get(ply).set(last).get(count).long(1).op(I::I64Add).set(count);
                emit.f.end();
            });
        }
        self.f.get(count);
    }
}
