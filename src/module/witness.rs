//! Whether hops lead somewhere, with one way there as the witness: while nothing on that way changes, they do.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::{Address, Label, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Hop, HopTable, Route};

/// What a search keeps in memory: sets, where a bit is found by its number, and how each site was reached.
struct Search {
    /// The sites that may be hopped over, those that may be landed on and have not been, and those looked for.
    over: Address,
    free: Address,
    wanted: Address,
    /// The sites from which hops are still to be followed.
    edge: Address,
    /// For each site the one hopped over, and the one hopped from, of 16 bits each.
    came: Address,
    /// The sites of a way.
    way: Address,
}

impl<'a> Emit<'a> {
    /// Leaves on the stack whether hops, at least `least`, lead to one of some sites. Of the sites on the edge of the search,
    /// those whose numbers lie further in the direction of what is looked for come first.
    pub(super) fn hops_lead(
        &mut self,
        route: &'a Route<Wide>,
        (hop, table, least): (&'a Hop<Wide>, &'a HopTable, u32),
        wanted: &Parts,
    ) -> Out {
        let set = self.bytes;
        let search = Search {
            over: self.room(set),
            free: self.room(set),
            wanted: self.room(set),
            edge: self.room(set),
            came: self.room(4 * u32::saturating_from(self.program.sites)),
            way: self.room(set),
        };
        self.write_set(search.wanted, wanted);
        let (found, last, upward) = (self.f.small(), self.f.word(), self.f.small());
        self.f.int(0).set(found);
        let starts = self.set(&route.from)?;
        self.members(&starts, &mut |emit, start, done| {
            let scope = emit.scope();
            emit.bind_all(&route.binds)?;
            emit.numbers.push((route.start, start));
            if least == 0 {
                emit.contains(wanted, start);
                emit.f.set(found).get(found).br_if(done);
            }
            emit.f.get(start).long(i64::saturating_from(table.from.len().saturating_sub(1))).op(I::I64LtU);
            emit.f.when();
            let (over, to) = (emit.set(&hop.over)?, emit.set(&hop.to)?);
            emit.leave_scope(scope);
            emit.write_set(search.over, &over);
            emit.write_set(search.free, &to);
            emit.f.get(start);
            let only = emit.one();
            emit.write_set(search.edge, &only);
            if least == 0 {
                emit.change_bit(search.free, start, false);
            }
            emit.least(wanted);
            emit.f.get(start).op(I::I64GtU).set(upward);
            let finished = emit.f.block();
            let again = emit.f.again();
            let site = emit.furthest(search.edge, upward, finished);
            let pairs = emit.pairs_of(table);
            emit.each_pair(&pairs, site, &mut |emit, middle, end| {
                emit.has_bit(search.over, middle);
                emit.has_bit(search.free, end);
                emit.f.op(I::I64And).op(I::I32WrapI64);
                emit.f.when();
                emit.change_bit(search.free, end, false);
                emit.f.get(end).op(I::I32WrapI64).int(2).op(I::I32Shl);
                emit.f.get(site).long(16).op(I::I64Shl).get(middle).op(I::I64Or).op(I::I32WrapI64);
                emit.f.store_int(search.came);
                emit.f.get(end).set(last);
                emit.has_bit(search.wanted, end);
                emit.f.op(I::I32WrapI64).set(found).get(found).br_if(finished);
                emit.change_bit(search.edge, end, true);
                emit.f.end();
                Ok(())
            })?;
            emit.f.br(again);
            emit.f.end_loop();
            emit.f.end();
            emit.way_looked_at(&search, table, (start, last), found, &to)?;
            emit.f.get(found).br_if(done);
            emit.f.end();
            Ok(())
        })?;
        self.f.get(found);
        Ok(())
    }

    /// If a way was found, the sites on it are looked at; else all sites that decided that there is none.
    fn way_looked_at(
        &mut self,
        search: &Search,
        table: &HopTable,
        (start, last): (u32, u32),
        found: u32,
        to: &Parts,
    ) -> Out {
        if !self.notes {
            return Ok(());
        }
        self.f.get(found);
        self.f.when();
        self.write_set(search.way, &self.known(Wide::NONE));
        let again = self.f.again();
        self.change_bit(search.way, last, true);
        self.f.get(last).op(I::I32WrapI64).int(2).op(I::I32Shl).load_int(search.came);
        let came = self.f.keep_small();
        self.f.get(came).int(0xFFFF).op(I::I32And).op(I::I64ExtendI32U);
        let middle = self.f.keep();
        self.change_bit(search.way, middle, true);
        self.f.get(came).int(16).op(I::I32ShrU).op(I::I64ExtendI32U).set(last);
        self.f.get(last).get(start).op(I::I64Ne).br_if(again);
        self.f.end_loop();
        let way = self.read_set(search.way);
        self.look(&way);
        self.f.otherwise();
        let left = self.read_set(search.free);
        let reached = self.minus(to, &left);
        self.look_at_hops(table, start);
        self.members(&reached, &mut |emit, site, _| {
            emit.look_at_hops(table, site);
            Ok(())
        })?;
        self.f.end();
        Ok(())
    }

    /// Takes the last, or the first, member out of a set in memory, as a truth value in a local says; goes to a label if there
    /// is none.
    fn furthest(&mut self, set: Address, upward: u32, none: Label) -> u32 {
        let (site, word) = (self.f.word(), self.f.word());
        let taken = self.f.block();
        let places: Vec<(u32, i64)> = (0..self.bytes).step_by(8).zip((0..).step_by(64)).collect();
        self.f.get(upward);
        self.f.when();
        for &(offset, base) in places.iter().rev() {
            self.f.read(set + offset).set(word).get(word).op(I::I64Eqz).op(I::I32Eqz);
            self.f.when();
            self.f.long(63).get(word).op(I::I64Clz).op(I::I64Sub).set(site);
            self.f.int(0).get(word).long(1).get(site).op(I::I64Shl).op(I::I64Xor).store(set + offset);
            self.f.get(site).long(base).op(I::I64Or).set(site).br(taken);
            self.f.end();
        }
        self.f.otherwise();
        for &(offset, base) in &places {
            self.f.read(set + offset).set(word).get(word).op(I::I64Eqz).op(I::I32Eqz);
            self.f.when();
            self.f.get(word).op(I::I64Ctz).long(base).op(I::I64Or).set(site);
            self.f.int(0).get(word).get(word).long(1).op(I::I64Sub).op(I::I64And).store(set + offset);
            self.f.br(taken);
            self.f.end();
        }
        self.f.end();
        self.f.br(none);
        self.f.end();
        site
    }

    /// Leaves the address of the word of a set in memory that the site in a local is in, less where the set begins.
    fn word_of(&mut self, site: u32) {
        if self.words == 1 {
            self.f.int(0);
        } else {
            self.f.get(site).op(I::I32WrapI64).int(6).op(I::I32ShrU).int(3).op(I::I32Shl);
        }
    }

    /// Leaves on the stack whether a set in memory contains the site in a local, 64 bits.
    fn has_bit(&mut self, set: Address, site: u32) {
        self.word_of(site);
        self.f.load(set).get(site).op(I::I64ShrU).long(1).op(I::I64And);
    }

    /// Puts the site in a local into a set in memory, or takes it out.
    fn change_bit(&mut self, set: Address, site: u32, to: bool) {
        self.word_of(site);
        self.word_of(site);
        self.f.load(set).long(1).get(site).op(I::I64Shl);
        if to {
            self.f.op(I::I64Or);
        } else {
            self.f.long(-1).op(I::I64Xor).op(I::I64And);
        }
        self.f.store(set);
    }

    /// All that hops from the site in a local may go over or land on is looked at.
    fn look_at_hops(&mut self, table: &HopTable, site: u32) {
        let sites = table.from.len().saturating_sub(1);
        let near = |site| table.of(site).iter().flat_map(|&(middle, end)| [middle, end]).map(usize::from).collect();
        let near: Vec<Wide> = (0..sites).map(near).collect();
        let base = self.table_of_sets(&near);
        self.f.get(site);
        self.entry_of_sets(base, sites);
        let near = self.load_set(0);
        self.look(&near);
    }
}
