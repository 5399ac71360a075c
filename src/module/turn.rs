//! Turns and loops that ask.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Out, Wide};
use super::func::Address;
use super::place::{Around, Beginning, Place};
use super::scope::Bound;
use crate::compile::program::Bind;
use crate::ir::{BlockId, Slot};
use crate::model::{EndMoment, StmtRef};

impl<'a> Emit<'a> {
    /// The values of names that are bound at once.
    pub(super) fn simultaneous(&mut self, binds: &'a [(Slot, Bind<Wide>)]) -> Out<Vec<Bound>> {
        binds.iter().map(|(_, bind)| self.lasting_value_of(bind)).collect()
    }

    pub(super) fn give_to(&mut self, seat: i32) {
        let next = self.layout.next_mover;
        self.f.write_int(next, |f| {
            f.int(seat);
        });
    }

    /// A block that asks, for each of the members that are kept at an address.
    pub(super) fn asking_members(&mut self, at: u16, left: Address, body: BlockId, place: &Place) -> Out {
        let (again, behind) = (self.f.later(), self.f.later());
        self.go_on_at(again);
        let members = self.read_set(left);
        self.none(&members);
        self.f.when();
        self.f.goto(behind);
        self.f.end();
        let words = self.variable(&members);
        let member = self.pop(&words);
        self.write_set(left, &Self::now(&words));
        self.remember(&Bound::Number(at, member))?;
        self.asking_block(body, place)?;
        self.f.goto(again);
        self.f.begin(behind);
        Ok(())
    }

    /// The question that turns begin with, if nothing but the table and the mover tells its positions apart: no loop or
    /// move around, and no name.
    fn beginning(&mut self, at: StmtRef, body: BlockId, place: &Place) -> Option<Beginning> {
        self.turns += 1;
        let steady = |around: &Around| matches!(around, Around::Turns(_) | Around::Phase(_));
        let plain = place.around.iter().all(steady) && !place.named && self.game.liveness.again(at).is_empty();
        self.first_question(body).filter(|_| plain).map(|(at, sure)| Beginning { at, turns: self.turns, sure })
    }

    pub(super) fn turns(&mut self, at: StmtRef, body: BlockId, place: &Place) -> Out {
        let (again, behind) = (self.f.later(), self.f.later());
        let mut inner = place.within(Around::Turns(behind));
        inner.first = self.beginning(at, body, place);
        inner.next = inner.first;
        let (mover, turn, next) = (self.layout.mover, self.layout.turn, self.layout.next_mover);
        self.go_on_at(again);
        self.f.stop_if_spent();
        self.forget_lists();
        let playing = self.playing();
        self.f.read_int(mover).op(I::I64ExtendI32U);
        let seat = self.f.keep();
        self.contains(&playing, seat);
        self.f.op(I::I32Eqz);
        self.f.when();
        self.f.get(seat);
        self.following();
        self.seat_number();
        self.set_mover();
        self.f.end();
        self.test_ends(EndMoment::BeforeTurn, &inner)?;
        self.asking_block(body, &inner)?;
        self.test_ends(EndMoment::AfterTurn, &inner)?;
        self.f.write_int(turn, |f| {
            f.read_int(turn).int(1).op(I::I32Add);
        });
        let after = self.f.small();
        self.f.read_int(next).set(after);
        self.f.get(after).int(0).op(I::I32LtS);
        self.f.when();
        self.f.read_int(mover).op(I::I64ExtendI32U);
        self.following();
        self.seat_number();
        self.f.set(after);
        self.f.end();
        self.give_to(-1);
        self.f.get(after);
        self.set_mover();
        self.f.goto(again);
        self.f.begin(behind);
        Ok(())
    }
}
