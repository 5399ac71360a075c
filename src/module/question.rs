//! Questions to seats, what follows from the answers, and the end conditions in between.

use wasm_encoder::Instruction as I;

use super::effect::Over;
use super::emit::{Emit, Key, Next, Out, Wide, moment};
use super::list::{DECLINE, PASS};
use super::place::{Around, CHOOSE, Offer, Place, numbered};
use super::scope::Bound;
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{Action, Answers, End, Head, Number, Offered, OpKind};
use crate::ir::{ActionId, ActionRef, BlockId};
use crate::model::{EndMoment, StmtRef};

impl<'a> Emit<'a> {
    pub(super) fn asked_seat(&mut self, seat: u32) {
        let at = self.layout.seat;
        self.f.write_int(at, |f| {
            f.get(seat);
        });
    }

    /// Asks for a value; the name is bound to the answer.
    pub(super) fn answered(&mut self, kind: i32, offered: &'a Offered<Wide>) {
        let then = self.f.later();
        self.ask(kind, then);
        self.f.read(self.layout.chosen);
        let value = self.f.keep();
        self.remember(&Bound::Number(offered.home, value));
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
            return Err(Gap("end conditions that ask"));
        }
        let after = self.exits(place);
        if ends.iter().any(|end| end.looks) {
            let stays = at == EndMoment::BeforeTurn;
            self.next = place.next.map(|first| Next { at: numbered(first), stays });
            self.tested_ends(moment(at))?;
            self.next = None;
        } else {
            self.call(Key::Ends(moment(at)));
            self.go_on();
        }
        self.close_exits(after, place);
        Ok(())
    }

    /// The question that turns begin with, if it is one to the mover that the game ends without an answer to, or that
    /// there is always an answer to.
    pub(super) fn first_question(&self, mut block: BlockId) -> Option<StmtRef> {
        loop {
            let kind = &self.program.op((block, 0))?.kind;
            if let OpKind::Do(inner) = kind {
                block = *inner;
            } else if let OpKind::Plays { seat: Number::Mover, answers: Answers::Always | Answers::OrOver, .. } = kind {
                return Some((block, 0));
            } else {
                return None;
            }
        }
    }

    /// A seat is asked for a move.
    pub(super) fn plays(&mut self, seat: u32, offer: &Offer, place: &Place) -> Out {
        let Offer { at, may, groups, otherwise, rule } = offer;
        let (kept, behind, nothing) = (self.kept(1)?, self.f.later(), self.f.later());
        let playing = self.read_set(self.layout.playing);
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
        self.call(Key::Listing(groups.clone()));
        if *may {
            self.add_single(DECLINE);
        } else {
            self.f.read_int(self.layout.count).op(I::I32Eqz);
            self.f.when();
            self.f.goto(nothing);
            self.f.end();
        }
        if self.program.remembers && place.first == Some(*at) {
            self.remember_position(numbered(*at));
        }
        let chosen = self.f.later();
        self.ask(CHOOSE, chosen);
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
        if *may {
            self.f.read_int(self.layout.action).int(DECLINE).op(I::I32Eq);
            self.f.when();
            self.restore_actor(kept);
            self.f.goto(behind);
            self.f.end();
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
        self.f.goto(behind);
        if !*may {
            self.f.begin(nothing);
            self.restore_actor(kept);
            if let Some(block) = otherwise {
                self.asking_block(*block, place)?;
            } else {
                self.note_end(Over::NoMove, Some(*rule));
                self.over(place);
            }
        }
        self.go_on_at(behind);
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
                    self.remember(&Bound::Number(*at, value));
                }
                Head::Let(_, bind) => {
                    let bound = self.value_of(bind)?;
                    self.remember(&bound);
                }
                Head::Require(_) | Head::Prefer(_) => {}
            }
        }
        self.asking_block(action.body, place)?;
        Ok(())
    }
}
