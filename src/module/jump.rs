//! What a walker does straight on in one direction: it hops over a site, or flanks a row of them.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out};
use super::func::Parts;
use crate::base::SaturatingFrom;
use crate::compile::Gap;

/// The number of no site.
const NOWHERE: u16 = u16::MAX;

impl Emit<'_> {
    /// A hop of a walker in one direction.
    pub(super) fn jump(
        &mut self,
        first: u32,
        way: usize,
        (over, to): (&Parts, &Parts),
        taking: bool,
        (walker, site): (u32, u32),
    ) -> Out {
        let topology = &self.game.topology;
        let mut pairs = Vec::new();
        for from in 0..self.program.sites {
            let pair = match topology.step(way, from) {
                [] => (NOWHERE, NOWHERE),
                [middle] => match topology.step(way, usize::from(*middle)) {
                    // Straight on never means back.
                    [end] if usize::from(*end) != from => (*middle, *end),
                    [_] | [] => (NOWHERE, NOWHERE),
                    _ => return Err(Gap("hops along lines that fork")),
                },
                _ => return Err(Gap("hops along lines that fork")),
            };
            pairs.push(pair);
        }
        if pairs.iter().all(|(middle, _)| *middle == NOWHERE) {
            return Ok(());
        }
        let base = self.table_of_shorts(pairs.into_iter().flat_map(|(middle, end)| [middle, end]));
        self.f.get(site).op(I::I32WrapI64).int(2).op(I::I32Shl);
        let at = self.f.keep_small();
        self.f.get(at).load_short(base).op(I::I64ExtendI32U);
        let middle = self.f.keep();
        self.contains(over, middle);
        self.f.when();
        self.f.get(at).load_short(base + 2).op(I::I64ExtendI32U);
        let end = self.f.keep();
        self.contains(to, end);
        self.f.when();
        let next = self.come_to(walker, end)?;
        if taking {
            self.f.get(next).long(1).get(middle).op(I::I64Shl).op(I::I64Or).set(next);
        }
        self.add_to(first, next);
        self.f.end();
        self.f.end();
        Ok(())
    }

    /// The walkers that flank sites in one direction.
    pub(super) fn outflank(&mut self, first: u32, way: usize, (over, to): (&Parts, &Parts), walker: u32) -> Out {
        let bits = self.way_bits()?;
        let onward = &self.program.onward[way];
        let base = self.table_of_shorts(onward.iter().copied());
        let (site, now, left) = (self.f.word(), self.f.word(), self.f.word());
        let passed = self.f.small();
        self.f.get(walker).long(bits).op(I::I64ShrU).set(site).get(walker).set(now).int(0).set(passed);
        // On a ring, a third round finds nothing new.
        self.f.long(i64::saturating_from(2 * self.program.sites + 1)).set(left);
        let done = self.f.block();
        let again = self.f.again();
        self.onward(base, site, onward.len());
        self.contains(to, site);
        self.f.get(passed).op(I::I32And);
        self.f.when();
        let next = self.come_to(now, site)?;
        self.add_to(first, next);
        self.f.end();
        self.contains(over, site);
        self.f.op(I::I32Eqz).br_if(done);
        let next = self.come_to(now, site)?;
        self.f.get(next).long(1).get(site).op(I::I64Shl).op(I::I64Or).set(now).int(1).set(passed);
        self.f.get(left).long(1).op(I::I64Sub).set(left);
        self.f.get(left).op(I::I64Eqz).op(I::I32Eqz).br_if(again);
        self.f.end_loop();
        self.f.end();
        Ok(())
    }
}
