//! Operations that many games need, each a function of its own.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out};
use super::func::Func;
use crate::base::SaturatingFrom;

impl Emit<'_> {
    pub(super) fn helped(&mut self, help: Help) -> Out {
        match help {
            Help::Put => self.write_put(true),
            Help::PutBack => self.write_put(false),
            Help::SetTokens => {
                self.write_set_tokens();
                Ok(())
            }
            Help::Following => {
                self.seat_beside(true);
                Ok(())
            }
            Help::Preceding => {
                self.seat_beside(false);
                Ok(())
            }
            Help::Product => {
                self.product();
                Ok(())
            }
            Help::Quotient => {
                self.quotient();
                Ok(())
            }
            Help::Remainder => {
                self.remainder();
                Ok(())
            }
            Help::PlaceTop => self.place_seats(true),
            Help::PlaceBottom => self.place_seats(false),
            Help::Below => {
                self.random_below();
                Ok(())
            }
            Help::Block => {
                self.random_block();
                Ok(())
            }
            Help::Key => {
                self.position_key();
                Ok(())
            }
            Help::PartKey(part) => self.part_key(part),
            Help::Seen => {
                self.seen_before();
                Ok(())
            }
            Help::PartSeen(part) => {
                self.part_seen(part);
                Ok(())
            }
            Help::Stood => {
                self.stood();
                Ok(())
            }
            Help::Forget => {
                self.forget_positions();
                Ok(())
            }
            Help::Sort => {
                self.write_sort();
                Ok(())
            }
            Help::Push => {
                self.write_push();
                Ok(())
            }
            Help::Pop => {
                self.write_pop();
                Ok(())
            }
            Help::Pull => {
                self.write_pull();
                Ok(())
            }
            Help::Take => {
                self.write_take();
                Ok(())
            }
            Help::Lay => {
                self.write_lay();
                Ok(())
            }
            Help::AddWalker => {
                self.add_walker();
                Ok(())
            }
            Help::SortWays => {
                self.sort_ways();
                Ok(())
            }
        }
    }

    /// Puts a piece on a site: parameters are the site, 64 bits, and the piece, 32 bits. The change is noted, unless it
    /// takes back one of a move that was tried out.
    fn write_put(&mut self, noted: bool) -> Out {
        self.f = Func::new(2);
        let (program, layout) = (self.program, self.layout.clone());
        let (site, piece) = (0, 1);
        self.f.get(site).long(i64::saturating_from(program.sites)).op(I::I64GeU);
        self.f.when();
        self.f.op(I::Return);
        self.f.end();
        self.f.get(site).op(I::I32WrapI64).int(1).op(I::I32Shl);
        let at = self.f.keep_small();
        self.f.get(at).load_short(layout.sites);
        let before = self.f.keep_small();
        self.f.get(before).get(piece).op(I::I32Eq);
        self.f.when();
        self.f.op(I::Return);
        self.f.end();
        self.f.get(at).get(piece).store_short(layout.sites);
        // The word of a set that the site is in, as an offset, and its bit.
        self.f.get(site).long(6).op(I::I64ShrU).op(I::I32WrapI64).int(3).op(I::I32Shl);
        let word = self.f.keep_small();
        self.f.long(1).get(site).op(I::I64Shl);
        let bit = self.f.keep();
        self.f.long(-1).get(bit).op(I::I64Xor);
        let others = self.f.keep();
        if noted {
            self.note_put(at, before, word, bit);
        }
        // For each piece the offsets of its indexes, ended by one beyond all.
        let mut lists = Vec::new();
        let mut from = Vec::new();
        for piece in 0..program.pieces.len() {
            from.push(4 * u32::saturating_from(lists.len()));
            let indexes = program.indexed.get(piece).map_or(&[][..], AsRef::as_ref);
            lists.extend(indexes.iter().map(|&index| layout.indexes + self.bytes * u32::from(index)));
            lists.push(0);
        }
        let base = self.table_of_ints(lists);
        let from = self.table_of_ints(from.into_iter().map(|offset| base + offset));
        for (number, with, op) in [(before, others, I::I64And), (piece, bit, I::I64Or)] {
            self.f.get(number).int(2).op(I::I32Shl).load_int(from);
            let next = self.f.keep_small();
            let done = self.f.block();
            let again = self.f.again();
            self.f.get(next).load_int(0);
            let index = self.f.keep_small();
            self.f.get(index).op(I::I32Eqz).br_if(done);
            self.f.get(index).get(word).op(I::I32Add);
            let place = self.f.keep_small();
            self.f.get(place).get(place).load(0).get(with).op(op).store(0);
            self.f.get(next).int(4).op(I::I32Add).set(next).br(again);
            self.f.end_loop();
            self.f.end();
        }
        self.f.get(word).get(word).load(layout.taken);
        self.f.get(others).op(I::I64And).get(bit).long(0).get(piece).op(I::Select).op(I::I64Or);
        self.f.store(layout.taken);
        if program.remembers {
            self.key_follows(site, before, piece)?;
        }
        for number in 0..program.graphs.len() {
            self.hops_follow(number, site, before, piece)?;
        }
        Ok(())
    }

    /// Updates a maintained graph after a site has changed.
    fn hops_follow(&mut self, number: usize, site: u32, before: u32, piece: u32) -> Out {
        let program = self.program;
        let graph = &program.graphs[number];
        let over = self.table(graph.over.iter().map(|&over| over.into()).collect());
        let (middles, ends) = (self.pairs_of(&graph.by_middle), self.pairs_of(&graph.by_end));
        self.f.get(before).load_byte(over).get(piece).load_byte(over).op(I::I32Ne);
        self.f.when();
        self.each_pair(&middles, site, &mut |emit, from, end| {
            let there = emit.piece_on(end);
            emit.f.get(piece).load_byte(over);
            emit.f.get(there).op(I::I64Eqz).op(I::I32And);
            emit.change_edge(number, from, end);
            Ok(())
        })?;
        self.f.end();
        self.f.get(before).op(I::I32Eqz).get(piece).op(I::I32Eqz).op(I::I32Ne);
        self.f.when();
        self.each_pair(&ends, site, &mut |emit, from, middle| {
            let there = emit.piece_on(middle);
            emit.f.get(there).op(I::I32WrapI64).load_byte(over);
            emit.f.get(piece).op(I::I32Eqz).op(I::I32And);
            emit.change_edge(number, from, site);
            Ok(())
        })?;
        self.f.end();
        Ok(())
    }

    /// Sets the number of tokens: parameters are the pool, the site and the number, 64 bits each.
    fn write_set_tokens(&mut self) {
        self.f = Func::new(3);
        let (pool, site, count) = (0, 1, 2);
        let (sites, pools) = (i64::saturating_from(self.program.sites), i64::saturating_from(self.program.pools));
        let (tokens, of_pools) = (self.layout.tokens, self.layout.token_sites);
        self.f.get(pool).long(pools).op(I::I64GeU).get(site).long(sites).op(I::I64GeU).op(I::I32Or);
        self.f.when();
        self.f.op(I::Return);
        self.f.end();
        if self.program.remembers {
            self.key_of_tokens(pool, site, count);
        }
        self.f.get(pool).long(sites).op(I::I64Mul).get(site).op(I::I64Add).op(I::I32WrapI64);
        self.f.int(self.layout.token_bytes.trailing_zeros().cast_signed()).op(I::I32Shl);
        self.f.get(count).op(I::I32WrapI64);
        self.store_tokens(tokens);
        self.f.get(pool).op(I::I32WrapI64).int(self.bytes.cast_signed()).op(I::I32Mul);
        self.f.get(site).long(6).op(I::I64ShrU).op(I::I32WrapI64).int(3).op(I::I32Shl).op(I::I32Add);
        let place = self.f.keep_small();
        self.f.long(1).get(site).op(I::I64Shl);
        let bit = self.f.keep();
        self.f.get(place).get(place).load(of_pools).get(bit).long(-1).op(I::I64Xor).op(I::I64And);
        self.f.long(0).get(bit).get(count).op(I::I64Eqz).op(I::Select).op(I::I64Or).store(of_pools);
    }

    /// The next or previous seat that still plays; itself if no other does. Parameter and result have 64 bits.
    fn seat_beside(&mut self, next: bool) {
        self.f = Func::new(1);
        let seats = i64::saturating_from(self.game.seats.len().max(1));
        let playing = self.read_set(self.layout.playing);
        let (seat, left) = (self.f.word(), self.f.word());
        // A number that names no seat is as good as the last one, or as the first.
        self.f.get(0).set(seat).long(seats).set(left);
        if !next {
            self.f.get(seat).long(seats).op(I::I64RemU).set(seat);
        }
        let again = self.f.again();
        if next {
            self.f.long(0).get(seat).long(1).op(I::I64Add);
            self.f.get(seat).long(seats - 1).op(I::I64GeU).op(I::Select).set(seat);
        } else {
            self.f.long(seats - 1).get(seat).long(1).op(I::I64Sub).get(seat).op(I::I64Eqz).op(I::Select).set(seat);
        }
        self.contains(&playing, seat);
        self.f.when();
        self.f.get(seat).op(I::Return);
        self.f.end();
        self.f.get(left).long(1).op(I::I64Sub).set(left);
        self.f.get(left).op(I::I64Eqz).op(I::I32Eqz).br_if(again);
        self.f.end_loop();
        self.f.get(0);
    }

    /// The product of two numbers, kept in range.
    fn product(&mut self) {
        self.f = Func::new(2);
        let (a, b) = (0, 1);
        // Nothing overflows if both have 32 bits.
        self.f.get(a).get(a).op(I::I64Extend32S).op(I::I64Eq);
        self.f.get(b).get(b).op(I::I64Extend32S).op(I::I64Eq).op(I::I32And);
        self.f.when();
        self.f.get(a).get(b).op(I::I64Mul).op(I::Return);
        self.f.end();
        self.f.get(a).op(I::I64Eqz).get(b).op(I::I64Eqz).op(I::I32Or);
        self.f.when();
        self.f.long(0).op(I::Return);
        self.f.end();
        // The one product whose quotient would overflow.
        for (one, other) in [(a, b), (b, a)] {
            self.f.get(one).long(-1).op(I::I64Eq);
            self.f.when();
            self.f.long(i64::MAX).long(0).get(other).op(I::I64Sub);
            self.f.get(other).long(i64::MIN).op(I::I64Eq).op(I::Select).op(I::Return);
            self.f.end();
        }
        self.f.get(a).get(b).op(I::I64Mul);
        let product = self.f.keep();
        self.f.get(product);
        self.f.long(i64::MIN).long(i64::MAX).get(a).get(b).op(I::I64Xor).long(0).op(I::I64LtS).op(I::Select);
        self.f.get(product).get(b).op(I::I64DivS).get(a).op(I::I64Eq).op(I::Select);
    }

    fn quotient(&mut self) {
        self.f = Func::new(2);
        let (a, b) = (0, 1);
        self.f.get(b).op(I::I64Eqz);
        self.f.when();
        self.f.long(0).op(I::Return);
        self.f.end();
        self.f.get(a).long(i64::MIN).op(I::I64Eq).get(b).long(-1).op(I::I64Eq).op(I::I32And);
        self.f.when();
        self.f.long(i64::MAX).op(I::Return);
        self.f.end();
        self.f.get(a).get(b).op(I::I64DivS);
    }

    /// The remainder that is never negative.
    fn remainder(&mut self) {
        self.f = Func::new(2);
        let (a, b) = (0, 1);
        self.f.get(b).op(I::I64Eqz);
        self.f.when();
        self.f.long(0).op(I::Return);
        self.f.end();
        self.f.get(a).get(b).op(I::I64RemS);
        let rest = self.f.keep();
        self.f.get(rest).long(0).op(I::I64LtS);
        self.f.when();
        self.f.get(rest).get(b).long(0).get(b).op(I::I64Sub);
        self.f.get(b).long(0).op(I::I64GtS).op(I::Select).op(I::I64Add).set(rest);
        self.f.end();
        self.f.get(rest);
    }

    /// Gives the seats of a set, whose words are the parameters, the next free rank; whether every seat has one then.
    fn place_seats(&mut self, from_top: bool) -> Out {
        self.f = Func::new(u32::saturating_from(self.words));
        let named: super::func::Parts = (0..u32::saturating_from(self.words)).map(super::func::Part::Local).collect();
        let count = u32::saturating_from(self.game.seats.len());
        let (standing, playing) = (self.layout.standing, self.layout.playing);
        let rank = self.f.word();
        // If no rank is free, it is the last.
        self.f.long(count.into()).set(rank);
        // Seats that share a rank hold as many, from theirs on.
        let mut sharing = Vec::new();
        for rank in 1..=count {
            self.f.int(0);
            for seat in 0..count {
                self.f.read_int(standing + 4 * seat).int(rank.cast_signed()).op(I::I32Eq).op(I::I32Add);
            }
            sharing.push((rank, self.f.keep_small()));
        }
        let held = |emit: &mut Self, rank: u32| {
            emit.f.int(0);
            for &(first, sharing) in sharing.iter().filter(|(first, _)| *first <= rank) {
                emit.f.get(sharing).int((rank - first).cast_signed()).op(I::I32GtS).op(I::I32Or);
            }
        };
        let found = self.f.block();
        let ranks: Vec<u32> = if from_top { (1..=count).collect() } else { (1..=count).rev().collect() };
        for free in ranks {
            held(self, free);
            self.f.op(I::I32Eqz);
            self.f.when();
            self.f.long(free.into());
            if !from_top {
                // So many seats share the last ranks; their rank is the first of these.
                self.f.long(1).op(I::I64Add);
                self.size(&named);
                self.f.op(I::I64Sub);
                let first = self.f.keep();
                self.f.get(first).long(0).get(first).long(0).op(I::I64GtS).op(I::Select);
            }
            self.f.set(rank).br(found);
            self.f.end();
        }
        self.f.end();
        self.members(&named, &mut |emit, seat, _| {
            emit.f.get(seat).op(I::I32WrapI64).int(2).op(I::I32Shl);
            emit.f.get(rank).op(I::I32WrapI64).store_int(standing);
            Ok(())
        })?;
        let left = self.read_set(playing);
        let left = self.minus(&left, &named);
        self.write_set(playing, &left);
        self.f.int(1);
        for seat in 0..count {
            self.f.read_int(standing + 4 * seat).int(0).op(I::I32Ne).op(I::I32And);
        }
        Ok(())
    }
}
