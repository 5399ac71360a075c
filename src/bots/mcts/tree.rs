//! The tree of a search.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::base::Bits;
use crate::bots::board_graph::number;
use crate::ir::Move;
use crate::play::Stream;

/// What the seat that searches learns of an answer: nothing, a move as far as it is
/// seen, or several that become known together.
pub(super) type Key = SmallVec<[Move; 1]>;

/// How much a less visited answer is preferred where games are played out, values
/// being stretched to 0 to 1.
const EXPLORE: f64 = 0.4;

/// The same where positions are evaluated, which is no matter of luck.
const COMPARE: f64 = 0.2;

/// The natural logarithm, straight between powers of two: the same on every machine.
fn logarithm(n: u32) -> f64 {
    let whole = n.max(1).ilog2();
    std::f64::consts::LN_2 * (f64::from(whole) + f64::from(n.max(1)) / f64::from(1_u32 << whole) - 1.0)
}

/// An answer at a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// The answer, where nodes stand for several positions.
    pub mv: Option<Move>,
    /// What the seat that searches learns of it.
    pub seen: Option<Move>,
    /// How often it was taken.
    pub visits: u32,
    /// How often it could have been taken.
    pub open: u32,
    /// The sum of what it was worth to who answers.
    pub sum: f64,
    /// The node it leads to, where nodes stand for one position.
    pub child: Option<usize>,
}

impl Edge {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.sum / f64::from(self.visits) }
    }
}

/// A question.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub visits: u32,
    pub edges: Vec<Edge>,
    /// Which edge stands for an answer, where nodes stand for several positions.
    pub numbers: HashMap<Move, usize>,
    /// Where to go on, where nodes stand for several positions.
    pub children: HashMap<Key, usize>,
}

/// The tree, and the range of values in it.
#[derive(Debug)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    low: f64,
    high: f64,
    /// Whether values are evaluations. A step nearer to a goal is a small difference
    /// beside a game lost at once; so the rank of an answer among the others counts
    /// as much as its value.
    ranks: bool,
    means: Vec<f64>,
}

impl Tree {
    pub(super) fn new(ranks: bool) -> Self {
        Self { nodes: vec![Node::default()], low: f64::INFINITY, high: f64::NEG_INFINITY, ranks, means: Vec::new() }
    }

    pub(super) fn add(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    /// The answer to try next among those that are possible: any that was not tried
    /// yet, else that with the greatest upper confidence bound (UCB1 of Auer,
    /// Cesa-Bianchi and Fischer, 2002, as Kocsis and Szepesvári, 2006, use it in
    /// trees), counting how often it was possible (Cowling, Powley and Whitehouse, 2012).
    pub(super) fn select(&mut self, node: usize, possible: Option<&[usize]>, dice: &mut Stream) -> Option<usize> {
        let (low, width) = (self.low, (self.high - self.low).max(1e-6));
        let node = self.nodes.get_mut(node)?;
        let all: Vec<usize>;
        let possible = if let Some(some) = possible {
            some
        } else {
            all = (0..node.edges.len()).collect();
            &all
        };
        for &at in possible {
            node.edges[at].open += 1;
        }
        let fresh = possible.iter().filter(|&&at| node.edges[at].visits == 0).count();
        if fresh > 0 {
            return possible.iter().copied().filter(|&at| node.edges[at].visits == 0).nth(dice.below(fresh));
        }
        self.means.clear();
        if self.ranks {
            self.means.extend(possible.iter().map(|&at| node.edges[at].mean()));
            self.means.sort_unstable_by(f64::total_cmp);
        }
        let last = number(self.means.len().max(2) - 1);
        let curious = if self.ranks { COMPARE } else { EXPLORE };
        let mut best: Option<(f64, usize)> = None;
        for &at in possible {
            let edge = &node.edges[at];
            let mean = edge.mean();
            let mut worth = if self.high > low { (mean - low) / width } else { 0.5 };
            if self.ranks {
                let below = self.means.partition_point(|other| *other < mean);
                worth = f64::midpoint(worth, number(below) / last);
            }
            let bound = worth + curious * (logarithm(edge.open) / f64::from(edge.visits)).sqrt();
            if best.is_none_or(|(most, _)| bound > most) {
                best = Some((bound, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Notes what came of an answer.
    pub(super) fn learn(&mut self, node: usize, edge: usize, value: f64) {
        let node = &mut self.nodes[node];
        node.visits += 1;
        let Some(edge) = node.edges.get_mut(edge) else { return };
        edge.visits += 1;
        edge.sum += value;
        let mean = edge.mean();
        self.low = self.low.min(mean);
        self.high = self.high.max(mean);
    }

    /// The answer at the root that was tried most often; of several the better one.
    pub(super) fn best(&self, allowed: &Bits) -> Option<usize> {
        let edges = self.nodes.first()?.edges.iter().enumerate().filter(|(at, _)| allowed.contains(*at));
        let mut best: Option<(usize, &Edge)> = None;
        for (at, edge) in edges {
            let better = best.is_none_or(|(_, old)| {
                edge.visits > old.visits || edge.visits == old.visits && edge.mean() > old.mean()
            });
            if better {
                best = Some((at, edge));
            }
        }
        best.map(|(at, _)| at)
    }
}
