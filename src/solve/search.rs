//! Null-window search from the start.

use super::table::Table;
use super::{GameValue, Method, Plan, Progress, Solution, Stop, Unsolvable};
use crate::base::SaturatingFrom;
use crate::ir::{Game, SeatId, StmtKind};
use crate::model::{Ask, Engine, Position, Run};

/// Longer lines are not followed.
const DEPTH: usize = 20_000;

/// Progress is told after this many moves.
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
    /// The answers still to be tried, the next one last.
    left: Vec<usize>,
    /// The answer being tried.
    at: usize,
    /// The best so far, and which answer that was.
    best: Option<GameValue>,
    best_at: usize,
}

impl Node {
    /// Takes in what an answer comes to.
    fn take(&mut self, answer: usize, worth: GameValue) {
        let better = |best| if self.first { worth > best } else { worth < best };
        if self.best.is_none_or(better) {
            (self.best, self.best_at) = (Some(worth), answer);
        }
    }

    /// Whether the question is settled: a choice that reaches the bar, or that keeps below it.
    fn settled(&self, bar: GameValue) -> bool {
        self.best.is_some_and(|best| (best >= bar) == self.first)
    }
}

/// What an answer leads to.
enum Child {
    /// Known well enough.
    Known(GameValue),
    /// To be looked at: its number, and whether the first seat chooses.
    Open(u32, bool),
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
    pub(super) bounds: (GameValue, GameValue),
    key: Vec<u8>,
}

impl<'a> Search<'a> {
    pub(super) fn new(engine: &'a dyn Engine, plan: &Plan, told: &'a mut dyn FnMut(Progress) -> bool) -> Self {
        let bounds = (GameValue::LEAST, GameValue::MOST);
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
            least: (least != GameValue::LEAST).then_some(least),
            most: (most != GameValue::MOST).then_some(most),
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
    pub(super) fn value_of(&mut self, start: &Position) -> Result<GameValue, Broken> {
        if start.is_over() || !self.run.load(start) {
            return Err(Unsolvable::Over.into());
        }
        self.exact()
    }

    /// The exact worth of the position in the run.
    pub(super) fn exact(&mut self) -> Result<GameValue, Broken> {
        self.bounds = (GameValue::LEAST, GameValue::MOST);
        let mut bar = GameValue { verdict: 0, margin: 0 };
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
    pub(super) fn reach(&mut self, bar: GameValue) -> Result<GameValue, Broken> {
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

    fn follow(&mut self, bar: GameValue, line: &mut Vec<Node>) -> Result<GameValue, Broken> {
        let mut child = self.look(bar)?;
        loop {
            match child {
                // Down: a position to be looked at goes on the line.
                Child::Open(number, first) => {
                    line.push(Node { number, first, left: Vec::new(), at: 0, best: None, best_at: 0 });
                    self.run.save();
                    let depth = line.len();
                    let Some(top) = line.last_mut() else { return Ok(bar) };
                    if depth > DEPTH {
                        return Err(Broken::Stop(Stop::Depth));
                    }
                    self.arrange(top, bar)?;
                }
                // Up: what is known goes to the one above.
                Child::Known(worth) => match line.last_mut() {
                    Some(top) => top.take(top.at, worth),
                    None => return Ok(worth),
                },
            }
            let Some(top) = line.last_mut() else { return Ok(bar) };
            let next = if top.settled(bar) { None } else { top.left.pop() };
            child = if let Some(answer) = next {
                top.at = answer;
                self.run.restore();
                self.run.play_nth(answer);
                self.count().map_err(Broken::Stop)?;
                self.look(bar)?
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

    /// Takes in the answers of which enough is known, and puts the others in an order: what proved a
    /// bound before, then those after which the same seat goes on.
    fn arrange(&mut self, node: &mut Node, bar: GameValue) -> Result<(), Broken> {
        let count = self.run.count();
        if count == 0 {
            return Err(Broken::Stop(Stop::Budget));
        }
        let front = self.table.entry(node.number).map(|entry| entry.best as usize);
        let mut later = Vec::new();
        for answer in 0..count {
            if count > 1 {
                self.run.restore();
                self.run.play_nth(answer);
                self.count().map_err(Broken::Stop)?;
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
        // The last one is tried first; of equals the one that stands first in the rules.
        later.sort_by_key(|&(rank, answer)| (rank, std::cmp::Reverse(answer)));
        node.left = later.into_iter().map(|(_, answer)| answer).collect();
        Ok(())
    }

    /// Whether the seat that chooses in the run is the first, or the second.
    fn asks(&self, first: bool) -> bool {
        match self.run.ask() {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => (seat == SeatId::FIRST) == first,
            Ask::Race { .. } | Ask::Chance { .. } | Ask::Over => false,
        }
    }

    /// What is known of the position in the run, if it is enough.
    fn known(&mut self, bar: GameValue) -> Option<GameValue> {
        if let Some(outcome) = self.run.outcome() {
            return GameValue::of(outcome).ok();
        }
        self.key.clear();
        self.run.identity(&mut self.key);
        let number = self.table.find(&self.key)?;
        self.table.entry(number).and_then(|entry| entry.settled(bar))
    }

    /// Keeps what was found of a position: a bound.
    fn note(&mut self, node: &Node, bar: GameValue) -> GameValue {
        let best = node.best.unwrap_or(bar);
        if let Some(entry) = self.table.entry(node.number) {
            entry.open = false;
            entry.best = u32::saturating_from(node.best_at);
            if best >= bar {
                entry.least = entry.least.max(best);
            } else {
                entry.most = entry.most.min(best);
            }
        }
        best
    }

    /// What the position in the run is: over, known well enough, or to be looked at.
    fn look(&mut self, bar: GameValue) -> Result<Child, Broken> {
        if let Some(outcome) = self.run.outcome() {
            return Ok(Child::Known(GameValue::of(outcome)?));
        }
        let first = self.chooser()?;
        let (number, _) = self.numbered(0)?;
        let Some(entry) = self.table.entry(number) else { return Err(Broken::Stop(Stop::Memory)) };
        if entry.open {
            return Err(Broken::Cycle);
        }
        if let Some(worth) = entry.settled(bar) {
            return Ok(Child::Known(worth));
        }
        entry.open = true;
        Ok(Child::Open(number, first))
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
        let best = self.table.entry(number).map(|entry| entry.best as usize);
        let mut answers: Vec<usize> = (0..count).collect();
        answers.sort_by_key(|answer| Some(*answer) != best);
        answers
    }

    /// Whether the first seat chooses.
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
