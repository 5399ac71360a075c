//! Rays: slides to the first blocker, and all sites straight on.

use smallvec::SmallVec;

use super::eval::SITES_A_STEP;
use super::run::Run;
use crate::base::Word;
use crate::compile::program::{Number, Set};

/// How many steps it takes to look in all directions of a fan.
const FAN: u64 = 2;

/// The number of no site.
const NOWHERE: usize = u16::MAX as usize;

impl<'a, W: Word> Run<'a, W> {
    /// Any number of steps straight on through the sites of a set.
    pub(super) fn slide(&mut self, ways: &'a Set<W>, limit: Option<&'a Number<W>>, through: &'a Set<W>, from: W) -> W {
        let limit = self.steps(limit);
        let (ways, through) = (self.set(ways), self.set(through));
        self.blocked(ways, limit, through, from).and(through)
    }

    /// The same, and one more step onto a site of the third set.
    pub(super) fn rays(&mut self, sets: &'a (Set<W>, Set<W>, Set<W>), limit: Option<&'a Number<W>>, from: W) -> W {
        let to = self.set(&sets.2);
        let limit = self.steps(limit).saturating_add(1);
        let (ways, through) = (self.set(&sets.0), self.set(&sets.1));
        self.blocked(ways, limit, through, from).and(to)
    }

    /// The sites straight on through the sites of a set, with the ones that end the way, for at most so many steps.
    /// All of them count as inspected.
    #[inline]
    fn blocked(&mut self, ways: W, limit: usize, through: W, from: W) -> W {
        let program = self.program;
        let (mut all, mut gone) = (W::NONE, 0);
        if limit >= program.sites
            && let Some(fan) = program.fans.iter().find(|fan| fan.ways == ways)
        {
            for start in from.iter() {
                all = all.or(fan.until_blocked(start, through));
                gone += FAN;
            }
            self.went_from(gone);
            self.looked = self.looked.or(all);
            return all;
        }
        for way in ways.iter() {
            match program.rays.get(way) {
                Some(Some(rays)) if limit >= program.sites => {
                    for start in from.iter() {
                        all = all.or(rays.until_blocked(start, through));
                        gone += 1;
                    }
                }
                _ => {
                    for start in from.iter() {
                        all = all.or(self.step_by_step(way, limit, through, start));
                    }
                }
            }
        }
        self.went_from(gone);
        self.looked = self.looked.or(all);
        all
    }

    /// Several slides one after the other in the same direction, each with one more step.
    pub(super) fn ray_chain(&mut self, ways: &'a Set<W>, links: &'a [(Set<W>, Set<W>)], from: W) -> W {
        let program = self.program;
        let links: SmallVec<[(W, W); 2]> =
            links.iter().map(|(through, to)| (self.set(through), self.set(to))).collect();
        let (mut all, mut looked, mut gone) = (W::NONE, W::NONE, 0);
        for way in self.set(ways).iter() {
            let rays = program.rays.get(way).and_then(Option::as_ref);
            let mut edge = from;
            for &(through, to) in &links {
                let mut passed = W::NONE;
                for start in edge.iter() {
                    gone += 1;
                    passed = passed.or(match rays {
                        Some(rays) => rays.until_blocked(start, through),
                        None => self.step_by_step(way, program.sites, through, start),
                    });
                }
                looked = looked.or(passed);
                edge = passed.and(to);
            }
            all = all.or(edge);
        }
        self.went_from(gone);
        self.looked = self.looked.or(looked);
        all
    }

    /// Whether a path that leads straight on through empty sites leads to one of some pieces. If not, a site passed on
    /// the way matters only if such a piece comes to stand there: any other would just end the way.
    pub(super) fn sees(&mut self, compared: &'a (Set<W>, Set<W>), sites: &'a Set<W>) -> bool {
        let sites = self.set(sites);
        let outer = std::mem::replace(&mut self.looked, W::NONE);
        let sees = self.set(&compared.0).meets(sites);
        if !sees {
            let passed = self.looked.minus(self.occupied());
            self.looked = self.looked.minus(passed);
            let indexes = self.index_bits(&compared.1);
            self.compare((passed, indexes));
        }
        self.looked = self.looked.or(outer);
        sees
    }

    fn step_by_step(&mut self, way: usize, limit: usize, through: W, start: usize) -> W {
        let onward = &self.program.onward[way];
        let (mut all, mut site, mut gone) = (W::NONE, start, 0);
        for _ in 0..limit {
            gone += 1;
            site = usize::from(onward[site]);
            if site == NOWHERE {
                break;
            }
            all.insert(site);
            if !through.contains(site) {
                break;
            }
        }
        self.steps = self.steps.saturating_sub(gone / SITES_A_STEP);
        all
    }

    /// All sites straight on, occupied or not.
    pub(super) fn ray(&mut self, sites: W, way: usize) -> W {
        let program = self.program;
        let mut all = W::NONE;
        if let Some(Some(rays)) = program.rays.get(way) {
            let mut gone = 0;
            for site in sites.iter() {
                all = all.or(rays.from(site));
                gone += 1;
            }
            self.went_from(gone);
            return all;
        }
        for site in sites.iter() {
            let (ray, looked) = self.game.topology.ray(way, site);
            all = all.or(ray.iter().collect());
            self.steps = self.steps.saturating_sub(1 + looked);
            if self.is_spent() {
                return W::NONE;
            }
        }
        all
    }
}
