//! Lists in memory: zones, what variables and names hold, and lists that are made while something is worked out, one behind
//! the other. What has been worked out leaves none behind, so that they take no more room than is needed at once.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::{Address, Func, Mark, TOP};
use super::layout::{HEAD, Lists};
use crate::base::SaturatingFrom;
use crate::compile::program::{Cell, List, Sort};

/// Members that lie one behind the other: the locals with the addresses of the first and behind the last, and whether each has
/// 16 bits, as pieces in zones have, or 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub at: u32,
    pub end: u32,
    pub short: bool,
}

impl Span {
    /// How many bytes a member has.
    pub(super) fn size(self) -> i32 {
        if self.short { 2 } else { 8 }
    }
}

impl<'a> Emit<'a> {
    /// The address of a list by the place on the stack, in a local; that of nothing if there is none.
    fn list_at(&mut self, lists: Lists, number: usize) -> u32 {
        let place = self.f.keep();
        self.f.get(place).op(I::I32WrapI64).int(lists.stride.cast_signed()).op(I::I32Mul).at(lists.first);
        self.f.op(I::I32Add).at(self.layout.nothing);
        self.f.get(place).long(i64::saturating_from(number)).op(I::I64LtU).op(I::Select);
        self.f.keep_small()
    }

    fn cell_of(&mut self, cell: &'a Cell<Wide>, lists: Lists, number: usize) -> Out<u32> {
        if cell.at.is_empty() && (cell.first as usize) < number {
            self.f.at(lists.first + cell.first * lists.stride);
            return Ok(self.f.keep_small());
        }
        self.place(cell)?;
        Ok(self.list_at(lists, number))
    }

    /// The address of a zone's list, in a local.
    pub(super) fn zone(&mut self, cell: &'a Cell<Wide>) -> Out<u32> {
        self.cell_of(cell, self.layout.zones, self.program.lists)
    }

    /// The address of the list that a variable holds, in a local.
    pub(super) fn held(&mut self, cell: &'a Cell<Wide>) -> Out<u32> {
        self.cell_of(cell, self.layout.var_lists, self.program.cells[2])
    }

    /// The address of the list of a zone with the 64-bit number on the stack, in a local.
    pub(super) fn zone_numbered(&mut self) -> u32 {
        self.list_at(self.layout.zones, self.program.lists)
    }

    /// The members of the list whose address is in a local.
    pub(super) fn members_of(&mut self, list: u32, short: bool) -> Span {
        self.f.get(list).int(HEAD.cast_signed()).op(I::I32Add);
        let at = self.f.keep_small();
        self.f.get(at).get(list).load_int(0).int(if short { 1 } else { 3 }).op(I::I32Shl).op(I::I32Add);
        Span { at, end: self.f.keep_small(), short }
    }

    /// Does something for each member, which is in a local.
    pub(super) fn each_in(&mut self, span: Span, each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        let next = self.f.small();
        self.f.get(span.at).set(next);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(next).get(span.end).op(I::I32GeU).br_if(done);
        let outer = std::mem::replace(&mut self.f.busy, false);
        let member = self.member_at(next, span.short);
        self.f.get(next).int(span.size()).op(I::I32Add).set(next);
        each(self, member)?;
        if self.f.busy {
            self.f.stop_if_spent();
        }
        self.f.busy = outer;
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        self.bounded()
    }

    /// The member at the address in a local, in a local.
    pub(super) fn member_at(&mut self, at: u32, short: bool) -> u32 {
        if short {
            self.f.get(at).load_short(0).op(I::I64ExtendI32U);
        } else {
            self.f.get(at).load(0);
        }
        self.f.keep()
    }

    /// Leaves how many members there are.
    pub(super) fn span_length(&mut self, span: Span) {
        self.f.get(span.end).get(span.at).op(I::I32Sub).int(if span.short { 1 } else { 3 }).op(I::I32ShrU);
        self.f.op(I::I64ExtendI32U);
    }

    /// Appends the number in a local to the list that is being made.
    pub(super) fn append(&mut self, number: u32) {
        self.f.made += 1;
        self.f.op(I::GlobalGet(TOP)).at(self.layout.heap_end).op(I::I32GeU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.f.op(I::GlobalGet(TOP)).get(number).store(0);
        self.f.op(I::GlobalGet(TOP)).int(8).op(I::I32Add).op(I::GlobalSet(TOP));
    }

    /// The address where the next list that is made begins, in a local.
    pub(super) fn top(&mut self) -> u32 {
        self.f.made += 1;
        self.f.op(I::GlobalGet(TOP));
        self.f.keep_small()
    }

    /// Makes a list, whatever else changes.
    pub(super) fn built(&mut self, list: &'a List<Wide>) -> Out<Span> {
        let at = self.top();
        self.add_listed(list)?;
        Ok(Span { at, end: self.top(), short: false })
    }

    /// Makes what is needed first, and goes on with it. What is appended meanwhile ends up where that lay, so that the list
    /// which is being made stays in one piece.
    pub(super) fn beside<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Out<T>,
        then: impl FnOnce(&mut Self, T) -> Out,
    ) -> Out {
        let mark = self.f.mark();
        let made = make(self)?;
        let Some(start) = self.f.noted(mark) else { return then(self, made) };
        let base = self.top();
        then(self, made)?;
        self.f.op(I::GlobalGet(TOP)).get(base).op(I::I32Sub);
        let more = self.f.keep_small();
        self.f.get(more);
        self.f.when();
        self.f.get(start).get(base).get(more).op(I::MemoryCopy { src_mem: 0, dst_mem: 0 });
        self.f.end();
        self.f.get(start).get(more).op(I::I32Add).op(I::GlobalSet(TOP));
        Ok(())
    }

    /// Puts the members from the address in a local on in order, each once if it is a set of numbers.
    pub(super) fn tidy(&mut self, from: u32, sort: Sort) {
        if sort != Sort::Pieces {
            self.sort(from, true);
        }
    }

    /// Puts the members from the address in a local on in ascending order, each once or every copy.
    pub(super) fn sort(&mut self, from: u32, once: bool) {
        self.f.made += 1;
        self.f.get(from).int(once.into());
        self.help(Help::Sort);
    }

    /// Stores members in the list whose address is in a local, which has room for so many.
    pub(super) fn store_list(&mut self, list: u32, room: u32, span: Span) {
        self.span_length(span);
        self.f.op(I::I32WrapI64);
        let count = self.f.keep_small();
        self.f.get(count).int(room.cast_signed()).op(I::I32GtU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.f.get(count).int(2).op(I::I32ShrU).op(I::I64ExtendI32U);
        self.spend();
        self.f.get(list).get(count).store_int(0);
        self.f.get(list).int(HEAD.cast_signed()).op(I::I32Add).get(span.at);
        if !span.short {
            self.f.get(count).int(3).op(I::I32Shl).op(I::MemoryCopy { src_mem: 0, dst_mem: 0 });
            return;
        }
        let (from, to) = (self.f.small(), self.f.small());
        self.f.set(from).set(to);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(from).get(span.end).op(I::I32GeU).br_if(done);
        self.f.get(to).get(from).load_short(0).op(I::I64ExtendI32U).store(0);
        self.f.get(from).int(2).op(I::I32Add).set(from).get(to).int(8).op(I::I32Add).set(to).br(again);
        self.f.end_loop();
        self.f.end();
    }

    /// The function that sorts: parameters are where the list begins, which is the last one made, and whether each number is
    /// kept once. Each number is put in its place among those before it, from the end, since most lists are nearly in order.
    pub(super) fn write_sort(&mut self) {
        self.f = Func::new(2);
        let (from, once) = (0, 1);
        let (next, to, at) = (self.f.small(), self.f.small(), self.f.small());
        let number = self.f.word();
        self.f.get(from).set(next).get(from).set(to);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(next).op(I::GlobalGet(TOP)).op(I::I32GeU).br_if(done);
        self.f.get(next).load(0).set(number).get(next).int(8).op(I::I32Add).set(next);
        self.f.get(to).set(at);
        let placed = self.f.block();
        let back = self.f.again();
        self.f.get(at).get(from).op(I::I32LeU).br_if(placed);
        self.f.get(at).int(8).op(I::I32Sub).load(0).get(number).op(I::I64LeS).br_if(placed);
        self.f.get(at).int(8).op(I::I32Sub).set(at).br(back);
        self.f.end_loop();
        self.f.end();
        self.f.get(once);
        self.f.when();
        self.f.get(at).get(from).op(I::I32GtU);
        self.f.when();
        // The same number is there already.
        self.f.get(at).int(8).op(I::I32Sub).load(0).get(number).op(I::I64Eq).br_if(again);
        self.f.end();
        self.f.end();
        self.f.get(at).get(to).op(I::I32LtU);
        self.f.when();
        self.f.get(at).int(8).op(I::I32Add).get(at).get(to).get(at).op(I::I32Sub);
        self.f.op(I::MemoryCopy { src_mem: 0, dst_mem: 0 });
        self.f.get(to).get(at).op(I::I32Sub).int(3).op(I::I32ShrU).op(I::I64ExtendI32U);
        self.spend();
        self.f.end();
        self.f.get(at).get(number).store(0).get(to).int(8).op(I::I32Add).set(to).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.get(to).op(I::GlobalSet(TOP));
    }

    /// Where a name keeps a list beyond a question.
    pub(super) fn local_list(&self, at: u16) -> Option<Lists> {
        self.layout.local_lists.get(&at).copied()
    }

    /// Gives up all lists that have been made.
    pub(super) fn forget_lists(&mut self) {
        if self.makes_lists() {
            self.first_list();
        }
    }

    /// Whether the game has lists that are more than numbers one after the other.
    pub(super) fn makes_lists(&self) -> bool {
        let program = self.program;
        program.lists > 0 || program.cells[2] > 0 || program.locals[2] > 0
    }

    /// The address of a table with these numbers, and behind its end.
    pub(super) fn span_of_table(&mut self, members: &[i64]) -> Span {
        let base: Address = self.table_of_numbers(members);
        self.f.at(base);
        let at = self.f.keep_small();
        self.f.at(base + 8 * u32::saturating_from(members.len()));
        Span { at, end: self.f.keep_small(), short: false }
    }

    /// Goes on with what is worked out from lists; they are given up afterwards.
    pub(super) fn with_lists<T>(&mut self, of: impl FnOnce(&mut Self) -> Out<T>) -> Out<T> {
        let mark: Mark = self.f.mark();
        let found = of(self)?;
        self.f.release(mark);
        Ok(found)
    }
}
