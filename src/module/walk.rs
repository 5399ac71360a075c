//! Paths that are followed by all walkers together, as sets of sites.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::{Part, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::program::{Heading, Local, Route, Set, SetPath};

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
                let reached = if *least == 0 { from.set.clone() } else { self.known(Wide::NONE) };
                self.leaps(leaps, &reached, &from.set)
            }
            SetPath::Along(at, ways, body) => {
                let (ways, all) = (self.set(ways)?, self.variable(&self.known(Wide::NONE)));
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
            SetPath::Repeat { body, least, most, fully } => self.repeated(body, *least, *most, *fully, &from.set),
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

    fn repeated(
        &mut self,
        body: &'a SetPath<Wide>,
        least: u32,
        most: Option<u32>,
        fully: bool,
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
        self.none(&Self::now(&current));
        self.f.br_if(done);
        if let Some(most) = most {
            self.f.get(round).int(most.cast_signed()).op(I::I32GeU).br_if(done);
        }
        self.charge();
        let next = self.walk(body, &Self::now(&current).into())?;
        self.become_set(&current, &next);
        self.f.get(round).int(1).op(I::I32Add).set(round).br(again);
        self.f.end_loop();
        self.f.end();
        if !fully {
            return Ok(Self::now(&all));
        }
        let ended = self.variable(&self.known(Wide::NONE));
        self.members(&Self::now(&all), &mut |emit, site, _| {
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
    fn known_ways(ways: &Parts) -> Option<Wide> {
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

    fn toward_from(&mut self, from: &Crowd, ways: &Parts) -> Out<Parts> {
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
    fn shifted(&mut self, set: &Parts, by: isize) -> Parts {
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
        let beside = self.toward(&Self::now(&edge), ways)?;
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
