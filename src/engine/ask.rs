//! Statements that ask, or whose blocks may ask.

use super::run::Run;
use super::state::{AskAt, AskKind, Frame, NOTHING_ASKED, Play};
use crate::base::{SaturatingFrom, Word, to_index};
use crate::compile::program::{Home, OpKind};
use crate::ir::{ActionRef, BlockId, RuleId, SeatId};
use crate::model::{Ending, LARGE, StmtRef, TurnStage};

impl<'a, W: Word> Run<'a, W> {
    /// Runs a statement that asks, or whose blocks may ask.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    pub(super) fn asking(&mut self, kind: &'a OpKind<W>, at: StmtRef, rule: RuleId) {
        match kind {
            OpKind::Pick(offered, seat) => {
                if self.offers_nothing(&offered.values) {
                    self.leave();
                    return;
                }
                let seat = match seat {
                    Some(seat) => SeatId::new(self.index(seat)),
                    None => self.state.me,
                };
                if usize::from(seat) >= self.state.standing.len() {
                    self.leave();
                    return;
                }
                self.ask(AskKind::Pick, at, seat);
            }
            OpKind::Roll(offered) => match self.only_value(&offered.values) {
                (_, None) => self.leave(),
                (1, Some(value)) => self.bind_slot(offered.slot, offered.home, value),
                (_, Some(_)) => self.ask(AskKind::Chance, at, SeatId::FIRST),
            },
            OpKind::Shuffle(zone) => {
                let place = self.place(zone);
                let count = u32::saturating_from(self.state.list(place).len());
                if count > 1 {
                    self.state.control.push(Frame::Shuffle(at, count));
                    self.ask(AskKind::Chance, at, SeatId::FIRST);
                }
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
                let left = u32::saturating_from(members.len());
                let large = members.len() > LARGE;
                self.give_back(members);
                self.state.control.push(Frame::Each(at, left));
                if large {
                    self.hold();
                }
            }
            OpKind::While(..) => self.state.control.push(Frame::While(at)),
            OpKind::Repeat(count, _) => {
                let count = u32::saturating_from(self.number(count));
                self.state.control.push(Frame::Repeat(at, count));
            }
            OpKind::Turns(from, _) => {
                if let Some(from) = from {
                    let seat = SeatId::new(self.index(from));
                    self.state.set_mover(seat);
                    self.state.next_mover = None;
                }
                self.state.control.push(Frame::Turns(at, TurnStage::Begin));
            }
            OpKind::Phase(phase, body) => {
                self.state.control.push(Frame::Phase(self.state.phase));
                self.state.phase = Some(*phase);
                self.block(*body, 0);
            }
            OpKind::Call(binds, body) => {
                // A body that asks nothing does not clear its names.
                let keep = self.program.code.get(usize::from(*body)).is_some_and(|code| code.asks);
                self.call(binds, keep);
                self.block(*body, 0);
            }
            OpKind::Together(seats, _) => {
                let seats = self.set(seats).and(self.state.playing);
                let left = seats.iter().filter(|&seat| seat < 64).fold(0, |left, seat| left | 1_u64 << seat);
                self.state.control.push(Frame::Together(at, left, 0));
            }
            OpKind::Race(race) => {
                self.ask(AskKind::Race, at, SeatId::FIRST);
                if self.race_is_on(at) {
                    return;
                }
                self.take_back();
                self.nobody_can(race.otherwise, rule);
            }
            OpKind::Plays { seat, may, groups, otherwise, answers } => {
                let seat = SeatId::new(self.index(seat));
                if !self.state.plays(seat) {
                    return;
                }
                let before = self.state.actor;
                self.state.set_actor(Some(seat));
                self.state.control.push(Frame::Played(before));
                self.ask(AskKind::Choose, at, seat);
                if *may || self.is_hoped(*answers) {
                    return;
                }
                if self.list_now(groups) == 0 && !self.moves.spilled {
                    self.take_back();
                    self.state.control.pop();
                    self.state.set_actor(before);
                    self.nobody_can(*otherwise, rule);
                }
            }
            // These ask nothing and have no blocks that ask.
            OpKind::Let(..)
            | OpKind::Put(..)
            | OpKind::PutTokens(..)
            | OpKind::MoveTokens(..)
            | OpKind::PutIn(..)
            | OpKind::MovePieces(..)
            | OpKind::MoveSite(..)
            | OpKind::Move(..)
            | OpKind::Remove(_)
            | OpKind::Swap(..)
            | OpKind::Rotate(..)
            | OpKind::Change(..)
            | OpKind::Sow(_)
            | OpKind::AssignNumber(..)
            | OpKind::AssignSet(..)
            | OpKind::AssignList(..)
            | OpKind::Nothing
            | OpKind::Stop
            | OpKind::Give(_)
            | OpKind::Decide(..)
            | OpKind::Draw
            | OpKind::Rank(..)
            | OpKind::Place(..) => {}
        }
    }

    /// Asks again what was asked before a claim or offer. If it has left nobody to answer, play goes on as it would have had the
    /// question been asked now for the first time.
    pub(super) fn ask_again(&mut self, ask: AskAt) {
        let program = self.program;
        self.state.ask = ask;
        let (asked, at, seat) = ask;
        let kind = program.op(at).map(|op| (&op.kind, op.rule));
        let (otherwise, rule) = match (asked, kind) {
            (AskKind::Choose, Some((OpKind::Plays { may, groups, otherwise, .. }, rule))) => {
                let plays = self.state.plays(seat);
                if plays && (*may || self.list_now(groups) > 0 || self.moves.spilled) {
                    self.halted = true;
                    return;
                }
                self.withdraw();
                if !plays {
                    return;
                }
                (*otherwise, rule)
            }
            (AskKind::Choose, Some((OpKind::Together(_, groups), _))) => {
                if self.state.plays(seat) && (self.list_now(groups) > 0 || self.moves.spilled) {
                    self.halted = true;
                } else {
                    self.withdraw();
                }
                return;
            }
            (AskKind::Race, Some((OpKind::Race(race), rule))) if !self.race_is_on(at) => {
                self.state.ask = NOTHING_ASKED;
                self.moves.forget();
                (race.otherwise, rule)
            }
            (AskKind::Over | AskKind::Choose | AskKind::Race | AskKind::Pick | AskKind::Chance, _) => {
                self.halted = true;
                return;
            }
        };
        self.nobody_can(otherwise, rule);
    }

    /// Takes back that a seat is to choose: its move, or its secret choice.
    fn withdraw(&mut self) {
        self.state.ask = NOTHING_ASKED;
        self.moves.forget();
        if let Some(Frame::Played(before) | Frame::Actor(before)) =
            self.state.control.pop_if(|frame| matches!(frame, Frame::Played(_) | Frame::Actor(_)))
        {
            self.state.set_actor(before);
        }
    }

    fn nobody_can(&mut self, otherwise: Option<BlockId>, rule: RuleId) {
        match otherwise {
            _ if self.steps == 0 => self.finish_open(Ending::Budget(rule)),
            Some(block) => self.block(block, 0),
            None => self.finish_open(Ending::NoMove(rule)),
        }
    }

    pub(super) fn repeat_while(&mut self, at: StmtRef) {
        let program = self.program;
        let Some(op) = program.op(at) else { return };
        if op.looks {
            self.begun = Some((self.state.control.len(), Frame::While(at)));
        }
        if let OpKind::While(test, body) = &op.kind
            && self.test(test)
        {
            self.begun = None;
            self.state.control.push(Frame::While(at));
            self.block(*body, 0);
        }
    }

    pub(super) fn repeat_count(&mut self, at: StmtRef, left: u32) {
        if let Some(OpKind::Repeat(_, body)) = self.program.op(at).map(|op| &op.kind)
            && left > 0
        {
            self.state.control.push(Frame::Repeat(at, left - 1));
            self.block(*body, 0);
        }
    }

    pub(super) fn next_member(&mut self, at: StmtRef, left: u32) {
        let Some(OpKind::For(slot, local, _, _, body)) = self.program.op(at).map(|op| &op.kind) else { return };
        if left == 0 {
            self.state.forget(*slot, Home::Number(*local));
            return;
        }
        let Some(member) = self.state.members.pop() else { return };
        self.bind_slot(*slot, *local, member);
        self.state.control.push(Frame::Each(at, left - 1));
        self.block(*body, 0);
    }

    /// A seat has acted in a race, or nobody did before its end.
    pub(super) fn raced(&mut self, at: StmtRef, play: &Play) {
        let program = self.program;
        if let (ActionRef::Race(number), [seat, time, args @ ..]) = (play.action, play.args.as_slice()) {
            self.state.now = self.state.now.max(*time);
            let before = self.state.actor;
            self.state.set_actor(Some(SeatId::new(to_index(*seat))));
            self.state.control.push(Frame::Played(before));
            self.enter(number, args);
            return;
        }
        if let Some(OpKind::Race(race)) = program.op(at).map(|op| &op.kind) {
            if let Some(until) = &race.until {
                self.state.now = self.state.now.max(self.number(until));
            }
            if let Some(block) = race.otherwise {
                self.state.control.push(Frame::Block(block, 0));
            }
        }
    }

    /// Asks the next seat that can choose; once all have chosen, carries out the moves.
    pub(super) fn go_on_together(&mut self, at: StmtRef, mut left: u64, chosen: u32) {
        let program = self.program;
        let Some(OpKind::Together(_, groups)) = program.op(at).map(|op| &op.kind) else { return };
        while left != 0 {
            let seat = SeatId::new(left.trailing_zeros() as usize);
            left &= left - 1;
            // A claim made since may have taken it out of the game.
            if !self.state.plays(seat) {
                continue;
            }
            let before = self.state.actor;
            self.state.set_actor(Some(seat));
            self.state.control.push(Frame::Together(at, left, chosen));
            self.state.control.push(Frame::Actor(before));
            self.ask(AskKind::Choose, at, seat);
            if self.list_now(groups) > 0 || self.moves.spilled {
                return;
            }
            self.take_back();
            let depth = self.state.control.len().saturating_sub(2);
            self.state.control.truncate(depth);
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

    /// Whether a question asks for one of several secret choices; if so, its answer is stored.
    pub(super) fn kept(&mut self, at: StmtRef, seat: SeatId, play: &Play) -> bool {
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
}
