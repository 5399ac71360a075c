//! Turns, plies and end conditions.

use super::machine::Flow;
use super::repetition::Lookahead;
use super::run::Run;
use super::state::Frame;
use crate::base::Word;
use crate::compile::program::{Home, OpKind};
use crate::ir::SeatId;
use crate::model::{EndMoment, Ending, StmtRef, TurnStage};

impl<W: Word> Run<'_, W> {
    pub(super) fn turn(&mut self, at: StmtRef, mut stage: TurnStage) {
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
                    if let Some(OpKind::Turns(_, body)) = self.program.op(at).map(|op| &op.kind) {
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
                    let after = self.state.next_mover.take().unwrap_or_else(|| self.seat_after(self.state.mover));
                    self.state.set_mover(after);
                    stage = TurnStage::Begin;
                    if self.leads_nowhere() {
                        self.state.control.push(next(stage));
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn seat_after(&self, seat: SeatId) -> SeatId {
        SeatId::new(self.state.following(usize::from(seat)))
    }

    /// Tests the end conditions of a moment from an index on; false if control has moved elsewhere, so that the
    /// caller must stop.
    pub(super) fn test_ends(&mut self, moment: EndMoment, from: u16) -> bool {
        let program = self.program;
        self.end = None;
        for end in program.ends_at(moment) {
            if end.number < from {
                continue;
            }
            // When running ahead, the end conditions after this one are tested as well.
            let looks = end.looks || self.ahead != Lookahead::Off;
            if looks {
                self.state.control.push(Frame::Ends(moment, end.number + 1));
            }
            if !self.test(&end.when) {
                self.state.control.truncate(self.state.control.len() - usize::from(looks));
                continue;
            }
            self.end = Some(end.rule);
            let asks = program.code.get(usize::from(end.body)).is_some_and(|code| code.asks);
            let flow = if asks { Flow::Next } else { self.code(end.body) };
            if (asks || flow == Flow::Over) && !looks {
                self.state.control.push(Frame::Ends(moment, end.number + 1));
            }
            if asks {
                self.state.control.push(Frame::Block(end.body, 0));
                return false;
            }
            if flow != Flow::Next {
                self.settle(flow);
                return false;
            }
            self.state.control.truncate(self.state.control.len() - usize::from(looks));
            self.end = None;
        }
        true
    }

    pub(super) fn count_ply(&mut self) {
        self.state.ply = self.state.ply.saturating_add(1);
        let me = usize::from(self.state.me);
        // Moving without agreeing declines the offers of others.
        for agreed in &mut self.state.offers {
            if !agreed.contains(me) {
                *agreed = crate::base::Bits::new();
            }
        }
    }

    /// Leaves the innermost `turns`.
    pub(super) fn stop(&mut self) {
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
                Frame::Each(at, left) => {
                    if let Some(OpKind::For(slot, local, ..)) = self.program.op(at).map(|op| &op.kind) {
                        self.state.forget(*slot, Home::Number(*local));
                    }
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
}
