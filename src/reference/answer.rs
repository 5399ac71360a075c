//! Answers other than moves: claims and offers.

use std::borrow::Cow;

use super::Eval;
use super::machine::Machine;
use crate::base::Bits;
use crate::ir::{ActionId, ActionRef, BlockId, Expr, Move, RuleId, SeatId, Slot, StmtKind, Value};
use crate::model::{Answer, Ask, Ending, Frame, Position};

impl Machine<'_> {
    /// Plays a claim or offer; unless the game ends, the same question is asked again.
    pub(super) fn apply_answer(&mut self, answer: &Answer) {
        let walker = self.walker;
        match answer {
            Answer::Claim { claim, seat, args } => {
                if let Some(claim) = walker.game.claims.get(*claim) {
                    self.end = Some(claim.action.rule);
                    self.interject(*seat);
                    self.enter(&claim.action, args);
                    self.run();
                }
            }
            Answer::Offer { offer, seat } => {
                let playing = self.pos.playing();
                let Some(agreed) = self.pos.offers.get_mut(usize::from(*offer)) else {
                    return;
                };
                agreed.insert(usize::from(*seat));
                if playing.within(agreed) {
                    *agreed = Bits::new();
                    if let Some(offer) = walker.game.offers.get(*offer) {
                        self.end = Some(offer.rule);
                        self.interject(*seat);
                        self.pos.control.push(Frame::Block(offer.body, 0));
                        self.run();
                    }
                }
            }
        }
    }

    fn interject(&mut self, seat: SeatId) {
        let ask = std::mem::replace(&mut self.pos.ask, Ask::Over);
        self.pos.control.push(Frame::Ask(ask));
        self.pos.control.push(Frame::Actor(self.pos.actor));
        self.pos.actor = Some(seat);
    }

    /// Asks again what was asked before a claim or offer. If it has left nobody to answer, play goes on as it would have had the
    /// question been asked now for the first time.
    pub(super) fn ask_again(&mut self, ask: &Ask) {
        let walker = self.walker;
        let kind = |at| walker.stmt(at).map(|stmt| (&stmt.kind, stmt.rule));
        self.pos.ask = ask.clone();
        let (otherwise, rule) = match *ask {
            Ask::Choose { seat, at } => match kind(at) {
                Some((StmtKind::Plays { may, groups, otherwise, .. }, rule)) => {
                    let plays = self.pos.plays(usize::from(seat));
                    if plays && (*may || self.with_eval(|eval| eval.can_move(groups))) {
                        return self.halt_again();
                    }
                    self.withdraw();
                    if !plays {
                        return;
                    }
                    (*otherwise, rule)
                }
                Some((StmtKind::Together { groups, .. }, _)) => {
                    let plays = self.pos.plays(usize::from(seat));
                    if plays && self.with_eval(|eval| eval.can_move(groups)) {
                        return self.halt_again();
                    }
                    return self.withdraw();
                }
                _ => return self.halt_again(),
            },
            Ask::Race { at } => match kind(at) {
                Some((StmtKind::Race { otherwise, .. }, rule))
                    if self.with_eval(|eval| eval.race_moves(at).is_empty()) =>
                {
                    self.pos.ask = Ask::Over;
                    (*otherwise, rule)
                }
                _ => return self.halt_again(),
            },
            Ask::Pick { .. } | Ask::Chance { .. } | Ask::Over => return self.halt_again(),
        };
        self.nobody_can(otherwise, rule);
    }

    fn halt_again(&mut self) {
        self.halted = true;
        self.asked_again = true;
        self.count_again();
    }

    /// Takes back that a seat is to choose: its move, or its secret choice.
    fn withdraw(&mut self) {
        self.pos.ask = Ask::Over;
        if let Some(Frame::Played(before) | Frame::Actor(before)) =
            self.pos.control.pop_if(|frame| matches!(frame, Frame::Played(_) | Frame::Actor(_)))
        {
            self.pos.actor = before;
        }
    }

    /// What follows where nobody asked has a legal move.
    pub(super) fn nobody_can(&mut self, otherwise: Option<BlockId>, rule: RuleId) {
        match otherwise {
            _ if self.steps == 0 => self.finish_open(Ending::Budget(rule)),
            Some(block) => self.pos.control.push(Frame::Block(block, 0)),
            None => self.finish_open(Ending::NoMove(rule)),
        }
    }
}

impl Eval<'_> {
    /// The position in which a move that is asked about would be made: in the effects of a claim where they have led so far, and
    /// by whoever claims.
    fn claimed(&mut self) -> Option<Position> {
        let mut here = self.copied();
        let me = self.me();
        if let Some(at) = here.control.iter().rposition(|frame| matches!(frame, Frame::Ask(_)))
            && matches!(here.ask, Ask::Over)
        {
            let mut above = here.control.split_off(at).into_iter();
            if let Some(Frame::Ask(ask)) = above.next() {
                here.ask = ask;
            }
        }
        let Ask::Choose { seat, .. } = &mut here.ask else { return None };
        *seat = me;
        here.actor = Some(me);
        Some(here)
    }

    /// A value in the position after a move; local names are kept.
    pub(super) fn after(&mut self, slot: Slot, body: &Expr) -> Value {
        let Some(Value::Move(mv)) = self.frame.get(usize::from(slot)).cloned() else {
            return Value::Unset;
        };
        let me = self.me();
        let Some(here) = self.claimed() else { return Value::Unset };
        let (later, steps) = Machine::new(self.walker, here, self.steps).followed(&mv);
        // Whoever claims is meant, not whoever is asked next.
        let mut eval = Eval::with_frame(self.walker, &later, Cow::Borrowed(&self.frame), steps);
        (eval.acting, eval.trace) = (Some(me), self.trace.take());
        let value = eval.eval(body);
        (self.trace, self.steps) = (eval.trace, eval.steps);
        value
    }

    /// The legal moves of an action for whoever claims.
    pub(super) fn moves_of(&mut self, action: ActionId) -> Vec<Move> {
        let Some(here) = self.claimed() else { return Vec::new() };
        let Ask::Choose { at, .. } = here.ask else { return Vec::new() };
        let mut eval = Eval::with_frame(self.walker, &here, Cow::Borrowed(&self.frame), self.steps);
        eval.trace = self.trace.take();
        let mut moves = eval.choices(at);
        (self.trace, self.steps) = (eval.trace, eval.steps);
        moves.retain(|mv| mv.action == ActionRef::Action(action));
        moves
    }
}
