//! Random games: chance and seats answer at random.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Export, Help, Key};
use super::export::REFUSED;
use super::place::CHANCE;

/// What `playout` returns: the game is over, it has as many plies as wanted, or it asks on without any.
const ENDED: i32 = 0;
const CAPPED: i32 = 1;
const ENDLESS: i32 = 2;

impl Emit<'_> {
    /// Chance is asked from now on.
    pub(super) fn no_draws(&mut self) {
        self.f.int(0).long(0).store(self.layout.questions);
    }

    /// Leaves on the stack whether a playout goes on with a number drawn at random instead of asking chance; counts it as a
    /// question.
    pub(super) fn draws(&mut self) {
        let (questions, last) = (self.layout.questions, self.layout.last_ply);
        self.f.read(questions).op(I::I64Eqz).op(I::I32Eqz);
        self.f.read_int(self.layout.ply).op(I::I64ExtendI32U).read(last).op(I::I64LtU).op(I::I32And);
        self.f.choice(ValType::I32);
        self.f.int(0).read(questions).long(1).op(I::I64Sub).store(questions);
        self.refill();
        self.f.int(1).otherwise().int(0);
        self.f.end();
    }

    /// Answers a question to chance at random.
    pub(super) fn draw(&mut self) {
        let layout = self.layout.clone();
        self.f.read_int(layout.asked).int(CHANCE).op(I::I32Ne);
        self.f.when();
        self.f.int(REFUSED).op(I::Return);
        self.f.end();
        self.f.read_int(layout.count).op(I::I64ExtendI32U);
        self.help(Help::Below);
        self.f.op(I::I32WrapI64);
        let apply = self.function(Key::Export(Export::Apply));
        self.f.call(apply);
    }

    /// Plays at random for at most so many plies; says why it stopped.
    pub(super) fn playout(&mut self) {
        let layout = self.layout.clone();
        let (decisions, answers) = (layout.decisions, layout.decisions + 8);
        self.f.int(0).long(0).store(decisions).int(0).long(0).store(answers);
        self.f.read_int(layout.ply);
        let first = self.f.keep_small();
        self.f.int(0).get(first).op(I::I64ExtendI32U).get(0).op(I::I64ExtendI32U).op(I::I64Add);
        self.f.store(layout.last_ply);
        self.f.int(0).get(0).op(I::I64ExtendI32U).long(16).op(I::I64Add).long(64).op(I::I64Mul);
        self.f.store(layout.questions);
        let again = self.f.again();
        for (over, stop) in [(true, ENDED), (false, CAPPED)] {
            if over {
                self.f.read_int(layout.over);
            } else {
                self.f.read_int(layout.ply).get(first).op(I::I32Sub).get(0).op(I::I32GeU);
            }
            self.f.when();
            self.no_draws();
            self.f.int(stop).op(I::Return);
            self.f.end();
        }
        self.f.read(layout.questions).op(I::I64Eqz).read_int(layout.count).op(I::I32Eqz).op(I::I32Or);
        self.f.when();
        self.no_draws();
        self.f.int(ENDLESS).op(I::Return);
        self.f.end();
        self.f.int(0).read(layout.questions).long(1).op(I::I64Sub).store(layout.questions);
        self.f.read_int(layout.asked).int(CHANCE).op(I::I32Ne);
        self.f.when();
        self.f.int(0).read(decisions).long(1).op(I::I64Add).store(decisions);
        self.f.int(0).read(answers).read_int(layout.count).op(I::I64ExtendI32U).op(I::I64Add).store(answers);
        self.f.end();
        self.f.read_int(layout.count).op(I::I64ExtendI32U);
        self.help(Help::Below);
        self.f.op(I::I32WrapI64);
        self.call(Key::Play);
        self.f.op(I::Drop).br(again);
        self.f.end_loop();
        self.f.op(I::Unreachable);
    }
}
