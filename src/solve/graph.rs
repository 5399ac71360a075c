//! Retrograde analysis: all positions, solved backwards from the terminal ones.
//!
//! For each outcome, best first, this finds the positions from which a seat can force it whatever the other does (for
//! infinite play see Thompson, *Retrograde Analysis of Certain Endgames*, 1986). Where neither seat can force an
//! outcome, play goes on for ever; this counts against the seat that is trying, so the first seat's value is a lower
//! bound and the second's an upper bound. Where the two are equal the value is proven, whatever infinite play may
//! count. So it is where a seat can force a win and rules know no scores, since nothing counts more.

use crate::base::SaturatingFrom;
use std::collections::VecDeque;

use super::search::{Abort, Search};
use super::table::Table;
use super::{GameValue, Method, Plan, Solution, Stop, Unsolvable};
use crate::ir::Move;
use crate::model::{Engine, Position};

/// The flag of an edge target that is an outcome.
const END: u32 = 1 << 31;

/// All positions and their successors. Edges are ordered by source, and for each source in the order of the rules.
#[derive(Default)]
struct Graph {
    /// Whether the first seat chooses.
    first: Vec<bool>,
    /// Where the edges of each position begin, and where the last ones end.
    begins: Vec<usize>,
    /// The number of the successor, or of an outcome with [`END`].
    to: Vec<u32>,
    /// The source of each edge.
    from: Vec<u32>,
    /// The values of outcomes.
    ends: Vec<GameValue>,
}

/// What a seat can force in each position: the number of the outcome, and the edge to take.
type Forced = Vec<Option<(u32, usize)>>;

pub(super) fn solve(
    engine: &dyn Engine,
    start: &Position,
    plan: &Plan,
    mut search: Search<'_>,
) -> Result<Solution, Unsolvable> {
    search.bounds = (GameValue::LEAST, GameValue::MOST);
    search.table = Table::default();
    let graph = match Graph::build(&mut search, start) {
        Ok(graph) => graph,
        Err(Abort::Unsolvable(why)) => return Err(why),
        Err(Abort::Stop(stop)) => return Ok(Solution { method: Method::Graph, ..search.unsolved(stop) }),
        Err(Abort::Cycle) => return Ok(Solution { method: Method::Graph, ..search.unsolved(Stop::Cycles) }),
    };
    let (lower, upper) = (graph.forced(true), graph.forced(false));
    let bound = |forced: &Forced, position: usize| {
        let (end, _) = forced.get(position).copied().flatten()?;
        graph.ends.get(end as usize).copied()
    };
    let scored = engine.explain().scores(start).is_some() || graph.ends.iter().any(|end| end.margin != 0);
    let bounds = |position: usize| match (bound(&lower, position), bound(&upper, position)) {
        (Some(won), None) if !scored && won.verdict > 0 => (Some(won), Some(won)),
        (None, Some(won)) if !scored && won.verdict < 0 => (Some(won), Some(won)),
        open => open,
    };
    let proven = |position: usize| {
        let (lower, upper) = bounds(position);
        lower.filter(|lower| Some(*lower) == upper)
    };
    let (line, line_ends) = match proven(0) {
        Some(_) => graph.line(engine, start, &lower, &upper),
        None => (Vec::new(), false),
    };
    let mut each = Vec::new();
    if plan.each {
        for (mv, to) in engine.legal(start).into_iter().zip(graph.edges(0)) {
            let worth = match graph.to.get(to) {
                Some(end) if end & END != 0 => graph.ends.get((end & !END) as usize).copied(),
                Some(position) => proven(*position as usize),
                None => None,
            };
            each.push((mv, worth));
        }
    }
    Ok(Solution {
        lower: bounds(0).0,
        upper: bounds(0).1,
        method: Method::Graph,
        nodes: search.nodes,
        positions: graph.first.len() as u64,
        line,
        line_ends,
        each,
        stop: proven(0).is_none().then_some(Stop::Cycles),
    })
}

impl Graph {
    /// Numbers all reachable positions, the start first.
    fn build(search: &mut Search<'_>, start: &Position) -> Result<Self, Abort> {
        let mut graph = Self::default();
        let mut waiting = VecDeque::from([start.clone()]);
        search.run.load(start);
        graph.number(search, 1)?;
        while let Some(position) = waiting.pop_front() {
            let source = u32::try_from(graph.begins.len()).unwrap_or(END);
            graph.begins.push(graph.to.len());
            search.run.load(&position);
            let count = search.run.count();
            if count == 0 {
                return Err(Abort::Stop(Stop::Budget));
            }
            search.run.save();
            for answer in 0..count {
                search.run.restore();
                search.run.play_nth(answer);
                search.count().map_err(Abort::Stop)?;
                let target = if let Some(outcome) = search.run.outcome() {
                    graph.end(GameValue::of(outcome)?)
                } else {
                    let (number, new) = graph.number(search, waiting.len() + 2)?;
                    if new {
                        waiting.push_back(search.run.position());
                    }
                    number
                };
                graph.to.push(target);
                graph.from.push(source);
            }
            search.run.forget();
        }
        graph.begins.push(graph.to.len());
        Ok(graph)
    }

    /// The number of the current position, and whether it is new, while so many others are kept.
    fn number(&mut self, search: &mut Search<'_>, waiting: usize) -> Result<(u32, bool), Abort> {
        let first = search.chooser()?;
        // The edges and the backward pass need as much memory again as the table.
        let (number, new) =
            search.numbered(waiting as u64, self.to.len() as u64 * 16 + self.first.len() as u64 * 64)?;
        if new {
            self.first.push(first);
        }
        Ok((number, new))
    }

    fn end(&mut self, worth: GameValue) -> u32 {
        let number = self.ends.iter().position(|end| *end == worth).unwrap_or_else(|| {
            self.ends.push(worth);
            self.ends.len() - 1
        });
        u32::saturating_from(number) | END
    }

    fn edges(&self, position: usize) -> std::ops::Range<usize> {
        let begin = |at: usize| self.begins.get(at).copied().unwrap_or(self.to.len());
        begin(position)..begin(position + 1)
    }

    /// For each target its incoming edges: positions first, then outcomes.
    fn into(&self) -> (Vec<usize>, Vec<usize>) {
        let positions = self.first.len();
        let place = |to: u32| if to & END != 0 { positions + (to & !END) as usize } else { to as usize };
        let mut begins = vec![0; positions + self.ends.len() + 1];
        for &to in &self.to {
            begins[place(to) + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut next = begins.clone();
        let mut edges = vec![0; self.to.len()];
        for (edge, &to) in self.to.iter().enumerate() {
            edges[next[place(to)]] = edge;
            next[place(to)] += 1;
        }
        (begins, edges)
    }

    /// What a seat can force: for outcomes in its order of preference, the positions from which each is the best it
    /// can force.
    fn forced(&self, by_first: bool) -> Forced {
        let positions = self.first.len();
        let (begins, edges) = self.into();
        let mut left: Vec<usize> = (0..positions).map(|position| self.edges(position).len()).collect();
        let mut forced: Forced = vec![None; positions];
        let mut order: Vec<usize> = (0..self.ends.len()).collect();
        order.sort_by_key(|&end| self.ends[end]);
        if by_first {
            order.reverse();
        }
        for end in order {
            let mut reached = vec![positions + end];
            while let Some(target) = reached.pop() {
                for &edge in &edges[begins[target]..begins[target + 1]] {
                    let source = self.from[edge] as usize;
                    if forced[source].is_some() {
                        continue;
                    }
                    // The other seat is forced once all its answers are.
                    left[source] -= 1;
                    if self.first[source] == by_first || left[source] == 0 {
                        forced[source] = Some((u32::saturating_from(end), edge));
                        reached.push(source);
                    }
                }
            }
        }
        forced
    }

    /// Moves with which both seats keep what they can force.
    fn line(&self, engine: &dyn Engine, start: &Position, lower: &Forced, upper: &Forced) -> (Vec<Move>, bool) {
        let (mut line, mut position, mut at) = (Vec::new(), start.clone(), 0);
        while !position.is_over() {
            let (own, other) = if self.first[at] { (lower, upper) } else { (upper, lower) };
            // Whoever cannot force anything puts off what the other forces.
            let Some((_, edge)) = own[at].or(other[at]) else { return (line, false) };
            let Some(mv) = engine.legal(&position).into_iter().nth(edge - self.edges(at).start) else {
                return (line, false);
            };
            position = engine.play_unchecked(&position, &mv);
            line.push(mv);
            at = self.to[edge] as usize;
        }
        (line, true)
    }
}
