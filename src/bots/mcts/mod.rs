//! Monte Carlo tree search for any number of seats, with chance and hidden information.
//!
//! In games of perfect information it is UCT (Kocsis and Szepesvári, "Bandit Based Monte-Carlo Planning", ECML 2006):
//! a node is a position, chance outcomes are sampled, and each seat maximizes its own component of the result
//! (max^n). In other games it is single-observer information set search (Cowling, Powley and Whitehouse, "Information
//! Set Monte Carlo Tree Search", IEEE TCIAIG 2012): every iteration samples a new determinization, and a node is the
//! sequence of events that the searching seat has observed. Simultaneous choices of several seats are made at nodes
//! that do not depend on each other; races are decided by reaction times.

mod tree;

use std::sync::Arc;

use super::evaluation::Evaluation;
use super::purse::Purse;
use crate::base::Bits;
use crate::ir::{ActionRef, Game, Header, Move, SeatId, Sight, StmtKind, Value};
use crate::model::{Ask, Chosen, Engine, Last, Run, StmtRef, Viewer};
use crate::play::{Bot, InformationSet, Reactions, Stream, View, playout};
use tree::{Edge, Key, Tree, digest};

/// The discount per answer, so that the nearer win is the better one.
const PATIENCE: f64 = 0.998;

/// In games that random play decides quickly, playouts last this many plies.
const LONG: u32 = 200;

/// In other games there are no playouts: the noise of random moves would drown the small steps towards a goal.
const SHORT: u32 = 0;

/// How many questions and answers the tree may hold, each of which takes some hundred bytes; what lies beyond is played out.
const ROOM: usize = 400_000;

/// For how many steps each answer counts that is looked up by what it is: where something is hidden, a node has other answers in
/// each determinization.
const LOOKED_UP: u64 = 4;

/// After how many iterations it says what it considers.
const OFTEN: u32 = 64;

/// A bot that searches by playouts.
#[derive(Debug)]
pub struct Mcts {
    purse: Purse,
    evaluation: Arc<Evaluation>,
    /// The maximum number of iterations per move.
    iterations: u32,
    /// The number of plies after which playouts are cut off and the position is evaluated.
    depth: u32,
    dice: Stream,
    /// For each action, whether some choice in it is not announced to everybody.
    private: Vec<bool>,
}

/// One answer on the path from the root.
struct Taken {
    node: usize,
    edge: usize,
    seat: SeatId,
}

impl Mcts {
    /// A bot with at most this many iterations per move. `depth` is the number of plies after which playouts are cut
    /// off; if absent, it is chosen from the statistics of random games.
    #[must_use]
    pub fn new(
        engine: &dyn Engine,
        evaluation: Arc<Evaluation>,
        iterations: u32,
        depth: Option<u32>,
        dice: Stream,
    ) -> Self {
        let telling = evaluation.survey().is_telling();
        let depth = depth.unwrap_or(if telling || evaluation.is_blind() { LONG } else { SHORT });
        let restricted = |sight: &Sight| !matches!(sight, Sight::All);
        let private = engine.game().actions.iter().map(|action| {
            action.head.iter().any(|line| matches!(line, Header::Choose(choice) if restricted(&choice.sight)))
        });
        let private = private.collect();
        let purse = if iterations == u32::MAX { Purse::timed(engine) } else { Purse::counted(engine) };
        Self { purse, evaluation, iterations, depth, dice, private }
    }

    fn game(&self) -> &Game {
        self.purse.engine.game()
    }

    /// Searches, and returns the index of the move in the view.
    fn search(
        &mut self,
        view: &View,
        known: &InformationSet<'_>,
        seat: SeatId,
        stop: &dyn Fn() -> bool,
        best: &dyn Fn(usize),
    ) -> Option<usize> {
        if view.legal.len() < 2 {
            return if view.legal.is_empty() { None } else { Some(0) };
        }
        let engine = Arc::clone(&self.purse.engine);
        let mut tree = Tree::new(self.depth < LONG && !self.evaluation.is_blind());
        let mut run = engine.run();
        let several = !engine.game().has_perfect_information();
        self.purse.fill();
        if several {
            let root = &mut tree.nodes[0];
            root.edges = vec![Edge::default(); view.legal.len()];
            root.numbers = view.legal.iter().map(digest).zip(0..).collect();
            tree.edges = view.legal.iter().map(heft).sum();
        } else {
            if !run.load(&known.determinize(&mut self.dice)) {
                return Some(0);
            }
            run.save();
        }
        for number in 0..self.iterations {
            if number > 0 && (stop() || self.purse.is_empty()) {
                break;
            }
            if number > 0 && number.is_multiple_of(OFTEN) {
                tree.best(&Bits::all(view.legal.len())).iter().for_each(|found| best(*found));
            }
            let mut path = Vec::new();
            if several {
                if !run.load(&known.determinize(&mut self.dice)) {
                    continue;
                }
                let answers = self.descend_seen(&mut tree, run.as_mut(), seat, &mut path, stop);
                self.purse.meter().take(LOOKED_UP.saturating_mul(answers as u64));
            } else {
                run.restore();
                self.descend(&mut tree, run.as_mut(), &mut path, stop);
            }
            let (values, over) = self.play_out(run.as_mut(), stop);
            let mut left = 1.0;
            for taken in path.iter().rev() {
                left *= if over { PATIENCE } else { 1.0 };
                let value = values.get(usize::from(taken.seat)).copied().unwrap_or(0.5);
                tree.learn(taken.node, taken.edge, 0.5 + (value - 0.5) * left);
            }
        }
        tree.best(&Bits::all(view.legal.len()))
    }

    /// Descends to a new node, where each node is one position.
    fn descend(&mut self, tree: &mut Tree, run: &mut dyn Run, path: &mut Vec<Taken>, stop: &dyn Fn() -> bool) {
        let mut node = 0;
        while path.is_empty() || !stop() {
            let seat = match run.ask() {
                Ask::Choose { seat, .. } | Ask::Pick { seat, .. } => Some(seat),
                Ask::Chance { .. } => None,
                Ask::Race { .. } | Ask::Over => return,
            };
            if tree.nodes[node].edges.is_empty() {
                let count = run.count();
                if node > 0 && !tree.has_room(count) {
                    return;
                }
                tree.grow(node, count);
            }
            let chosen = match seat {
                Some(_) => tree.select(node, None, &mut self.dice),
                None if tree.nodes[node].edges.is_empty() => None,
                None => Some(self.dice.below(tree.nodes[node].edges.len())),
            };
            let Some(edge) = chosen else { return };
            if let Some(seat) = seat {
                path.push(Taken { node, edge, seat });
            }
            run.play_nth(edge);
            let Some(child) = tree.nodes[node].edges[edge].child else {
                if !tree.has_room(1) {
                    return;
                }
                let child = tree.add();
                tree.nodes[node].edges[edge].child = Some(child);
                return;
            };
            node = child;
        }
    }

    /// Descends to a new node, where each node is what the searching seat has observed. Returns how many answers it has looked at.
    fn descend_seen(
        &mut self,
        tree: &mut Tree,
        run: &mut dyn Run,
        me: SeatId,
        path: &mut Vec<Taken>,
        stop: &dyn Fn() -> bool,
    ) -> usize {
        let (mut node, mut answers) = (0, 0);
        // Secret choices of others, until every seat has chosen.
        let mut secret: Key = Key::new();
        while path.is_empty() || !stop() {
            let ask = run.ask();
            let (seat, at) = match ask {
                Ask::Choose { seat, at } | Ask::Pick { seat, at } => (Some(seat), at),
                Ask::Chance { at } => (None, at),
                Ask::Race { .. } | Ask::Over => break,
            };
            let count = run.count();
            if count == 0 {
                break;
            }
            let Some(seat) = seat else {
                let chosen = self.dice.below(count);
                let seen = if self.shuffles(at) { None } else { run.legal(chosen) };
                let seen = seen.map(|mv| self.seen(run, None, me, mv));
                run.play_nth(chosen);
                if let Some(seen) = seen {
                    let key: Key = std::iter::once(seen).collect();
                    match descend(tree, node, key) {
                        (next, false) => node = next,
                        (_, true) => break,
                    }
                }
                continue;
            };
            let Some(first) = run.legal(0) else { break };
            if node > 0 && !tree.has_room(count.saturating_mul(heft(&first))) {
                break;
            }
            answers += count;
            // The answers legal in this determinization, and their edges.
            let mut possible = Vec::with_capacity(count);
            let mut chosen_by_edge = Vec::with_capacity(count);
            for number in 0..count {
                let Some(mv) = run.legal(number) else { continue };
                let (here, answer) = (&mut tree.nodes[node], digest(&mv));
                let edge = match here.numbers.get(&answer) {
                    Some(&edge) => edge,
                    // At the root, only the moves of the view count.
                    None if node == 0 && path.is_empty() => continue,
                    None => {
                        here.edges.push(Edge::default());
                        tree.edges += heft(&mv);
                        here.numbers.insert(answer, here.edges.len() - 1);
                        here.edges.len() - 1
                    }
                };
                possible.push(edge);
                chosen_by_edge.push((edge, number));
            }
            let Some(edge) = tree.select(node, Some(&possible), &mut self.dice) else { break };
            let Some(&(_, number)) = chosen_by_edge.iter().find(|(other, _)| *other == edge) else { break };
            path.push(Taken { node, edge, seat });
            let Some(mv) = run.legal(number) else { break };
            let seen = if let Some(seen) = tree.nodes[node].edges[edge].seen.as_deref() {
                seen.clone()
            } else {
                let seen = self.seen(run, Some(seat), me, mv);
                tree.nodes[node].edges[edge].seen = Some(Box::new(seen.clone()));
                seen
            };
            run.play_nth(number);
            let still = |ask: &Ask| matches!(ask, Ask::Choose { at: next, .. } if *next == at);
            let key: Key = if self.secret(at) {
                secret.push(seen);
                if still(&run.ask()) { Key::new() } else { std::mem::take(&mut secret) }
            } else {
                std::iter::once(seen).collect()
            };
            match descend(tree, node, key) {
                (next, false) => node = next,
                (_, true) => break,
            }
        }
        answers
    }

    fn stmt(&self, (block, number): StmtRef) -> Option<&StmtKind> {
        self.game().blocks.get(block)?.stmts.get(usize::from(number)).map(|stmt| &stmt.kind)
    }

    fn shuffles(&self, at: StmtRef) -> bool {
        matches!(self.stmt(at), Some(StmtKind::Shuffle(_)))
    }

    fn secret(&self, at: StmtRef) -> bool {
        matches!(self.stmt(at), Some(StmtKind::Together { .. }))
    }

    /// What the searching seat observes of an answer.
    fn seen(&self, run: &dyn Run, seat: Option<SeatId>, me: SeatId, mv: Move) -> Move {
        let plain = match mv.action {
            ActionRef::Action(number) | ActionRef::Race(number) => {
                let private = self.private.get(usize::from(number)).copied().unwrap_or(true);
                !private && !mv.args.iter().any(|value| matches!(value, Value::Piece(_)))
            }
            ActionRef::Wait | ActionRef::Pass | ActionRef::Decline => true,
            ActionRef::Pick => false,
        };
        if seat == Some(me) || plain {
            return mv;
        }
        let before = run.position();
        let chosen = Chosen { seat, mv: &mv, before: &before, traffic: None };
        let who = self.purse.engine.explain().witnesses(&before, Last::Move(&mv), chosen);
        let mut seen = mv;
        for (value, who) in seen.args.iter_mut().zip(&who) {
            if !who.contains(usize::from(me)) {
                *value = Value::Unset;
            }
        }
        seen
    }

    /// Plays on at random; returns the values reached, and whether they are a result.
    fn play_out(&mut self, run: &mut dyn Run, stop: &dyn Fn() -> bool) -> (Vec<f64>, bool) {
        let reactions = Reactions::default();
        let played =
            playout(self.purse.engine.as_ref(), run, self.depth, Some(&reactions), &mut self.dice, &mut |_, _| {
                !stop() && !self.purse.is_empty()
            });
        match &played.outcome {
            Some(outcome) => (super::results(outcome), true),
            None => (self.evaluation.values_within(run.position(), self.purse.meter()), false),
        }
    }
}

/// How many answers one counts for that is looked up by what it is, by what it takes to keep what is seen of it, which
/// with many parameters needs memory of its own.
fn heft(mv: &Move) -> usize {
    if mv.args.spilled() { 2 + mv.args.len() } else { 2 }
}

/// The child of a node, and whether it is new, or there is no room for it.
fn descend(tree: &mut Tree, node: usize, key: Key) -> (usize, bool) {
    if let Some(&next) = tree.nodes[node].children.get(&key) {
        return (next, false);
    }
    if !tree.has_room(1) {
        return (node, true);
    }
    let next = tree.add();
    tree.nodes[node].children.insert(key, next);
    (next, true)
}

impl Bot for Mcts {
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
        match view.viewer {
            Viewer::Seat(seat) => self.search(view, known, seat, stop, best),
            Viewer::Spectator => None,
        }
    }
}
