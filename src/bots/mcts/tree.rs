//! The search tree.

use std::collections::HashMap;
use std::hash::Hash;

use smallvec::SmallVec;
use xxhash_rust::xxh3::Xxh3;

use crate::base::Bits;
use crate::bots::board_graph::number;
use crate::ir::Move;
use crate::play::Stream;

/// What the searching seat observes of an answer: nothing, a move as far as it is seen, or several moves revealed
/// together.
pub(super) type Key = SmallVec<[Move; 1]>;

/// What stands for an answer: a digest, since a hundred thousand answers would take much room. Two answers of a game that share
/// one would count as one answer in a search, and are not to be expected: it has 128 bits.
pub(super) type Digest = u128;

/// The digest of an answer.
pub(super) fn digest(mv: &Move) -> Digest {
    let mut hasher = Xxh3::new();
    mv.hash(&mut hasher);
    hasher.digest128()
}

/// The exploration constant where games are played out, values being scaled to 0 to 1.
const EXPLORE: f64 = 0.4;

/// The exploration constant where positions are evaluated, which involves no luck.
const COMPARE: f64 = 0.2;

/// The natural logarithm, interpolated linearly between powers of two, to be the same on every machine.
fn logarithm(n: u32) -> f64 {
    let whole = n.max(1).ilog2();
    std::f64::consts::LN_2 * (f64::from(whole) + f64::from(n.max(1)) / f64::from(1_u32 << whole) - 1.0)
}

/// An answer at a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    /// What the searching seat observes of it.
    pub seen: Option<Box<Move>>,
    /// How often it was chosen.
    pub visits: u32,
    /// How often it was available.
    pub open: u32,
    /// The sum of its values for the seat that answers.
    pub sum: f64,
    /// The node it leads to, if nodes stand for one position.
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
    /// The edge of each answer, if nodes stand for several positions.
    pub numbers: HashMap<Digest, usize>,
    /// The children, if nodes stand for several positions.
    pub children: HashMap<Key, usize>,
}

/// The tree, and the range of values in it.
#[derive(Debug)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// How many answers its nodes have.
    pub edges: usize,
    low: f64,
    high: f64,
    /// Whether values are evaluations. A step nearer to a goal then makes a small difference compared to losing at
    /// once, so an answer's rank among its siblings counts as much as its value.
    ranks: bool,
    means: Vec<f64>,
}

impl Tree {
    pub(super) fn new(ranks: bool) -> Self {
        Self {
            nodes: vec![Node::default()],
            edges: 0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            ranks,
            means: Vec::new(),
        }
    }

    /// Whether there is room for so many questions or answers more.
    pub(super) fn has_room(&self, count: usize) -> bool {
        self.nodes.len().saturating_add(self.edges).saturating_add(count) <= super::ROOM
    }

    /// Gives a node so many answers.
    pub(super) fn grow(&mut self, node: usize, count: usize) {
        self.edges += count;
        self.nodes[node].edges = vec![Edge::default(); count];
    }

    pub(super) fn add(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    /// The answer to try next among those available: a random untried one, else the one with the greatest upper
    /// confidence bound (UCB1 of Auer, Cesa-Bianchi and Fischer, 2002, applied to trees by Kocsis and Szepesvári,
    /// 2006), counting how often it was available (Cowling, Powley and Whitehouse, 2012).
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

    /// Backs up the value of an answer.
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

    /// The most visited answer at the root; of several, the one with the best mean.
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

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::bots::mcts::ROOM;

    #[test]
    fn a_tree_has_room_for_so_many() {
        let mut tree = Tree::new(false);
        tree.grow(0, ROOM - 2);
        assert!(tree.has_room(1) && !tree.has_room(2), "the first question, and its answers");
        tree.add();
        assert!(!tree.has_room(1));
    }
}
