//! Searches with a window of no width, from the beginning.

use super::table::{Entry, Table};
use super::{Method, Plan, Progress, Solution, Stop, Unsolvable, Worth};
use crate::ir::{Game, StmtKind};
use crate::model::{Ask, Engine, Position, Run};

/// Longer lines are not followed.
const DEPTH: usize = 20_000;

/// Progress is told after so many moves.
const TELL: u64 = 1 << 12;

/// Why a search broke off.
#[derive(Clone, Debug)]
pub(super) enum Broken {
    /// A limit was reached.
    Stop(Stop),
    /// A position came up below itself.
    Cycle,
    /// The game is not of the kind.
    Unsolvable(Unsolvable),
}

impl From<Unsolvable> for Broken {
    fn from(why: Unsolvable) -> Self {
        Self::Unsolvable(why)
    }
}

/// A position on the line that is being looked at.
struct Node {
    number: u32,
    /// Whether the first seat chooses.
    first: bool,
    /// How many answers there are.
    count: usize,
    /// How many of them have been tried.
    tried: usize,
    /// The answer tried first.
    front: usize,
    /// The answer being tried.
    at: usize,
    /// The best so far, and which answer that was.
    best: Worth,
    best_at: usize,
}

impl Node {
    /// The next answer: the front one, then the others in order.
    fn next(&mut self) -> Option<usize> {
        if self.tried == self.count {
            return None;
        }
        self.at = match self.tried {
            0 => self.front,
            n if n <= self.front => n - 1,
            n => n,
        };
        self.tried += 1;
        Some(self.at)
    }

    /// Takes in what an answer comes to.
    fn take(&mut self, worth: Worth) {
        let better = if self.first { worth > self.best } else { worth < self.best };
        if better || self.tried == 1 {
            (self.best, self.best_at) = (worth, self.at);
        }
    }

    /// Whether the question is settled: a choice that reaches the bar, or that keeps below it.
    fn settled(&self, bar: Worth) -> bool {
        self.tried > 0 && if self.first { self.best >= bar } else { self.best < bar }
    }
}

/// What an answer leads to.
enum Child {
    /// Known well enough.
    Known(Worth),
    /// To be looked at.
    Open(Node),
}

/// A search with all that it has found.
pub(super) struct Search<'a> {
    game: &'a Game,
    pub(super) run: Box<dyn Run + 'a>,
    pub(super) table: Table,
    pub(super) plan: Plan,
    told: &'a mut dyn FnMut(Progress) -> bool,
    pub(super) nodes: u64,
    /// The bounds of the position at the root.
    pub(super) bounds: (Worth, Worth),
    key: Vec<u8>,
}

impl<'a> Search<'a> {
    pub(super) fn new(engine: &'a dyn Engine, plan: &Plan, told: &'a mut dyn FnMut(Progress) -> bool) -> Self {
        let bounds = (Worth::LEAST, Worth::MOST);
        let (game, run, table) = (engine.game(), engine.run(), Table::default());
        Self { game, run, table, plan: *plan, told, nodes: 0, bounds, key: Vec::new() }
    }

    /// What is proven where the value is not.
    pub(super) fn unsolved(&self, stop: Stop) -> Solution {
        let progress = self.progress();
        Solution {
            least: progress.least,
            most: progress.most,
            method: Method::Search,
            nodes: self.nodes,
            positions: progress.positions,
            line: Vec::new(),
            line_ends: false,
            each: Vec::new(),
            stop: Some(stop),
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let (least, most) = self.bounds;
        Progress {
            nodes: self.nodes,
            positions: self.table.len() as u64,
            least: (least != Worth::LEAST).then_some(least),
            most: (most != Worth::MOST).then_some(most),
        }
    }

    /// Counts a move that is tried, and looks whether to go on.
    pub(super) fn count(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.plan.nodes {
            return Err(Stop::Nodes);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(TELL) {
            let progress = self.progress();
            if !(self.told)(progress) {
                return Err(Stop::Time);
            }
        }
        Ok(())
    }

    /// The exact worth of a position.
    pub(super) fn value_of(&mut self, start: &Position) -> Result<Worth, Broken> {
        if start.is_over() || !self.run.load(start) {
            return Err(Unsolvable::Over.into());
        }
        self.exact()
    }

    /// The exact worth of the position in the run.
    pub(super) fn exact(&mut self) -> Result<Worth, Broken> {
        self.bounds = (Worth::LEAST, Worth::MOST);
        let mut bar = Worth { verdict: 0, margin: 0 };
        loop {
            let worth = self.reach(bar)?;
            if worth >= bar {
                self.bounds.0 = worth;
            } else {
                self.bounds.1 = worth;
            }
            let (least, most) = self.bounds;
            if least >= most {
                return Ok(least);
            }
            bar = if worth == least { worth.above() } else { worth };
        }
    }

    /// A bound for the worth of the position in the run: at least the bar and no more than the
    /// worth, or below the bar and no less than the worth. The run stays where it is.
    pub(super) fn reach(&mut self, bar: Worth) -> Result<Worth, Broken> {
        let mut line: Vec<Node> = Vec::new();
        let found = self.follow(bar, &mut line);
        for node in &line {
            if let Some(entry) = self.table.entry(node.number) {
                entry.open = false;
            }
            self.run.back();
            self.run.unmark();
        }
        found
    }

    fn follow(&mut self, bar: Worth, line: &mut Vec<Node>) -> Result<Worth, Broken> {
        let mut child = self.look(bar)?;
        loop {
            // Down: a position to be looked at goes on the line; up: what is known goes to the one above.
            let known = match child {
                Child::Open(node) => {
                    if line.len() >= DEPTH {
                        self.close(node.number);
                        return Err(Broken::Stop(Stop::Depth));
                    }
                    self.run.mark();
                    line.push(node);
                    None
                }
                Child::Known(worth) => Some(worth),
            };
            let Some(top) = line.last_mut() else { return Ok(known.unwrap_or(bar)) };
            if let Some(worth) = known {
                top.take(worth);
            }
            match if top.settled(bar) { None } else { top.next() } {
                Some(answer) => {
                    self.run.back();
                    self.run.play(answer);
                    self.count().map_err(Broken::Stop)?;
                    child = self.look(bar)?;
                }
                None => {
                    let Some(done) = line.pop() else { return Ok(bar) };
                    if line.is_empty() {
                        self.run.back();
                    }
                    self.run.unmark();
                    self.note(&done, bar);
                    child = Child::Known(done.best);
                }
            }
        }
    }

    fn close(&mut self, number: u32) {
        if let Some(entry) = self.table.entry(number) {
            entry.open = false;
        }
    }

    /// Keeps what was found of a position.
    fn note(&mut self, node: &Node, bar: Worth) {
        if let Some(entry) = self.table.entry(node.number) {
            entry.open = false;
            entry.best = u32::try_from(node.best_at).unwrap_or(0);
            if node.best >= bar {
                entry.least = entry.least.max(node.best);
            } else {
                entry.most = entry.most.min(node.best);
            }
        }
    }

    /// What the position in the run is: over, known well enough, or to be looked at.
    fn look(&mut self, bar: Worth) -> Result<Child, Broken> {
        if let Some(outcome) = self.run.outcome() {
            return Ok(Child::Known(Worth::of(outcome)?));
        }
        let first = self.chooser()?;
        let (number, _) = self.numbered(0)?;
        let Some(entry) = self.table.entry(number) else { return Err(Broken::Stop(Stop::Memory)) };
        if entry.open {
            return Err(Broken::Cycle);
        }
        let Entry { least, most, best, .. } = *entry;
        if least >= bar {
            return Ok(Child::Known(least));
        }
        if most < bar {
            return Ok(Child::Known(most));
        }
        entry.open = true;
        let count = self.run.count();
        if count == 0 {
            self.close(number);
            return Err(Broken::Stop(Stop::Budget));
        }
        let front = usize::try_from(best).unwrap_or(0).min(count - 1);
        Ok(Child::Open(Node { number, first, count, tried: 0, front, at: 0, best: bar, best_at: front }))
    }

    /// The number of the position in the run, and whether it is new; `extra` bytes are kept elsewhere.
    pub(super) fn numbered(&mut self, extra: u64) -> Result<(u32, bool), Broken> {
        self.key.clear();
        self.run.identity(&mut self.key);
        if self.table.full(self.key.len(), self.plan.bytes.saturating_sub(extra)) {
            return Err(Broken::Stop(Stop::Memory));
        }
        Ok(self.table.number(&self.key))
    }

    /// The answers in the position of the run, the one that proved a bound before first.
    pub(super) fn ordered(&mut self, count: usize) -> Vec<usize> {
        self.key.clear();
        self.run.identity(&mut self.key);
        let (number, _) = self.table.number(&self.key);
        let best = self.table.entry(number).map_or(0, |entry| entry.best) as usize;
        let mut answers: Vec<usize> = (0..count).collect();
        answers.sort_by_key(|answer| *answer != best);
        answers
    }

    /// Whether the first seat chooses.
    pub(super) fn chooser(&self) -> Result<bool, Unsolvable> {
        match self.run.ask() {
            Ask::Choose { seat, at: (block, number) } => {
                let block = self.game.blocks.get(usize::from(block));
                let stmt = block.and_then(|block| block.stmts.get(usize::from(number)));
                match stmt.map(|stmt| &stmt.kind) {
                    Some(StmtKind::Together { .. }) => Err(Unsolvable::Together),
                    Some(_) | None => Ok(seat == 0),
                }
            }
            Ask::Pick { seat, .. } => Ok(seat == 0),
            Ask::Race { .. } => Err(Unsolvable::Race),
            Ask::Chance { .. } => Err(Unsolvable::Chance),
            Ask::Over => Err(Unsolvable::Over),
        }
    }
}
