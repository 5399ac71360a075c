//! Board functions: paths, neighbours, rows, groups.

use super::run::Run;
use crate::base::{SaturatingFrom, Word, get_or_default, to_index};
use crate::compile::program::{Heading, Hop, HopTable, Leaps, Number, Reach, Route, Set, SetPath};
use crate::ir::row::AT_ONCE;

/// The neighbours of so many sites of a set are looked up one by one; those of the others are
/// found by shifting all of them once for each direction.
const FEW: usize = 4;

impl<'a, W: Word> Run<'a, W> {
    /// The sites a path leads to from any of its starting sites.
    pub(super) fn route(&mut self, route: &'a Route<W>) -> W {
        match (&route.from, route.outlook, &route.walk) {
            (Set::One(number), outlook @ Some(_), SetPath::Leaps(leaps, 1)) => {
                let start = self.index(number);
                self.set_local(route.start, super::eval::count(start));
                self.led_by_leaps(leaps, outlook, start)
            }
            (Set::One(number), Some(outlook), _) => {
                let start = self.index(number);
                self.outlook(outlook, start, |run| run.led(route))
            }
            _ => self.led(route),
        }
    }

    fn led(&mut self, route: &'a Route<W>) -> W {
        if let (Set::One(number), []) = (&route.from, route.binds.as_ref()) {
            let start = self.number(number);
            self.set_local(route.start, start);
            return self.walk(&route.walk, W::one(to_index(start)));
        }
        if route.together {
            let starts = self.set(&route.from);
            return self.walk(&route.walk, starts);
        }
        let mut all = W::NONE;
        for start in self.set(&route.from).iter() {
            self.bind_all(&route.binds);
            self.set_local(route.start, super::eval::count(start));
            all = all.or(self.walk(&route.walk, W::one(start)));
        }
        all
    }

    fn walk(&mut self, walk: &'a SetPath<W>, from: W) -> W {
        if from.is_empty() || !self.tick() {
            return W::NONE;
        }
        match walk {
            SetPath::Step(heading, to) => {
                let next = match heading {
                    Heading::Known(steps) => {
                        let (mut all, mut gone) = (W::NONE, 0);
                        for site in from.iter() {
                            all = all.or(steps[site]);
                            gone += 1;
                        }
                        self.went_from(gone);
                        all
                    }
                    Heading::Set(ways) => {
                        let ways = self.set(ways);
                        self.toward(from, ways)
                    }
                };
                self.looked = self.looked.or(next);
                if next.is_empty() { next } else { next.and(self.set(to)) }
            }
            SetPath::Slide(ways, limit, through) => self.slide(ways, limit.as_ref(), through, from),
            SetPath::Hop(hop) => self.hop(hop, from),
            SetPath::Hops(hop, least) => self.hops(hop, *least, from),
            SetPath::Leaps(leaps, least) => self.leaps(leaps, if *least == 0 { from } else { W::NONE }, from),
            SetPath::Rays(sets, limit) => self.rays(sets, limit.as_ref(), from),
            SetPath::RayChain(ways, links) => self.ray_chain(ways, links, from),
            SetPath::Along(at, ways, body) => {
                let mut all = W::NONE;
                for way in self.set(ways).iter() {
                    self.set_local(*at, super::eval::count(way));
                    all = all.or(self.walk(body, from));
                }
                all
            }
            SetPath::If(test) => {
                if self.test(test) {
                    from
                } else {
                    W::NONE
                }
            }
            SetPath::Then(parts) => {
                let mut ways = from;
                for part in parts {
                    ways = self.walk(part, ways);
                }
                ways
            }
            SetPath::Or(parts) => {
                let mut all = W::NONE;
                for part in parts {
                    all = all.or(self.walk(part, from));
                }
                all
            }
            SetPath::Repeat { body, least, most, fully } => {
                let mut all = self.repeated(body, (*least, *most), from, W::NONE);
                if *fully {
                    for site in all.iter() {
                        if !self.walk(body, W::one(site)).is_empty() {
                            all.remove(site);
                        }
                    }
                }
                all
            }
            SetPath::Each(at, body) => {
                let mut all = W::NONE;
                for site in from.iter() {
                    if !self.tick() {
                        break;
                    }
                    self.set_local(*at, super::eval::count(site));
                    all = all.or(self.walk(body, W::one(site)));
                }
                all
            }
            SetPath::Call(binds, body) => {
                self.bind_all(binds);
                self.walk(body, from)
            }
        }
    }

    /// Repeats a path until one of some sites has been reached.
    pub(super) fn repeated(&mut self, body: &'a SetPath<W>, (least, most): (u32, Option<u32>), from: W, until: W) -> W {
        let (mut all, mut current, mut round) = (W::NONE, from, 0);
        loop {
            if round >= least {
                current = current.minus(all);
                all = all.or(current);
            }
            let enough = most.is_some_and(|most| round >= most) || round >= least && current.meets(until);
            if enough || current.is_empty() || self.steps == 0 {
                return all;
            }
            current = self.walk(body, current);
            round += 1;
        }
    }

    pub(super) fn steps(&mut self, limit: Option<&'a Number<W>>) -> usize {
        let sites = self.program.sites;
        limit.map_or(sites, |limit| usize::saturating_from(self.number(limit)).min(sites))
    }

    /// The targets of one hop from a site.
    #[inline]
    fn hopped(&mut self, hop: &'a Hop<W>, ways: &'a HopTable, over: W, to: W, site: usize) -> W {
        let (mut all, mut looked) = (W::NONE, self.looked);
        let ways = ways.of(site);
        // Where directions fork there may be hundreds.
        self.steps = self.steps.saturating_sub(ways.len() as u64 / AT_ONCE);
        for &(middle, end) in ways {
            looked.insert(usize::from(middle));
            looked.insert(usize::from(end));
            if over.contains(usize::from(middle)) && to.contains(usize::from(end)) {
                all.insert(usize::from(end));
            }
        }
        self.looked = looked;
        if let Some((here, there)) = &hop.there
            && !all.is_empty()
        {
            self.set_local(*here, super::eval::count(site));
            all = all.and(self.set(there));
        }
        all
    }

    fn hop(&mut self, hop: &'a Hop<W>, from: W) -> W {
        let (over, to) = (self.set(&hop.over), self.set(&hop.to));
        let ways = hop.heading.as_ref().map_or_else(|| W::one(0), |heading| self.set(heading));
        let (mut all, mut gone) = (W::NONE, 0);
        for way in ways.iter() {
            if let Some(ways) = hop.ways.get(way) {
                for site in from.iter() {
                    all = all.or(self.hopped(hop, ways, over, to, site));
                    gone += 1;
                }
            }
        }
        self.went_from(gone);
        all
    }

    /// At least `least` hops in directions known at load.
    fn hops(&mut self, hop: &'a Hop<W>, least: u32, from: W) -> W {
        let Some(ways) = hop.ways.first() else { return W::NONE };
        let (over, to) = (self.set(&hop.over), self.set(&hop.to));
        let (mut edge, mut gone) = (from, 0);
        for _ in 0..least {
            let mut next = W::NONE;
            for site in edge.iter() {
                next = next.or(self.hopped(hop, ways, over, to, site));
                gone += 1;
            }
            edge = next;
        }
        let mut all = edge;
        while let Some(site) = edge.pop() {
            gone += 1;
            let next = self.hopped(hop, ways, over, to.minus(all), site);
            all = all.or(next);
            edge = edge.or(next);
        }
        self.went_from(gone);
        all
    }

    /// One step, or any number of leaps, of the piece on a site.
    pub(super) fn reach(&mut self, reach: &'a Reach<W>) -> W {
        let from = self.index(&reach.from);
        let mut next = get_or_default(&reach.steps, from).minus(self.state.taken);
        if let Some((here, there)) = &reach.there
            && !next.is_empty()
        {
            self.set_local(*here, super::eval::count(from));
            next = next.and(self.set(there));
        }
        self.set_local(reach.leaps.start, super::eval::count(from));
        next.or(self.led_by_leaps(&reach.leaps, reach.outlook, from))
    }

    /// Any number of hops along a maintained graph; `all` are the sites already reached, `edge` the frontier.
    pub(super) fn leaps(&mut self, leaps: &'a Leaps<W>, mut all: W, mut edge: W) -> W {
        let program = self.program;
        let number = match leaps.graphs.as_ref() {
            [only] => Some(only),
            graphs => graphs.get(usize::from(self.state.me)),
        };
        let Some(&number) = number else { return all };
        let graph = &program.graphs[usize::from(number)];
        let first = usize::from(number) * program.sites;
        let start = to_index(self.local(leaps.start));
        let (beside, beyond) = (get_or_default(&graph.beside, start), get_or_default(&graph.beyond, start));
        let within = leaps.within.as_ref().map(|within| self.set(within));
        let mut gone = 0;
        while let Some(site) = edge.pop() {
            gone += 1;
            self.looked.insert(site);
            let mut next = self.state.graphs[first + site];
            // The piece is lifted off the board: nothing hops over it, and its site is free.
            if beside.contains(site) {
                for &(from, end) in graph.by_middle.of(start) {
                    if usize::from(from) == site {
                        next.remove(usize::from(end));
                    }
                }
            }
            if beyond.contains(site) && !all.contains(start) {
                for &(from, middle) in graph.by_end.of(start) {
                    if usize::from(from) == site && graph.over[usize::from(self.state.sites[usize::from(middle)])] {
                        next.insert(start);
                    }
                }
            }
            if next.is_empty() {
                continue;
            }
            if let Some(within) = within {
                next = next.and(within);
            }
            if let Some((here, there)) = &leaps.there {
                self.set_local(*here, super::eval::count(site));
                next = next.and(self.set(there));
            }
            next = next.minus(all);
            all = all.or(next);
            edge = edge.or(next);
        }
        self.went_from(gone);
        all
    }

    pub(super) fn toward(&mut self, mut sites: W, ways: W) -> W {
        let mut all = W::NONE;
        if let Some((_, near)) = self.program.near.iter().find(|(known, _)| *known == ways) {
            for _ in 0..FEW {
                let Some(site) = sites.pop() else { return all };
                all = all.or(get_or_default(near, site));
            }
            if sites.is_empty() {
                return all;
            }
        }
        let mut gone = 0;
        for way in ways.iter() {
            if let Some(Some(shift)) = self.program.shifts.get(way) {
                all = all.or(shift.step(sites));
                gone += 1;
            } else if let Some(steps) = self.program.steps.get(way) {
                for site in sites.iter() {
                    all = all.or(get_or_default(steps, site));
                    gone += 1;
                }
            }
        }
        self.went_from(gone);
        all
    }

    pub(super) fn distance(&mut self, a: usize, b: usize, ways: W) -> i64 {
        let (mut reached, mut edge, mut steps) = (W::one(a), W::one(a), 0);
        while !edge.contains(b) {
            edge = self.toward(edge, ways).minus(reached);
            if edge.is_empty() || !self.tick() {
                return -1;
            }
            reached = reached.or(edge);
            steps += 1;
        }
        steps
    }

    /// The sites of `set` connected within it to the sites of `from`.
    pub(super) fn flood(&mut self, from: W, set: W, ways: W) -> W {
        let mut reached = from.and(set);
        let mut edge = reached;
        while !edge.is_empty() && self.tick() {
            let beside = self.toward(edge, ways);
            self.looked = self.looked.or(beside);
            edge = beside.and(set).minus(reached);
            reached = reached.or(edge);
        }
        reached
    }
}
