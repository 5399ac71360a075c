//! Hops over one site, and any number of them along a maintained graph.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::{Address, Parts};
use super::walk::Crowd;
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Hop, HopTable, Leaps, Local, Reach, Set};

/// The pairs of a table of hops in memory: where the address of each site's first pair stands.
pub(super) struct Pairs {
    from: Address,
}

impl<'a> Emit<'a> {
    pub(super) fn pairs_of(&mut self, table: &HopTable) -> Pairs {
        let pairs = self.table_of_shorts(table.pairs.iter().flat_map(|&(a, b)| [a, b]));
        let from = self.table_of_ints(table.from.iter().map(|&at| pairs + 4 * at));
        Pairs { from }
    }

    /// Does something for each pair of a table that belongs to the site in a local: with the locals of both sites.
    pub(super) fn each_pair(
        &mut self,
        pairs: &Pairs,
        site: u32,
        each: &mut dyn FnMut(&mut Self, u32, u32) -> Out,
    ) -> Out {
        self.f.get(site).op(I::I32WrapI64).int(2).op(I::I32Shl);
        let entry = self.f.keep_small();
        self.f.get(entry).load_int(pairs.from);
        let at = self.f.keep_small();
        self.f.get(entry).load_int(pairs.from + 4);
        let end = self.f.keep_small();
        let done = self.f.block();
        let again = self.f.again();
        self.f.get(at).get(end).op(I::I32GeU).br_if(done);
        self.f.get(at).load_short(0).op(I::I64ExtendI32U);
        let first = self.f.keep();
        self.f.get(at).load_short(2).op(I::I64ExtendI32U);
        let second = self.f.keep();
        self.f.get(at).int(4).op(I::I32Add).set(at);
        each(self, first, second)?;
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        Ok(())
    }

    /// Adds to a changing set where one hop leads from the site in a local.
    pub(super) fn hopped(
        &mut self,
        hop: &'a Hop<Wide>,
        table: &HopTable,
        sets: (&Parts, &Parts),
        site: u32,
        all: &[u32],
    ) -> Out {
        let pairs = self.pairs_of(table);
        let found = self.variable(&self.known(Wide::NONE));
        self.f.get(site).long(i64::saturating_from(table.from.len().saturating_sub(1))).op(I::I64LtU);
        self.f.when();
        self.each_pair(&pairs, site, &mut |emit, middle, end| {
            emit.look_at(middle);
            emit.look_at(end);
            emit.contains(sets.0, middle);
            emit.contains(sets.1, end);
            emit.f.op(I::I32And);
            emit.f.when();
            emit.insert(&found, end);
            emit.f.end();
            Ok(())
        })?;
        self.f.end();
        let found = self.restricted(hop.there.as_ref(), site, &Self::now(&found))?;
        self.unite(all, &found);
        Ok(())
    }

    /// A set restricted by one that depends on the site in a local.
    pub(super) fn restricted(&mut self, there: Option<&'a (Local, Set<Wide>)>, site: u32, set: &Parts) -> Out<Parts> {
        let Some((here, there)) = there else { return Ok(set.clone()) };
        let scope = self.scope();
        self.numbers.push((*here, site));
        let there = self.set(there)?;
        self.leave_scope(scope);
        Ok(self.and(set, &there))
    }

    pub(super) fn hop(&mut self, hop: &'a Hop<Wide>, from: &Crowd) -> Out<Parts> {
        let (over, to) = (self.set(&hop.over)?, self.set(&hop.to)?);
        let ways = match &hop.heading {
            Some(heading) => Some(self.set(heading)?),
            None => None,
        };
        let all = self.variable(&self.known(Wide::NONE));
        for (way, table) in hop.ways.iter().enumerate() {
            let chosen = ways.as_ref().map(|ways| {
                self.f.part(ways[way / 64]).long(1 << (way % 64)).op(I::I64And).long(0).op(I::I64Ne);
                self.f.when()
            });
            self.members(&from.set, &mut |emit, site, _| emit.hopped(hop, table, (&over, &to), site, &all))?;
            if chosen.is_some() {
                self.f.end();
            } else {
                break;
            }
        }
        Ok(Self::now(&all))
    }

    pub(super) fn hops(&mut self, hop: &'a Hop<Wide>, least: u32, from: &Crowd) -> Out<Parts> {
        let Some(table) = hop.ways.first() else { return Ok(self.known(Wide::NONE)) };
        let (over, to) = (self.set(&hop.over)?, self.set(&hop.to)?);
        let edge = self.variable(&from.set);
        for _ in 0..least {
            let next = self.variable(&self.known(Wide::NONE));
            let sites = Self::now(&edge);
            self.members(&sites, &mut |emit, site, _| emit.hopped(hop, table, (&over, &to), site, &next))?;
            self.become_set(&edge, &Self::now(&next));
        }
        let all = self.variable(&Self::now(&edge));
        self.frontier(&edge, &mut |emit, site| {
            let free = emit.minus(&to, &Self::now(&all));
            let next = emit.variable(&emit.known(Wide::NONE));
            emit.hopped(hop, table, (&over, &free), site, &next)?;
            emit.unite(&all, &Self::now(&next));
            emit.unite(&edge, &Self::now(&next));
            Ok(())
        })?;
        Ok(Self::now(&all))
    }

    /// Does something for the smallest member of a changing set, taken out of it, as long as there is one.
    pub(super) fn frontier(&mut self, edge: &[u32], each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        let done = self.f.block();
        let again = self.f.again();
        self.none(&Self::now(edge));
        self.f.br_if(done);
        let site = self.pop(edge);
        each(self, site)?;
        self.f.stop_if_spent();
        self.f.br(again);
        self.f.end_loop();
        self.f.end();
        Ok(())
    }

    /// One step, or any number of leaps, of the piece on a site.
    pub(super) fn reach(&mut self, reach: &'a Reach<Wide>) -> Out<Parts> {
        self.number(&reach.from)?;
        let from = self.f.keep();
        let base = self.table_of_sets(&reach.steps);
        self.f.get(from);
        self.entry_of_sets(base, reach.steps.len());
        let (near, taken) = (self.load_set(0), self.read_set(self.layout.taken));
        let near = self.minus(&near, &taken);
        let near = self.restricted(reach.there.as_ref(), from, &near)?;
        let scope = self.scope();
        self.numbers.push((reach.leaps.start, from));
        self.f.get(from);
        let edge = self.one();
        let far = self.leaps(&reach.leaps, None, &Crowd { set: edge, site: Some(from) })?;
        self.leave_scope(scope);
        Ok(self.or(&near, &far))
    }

    /// Any number of hops along a maintained graph from some sites; some sites may already be reached.
    pub(super) fn leaps(&mut self, leaps: &'a Leaps<Wide>, reached: Option<&Parts>, from: &Crowd) -> Out<Parts> {
        let program = self.program;
        let name = self.numbers.iter().rev().find(|(name, _)| *name == leaps.start);
        // The piece that was lifted goes alone.
        if let (None, Some(start), Some(&(_, lifted))) = (reached, from.site, name)
            && start == lifted
            && let Some(chains) = self.chains(leaps)
        {
            return Ok(self.chained(&chains, start));
        }
        let none = self.known(Wide::NONE);
        let all = self.variable(reached.unwrap_or(&none));
        let within = match &leaps.within {
            Some(within) => Some(self.set(within)?),
            None => None,
        };
        self.local(leaps.start);
        let start = self.f.keep();
        let along = |emit: &mut Self, number: u16| -> Out {
            let graph = program.graphs.get(usize::from(number)).ok_or(Gap("a graph that is missing"))?;
            let (beside, beyond) = (emit.table_of_sets(&graph.beside), emit.table_of_sets(&graph.beyond));
            let (middles, ends) = (emit.pairs_of(&graph.by_middle), emit.pairs_of(&graph.by_end));
            let over = emit.table(graph.over.iter().map(|&over| over.into()).collect());
            emit.f.get(start);
            emit.entry_of_sets(beside, graph.beside.len());
            let beside = emit.load_set(0);
            emit.f.get(start);
            emit.entry_of_sets(beyond, graph.beyond.len());
            let beyond = emit.load_set(0);
            let edge = emit.variable(&from.set);
            emit.frontier(&edge, &mut |emit, site| {
                let next = emit.hops_from(number, site)?;
                let next = emit.variable(&next);
                // The piece is lifted off the board: nothing hops over it, and its site is free.
                emit.contains(&beside, site);
                emit.f.when();
                emit.each_pair(&middles, start, &mut |emit, first, end| {
                    emit.f.get(first).get(site).op(I::I64Eq);
                    emit.f.when();
                    emit.remove(&next, end);
                    emit.f.end();
                    Ok(())
                })?;
                emit.f.end();
                emit.contains(&beyond, site);
                emit.contains(&Self::now(&all), start);
                emit.f.op(I::I32Eqz).op(I::I32And);
                emit.f.when();
                emit.each_pair(&ends, start, &mut |emit, first, middle| {
                    emit.f.get(first).get(site).op(I::I64Eq);
                    emit.f.when();
                    let piece = emit.piece_on(middle);
                    emit.f.get(piece);
                    emit.entry(over, graph.over.len(), 0);
                    emit.f.load_byte(0);
                    emit.f.when();
                    emit.insert(&next, start);
                    emit.f.end();
                    emit.f.end();
                    Ok(())
                })?;
                emit.f.end();
                let mut found = emit.minus(&Self::now(&next), &Self::now(&all));
                if let Some(within) = &within {
                    found = emit.and(&found, within);
                }
                let found = emit.restricted(leaps.there.as_ref(), site, &found)?;
                emit.unite(&all, &found);
                emit.unite(&edge, &found);
                Ok(())
            })
        };
        match leaps.graphs.as_ref() {
            [only] => along(self, *only)?,
            graphs => {
                for (seat, &graph) in graphs.iter().enumerate() {
                    self.me();
                    self.f.long(i64::saturating_from(seat)).op(I::I64Eq);
                    self.f.when();
                    along(self, graph)?;
                    self.f.end();
                }
            }
        }
        Ok(Self::now(&all))
    }
}
