//! Legal moves.

use smallvec::SmallVec;

use super::eval::{MEMBERS, PARAMETERS, SITES_A_STEP};
use super::machine::Machine;
use super::{Eval, Walker};
use crate::ir::{Action, ActionId, ActionRef, Expr, Header, Move, Passing, RuleId, SeatId, StmtKind, Value};
use crate::model::{Ask, Frame, Position, StmtRef};

/// A statement that asks a seat for a move, taken apart.
pub(super) struct Question<'a> {
    pub(super) may: bool,
    pub(super) groups: &'a [Vec<ActionRef>],
}

impl Walker {
    /// Whether what can be answered in a position can be listed within the budget, and how many steps it took.
    pub(crate) fn lists(&self, position: &Position) -> (bool, u64) {
        let mut eval = Eval::new(self, position, self.budget);
        eval.legal_moves();
        (!eval.spent(), self.budget.saturating_sub(eval.steps))
    }
}

impl<'a> Eval<'a> {
    /// The legal answers to the current question.
    pub(super) fn legal_moves(&mut self) -> Vec<Move> {
        match &self.pos.ask {
            Ask::Choose { at, .. } => self.choices(*at),
            Ask::Pick { at, .. } | Ask::Chance { at } => {
                let at = *at;
                let pick = |value| Move { action: ActionRef::Pick, args: std::iter::once(value).collect() };
                let found: Vec<Move> = self.pickable(at).into_iter().map(pick).collect();
                // A shuffle has as many outcomes as cards are left, and is not drawn from a list.
                let shuffled = matches!(self.pos.control.last(), Some(Frame::Shuffle(..)));
                if shuffled || self.tick(found.len() as u64) { found } else { Vec::new() }
            }
            Ask::Race { at } => {
                let at = *at;
                self.race_moves(at)
            }
            Ask::Over => Vec::new(),
        }
    }

    pub(super) fn question(&self, at: StmtRef) -> Option<Question<'a>> {
        let kind = &self.walker.stmt(at)?.kind;
        if let StmtKind::Plays { may, groups, .. } = kind {
            return Some(Question { may: *may, groups });
        }
        if let StmtKind::Together { groups, .. } = kind { Some(Question { may: false, groups }) } else { None }
    }

    /// The values a pick or roll offers.
    pub(super) fn pickable(&mut self, at: StmtRef) -> Vec<Value> {
        let Some(stmt) = self.walker.stmt(at) else {
            return Vec::new();
        };
        if let StmtKind::Pick(_, set, ..) = &stmt.kind {
            distinct(self.eval(set).members())
        } else if let StmtKind::Roll(_, set, _) = &stmt.kind {
            // Chance draws each copy with equal probability: as many outcomes as there are copies.
            sorted(self.eval(set).members())
        } else if let (StmtKind::Shuffle(_), Some(Frame::Shuffle(_, left))) = (&stmt.kind, self.pos.control.last()) {
            (0..i64::from(*left)).map(Value::Int).collect()
        } else {
            Vec::new()
        }
    }

    pub(super) fn choices(&mut self, at: StmtRef) -> Vec<Move> {
        let Some(question) = self.question(at) else {
            return Vec::new();
        };
        let mut moves = Vec::new();
        for group in question.groups {
            moves = self.group_moves(group);
            if !moves.is_empty() {
                break;
            }
        }
        if question.may && !self.spent() {
            moves.push(Move { action: ActionRef::Decline, args: SmallVec::new() });
        }
        moves
    }

    /// The legal moves of a group, with preferences applied.
    pub(super) fn group_moves(&mut self, group: &[ActionRef]) -> Vec<Move> {
        let mut found: Vec<(Move, Option<i64>)> = Vec::new();
        let mut parameters = 0;
        for &action in group {
            self.action_moves(action, &mut |mv, worth| {
                parameters += mv.args.len();
                found.push((mv, worth));
                !too_many(found.len(), parameters)
            });
            if too_many(found.len(), parameters) {
                self.steps = 0;
            }
        }
        if !self.tick(found.len() as u64) {
            return Vec::new();
        }
        let best = found.iter().filter_map(|(_, worth)| *worth).max();
        found.retain(|(_, worth)| worth.is_none() || *worth == best);
        let mut moves: Vec<Move> = found.into_iter().map(|(mv, _)| mv).collect();
        moves.shrink_to_fit();
        moves
    }

    /// Whether any group has a legal move.
    pub(super) fn can_move(&mut self, groups: &[Vec<ActionRef>]) -> bool {
        groups.iter().flatten().any(|&action| self.has_move(action))
    }

    /// Whether a seat would have a legal move of one of the actions if it were asked now.
    pub(super) fn could_play(&mut self, seat: SeatId, actions: &[ActionRef]) -> bool {
        // Names bound by the actions must not survive the test, and a lifted piece counts as back on its site.
        self.tick(self.frame.iter().map(Value::size).sum::<usize>() as u64 / SITES_A_STEP);
        let (frame, rates) = (self.frame.clone(), self.rates());
        let before = (self.acting.replace(seat), std::mem::take(&mut self.lifted), std::mem::take(&mut self.takes));
        let found = actions.iter().any(|&action| self.has_move(action));
        (self.acting, self.lifted, self.takes) = before;
        self.frame = frame;
        self.put_rates(rates);
        found
    }

    fn has_move(&mut self, action: ActionRef) -> bool {
        let mut found = false;
        self.action_moves(action, &mut |_, _| {
            found = true;
            false
        });
        found
    }

    fn action_moves(&mut self, action: ActionRef, each: &mut dyn FnMut(Move, Option<i64>) -> bool) {
        match action {
            ActionRef::Action(number) => {
                let game = self.game;
                if let Some(action) = game.actions.get(number) {
                    let mut draft = Draft { number, args: SmallVec::new(), worth: None };
                    self.heads(action, 0, &mut draft, each);
                }
            }
            ActionRef::Pass | ActionRef::Decline => {
                each(Move { action, args: SmallVec::new() }, None);
            }
            ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => {}
        }
    }

    /// Processes the head of an action from a line on; false to stop.
    fn heads(
        &mut self,
        action: &Action,
        line: usize,
        draft: &mut Draft,
        each: &mut dyn FnMut(Move, Option<i64>) -> bool,
    ) -> bool {
        if self.spent() {
            return false;
        }
        match action.head.get(line) {
            None => {
                let args = Move::arguments(draft.args.iter().cloned());
                let mv = Move { action: ActionRef::Action(draft.number), args };
                // What is only listed shows nothing: a guard is passed by the move that is made.
                let trace = self.trace.take();
                let ensured = self.ensured(action, &mv);
                self.trace = trace;
                !ensured || each(mv, draft.worth)
            }
            Some(Header::Choose(choice)) => {
                for value in distinct(self.eval(&choice.set).members()) {
                    self.bind(choice.slot, value.clone());
                    draft.args.push(value);
                    let keep_going = self.heads(action, line + 1, draft, each);
                    draft.args.pop();
                    if !keep_going {
                        return false;
                    }
                }
                true
            }
            Some(Header::Let(slot, value, _)) => {
                let value = self.timed(value);
                self.bind_timed(*slot, value);
                self.heads(action, line + 1, draft, each)
            }
            Some(Header::Late(..)) => self.heads(action, line + 1, draft, each),
            Some(Header::Require(guard, _)) => !self.truth(guard) || self.heads(action, line + 1, draft, each),
            Some(Header::Prefer(worth, _)) => {
                draft.worth = Some(self.eval(worth).int());
                self.heads(action, line + 1, draft, each)
            }
        }
    }

    /// Whether the guards on the position after the move hold.
    pub(super) fn ensured(&mut self, action: &Action, mv: &Move) -> bool {
        self.broken_after(action, mv).is_none()
    }

    /// The first guard on the position after the move that does not hold.
    fn broken_after(&mut self, action: &Action, mv: &Move) -> Option<RuleId> {
        self.broken_with(action, mv, &mut |_, _| ()).map(|(rule, ())| rule)
    }

    /// The same, with what is asked about it in that position.
    pub(super) fn broken_with<T>(
        &mut self,
        action: &Action,
        mv: &Move,
        ask: &mut dyn FnMut(&mut Eval<'_>, &Expr) -> T,
    ) -> Option<(RuleId, T)> {
        if action.ensure.is_empty() {
            return None;
        }
        if matches!(mv.action, ActionRef::Action(number) if self.game.passing(number) != Passing::Leaves) {
            // How the position after the move depends on its time is not looked at.
            self.changes_at_once();
        }
        let position = self.moved_on();
        let mut machine = Machine::new(self.walker, position, self.steps);
        machine.ahead = self.ahead;
        let (later, steps) = machine.effects_only(action, mv, self.me());
        // Names bound by the effects are visible to the guards.
        let mut eval = Eval::new(self.walker, &later, steps);
        (eval.acting, eval.ahead) = (Some(self.me()), self.ahead);
        eval.trace = self.trace.take();
        let broken = action.ensure.iter().find(|(guard, rule)| {
            let holds = eval.truth(guard);
            if holds {
                eval.note(*rule);
            }
            !holds
        });
        let broken = broken.map(|(guard, rule)| (*rule, ask(&mut eval, guard)));
        (self.trace, self.steps) = (eval.trace, eval.steps);
        broken
    }

    /// The position at the moment of evaluation.
    fn moved_on(&mut self) -> Position {
        let mut position = self.copied();
        position.now = self.moment.unwrap_or(position.now);
        position
    }

    /// Whether a value is in the set; records the rules used.
    pub(super) fn admits(&mut self, set: &Expr, value: &Value) -> bool {
        self.eval(set).members().contains(value)
    }
}

/// Whether so many moves, with so many parameters together, are more than can be listed.
pub(super) fn too_many(moves: usize, parameters: usize) -> bool {
    moves as u64 > MEMBERS || parameters > PARAMETERS
}

/// Each value once: copies of a piece are one choice.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut values = sorted(values);
    values.dedup();
    values
}

/// Pieces in an order that does not reveal their positions; other values sorted, each once.
fn sorted(mut values: Vec<Value>) -> Vec<Value> {
    if matches!(values.first(), Some(Value::Piece(_))) {
        values.sort();
    }
    values
}

/// A move under construction.
struct Draft {
    number: ActionId,
    args: SmallVec<[Value; 2]>,
    worth: Option<i64>,
}
