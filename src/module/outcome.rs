//! Results: ranks and verdicts of seats.

use wasm_encoder::Instruction as I;

use super::effect::Over;
use super::emit::{Emit, Export, Key};
use crate::base::SaturatingFrom;

impl Emit<'_> {
    /// Leaves on the stack whether the game ended in a way.
    pub(super) fn ended(&mut self, how: Over) {
        self.f.read_int(self.layout.over).int(how as i32).op(I::I32Eq);
    }

    /// Leaves the rank of the seat in parameter 0: from 1, 0 for none.
    pub(super) fn rank(&mut self) {
        let layout = self.layout.clone();
        self.f.get(0).int(i32::saturating_from(self.game.seats.len())).op(I::I32GeU);
        self.f.when();
        self.f.int(0).op(I::Return);
        self.f.end();
        let rank = self.f.small();
        self.f.get(0).op(I::I64ExtendI32U);
        let seat = self.f.keep();
        self.f.int(0).set(rank);
        let named = self.read_set(layout.named);
        self.ended(Over::Won);
        self.f.when();
        self.f.int(1).int(2);
        self.contains(&named, seat);
        self.f.op(I::Select).set(rank);
        self.f.end();
        self.ended(Over::Lost);
        self.f.when();
        self.f.int(2).int(1);
        self.contains(&named, seat);
        self.f.op(I::Select).set(rank);
        self.f.end();
        self.ended(Over::Drawn);
        self.f.when();
        self.f.int(1).set(rank);
        self.f.end();
        self.ended(Over::Scored);
        self.f.when();
        self.contains(&named, seat);
        self.f.when();
        self.f.int(1).set(rank);
        for other in 0..u32::saturating_from(self.game.seats.len()) {
            let number = self.f.word();
            self.f.long(other.into()).set(number).get(rank);
            self.contains(&named, number);
            self.f.read(layout.scores + 8 * other).get(0).int(3).op(I::I32Shl).load(layout.scores);
            self.f.op(I::I64GtS).op(I::I32And).op(I::I32Add).set(rank);
        }
        self.f.end();
        self.f.end();
        self.ended(Over::Placed);
        self.f.when();
        self.f.get(0).int(2).op(I::I32Shl).load_int(layout.standing).set(rank);
        self.f.end();
        self.f.get(rank).int(0).get(0).int(i32::saturating_from(self.game.seats.len())).op(I::I32LtU).op(I::Select);
    }

    /// Leaves the verdict on the seat in parameter 0: 0 if the game is open, 1 for a win, 2 for a draw, 3 for a loss.
    pub(super) fn verdict(&mut self) {
        let rank = self.function(Key::Export(Export::Rank));
        let seats = u32::saturating_from(self.game.seats.len());
        self.f.read_int(self.layout.over).op(I::I32Eqz);
        self.ended(Over::NoMove);
        self.ended(Over::PlayedOut);
        self.f.op(I::I32Or).op(I::I32Or).get(0).at(seats).op(I::I32GeU).op(I::I32Or);
        self.f.when();
        self.f.int(0).op(I::Return);
        self.f.end();
        self.f.get(0).call(rank).int(1).op(I::I32Ne);
        self.f.when();
        self.f.int(3).op(I::Return);
        self.f.end();
        self.ended(Over::Drawn);
        self.f.when();
        self.f.int(2).op(I::Return);
        self.f.end();
        // The first of several seats: those that share the highest score draw, and so do all if all are first.
        let first = self.f.small();
        self.f.int(0).set(first);
        for other in 0..seats {
            self.f.at(other).call(rank).int(1).op(I::I32Eq).get(first).op(I::I32Add).set(first);
        }
        self.ended(Over::Scored);
        self.f.get(first).int(1).op(I::I32GtU).op(I::I32And);
        self.ended(Over::Placed);
        self.f.get(first).at(seats).op(I::I32Eq).op(I::I32And).op(I::I32Or);
        let drawn = self.f.keep_small();
        self.f.int(2).int(1).get(drawn).op(I::Select);
    }
}
