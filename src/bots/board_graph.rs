//! The boards as a graph, with distances between sites.

use std::collections::VecDeque;

use crate::base::Bits;
use crate::ir::Topology;

/// An unreachable site counts as this many times the number of sites.
const FAR: usize = 2;

/// An occupied target site counts as this many steps.
const BLOCKED: usize = 1;

/// Extra steps if no neighbour of that site is free.
const SHUT_IN: usize = 4;

/// The boards of a game as a graph of steps in any direction.
#[derive(Clone, Debug)]
pub(super) struct BoardGraph {
    /// For each site its neighbours.
    next: Vec<Vec<usize>>,
    /// For each direction and site the site straight on, if there is exactly one.
    ahead: Vec<Vec<Option<usize>>>,
    /// How many sites and neighbours there are: what going through all of them looks at.
    size: usize,
}

impl BoardGraph {
    /// The graph of some boards.
    pub(super) fn new(topology: &Topology) -> Self {
        let sites = 0..topology.sites.len();
        let directions = 0..topology.directions.len();
        let around = |site: usize| {
            let all: Bits = directions.clone().flat_map(|d| topology.step(d, site)).map(|&n| usize::from(n)).collect();
            all.iter().collect()
        };
        let ahead = |d: usize| sites.clone().map(|s| topology.step(d, s).first().map(|&n| usize::from(n))).collect();
        let next: Vec<Vec<usize>> = sites.clone().map(around).collect();
        let size = next.len() + next.iter().map(Vec::len).sum::<usize>();
        Self { next, ahead: directions.clone().map(ahead).collect(), size }
    }

    /// How many sites and neighbours there are together.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// For each site the distance to the nearest goal; far if there is none in reach.
    fn steps_to(&self, goals: &Bits) -> Vec<usize> {
        let mut steps = vec![FAR * self.next.len(); self.next.len()];
        let mut queue: Vec<usize> = goals.iter().filter(|&goal| goal < steps.len()).collect();
        for &goal in &queue {
            steps[goal] = 0;
        }
        let mut at = 0;
        while let Some(&site) = queue.get(at) {
            at += 1;
            for &next in &self.next[site] {
                if steps[next] > steps[site] + 1 {
                    steps[next] = steps[site] + 1;
                    queue.push(next);
                }
            }
        }
        steps
    }

    /// The total distance for the members of one set to move into another, each to a site of its own: the mean of two
    /// estimates, one from each member to its nearest target, one from each target to its nearest member. Occupied
    /// targets must first be vacated, which is harder if they are shut in.
    pub(super) fn walk(&self, from: &Bits, to: &Bits, bare: &Bits) -> f64 {
        let mut outside = from.clone();
        outside.subtract(to);
        if outside.is_empty() {
            return 0.0;
        }
        let mut wanted = to.clone();
        wanted.subtract(from);
        let goals = if wanted.is_empty() { to } else { &wanted };
        let (there, back) = (self.steps_to(goals), self.steps_to(&outside));
        let there: usize = outside.iter().filter_map(|site| there.get(site)).sum();
        let shut_in = |site: usize| self.next.get(site).is_none_or(|next| !next.iter().any(|&n| bare.contains(n)));
        let blocked = |site: usize| match (bare.contains(site), shut_in(site)) {
            (true, _) => 0,
            (false, false) => BLOCKED,
            (false, true) => BLOCKED + SHUT_IN,
        };
        let mut filled: Vec<usize> =
            goals.iter().filter_map(|site| Some(back.get(site)? + 2 * blocked(site))).collect();
        filled.sort_unstable();
        let back: usize = filled.iter().take(outside.count()).sum();
        number(there + back) / 2.0
    }

    /// The total distance for all members of a set to leave a region.
    pub(super) fn leave(&self, from: &Bits, region: &Bits) -> f64 {
        let mut outside = Bits::all(self.next.len());
        outside.subtract(region);
        let steps = self.steps_to(&outside);
        number(from.iter().filter_map(|site| steps.get(site)).sum())
    }

    /// The distance between two sets; none if one is empty.
    pub(super) fn apart(&self, a: &Bits, b: &Bits) -> Option<usize> {
        let steps = self.steps_to(b);
        a.iter().filter_map(|site| steps.get(site).copied()).min().filter(|_| !b.is_empty())
    }

    /// How many free sites must be added to a set to form a straight row of this length; none if no such row is
    /// possible. `looks` counts down the sites that are looked at; at 0 the best row so far is the answer.
    pub(super) fn row(&self, set: &Bits, free: &Bits, length: usize, looks: &mut usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for ahead in &self.ahead {
            for start in 0..self.next.len() {
                let (mut site, mut wanted) = (Some(start), 0);
                for _ in 0..length {
                    *looks = looks.saturating_sub(1);
                    if *looks == 0 {
                        return best;
                    }
                    match site {
                        Some(at) if set.contains(at) => site = ahead[at],
                        Some(at) if free.contains(at) => {
                            wanted += 1;
                            site = ahead[at];
                        }
                        _ => {
                            wanted = length + 1;
                            break;
                        }
                    }
                }
                if wanted <= length && best.is_none_or(|best| wanted < best) {
                    best = Some(wanted);
                }
            }
        }
        best
    }

    /// How many free sites must be added to a set to connect two others through it; none if that is impossible.
    pub(super) fn links(&self, from: &Bits, to: &Bits, over: &Bits, free: &Bits) -> Option<usize> {
        let cost = |site: usize| match (over.contains(site), free.contains(site)) {
            (true, _) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        };
        let mut wanted: Vec<Option<usize>> = vec![None; self.next.len()];
        // In the order of what they cost: sites of the set itself go to the front, so that each is gone on from once.
        let mut edge: VecDeque<(usize, usize)> = VecDeque::new();
        for site in from.iter().filter(|&site| site < self.next.len()) {
            wanted[site] = cost(site);
            match wanted[site] {
                Some(0) => edge.push_front((site, 0)),
                Some(more) => edge.push_back((site, more)),
                None => {}
            }
        }
        while let Some((site, here)) = edge.pop_front() {
            // A cheaper way has been found since.
            if wanted[site] != Some(here) {
                continue;
            }
            for &next in &self.next[site] {
                let Some(more) = cost(next) else { continue };
                if wanted[next].is_none_or(|old| old > here + more) {
                    wanted[next] = Some(here + more);
                    if more == 0 { edge.push_front((next, here)) } else { edge.push_back((next, here + more)) }
                }
            }
        }
        to.iter().filter_map(|site| wanted.get(site).copied().flatten()).min()
    }
}

/// A count as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 52 bits")]
pub(super) fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest free sites of all ways, found by lowering every cost until nothing changes.
    fn relaxed(graph: &BoardGraph, from: &Bits, to: &Bits, cost: &dyn Fn(usize) -> Option<usize>) -> Option<usize> {
        let mut found: Vec<Option<usize>> =
            (0..graph.next.len()).map(|site| cost(site).filter(|_| from.contains(site))).collect();
        loop {
            let before = found.clone();
            for site in 0..found.len() {
                for &next in &graph.next[site] {
                    if let (Some(here), Some(more)) = (found[site], cost(next)) {
                        found[next] = Some(found[next].map_or(here + more, |old| old.min(here + more)));
                    }
                }
            }
            if before == found {
                return to.iter().filter_map(|site| found[site]).min();
            }
        }
    }

    #[test]
    fn links_need_the_fewest_free_sites() {
        // Of the middle bits of a linear congruential generator.
        let mut state = 1_u64;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((state >> 33) % bound).expect("small")
        };
        let mut linked = 0;
        for _ in 0..1000 {
            let next: Vec<Vec<usize>> = (0..24).map(|_| (0..below(4)).map(|_| below(24)).collect()).collect();
            let graph = BoardGraph { next, ahead: Vec::new(), size: 0 };
            let kinds: Vec<usize> = (0..24).map(|_| below(3)).collect();
            let of = |kind: usize| (0..24).filter(|&site| kinds[site] == kind).collect::<Bits>();
            let [from, to] = [below(24), below(24)].map(Bits::one);
            let cost = |site: usize| Some(kinds[site]).filter(|&kind| kind < 2);
            let wanted = relaxed(&graph, &from, &to, &cost);
            assert_eq!(graph.links(&from, &to, &of(0), &of(1)), wanted, "{graph:?} {kinds:?} {from:?} {to:?}");
            linked += usize::from(wanted.is_some());
        }
        assert!(linked > 50, "{linked}");
    }
}
