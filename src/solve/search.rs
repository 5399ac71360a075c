//! Null-window search from the start.

use super::table::Table;
use super::{GameValue, Method, Plan, Progress, Solution, Stop, Unsolvable};
use crate::base::SaturatingFrom;
use crate::ir::{Game, SeatId, StmtKind};
use crate::model::{Ask, Engine, Position, Run};

/// The maximum length of a line.
const DEPTH: usize = 20_000;

/// Why a search was abandoned.
#[derive(Clone, Debug)]
pub(super) enum Abort {
    /// A limit was reached.
    Stop(Stop),
    /// A position recurred on its own path.
    Cycle,
    /// The game cannot be solved.
    Unsolvable(Unsolvable),
}

impl From<Unsolvable> for Abort {
    fn from(why: Unsolvable) -> Self {
        Self::Unsolvable(why)
    }
}

/// A position on the current path.
struct Node {
    number: u32,
    /// Whether the first seat is to move.
    first: bool,
    /// The answers still to be tried, the next one last.
    left: Vec<usize>,
    /// The answer being tried.
    at: usize,
    /// The best value so far, and its answer.
    best: Option<GameValue>,
    best_at: usize,
}

impl Node {
    /// Takes the value of an answer into account.
    fn take(&mut self, answer: usize, worth: GameValue) {
        let better = |best| if self.first { worth > best } else { worth < best };
        if self.best.is_none_or(better) {
            (self.best, self.best_at) = (Some(worth), answer);
        }
    }

    /// Whether the node is cut off: the first seat has reached the bar, or the second has kept below it.
    fn settled(&self, bar: GameValue) -> bool {
        self.best.is_some_and(|best| (best >= bar) == self.first)
    }
}

/// The state of an answer's position.
enum Child {
    /// Its bound is known and sufficient.
    Known(GameValue),
    /// To be searched: its number, and whether the first seat is to move.
    Open(u32, bool),
}

/// A search and everything it has found.
pub(super) struct Search<'a> {
    game: &'a Game,
    pub(super) run: Box<dyn Run + 'a>,
    pub(super) table: Table,
    pub(super) plan: Plan,
    told: &'a mut dyn FnMut(Progress) -> bool,
    pub(super) nodes: u64,
    /// The bounds of the position at the root.
    pub(super) bounds: (GameValue, GameValue),
    key: Vec<u8>,
    /// About how many bytes a position takes that is kept to go back to.
    each: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(engine: &'a dyn Engine, plan: &Plan, told: &'a mut dyn FnMut(Progress) -> bool) -> Self {
        let bounds = (GameValue::LEAST, GameValue::MOST);
        let (game, run, table) = (engine.game(), engine.run(), Table::default());
        Self { game, run, table, plan: *plan, told, nodes: 0, bounds, key: Vec::new(), each: 0 }
    }

    /// The result for a value that is not proven.
    pub(super) fn unsolved(&self, stop: Stop) -> Solution {
        let progress = self.progress();
        Solution {
            lower: progress.lower,
            upper: progress.upper,
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
        let (lower, upper) = self.bounds;
        Progress {
            nodes: self.nodes,
            positions: self.table.len() as u64,
            lower: (lower != GameValue::LEAST).then_some(lower),
            upper: (upper != GameValue::MOST).then_some(upper),
        }
    }

    /// Counts a move, and checks whether to go on.
    pub(super) fn count(&mut self) -> Result<(), Stop> {
        if self.nodes >= self.plan.nodes {
            return Err(Stop::Nodes);
        }
        self.nodes += 1;
        // Asked after each, since one may take long.
        let progress = self.progress();
        if (self.told)(progress) { Ok(()) } else { Err(Stop::Time) }
    }

    /// The exact value of a position.
    pub(super) fn value_of(&mut self, start: &Position) -> Result<GameValue, Abort> {
        self.each = start.bytes() as u64;
        if start.is_over() || !self.run.load(start) {
            return Err(Unsolvable::Over.into());
        }
        self.exact()
    }

    /// The exact value of the current position.
    pub(super) fn exact(&mut self) -> Result<GameValue, Abort> {
        self.bounds = (GameValue::LEAST, GameValue::MOST);
        let mut bar = GameValue { verdict: 0, margin: 0 };
        loop {
            let worth = self.reach(bar)?;
            if worth >= bar {
                self.bounds.0 = worth;
            } else {
                self.bounds.1 = worth;
            }
            let (lower, upper) = self.bounds;
            if lower >= upper {
                return Ok(lower);
            }
            bar = if worth == lower { worth.above() } else { worth };
        }
    }

    /// A bound on the value of the current position: a lower bound if it is at least the bar, else an upper bound.
    /// The current position stays the same.
    pub(super) fn reach(&mut self, bar: GameValue) -> Result<GameValue, Abort> {
        let mut line: Vec<Node> = Vec::new();
        let found = self.follow(bar, &mut line);
        for node in &line {
            if let Some(entry) = self.table.entry(node.number) {
                entry.open = false;
            }
            self.run.restore();
            self.run.forget();
        }
        found
    }

    fn follow(&mut self, bar: GameValue, line: &mut Vec<Node>) -> Result<GameValue, Abort> {
        let mut child = self.look(bar, 0)?;
        loop {
            match child {
                // Down: push a position to be searched.
                Child::Open(number, first) => {
                    line.push(Node { number, first, left: Vec::new(), at: 0, best: None, best_at: 0 });
                    self.run.save();
                    let depth = line.len();
                    let Some(top) = line.last_mut() else { return Ok(bar) };
                    if depth > DEPTH {
                        return Err(Abort::Stop(Stop::Depth));
                    }
                    self.arrange(top, bar)?;
                }
                // Up: pass a known value to the parent.
                Child::Known(worth) => match line.last_mut() {
                    Some(top) => top.take(top.at, worth),
                    None => return Ok(worth),
                },
            }
            let depth = line.len();
            let Some(top) = line.last_mut() else { return Ok(bar) };
            let next = if top.settled(bar) { None } else { top.left.pop() };
            child = if let Some(answer) = next {
                top.at = answer;
                self.run.restore();
                self.run.play_nth(answer);
                self.count().map_err(Abort::Stop)?;
                self.look(bar, depth)?
            } else {
                let done = Child::Known(self.note(top, bar));
                line.pop();
                if line.is_empty() {
                    self.run.restore();
                }
                self.run.forget();
                done
            };
        }
    }

    /// Takes in the answers whose bounds are known and orders the others: first the one that proved a bound before,
    /// then those after which the same seat moves again.
    fn arrange(&mut self, node: &mut Node, bar: GameValue) -> Result<(), Abort> {
        let count = self.run.count();
        if count == 0 {
            return Err(Abort::Stop(Stop::Budget));
        }
        let front = self.table.entry(node.number).map(|entry| entry.best as usize);
        let mut later = Vec::new();
        for answer in 0..count {
            if count > 1 {
                self.run.restore();
                self.run.play_nth(answer);
                self.count().map_err(Abort::Stop)?;
                match self.known(bar) {
                    Some(worth) => node.take(answer, worth),
                    None if Some(answer) == front => later.push((2, answer)),
                    None => later.push((i32::from(self.asks(node.first)), answer)),
                }
                if node.settled(bar) {
                    return Ok(());
                }
            } else {
                later.push((0, answer));
            }
        }
        // The last one is tried first; ties are tried in the order of the rules.
        later.sort_by_key(|&(rank, answer)| (rank, std::cmp::Reverse(answer)));
        node.left = later.into_iter().map(|(_, answer)| answer).collect();
        Ok(())
    }

    /// Whether the seat to move is the first, or the second.
    fn asks(&self, first: bool) -> bool {
        match self.run.ask() {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => (seat == SeatId::FIRST) == first,
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => false,
        }
    }

    /// The known bound on the value of the current position, if it suffices.
    fn known(&mut self, bar: GameValue) -> Option<GameValue> {
        if let Some(outcome) = self.run.outcome() {
            return GameValue::of(outcome).ok();
        }
        self.key.clear();
        self.run.identity(&mut self.key);
        let number = self.table.find(&self.key)?;
        self.table.entry(number).and_then(|entry| entry.settled(bar))
    }

    /// Stores the bound found for a position.
    fn note(&mut self, node: &Node, bar: GameValue) -> GameValue {
        let best = node.best.unwrap_or(bar);
        if let Some(entry) = self.table.entry(node.number) {
            entry.open = false;
            entry.best = u32::saturating_from(node.best_at);
            if best >= bar {
                entry.lower = entry.lower.max(best);
            } else {
                entry.upper = entry.upper.min(best);
            }
        }
        best
    }

    /// What is known of the current position, after a line of so many: terminal, bounded, or to be searched.
    fn look(&mut self, bar: GameValue, depth: usize) -> Result<Child, Abort> {
        if let Some(outcome) = self.run.outcome() {
            return Ok(Child::Known(GameValue::of(outcome)?));
        }
        let first = self.chooser()?;
        let (number, _) = self.numbered(depth as u64 + 1, 0)?;
        let Some(entry) = self.table.entry(number) else { return Err(Abort::Stop(Stop::Memory)) };
        if entry.open {
            return Err(Abort::Cycle);
        }
        if let Some(worth) = entry.settled(bar) {
            return Ok(Child::Known(worth));
        }
        entry.open = true;
        Ok(Child::Open(number, first))
    }

    /// The number of the current position, and whether it is new; `kept` is the number of positions that are kept beside,
    /// `extra` that of bytes used elsewhere.
    pub(super) fn numbered(&mut self, kept: u64, extra: u64) -> Result<(u32, bool), Abort> {
        self.key.clear();
        self.run.identity(&mut self.key);
        // A position grows as zones do, and its identity with it.
        let kept = kept.saturating_mul(self.each.max(self.key.len() as u64));
        if self.table.full(self.key.len(), self.plan.bytes.saturating_sub(extra).saturating_sub(kept)) {
            return Err(Abort::Stop(Stop::Memory));
        }
        Ok(self.table.number(&self.key))
    }

    /// The answers in the current position, beginning with the one that proved a bound before.
    pub(super) fn ordered(&mut self, count: usize) -> Vec<usize> {
        self.key.clear();
        self.run.identity(&mut self.key);
        let (number, _) = self.table.number(&self.key);
        let best = self.table.entry(number).map(|entry| entry.best as usize);
        let mut answers: Vec<usize> = (0..count).collect();
        answers.sort_by_key(|answer| Some(*answer) != best);
        answers
    }

    /// Whether the first seat is to move.
    pub(super) fn chooser(&self) -> Result<bool, Unsolvable> {
        match self.run.ask() {
            Ask::Choose { seat, at: (block, number) } => {
                let block = self.game.blocks.get(block);
                let stmt = block.and_then(|block| block.stmts.get(usize::from(number)));
                match stmt.map(|stmt| &stmt.kind) {
                    Some(StmtKind::Together { .. }) => Err(Unsolvable::Together),
                    Some(_) | None => Ok(seat == SeatId::FIRST),
                }
            }
            Ask::Pick { seat, .. } => Ok(seat == SeatId::FIRST),
            Ask::Race { .. } => Err(Unsolvable::Race),
            Ask::Chance { .. } => Err(Unsolvable::Chance),
            Ask::Over => Err(Unsolvable::Over),
        }
    }
}
