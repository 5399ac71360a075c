//! Pieces taken from zones and laid down: functions that all statements about zones share; and shuffling.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::{Func, TOP};
use super::layout::{HEAD, SORTED};
use super::place::{CHANCE, Place, Stage};
use crate::base::SaturatingFrom;
use crate::compile::program::{Cell, Number, Set};

/// Zones with fewer pieces are searched for nothing.
const FEW: i32 = 256;

impl<'a> Emit<'a> {
    /// The address behind the first so many pieces of a zone, both in locals, but for the head.
    fn behind(&mut self, zone: u32, count: u32) -> u32 {
        self.f.get(zone).get(count).int(1).op(I::I32Shl).op(I::I32Add);
        self.f.keep_small()
    }

    /// Counts what it takes to copy so many pieces, if they are many.
    fn spend_pieces(&mut self, count: u32) {
        self.f.get(count).int(FEW).op(I::I32GeU);
        self.f.when();
        self.f.get(count).int(2).op(I::I32ShrU).op(I::I64ExtendI32U);
        self.spend();
        self.f.end();
    }

    fn is_nothing(&mut self, zone: u32) {
        self.f.get(zone).op(I::I32Eqz);
        self.f.when();
        self.f.op(I::Return);
        self.f.end();
    }

    /// Stops with a trap if a zone has no room for so many pieces.
    fn full(&mut self, count: u32) {
        self.f.get(count).int(self.layout.zones.room.cast_signed()).op(I::I32GtU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
    }

    /// Puts a piece on top of a zone, or in its place in one that is kept in order.
    pub(super) fn write_push(&mut self) {
        self.f = Func::new(2);
        let (zone, piece) = (0, 1);
        self.is_nothing(zone);
        self.f.get(zone).load_int(0);
        let held = self.f.keep_small();
        let at = self.behind(zone, held);
        self.f.get(held).int(1).op(I::I32Add);
        let count = self.f.keep_small();
        self.full(count);
        self.f.get(zone).load_int(SORTED);
        self.f.when();
        self.spend_pieces(held);
        let placed = self.f.block();
        let back = self.f.again();
        self.f.get(at).get(zone).op(I::I32LeU).br_if(placed);
        self.f.get(at).load_short(HEAD - 2).get(piece).op(I::I32LeU).br_if(placed);
        self.f.get(at).get(at).load_short(HEAD - 2).store_short(HEAD);
        self.f.get(at).int(2).op(I::I32Sub).set(at).br(back);
        self.f.end_loop();
        self.f.end();
        self.f.end();
        self.f.get(at).get(piece).store_short(HEAD);
        self.f.get(zone).get(count).store_int(0);
    }

    /// Takes the top piece of a zone; 0 if there is none.
    pub(super) fn write_pop(&mut self) {
        self.f = Func::new(1);
        let zone = 0;
        self.f.get(zone).load_int(0).op(I::I32Eqz);
        self.f.when();
        self.f.int(0).op(I::Return);
        self.f.end();
        self.f.get(zone).load_int(0).int(1).op(I::I32Sub);
        let left = self.f.keep_small();
        self.f.get(zone).get(left).store_int(0);
        let at = self.behind(zone, left);
        self.f.get(at).load_short(HEAD);
    }

    /// Takes the topmost of the pieces with a number, 64 bits; whether there was one.
    pub(super) fn write_pull(&mut self) {
        self.f = Func::new(2);
        let (zone, piece) = (0, 1);
        self.f.get(zone).load_int(0);
        let held = self.f.keep_small();
        self.spend_pieces(held);
        let at = self.behind(zone, held);
        let found = self.f.block();
        let again = self.f.again();
        self.f.get(at).get(zone).op(I::I32LeU);
        self.f.when();
        self.f.int(0).op(I::Return);
        self.f.end();
        self.f.get(at).int(2).op(I::I32Sub).set(at);
        self.f.get(at).load_short(HEAD).op(I::I64ExtendI32U).get(piece).op(I::I64Eq).br_if(found);
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        self.f.get(held).int(1).op(I::I32Sub);
        let left = self.f.keep_small();
        let end = self.behind(zone, left);
        // Those above it move down.
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).get(end).op(I::I32GeU).br_if(done);
        self.f.get(at).get(at).load_short(HEAD + 2).store_short(HEAD);
        self.f.get(at).int(2).op(I::I32Add).set(at).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.get(zone).get(left).store_int(0).int(1);
    }

    /// Takes up to so many pieces, 64 bits, from the top of a zone or from the bottom, to carry them; how many there are.
    pub(super) fn write_take(&mut self) {
        self.f = Func::new(3);
        let (zone, bottom, wanted) = (0, 1, 2);
        let copy = I::MemoryCopy { src_mem: 0, dst_mem: 0 };
        self.f.get(zone).load_int(0);
        let held = self.f.keep_small();
        self.f.get(wanted).op(I::I32WrapI64).get(held);
        self.f.get(wanted).get(held).op(I::I64ExtendI32U).op(I::I64LtS).op(I::Select);
        let count = self.f.keep_small();
        self.f.get(wanted).long(0).op(I::I64LeS).get(held).op(I::I32Eqz).op(I::I32Or);
        self.f.when();
        self.f.int(0).op(I::Return);
        self.f.end();
        self.spend_pieces(count);
        self.f.get(held).get(count).op(I::I32Sub);
        let left = self.f.keep_small();
        self.f.get(zone).get(left).store_int(0);
        let above = self.behind(zone, left);
        self.f.at(self.layout.carried).get(zone).get(above).get(bottom).op(I::Select);
        self.f.int(HEAD.cast_signed()).op(I::I32Add).get(count).int(1).op(I::I32Shl).op(copy.clone());
        self.f.get(bottom);
        self.f.when();
        self.spend_pieces(left);
        let rest = self.behind(zone, count);
        self.f.get(zone).int(HEAD.cast_signed()).op(I::I32Add).get(rest).int(HEAD.cast_signed()).op(I::I32Add);
        self.f.get(left).int(1).op(I::I32Shl).op(copy);
        self.f.end();
        self.f.get(count);
    }

    /// Lays down so many pieces that are carried, on top of a zone or under what is there.
    pub(super) fn write_lay(&mut self) {
        self.f = Func::new(3);
        let (zone, count, under, carried) = (0, 1, 2, self.layout.carried);
        let copy = I::MemoryCopy { src_mem: 0, dst_mem: 0 };
        self.is_nothing(zone);
        self.f.get(zone).load_int(SORTED);
        self.f.when();
        let next = self.f.small();
        self.f.int(0).set(next);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(next).get(count).op(I::I32GeU).br_if(done);
        self.f.stop_if_spent();
        self.f.get(zone).get(next).int(1).op(I::I32Shl).load_short(carried);
        self.help(Help::Push);
        self.f.get(next).int(1).op(I::I32Add).set(next).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.op(I::Return);
        self.f.end();
        self.f.get(zone).load_int(0);
        let held = self.f.keep_small();
        self.f.get(held).get(count).op(I::I32Add);
        let all = self.f.keep_small();
        self.full(all);
        self.f.get(zone).get(all).store_int(0);
        self.f.get(under);
        self.f.when();
        self.spend_pieces(held);
        let above = self.behind(zone, count);
        self.f.get(above).int(HEAD.cast_signed()).op(I::I32Add).get(zone).int(HEAD.cast_signed()).op(I::I32Add);
        self.f.get(held).int(1).op(I::I32Shl).op(copy.clone());
        self.f.int(0).set(held);
        self.f.end();
        self.spend_pieces(count);
        let to = self.behind(zone, held);
        self.f.get(to).int(HEAD.cast_signed()).op(I::I32Add).at(carried).get(count).int(1).op(I::I32Shl).op(copy);
    }

    /// Chance permutes a zone, one piece after the other from the top.
    pub(super) fn shuffle(&mut self, cell: &'a Cell<Wide>, place: &Place) -> Out {
        let kept = self.kept(1)?;
        let (again, behind) = (self.f.later(), self.f.later());
        if place.of != Stage::Setup {
            self.unremembered(place)?;
        }
        self.zone_changes(cell);
        let zone = self.zone(cell)?;
        self.f.int(0).get(zone).load_int(0).store_int(kept);
        self.f.int(0).get(zone).store_int(kept + 4);
        self.go_on_at(again);
        let picked = self.f.small();
        let asks = self.f.block();
        let more = self.f.again();
        self.f.read_int(kept).int(1).op(I::I32LeS);
        self.f.when();
        self.f.goto(behind);
        self.f.end();
        self.draws();
        self.f.op(I::I32Eqz).br_if(asks);
        self.f.read_int(kept).op(I::I64ExtendI32U);
        self.help(Help::Below);
        self.f.op(I::I32WrapI64).set(picked);
        self.swap_with_last(kept, picked);
        self.f.br(more);
        self.f.end_loop();
        self.f.end();
        self.add_below(kept);
        self.f.int(0);
        let first = self.f.keep_small();
        self.asked_seat(first);
        let then = self.f.later();
        self.ask(CHANCE, then);
        self.f.read(self.layout.chosen).op(I::I32WrapI64).set(picked);
        self.swap_with_last(kept, picked);
        self.f.goto(again);
        self.f.begin(behind);
        Ok(())
    }

    /// Exchanges the piece at a place in a local with the last of those not yet placed.
    fn swap_with_last(&mut self, kept: u32, picked: u32) {
        self.f.read_int(kept).int(1).op(I::I32Sub);
        let last = self.f.keep_small();
        self.f.int(0).get(last).store_int(kept);
        self.f.read_int(kept + 4);
        let zone = self.f.keep_small();
        let (one, other) = (self.behind(zone, picked), self.behind(zone, last));
        self.f.get(one).load_short(HEAD);
        let piece = self.f.keep_small();
        self.f.get(one).get(other).load_short(HEAD).store_short(HEAD);
        self.f.get(other).get(piece).store_short(HEAD);
    }

    /// Shifts everything on some sites by so many of them.
    pub(super) fn rotate(&mut self, sites: &'a Set<Wide>, by: &'a Number<Wide>) -> Out {
        let sites = self.set(sites)?;
        let all = self.known(crate::base::Word::all(self.program.sites));
        let sites = self.and(&sites, &all);
        self.size(&sites);
        let size = self.f.keep();
        self.f.get(size).op(I::I64Eqz).op(I::I32Eqz);
        self.f.when();
        // The first site takes what is on the one so many before it, round about.
        self.f.long(0);
        self.number(by)?;
        self.f.get(size);
        self.help(Help::Remainder);
        self.f.op(I::I64Sub).get(size);
        self.help(Help::Remainder);
        self.f.op(I::I32WrapI64).int(3).op(I::I32Shl);
        let first = self.f.keep_small();
        self.rotated(&sites, first, &mut |emit, site| emit.piece_on(site), &mut |emit, site, piece| {
            emit.put(site, piece);
        })?;
        let pools = i64::saturating_from(self.program.pools);
        let pool = self.f.word();
        self.f.long(0).set(pool);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(pool).long(pools).op(I::I64GeU).br_if(done);
        self.rotated(
            &sites,
            first,
            &mut |emit, site| {
                emit.tokens_at(pool, site);
                emit.f.keep()
            },
            &mut |emit, site, count| {
                emit.f.get(pool).get(site).get(count);
                emit.help(Help::SetTokens);
            },
        )?;
        self.f.stop_if_spent();
        self.f.get(pool).long(1).op(I::I64Add).set(pool).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.end();
        Ok(())
    }

    /// Gives each site what was on another: those before the site at an offset in a local come last.
    fn rotated(
        &mut self,
        sites: &super::func::Parts,
        first: u32,
        there: &mut dyn FnMut(&mut Self, u32) -> u32,
        put: &mut dyn FnMut(&mut Self, u32, u32),
    ) -> Out {
        self.with_lists(|emit| {
            let from = emit.top();
            emit.members(sites, &mut |emit, site, _| {
                let what = there(emit, site);
                emit.append(what);
                Ok(())
            })?;
            let end = emit.top();
            emit.f.get(from).get(first).op(I::I32Add);
            let next = emit.f.keep_small();
            emit.members(sites, &mut |emit, site, _| {
                let what = emit.member_at(next, false);
                put(emit, site, what);
                emit.f.get(next).int(8).op(I::I32Add).set(next);
                emit.f.get(from).get(next).get(next).get(end).op(I::I32GeU).op(I::Select).set(next);
                Ok(())
            })
        })
    }

    /// Where lists that are made begin.
    pub(super) fn first_list(&mut self) {
        self.f.at(self.layout.heap).op(I::GlobalSet(TOP));
    }
}
