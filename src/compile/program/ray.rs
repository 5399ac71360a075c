//! Rays: all sites straight on in a direction, so that a slide ends at a blocker found in one step.

use crate::base::Word;
use crate::ir::Topology;

/// The rays in one direction along which the numbers of sites only rise, or only fall.
#[derive(Clone, Debug)]
pub(crate) struct Rays<W> {
    /// Whether they rise.
    pub rises: bool,
    /// For each site, all sites straight on.
    pub sites: Box<[W]>,
}

impl<W: Word> Rays<W> {
    /// Those of a direction; none if its lines fork, or turn back on themselves.
    #[must_use]
    pub(crate) fn of(topology: &Topology, direction: usize) -> Option<Self> {
        let count = topology.sites.len();
        let mut onward = Vec::with_capacity(count);
        for site in 0..count {
            onward.push(match topology.step(direction, site) {
                [] => None,
                [next] => Some(usize::from(*next)),
                _ => return None,
            });
        }
        let (mut rises, mut falls) = (true, true);
        for (site, next) in onward.iter().enumerate() {
            let Some(next) = *next else { continue };
            rises &= next > site;
            falls &= next < site;
        }
        if !rises && !falls {
            return None;
        }
        let mut sites = vec![W::NONE; count];
        let mut extend = |site: usize| {
            if let Some(next) = onward[site] {
                sites[site] = sites[next].or(W::one(next));
            }
        };
        // The ray of the next site is known before it is needed.
        if rises {
            (0..count).rev().for_each(&mut extend);
        } else {
            (0..count).for_each(&mut extend);
        }
        Some(Self { rises, sites: sites.into() })
    }

    /// All sites straight on.
    #[inline]
    #[must_use]
    pub(crate) fn from(&self, site: usize) -> W {
        self.sites[site]
    }

    /// The sites straight on through the sites of a set, with the one that ends the way.
    #[inline]
    #[must_use]
    pub(crate) fn until_blocked(&self, site: usize, through: W) -> W {
        let ray = self.sites[site];
        if self.rises { ray.up_through(through) } else { ray.down_through(through) }
    }
}

/// The rays of some directions together: for each site first those that rise, then those that fall.
#[derive(Clone, Debug)]
pub(crate) struct Fan<W> {
    /// The directions.
    pub ways: W,
    rising: usize,
    falling: usize,
    rays: Box<[W]>,
}

impl<W: Word> Fan<W> {
    /// Those of some directions; none if one of them has no rays.
    #[must_use]
    pub(crate) fn of(ways: W, rays: &[Option<Rays<W>>], sites: usize) -> Option<Self> {
        let rays: Vec<&Rays<W>> = ways.iter().map(|way| rays.get(way)?.as_ref()).collect::<Option<_>>()?;
        let (up, down): (Vec<&Rays<W>>, Vec<&Rays<W>>) = rays.into_iter().partition(|rays| rays.rises);
        let of = |site| up.iter().chain(&down).map(move |rays| rays.sites[site]);
        Some(Self { ways, rising: up.len(), falling: down.len(), rays: (0..sites).flat_map(of).collect() })
    }

    /// The sites straight on in each direction through the sites of a set, with those that end the ways.
    #[inline]
    #[must_use]
    pub(crate) fn until_blocked(&self, site: usize, through: W) -> W {
        let first = site * (self.rising + self.falling);
        let (up, down) = self.rays[first..first + self.rising + self.falling].split_at(self.rising);
        let all = up.iter().fold(W::NONE, |all, ray| all.or(ray.up_through(through)));
        down.iter().fold(all, |all, ray| all.or(ray.down_through(through)))
    }
}
