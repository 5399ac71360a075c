//! Moves of which only those with the greatest worth are legal.

use wasm_encoder::Instruction as I;

use super::emit::Emit;
use super::list::{COUNT, WORTH, WORTH_SOME};

impl Emit<'_> {
    /// Of the groups from an address on, in a local, keeps those without a worth and those with the greatest.
    pub(super) fn keep_best(&mut self, from: u32) {
        let (held, first, size) = (self.layout.groups, self.layout.first_group, self.layout.group_size);
        let (best, some) = (self.f.word(), self.f.small());
        self.f.int(0).set(some).long(i64::MIN).set(best);
        let each = |emit: &mut Self, act: &mut dyn FnMut(&mut Self, u32)| {
            let (at, end) = (emit.f.small(), emit.f.small());
            emit.f.get(from).set(at);
            emit.f.at(first).read_int(held).int(size.cast_signed()).op(I::I32Mul).op(I::I32Add).set(end);
            let done = emit.f.block();
            let again = emit.f.again();
            emit.f.get(at).get(end).op(I::I32GeU).br_if(done);
            act(emit, at);
            emit.f.get(at).int(size.cast_signed()).op(I::I32Add).set(at).br(again);
            emit.f.end_loop();
            emit.f.end();
        };
        each(self, &mut |emit, at| {
            emit.f.get(at).load_short(WORTH_SOME);
            emit.f.when();
            emit.f.int(1).set(some);
            emit.f.get(at).load(WORTH).get(best).get(at).load(WORTH).get(best).op(I::I64GtS).op(I::Select).set(best);
            emit.f.end();
        });
        self.f.get(some);
        self.f.when();
        let (to, dropped) = (self.f.small(), self.f.small());
        self.f.get(from).set(to).int(0).set(dropped);
        each(self, &mut |emit, at| {
            emit.f.get(at).load_short(WORTH_SOME).op(I::I32Eqz);
            emit.f.get(at).load(WORTH).get(best).op(I::I64Eq).op(I::I32Or);
            emit.f.when();
            emit.f.get(to).get(at).int(size.cast_signed()).op(I::MemoryCopy { src_mem: 0, dst_mem: 0 });
            emit.f.weigh(size / 8);
            emit.f.get(to).int(size.cast_signed()).op(I::I32Add).set(to).otherwise();
            emit.f.get(dropped).get(at).load_int(COUNT).op(I::I32Add).set(dropped);
            emit.f.end();
        });
        self.f.write_int(held, |f| {
            f.get(to).at(first).op(I::I32Sub).int(size.cast_signed()).op(I::I32DivU);
        });
        let total = self.layout.count;
        self.f.write_int(total, |f| {
            f.read_int(total).get(dropped).op(I::I32Sub);
        });
        self.f.end();
    }
}
