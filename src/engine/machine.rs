//! Running the program from one question to the next.
//!
//! Blocks that ask nothing run as plain recursion ([`Run::code`]). The others use the control stack exactly as the
//! reference interpreter does, so that both produce the same positions.

use super::run::Run;
use super::state::{AskKind, Frame, NOTHING_ASKED, Play};
use crate::base::Word;
use crate::compile::program::{Action, Head, OpKind};
use crate::ir::{ActionId, ActionRef, BlockId, RuleId, SeatId, Slot};
use crate::model::{EndMoment, Ending};

/// How a run of statements ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Continue with the next statement.
    Next,
    /// Leave the innermost `turns`.
    Stop,
    /// The game is over.
    Over,
}

impl<'a, W: Word> Run<'a, W> {
    /// Runs the setup and play up to the first question.
    pub(super) fn begin(&mut self) {
        self.wake();
        self.state.control.push(Frame::Block(self.game.play, 0));
        self.state.control.push(Frame::Block(self.game.setup, 0));
        self.go();
    }

    /// Starts a new step budget and forgets which rule ended an earlier game.
    fn wake(&mut self) {
        self.moves.forget();
        (self.end, self.last) = (None, RuleId::GAME);
        self.refill();
        self.halted = false;
    }

    /// Plays a move and runs to the next question.
    pub(super) fn play_lowered(&mut self, play: &Play) {
        let program = self.program;
        let (kind, at, seat) = self.state.ask;
        self.wake();
        match kind {
            AskKind::Over => return,
            AskKind::Pick | AskKind::Chance => match (program.op(at).map(|op| &op.kind), play.args.first()) {
                (Some(OpKind::Shuffle(zone)), Some(&value)) => self.shuffled(zone, value),
                (Some(OpKind::Pick(offered, _) | OpKind::Roll(offered)), Some(&value)) => {
                    self.bind_slot(offered.slot, offered.home, value);
                }
                (_, _) => {}
            },
            AskKind::Race => self.raced(at, play),
            AskKind::Choose if self.kept(at, seat, play) => {}
            AskKind::Choose => match play.action {
                ActionRef::Action(number) => self.enter(number, &play.args),
                ActionRef::Decline => {
                    if let Some(Frame::Played(before)) = self.state.control.pop() {
                        self.state.set_actor(before);
                    }
                }
                ActionRef::Pass | ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => {}
            },
        }
        self.go();
        self.forget_ways();
    }

    pub(super) fn enter(&mut self, number: ActionId, args: &[i64]) {
        let program = self.program;
        if let Some(action) = program.actions.get(usize::from(number)) {
            let asks = program.code.get(usize::from(action.body)).is_some_and(|code| code.asks);
            self.enter_head(action, args, asks);
            self.state.ask = NOTHING_ASKED;
            if asks {
                self.state.control.push(Frame::Block(action.body, 0));
            } else {
                let flow = self.code(action.body);
                self.settle(flow);
            }
        }
    }

    /// Acts on how a run of statements ended.
    pub(super) fn settle(&mut self, flow: Flow) {
        match flow {
            Flow::Next => {}
            Flow::Stop => self.stop(),
            // While looking for the next question, end conditions do not decide the game.
            Flow::Over => self.halted = self.state.outcome.is_some(),
        }
    }

    /// Binds the head of an action; `keep` says whether its names outlast the next question.
    pub(super) fn enter_head(&mut self, action: &'a Action<W>, args: &[i64], keep: bool) {
        let mut args = args.iter();
        for line in &action.head {
            match line {
                Head::Choose(slot, at, _) => {
                    let Some(&arg) = args.next() else { return };
                    self.set_local(*at, arg);
                    if keep {
                        self.mark(*slot);
                    }
                }
                Head::Let(slot, bind) => {
                    self.bind(bind);
                    if keep {
                        self.mark(*slot);
                    }
                }
                Head::Require(_) | Head::Prefer(_) => {}
            }
        }
    }

    /// Binds a local name to a number.
    pub(super) fn bind_slot(&mut self, slot: Slot, at: u16, value: i64) {
        self.set_local(at, value);
        self.mark(slot);
    }

    /// Marks a local name as bound.
    #[inline]
    pub(super) fn mark(&mut self, slot: Slot) {
        if let Some(bound) = self.state.bound.get_mut(usize::from(slot)) {
            *bound = true;
        }
    }

    pub(super) fn go(&mut self) {
        self.state.ask = NOTHING_ASKED;
        while !self.halted {
            self.round();
        }
        if self.state.outcome.is_some() {
            self.close();
        }
    }

    /// Finishes a game that is over: moves still in the middle of their effects count as plies.
    fn close(&mut self) {
        let last = self.count_last();
        while let Some(frame) = self.state.control.pop() {
            if let Frame::Played(before) = frame {
                self.count_ply();
                self.state.set_actor(before);
            }
            // The move that the interrupted question asks for has not been made.
            if let Frame::Ask((AskKind::Choose, ..)) = frame {
                self.state.control.pop_if(|frame| matches!(frame, Frame::Played(_)));
            }
        }
        let state = &mut self.state;
        state.ask = NOTHING_ASKED;
        state.control.clear();
        state.members.clear();
        state.secrets.clear();
        state.bound.fill(false);
        state.locals.fill(0);
        state.local_sets.fill(W::NONE);
        state.local_lists.iter_mut().for_each(Vec::clear);
        state.next_mover = None;
        state.set_actor(None);
        if let Some((key, parts)) = last {
            state.history.push(state.ply, key, parts);
        }
    }

    /// Runs just one block, up to its end, a question or the end of the game.
    pub(super) fn run_alone(&mut self, body: BlockId) {
        let asks = self.program.code.get(usize::from(body)).is_some_and(|code| code.asks);
        if asks {
            let length = self.program.code[usize::from(body)].ops.len();
            let depth = self.state.control.len();
            self.state.control.push(Frame::Block(body, 0));
            let outer = self.alone.replace(body);
            let done =
                |frame: &Frame| matches!(frame, Frame::Block(b, next) if *b == body && usize::from(*next) == length);
            while !self.halted && self.state.control.len() > depth {
                if self.state.control.len() == depth + 1 && self.state.control.last().is_some_and(done) {
                    self.state.control.pop();
                    break;
                }
                self.round();
            }
            self.alone = outer;
            if self.state.outcome.is_some() {
                self.leave_effects(depth);
            }
        } else {
            // Names bound by the effects stay visible to the guards.
            let flow = self.code(body);
            self.settle(flow);
        }
    }

    /// One step of the innermost construct.
    fn round(&mut self) {
        if !self.tick() {
            self.finish_open(Ending::Budget(self.last));
            return;
        }
        let Some(frame) = self.state.control.pop() else {
            self.finish_open(Ending::PlayedOut);
            return;
        };
        self.begun = None;
        match frame {
            Frame::Block(block, next) => self.block(block, next),
            Frame::While(at) if self.leads_nowhere() => self.state.control.push(Frame::While(at)),
            Frame::While(at) => self.repeat_while(at),
            Frame::Repeat(at, left) => self.repeat_count(at, left),
            Frame::Each(at, left) => self.next_member(at, left),
            Frame::Turns(at, stage) => self.turn(at, stage),
            Frame::Phase(before) => self.state.phase = before,
            Frame::Played(before) => {
                self.count_ply();
                self.state.control.push(Frame::Actor(before));
                if self.test_ends(EndMoment::AfterMove, 0) {
                    self.state.control.pop();
                    self.state.set_actor(before);
                }
            }
            Frame::Actor(before) => self.state.set_actor(before),
            Frame::Ends(moment, number) => {
                self.test_ends(moment, number);
            }
            Frame::Shuffle(at, left) => {
                if left > 1 {
                    self.state.control.push(Frame::Shuffle(at, left));
                    // The first card stands for all: no rule looks at what is between two of them.
                    self.ask_on(AskKind::Chance, at, SeatId::FIRST);
                }
            }
            Frame::Together(at, left, chosen) => self.go_on_together(at, left, chosen),
            Frame::Ask(ask) => self.ask_again(ask),
        }
    }

    /// Continues in a block that is on the control stack.
    pub(super) fn block(&mut self, block: BlockId, mut next: u16) {
        let program = self.program;
        let Some(code) = program.code.get(usize::from(block)) else { return };
        self.begun = None;
        while let Some(op) = code.ops.get(usize::from(next)) {
            self.last = op.rule;
            let at = (block, next);
            if op.looks {
                self.begun = Some((self.state.control.len(), Frame::Block(block, next)));
            }
            next += 1;
            if op.asks {
                self.state.control.push(Frame::Block(block, next));
                self.asking(&op.kind, at, op.rule);
                self.begun = None;
                return;
            }
            if op.looks {
                self.state.control.push(Frame::Block(block, next));
            }
            let flow = self.op(op, code.asks);
            if op.looks {
                self.state.control.pop();
                self.begun = None;
            }
            if flow != Flow::Next {
                // The names of effects that end the game stay visible to the guards.
                if code.asks && !(flow == Flow::Over && self.alone == Some(block)) {
                    self.clear(block);
                }
                self.settle(flow);
                return;
            }
        }
        if self.alone == Some(block) {
            self.state.control.push(Frame::Block(block, next));
        } else if code.asks {
            self.clear(block);
        }
    }

    /// Clears the local names of a block.
    pub(super) fn clear(&mut self, block: BlockId) {
        let program = self.program;
        if let Some(code) = program.code.get(usize::from(block)) {
            for &(slot, home) in &code.ends {
                self.state.forget(slot, home);
            }
        }
    }

    /// Skips the rest of the current block.
    pub(super) fn leave(&mut self) {
        if let Some(Frame::Block(block, _)) = self.state.control.last().copied() {
            self.state.control.pop();
            self.clear(block);
        }
    }
}
