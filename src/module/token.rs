//! Tokens: how many there are, moving and sowing them.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::Parts;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Number, Pools, Set, Sow};

/// The pools of tokens concerned.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    /// The pool whose number is in a local.
    One(u32),
    /// Those of some seats, counted from a pool.
    All(u16, Parts),
}

impl<'a> Emit<'a> {
    pub(super) fn pools(&mut self, pools: &'a Pools<Wide>) -> Out<Chosen> {
        match pools {
            Pools::One(pool) => {
                self.f.long((*pool).into());
            }
            Pools::Mine(base) => {
                self.me();
                self.f.long((*base).into()).op(I::I64Add);
            }
            Pools::Of(base, seat) => {
                // A negative number of a seat is none: it must not become the number of another pool.
                self.number(seat)?;
                let seat = self.f.keep();
                self.f.get(seat).long((*base).into()).op(I::I64Add).long(-1);
                self.f.get(seat).long(0).op(I::I64GeS).op(I::Select);
            }
            Pools::All(base, seats) => return Ok(Chosen::All(*base, self.set(seats)?)),
        }
        Ok(Chosen::One(self.f.keep()))
    }

    /// Does something for each of some pools, whose number is in a local.
    pub(super) fn each_pool(&mut self, pools: &Chosen, each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        match pools {
            Chosen::One(pool) => each(self, *pool),
            Chosen::All(base, seats) => self.members(seats, &mut |emit, seat, _| {
                emit.f.get(seat).long((*base).into()).op(I::I64Add);
                let pool = emit.f.keep();
                each(emit, pool)
            }),
        }
    }

    /// Leaves on the stack the address of a pool's tokens on a site, both in locals; of nothing if there is no such.
    fn tokens_address(&mut self, pool: u32, site: u32) {
        let (sites, pools) = (i64::saturating_from(self.program.sites), i64::saturating_from(self.program.pools));
        self.f.get(pool).long(sites).op(I::I64Mul).get(site).op(I::I64Add).op(I::I32WrapI64);
        self.f.int(self.layout.token_bytes.trailing_zeros().cast_signed()).op(I::I32Shl);
        self.f.at(self.layout.tokens).op(I::I32Add).at(self.layout.nothing);
        self.f.get(pool).long(pools).op(I::I64LtU).get(site).long(sites).op(I::I64LtU).op(I::I32And).op(I::Select);
    }

    /// Leaves on the stack how many tokens of a pool are on a site.
    pub(super) fn tokens_at(&mut self, pool: u32, site: u32) {
        self.tokens_address(pool, site);
        self.load_tokens(0);
        self.f.op(I::I64ExtendI32U);
    }

    /// Leaves on the stack how many tokens of some pools are on the sites of a set.
    pub(super) fn tokens_on(&mut self, pools: &'a Pools<Wide>, sites: &'a Set<Wide>) -> Out {
        let sites = self.set(sites)?;
        let pools = self.pools(pools)?;
        self.f.long(0);
        let sum = self.f.keep();
        self.each_pool(&pools, &mut |emit, pool| {
            emit.members(&sites, &mut |emit, site, _| {
                emit.tokens_at(pool, site);
                emit.f.get(sum).op(I::I64Add).set(sum);
                Ok(())
            })
        })?;
        self.f.get(sum);
        Ok(())
    }

    /// Sets the number of tokens of a pool on a site, from a local.
    pub(super) fn set_tokens(&mut self, pool: u32, site: u32, count: u32) {
        self.f.get(pool).get(site).get(count);
        self.help(Help::SetTokens);
    }

    /// Adds tokens, as many as a local says.
    pub(super) fn add_tokens(&mut self, pool: u32, site: u32, more: u32) {
        const MOST: i64 = 0xFFFF_FFFF;
        self.tokens_at(pool, site);
        self.f.get(more).op(I::I64Add);
        let sum = self.f.keep();
        self.f.get(sum).long(MOST).get(sum).long(MOST).op(I::I64LtU).op(I::Select);
        let sum = self.f.keep();
        self.set_tokens(pool, site, sum);
    }

    /// Keeps the number on the stack as a number of tokens: not negative, and of 32 bits.
    pub(super) fn token_count(&mut self) -> u32 {
        const MOST: i64 = 0xFFFF_FFFF;
        let n = self.f.keep();
        self.f.long(0).long(MOST).get(n).get(n).long(MOST).op(I::I64GtS).op(I::Select);
        self.f.get(n).long(0).op(I::I64LtS).op(I::Select);
        self.f.keep()
    }

    pub(super) fn move_tokens(
        &mut self,
        pools: &'a Pools<Wide>,
        number: Option<&'a Number<Wide>>,
        from: &'a Set<Wide>,
        to: &'a Set<Wide>,
    ) -> Out {
        let number = match number {
            Some(number) => {
                self.number(number)?;
                Some(self.token_count())
            }
            None => None,
        };
        let (from, to) = (self.set(from)?, self.set(to)?);
        self.any(&to);
        self.f.when();
        self.least(&to);
        let to = self.f.keep();
        let pools = self.pools(pools)?;
        self.each_pool(&pools, &mut |emit, pool| {
            emit.members(&from, &mut |emit, site, _| {
                emit.tokens_at(pool, site);
                let there = emit.f.keep();
                let taken = match number {
                    Some(number) => {
                        emit.f.get(number).get(there).get(number).get(there).op(I::I64LtU).op(I::Select);
                        emit.f.keep()
                    }
                    None => there,
                };
                emit.f.get(there).get(taken).op(I::I64Sub);
                let left = emit.f.keep();
                emit.set_tokens(pool, site, left);
                emit.add_tokens(pool, to, taken);
                Ok(())
            })
        })?;
        self.f.end();
        Ok(())
    }

    /// Sows the tokens of a site one by one; returns the local with the last site, if there was a first. Where the
    /// track ends, the remaining tokens stay on its last site.
    pub(super) fn sow(&mut self, sow: &'a Sow<Wide>, then: &mut dyn FnMut(&mut Self, u32)) -> Out {
        let program = self.program;
        let start = if let Set::One(number) = &sow.from {
            // What is no site has no tokens.
            self.number(number)?;
            let start = self.f.keep();
            self.f.get(start).long(i64::saturating_from(64 * self.words)).op(I::I64LtU);
            self.f.when();
            start
        } else {
            let from = self.set(&sow.from)?;
            self.any(&from);
            self.f.when();
            self.least(&from);
            self.f.keep()
        };
        let along = self.set(&sow.along)?;
        // All ways one after the other; beyond them there is one that leads nowhere.
        let (sites, ways) = (program.sites, program.onward.len());
        let tracks = program.onward.iter().flat_map(|way| way.iter().copied());
        let base = self.table_of_shorts(tracks.chain(std::iter::repeat_n(u16::MAX, sites)));
        let nowhere = i64::saturating_from(ways);
        self.least(&along);
        let first = self.f.keep();
        self.f.get(first).long(nowhere).get(first).long(nowhere).op(I::I64LtU).op(I::Select);
        let way = self.f.keep();
        self.f.get(way).long(i64::saturating_from(2 * sites)).op(I::I64Mul).op(I::I32WrapI64);
        self.f.at(base).op(I::I32Add);
        let track = self.f.keep_small();
        let skip = match &sow.skip {
            Some(skip) => Some(self.set(skip)?),
            None => None,
        };
        let site = self.f.word();
        self.f.get(start).set(site);
        let pools = self.pools(&sow.pools)?;
        let rows = if matches!(pools, Chosen::One(_)) { self.rows_of(sow) } else { None };
        self.each_pool(&pools, &mut |emit, pool| {
            emit.tokens_at(pool, start);
            let left = emit.f.keep();
            if let Some(rows) = &rows {
                emit.sown_at_once(rows, pool, start, (left, site));
            }
            let (none, one) = (emit.f.word(), emit.f.word());
            emit.f.long(0).set(none).long(1).set(one);
            emit.set_tokens(pool, start, none);
            if !emit.program.remembers {
                emit.sow_pool(pool, (track, skip.as_ref()), site, left);
                if rows.is_some() {
                    emit.f.end();
                }
                return Ok(());
            }
            let done = emit.f.block();
            let again = emit.f.again();
            emit.f.get(left).op(I::I64Eqz).br_if(done);
            emit.f.stop_if_spent();
            let next = emit.next_site(track, site, skip.as_ref());
            emit.f.get(next).long(u16::MAX.into()).op(I::I64Eq);
            emit.f.when();
            emit.add_tokens(pool, site, left);
            emit.f.br(done);
            emit.f.end();
            emit.f.get(next).set(site);
            emit.add_tokens(pool, site, one);
            emit.f.get(left).long(1).op(I::I64Sub).set(left).br(again);
            emit.f.end_loop();
            emit.f.end();
            Ok(())
        })?;
        then(self, site);
        self.f.end();
        Ok(())
    }

    /// Sows so many tokens of a pool, none of which counts for repetition: the sites that get one are noted together.
    fn sow_pool(&mut self, pool: u32, (track, skip): (u32, Option<&Parts>), site: u32, left: u32) {
        let sites = i64::saturating_from(self.program.sites);
        let sown = self.variable(&self.known(Wide::NONE));
        // A pool that there is not is as good as the first, and gets nothing.
        self.f.get(pool).long(0).get(pool).long(i64::saturating_from(self.program.pools)).op(I::I64LtU).op(I::Select);
        let row = self.f.keep();
        let (width, shift) = (self.layout.token_bytes, self.layout.token_bytes.trailing_zeros().cast_signed());
        self.f
            .get(row)
            .long(i64::from(width) * sites)
            .op(I::I64Mul)
            .op(I::I32WrapI64)
            .at(self.layout.tokens)
            .op(I::I32Add);
        let tokens = self.f.keep_small();
        let place = self.f.small();
        let address = |emit: &mut Self| {
            emit.f.get(tokens).get(site).op(I::I32WrapI64).int(shift).op(I::I32Shl).op(I::I32Add).set(place);
        };
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(left).op(I::I64Eqz).br_if(done);
        self.f.stop_if_spent();
        let next = self.next_site(track, site, skip);
        self.f.get(next).long(u16::MAX.into()).op(I::I64Eq);
        self.f.when();
        self.add_tokens(pool, site, left);
        self.f.br(done);
        self.f.end();
        self.f.get(next).set(site);
        address(self);
        self.f.get(place).get(place);
        self.load_tokens(0);
        let there = self.f.keep_small();
        // One more, unless there are as many as can be.
        self.f.get(there).get(there).int(-1).op(I::I32Ne).op(I::I32Add);
        self.store_tokens(0);
        self.insert(&sown, site);
        self.f.get(left).long(1).op(I::I64Sub).set(left).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.get(row).op(I::I32WrapI64).int(self.bytes.cast_signed()).op(I::I32Mul).at(self.layout.token_sites);
        self.f.op(I::I32Add);
        let of_pool = self.f.keep_small();
        for (at, &word) in (0..).step_by(8).zip(&sown) {
            self.f.get(of_pool).get(of_pool).load(at).get(word).op(I::I64Or).store(at);
        }
    }

    /// The next site of a track that is not skipped; the greatest number if there is none.
    fn next_site(&mut self, track: u32, from: u32, skip: Option<&Parts>) -> u32 {
        let sites = i64::saturating_from(self.program.sites);
        let next = self.f.word();
        self.f.get(from).set(next);
        let step = |emit: &mut Self| {
            emit.f.get(track).get(next).op(I::I32WrapI64).int(1).op(I::I32Shl).op(I::I32Add);
            emit.f.load_short(0).op(I::I64ExtendI32U).set(next);
        };
        let Some(skip) = skip else {
            step(self);
            return next;
        };
        self.f.long(sites);
        let left = self.f.keep();
        let done = self.f.block();
        let again = self.f.again();
        step(self);
        self.f.get(next).long(u16::MAX.into()).op(I::I64Eq).br_if(done);
        self.contains(skip, next);
        self.f.op(I::I32Eqz).br_if(done);
        self.f.get(left).long(1).op(I::I64Sub).set(left);
        self.f.get(left).op(I::I64Eqz).op(I::I32Eqz).br_if(again);
        // Every site is skipped.
        self.f.long(u16::MAX.into()).set(next);
        self.f.end_loop();
        self.f.end();
        next
    }
}
