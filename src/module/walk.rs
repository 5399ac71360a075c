//! Paths that are followed by all walkers together, as sets of sites.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::Parts;
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Heading, Local, Route, Set, SetPath};

/// With at most so many directions, what is done along each is written for each.
pub(super) const UNROLLED: usize = 8;

/// Where walkers are: a set, and the local with the site if there is a single one.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    pub set: Parts,
    pub site: Option<u32>,
}

impl From<Parts> for Crowd {
    fn from(set: Parts) -> Self {
        Self { set, site: None }
    }
}

impl<'a> Emit<'a> {
    /// The sites a path leads to from any of its starting sites.
    pub(super) fn route(&mut self, route: &'a Route<Wide>) -> Out<Parts> {
        if let (Set::One(number), []) = (&route.from, route.binds.as_ref()) {
            self.number(number)?;
            let start = self.f.keep();
            return self.walk_from(route.start, start, &route.walk);
        }
        let starts = self.set(&route.from)?;
        if route.together {
            return self.walk(&route.walk, &starts.into());
        }
        let all = self.variable(&self.known(Wide::NONE));
        self.members(&starts, &mut |emit, start, _| {
            let scope = emit.scope();
            emit.bind_all(&route.binds)?;
            let found = emit.walk_from(route.start, start, &route.walk)?;
            emit.unite(&all, &found);
            emit.leave_scope(scope);
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// Leaves on the stack whether a path leads to one of some sites; a path that goes on and on stops there.
    pub(super) fn leads_to(&mut self, route: &'a Route<Wide>, sites: &'a Set<Wide>) -> Out {
        let sites = self.set(sites)?;
        if let SetPath::Hops(hop, least @ (0 | 1)) = &route.walk
            && hop.there.is_none()
            && let Some(table) = hop.ways.first()
        {
            return self.hops_lead(route, (hop, table, *least), &sites);
        }
        let found = match &route.walk {
            SetPath::Repeat { body, least, most, fully: false } if route.together => {
                let starts = self.set(&route.from)?;
                self.repeated(body, (*least, *most), Some(&sites), &starts)?
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
            | SetPath::Call(..) => self.route(route)?,
        };
        let shared = self.and(&found, &sites);
        self.any(&shared);
        Ok(())
    }

    fn walk_from(&mut self, name: Local, start: u32, walk: &'a SetPath<Wide>) -> Out<Parts> {
        let scope = self.scope();
        self.numbers.push((name, start));
        self.f.get(start);
        let set = self.one();
        let found = self.walk(walk, &Crowd { set, site: Some(start) });
        self.leave_scope(scope);
        found
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind")]
    fn walk(&mut self, walk: &'a SetPath<Wide>, from: &Crowd) -> Out<Parts> {
        self.bounded()?;
        match walk {
            SetPath::Step(heading, to) => {
                let next = match heading {
                    Heading::Known(steps) => self.stepped(steps, from)?,
                    Heading::Set(ways) => {
                        let ways = self.set(ways)?;
                        self.toward_from(from, &ways)?
                    }
                };
                self.look(&next);
                let to = self.set(to)?;
                Ok(self.and(&next, &to))
            }
            SetPath::Slide(ways, limit, through) => {
                let limit = self.limit(limit.as_ref(), 0)?;
                let (ways, through) = (self.set(ways)?, self.set(through)?);
                let passed = self.blocked(&ways, limit, &through, from)?;
                Ok(self.and(&passed, &through))
            }
            SetPath::Rays(sets, limit) => {
                let to = self.set(&sets.2)?;
                let limit = self.limit(limit.as_ref(), 1)?;
                let (ways, through) = (self.set(&sets.0)?, self.set(&sets.1)?);
                let passed = self.blocked(&ways, limit, &through, from)?;
                Ok(self.and(&passed, &to))
            }
            SetPath::RayChain(ways, links) => {
                let ways = self.set(ways)?;
                let links: Vec<(Parts, Parts)> =
                    links.iter().map(|(through, to)| Ok((self.set(through)?, self.set(to)?))).collect::<Out<_>>()?;
                let all = self.variable(&self.known(Wide::NONE));
                self.each_way(&ways, &mut |emit, way| {
                    let mut edge = from.clone();
                    for (through, to) in &links {
                        let passed = emit.variable(&emit.known(Wide::NONE));
                        emit.blocked_one_way(way, None, through, &edge, &passed)?;
                        emit.look(&Self::now(&passed));
                        edge = emit.and(&Self::now(&passed), to).into();
                    }
                    emit.unite(&all, &edge.set);
                    Ok(())
                })?;
                Ok(Self::now(&all))
            }
            SetPath::Hop(hop) => self.hop(hop, from),
            SetPath::Hops(hop, least) => self.hops(hop, *least, from),
            SetPath::Leaps(leaps, least) => {
                let reached = (*least == 0).then_some(&from.set);
                self.leaps(leaps, reached, from)
            }
            SetPath::Along(at, ways, body) => {
                let (ways, all) = (self.set(ways)?, self.variable(&self.known(Wide::NONE)));
                if let Some(known) = Self::known_ways(&ways).filter(|known| known.iter().count() <= UNROLLED) {
                    for way in known.iter() {
                        let scope = self.scope();
                        self.f.long(i64::saturating_from(way));
                        let local = self.f.keep();
                        self.numbers.push((*at, local));
                        self.constants.push((local, way));
                        let found = self.walk(body, from)?;
                        self.constants.pop();
                        self.unite(&all, &found);
                        self.leave_scope(scope);
                    }
                    return Ok(Self::now(&all));
                }
                self.members(&ways, &mut |emit, way, _| {
                    let scope = emit.scope();
                    emit.numbers.push((*at, way));
                    let found = emit.walk(body, from)?;
                    emit.unite(&all, &found);
                    emit.leave_scope(scope);
                    Ok(())
                })?;
                Ok(Self::now(&all))
            }
            SetPath::If(test) => {
                let all = self.variable(&self.known(Wide::NONE));
                self.test(test)?;
                self.f.when();
                self.become_set(&all, &from.set);
                self.f.end();
                Ok(Self::now(&all))
            }
            SetPath::Then(parts) => {
                let mut reached = from.clone();
                for part in parts {
                    reached = self.walk(part, &reached)?.into();
                }
                Ok(reached.set)
            }
            SetPath::Or(parts) => {
                let mut all = self.known(Wide::NONE);
                for part in parts {
                    let found = self.walk(part, from)?;
                    all = self.or(&all, &found);
                }
                Ok(all)
            }
            SetPath::Repeat { body, least, most, fully } => {
                let all = self.repeated(body, (*least, *most), None, &from.set)?;
                if *fully { self.at_the_end(body, &all) } else { Ok(all) }
            }
            SetPath::Each(at, body) => {
                let all = self.variable(&self.known(Wide::NONE));
                self.members(&from.set, &mut |emit, site, _| {
                    let found = emit.walk_from(*at, site, body)?;
                    emit.unite(&all, &found);
                    Ok(())
                })?;
                Ok(Self::now(&all))
            }
            SetPath::Call(binds, body) => {
                let scope = self.scope();
                self.bind_all(binds)?;
                let found = self.walk(body, from);
                self.leave_scope(scope);
                found
            }
        }
    }

    /// The sites that a path leads to if it is followed again and again, or those found until one of some sites is.
    fn repeated(
        &mut self,
        body: &'a SetPath<Wide>,
        (least, most): (u32, Option<u32>),
        until: Option<&Parts>,
        from: &Parts,
    ) -> Out<Parts> {
        let all = self.variable(&self.known(Wide::NONE));
        let current = self.variable(from);
        let round = self.f.small();
        self.f.int(0).set(round);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(round).int(least.cast_signed()).op(I::I32GeU);
        self.f.when();
        let new = self.minus(&Self::now(&current), &Self::now(&all));
        self.become_set(&current, &new);
        self.unite(&all, &new);
        self.f.end();
        if let Some(until) = until {
            let there = self.and(&Self::now(&all), until);
            self.any(&there);
            self.f.br_if(done);
        }
        self.none(&Self::now(&current));
        self.f.br_if(done);
        if let Some(most) = most {
            self.f.get(round).int(most.cast_signed()).op(I::I32GeU).br_if(done);
        }
        self.f.stop_if_spent();
        let next = self.walk(body, &Self::now(&current).into())?;
        self.become_set(&current, &next);
        self.f.get(round).int(1).op(I::I32Add).set(round).br(again);
        self.f.end_loop();
        self.f.end();
        Ok(Self::now(&all))
    }

    /// Those of some sites from which a path leads nowhere.
    fn at_the_end(&mut self, body: &'a SetPath<Wide>, all: &Parts) -> Out<Parts> {
        let ended = self.variable(&self.known(Wide::NONE));
        self.members(all, &mut |emit, site, _| {
            emit.f.get(site);
            let set = emit.one();
            let on = emit.walk(body, &Crowd { set, site: Some(site) })?;
            emit.none(&on);
            emit.f.when();
            emit.insert(&ended, site);
            emit.f.end();
            Ok(())
        })?;
        Ok(Self::now(&ended))
    }
}
