//! Secret choices: kept until all seats have chosen, and carried out in seat order.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Key, Out, Wide};
use super::func::Address;
use super::place::{Around, CHOOSE, Place};
use crate::base::SaturatingFrom;
use crate::compile::program::Set;
use crate::ir::ActionRef;

impl<'a> Emit<'a> {
    /// Asks each of some seats that can choose, then carries out the moves.
    pub(super) fn together(&mut self, seats: &'a Set<Wide>, groups: &[Box<[ActionRef]>], place: &Place) -> Out {
        let groups: Vec<Vec<ActionRef>> = groups.iter().map(|group| group.to_vec()).collect();
        let layout = self.layout.clone();
        // A choice: the seat, the action, the parameters.
        let words = 2 + layout.params;
        let (left, before) = (self.kept(self.words)?, self.kept(1)?);
        let (chosen, made) = (self.kept(1)?, self.kept(1)?);
        let secrets = self.kept(self.game.seats.len().saturating_mul(usize::saturating_from(words)))?;
        let (ask, choose, all, play, behind) =
            (self.f.later(), self.f.later(), self.f.later(), self.f.later(), self.f.later());
        let (seats, playing) = (self.set(seats)?, self.read_set(layout.playing));
        let seats = self.and(&seats, &playing);
        self.write_set(left, &seats);
        for (at, value) in [(chosen, 0), (made, 0)] {
            self.f.write_int(at, |f| {
                f.int(value);
            });
        }
        self.f.write_int(before, |f| {
            f.read_int(layout.actor);
        });
        self.go_on_at(ask);
        let members = self.read_set(left);
        self.none(&members);
        self.f.when();
        self.f.goto(all);
        self.f.end();
        let members = self.variable(&members);
        let seat = self.pop(&members);
        self.write_set(left, &Self::now(&members));
        self.f.get(seat).op(I::I32WrapI64);
        let seat = self.f.keep_small();
        self.f.get(seat);
        self.set_actor();
        self.asked_seat(seat);
        self.unremembered(place)?;
        self.call(Key::Listing(groups.clone(), None));
        self.f.read_int(layout.count).op(I::I32Eqz);
        self.f.when();
        self.restore_actor(before);
        self.f.goto(ask);
        self.f.end();
        self.ask(CHOOSE, choose);
        let secret = self.secret(secrets, words, chosen);
        self.f.get(secret).read_int(layout.seat).store_int(0);
        self.f.get(secret).read_int(layout.action).store_int(8);
        for at in (0..8 * layout.params).step_by(8) {
            self.f.get(secret).read(layout.chosen + at).store(16 + at);
        }
        self.restore_actor(before);
        self.f.goto(ask);
        self.f.begin(all);
        self.go_on_at(play);
        self.f.read_int(made).read_int(chosen).op(I::I32GeU);
        self.f.when();
        self.f.goto(behind);
        self.f.end();
        let secret = self.secret(secrets, words, made);
        self.f.get(secret).load_int(0);
        self.set_actor();
        self.f.write_int(layout.action, |f| {
            f.get(secret).load_int(8);
        });
        for at in (0..8 * layout.params).step_by(8) {
            self.f.int(0).get(secret).load(16 + at).store(layout.chosen + at);
        }
        self.carry_out(&groups, before, &place.looped(Around::Loop))?;
        self.f.goto(play);
        self.f.begin(behind);
        Ok(())
    }

    /// The address of the choice with the number that is kept at an address, which is raised.
    fn secret(&mut self, secrets: Address, words: u32, number: Address) -> u32 {
        self.f.read_int(number).int((8 * words).cast_signed()).op(I::I32Mul).at(secrets).op(I::I32Add);
        let secret = self.f.keep_small();
        self.f.write_int(number, |f| {
            f.read_int(number).int(1).op(I::I32Add);
        });
        secret
    }
}
