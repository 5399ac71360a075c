//! The legal answer with a number: finding it, and carrying it out.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Key};
use super::func::Func;
use super::list::{ACTION, ARGS, BELOW, COUNT, KIND, WHO};
use super::race::Races;
use crate::base::SaturatingFrom;
use crate::compile::atoms;

impl Emit<'_> {
    /// Finds the legal answer with a number: its action and parameters; whether there is one.
    pub(super) fn locate(&mut self) {
        self.f = Func::new(1);
        let layout = self.layout.clone();
        let size = layout.group_size.cast_signed();
        self.f.get(0).read_int(layout.count).op(I::I32GeU);
        self.f.when();
        self.f.write_int(layout.action, |f| {
            f.int(i32::MIN);
        });
        self.f.at(layout.chosen).int(0).at(8 * layout.params).op(I::MemoryFill(0));
        self.f.write_int(layout.who, |f| {
            f.int(-1);
        });
        self.f.int(0).op(I::Return);
        self.f.end();
        self.f.at(layout.first_group);
        let group = self.f.keep_small();
        let (left, count) = (self.f.small(), self.f.small());
        self.f.get(0).set(left);
        let found = self.f.block();
        let again = self.f.again();
        self.f.get(group).load_int(COUNT).set(count);
        self.f.get(left).get(count).op(I::I32LtU).br_if(found);
        self.f.get(left).get(count).op(I::I32Sub).set(left);
        self.f.get(group).int(size).op(I::I32Add).set(group).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.write_int(layout.action, |f| {
            f.get(group).load_int(ACTION);
        });
        if self.races == Races::None {
            self.f.write_int(layout.who, |f| {
                f.int(-1);
            });
        } else {
            self.f.write_int(layout.who, |f| {
                f.get(group).load_short(WHO).int(1).op(I::I32Sub);
            });
        }
        for at in 0..layout.params {
            self.f.int(0).get(group).load(ARGS + 8 * at).store(layout.chosen + 8 * at);
        }
        self.f.get(group).load_int(KIND);
        let kind = self.f.keep_small();
        self.f.get(kind).int(BELOW).op(I::I32Eq);
        self.f.when();
        self.f.int(0).get(left).op(I::I64ExtendI32U).store(layout.chosen).int(1).op(I::Return);
        self.f.end();
        self.f.get(kind);
        self.f.when();
        // Behind the parameters that the moves share comes the member with this number.
        self.f.get(group);
        let set = self.load_set(ARGS + 8 * layout.params);
        let (word, base) = (self.f.word(), self.f.word());
        let chosen = self.f.block();
        for (at, &part) in set.iter().enumerate() {
            self.f.part(part).set(word).long(i64::saturating_from(64 * at)).set(base);
            if at + 1 < set.len() {
                self.f.part(part).op(I::I64Popcnt).op(I::I32WrapI64);
                let here = self.f.keep_small();
                self.f.get(left).get(here).op(I::I32LtU).br_if(chosen);
                self.f.get(left).get(here).op(I::I32Sub).set(left);
            }
        }
        self.f.end();
        // Sets may hold pieces by their numbers, too.
        let most = u32::saturating_from(atoms(self.game).max(self.program.pieces.len()));
        for half in [32, 16, 8].into_iter().filter(|half| most > *half) {
            // It is among the lower bits, or among the others as much further on.
            self.f.get(word).long((1 << half) - 1).op(I::I64And).op(I::I64Popcnt).op(I::I32WrapI64);
            let lower = self.f.keep_small();
            self.f.get(left).get(lower).op(I::I32GeU);
            let beyond = self.f.keep_small();
            self.f.get(word).long(half.into()).op(I::I64ShrU).get(word).get(beyond).op(I::Select).set(word);
            self.f.get(left).get(lower).op(I::I32Sub).get(left).get(beyond).op(I::Select).set(left);
            self.f.get(base).get(beyond).op(I::I64ExtendI32U).long(half.trailing_zeros().into()).op(I::I64Shl);
            self.f.op(I::I64Add).set(base);
        }
        // Of the eight bits left, a table has the places.
        let nth = |byte: u32, nth: usize| (0..8).filter(|bit| byte >> bit & 1 != 0).nth(nth).unwrap_or_default();
        let places = (0..256).flat_map(|byte| (0..8).map(move |number| nth(byte, number)));
        let places = self.table(places.collect());
        self.f.get(kind).int(1).op(I::I32Sub).int(3).op(I::I32Shl);
        self.f.get(word).long(255).op(I::I64And).op(I::I32WrapI64).int(3).op(I::I32Shl).get(left).op(I::I32Add);
        self.f.load_byte(places).op(I::I64ExtendI32U).get(base).op(I::I64Add).store(layout.chosen);
        self.f.end();
        self.f.int(1);
    }

    /// Carries out the legal answer with a number and runs to the next question; whether there was one.
    pub(super) fn play(&mut self) {
        self.f = Func::new(1);
        let layout = self.layout.clone();
        self.f.get(0);
        self.call(Key::Locate);
        self.f.op(I::I32Eqz);
        self.f.when();
        self.f.int(0).op(I::Return);
        self.f.end();
        self.refill();
        self.first_list();
        for (at, value) in [(layout.end, -1), (layout.asked, 0), (layout.count, 0), (layout.groups, 0)] {
            self.f.write_int(at, |f| {
                f.int(value);
            });
        }
        self.call(Key::Course);
        self.f.int(1);
    }
}
