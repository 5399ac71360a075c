//! Alpha-beta search for two-player games of perfect information.
//!
//! Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (Artificial Intelligence 6, 1975), with iterative deepening
//! and a transposition table whose best answers are tried first. Chance nodes are valued by their mean.

use std::collections::HashMap;
use std::sync::Arc;

use super::evaluation::{Evaluation, results};
use super::purse::Purse;
use crate::base::Bits;
use crate::ir::{Game, SeatId, StmtKind};
use crate::model::{Ask, Engine, Run, Viewer};
use crate::play::{Bot, InformationSet, View};

/// The maximum number of entries in the transposition table.
const KEPT: usize = 1 << 20;

/// The greatest depth. Nothing is searched so deep within a time but where hardly anything is left to choose, and each answer
/// on the way is kept in memory and on the stack.
const DEEPEST: u32 = 128;

/// The value of a win; evaluations lie between a loss and a win.
const WON: f64 = 1.0;

/// How a stored value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// An entry of the transposition table.
#[derive(Clone, Copy, Debug)]
struct Entry {
    depth: u32,
    value: f64,
    bound: Bound,
    best: usize,
    /// Whether the value is exact: no heuristic evaluation went into it.
    settled: bool,
}

/// A bot that searches to a fixed depth in answers.
#[derive(Debug)]
pub struct AlphaBeta {
    purse: Purse,
    evaluation: Arc<Evaluation>,
    depth: u32,
    kept: HashMap<u64, Entry>,
}

/// A search in progress.
struct Search<'s> {
    evaluation: &'s Evaluation,
    purse: &'s Purse,
    kept: &'s mut HashMap<u64, Entry>,
    stop: &'s dyn Fn() -> bool,
    stopped: bool,
    /// Whether no position was evaluated heuristically, so that a deeper search would change nothing.
    settled: bool,
}

impl AlphaBeta {
    /// A bot that searches at most this many answers deep.
    #[must_use]
    pub fn new(engine: &dyn Engine, evaluation: Arc<Evaluation>, depth: u32) -> Self {
        Self {
            purse: if depth == u32::MAX { Purse::timed(engine) } else { Purse::deep(engine, depth) },
            evaluation,
            depth: depth.clamp(1, DEEPEST),
            kept: HashMap::new(),
        }
    }

    /// Whether it plays a game: two seats, nothing hidden, no races.
    ///
    /// # Errors
    /// Says why not.
    pub fn fits(game: &Game) -> Result<(), String> {
        let races = game.blocks.iter().flat_map(|block| &block.stmts);
        let races = races.into_iter().any(|stmt| matches!(stmt.kind, StmtKind::Race { .. }));
        let why = match (game.seats.len(), !game.has_perfect_information(), races) {
            (2, false, false) => return Ok(()),
            (2, true, _) => "it has hidden information".to_owned(),
            (2, false, true) => "it is played in real time".to_owned(),
            (seats, _, _) => format!("it has {seats}"),
        };
        Err(format!("`alphabeta` plays two-player games of perfect information; {}: {why}", game.name))
    }

    /// The value of a position for the seat to act, from -1 to 1, and the index of its best answer, searching this
    /// many answers deep; none if `stop` ended the search.
    pub fn value(&mut self, run: &mut dyn Run, depth: u32, stop: &dyn Fn() -> bool) -> Option<(f64, usize, bool)> {
        let (found, stopped) = self.searched(run, depth, stop);
        (!stopped).then_some(found)
    }

    /// The same, with what was found until `stop` ended the search, and whether it did.
    fn searched(&mut self, run: &mut dyn Run, depth: u32, stop: &dyn Fn() -> bool) -> ((f64, usize, bool), bool) {
        let (evaluation, purse) = (&*self.evaluation, &self.purse);
        let mut search = Search { evaluation, purse, kept: &mut self.kept, stop, stopped: false, settled: true };
        let (value, best) = search.negamax(run, depth, -WON, WON);
        ((value, best, search.settled), search.stopped)
    }
}

impl Search<'_> {
    /// The value for the seat to act, and the index of the best answer.
    fn negamax(&mut self, run: &mut dyn Run, depth: u32, mut low: f64, high: f64) -> (f64, usize) {
        let seat = match run.ask() {
            Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => seat,
            Ask::Chance { .. } | Ask::Race { .. } | Ask::Over => return (0.0, 0),
        };
        let (floor, mut value, mut best) = (low, -WON, 0);
        let key = run.key();
        let kept = self.kept.get(&key).copied();
        if let Some(entry) = kept {
            best = entry.best;
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => entry.value >= high,
                Bound::AtMost => entry.value <= low,
            };
            if (entry.depth >= depth || entry.settled) && enough {
                self.settled &= entry.settled;
                return (entry.value, best);
            }
        }
        let before = std::mem::replace(&mut self.settled, true);
        let count = run.count();
        let first = best;
        run.save();
        // The best answer of an earlier search is tried first.
        let order = std::iter::once(first).chain((0..count).filter(|&n| n != first)).filter(|&n| n < count);
        for (tried, n) in order.enumerate() {
            if self.is_stopped() {
                break;
            }
            run.play_nth(n);
            let found = self.child_value(run, seat, depth - 1, low, high);
            run.restore();
            // What was cut short says nothing.
            if self.stopped && tried > 0 {
                break;
            }
            if found > value || tried == 0 {
                (value, best) = (found, n);
            }
            low = low.max(value);
            if low >= high {
                break;
            }
        }
        run.forget();
        if !self.stopped && self.kept.len() < KEPT {
            let bound = if value >= high {
                Bound::AtLeast
            } else if value <= floor {
                Bound::AtMost
            } else {
                Bound::Exact
            };
            self.kept.insert(key, Entry { depth, value, bound, best, settled: self.settled });
        }
        self.settled &= before;
        (value, best)
    }

    /// Whether time is up, or what a move may cost is spent. It is asked before each answer that is played, of seats and of chance.
    fn is_stopped(&mut self) -> bool {
        self.stopped = self.stopped || self.purse.is_empty() || (self.stop)();
        self.stopped
    }

    /// The value, for the seat that has just answered, of the position reached.
    fn child_value(&mut self, run: &mut dyn Run, seat: SeatId, depth: u32, low: f64, high: f64) -> f64 {
        let signed = |values: &[f64]| values.get(usize::from(seat)).map_or(0.0, |value| 2.0 * value - 1.0);
        if let Some(outcome) = run.outcome() {
            return signed(&results(outcome));
        }
        if depth == 0 {
            self.settled = false;
            return signed(&self.evaluation.values_within(run.position(), self.purse.meter()));
        }
        match run.ask() {
            Ask::Choose { seat: next, .. } | Ask::Pick { seat: next, .. } if next == seat => {
                self.negamax(run, depth, low, high).0
            }
            Ask::Choose { .. } | Ask::Pick { .. } => -self.negamax(run, depth, -high, -low).0,
            Ask::Chance { .. } => {
                let count = run.count();
                run.save();
                let mut sum = 0.0;
                for n in 0..count {
                    if self.is_stopped() {
                        break;
                    }
                    run.play_nth(n);
                    sum += self.child_value(run, seat, depth - 1, -WON, WON);
                    run.restore();
                }
                run.forget();
                sum / super::board_graph::number(count.max(1))
            }
            Ask::Race { .. } | Ask::Over => 0.0,
        }
    }
}

impl Bot for AlphaBeta {
    fn choose(&mut self, view: &View, known: &InformationSet<'_>, stop: &dyn Fn() -> bool) -> Option<usize> {
        self.consider(view, known, stop, &|_| {})
    }

    fn consider(
        &mut self,
        view: &View,
        known: &InformationSet<'_>,
        stop: &dyn Fn() -> bool,
        best: &dyn Fn(usize),
    ) -> Option<usize> {
        let Viewer::Seat(_) = view.viewer else { return None };
        if view.legal.len() < 2 {
            return Bits::all(view.legal.len()).first();
        }
        // A game of perfect information: the sample is the position itself.
        let position = known.determinize(&mut crate::play::Stream::new(0, "open", 0));
        let engine = Arc::clone(&self.purse.engine);
        let mut run = engine.run();
        if !run.load(&position) {
            return Some(0);
        }
        self.kept.clear();
        self.purse.fill();
        let mut chosen = 0;
        for depth in 1..=self.depth {
            let ((value, found, settled), stopped) = self.searched(run.as_mut(), depth, stop);
            // A depth that was cut short has tried some answers only, but before the first one nothing is known at all.
            if stopped && depth > 1 {
                break;
            }
            chosen = found;
            best(chosen);
            // A win found at a smaller depth is the nearer one.
            if settled || value >= WON || stopped || stop() {
                break;
            }
        }
        Some(chosen)
    }
}
