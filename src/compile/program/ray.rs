//! Rays: all sites straight on in a direction, so that a slide ends at a blocker found in one step.

use crate::base::Word;
use crate::ir::Topology;

/// The rays in one direction along which the numbers of sites only rise, or only fall.
#[derive(Clone, Debug)]
pub(crate) struct Rays<W> {
    /// Whether they rise.
    rises: bool,
    /// For each site, all sites straight on.
    sites: Box<[W]>,
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
        let blockers = ray.minus(through);
        match if self.rises { blockers.first() } else { blockers.last() } {
            None => ray,
            Some(blocker) => ray.minus(self.sites[blocker]),
        }
    }
}
