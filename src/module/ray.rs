//! Paths straight on: slides to the first blocker, and what is flanked.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Out, Wide};
use super::func::{Address, Part, Parts};
use super::walk::Crowd;
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Number, Rays, WalkerPath, WayRoute};

impl<'a> Emit<'a> {
    /// The most steps of a slide, and so many more, in a local; none if the board is no longer.
    pub(super) fn limit(&mut self, limit: Option<&'a Number<Wide>>, more: i64) -> Out<Option<u32>> {
        let Some(limit) = limit else { return Ok(None) };
        self.number(limit)?;
        let n = self.f.keep();
        // A negative limit is none at all, and a great one as good as the size of the board.
        self.f.long(0).get(n).get(n).long(0).op(I::I64LtS).op(I::Select);
        let least = self.f.keep();
        let sites = i64::saturating_from(self.program.sites);
        self.f.get(least).long(sites).get(least).long(sites).op(I::I64LtS).op(I::Select);
        if more > 0 {
            self.f.long(more).op(I::I64Add);
        }
        Ok(Some(self.f.keep()))
    }

    /// The sites straight on through the sites of a set, with the ones that end the way.
    pub(super) fn blocked(&mut self, ways: &Parts, limit: Option<u32>, through: &Parts, from: &Crowd) -> Out<Parts> {
        let all = self.variable(&self.known(Wide::NONE));
        self.each_way(ways, &mut |emit, way| emit.blocked_one_way(way, limit, through, from, &all))?;
        self.look(&Self::now(&all));
        Ok(Self::now(&all))
    }

    pub(super) fn blocked_one_way(
        &mut self,
        way: usize,
        limit: Option<u32>,
        through: &Parts,
        from: &Crowd,
        all: &[u32],
    ) -> Out {
        let program = self.program;
        let rays = program.rays.get(way).and_then(Option::as_ref).filter(|_| limit.is_none());
        let cut = limit.and_then(|limit| Some((limit, self.cut_rays(way)?)));
        let one = |emit: &mut Self, site: u32| {
            let rises = if let Some(rays) = rays {
                let base = emit.table_of_sets(&rays.sites);
                emit.f.get(site);
                emit.entry_of_sets(base, rays.sites.len());
                rays.rises
            } else if let Some((limit, (base, steps, rises))) = cut {
                let most = i64::saturating_from(steps);
                emit.f.get(site);
                emit.clipped();
                emit.f.long(most + 1).op(I::I64Mul);
                emit.f.get(limit).long(most).get(limit).long(most).op(I::I64LtS).op(I::Select).op(I::I64Add);
                emit.entry_of_sets(base, program.sites * (steps + 1));
                rises
            } else {
                emit.step_by_step(way, limit, through, site, all);
                return Ok(());
            };
            let ray = emit.load_set(0);
            let seen = emit.until_blocked(&ray, through, rises);
            emit.unite(all, &seen);
            Ok(())
        };
        match from.site {
            Some(site) => one(self, site),
            None => self.members(&from.set, &mut |emit, site, _| one(emit, site)),
        }
    }

    /// The rays of a direction for each number of steps: the table, the most steps, and whether they rise; none if its lines
    /// fork, or the table would be large.
    fn cut_rays(&mut self, way: usize) -> Option<(Address, usize, bool)> {
        const MOST: usize = 1 << 16;
        let rays = Rays::<Wide>::of(&self.game.topology, way)?;
        let steps = rays.sites.iter().map(|ray| ray.count()).fold(0, usize::max);
        if rays.sites.len() * (steps + 1) * 8 * self.words > MOST {
            return None;
        }
        let mut cut = Vec::new();
        for ray in &rays.sites {
            let mut sites: Vec<usize> = ray.iter().collect();
            if !rays.rises {
                sites.reverse();
            }
            cut.extend((0..=steps).map(|most| sites.iter().copied().take(most).collect::<Wide>()));
        }
        Some((self.table_of_sets(&cut), steps, rays.rises))
    }

    /// The members of a ray up to and including the first that is not in a set.
    pub(super) fn until_blocked(&mut self, ray: &Parts, through: &Parts, rises: bool) -> Parts {
        let stops = self.minus(ray, through);
        let mut seen = self.known(Wide::NONE);
        let order: Vec<usize> = if rises { (0..ray.len()).collect() } else { (0..ray.len()).rev().collect() };
        let mut before: Vec<Part> = Vec::new();
        for at in order {
            let (ray, stop) = (ray[at], stops[at]);
            self.f.part(ray);
            if rises {
                // Without a stop the subtraction wraps around, and nothing is masked.
                self.f.part(stop).part(stop).long(1).op(I::I64Sub).op(I::I64Xor);
            } else {
                self.f.long(-1).long(63).part(stop).long(1).op(I::I64Or).op(I::I64Clz).op(I::I64Sub).op(I::I64Shl);
            }
            self.f.op(I::I64And);
            if !before.is_empty() {
                self.f.long(0);
                for (nth, &part) in before.iter().enumerate() {
                    self.f.part(part);
                    if nth > 0 {
                        self.f.op(I::I64Or);
                    }
                }
                self.f.op(I::I64Eqz).op(I::Select);
            }
            before.push(stop);
            seen[at] = Part::Local(self.f.keep());
        }
        seen
    }

    pub(super) fn step_by_step(&mut self, way: usize, limit: Option<u32>, through: &Parts, start: u32, all: &[u32]) {
        let onward = &self.program.onward[way];
        let base = self.table_of_shorts(onward.iter().copied());
        let (site, left) = (self.f.word(), self.f.word());
        self.f.get(start).set(site);
        match limit {
            Some(limit) => self.f.get(limit),
            None => self.f.long(i64::saturating_from(self.program.sites)),
        };
        self.f.set(left);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(left).op(I::I64Eqz).br_if(done);
        self.f.get(left).long(1).op(I::I64Sub).set(left);
        self.onward(base, site, onward.len());
        self.f.get(site).long(u16::MAX.into()).op(I::I64Eq).br_if(done);
        self.insert(all, site);
        self.contains(through, site);
        self.f.br_if(again);
        self.f.end_loop();
        self.f.end();
    }

    /// Moves the site in a local one step on, by a table; to the greatest number if there is none.
    pub(super) fn onward(&mut self, base: Address, site: u32, count: usize) {
        self.f.get(site).long(i64::saturating_from(count)).op(I::I64LtU);
        self.f.choice(ValType::I64);
        self.f.get(site).op(I::I32WrapI64).int(1).op(I::I32Shl).load_short(base).op(I::I64ExtendI32U);
        self.f.otherwise().long(u16::MAX.into());
        self.f.end();
        self.f.set(site);
    }

    /// All sites straight on in some directions, occupied or not.
    pub(super) fn straight_on(&mut self, sites: &Parts, ways: &Parts) -> Out<Parts> {
        let program = self.program;
        let all = self.variable(&self.known(Wide::NONE));
        self.each_way(ways, &mut |emit, way| {
            if let Some(Some(rays)) = program.rays.get(way) {
                let seen = emit.stepped(&rays.sites, &sites.clone().into())?;
                emit.unite(&all, &seen);
                return Ok(());
            }
            let topology = &emit.game.topology;
            let rays: Vec<Wide> = (0..program.sites).map(|site| topology.ray(way, site).0.iter().collect()).collect();
            let seen = emit.stepped(&rays, &sites.clone().into())?;
            emit.unite(&all, &seen);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// What is taken between a site and the end of a path that flanks, in all directions together.
    pub(super) fn flanked(&mut self, route: &'a WayRoute<Wide>) -> Out<Parts> {
        let WalkerPath::Flank(sets) = &route.walker_path else { return Err(Gap("paths with several ways")) };
        let starts = self.set(&route.from)?;
        let all = self.variable(&self.known(Wide::NONE));
        self.members(&starts, &mut |emit, start, _| {
            let scope = emit.scope();
            emit.bind_all(&route.binds)?;
            emit.numbers.push((route.start, start));
            let (ways, over, to) = (emit.set(&sets.0)?, emit.set(&sets.1)?, emit.set(&sets.2)?);
            emit.each_way(&ways, &mut |emit, way| {
                emit.flank(way, (&over, &to), start, &all);
                Ok(())
            })?;
            emit.leave_scope(scope);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// Adds what is taken in one direction.
    pub(super) fn flank(&mut self, way: usize, (over, to): (&Parts, &Parts), start: u32, all: &[u32]) {
        let onward = &self.program.onward[way];
        let base = self.table_of_shorts(onward.iter().copied());
        let taken = self.variable(&self.known(Wide::NONE));
        let (site, left) = (self.f.word(), self.f.word());
        // On a ring, a third round finds nothing new.
        self.f.get(start).set(site).long(i64::saturating_from(2 * self.program.sites + 1)).set(left);
        let done = self.f.block();
        let again = self.f.again();
        self.onward(base, site, onward.len());
        // What was taken so far counts if the path may end here.
        self.contains(to, site);
        self.f.when();
        self.unite(all, &Self::now(&taken));
        self.f.end();
        self.contains(over, site);
        self.f.op(I::I32Eqz).br_if(done);
        self.insert(&taken, site);
        self.f.get(left).long(1).op(I::I64Sub).set(left);
        self.f.get(left).op(I::I64Eqz).op(I::I32Eqz).br_if(again);
        self.f.end_loop();
        self.f.end();
    }
}
