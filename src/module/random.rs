//! Random numbers, the same as the interpreter draws (`play::Stream`).

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help};
use super::func::Func;
use crate::base::SaturatingFrom;

/// How many bytes of random numbers are drawn at once.
pub(super) const BLOCKS: u32 = 128;

impl Emit<'_> {
    /// A random number below another: the high half of a product, as in `play::Stream`.
    pub(super) fn random_below(&mut self) {
        const LOW: i64 = 0xFFFF_FFFF;
        self.f = Func::new(1);
        let (n, block, used) = (0, self.layout.block, self.layout.used);
        let again = self.f.again();
        self.f.read_int(used).int(BLOCKS.cast_signed()).op(I::I32GeU);
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

    /// The next two blocks of `ChaCha` with 8 rounds (Bernstein 2008), a counter and a stream of 64 bits each. The four rows of
    /// a block are vectors; the rows of both take turns, so that none waits for the one before.
    pub(super) fn random_block(&mut self) {
        const WORDS: [u32; 4] = [0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574];
        self.f = Func::new(0);
        let (key, block, used) = (self.layout.key, self.layout.block, self.layout.used);
        let constant = WORDS.iter().rev().fold(0_u128, |all, &word| all << 32 | u128::from(word)).cast_signed();
        let first: [u32; 4] = std::array::from_fn(|_| self.f.vector());
        self.f.op(I::V128Const(constant)).set(first[0]);
        // Key, counter and stream lie one behind the other.
        for (row, at) in (1..4).zip((key..).step_by(16)) {
            self.f.int(0).load_vector(at).set(first[row]);
        }
        let second: u32 = self.f.vector();
        self.f.get(first[3]).op(I::V128Const(1)).op(I::I64x2Add).set(second);
        let begun = [first, [first[0], first[1], first[2], second]];
        let blocks: [[u32; 4]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| self.f.vector()));
        for (rows, from) in blocks.iter().flatten().zip(begun.iter().flatten()) {
            self.f.get(*from).set(*rows);
        }
        self.f.int(4);
        let left = self.f.keep_small();
        let again = self.f.again();
        for diagonal in [false, true] {
            for (sum, with, turned, by) in [(0, 1, 3, 16), (2, 3, 1, 12), (0, 1, 3, 8), (2, 3, 1, 7)] {
                for rows in blocks {
                    let f = &mut self.f;
                    f.get(rows[sum]).get(rows[with]).op(I::I32x4Add).set(rows[sum]);
                    f.get(rows[turned]).get(rows[sum]).op(I::V128Xor).set(rows[turned]);
                    Self::turn_words(f, rows[turned], by);
                }
            }
            // The columns become diagonals, and these columns again.
            for (row, by) in [(1, 1), (2, 2), (3, 3)] {
                for rows in blocks {
                    let by = if diagonal { 4 - by } else { by };
                    let bytes = std::array::from_fn(|byte| u8::saturating_from((byte + 4 * by) % 16));
                    self.f.get(rows[row]).get(rows[row]).op(I::I8x16Shuffle(bytes)).set(rows[row]);
                }
            }
        }
        self.f.get(left).int(1).op(I::I32Sub).set(left).get(left).br_if(again);
        self.f.end_loop();
        let ends = blocks.iter().flatten().zip(begun.iter().flatten());
        for ((&row, &from), at) in ends.zip((block..).step_by(16)) {
            self.f.int(0).get(row).get(from).op(I::I32x4Add).store_vector(at);
        }
        self.f.int(0).read(key + 32).long(2).op(I::I64Add).store(key + 32);
        self.f.write_int(used, |f| {
            f.int(0);
        });
    }

    /// Rotates each of the four numbers in a vector to the left.
    fn turn_words(f: &mut Func, row: u32, by: u32) {
        f.get(row);
        if by.is_multiple_of(8) {
            let whole = 4 - by / 8;
            let bytes = std::array::from_fn(|byte| {
                let byte = u32::saturating_from(byte);
                u8::saturating_from(byte / 4 * 4 + (byte + whole) % 4)
            });
            f.get(row).op(I::I8x16Shuffle(bytes));
        } else {
            f.int(by.cast_signed()).op(I::I32x4Shl).get(row).int(32 - by.cast_signed()).op(I::I32x4ShrU).op(I::V128Or);
        }
        f.set(row);
    }
}
