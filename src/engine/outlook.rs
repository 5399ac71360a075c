//! The cache of where paths lead from each site (its outlook), invalidated when a site they inspected changes.

use super::puts::Seen;
use super::run::Run;
use crate::base::{Word, to_index};
use crate::compile::program::{By, Leaps, Outlook, Program, Watched};

/// The cached outlooks.
#[derive(Clone, Debug)]
pub(super) struct Found<W> {
    /// The sites for which they are valid.
    known: W,
    sets: Vec<W>,
    /// For each site, the sites whose outlooks inspected it; a superset, as some may since be invalid. Of graphs.
    watchers: Vec<W>,
    /// For each site, the sites that its outlook inspected, and its stamp. Of pieces on sites.
    inspected: Vec<(W, u64)>,
}

impl<W: Word> Found<W> {
    /// Empty caches.
    pub(super) fn all(program: &Program<W>) -> Vec<Self> {
        let empty = |watched: &Watched| {
            let on_sites = matches!(watched, Watched::Sites);
            Self {
                known: W::NONE,
                sets: vec![W::NONE; program.sites],
                watchers: vec![W::NONE; if on_sites { 0 } else { program.sites }],
                inspected: vec![(W::NONE, 0); if on_sites { program.sites } else { 0 }],
            }
        };
        program.outlooks.iter().map(empty).collect()
    }
}

/// Changes since the outlooks were brought up to date.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Changed<W> {
    /// Outlooks that inspected one of these sites are invalid.
    pub seen: W,
    /// Outlooks of these sites are invalid.
    pub from: W,
}

impl<'a, W: Word> Run<'a, W> {
    /// The outlook of a site; if it is not cached, `find` computes it and leaves the sites it inspected in `looked`.
    #[inline]
    pub(super) fn outlook(&mut self, outlook: Outlook, site: usize, find: impl FnOnce(&mut Self) -> W) -> W {
        let Some(number) = self.fresh_outlook(outlook) else { return find(self) };
        if self.found[number].known.contains(site) && self.outlook_holds(number, site) {
            return self.found[number].sets[site];
        }
        let outer = std::mem::replace(&mut self.looked, W::one(site));
        let compared = std::mem::replace(&mut self.compared, (W::NONE, 0));
        let set = find(self);
        self.looked = self.looked.or(self.compared.0);
        self.compared = compared;
        let (stamp, lasts) = self.state.puts.stamp(&Seen::at(self.looked));
        let on_sites = !self.found[number].inspected.is_empty();
        // A set computed with an exhausted budget is meaningless; one of a move that is tried out would not last.
        if site < self.program.sites && self.steps > 0 && (lasts || !on_sites) {
            let looked = self.looked;
            let found = &mut self.found[number];
            found.known.insert(site);
            found.sets[site] = set;
            if on_sites {
                found.inspected[site] = (looked, stamp);
            } else {
                for seen in looked.iter() {
                    if let Some(watchers) = found.watchers.get_mut(seen) {
                        watchers.insert(site);
                    }
                }
            }
        }
        self.looked = self.looked.or(outer);
        set
    }

    /// Whether a cached outlook still holds. What it inspected then counts as inspected again.
    #[inline]
    fn outlook_holds(&mut self, number: usize, site: usize) -> bool {
        // Those of graphs have been brought up to date.
        let Some((sites, stamp)) = self.found[number].inspected.get_mut(site) else { return true };
        let holds = self.state.puts.spare(*stamp, &Seen::at(*sites));
        if holds {
            *stamp = self.state.puts.restamp(*stamp);
            self.looked = self.looked.or(*sites);
        }
        holds
    }

    /// The number of an outlook for the seat concerned, brought up to date; none if no seat is concerned.
    #[inline]
    fn fresh_outlook(&mut self, outlook: Outlook) -> Option<usize> {
        let seat = match outlook.by {
            By::Nobody => 0,
            By::Me => usize::from(self.state.me),
            By::Seat(at) => Some(to_index(self.local(at))).filter(|&seat| seat < self.game.seats.len())?,
        };
        let number = usize::from(outlook.first) + seat;
        let source = usize::from(self.program.outlooks.get(number)?.place());
        let changed = self.state.changed[source];
        if !changed.seen.is_empty() || !changed.from.is_empty() {
            self.bring_up_to_date(source, changed);
        }
        Some(number)
    }

    fn bring_up_to_date(&mut self, source: usize, changed: Changed<W>) {
        for (found, of) in self.found.iter_mut().zip(&self.program.outlooks) {
            if usize::from(of.place()) != source || found.known.is_empty() {
                continue;
            }
            let mut known = found.known;
            match of {
                Watched::Components(_) => {
                    while let Some(site) = known.and(changed.seen).first() {
                        known = known.minus(found.sets[site]);
                    }
                }
                Watched::Sites => {}
                Watched::Graph(_) => {
                    for seen in changed.seen.iter() {
                        known = known.minus(std::mem::take(&mut found.watchers[seen]));
                    }
                }
            }
            found.known = known.minus(changed.from);
        }
        self.state.changed[source] = Changed::default();
    }

    /// Any number of leaps of the piece on a site.
    pub(super) fn led_by_leaps(&mut self, leaps: &'a Leaps<W>, outlook: Option<Outlook>, from: usize) -> W {
        let find = |run: &mut Self| run.leaps(leaps, W::NONE, W::one(from));
        match outlook {
            None => find(self),
            Some(outlook) => match self.program.outlooks[usize::from(outlook.first)] {
                Watched::Components(_) => self.components(leaps, outlook, from).unwrap_or_else(|| find(self)),
                Watched::Graph(_) | Watched::Sites => self.outlook(outlook, from, find),
            },
        }
    }

    /// Where leaps lead from a site. Empty sites joined by hops form an *island*: a connected component, reached
    /// entirely from any of its sites. None if the piece itself is a stepping stone within an island, which may fall
    /// apart without it.
    fn components(&mut self, leaps: &'a Leaps<W>, outlook: Outlook, start: usize) -> Option<W> {
        let program = self.program;
        let number = self.fresh_outlook(outlook)?;
        let graph = usize::from(program.outlooks[number].place()) - 1;
        let hops = graph * program.sites;
        let within = leaps.within.as_ref().map(|within| self.set(within));
        let mut next = self.state.graphs[hops + start];
        if let Some(within) = within {
            next = next.and(within);
        }
        if next.is_empty() {
            return Some(next);
        }
        let mut all = W::NONE;
        while let Some(site) = next.first() {
            let found = &mut self.found[number];
            if !found.known.contains(site) {
                let island = island(&self.state.graphs[hops..hops + program.sites], within, site);
                found.known = found.known.or(island);
                for site in island.iter() {
                    found.sets[site] = island;
                }
            }
            all = all.or(found.sets[site]);
            next = next.minus(all);
        }
        if all.meets(program.graphs[graph].beside[start]) {
            return None;
        }
        // The first hop is reversible: the piece's own site is free for it.
        if within.is_none_or(|within| within.contains(start)) {
            all.insert(start);
        }
        Some(all)
    }
}

/// The connected component of a site in the graph of hops.
fn island<W: Word>(hops: &[W], within: Option<W>, site: usize) -> W {
    let mut island = W::one(site);
    let mut edge = island;
    while let Some(site) = edge.pop() {
        let mut next = hops[site].minus(island);
        if let Some(within) = within {
            next = next.and(within);
        }
        island = island.or(next);
        edge = edge.or(next);
    }
    island
}
