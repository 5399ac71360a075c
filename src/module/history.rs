//! Repetition: keys of positions. Only positions at the first question of a turn are remembered (`records.rs`): what looks
//! back means the position at the next of these.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Next, Out};
use super::func::{Address, Func};
use super::lasting::Changed;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{CellKind, Number};
use crate::ir::PartId;

/// What is not translated.
pub(super) const REPETITION: Gap = Gap("repetition of positions where the next question is not known");

/// The largest table of keys of pieces on sites.
const MOST_KEYS: usize = 1 << 16;

impl<'a> Emit<'a> {
    /// The next question, which what looks at earlier positions depends on.
    fn foreseen(&self) -> Out<Next> {
        self.next.filter(|_| self.quiet()).ok_or(REPETITION)
    }

    /// Leaves on the stack how often the position at the next question has occurred.
    pub(super) fn occurrences(&mut self) -> Out {
        let next = self.foreseen()?;
        match self.changed.clone() {
            Some(changed) => {
                self.f.get(changed.key).get(changed.change).op(I::I64Xor);
            }
            None => self.next_key(next),
        }
        self.help(Help::Seen);
        // The position that comes is one more.
        self.f.long(1).op(I::I64Add);
        Ok(())
    }

    /// Leaves on the stack at how many plies a part has been as it is at the next question.
    pub(super) fn occurrences_of(&mut self, part: PartId) -> Out {
        let next = self.foreseen()?;
        if !next.sure {
            return Err(REPETITION);
        }
        let changed = self.changed.as_ref().and_then(|changed| {
            let (_, key) = changed.parts.iter().find(|(of, _)| *of == part)?;
            Some((*key, changed.change))
        });
        if let Some((key, change)) = changed {
            self.f.get(key).get(change).op(I::I64Xor);
        } else {
            self.mover_at(next);
            self.help(Help::PartKey(part));
        }
        self.f.read_int(self.layout.ply).op(I::I64ExtendI32U).long(next.moves).op(I::I64Add);
        self.help(Help::PartSeen(part));
        Ok(())
    }

    /// Leaves on the stack whether the position after a ply was that at the next question.
    pub(super) fn repeats(&mut self, ply: &'a Number<super::emit::Wide>) -> Out {
        let next = self.foreseen()?;
        self.next_key(next);
        self.number(ply)?;
        self.help(Help::Stood);
        Ok(())
    }

    /// Leaves on the stack whose turn it will be at the next question.
    fn mover_at(&mut self, next: Next) {
        let (mover, given) = (self.layout.mover, self.layout.next_mover);
        self.f.read_int(mover).op(I::I64ExtendI32U);
        if next.stays {
            return;
        }
        let seat = self.f.keep();
        self.f.read_int(given).op(I::I64ExtendI32U);
        let named = self.f.keep();
        self.f.get(seat);
        self.following();
        self.f.set(seat);
        self.f.get(named).get(seat).read_int(given).int(0).op(I::I32GeS).op(I::Select).set(seat);
        let playing = self.playing();
        self.contains(&playing, seat);
        self.f.op(I::I32Eqz);
        self.f.when();
        self.f.get(seat);
        self.following();
        self.f.set(seat);
        self.f.end();
        self.f.get(seat);
    }

    /// The keys of the position at the next question if a move changed nothing on the board, and of the parts that are the
    /// whole board.
    pub(super) fn changed_keys(&mut self, next: Option<Next>) -> Out<Changed> {
        let game = self.game;
        let next = next.filter(|_| self.quiet()).ok_or(REPETITION)?;
        self.next_key(next);
        let key = self.f.keep();
        let mut parts = Vec::new();
        for (part, counted) in game.parts.numbered() {
            if next.sure && counted.sites.count() == self.program.sites {
                self.mover_at(next);
                self.help(Help::PartKey(part));
                parts.push((part, self.f.keep()));
            }
        }
        Ok(Changed { change: key, key, parts })
    }

    /// Leaves the key of the position at the next question.
    fn next_key(&mut self, next: Next) {
        self.mover_at(next);
        self.key_at(next.at, next.stays);
    }

    /// Replaces the mover on the stack by the key of the position when that seat is asked at the beginning of some turns;
    /// whether the seat that was given the next turn is still to have it.
    pub(super) fn key_at(&mut self, turns: i64, given: bool) {
        self.f.long(turns << 16);
        if given {
            let next = self.layout.next_mover;
            self.f.read_int(next).int(1).op(I::I32Add).op(I::I64ExtendI32U).op(I::I64Or);
        }
        self.help(Help::Key);
        self.f.read(self.layout.board_key).op(I::I64Xor);
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

    /// Mixes the number on the stack into the key in a local.
    fn absorb(&mut self, key: u32) {
        self.f.get(key).op(I::I64Xor);
        self.mixed();
        self.f.set(key);
    }

    /// The key of everything that counts for repetition and does not lie on the board, with a mover at a question, both
    /// parameters: one after the other.
    pub(super) fn position_key(&mut self) {
        self.f = Func::new(2);
        let layout = self.layout.clone();
        self.f.get(1).long(16).op(I::I64Shl).get(0).op(I::I64Xor);
        self.mixed();
        let key = self.f.keep();
        self.f.read_int(layout.phase).op(I::I64ExtendI32U);
        self.absorb(key);
        for seat in 0..u32::saturating_from(self.game.seats.len()) {
            self.f.read_int(layout.standing + 4 * seat).op(I::I64ExtendI32U);
            self.absorb(key);
        }
        for (counts, held) in &self.program.keyed {
            if *counts {
                self.absorb_cell(*held, key);
            }
        }
        for list in 0..self.program.lists {
            self.absorb_zone(list, key);
        }
        self.f.get(key);
    }

    /// Mixes a list of a zone, by its number, into the key in a local.
    fn absorb_zone(&mut self, list: usize, key: u32) {
        let zones = self.layout.zones;
        self.absorb_list(zones.first + u32::saturating_from(list) * zones.stride, true, key);
    }

    /// Mixes a list at an address into the key in a local: how many members it has, and each of them.
    fn absorb_list(&mut self, list: Address, short: bool, key: u32) {
        self.f.read_int(list).op(I::I64ExtendI32U);
        self.absorb(key);
        self.f.at(list);
        let list = self.f.keep_small();
        let span = self.members_of(list, short);
        let next = self.f.small();
        self.f.get(span.at).set(next);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(next).get(span.end).op(I::I32GeU).br_if(done);
        let member = self.member_at(next, short);
        self.f.get(member);
        self.absorb(key);
        self.f.get(next).int(span.size()).op(I::I32Add).set(next).br(again);
        self.f.end_loop();
        self.f.end();
    }

    /// Mixes a value of a variable into the key in a local.
    fn absorb_cell(&mut self, held: CellKind, key: u32) {
        let (vars, sets) = (self.layout.vars, self.layout.var_sets);
        let places: Vec<u32> = match held {
            CellKind::Number(at) | CellKind::Piece(at) => vec![vars + 8 * at],
            CellKind::Set(at) => (0..self.bytes).step_by(8).map(|word| sets + self.bytes * at + word).collect(),
            CellKind::Numbers(at) | CellKind::Pieces(at) => {
                let lists = self.layout.var_lists;
                self.absorb_list(lists.first + at * lists.stride, false, key);
                return;
            }
        };
        for place in places {
            self.f.read(place);
            self.absorb(key);
        }
    }

    /// The key of a part that is counted by itself; the parameter is the mover.
    pub(super) fn part_key(&mut self, number: PartId) -> Out {
        self.f = Func::new(1);
        let (game, program) = (self.game, self.program);
        let part = game.parts.get(number).ok_or(REPETITION)?;
        let key = self.f.word();
        if part.mover {
            self.f.get(0);
            self.absorb(key);
        }
        let ends = program.zones.iter().skip(1).map(|zone| zone.first as usize).chain([program.lists]);
        for ((zone, info), end) in game.zones.ids().zip(&program.zones).zip(ends) {
            for list in (info.first as usize..end).filter(|_| part.zones.contains(&zone)) {
                self.absorb_zone(list, key);
            }
        }
        let mut first = 0;
        for (var, info) in game.vars.numbered() {
            let next = first + info.indices.iter().map(|(_, size)| *size).product::<usize>();
            if part.vars.contains(&var) {
                for (_, held) in program.keyed.iter().take(next).skip(first) {
                    self.absorb_cell(*held, key);
                }
            }
            first = next;
        }
        if part.sites.count() == program.sites {
            self.f.get(key).read(self.layout.board_key).op(I::I64Xor);
            return Ok(());
        }
        let sites = self.known(part.sites.iter().filter(|site| *site < program.sites).collect());
        self.members(&sites, &mut |emit, site, _| {
            let piece = emit.piece_on(site);
            emit.f.get(piece);
            emit.absorb(key);
            for pool in 0..program.pools {
                emit.f.long(i64::saturating_from(pool));
                let pool = emit.f.keep();
                emit.tokens_at(pool, site);
                emit.absorb(key);
            }
            Ok(())
        })?;
        self.f.get(key);
        Ok(())
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
