//! Straight rows within a set.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::Parts;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{RowTable, Set};

/// The most directions that are looked at for all sites at once: beyond these, the rows of each site are.
const DIRECTIONS: usize = 6;

/// The rows in which each site has the same number more than the one before it.
struct Slide {
    /// How much more.
    by: isize,
    /// The lowest sites of such rows.
    from: Wide,
}

/// All rows as slides; none if there are others, or too many directions.
fn slides(rows: &RowTable) -> Option<Vec<Slide>> {
    let mut slides: Vec<Slide> = Vec::new();
    for site in 0..rows.from.len().saturating_sub(1) {
        for row in rows.from(site) {
            let by = usize::from(*row.first()?).checked_sub(site)?;
            let regular = (1..).zip(row).all(|(nth, &at)| usize::from(at) == site + nth * by);
            let by = by.cast_signed();
            match slides.iter_mut().find(|slide| slide.by == by) {
                _ if !regular => return None,
                Some(slide) => {
                    slide.from.insert(site);
                }
                None => slides.push(Slide { by, from: [site].into_iter().collect() }),
            }
        }
    }
    (slides.len() <= DIRECTIONS).then_some(slides)
}

impl<'a> Emit<'a> {
    /// Leaves on the stack whether a set contains one of some rows.
    pub(super) fn has_row(&mut self, set: &'a Set<Wide>, rows: &'a RowTable) -> Out {
        let set = self.set(set)?;
        if let Some(slides) = slides(rows) {
            let mut all = self.known(Wide::NONE);
            for slide in &slides {
                let lowest = self.lowest(&set, slide, rows.more);
                all = self.or(&all, &lowest);
            }
            self.any(&all);
            return Ok(());
        }
        let found = self.f.small();
        self.f.int(0).set(found);
        let done = self.f.block();
        self.rows_within(&set, rows, &mut |emit, _| {
            emit.f.int(1).set(found).br(done);
        })?;
        self.f.end();
        self.f.get(found);
        Ok(())
    }

    /// The union of the rows contained in a set.
    pub(super) fn in_rows(&mut self, set: &'a Set<Wide>, rows: &'a RowTable) -> Out<Parts> {
        let set = self.set(set)?;
        if let Some(slides) = slides(rows) {
            let mut all = self.known(Wide::NONE);
            for slide in &slides {
                let lowest = self.lowest(&set, slide, rows.more);
                let row = self.doubled(&lowest, slide.by, rows.more, &mut |emit, a, b| emit.or(a, b));
                all = self.or(&all, &row);
            }
            return Ok(all);
        }
        let all = self.variable(&self.known(Wide::NONE));
        self.rows_within(&set, rows, &mut |emit, row| emit.unite(&all, row))?;
        Ok(Self::now(&all))
    }

    /// The lowest sites of the rows of a slide that are within a set.
    fn lowest(&mut self, set: &Parts, slide: &Slide, more: usize) -> Parts {
        let whole = self.doubled(set, -slide.by, more, &mut |emit, a, b| emit.and(a, b));
        let from = self.known(slide.from);
        self.and(&whole, &from)
    }

    /// Combines a set with itself moved on once, twice, … up to so many times.
    fn doubled(
        &mut self,
        set: &Parts,
        by: isize,
        times: usize,
        combined: &mut dyn FnMut(&mut Self, &Parts, &Parts) -> Parts,
    ) -> Parts {
        let (mut sum, mut held) = (set.clone(), 1);
        while held <= times {
            let next = held.min(times + 1 - held);
            let moved = self.shifted(&sum, by.saturating_mul(next.cast_signed()));
            sum = combined(self, &sum, &moved);
            held += next;
        }
        sum
    }

    /// Does something for each row within a set. Its sites, all of them, are given as a set.
    fn rows_within(&mut self, set: &Parts, rows: &'a RowTable, found: &mut dyn FnMut(&mut Self, &Parts)) -> Out {
        // The rows of each site as masks, one after the other, and where those of each site begin.
        let sites = rows.from.len().saturating_sub(1);
        let (mut masks, mut from) = (Vec::new(), vec![0]);
        for site in 0..sites {
            for row in rows.from(site) {
                masks.push(row.iter().map(|&site| usize::from(site)).chain([site]).collect::<Wide>());
            }
            from.push(self.bytes * u32::saturating_from(masks.len()));
        }
        let base = self.table_of_sets(&masks);
        let from = self.table_of_ints(from.into_iter().map(|offset| base + offset));
        self.members(set, &mut |emit, site, _| {
            emit.f.get(site).long(i64::saturating_from(sites)).op(I::I64LtU);
            emit.f.when();
            emit.f.get(site).op(I::I32WrapI64).int(2).op(I::I32Shl);
            let entry = emit.f.keep_small();
            emit.f.get(entry).load_int(from);
            let at = emit.f.keep_small();
            emit.f.get(entry).load_int(from + 4);
            let end = emit.f.keep_small();
            let done = emit.f.block();
            let again = emit.f.again();
            emit.f.get(at).get(end).op(I::I32GeU).br_if(done);
            emit.f.get(at);
            let mask = emit.load_set(0);
            let beyond = emit.minus(&mask, set);
            emit.none(&beyond);
            emit.f.when();
            found(emit, &mask);
            emit.f.end();
            emit.f.get(at).int(emit.bytes.cast_signed()).op(I::I32Add).set(at).br(again);
            emit.f.end_loop();
            emit.f.end();
            emit.f.end();
            Ok(())
        })
    }
}
