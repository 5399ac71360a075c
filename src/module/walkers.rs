//! Paths that are followed one walker at a time, since their ways differ by what they take. A walker is a way so far; walkers
//! lie one behind the other in memory, and whatever is found is put behind those that it comes from.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Help, Out, Wide};
use super::func::{Label, Parts};
use super::walk::{Crowd, UNROLLED};
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Set, Stand, WalkerPath};

/// Where walkers come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum From {
    /// The walker in a local.
    One(u32),
    /// Those between two places in memory, which are in locals.
    Many(u32, u32),
}

impl<'a> Emit<'a> {
    /// Adds the walker in a local to those from a place on.
    pub(super) fn add_to(&mut self, first: u32, walker: u32) {
        self.f.get(first).get(walker);
        self.help(Help::AddWalker);
    }

    /// Adds all walkers from a place on to those between two places before, of which the second moves on.
    pub(super) fn join(&mut self, first: u32, behind: u32, found: u32) {
        let (at, end) = (self.f.small(), self.last_walker());
        self.f.get(found).set(at);
        self.drop_walkers(behind);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).get(end).op(I::I32GeU).br_if(done);
        // They move down: the place behind the last is never beyond the one that is read.
        let walkers = self.room_for_walkers();
        self.f.get(first).get(at).load(walkers);
        self.help(Help::AddWalker);
        self.f.get(at).int(8).op(I::I32Add).set(at).br(again);
        self.f.end_loop();
        self.f.end();
        let top = self.layout.walkers_top;
        self.f.read_int(top).set(behind);
    }

    /// Does something for each of some walkers, which is in a local.
    pub(super) fn each_walker(&mut self, from: &From, each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        match *from {
            From::One(walker) => each(self, walker),
            From::Many(first, end) => {
                let at = self.f.small();
                self.f.get(first).set(at);
                let done = self.f.block();
                let again = self.f.again();
                self.f.get(at).get(end).op(I::I32GeU).br_if(done);
                self.f.stop_if_spent();
                let walkers = self.room_for_walkers();
                self.f.get(at).load(walkers);
                let walker = self.f.keep();
                self.f.get(at).int(8).op(I::I32Add).set(at);
                each(self, walker)?;
                self.f.br(again);
                self.f.end_loop();
                self.f.end();
                Ok(())
            }
        }
    }

    /// Some walkers in memory.
    fn in_memory(&mut self, from: &From) -> (u32, u32) {
        match *from {
            From::Many(first, end) => (first, end),
            From::One(walker) => {
                let first = self.last_walker();
                self.f.get(first).get(walker);
                self.help(Help::AddWalker);
                (first, self.last_walker())
            }
        }
    }

    /// Does something for each walker, with its site and what it took bound to the names of a path.
    fn standing(&mut self, stand: Stand, from: &From, each: &mut dyn FnMut(&mut Self, u32, u32) -> Out) -> Out {
        let bits = self.way_bits()?;
        self.each_walker(from, &mut |emit, walker| {
            emit.f.get(walker).long(bits).op(I::I64ShrU);
            let site = emit.f.keep();
            let scope = emit.scope();
            emit.numbers.push((stand.here, site));
            if let Some(name) = stand.taken {
                let taken = emit.taken_by(walker)?;
                emit.sets.push((name, taken));
            }
            each(emit, walker, site)?;
            emit.leave_scope(scope);
            Ok(())
        })
    }

    /// The walker in a local once it has come to a site, in another.
    pub(super) fn come_to(&mut self, walker: u32, site: u32) -> Out<u32> {
        let bits = self.way_bits()?;
        self.f.get(site).long(bits).op(I::I64Shl).get(walker).long((1 << bits) - 1).op(I::I64And).op(I::I64Or);
        Ok(self.f.keep())
    }

    /// The walkers that complete a path: the local with the place of the first; the last is the last in memory.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of path")]
    pub(super) fn walkers(&mut self, path: &'a WalkerPath<Wide>, stand: Stand, from: &From) -> Out<u32> {
        self.bounded()?;
        let first = self.last_walker();
        match path {
            WalkerPath::Step(ways, to) => {
                self.standing(stand, from, &mut |emit, walker, site| {
                    let (ways, to) = (emit.set(ways)?, emit.set(to)?);
                    let crowd = emit.crowd(site);
                    let next = emit.toward_from(&crowd, &ways)?;
                    let next = emit.and(&next, &to);
                    emit.come_to_all(first, walker, &next)
                })?;
            }
            WalkerPath::Slide(ways, limit, through) => {
                self.straight()?;
                let limit = self.limit(limit.as_ref(), 0)?;
                self.standing(stand, from, &mut |emit, walker, site| {
                    let (ways, through) = (emit.set(ways)?, emit.set(through)?);
                    let crowd = emit.crowd(site);
                    let passed = emit.blocked(&ways, limit, &through, &crowd)?;
                    let passed = emit.and(&passed, &through);
                    emit.come_to_all(first, walker, &passed)
                })?;
            }
            WalkerPath::Hop(sets, taking) => {
                self.standing(stand, from, &mut |emit, walker, site| {
                    let (ways, over, to) = (emit.set(&sets.0)?, emit.set(&sets.1)?, emit.set(&sets.2)?);
                    emit.each_way(&ways, &mut |emit, way| emit.jump(first, way, (&over, &to), *taking, (walker, site)))
                })?;
            }
            WalkerPath::Flank(sets) => {
                let (ways, over, to) = (self.set(&sets.0)?, self.set(&sets.1)?, self.set(&sets.2)?);
                self.each_walker(from, &mut |emit, walker| {
                    emit.each_way(&ways, &mut |emit, way| emit.outflank(first, way, (&over, &to), walker))
                })?;
            }
            WalkerPath::Along(at, ways, body) => self.along(first, (*at, ways), body, stand, from)?,
            WalkerPath::Each(body) => {
                let behind = self.last_walker();
                self.standing(stand, from, &mut |emit, walker, _| {
                    let found = emit.walkers(body, stand, &From::One(walker))?;
                    emit.join(first, behind, found);
                    Ok(())
                })?;
            }
            WalkerPath::Take => {
                self.standing(stand, from, &mut |emit, walker, site| {
                    emit.f.get(walker).long(1).get(site).op(I::I64Shl).op(I::I64Or);
                    let walker = emit.f.keep();
                    emit.add_to(first, walker);
                    Ok(())
                })?;
            }
            WalkerPath::If(test) => {
                self.standing(stand, from, &mut |emit, walker, _| {
                    emit.test(test)?;
                    emit.f.when();
                    emit.add_to(first, walker);
                    emit.f.end();
                    Ok(())
                })?;
            }
            WalkerPath::Then(parts) if parts.is_empty() => {
                self.each_walker(from, &mut |emit, walker| {
                    emit.add_to(first, walker);
                    Ok(())
                })?;
            }
            WalkerPath::Then(parts) => {
                let done = self.f.block();
                let mut reached = *from;
                for part in parts {
                    let found = self.walkers(part, stand, &reached)?;
                    let end = self.last_walker();
                    self.f.get(found).set(first).get(found).get(end).op(I::I32Eq).br_if(done);
                    reached = From::Many(found, end);
                }
                self.f.end();
            }
            WalkerPath::Or(parts) => {
                let behind = self.last_walker();
                for part in parts {
                    let found = self.walkers(part, stand, from)?;
                    self.join(first, behind, found);
                }
            }
            WalkerPath::Repeat { body, least, most, fully } => {
                let out = self.repeat_walkers(body, (*least, *most), stand, from)?;
                self.f.get(out).set(first);
                if *fully {
                    self.keep_ended(body, stand, first)?;
                }
            }
            WalkerPath::Call(binds, inner, body) => {
                let scope = self.scope();
                self.bind_all(binds)?;
                let found = self.walkers(body, *inner, from)?;
                self.f.get(found).set(first);
                self.leave_scope(scope);
            }
        }
        Ok(first)
    }

    fn crowd(&mut self, site: u32) -> Crowd {
        self.f.get(site);
        Crowd { set: self.one(), site: Some(site) }
    }

    /// Adds the walkers that come from one to each of some sites.
    fn come_to_all(&mut self, first: u32, walker: u32, sites: &Parts) -> Out {
        self.members(sites, &mut |emit, site, _| {
            let next = emit.come_to(walker, site)?;
            emit.add_to(first, next);
            Ok(())
        })
    }

    /// Lines have to go on without forks, and never back at once: then all sites straight on are a set.
    fn straight(&self) -> Out {
        let topology = &self.game.topology;
        let sites = 0..self.program.sites;
        let odd = |way: usize| {
            sites.clone().any(|site| match topology.step(way, site) {
                [] => false,
                [next] => topology.step(way, usize::from(*next)).first().is_some_and(|back| usize::from(*back) == site),
                _ => true,
            })
        };
        if (0..topology.directions.len()).any(odd) {
            Err(Gap("slides along lines that fork or lead back"))
        } else {
            Ok(())
        }
    }

    /// The walkers that complete a path with one direction throughout.
    fn along(
        &mut self,
        first: u32,
        (at, ways): (u16, &'a Set<Wide>),
        body: &'a WalkerPath<Wide>,
        stand: Stand,
        from: &From,
    ) -> Out {
        let (ways, behind) = (self.set(ways)?, self.last_walker());
        if let Some(known) = Self::known_ways(&ways).filter(|known| known.iter().count() <= UNROLLED) {
            for way in known.iter() {
                let scope = self.scope();
                self.f.long(i64::saturating_from(way));
                let local = self.f.keep();
                self.numbers.push((at, local));
                self.constants.push((local, way));
                let found = self.walkers(body, stand, from)?;
                self.constants.pop();
                self.join(first, behind, found);
                self.leave_scope(scope);
            }
            return Ok(());
        }
        self.members(&ways, &mut |emit, way, _: Label| {
            let scope = emit.scope();
            emit.numbers.push((at, way));
            let found = emit.walkers(body, stand, from)?;
            emit.join(first, behind, found);
            emit.leave_scope(scope);
            Ok(())
        })
    }

    /// The walkers that have followed a path again and again: only those go on that have not been found before.
    fn repeat_walkers(
        &mut self,
        body: &'a WalkerPath<Wide>,
        (least, most): (u32, Option<u32>),
        stand: Stand,
        from: &From,
    ) -> Out<u32> {
        let (begin, stop) = self.in_memory(from);
        let out = self.last_walker();
        let (now, end, behind, round) = (self.f.small(), self.f.small(), self.f.small(), self.f.small());
        self.f.get(begin).set(now).get(stop).set(end).get(out).set(behind).int(0).set(round);
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(round).int(least.cast_signed()).op(I::I32GeU);
        self.f.when();
        self.drop_walkers(behind);
        self.each_walker(&From::Many(now, end), &mut |emit, walker| {
            emit.add_to(out, walker);
            Ok(())
        })?;
        self.f.get(behind).set(now);
        let top = self.last_walker();
        self.f.get(top).set(end).get(top).set(behind);
        self.f.end();
        self.f.get(now).get(end).op(I::I32Eq).br_if(done);
        if let Some(most) = most {
            self.f.get(round).int(most.cast_signed()).op(I::I32GeU).br_if(done);
        }
        self.f.stop_if_spent();
        let found = self.walkers(body, stand, &From::Many(now, end))?;
        self.f.get(found).set(now);
        let top = self.last_walker();
        self.f.get(top).set(end);
        self.f.get(round).int(1).op(I::I32Add).set(round).br(again);
        self.f.end_loop();
        self.f.end();
        self.drop_walkers(behind);
        Ok(out)
    }

    /// Keeps those walkers from a place on that cannot go on.
    fn keep_ended(&mut self, body: &'a WalkerPath<Wide>, stand: Stand, first: u32) -> Out {
        let (end, kept) = (self.last_walker(), self.f.small());
        self.f.get(first).set(kept);
        self.each_walker(&From::Many(first, end), &mut |emit, walker| {
            let on = emit.walkers(body, stand, &From::One(walker))?;
            let top = emit.last_walker();
            emit.drop_walkers(end);
            emit.f.get(on).get(top).op(I::I32Eq);
            emit.f.when();
            let walkers = emit.room_for_walkers();
            emit.f.get(kept).get(walker).store(walkers);
            emit.f.get(kept).int(8).op(I::I32Add).set(kept);
            emit.f.end();
            Ok(())
        })?;
        self.drop_walkers(kept);
        Ok(())
    }
}
