//! Random numbers, the same as the interpreter draws (`play::Stream`).

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help};
use super::func::Func;
use crate::base::SaturatingFrom;

impl Emit<'_> {
    /// A random number below another: the high half of a product, as in `play::Stream`.
    pub(super) fn random_below(&mut self) {
        const LOW: i64 = 0xFFFF_FFFF;
        self.f = Func::new(1);
        let (n, block, used) = (0, self.layout.block, self.layout.used);
        let again = self.f.again();
        self.f.read_int(used).int(64).op(I::I32GeU);
        self.f.when();
        self.help(Help::Block);
        self.f.end();
        self.f.read_int(used).load(block);
        let random = self.f.keep();
        self.f.write_int(used, |f| {
            f.read_int(used).int(8).op(I::I32Add);
        });
        // The numbers asked for have 32 bits, so that the product has 96.
        self.f.get(random).get(n).op(I::I64Mul);
        let low = self.f.keep();
        self.f.get(random).long(LOW).op(I::I64And).get(n).op(I::I64Mul).long(32).op(I::I64ShrU);
        self.f.get(random).long(32).op(I::I64ShrU).get(n).op(I::I64Mul).op(I::I64Add).long(32).op(I::I64ShrU);
        let high = self.f.keep();
        self.f.get(low).get(n).op(I::I64LtU);
        self.f.when();
        self.f.get(low).long(0).get(n).op(I::I64Sub).get(n).op(I::I64RemU).op(I::I64LtU).br_if(again);
        self.f.end();
        self.f.get(high).op(I::Return);
        self.f.end_loop();
        self.f.op(I::Unreachable);
    }

    /// The next block of `ChaCha` with 8 rounds (Bernstein 2008), a counter and a stream of 64 bits each.
    pub(super) fn random_block(&mut self) {
        const ROUNDS: [[usize; 4]; 8] = [
            [0, 4, 8, 12],
            [1, 5, 9, 13],
            [2, 6, 10, 14],
            [3, 7, 11, 15],
            [0, 5, 10, 15],
            [1, 6, 11, 12],
            [2, 7, 8, 13],
            [3, 4, 9, 14],
        ];
        const WORDS: [u32; 4] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574];
        self.f = Func::new(0);
        let (key, block, used) = (self.layout.key, self.layout.block, self.layout.used);
        let state: Vec<u32> = (0..16).map(|_| self.f.small()).collect();
        let first = |f: &mut Func, at: usize| {
            match at.checked_sub(4) {
                None => f.int(WORDS[at].cast_signed()),
                // Key, counter and stream lie one behind the other.
                Some(word) => f.read_int(key + 4 * u32::saturating_from(word)),
            };
        };
        for (at, &word) in state.iter().enumerate() {
            first(&mut self.f, at);
            self.f.set(word);
        }
        self.f.int(4);
        let left = self.f.keep_small();
        let again = self.f.again();
        for quarter in ROUNDS {
            let [a, b, c, d] = quarter.map(|at| state[at]);
            for (sum, with, turned, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
                self.f.get(sum).get(with).op(I::I32Add).set(sum);
                self.f.get(turned).get(sum).op(I::I32Xor).int(by).op(I::I32Rotl).set(turned);
            }
        }
        self.f.get(left).int(1).op(I::I32Sub).set(left).get(left).br_if(again);
        self.f.end_loop();
        for (at, &word) in state.iter().enumerate() {
            self.f.int(0).get(word);
            first(&mut self.f, at);
            self.f.op(I::I32Add).store_int(block + 4 * u32::saturating_from(at));
        }
        self.f.int(0).read(key + 32).long(1).op(I::I64Add).store(key + 32);
        self.f.write_int(used, |f| {
            f.int(0);
        });
    }
}
