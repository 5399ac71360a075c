//! Questions to seats, what follows from the answers, and the end conditions in between.

use wasm_encoder::Instruction as I;

use super::effect::Over;
use super::emit::{Emit, Help, Key, Out, Wide, moment};
use super::func::Address;
use super::list::{DECLINE, PASS};
use super::place::{Around, CHOOSE, Offer, Place};
use super::scope::Bound;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{Action, Answers, End, Head, Number, Offered, OpKind};
use crate::ir::{ActionId, ActionRef, BlockId, RuleId};
use crate::model::{EndMoment, StmtRef};

impl<'a> Emit<'a> {
    pub(super) fn asked_seat(&mut self, seat: u32) {
        let at = self.layout.seat;
        self.f.write_int(at, |f| {
            f.get(seat);
        });
    }

    /// Asks for a value; the name is bound to the answer.
    pub(super) fn answered(&mut self, kind: i32, offered: &'a Offered<Wide>) -> Out {
        let then = self.f.later();
        self.ask(kind, then);
        self.f.read(self.layout.chosen);
        let value = self.f.keep();
        self.remember(&Bound::Number(offered.home, value))
    }

    /// Tests the end conditions of a moment.
    pub(super) fn test_ends(&mut self, at: EndMoment, place: &Place) -> Out {
        let program = self.program;
        let ends: &'a [End<Wide>] = program.ends_at(at);
        if ends.is_empty() {
            let end = self.layout.end;
            self.f.write_int(end, |f| {
                f.int(-1);
            });
            return Ok(());
        }
        let asks = |end: &End<Wide>| program.code.get(usize::from(end.body)).is_some_and(|code| code.asks);
        if ends.iter().any(asks) {
            return self.asking_ends(ends, at, place);
        }
        let after = self.exits(place);
        if ends.iter().any(|end| end.looks) {
            self.next = place.ending(at).next(0);
            self.tested_ends(moment(at))?;
            self.next = None;
        } else {
            self.call(Key::Ends(moment(at)));
            self.go_on();
        }
        self.close_exits(after, place);
        Ok(())
    }

    /// Tests end conditions some of which ask, or look at earlier positions in the middle of their effects.
    fn asking_ends(&mut self, ends: &'a [End<Wide>], at: EndMoment, place: &Place) -> Out {
        let running = self.layout.end;
        let note = |emit: &mut Self, rule: i32| {
            emit.f.write_int(running, |f| {
                f.int(rule);
            });
        };
        note(self, -1);
        let place = &place.ending(at);
        for end in ends {
            self.rule = end.rule;
            let behind = self.f.later();
            self.next = place.next(0);
            self.test(&end.when)?;
            self.next = None;
            self.f.op(I::I32Eqz);
            self.f.when();
            self.f.goto(behind);
            self.f.end();
            note(self, i32::saturating_from(usize::from(end.rule)));
            self.asking_block(end.body, &Place { deciding: self.decides(end.body, 0), ..place.clone() })?;
            note(self, -1);
            self.go_on_at(behind);
        }
        Ok(())
    }

    /// The question that turns begin with, if it is one to the mover that the game ends without an answer to, or that
    /// there is always an answer to.
    pub(super) fn first_question(&self, mut block: BlockId) -> Option<(StmtRef, bool)> {
        loop {
            if !self.game.liveness.from(block, 1).is_empty() {
                return None;
            }
            let kind = &self.program.op((block, 0))?.kind;
            if let OpKind::Do(inner) = kind {
                block = *inner;
                continue;
            }
            let OpKind::Plays { seat: Number::Mover, answers, groups, .. } = kind else { return None };
            return match answers {
                Answers::Always => Some(((block, 0), true)),
                Answers::OrOver { .. } if self.repeatable(groups.iter().flatten()) => Some(((block, 0), false)),
                Answers::OrOver { .. } | Answers::Perhaps => None,
            };
        }
    }

    /// A seat is asked for a move.
    pub(super) fn plays(&mut self, seat: u32, offer: &Offer, place: &Place) -> Out {
        let Offer { at, may, groups, otherwise, rule } = offer;
        let (kept, behind, nothing) = (self.kept(1)?, self.f.later(), self.f.later());
        let playing = self.playing();
        self.f.get(seat).op(I::I64ExtendI32U);
        let number = self.f.keep();
        self.contains(&playing, number);
        self.f.op(I::I32Eqz);
        self.f.when();
        self.f.goto(behind);
        self.f.end();
        let actor = self.layout.actor;
        self.f.write_int(kept, |f| {
            f.read_int(actor);
        });
        self.f.get(seat);
        self.set_actor();
        self.asked_seat(seat);
        let first = place.first.filter(|first| self.program.remembers && first.at == *at);
        if let Some(first) = first {
            self.remember_position(first.turns);
        } else {
            self.unremembered(place)?;
        }
        let looks = |action: &ActionRef| match action {
            ActionRef::Action(number) => self.program.actions.get(usize::from(*number)).is_some_and(|of| of.looks),
            ActionRef::Pass | ActionRef::Decline | ActionRef::Pick | ActionRef::Race(_) | ActionRef::Wait => false,
        };
        let next = place.next(1).filter(|_| groups.iter().flatten().any(looks));
        self.call(Key::Listing(groups.clone(), next));
        if *may {
            self.add_single(DECLINE);
        } else {
            self.f.read_int(self.layout.count).op(I::I32Eqz);
            self.f.when();
            if first.is_some() {
                self.f.read_int(self.layout.remembered).int(1).op(I::I32Sub);
                self.help(Help::Forget);
            }
            self.f.goto(nothing);
            self.f.end();
        }
        let chosen = self.f.later();
        self.ask(CHOOSE, chosen);
        if *may {
            self.f.read_int(self.layout.action).int(DECLINE).op(I::I32Eq);
            self.f.when();
            self.restore_actor(kept);
            self.f.goto(behind);
            self.f.end();
        }
        self.carry_out(groups, kept, place)?;
        self.f.goto(behind);
        if !*may {
            self.f.begin(nothing);
            self.restore_actor(kept);
            self.otherwise(*otherwise, *rule, place)?;
        }
        self.go_on_at(behind);
        Ok(())
    }

    /// Nobody can play: what is done instead, or the game is over.
    pub(super) fn otherwise(&mut self, block: Option<BlockId>, rule: RuleId, place: &Place) -> Out {
        if let Some(block) = block {
            return self.asking_block(block, place);
        }
        self.note_end(Over::NoMove, Some(rule));
        self.over(place);
        Ok(())
    }

    /// Carries out the move that was chosen, which counts as a ply; then the seat acts that acted before.
    pub(super) fn carry_out(&mut self, groups: &[Vec<ActionRef>], kept: Address, place: &Place) -> Out {
        let inner = place.within(Around::Played(kept));
        let made = self.f.later();
        let mut actions: Vec<ActionId> = Vec::new();
        for action in groups.iter().flatten() {
            if let ActionRef::Action(number) = action
                && !actions.contains(number)
            {
                actions.push(*number);
            }
        }
        if groups.iter().flatten().any(|action| *action == ActionRef::Pass) {
            self.f.read_int(self.layout.action).int(PASS).op(I::I32Eq);
            self.f.when();
            self.f.goto(made);
            self.f.end();
        }
        for (at, &number) in actions.iter().enumerate() {
            let next = self.f.later();
            if at + 1 < actions.len() {
                let action = i32::saturating_from(usize::from(number));
                self.f.read_int(self.layout.action).int(action).op(I::I32Ne);
                self.f.when();
                self.f.goto(next);
                self.f.end();
            }
            self.play_action(number, &inner)?;
            self.f.goto(made);
            self.f.begin(next);
        }
        self.go_on_at(made);
        self.add_plies(1);
        self.test_ends(EndMoment::AfterMove, &place.within(Around::Actor(kept)))?;
        self.restore_actor(kept);
        Ok(())
    }

    /// Carries out the action that was chosen.
    pub(super) fn play_action(&mut self, number: ActionId, place: &Place) -> Out {
        let program = self.program;
        let action: &'a Action<Wide> =
            program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
        let asks = program.code.get(usize::from(action.body)).is_some_and(|code| code.asks);
        let chosen = (self.layout.chosen..).step_by(8);
        if !asks {
            for at in chosen.take(Self::arity(action) as usize) {
                self.f.read(at);
            }
            let after = self.exits(place);
            self.call(Key::Effects(number));
            self.go_on();
            self.close_exits(after, place);
            return Ok(());
        }
        let mut chosen = chosen;
        for line in &action.head {
            match line {
                Head::Choose(_, at, _) => {
                    let Some(from) = chosen.next() else { continue };
                    self.f.read(from);
                    let value = self.f.keep();
                    self.remember(&Bound::Number(*at, value))?;
                }
                Head::Let(_, bind) => {
                    let bound = self.value_of(bind)?;
                    self.remember(&bound)?;
                    self.forget_lists();
                }
                Head::Require(_) | Head::Prefer(_) => {}
            }
        }
        self.asking_block(action.body, place)?;
        Ok(())
    }
}
