//! Running the program from one question to the next.
//!
//! Unfinished constructs are on the control stack of the position, so the machine keeps nothing between questions.

use super::sighting::{Heard, Trace};
use super::{Eval, Walker};
use crate::base::Bits;
use crate::ir::{Action, ActionRef, BlockId, Expr, Header, Moment, Move, RuleId, SeatId, Slot, StmtKind, Value};
use crate::model::{Ask, Displaced, EndMoment, Ending, Frame, HELD, LARGE, Position, StmtRef, TurnStage};

/// Runs the program from one position.
pub(super) struct Machine<'a> {
    pub(super) walker: &'a Walker,
    pub(super) pos: Position,
    pub(super) steps: u64,
    /// Set when a question is asked or the game is over.
    pub(super) halted: bool,
    /// Set while running ahead to the next question: end conditions are not tested, and nothing counts for
    /// repetition.
    pub(super) ahead: bool,
    /// How many turns and rounds of `while` have passed since.
    pub(super) rounds: u32,
    /// Set when a question is asked again after a claim or offer.
    pub(super) asked_again: bool,
    /// The statement being carried out: how high the control stack is below its frame, and the frame that begins it.
    begun: Option<(usize, Frame)>,
    /// The end condition whose block is running.
    pub(super) end: Option<RuleId>,
    /// The rule of the last statement run.
    pub(super) last: RuleId,
    /// How many pieces may be put into zones before what they hold is counted again.
    pub(super) room: usize,
    /// The pieces moved and who saw them, if recorded.
    pub(super) heard: Option<Heard>,
    /// Whether something was told or laid open, if that is watched for.
    pub(super) opened: Option<bool>,
    /// The rules used, if recorded.
    pub(super) trail: Option<Trace>,
    /// The pieces that have left the boards or were changed, if they are noted.
    pub(super) displaced: Option<Displaced>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(walker: &'a Walker, pos: Position, steps: u64) -> Self {
        Self {
            walker,
            pos,
            steps,
            halted: false,
            ahead: false,
            rounds: 0,
            asked_again: false,
            begun: None,
            end: None,
            last: RuleId::GAME,
            room: 0,
            heard: None,
            opened: None,
            trail: None,
            displaced: None,
        }
    }

    /// Runs the setup and play up to the first question.
    pub(super) fn started(&mut self) {
        self.pos.control.push(Frame::Block(self.walker.game.play, 0));
        self.pos.control.push(Frame::Block(self.walker.game.setup, 0));
        self.run();
    }

    /// Plays a move and runs to the next question; with the number of steps left.
    pub(super) fn followed(mut self, mv: &Move) -> (Position, u64) {
        self.answered(mv);
        (self.pos, self.steps)
    }

    pub(super) fn answered(&mut self, mv: &Move) {
        match self.pos.ask.clone() {
            Ask::Over => return,
            Ask::Pick { at, .. } | Ask::Chance { at } => {
                let walker = self.walker;
                match (walker.stmt(at).map(|stmt| &stmt.kind), mv.args.first()) {
                    (Some(StmtKind::Shuffle(zone)), Some(value)) => self.shuffled(zone, value),
                    (Some(StmtKind::Pick(slot, ..) | StmtKind::Roll(slot, ..)), Some(value)) => {
                        self.bind(*slot, value.clone());
                    }
                    (_, _) => {}
                }
            }
            Ask::Race { at } => self.raced(at, mv),
            Ask::Choose { at, seat } if self.kept(at, seat, mv) => {}
            Ask::Choose { .. } => match mv.action {
                ActionRef::Action(number) => {
                    let walker = self.walker;
                    if let Some(action) = walker.game.actions.get(number) {
                        self.enter(action, &mv.args);
                    }
                }
                ActionRef::Decline => {
                    if let Some(Frame::Played(before)) = self.pos.control.pop() {
                        self.pos.actor = before;
                    }
                }
                ActionRef::Pass | ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => {}
            },
        }
        self.run();
    }

    /// The position after an action's effects alone, with the local names that they bound, and the steps left. No end
    /// condition is tested.
    pub(super) fn effects_only(mut self, action: &Action, mv: &Move, actor: SeatId) -> (Position, u64) {
        let before = self.pos.actor.replace(actor);
        self.enter(action, &mv.args);
        let body = self.pos.control.pop();
        self.begin_answer(before);
        let depth = self.pos.control.len();
        self.pos.control.extend(body);
        let length = self.walker.game.blocks.get(action.body).map(|block| block.stmts.len());
        let done = |frame: &Frame| {
            let Frame::Block(block, next) = frame else { return false };
            *block == action.body && Some(usize::from(*next)) == length
        };
        while !self.halted && self.pos.control.len() > depth {
            if self.pos.control.len() == depth + 1 && self.pos.control.last().is_some_and(done) {
                self.pos.control.pop();
                break;
            }
            self.round();
        }
        if self.pos.outcome.is_some() {
            self.leave_effects(depth);
        }
        (self.pos, self.steps)
    }

    /// Binds the head of an action and puts its body on the stack.
    pub(super) fn enter(&mut self, action: &Action, args: &[Value]) {
        self.watch_head(action);
        let mut args = args.iter();
        for line in &action.head {
            match line {
                Header::Choose(choice) => self.bind(choice.slot, args.next().cloned().unwrap_or_default()),
                Header::Let(slot, value, _) | Header::Late(slot, value, _) => self.bind_to([(*slot, value)]),
                Header::Require(..) | Header::Prefer(..) => {}
            }
        }
        self.pos.control.push(Frame::Block(action.body, 0));
    }

    pub(super) fn run(&mut self) {
        self.pos.ask = Ask::Over;
        while !self.halted {
            self.round();
        }
        if self.pos.outcome.is_some() {
            let last = self.count_last();
            // Moves still in the middle of their effects when the game ends count as plies.
            while let Some(frame) = self.pos.control.pop() {
                if let Frame::Played(before) = frame {
                    self.count_ply();
                    self.pos.actor = before;
                }
                // The move that the interrupted question asks for has not been made.
                if let Frame::Ask(Ask::Choose { .. }) = frame {
                    self.pos.control.pop_if(|frame| matches!(frame, Frame::Played(_)));
                }
            }
            self.pos.ask = Ask::Over;
            self.pos.control.clear();
            self.pos.locals.fill(Value::Unset);
            self.pos.actor = None;
            self.pos.next_mover = None;
            if let Some((key, parts)) = last {
                self.pos.history.push(self.pos.ply, key, parts);
            }
        }
    }

    /// One step of the innermost construct.
    fn round(&mut self) {
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            self.finish_open(Ending::Budget(self.last));
            return;
        }
        let Some(frame) = self.pos.control.pop() else {
            self.finish_open(Ending::PlayedOut);
            return;
        };
        let height = self.pos.control.len();
        self.begun = matches!(frame, Frame::Block(..) | Frame::While(_)).then(|| (height, frame.clone()));
        match frame {
            Frame::Block(block, next) => self.block(block, next),
            Frame::While(at) if self.leads_nowhere() => self.pos.control.push(Frame::While(at)),
            Frame::While(at) => self.repeat_while(at),
            Frame::Repeat(at, left) => self.repeat_count(at, left),
            Frame::Each(at, left) => self.next_member(at, left),
            Frame::Turns(at, stage) => self.turn(at, stage),
            Frame::Phase(before) => self.pos.phase = before,
            Frame::Played(before) => {
                self.count_ply();
                self.pos.control.push(Frame::Actor(before));
                self.pos.control.push(Frame::Ends(EndMoment::AfterMove, 0));
            }
            Frame::Actor(before) => self.pos.actor = before,
            Frame::Ends(moment, number) => self.test_end(moment, number),
            Frame::Shuffle(at, left) => self.go_on_shuffling(at, left),
            Frame::Together(at, left, chosen) => self.go_on_together(at, left, chosen),
            Frame::Ask(ask) => self.ask_again(&ask),
        }
    }

    fn block(&mut self, block: BlockId, next: u16) {
        let walker = self.walker;
        let Some(body) = walker.game.blocks.get(block) else {
            return;
        };
        self.begins(body, next);
        if let Some(stmt) = body.stmts.get(usize::from(next)) {
            self.pos.control.push(Frame::Block(block, next + 1));
            self.last = stmt.rule;
            self.note(stmt.rule);
            self.watch(&stmt.kind);
            self.exec(stmt, (block, next));
        } else {
            self.clear(block);
        }
    }

    /// Clears the local names of a block.
    pub(super) fn clear(&mut self, block: BlockId) {
        let walker = self.walker;
        for &slot in walker.game.blocks.get(block).map_or(&[][..], |b| &b.slots) {
            self.bind(slot, Value::Unset);
        }
    }

    /// Skips the rest of the current block.
    pub(super) fn leave(&mut self) {
        if let Some(Frame::Block(block, _)) = self.pos.control.pop_if(|frame| matches!(frame, Frame::Block(..))) {
            self.clear(block);
        }
    }

    /// Turn after turn, the first of them this seat's if one is named.
    pub(super) fn begin_turns(&mut self, from: Option<&Expr>, at: StmtRef) {
        if let Some(from) = from {
            self.pos.mover = SeatId::new(self.eval(from).atom());
            self.pos.next_mover = None;
        }
        self.pos.control.push(Frame::Turns(at, TurnStage::Begin));
    }

    fn turn(&mut self, at: StmtRef, stage: TurnStage) {
        let next = |stage| Frame::Turns(at, stage);
        match stage {
            TurnStage::Begin => {
                if !self.pos.plays(usize::from(self.pos.mover)) {
                    self.pos.mover = self.seat_after(self.pos.mover);
                }
                self.pos.control.push(next(TurnStage::Body));
                self.pos.control.push(Frame::Ends(EndMoment::BeforeTurn, 0));
            }
            TurnStage::Body => {
                self.pos.control.push(next(TurnStage::End));
                if let Some(body) = self.walker.body(at) {
                    self.pos.control.push(Frame::Block(body, 0));
                }
            }
            TurnStage::End => {
                self.pos.control.push(next(TurnStage::Pass));
                self.pos.control.push(Frame::Ends(EndMoment::AfterTurn, 0));
            }
            TurnStage::Pass => {
                let walker = self.walker;
                if let Some(stmt) = walker.stmt(at) {
                    self.note(stmt.rule);
                }
                self.pos.turn = self.pos.turn.saturating_add(1);
                self.pos.mover = self.pos.next_mover.take().unwrap_or_else(|| self.seat_after(self.pos.mover));
                self.pos.control.push(next(TurnStage::Begin));
                self.leads_nowhere();
            }
        }
    }

    fn seat_after(&self, seat: SeatId) -> SeatId {
        SeatId::new(self.walker.following(&self.pos, usize::from(seat)))
    }

    fn test_end(&mut self, moment: EndMoment, number: u16) {
        self.end = None;
        let walker = self.walker;
        let Some(end) = walker.game.ends.get(usize::from(number)) else { return };
        self.pos.control.push(Frame::Ends(moment, number + 1));
        let now = match end.moment {
            Moment::BeforeTurn => EndMoment::BeforeTurn,
            Moment::AfterMove => EndMoment::AfterMove,
            Moment::AfterTurn => EndMoment::AfterTurn,
        };
        if now == moment && self.eval(&end.when).truth() {
            self.end = Some(end.rule);
            self.note(end.rule);
            self.pos.control.push(Frame::Block(end.body, 0));
        }
    }

    fn count_ply(&mut self) {
        self.pos.ply = self.pos.ply.saturating_add(1);
        let me = usize::from(self.pos.acting());
        // Moving without agreeing declines the offers of others.
        for agreed in &mut self.pos.offers {
            if !agreed.contains(me) {
                *agreed = Bits::new();
            }
        }
    }

    /// Leaves the innermost `turns`.
    pub(super) fn stop(&mut self) {
        while let Some(frame) = self.pos.control.pop() {
            match frame {
                Frame::Turns(..) => break,
                Frame::Block(block, _) => self.clear(block),
                Frame::Phase(before) => self.pos.phase = before,
                Frame::Actor(before) => self.pos.actor = before,
                Frame::Played(before) => {
                    self.count_ply();
                    self.pos.actor = before;
                }
                Frame::Each(at, _) => {
                    if let Some(StmtKind::For(slot, ..)) = self.walker.stmt(at).map(|stmt| &stmt.kind) {
                        self.bind(*slot, Value::Unset);
                    }
                }
                Frame::While(_)
                | Frame::Repeat(..)
                | Frame::Ends(..)
                | Frame::Shuffle(..)
                | Frame::Together(..)
                | Frame::Ask(_) => {}
            }
        }
    }

    pub(super) fn bind(&mut self, slot: Slot, value: Value) {
        if let Some(heard) = &mut self.heard {
            heard.forget(slot);
        }
        let large = value.size() > LARGE;
        if let Some(place) = self.pos.locals.get_mut(usize::from(slot)) {
            *place = value;
        }
        if large {
            self.hold();
        }
    }

    /// Goes through the members of a loop, the next one last.
    pub(super) fn go_through(&mut self, at: StmtRef, members: Vec<Value>) {
        let large = members.len() > LARGE;
        self.pos.control.push(Frame::Each(at, members));
        if large {
            self.hold();
        }
    }

    /// Exhausts the budget where local names and the members left of loops are more than a position holds.
    fn hold(&mut self) {
        let names: usize = self.pos.locals.iter().map(Value::size).sum();
        let loops = self.pos.control.iter().map(|frame| if let Frame::Each(_, left) = frame { left.len() } else { 0 });
        if names + loops.sum::<usize>() > HELD {
            self.steps = 0;
        }
    }

    /// The value of an expression in the current position.
    pub(super) fn eval(&mut self, expr: &Expr) -> Value {
        self.with_eval(|eval| eval.eval(expr))
    }

    /// Lends the position to an evaluator.
    pub(super) fn with_eval<T>(&mut self, run: impl FnOnce(&mut Eval<'_>) -> T) -> T {
        let mut eval = Eval::new(self.walker, &self.pos, self.steps);
        (eval.trace, eval.ahead) = (self.trail.take(), self.ahead);
        eval.begun = self.begun.as_ref();
        let value = run(&mut eval);
        self.steps = eval.steps;
        self.trail = eval.trace.take();
        let told = eval.met.told;
        self.lay_open(told);
        value
    }
}
