//! What the rules reward: every statement that decides the game, with the
//! conditions on the way to it.
//!
//! Found in end conditions, in the course of play and in the effects of actions.
//! What depends on a choice that has not been made is left out.

use super::truth::{Measure, Reader, Truth, both, either};
use crate::base::Bits;
use crate::ir::Needs;
use crate::ir::{ActionRef, BinderSet, BlockId, Expr, ExprKind, Game, Header, Slot, StmtKind};

/// So many goals are enough.
const MOST: usize = 64;

/// So deep may blocks, procedures and actions lie in each other.
const DEPTH: usize = 40;

/// A step on the way to a goal.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Names are bound.
    Bind(Vec<(Slot, Expr)>),
    /// Once for each member.
    Each(Slot, Expr),
    /// A condition.
    When(Truth),
}

/// Which seats a statement names.
#[derive(Clone, Debug)]
pub(super) enum Named {
    /// The members of a set.
    These(Expr),
    /// Those for which a condition holds.
    Where(Slot, Expr, Truth),
}

/// What a goal means.
#[derive(Clone, Debug)]
pub(super) enum Payoff {
    /// It is good for these seats.
    Good(Named),
    /// It is bad for these seats.
    Bad(Named),
    /// Seats are ranked by a number, whose spread is kept as this measure.
    Score(Slot, Expr, Expr, usize),
}

/// A statement that decides the game.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub steps: Vec<Step>,
    pub payoff: Payoff,
    /// Whether it is looked at for each seat as the one that acts.
    pub personal: bool,
}

/// Finds goals.
#[derive(Debug)]
pub(super) struct Seeker<'g> {
    pub reader: Reader<'g>,
    goals: Vec<Goal>,
    steps: Vec<Step>,
    bound: Vec<Slot>,
    personal: Vec<bool>,
    actions: Bits,
    depth: usize,
}

impl<'g> Seeker<'g> {
    pub(super) fn new(reader: Reader<'g>) -> Self {
        let (goals, steps, bound, personal) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { reader, goals, steps, bound, personal, actions: Bits::new(), depth: 0 }
    }

    fn game(&self) -> &'g Game {
        self.reader.game
    }

    /// All goals of the game, and how many measures they need.
    pub(super) fn all(mut self) -> (Vec<Goal>, usize) {
        for end in &self.game().ends {
            self.when(&end.when, true, |seeker| seeker.block(end.body));
        }
        self.block(self.game().play);
        (self.goals, self.reader.measures)
    }

    /// Whether an expression can be looked at, and whether it speaks of who acts.
    fn known(&self, expr: &Expr) -> Option<bool> {
        let needs = Needs::of(self.game(), expr);
        let bound = needs.slots.iter().chain(&needs.pieces_at).all(|slot| self.bound.contains(slot));
        bound.then_some(needs.me || needs.position)
    }

    /// Goes on where a condition holds, or where it does not.
    fn when(&mut self, condition: &Expr, holds: bool, then: impl FnOnce(&mut Self)) {
        let Some(personal) = self.known(condition) else { return };
        let truth = if holds { self.reader.truth(condition) } else { self.reader.not(condition) };
        match truth {
            Truth::Settled(true) => then(self),
            Truth::Settled(false) => {}
            truth => self.with(Step::When(truth), personal, then),
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
                // What follows the loop comes when the condition has ceased to hold.
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
                    match self.stuck(groups.iter().flatten()) {
                        Truth::Settled(true) => self.block(*otherwise),
                        Truth::Settled(false) => {}
                        stuck => self.with(Step::When(stuck), true, |seeker| seeker.block(*otherwise)),
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

    /// The effects of actions, each action once.
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

    /// That none of several actions can be played: for each of them something that it
    /// chooses first is missing.
    fn stuck<'a>(&mut self, actions: impl Iterator<Item = &'a ActionRef>) -> Truth {
        let mut all = Vec::new();
        for action in actions {
            let ActionRef::Action(number) = action else { return Truth::Settled(false) };
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
        let named = match &seats.kind {
            ExprKind::Filter(slot, set, condition) => {
                Named::Where(*slot, (**set).clone(), self.reader.truth(condition))
            }
            _ => Named::These(seats.clone()),
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
