//! Repetition: keys of positions, and how often one has been seen. Only positions at the first question of a turn are
//! remembered: end conditions that look back mean the position at the next of these.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out};
use super::func::Func;
use super::layout::HISTORY;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::CellKind;

/// What is not translated.
const REPETITION: Gap = Gap("repetition of positions other than in an end condition");

/// The largest table of keys of pieces on sites.
const MOST_KEYS: usize = 1 << 16;

impl Emit<'_> {
    /// Leaves on the stack how often the position at the next question has occurred.
    pub(super) fn occurrences(&mut self) -> Out {
        let next = self.next.ok_or(REPETITION)?;
        if !self.program.quiet {
            return Err(REPETITION);
        }
        let (mover, given) = (self.layout.mover, self.layout.next_mover);
        self.f.read_int(mover).op(I::I64ExtendI32U);
        if !next.stays {
            let seat = self.f.keep();
            self.f.read_int(given).op(I::I64ExtendI32U);
            let named = self.f.keep();
            self.f.get(seat);
            self.help(Help::Following);
            self.f.set(seat);
            self.f.get(named).get(seat).read_int(given).int(0).op(I::I32GeS).op(I::Select).set(seat);
            let playing = self.read_set(self.layout.playing);
            self.contains(&playing, seat);
            self.f.op(I::I32Eqz);
            self.f.when();
            self.f.get(seat);
            self.help(Help::Following);
            self.f.set(seat);
            self.f.end();
            self.f.get(seat);
        }
        self.f.long(next.at);
        self.help(Help::Key);
        self.help(Help::Seen);
        // The position that comes is one more.
        self.f.long(1).op(I::I64Add);
        Ok(())
    }

    /// Remembers the position at the question that is being asked.
    pub(super) fn remember_position(&mut self, at: i64) {
        let (mover, count, history) = (self.layout.mover, self.layout.remembered, self.layout.history);
        self.f.read_int(count).int(HISTORY.cast_signed()).op(I::I32GeU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.f.read_int(count).int(3).op(I::I32Shl);
        self.f.read_int(mover).op(I::I64ExtendI32U).long(at);
        self.help(Help::Key);
        self.f.store(history);
        self.f.write_int(count, |f| {
            f.read_int(count).int(1).op(I::I32Add);
        });
    }

    /// Replaces the number on the stack by a well-mixed one (the finaliser of `SplitMix64`, Steele et al. 2014).
    fn mixed(&mut self) {
        let n = self.f.word();
        self.f.long(0x9e37_79b9_7f4a_7c15_u64.cast_signed()).op(I::I64Add).set(n);
        for (shift, by) in [(30, 0xbf58_476d_1ce4_e5b9_u64), (27, 0x94d0_49bb_1331_11eb)] {
            self.f.get(n).get(n).long(shift).op(I::I64ShrU).op(I::I64Xor);
            self.f.long(by.cast_signed()).op(I::I64Mul).set(n);
        }
        self.f.get(n).get(n).long(31).op(I::I64ShrU).op(I::I64Xor);
    }

    /// The key of the position with a mover at a question, both parameters: everything that counts for repetition, one
    /// after the other.
    pub(super) fn position_key(&mut self) {
        self.f = Func::new(2);
        let layout = self.layout.clone();
        self.f.get(1).long(8).op(I::I64Shl).get(0).op(I::I64Xor);
        self.mixed();
        let key = self.f.keep();
        let count = |emit: &mut Self, read: &dyn Fn(&mut Func)| {
            read(&mut emit.f);
            emit.f.get(key).op(I::I64Xor);
            emit.mixed();
            emit.f.set(key);
        };
        count(self, &|f| {
            f.read_int(layout.phase).op(I::I64ExtendI32U);
        });
        for seat in 0..u32::saturating_from(self.game.seats.len()) {
            count(self, &|f| {
                f.read_int(layout.standing + 4 * seat).op(I::I64ExtendI32U);
            });
        }
        for (counts, held) in &self.program.keyed {
            let places: Vec<u32> = match held {
                _ if !counts => continue,
                CellKind::Number(at) | CellKind::Piece(at) => vec![layout.vars + 8 * at],
                CellKind::Set(at) => {
                    (0..self.bytes).step_by(8).map(|word| layout.var_sets + self.bytes * at + word).collect()
                }
                // There are no lists.
                CellKind::Numbers(_) | CellKind::Pieces(_) => continue,
            };
            for place in places {
                count(self, &|f| {
                    f.read(place);
                });
            }
        }
        self.f.get(key).read(layout.board_key).op(I::I64Xor);
    }

    /// How many of the positions that are remembered have a key, the parameter.
    pub(super) fn seen_before(&mut self) {
        self.f = Func::new(1);
        let (count, history) = (self.layout.remembered, self.layout.history);
        let seen = self.f.word();
        self.f.read_int(count).int(3).op(I::I32Shl);
        let at = self.f.keep_small();
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).op(I::I32Eqz).br_if(done);
        self.f.get(at).int(8).op(I::I32Sub).set(at);
        self.f.get(at).load(history).get(0).op(I::I64Eq).op(I::I64ExtendI32U).get(seen).op(I::I64Add).set(seen);
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        self.f.get(seen);
    }

    /// Brings the key up to date when another piece comes to stand on a site: by the locals with the site, 64 bits, and
    /// the pieces before and after.
    pub(super) fn key_follows(&mut self, site: u32, before: u32, piece: u32) -> Out {
        let (pieces, board) = (self.program.pieces.len(), self.layout.board_key);
        if pieces * self.program.sites > MOST_KEYS {
            return Err(Gap("repetition with very many pieces"));
        }
        let all = (0..self.program.sites * pieces)
            .map(|at| self.program.piece_key(at / pieces, u16::saturating_from(at % pieces)).cast_signed());
        let keys: Vec<i64> = all.collect();
        let base = self.table_of_numbers(&keys);
        self.f.get(site).op(I::I32WrapI64).int(i32::saturating_from(pieces)).op(I::I32Mul);
        let row = self.f.keep_small();
        self.f.int(0).read(board);
        for piece in [before, piece] {
            self.f.get(row).get(piece).op(I::I32Add).int(3).op(I::I32Shl).load(base).op(I::I64Xor);
        }
        self.f.store(board);
        Ok(())
    }

    /// Brings the key up to date before the number of tokens of a pool on a site, all in locals, is set.
    pub(super) fn key_of_tokens(&mut self, pool: u32, site: u32, count: u32) {
        let board = self.layout.board_key;
        self.f.int(0).read(board);
        self.tokens_at(pool, site);
        let before = self.f.keep();
        for n in [before, count] {
            // No tokens count as nothing.
            self.f.get(pool).long(20).op(I::I64Shl).get(site).op(I::I64Or).long(33).op(I::I64Shl).get(n).op(I::I64Or);
            self.mixed();
            self.f.long(0).get(n).long(0).op(I::I64Ne).op(I::Select).op(I::I64Xor);
        }
        self.f.store(board);
    }
}
