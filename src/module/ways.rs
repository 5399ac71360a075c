//! Ways: a path that takes sites leads along several, which are told apart by where they end and what they take. A way is a
//! number: its end, and one bit for each site below it. Their order is that of the interpreter.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::{Address, Func, Part, Parts};
use super::walkers::From;
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Number, Set, WayRoute};

/// How many walkers there may be at a time: a path may find a hundred thousand, and others lie before them.
const WALKERS: u32 = 1 << 18;

/// On boards with more sites a way does not fit a number.
const MOST_SITES: usize = 57;

impl<'a> Emit<'a> {
    /// How many bits of a way say what it takes.
    pub(super) fn way_bits(&self) -> Out<i64> {
        if self.program.sites > MOST_SITES {
            return Err(Gap("ways on boards of more than 57 sites"));
        }
        Ok(i64::saturating_from(self.program.sites))
    }

    /// Leaves the site on which a way ends.
    pub(super) fn way_to(&mut self, way: &'a Number<Wide>) -> Out {
        let bits = self.way_bits()?;
        self.number(way)?;
        self.f.long(bits).op(I::I64ShrU);
        Ok(())
    }

    /// The sites that a way takes.
    pub(super) fn way_taken(&mut self, way: &'a Number<Wide>) -> Out<Parts> {
        self.way_bits()?;
        self.number(way)?;
        let way = self.f.keep();
        self.taken_by(way)
    }

    /// The sites that the way in a local takes.
    pub(super) fn taken_by(&mut self, way: u32) -> Out<Parts> {
        let bits = self.way_bits()?;
        self.f.get(way).long((1 << bits) - 1).op(I::I64And);
        let mut taken = self.known(Wide::NONE);
        if let Some(first) = taken.first_mut() {
            *first = Part::Local(self.f.keep());
        }
        Ok(taken)
    }

    /// Where walkers lie, of games that follow any one by one.
    pub(super) fn room_for_walkers(&mut self) -> Address {
        if let Some(walkers) = self.walkers_at {
            return walkers;
        }
        let walkers = self.room(8 * WALKERS);
        self.walkers_at = Some(walkers);
        walkers
    }

    /// The local with the place behind the last walker.
    pub(super) fn last_walker(&mut self) -> u32 {
        self.f.read_int(self.layout.walkers_top);
        self.f.keep_small()
    }

    /// Forgets the walkers behind a place, which is in a local.
    pub(super) fn drop_walkers(&mut self, top: u32) {
        let at = self.layout.walkers_top;
        self.f.write_int(at, |f| {
            f.get(top);
        });
    }

    /// The local with the place behind the last walker, if there may be any: loops over ways may be left early.
    pub(super) fn noted_walker(&mut self) -> Option<u32> {
        if self.game.paths.is_empty() || self.program.sites > MOST_SITES { None } else { Some(self.last_walker()) }
    }

    /// The walkers that have completed a path from all its starts, each once: the local with the place of the first.
    fn followed(&mut self, route: &'a WayRoute<Wide>) -> Out<u32> {
        let bits = self.way_bits()?;
        let (first, behind) = (self.last_walker(), self.last_walker());
        let starts = self.set(&route.from)?;
        let board = self.known(Wide::all(self.program.sites));
        let starts = self.and(&starts, &board);
        let single = matches!(route.from, Set::One(_));
        self.members(&starts, &mut |emit, start, _| {
            let scope = emit.scope();
            emit.bind_all(&route.binds)?;
            emit.numbers.push((route.start, start));
            emit.f.get(start).long(bits).op(I::I64Shl);
            let walker = emit.f.keep();
            let found = emit.walkers(&route.walker_path, route.stand, &From::One(walker))?;
            if single {
                emit.f.get(found).set(first);
            } else {
                emit.join(first, behind, found);
            }
            emit.leave_scope(scope);
            Ok(())
        })?;
        Ok(first)
    }

    /// Does something for each way of a path, in order.
    pub(super) fn each_way_of(
        &mut self,
        route: &'a WayRoute<Wide>,
        sorted: bool,
        each: &mut dyn FnMut(&mut Self, u32) -> Out,
    ) -> Out {
        let before = self.last_walker();
        let first = self.followed(route)?;
        let end = self.last_walker();
        if sorted {
            self.f.get(first).get(end);
            self.help(Help::SortWays);
        }
        self.each_walker(&From::Many(first, end), each)?;
        self.drop_walkers(before);
        Ok(())
    }

    /// The sites a path leads to, or all that its ways take.
    pub(super) fn all_of_ways(&mut self, route: &'a WayRoute<Wide>, ends: bool) -> Out<Parts> {
        let bits = self.way_bits()?;
        let all = self.variable(&self.known(Wide::NONE));
        self.each_way_of(route, false, &mut |emit, way| {
            let more = if ends {
                emit.f.get(way).long(bits).op(I::I64ShrU);
                emit.one()
            } else {
                emit.taken_by(way)?
            };
            emit.unite(&all, &more);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// Adds a walker to those from a place on, unless it is among them: the place and the walker are the parameters.
    pub(super) fn add_walker(&mut self) {
        self.f = Func::new(2);
        let walkers = self.room_for_walkers();
        let top = self.last_walker();
        let at = self.f.small();
        self.f.get(0).set(at);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).get(top).op(I::I32GeU).br_if(done);
        self.f.get(at).load(walkers).get(1).op(I::I64Eq);
        self.f.when();
        self.f.op(I::Return);
        self.f.end();
        self.f.get(at).int(8).op(I::I32Add).set(at).br(again);
        self.f.end_loop();
        self.f.end();
        self.f.stop_if_spent();
        self.f.get(top).at(8 * WALKERS).op(I::I32GeU);
        self.f.when();
        self.f.op(I::Unreachable);
        self.f.end();
        self.f.get(top).get(1).store(walkers);
        self.f.get(top).int(8).op(I::I32Add).set(top);
        self.drop_walkers(top);
    }

    /// Sorts the ways from one place to another, the parameters.
    pub(super) fn sort_ways(&mut self) {
        self.f = Func::new(2);
        let walkers = self.room_for_walkers();
        let (at, to, way) = (self.f.small(), self.f.small(), self.f.word());
        self.f.get(0).set(at);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).get(1).op(I::I32GeU).br_if(done);
        self.f.get(at).load(walkers).set(way).get(at).set(to);
        let placed = self.f.block();
        let on = self.f.again();
        self.f.get(to).get(0).op(I::I32Eq).br_if(placed);
        self.f.get(to).int(8).op(I::I32Sub).load(walkers).get(way).op(I::I64LeU).br_if(placed);
        self.f.get(to).get(to).int(8).op(I::I32Sub).load(walkers).store(walkers);
        self.f.get(to).int(8).op(I::I32Sub).set(to).br(on);
        self.f.end_loop();
        self.f.end();
        self.f.get(to).get(way).store(walkers);
        self.f.stop_if_spent();
        self.f.get(at).int(8).op(I::I32Add).set(at).br(again);
        self.f.end_loop();
        self.f.end();
    }
}
