//! One step from many sites at once, and what is reached by steps.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::{Part, Parts};
use super::walk::Crowd;
use crate::base::{SaturatingFrom, Word};

impl Emit<'_> {
    /// The sites that a table has for the sites of walkers.
    pub(super) fn stepped(&mut self, steps: &[Wide], from: &Crowd) -> Out<Parts> {
        let base = self.table_of_sets(steps);
        if let Some(site) = from.site {
            self.f.get(site);
            self.entry_of_sets(base, steps.len());
            return Ok(self.load_set(0));
        }
        let all = self.variable(&self.known(Wide::NONE));
        self.members(&from.set, &mut |emit, site, _| {
            emit.f.get(site);
            emit.entry_of_sets(base, steps.len());
            let next = emit.load_set(0);
            emit.unite(&all, &next);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// The directions of a set, if they are known.
    pub(super) fn known_ways(ways: &Parts) -> Option<Wide> {
        let word = |(at, part): (usize, &Part)| match part {
            Part::Known(word) => Some((at, *word)),
            Part::Local(_) => None,
        };
        let words: Vec<(usize, u64)> = ways.iter().enumerate().map(word).collect::<Option<_>>()?;
        let bits =
            |(at, word): (usize, u64)| (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| 64 * at + bit);
        Some(words.into_iter().flat_map(bits).collect())
    }

    /// Does something for each direction of a set: the code is written for each.
    pub(super) fn each_way(&mut self, ways: &Parts, each: &mut dyn FnMut(&mut Self, usize) -> Out) -> Out {
        let known = Self::known_ways(ways);
        for way in 0..self.program.steps.len() {
            match known {
                Some(known) if known.contains(way) => each(self, way)?,
                Some(_) => {}
                None => {
                    self.f.part(ways[way / 64]).long(1 << (way % 64)).op(I::I64And).long(0).op(I::I64Ne);
                    self.f.when();
                    each(self, way)?;
                    self.f.end();
                }
            }
        }
        self.bounded()
    }

    /// The sites one step from some sites in any of some directions.
    pub(super) fn toward(&mut self, sites: &Parts, ways: &Parts) -> Out<Parts> {
        self.toward_from(&sites.clone().into(), ways)
    }

    pub(super) fn toward_from(&mut self, from: &Crowd, ways: &Parts) -> Out<Parts> {
        let program = self.program;
        if let Some(known) = Self::known_ways(ways) {
            let uniform = known.iter().all(|way| matches!(program.shifts.get(way), Some(Some(_))));
            if from.site.is_some() || !uniform {
                let near = |site: usize| {
                    let next = known.iter().filter_map(|way| program.steps.get(way));
                    next.fold(Wide::NONE, |all, steps| all.or(steps[site]))
                };
                let near: Vec<Wide> = (0..program.sites).map(near).collect();
                return self.stepped(&near, from);
            }
        }
        let all = self.variable(&self.known(Wide::NONE));
        self.each_way(ways, &mut |emit, way| {
            let next = match program.shifts.get(way) {
                Some(Some(shift)) => {
                    let from = emit.and(&from.set, &emit.known(shift.from));
                    emit.shifted(&from, shift.by)
                }
                _ => emit.stepped(&program.steps[way], from)?,
            };
            emit.unite(&all, &next);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// All members of a set increased by a number, which may be negative.
    pub(super) fn shifted(&mut self, set: &Parts, by: isize) -> Parts {
        let (whole, bits) = (by.unsigned_abs() / 64, by.unsigned_abs() % 64);
        let bits = i64::saturating_from(bits);
        let (there, on, over) = if by < 0 { (true, I::I64ShrU, I::I64Shl) } else { (false, I::I64Shl, I::I64ShrU) };
        let source = |word: usize, more: usize| {
            let at = if there { word.checked_add(whole + more) } else { word.checked_sub(whole + more) };
            at.and_then(|at| set.get(at)).copied().filter(|part| *part != Part::Known(0))
        };
        (0..self.words)
            .map(|word| {
                let first = source(word, 0);
                let second = source(word, 1).filter(|_| bits > 0);
                if first.is_none() && second.is_none() {
                    return Part::Known(0);
                }
                self.f.part(first.unwrap_or(Part::Known(0))).long(bits).op(on.clone());
                if let Some(second) = second {
                    self.f.part(second).long(64 - bits).op(over.clone()).op(I::I64Or);
                }
                Part::Local(self.f.keep())
            })
            .collect()
    }

    /// The sites of a set connected within it to some sites.
    pub(super) fn flood(&mut self, from: &Parts, inside: &Parts, ways: &Parts) -> Out<Parts> {
        let first = self.and(from, inside);
        let (reached, edge) = (self.variable(&first), self.variable(&first));
        let done = self.f.block();
        let again = self.f.again();
        self.none(&Self::now(&edge));
        self.f.br_if(done);
        self.f.stop_if_spent();
        let beside = self.toward(&Self::now(&edge), ways)?;
        self.look(&beside);
        let beside = self.and(&beside, inside);
        let new = self.minus(&beside, &Self::now(&reached));
        self.become_set(&edge, &new);
        self.unite(&reached, &new);
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        Ok(Self::now(&reached))
    }

    /// Leaves on the stack how many steps it is from a site to another, each given as a set; -1 if there is no way.
    pub(super) fn distance(&mut self, from: &Parts, to: &Parts, ways: &Parts) -> Out {
        let (reached, edge) = (self.variable(from), self.variable(from));
        let steps = self.f.word();
        self.f.long(0).set(steps);
        let done = self.f.block();
        let again = self.f.again();
        let there = self.and(&Self::now(&edge), to);
        self.any(&there);
        self.f.br_if(done);
        self.f.stop_if_spent();
        let next = self.toward(&Self::now(&edge), ways)?;
        let next = self.minus(&next, &Self::now(&reached));
        self.become_set(&edge, &next);
        self.unite(&reached, &next);
        self.f.get(steps).long(1).op(I::I64Add).set(steps);
        self.any(&next);
        self.f.br_if(again);
        self.f.long(-1).set(steps);
        self.f.end_loop();
        self.f.end();
        self.f.get(steps);
        Ok(())
    }

    /// Takes the number in a local out of a changing set.
    pub(super) fn remove(&mut self, words: &[u32], member: u32) {
        self.f.get(member);
        let one = self.one();
        for (&word, &part) in words.iter().zip(&one) {
            self.f.get(word).part(part).long(-1).op(I::I64Xor).op(I::I64And).set(word);
        }
    }
}
