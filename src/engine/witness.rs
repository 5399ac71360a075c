//! Whether a path leads somewhere, with one way there as the witness: while nothing on that way changes, it does.

use super::run::Run;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Hop, Route, SetPath};

/// A site that hops have reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    site: u16,
    /// The site hopped over.
    over: u16,
    /// The place of the site hopped from among those reached.
    from: u32,
}

impl<'a, W: Word> Run<'a, W> {
    /// Whether a path leads to one of some sites.
    pub(super) fn leads_to(&mut self, route: &'a Route<W>, sites: W) -> bool {
        if route.outlook.is_some() {
            return self.route(route).meets(sites);
        }
        match &route.walk {
            SetPath::Hops(hop, least @ (0 | 1)) if hop.there.is_none() => {
                self.starts(route, |run, start| run.hops_lead(hop, *least, start, sites))
            }
            SetPath::Repeat { body, least, most, fully: false } => {
                let times = (*least, *most);
                self.starts(route, |run, start| run.repeated(body, times, W::one(start), sites).meets(sites))
            }
            SetPath::Step(..)
            | SetPath::Slide(..)
            | SetPath::Hop(_)
            | SetPath::Hops(..)
            | SetPath::Leaps(..)
            | SetPath::Rays(..)
            | SetPath::RayChain(..)
            | SetPath::Along(..)
            | SetPath::If(_)
            | SetPath::Then(_)
            | SetPath::Or(_)
            | SetPath::Repeat { .. }
            | SetPath::Each(..)
            | SetPath::Call(..) => self.route(route).meets(sites),
        }
    }

    /// Whether a path leads there from any of its starting sites.
    fn starts(&mut self, route: &'a Route<W>, mut leads: impl FnMut(&mut Self, usize) -> bool) -> bool {
        self.set(&route.from).iter().any(|start| {
            self.bind_all(&route.binds);
            self.set_local(route.start, super::eval::count(start));
            leads(self, start)
        })
    }

    /// Whether hops, at least `least`, lead from a site to one of some sites. If so, only the sites on the way found
    /// count as inspected.
    fn hops_lead(&mut self, hop: &'a Hop<W>, least: u32, start: usize, sites: W) -> bool {
        let Some(ways) = hop.ways.first() else { return false };
        if least == 0 && sites.contains(start) {
            return true;
        }
        let (over, to) = (self.set(&hop.over), self.set(&hop.to));
        let mut seen = if least == 0 { W::one(start) } else { W::NONE };
        let mut looked = W::NONE;
        let mut reached = std::mem::take(&mut self.reached);
        reached.clear();
        reached.push(Reached { site: u16::saturating_from(start), over: 0, from: 0 });
        let (mut next, mut found) = (0, false);
        'search: while let Some(at) = reached.get(next).copied() {
            if !self.tick() {
                break;
            }
            for &(middle, end) in ways.of(usize::from(at.site)) {
                let site = usize::from(end);
                looked.insert(usize::from(middle));
                looked.insert(site);
                if over.contains(usize::from(middle)) && !seen.contains(site) && to.contains(site) {
                    seen.insert(site);
                    reached.push(Reached { site: end, over: middle, from: u32::saturating_from(next) });
                    if sites.contains(site) {
                        found = true;
                        break 'search;
                    }
                }
            }
            next += 1;
        }
        if found {
            looked = way_to_last(&reached);
        }
        self.looked = self.looked.or(looked);
        self.reached = reached;
        found
    }
}

/// The sites on the way to the last site reached.
fn way_to_last<W: Word>(reached: &[Reached]) -> W {
    let mut way = W::NONE;
    let mut at = reached.len().saturating_sub(1);
    while at > 0 {
        let hop = reached[at];
        way.insert(usize::from(hop.site));
        way.insert(usize::from(hop.over));
        at = hop.from as usize;
    }
    way
}
