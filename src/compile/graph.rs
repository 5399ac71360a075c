//! Hops as maintained graphs: chains of hops over pieces onto empty sites are followed for every piece on every ply,
//! so single hops are maintained incrementally.

use super::Gap;
use super::lower::Lower;
use super::program::{Graph, Hop, HopTable, Leaps, Local, Number, Set};
use crate::base::{SaturatingFrom, Word};
use crate::ir::SetOp;

impl<W: Word> Lower<'_, W> {
    /// The hop as one along a maintained graph, if it goes over pieces onto empty sites.
    pub(super) fn leaps(&mut self, hop: &Hop<W>) -> Result<Option<Leaps<W>>, Gap> {
        let (&[start], Some(ways)) = (self.lifted.as_slice(), hop.ways.first()) else { return Ok(None) };
        if !self.game.tokens.is_empty() || !single_middle(ways) {
            return Ok(None);
        }
        let Some(within) = onto(&hop.to, start, self.game.topology.sites.len()) else { return Ok(None) };
        let masks: Vec<Vec<bool>> = match lifted(&hop.over, start) {
            Some(Set::Occupied) => vec![(0..self.pieces.len()).map(|piece| piece > 0).collect()],
            Some(Set::Index(index)) => vec![self.indexes[usize::from(*index)].clone()],
            Some(Set::IndexByMe(map)) => map.iter().map(|&index| self.indexes[usize::from(index)].clone()).collect(),
            _ => return Ok(None),
        };
        let mut graphs = Vec::new();
        for over in masks {
            let at = self.graphs.iter().position(|graph| *graph.over == *over && graph.by_middle == by_middle(ways));
            let at = at.unwrap_or_else(|| {
                self.graphs.push(graph(over, ways));
                self.graphs.len() - 1
            });
            graphs.push(u16::try_from(at).map_err(|_| Gap("too many graphs"))?);
        }
        Ok(Some(Leaps { graphs: graphs.into(), start, within, there: hop.there.clone() }))
    }
}

/// The set from which a lifted piece's site is removed.
fn lifted<W: Word>(set: &Set<W>, start: Local) -> Option<&Set<W>> {
    let Set::Op(SetOp::Minus, both) = set else { return None };
    is_start(&both.1, start).then_some(&both.0)
}

fn is_start<W: Word>(set: &Set<W>, start: Local) -> bool {
    matches!(set, Set::One(number) if matches!(**number, Number::Local(at) if at == start))
}

/// The restriction on which empty sites a set allows: none if it allows all of them; outer none if it is not a subset
/// of the empty sites.
pub(super) fn onto<W: Word>(set: &Set<W>, start: Local, sites: usize) -> Option<Option<Set<W>>> {
    let Set::Op(op, both) = set else { return None };
    let (narrowed, by) = both.as_ref();
    let more = match op {
        SetOp::Union => return (matches!(narrowed, Set::Empty) && is_start(by, start)).then_some(None),
        SetOp::Minus => super::set::combine(SetOp::Minus, Set::Const(W::all(sites)), by.clone()),
        SetOp::Intersect => by.clone(),
    };
    Some(Some(match onto(narrowed, start, sites)? {
        None => more,
        Some(inner) => super::set::combine(SetOp::Intersect, inner, more),
    }))
}

/// Whether all hops between the same two sites go over the same site.
fn single_middle(ways: &HopTable) -> bool {
    (0..ways.from.len() - 1).all(|site| {
        let pairs = ways.of(site);
        pairs.iter().enumerate().all(|(at, (_, end))| pairs[..at].iter().all(|(_, other)| other != end))
    })
}

/// The hops indexed by the site that `key` selects.
fn sorted(ways: &HopTable, key: impl Fn(u16, u16, u16) -> (u16, (u16, u16))) -> HopTable {
    let sites = ways.from.len() - 1;
    let mut hops = Vec::new();
    for site in 0..sites {
        for &(middle, end) in ways.of(site) {
            hops.push(key(u16::saturating_from(site), middle, end));
        }
    }
    hops.sort_unstable();
    let from = (0..=sites).map(|site| hops.partition_point(|(first, _)| usize::from(*first) < site));
    HopTable { from: from.map(u32::saturating_from).collect(), pairs: hops.iter().map(|(_, pair)| *pair).collect() }
}

fn by_middle(ways: &HopTable) -> HopTable {
    sorted(ways, |site, middle, end| (middle, (site, end)))
}

fn graph<W: Word>(over: Vec<bool>, ways: &HopTable) -> Graph<W> {
    let by_middle = by_middle(ways);
    let by_end = sorted(ways, |site, middle, end| (end, (site, middle)));
    let firsts = |pairs: &HopTable, site| pairs.of(site).iter().map(|(from, _)| usize::from(*from)).collect::<W>();
    let sites = ways.from.len() - 1;
    let beside = (0..sites).map(|site| firsts(&by_middle, site)).collect();
    let beyond = (0..sites).map(|site| firsts(&by_end, site)).collect();
    Graph { over: over.into(), by_middle, by_end, beside, beyond }
}
