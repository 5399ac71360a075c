//! The boards as a graph, with distances between sites.

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
        Self { next: sites.clone().map(around).collect(), ahead: directions.clone().map(ahead).collect() }
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
    /// possible.
    pub(super) fn row(&self, set: &Bits, free: &Bits, length: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for ahead in &self.ahead {
            for start in 0..self.next.len() {
                let (mut site, mut wanted) = (Some(start), 0);
                for _ in 0..length {
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
        let mut edge: Vec<usize> = Vec::new();
        for site in from.iter().filter(|&site| site < self.next.len()) {
            wanted[site] = cost(site);
            edge.extend(wanted[site].map(|_| site));
        }
        // Terminates, as each round lowers the cost of some site.
        while let Some(site) = edge.pop() {
            let Some(here) = wanted[site] else { continue };
            for &next in &self.next[site] {
                if let Some(more) = cost(next)
                    && wanted[next].is_none_or(|old| old > here + more)
                {
                    wanted[next] = Some(here + more);
                    edge.push(next);
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
