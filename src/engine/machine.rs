//! The program in motion: from one question to the next.
//!
//! Statements in which nobody can be asked run in one go ([`Run::code`]). The
//! others leave their traces on the control stack, exactly as those of the
//! reference interpreter, so that positions of both are the same.

use crate::base::Word;
use super::run::Run;
use super::state::{AskKind, Frame, Play};
use crate::compile::program::{Action, Head, OpKind};
use crate::ir::{ActionRef, BlockId, RuleId};
use crate::model::{EndMoment, Ending, Outcome, StmtRef, TurnStage, Verdict};

/// How a run of statements came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// It goes on.
    Next,
    /// The innermost `turns` are left.
    Stop,
    /// The game is over.
    Over,
}

impl<'a, W: Word> Run<'a, W> {
    /// Set-up and play, up to the first question.
    pub(super) fn begin(&mut self) {
        self.state.ask = (AskKind::Over, (0, 0), 0);
        self.moves.forget();
        self.steps = self.budget;
        self.halted = false;
        self.state.control.push(Frame::Block(self.game.play, 0));
        self.state.control.push(Frame::Block(self.game.setup, 0));
        self.go();
    }

    /// A move, up to the next question.
    pub(super) fn follow(&mut self, play: &Play) {
        let program = self.program;
        let (kind, at, seat) = self.state.ask;
        self.state.ask = (AskKind::Over, (0, 0), 0);
        self.moves.forget();
        self.steps = self.budget;
        self.halted = false;
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
    }

    fn enter(&mut self, number: u16, args: &[i64]) {
        let program = self.program;
        if let Some(action) = program.actions.get(usize::from(number)) {
            let asks = program.code.get(usize::from(action.body)).is_some_and(|code| code.asks);
            self.enter_head(action, args, asks);
            if asks {
                self.state.control.push(Frame::Block(action.body, 0));
            } else {
                let flow = self.code(action.body);
                self.settle(flow);
            }
        }
    }

    /// Goes by how a run of statements came out.
    fn settle(&mut self, flow: Flow) {
        match flow {
            Flow::Next => {}
            Flow::Stop => self.stop(),
            Flow::Over => self.halted = true,
        }
    }

    /// Binds the head of an action; `keep` tells whether its names outlast the next
    /// question.
    pub(super) fn enter_head(&mut self, action: &'a Action<W>, args: &[i64], keep: bool) {
        let mut args = args.iter();
        for line in &action.head {
            match line {
                Head::Choose(slot, at, _) => {
                    self.set_local(*at, args.next().copied().unwrap_or(0));
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
    pub(super) fn bind_slot(&mut self, slot: u16, at: u16, value: i64) {
        self.set_local(at, value);
        self.mark(slot);
    }

    /// Notes that a local name is bound.
    #[inline]
    pub(super) fn mark(&mut self, slot: u16) {
        if let Some(bound) = self.state.bound.get_mut(usize::from(slot)) {
            *bound = true;
        }
    }

    fn go(&mut self) {
        while !self.halted {
            self.round();
        }
        if self.state.outcome.is_some() {
            self.close();
        }
        let plies = self.state.ply as usize;
        if self.program.remembers && self.state.history.len() <= plies && self.state.ask.0 != AskKind::Chance {
            let key = self.key(self.state.mover);
            self.state.history.push(key);
        }
    }

    /// The game is over: moves in the midst of their effects are plies, too.
    fn close(&mut self) {
        while let Some(frame) = self.state.control.pop() {
            match frame {
                Frame::Played(before) => {
                    self.count_ply();
                    self.state.set_actor(before);
                }
                Frame::Ask(_) => break,
                _ => {}
            }
        }
        let state = &mut self.state;
        state.ask = (AskKind::Over, (0, 0), 0);
        state.control.clear();
        state.members.clear();
        state.secrets.clear();
        state.bound.fill(false);
        state.locals.fill(0);
        state.local_sets.fill(W::NONE);
        state.local_lists.iter_mut().for_each(Vec::clear);
        state.given = None;
        state.set_actor(None);
    }

    /// Runs a block's statements alone, to their end, a question or the game's end.
    pub(super) fn run_alone(&mut self, body: BlockId) {
        let asks = self.program.code.get(usize::from(body)).is_some_and(|code| code.asks);
        if asks {
            let length = self.program.code[usize::from(body)].ops.len();
            self.state.control.push(Frame::Block(body, 0));
            let done = |frame: &Frame| matches!(frame, Frame::Block(b, next) if *b == body && usize::from(*next) == length);
            while !self.halted && self.state.control.len() > 1 {
                if self.state.control.len() == 2 && self.state.control.last().is_some_and(done) {
                    self.state.control.pop();
                    break;
                }
                self.round();
            }
        } else {
            // Names bound by the effects are known to the guards, too.
            self.code(body);
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
        match frame {
            Frame::Block(block, next) => self.block(block, next),
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
                    self.ask(AskKind::Chance, at, 0);
                }
            }
            Frame::Together(at, left, chosen) => self.go_on_together(at, left, chosen),
            Frame::Ask(ask) => {
                self.state.ask = ask;
                self.halted = true;
            }
        }
    }

    /// Goes on in a block whose course is kept.
    fn block(&mut self, block: BlockId, mut next: u16) {
        let program = self.program;
        let Some(code) = program.code.get(usize::from(block)) else { return };
        while let Some(op) = code.ops.get(usize::from(next)) {
            self.last = op.rule;
            let at = (block, next);
            next += 1;
            if op.asks {
                self.state.control.push(Frame::Block(block, next));
                self.asking(&op.kind, at, op.rule);
                return;
            }
            match self.op(op, code.asks) {
                Flow::Next => {}
                flow => {
                    if code.asks {
                        self.clear(block);
                    }
                    self.settle(flow);
                    return;
                }
            }
        }
        if code.asks {
            self.clear(block);
        }
    }

    /// Forgets the local names of a block.
    pub(super) fn clear(&mut self, block: BlockId) {
        let program = self.program;
        if let Some(code) = program.code.get(usize::from(block)) {
            for &(slot, home) in &code.ends {
                self.state.forget(slot, home);
            }
        }
    }

    /// Leaves out the rest of the block that runs.
    fn leave(&mut self) {
        if let Some(Frame::Block(block, _)) = self.state.control.last().copied() {
            self.state.control.pop();
            self.clear(block);
        }
    }

    fn turn(&mut self, at: StmtRef, mut stage: TurnStage) {
        let next = |stage| Frame::Turns(at, stage);
        loop {
            match stage {
                TurnStage::Begin => {
                    if !self.tick() {
                        self.finish_open(Ending::Budget(self.last));
                        return;
                    }
                    if !self.state.plays(self.state.mover) {
                        self.state.set_mover(self.seat_after(self.state.mover));
                    }
                    self.state.control.push(next(TurnStage::Body));
                    if !self.test_ends(EndMoment::BeforeTurn, 0) {
                        return;
                    }
                    self.state.control.pop();
                    stage = TurnStage::Body;
                }
                TurnStage::Body => {
                    self.state.control.push(next(TurnStage::End));
                    if let Some(OpKind::Turns(body)) = self.program.op(at).map(|op| &op.kind) {
                        self.block(*body, 0);
                    }
                    return;
                }
                TurnStage::End => {
                    self.state.control.push(next(TurnStage::Pass));
                    if !self.test_ends(EndMoment::AfterTurn, 0) {
                        return;
                    }
                    self.state.control.pop();
                    stage = TurnStage::Pass;
                }
                TurnStage::Pass => {
                    self.state.turn = self.state.turn.saturating_add(1);
                    let after = self.state.given.take().unwrap_or_else(|| self.seat_after(self.state.mover));
                    self.state.set_mover(after);
                    stage = TurnStage::Begin;
                }
            }
        }
    }

    fn seat_after(&self, seat: u8) -> u8 {
        u8::try_from(self.state.following(usize::from(seat))).unwrap_or(seat)
    }

    /// Tests the end conditions of a moment from a number on; false if the course of
    /// the game has changed, so that whoever asked must not go on.
    fn test_ends(&mut self, moment: EndMoment, from: u16) -> bool {
        let program = self.program;
        self.end = None;
        let before = self.testing.replace(moment);
        for end in program.ends_at(moment) {
            if end.number < from || !self.test(&end.when) {
                continue;
            }
            self.end = Some(end.rule);
            if program.code.get(usize::from(end.body)).is_some_and(|code| code.asks) {
                self.testing = before;
                self.state.control.push(Frame::Ends(moment, end.number + 1));
                self.state.control.push(Frame::Block(end.body, 0));
                return false;
            }
            let flow = self.code(end.body);
            if flow != Flow::Next {
                self.testing = before;
                self.settle(flow);
                return false;
            }
            self.end = None;
        }
        self.testing = before;
        true
    }

    fn count_ply(&mut self) {
        self.state.ply = self.state.ply.saturating_add(1);
        let me = usize::from(self.state.me);
        // Whoever moves without agreeing has declined what others offered.
        for agreed in &mut self.state.offers {
            if !agreed.contains(me) {
                *agreed = crate::base::Bits::new();
            }
        }
    }

    /// Leaves the innermost `turns`.
    fn stop(&mut self) {
        while let Some(frame) = self.state.control.pop() {
            match frame {
                Frame::Turns(..) => break,
                Frame::Block(block, _) => self.clear(block),
                Frame::Phase(before) => self.state.phase = before,
                Frame::Actor(before) => self.state.set_actor(before),
                Frame::Played(before) => {
                    self.count_ply();
                    self.state.set_actor(before);
                }
                Frame::Each(_, left) => {
                    let kept = self.state.members.len().saturating_sub(left as usize);
                    self.state.members.truncate(kept);
                }
                Frame::Together(_, _, chosen) => {
                    let kept = self.state.secrets.len().saturating_sub(chosen as usize);
                    self.state.secrets.truncate(kept);
                }
                Frame::While(_) | Frame::Repeat(..) | Frame::Ends(..) | Frame::Shuffle(..) | Frame::Ask(_) => {}
            }
        }
    }

    pub(super) fn ask(&mut self, kind: AskKind, at: StmtRef, seat: u8) {
        self.state.ask = (kind, at, seat);
        self.halted = true;
    }

    /// A statement that asks, or in which somebody may be asked.
    fn asking(&mut self, kind: &'a OpKind<W>, at: StmtRef, rule: RuleId) {
        match kind {
            OpKind::Pick(offered, seat) => {
                if self.offers_nothing(&offered.values) {
                    self.leave();
                    return;
                }
                let seat = match seat {
                    Some(seat) => u8::try_from(self.index(seat)).unwrap_or(self.state.me),
                    None => self.state.me,
                };
                self.ask(AskKind::Pick, at, seat);
            }
            OpKind::Roll(offered) => match self.only_value(&offered.values) {
                (0, _) => self.leave(),
                (1, value) => self.bind_slot(offered.slot, offered.home, value),
                _ => self.ask(AskKind::Chance, at, 0),
            },
            OpKind::Shuffle(zone) => {
                let place = self.place(zone);
                let count = self.state.lists.get(place).map_or(0, Vec::len);
                self.state.control.push(Frame::Shuffle(at, u32::try_from(count).unwrap_or(u32::MAX)));
            }
            OpKind::Do(block) => self.block(*block, 0),
            OpKind::If(test, yes, no) => {
                let branch = if self.test(test) { Some(*yes) } else { *no };
                if let Some(block) = branch {
                    self.block(block, 0);
                }
            }
            OpKind::For(_, _, source, from, _) => {
                let members = self.members(source, from.as_ref());
                self.state.members.extend(members.iter().rev());
                let left = u32::try_from(members.len()).unwrap_or(u32::MAX);
                self.give_back(members);
                self.state.control.push(Frame::Each(at, left));
            }
            OpKind::While(..) => self.state.control.push(Frame::While(at)),
            OpKind::Repeat(count, _) => {
                let count = u32::try_from(self.number(count).clamp(0, i64::from(u32::MAX))).unwrap_or(0);
                self.state.control.push(Frame::Repeat(at, count));
            }
            OpKind::Turns(_) => self.state.control.push(Frame::Turns(at, TurnStage::Begin)),
            OpKind::Phase(phase, body) => {
                self.state.control.push(Frame::Phase(self.state.phase));
                self.state.phase = Some(*phase);
                self.block(*body, 0);
            }
            OpKind::Call(binds, body) => {
                self.call(binds, true);
                self.block(*body, 0);
            }
            OpKind::Together(seats, _) => {
                let seats = self.set(seats).and(self.state.playing);
                let left = seats.iter().filter(|&seat| seat < 64).fold(0, |left, seat| left | 1_u64 << seat);
                self.state.control.push(Frame::Together(at, left, 0));
            }
            OpKind::Race(race) => {
                if self.race_is_on(at) {
                    self.ask(AskKind::Race, at, 0);
                    return;
                }
                self.nobody_can(race.otherwise, rule);
            }
            OpKind::Plays { seat, may, groups, otherwise } => {
                let seat = u8::try_from(self.index(seat)).unwrap_or(0);
                if !self.state.plays(seat) {
                    return;
                }
                let before = self.state.actor;
                self.state.set_actor(Some(seat));
                if !may && self.list_now(groups) == 0 {
                    self.moves.forget();
                    self.state.set_actor(before);
                    self.nobody_can(*otherwise, rule);
                    return;
                }
                self.state.control.push(Frame::Played(before));
                self.ask(AskKind::Choose, at, seat);
            }
            _ => {}
        }
    }

    fn nobody_can(&mut self, otherwise: Option<BlockId>, rule: RuleId) {
        match otherwise {
            _ if self.steps == 0 => self.finish_open(Ending::Budget(rule)),
            Some(block) => self.block(block, 0),
            None => self.finish_open(Ending::NoMove(rule)),
        }
    }

    fn repeat_while(&mut self, at: StmtRef) {
        let program = self.program;
        if let Some(OpKind::While(test, body)) = program.op(at).map(|op| &op.kind)
            && self.test(test)
        {
            self.state.control.push(Frame::While(at));
            self.block(*body, 0);
        }
    }

    fn repeat_count(&mut self, at: StmtRef, left: u32) {
        if let Some(OpKind::Repeat(_, body)) = self.program.op(at).map(|op| &op.kind)
            && left > 0
        {
            self.state.control.push(Frame::Repeat(at, left - 1));
            self.block(*body, 0);
        }
    }

    fn next_member(&mut self, at: StmtRef, left: u32) {
        let Some(OpKind::For(slot, local, _, _, body)) = self.program.op(at).map(|op| &op.kind) else { return };
        if left == 0 {
            self.state.forget(*slot, crate::compile::program::Home::Number(*local));
            return;
        }
        let member = self.state.members.pop().unwrap_or(0);
        self.bind_slot(*slot, *local, member);
        self.state.control.push(Frame::Each(at, left - 1));
        self.block(*body, 0);
    }

    /// Somebody has acted in a race, or nobody until the end.
    fn raced(&mut self, at: StmtRef, play: &Play) {
        let program = self.program;
        if let (ActionRef::Race(number), [seat, time, args @ ..]) = (play.action, play.args.as_slice()) {
            self.state.now = self.state.now.max(*time);
            let before = self.state.actor;
            self.state.set_actor(Some(u8::try_from(*seat).unwrap_or(0)));
            self.state.control.push(Frame::Played(before));
            self.enter(number, args);
            return;
        }
        if let Some(OpKind::Race(race)) = program.op(at).map(|op| &op.kind) {
            let until = race.until.as_ref().map(|until| self.number(until));
            self.state.now = self.state.now.max(until.unwrap_or(self.state.now));
            if let Some(block) = race.otherwise {
                self.state.control.push(Frame::Block(block, 0));
            }
        }
    }

    /// Asks the next seat that can choose; once all have, carries the moves out.
    fn go_on_together(&mut self, at: StmtRef, mut left: u64, chosen: u32) {
        let program = self.program;
        let Some(OpKind::Together(_, groups)) = program.op(at).map(|op| &op.kind) else { return };
        while left != 0 {
            let seat = u8::try_from(left.trailing_zeros()).unwrap_or(0);
            left &= left - 1;
            let before = self.state.actor;
            self.state.set_actor(Some(seat));
            if self.list_now(groups) > 0 {
                self.state.control.push(Frame::Together(at, left, chosen));
                self.state.control.push(Frame::Actor(before));
                self.ask(AskKind::Choose, at, seat);
                return;
            }
            self.moves.forget();
            self.state.set_actor(before);
        }
        if chosen == 0 {
            return;
        }
        let first = self.state.secrets.len().saturating_sub(chosen as usize);
        let (seat, play) = self.state.secrets.remove(first);
        self.state.control.push(Frame::Together(at, left, chosen - 1));
        let before = self.state.actor;
        self.state.set_actor(Some(seat));
        self.state.control.push(Frame::Played(before));
        if let ActionRef::Action(number) = play.action {
            self.enter(number, &play.args);
        }
    }

    /// Whether a question is one of several secret ones; if so its answer is kept.
    fn kept(&mut self, at: StmtRef, seat: u8, play: &Play) -> bool {
        if !matches!(self.program.op(at).map(|op| &op.kind), Some(OpKind::Together(..))) {
            return false;
        }
        if let Some(Frame::Actor(before)) = self.state.control.pop() {
            self.state.set_actor(before);
        }
        if let Some(Frame::Together(_, _, chosen)) = self.state.control.last_mut() {
            *chosen += 1;
            self.state.secrets.push((seat, play.clone()));
        }
        true
    }

    /// Ends the game without a result.
    pub(super) fn finish_open(&mut self, ending: Ending) {
        let seats = self.game.seats.len();
        self.finish(Outcome {
            verdicts: vec![Verdict::Open; seats],
            ranks: vec![0; seats],
            scores: Vec::new(),
            ending,
            statement: None,
        });
    }

    /// Ends the game by the end condition that runs, or by a statement's rule.
    pub(super) fn finish_by(&mut self, rule: RuleId, verdicts: Vec<Verdict>, ranks: Vec<u8>, scores: Vec<i64>) {
        let ending = Ending::Rule(self.end.unwrap_or(rule));
        self.finish(Outcome { verdicts, ranks, scores, ending, statement: Some(rule) });
    }

    fn finish(&mut self, outcome: Outcome) {
        self.state.outcome = Some(outcome);
        self.halted = true;
    }
}
