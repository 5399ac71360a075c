//! Goals: the statements that decide the game, with the conditions that lead to them.
//!
//! They are found in end conditions, in the course of play and in the effects of actions. Conditions that depend on a
//! choice not yet made are left out.

use super::condition::{Condition, Measure, Reader, both, either};
use crate::base::Bits;
use crate::ir::Dependencies;
use crate::ir::{ActionRef, BinderSet, BlockId, Expr, ExprKind, Game, Header, Slot, StmtKind};

/// The maximum number of goals.
const MOST: usize = 64;

/// The maximum nesting depth of blocks, procedures and actions.
const DEPTH: usize = 40;

/// A step on the way to a goal.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Binds names.
    Bind(Vec<(Slot, Expr)>),
    /// For each member of a set.
    Each(Slot, Expr),
    /// A condition.
    When(Condition),
}

/// The seats that a statement names.
#[derive(Clone, Debug)]
pub(super) enum Named {
    /// The members of a set.
    These(Expr),
    /// The members of a set for which a condition holds.
    Where(Slot, Expr, Condition),
}

/// The payoff of a goal.
#[derive(Clone, Debug)]
pub(super) enum Payoff {
    /// Good for these seats.
    Good(Named),
    /// Bad for these seats.
    Bad(Named),
    /// Ranks seats by a number whose spread is normalized by this measure.
    Score(Slot, Expr, Expr, usize),
}

/// A statement that decides the game.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub steps: Vec<Step>,
    pub payoff: Payoff,
    /// Whether it is evaluated once for each seat as the acting one.
    pub personal: bool,
}

/// Collects goals.
#[derive(Debug)]
pub(super) struct GoalFinder<'g> {
    pub reader: Reader<'g>,
    goals: Vec<Goal>,
    steps: Vec<Step>,
    bound: Vec<Slot>,
    personal: Vec<bool>,
    actions: Bits,
    depth: usize,
}

impl<'g> GoalFinder<'g> {
    pub(super) fn new(reader: Reader<'g>) -> Self {
        let (goals, steps, bound, personal) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { reader, goals, steps, bound, personal, actions: Bits::new(), depth: 0 }
    }

    fn game(&self) -> &'g Game {
        self.reader.game
    }

    /// All goals of the game, and the number of measures they use.
    pub(super) fn all(mut self) -> (Vec<Goal>, usize) {
        for end in &self.game().ends {
            self.when(&end.when, true, |seeker| seeker.block(end.body));
        }
        self.block(self.game().play);
        (self.goals, self.reader.measures)
    }

    /// Whether an expression can be evaluated here, and whether it depends on the acting seat.
    fn known(&self, expr: &Expr) -> Option<bool> {
        let needs = Dependencies::of(self.game(), expr);
        let bound = needs.slots.iter().chain(&needs.pieces_at).all(|slot| self.bound.contains(slot));
        bound.then_some(needs.me || needs.position)
    }

    /// Continues under a condition or its negation.
    fn when(&mut self, condition: &Expr, holds: bool, then: impl FnOnce(&mut Self)) {
        let Some(personal) = self.known(condition) else { return };
        let truth = if holds { self.reader.truth(condition) } else { self.reader.not(condition) };
        match truth.settled() {
            Ok(true) => then(self),
            Ok(false) => {}
            Err(truth) => self.with(Step::When(*truth), personal, then),
        }
    }

    fn with(&mut self, step: Step, personal: bool, then: impl FnOnce(&mut Self)) {
        self.steps.push(step);
        self.personal.push(personal);
        then(self);
        self.personal.pop();
        self.steps.pop();
    }

    fn block(&mut self, block: BlockId) {
        if self.depth >= DEPTH {
            return;
        }
        self.depth += 1;
        let (bound, steps) = (self.bound.len(), self.steps.len());
        let game = self.game();
        for stmt in game.blocks.get(block).map_or(&[][..], |block| &block.stmts) {
            self.stmt(&stmt.kind);
        }
        self.bound.truncate(bound);
        self.steps.truncate(steps);
        self.personal.truncate(steps);
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        if !self.reader.look() {
            return;
        }
        match stmt {
            StmtKind::Let(slot, value) => {
                if let Some(personal) = self.known(value) {
                    self.steps.push(Step::Bind(vec![(*slot, value.clone())]));
                    self.personal.push(personal);
                    self.bound.push(*slot);
                }
            }
            StmtKind::If(condition, yes, no) => {
                self.when(condition, true, |seeker| seeker.block(*yes));
                if let Some(no) = no {
                    self.when(condition, false, |seeker| seeker.block(*no));
                }
            }
            StmtKind::While(condition, body) => {
                self.block(*body);
                // Whatever follows the loop happens once its condition no longer holds.
                if let Some(personal) = self.known(condition) {
                    let ceased = self.reader.not(condition);
                    self.steps.push(Step::When(ceased));
                    self.personal.push(personal);
                }
            }
            StmtKind::For(slot, BinderSet::Members(set), _, body) => {
                if let Some(personal) = self.known(set) {
                    self.bound.push(*slot);
                    self.with(Step::Each(*slot, set.clone()), personal, |seeker| seeker.block(*body));
                    self.bound.pop();
                }
            }
            StmtKind::For(_, BinderSet::PiecesAt(_), _, body)
            | StmtKind::Repeat(_, body)
            | StmtKind::Turns(_, body)
            | StmtKind::Phase(_, body) => self.block(*body),
            StmtKind::Call(params, body) => {
                let known: Vec<(Slot, Expr)> =
                    params.iter().filter(|(_, value)| self.known(value).is_some()).cloned().collect();
                let personal = known.iter().any(|(_, value)| self.known(value) == Some(true));
                let before = self.bound.len();
                self.bound.extend(known.iter().map(|(slot, _)| *slot));
                self.with(Step::Bind(known), personal, |seeker| seeker.block(*body));
                self.bound.truncate(before);
            }
            StmtKind::Plays { groups, otherwise, .. } => {
                self.played(groups.iter().flatten());
                if let Some(otherwise) = otherwise {
                    match self.stuck(groups.iter().flatten()).settled() {
                        Ok(true) => self.block(*otherwise),
                        Ok(false) => {}
                        Err(stuck) => self.with(Step::When(*stuck), true, |seeker| seeker.block(*otherwise)),
                    }
                }
            }
            StmtKind::Together { groups, .. } => self.played(groups.iter().flatten()),
            StmtKind::Race { group, otherwise, .. } => {
                self.played(group.iter());
                if let Some(otherwise) = otherwise {
                    self.block(*otherwise);
                }
            }
            StmtKind::Win(seats) | StmtKind::Place(seats) => self.payoff(seats, Payoff::Good),
            StmtKind::Lose(seats) | StmtKind::Eliminate(seats) => self.payoff(seats, Payoff::Bad),
            StmtKind::Rank(slot, set, by) => {
                self.bound.push(*slot);
                if let (Some(one), Some(other)) = (self.known(set), self.known(by)) {
                    self.reader.measures += 1;
                    let payoff = Payoff::Score(*slot, set.clone(), by.clone(), self.reader.measures - 1);
                    self.add(payoff, one || other);
                }
                self.bound.pop();
            }
            StmtKind::Pick(..)
            | StmtKind::Roll(..)
            | StmtKind::Put(..)
            | StmtKind::PutTokens(..)
            | StmtKind::MoveTokens(..)
            | StmtKind::PutIn(..)
            | StmtKind::Shuffle(_)
            | StmtKind::MovePieces { .. }
            | StmtKind::Move(..)
            | StmtKind::Remove(_)
            | StmtKind::Swap(..)
            | StmtKind::Rotate(..)
            | StmtKind::Change(..)
            | StmtKind::Sow { .. }
            | StmtKind::Assign(..)
            | StmtKind::Stop
            | StmtKind::Give(_)
            | StmtKind::Draw => {}
        }
    }

    /// The effects of actions, visiting each action once.
    fn played<'a>(&mut self, actions: impl Iterator<Item = &'a ActionRef>) {
        for action in actions {
            if let ActionRef::Action(number) = action
                && self.actions.insert(usize::from(*number))
                && let Some(action) = self.game().actions.get(*number)
            {
                self.block(action.body);
            }
        }
    }

    /// The condition that none of several actions can be played: for each of them, the first parameter has no value.
    fn stuck<'a>(&mut self, actions: impl Iterator<Item = &'a ActionRef>) -> Condition {
        let mut all = Vec::new();
        for action in actions {
            let ActionRef::Action(number) = action else { return Condition::Settled(false) };
            let Some(action) = self.game().actions.get(*number) else { continue };
            let mut missing = Vec::new();
            for line in &action.head {
                if let Header::Choose(choice) = line
                    && self.known(&choice.set).is_some()
                {
                    missing.push(self.reader.measured(Measure::Size(choice.set.clone())));
                }
            }
            all.push(either(missing));
        }
        both(all)
    }

    fn payoff(&mut self, seats: &Expr, payoff: impl FnOnce(Named) -> Payoff) {
        let Some(personal) = self.known(seats) else { return };
        let named = if let ExprKind::Filter(slot, set, condition) = &seats.kind {
            Named::Where(*slot, (**set).clone(), self.reader.truth(condition))
        } else {
            Named::These(seats.clone())
        };
        self.add(payoff(named), personal);
    }

    fn add(&mut self, payoff: Payoff, personal: bool) {
        if self.goals.len() < MOST {
            let personal = personal || self.personal.contains(&true);
            self.goals.push(Goal { steps: self.steps.clone(), payoff, personal });
        }
    }
}
