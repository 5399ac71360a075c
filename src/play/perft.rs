//! Perft: counting move sequences.
//!
//! Sequences are counted by plies. Picks and chance outcomes multiply the count without being plies, a draw from a
//! list of pieces once per copy; declining is an answer but no ply. A secret choice counts when it is made, not when
//! it is carried out, so that the counts per depth do not depend on the full length. Claims and offers are not moves
//! and are left out.

use crate::base::{SaturatingFrom, get_or_default};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::ends::Ends;
use crate::ir::{ActionRef, BlockId, Game, Move, StmtKind};
use crate::model::{Ask, Ending, Engine, Position, Run, Stepwise};

/// How many answers without a ply may be tried between two plies before counting stops: where dice can be rerolled
/// for ever, the count is infinite.
const IDLE: u32 = 100_000;

/// How many answers one that is tried in a race counts for: the others wait meanwhile.
const TRIED: u32 = 8;

/// So many bytes of a position count for one more of them: each is copied.
const HEAVY: usize = 1 << 16;

/// How many of them may follow each other: each takes a stack frame.
const CHAIN: u32 = 400;

/// The same for declining, which seats may be able to do for ever.
const DECLINES: u32 = 16;

/// How many bytes the positions may take that are gone back to in one sequence, with the answers that are listed there.
const ROOM: usize = 1 << 25;

/// The bytes of a listed answer, and of each of its parameters.
const LISTED: [usize; 2] = [40, 24];

/// So few answers take no bytes to speak of, whatever their parameters.
const FEW: usize = 256;

/// The result of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// The number of sequences of exactly 1, 2, … plies.
    pub by_depth: Vec<u64>,
    /// The number of sequences of full length for each first move.
    pub divide: Vec<(Move, u64)>,
    /// The games that are over after exactly 1, 2, … plies; empty unless they were counted.
    pub ends: Vec<Ends>,
    /// Whether a limit cut the count short: the step budget, or unlimited answers without a ply.
    pub limited: bool,
}

impl Perft {
    /// The number of sequences of full length; 1, the empty one, at depth 0.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.by_depth.last().copied().unwrap_or(1)
    }
}

/// The progress of a count.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// First moves counted.
    pub done: u64,
    /// First moves in all.
    pub total: u64,
    /// Sequences of full length so far.
    pub nodes: u64,
}

/// Counts the sequences of 1 to `depth` plies from a position. `on_progress` receives the progress, from several threads.
pub fn perft(engine: &dyn Engine, position: &Position, depth: u32, on_progress: &(dyn Fn(Progress) + Sync)) -> Perft {
    count(engine, position, depth, false, on_progress)
}

/// The same with the results of the games that end; the last ply of every sequence has to be played for it, and what may
/// follow it without another.
pub fn perft_with_ends(
    engine: &dyn Engine,
    position: &Position,
    depth: u32,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Perft {
    count(engine, position, depth, true, on_progress)
}

fn count<'e>(
    engine: &'e dyn Engine,
    position: &Position,
    depth: u32,
    ends: bool,
    on_progress: &(dyn Fn(Progress) + Sync),
) -> Perft {
    let length = depth as usize;
    if depth == 0 {
        return Perft { by_depth: Vec::new(), divide: Vec::new(), ends: Vec::new(), limited: false };
    }
    let none = vec![Ends::none(engine.game().seats.len()); if ends { length } else { 0 }];
    let leaves = |counts: &[u64]| get_or_default(counts, length - 1);
    let plain = !ends && plain_actions(engine.game());
    let moves = engine.legal(position);
    // Nothing to do before the end means that listing took too many steps.
    let limited = AtomicBool::new(moves.is_empty() && position.outcome.is_none());
    let (done, nodes) = (AtomicU64::new(0), AtomicU64::new(0));
    let total = moves.len() as u64;
    let ready = || {
        let mut run = engine.run();
        if !run.load(position) {
            run = Box::new(Stepwise::new(engine));
            run.load(position);
        }
        // What is listed before it is saved is not listed again for each move.
        run.count();
        run.save();
        run
    };
    let (game, secret) = (engine.game(), is_secret(engine.game(), &position.ask));
    let counted = |run: &mut Option<Box<dyn Run + 'e>>, n: usize| {
        let mv = &moves[n];
        let (mut counts, mut over) = (vec![0; length], none.clone());
        if plain && length == 1 && matches!(mv.action, ActionRef::Action(_) | ActionRef::Race(_)) {
            // That it is legal is all there is to say of the last ply, be it carried out or kept secret.
            counts[0] = 1;
        } else {
            let run = run.get_or_insert_with(ready).as_mut();
            let mut count = Count { game, run, plain, counts, ends: over, idle: 0, kept: 0, stopped: false };
            let answer = Answer { declines: mv.action == ActionRef::Decline, secret, before: position.ply };
            count.child(n, answer, 0, Since::default());
            limited.fetch_or(count.stopped, Ordering::Relaxed);
            (counts, over) = (count.counts, count.ends);
        }
        let leaves = leaves(&counts);
        let nodes = nodes.fetch_add(leaves, Ordering::Relaxed) + leaves;
        on_progress(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total, nodes });
        Part { leaves: vec![(n, leaves)], counts, ends: over }
    };
    // Each thread lists the moves of the start once, if it needs them at all, however many of them it then counts. There may be
    // very many, and depths as well, so that the counts of all of them are added up at once.
    let next = AtomicUsize::new(0);
    let whole = (0..rayon::current_num_threads())
        .into_par_iter()
        .with_max_len(1)
        .map(|_| {
            let mut run = None;
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let mine = numbers.take_while(|n| *n < moves.len()).map(|n| counted(&mut run, n));
            mine.fold(Part::none(length, &none), Part::and)
        })
        .reduce(|| Part::none(length, &none), Part::and);
    let Part { leaves: mut parts, counts: by_depth, ends } = whole;
    parts.sort_unstable_by_key(|(n, _)| *n);
    let mut divide: Vec<(Move, u64)> = moves.into_iter().zip(parts.into_iter().map(|(_, leaves)| leaves)).collect();
    divide.dedup_by(|next, first| {
        let alike = next.0 == first.0;
        first.1 = first.1.saturating_add(u64::from(alike) * next.1);
        alike
    });
    Perft { by_depth, divide, ends, limited: limited.into_inner() }
}

/// The counts of some of the first moves.
struct Part {
    /// The sequences of full length for each, with its number.
    leaves: Vec<(usize, u64)>,
    counts: Vec<u64>,
    ends: Vec<Ends>,
}

impl Part {
    fn none(length: usize, ends: &[Ends]) -> Self {
        Self { leaves: Vec::new(), counts: vec![0; length], ends: ends.to_vec() }
    }

    fn and(mut self, other: Self) -> Self {
        self.leaves.extend(other.leaves);
        for (sum, more) in self.counts.iter_mut().zip(other.counts) {
            *sum = sum.saturating_add(more);
        }
        for (sum, more) in self.ends.iter_mut().zip(&other.ends) {
            sum.merge(more);
        }
        self
    }
}

/// What happened since the last ply.
#[derive(Clone, Copy, Default)]
struct Since {
    /// Consecutive answers without a ply.
    answers: u32,
    /// How many of them declined.
    declines: u32,
    /// Secret choices that are counted but not yet carried out.
    secret: usize,
}

/// The kind of answer played.
#[derive(Clone, Copy)]
struct Answer {
    declines: bool,
    secret: bool,
    /// The plies made before it.
    before: u32,
}

struct Count<'a> {
    game: &'a Game,
    run: &'a mut dyn Run,
    /// Whether every action is a single ply without further questions.
    plain: bool,
    counts: Vec<u64>,
    /// The games that end by number of plies, if they are counted.
    ends: Vec<Ends>,
    /// Answers tried since the last ply without making one.
    idle: u32,
    /// The bytes of the positions to go back to, and of what is listed there.
    kept: usize,
    /// Whether a limit was reached; nothing more is counted then.
    stopped: bool,
}

impl Count<'_> {
    fn visit(&mut self, plies: usize, since: Since) {
        let bytes = self.run.bytes();
        self.kept += bytes;
        if self.kept > ROOM {
            self.stopped = true;
            return;
        }
        let count = self.run.count();
        let listed = self.listed(count);
        self.kept += listed;
        if self.kept > ROOM {
            self.stopped = true;
            return;
        }
        self.visit_kept(count, plies, since);
        self.kept -= bytes + listed;
    }

    /// The bytes of so many answers, which mostly have as many parameters as the first.
    fn listed(&mut self, count: usize) -> usize {
        let [each, parameter] = LISTED;
        // Few answers are not worth a look.
        let first = if count > FEW { self.run.legal(0) } else { None };
        count.saturating_mul(first.map_or(each, |mv| each + parameter * mv.args.len()))
    }

    fn visit_kept(&mut self, count: usize, plies: usize, since: Since) {
        let ask = self.run.ask();
        let secret = is_secret(self.game, &ask);
        if since.answers > 0 && matches!(ask, Ask::Race { .. }) {
            // All that could be done instead is tried at each moment that is waited for.
            self.idle = self.idle.saturating_add(u32::saturating_from(count).saturating_mul(TRIED));
        }
        // Where declining is allowed, it is listed last.
        let may = self.may_decline(&ask);
        let (moves, before) = (count - usize::from(may), self.run.ply());
        if self.plain && plies + 1 == self.counts.len() && matches!(ask, Ask::Choose { .. }) {
            self.add(plies, moves as u64);
            if may {
                self.run.save();
                self.child(moves, Answer { declines: true, secret, before }, plies, since);
                self.run.forget();
            }
        } else if count > 0 {
            // An act in a race is a ply as well, of which nothing need be seen if it is the last.
            let counted = self.plain && plies + 1 == self.counts.len() && matches!(ask, Ask::Race { .. });
            let quiet = (counted || plies >= self.counts.len())
                .then(|| (0..count).filter(|n| self.is_quiet(&ask, *n)).collect::<Vec<usize>>());
            if counted {
                self.add(plies, (count - quiet.iter().flatten().count()) as u64);
            }
            self.run.save();
            let mut child = |n| self.child(n, Answer { declines: may && n == moves, secret, before }, plies, since);
            match quiet {
                Some(quiet) => quiet.into_iter().for_each(&mut child),
                None => (0..count).for_each(child),
            }
            self.run.forget();
        }
        if count == 0 && self.run.outcome().is_none() {
            self.stopped = true;
        }
    }

    /// Plays an answer in the position saved last and counts what follows.
    fn child(&mut self, n: usize, answer: Answer, plies: usize, since: Since) {
        if self.stopped {
            return;
        }
        self.run.replay_nth(n);
        let carried_out = (self.run.ply() - answer.before) as usize;
        let chosen = usize::from(answer.secret);
        let waiting = since.secret + chosen;
        let made = chosen + carried_out.saturating_sub(waiting);
        if made > 0 && plies >= self.counts.len() {
            return;
        }
        for ply in plies..(plies + made).min(self.counts.len()) {
            self.add(ply, 1);
        }
        let plies = plies + made;
        if let Some(outcome) = self.run.outcome() {
            self.stopped |= matches!(outcome.ending, Ending::Budget(_));
            if let Some(ends) = plies.checked_sub(1).and_then(|ply| self.ends.get_mut(ply)) {
                ends.add(outcome);
            }
            return;
        }
        if plies >= self.counts.len() && self.ends.is_empty() {
            return;
        }
        let secret = waiting.saturating_sub(carried_out);
        if made > 0 {
            let idle = std::mem::take(&mut self.idle);
            self.visit(plies, Since { secret, ..Since::default() });
            self.idle = idle;
            return;
        }
        self.idle = self.idle.saturating_add(1 + u32::saturating_from(self.run.bytes() / HEAVY));
        let (answers, declines) = (since.answers + 1, since.declines + u32::from(answer.declines));
        if self.idle > IDLE || answers > CHAIN || declines > DECLINES {
            self.stopped = true;
            return;
        }
        self.visit(plies, Since { answers, declines, secret });
    }

    /// Whether an answer may be none of the plies that are counted.
    fn is_quiet(&mut self, ask: &Ask, n: usize) -> bool {
        let acts = |mv: &Move| matches!(mv.action, ActionRef::Action(_) | ActionRef::Race(_));
        match ask {
            Ask::Choose { .. } | Ask::Race { .. } => !self.run.legal(n).as_ref().is_some_and(acts),
            Ask::Pick { .. } | Ask::Chance { .. } => true,
            Ask::Over => false,
        }
    }

    fn may_decline(&self, ask: &Ask) -> bool {
        let Ask::Choose { at: (block, number), .. } = ask else { return false };
        let stmt = self.game.blocks.get(*block).and_then(|b| b.stmts.get(usize::from(*number)));
        matches!(stmt.map(|stmt| &stmt.kind), Some(StmtKind::Plays { may: true, .. }))
    }

    fn add(&mut self, ply: usize, more: u64) {
        if let Some(count) = self.counts.get_mut(ply) {
            *count = count.saturating_add(more);
        }
    }
}

/// Whether a seat chooses in secret, its move to be carried out later.
fn is_secret(game: &Game, ask: &Ask) -> bool {
    let Ask::Choose { at: (block, number), .. } = ask else { return false };
    let stmt = game.blocks.get(*block).and_then(|b| b.stmts.get(usize::from(*number)));
    matches!(stmt.map(|stmt| &stmt.kind), Some(StmtKind::Together { .. }))
}

/// Whether no action asks anything in the middle of its effects, so that the last ply need not be played.
fn plain_actions(game: &Game) -> bool {
    let mut seen = vec![false; game.blocks.len()];
    let mut open: Vec<BlockId> = game.actions.iter().map(|action| action.body).collect();
    while let Some(block) = open.pop() {
        let number = usize::from(block);
        if seen.get(number) != Some(&false) {
            continue;
        }
        seen[number] = true;
        for stmt in game.blocks.nth(number).map_or(&[][..], |block| &block.stmts) {
            if stmt.kind.asks().is_some() {
                return false;
            }
            open.extend(stmt.kind.blocks());
        }
    }
    true
}
