//! The course of the game: everything that runs from one question to the next, as one function that begins where it
//! stopped. What is under way is known by that place alone; only loops and the seats that acted before are kept.

use wasm_encoder::Instruction as I;

use super::effect::Over;
use super::emit::{Emit, Exit, Help, Key, Out, Wide};
use super::func::{Address, Func, Stretch};
use super::place::{Around, CHANCE, Offer, PICKED, Place, Stage};
use super::scope::Bound;
use crate::base::SaturatingFrom;
use crate::compile::program::{Op, OpKind, Source};
use crate::ir::{ActionRef, BlockId, StmtKind};
use crate::model::StmtRef;

impl<'a> Emit<'a> {
    /// Writes the course.
    pub(super) fn course(&mut self) -> Out<u32> {
        self.f = Func::new(0);
        let place = self.f.small();
        // The stretch that is there from the beginning is the setup.
        let (played_out, played) = (self.f.later(), self.f.later());
        let top = Place {
            around: Vec::new(),
            leave: played,
            next: None,
            first: None,
            named: false,
            deciding: false,
            of: Stage::Setup,
        };
        self.asking_block(self.game.setup, &top)?;
        self.f.goto(played);
        self.f.begin(played);
        let top = Place { leave: played_out, of: Stage::Play, ..top };
        self.asking_block(self.game.play, &top)?;
        self.f.goto(played_out);
        self.f.begin(played_out);
        self.note_end(Over::PlayedOut, None);
        self.over(&top);
        Ok(place)
    }

    /// The game is over: moves in the middle of their effects count as plies, and nobody acts.
    pub(super) fn over(&mut self, place: &Place) {
        let plies = place.around.iter().filter(|around| matches!(around, Around::Played(_))).count();
        if plies > 0 {
            self.add_plies(i32::saturating_from(plies));
        }
        self.f.int(-1);
        self.set_actor();
        for at in [self.layout.asked, self.layout.count, self.layout.groups] {
            self.f.write_int(at, |f| {
                f.int(0);
            });
        }
        self.f.op(I::Return);
    }

    pub(super) fn add_plies(&mut self, more: i32) {
        let ply = self.layout.ply;
        self.f.write_int(ply, |f| {
            f.read_int(ply).int(more).op(I::I32Add);
        });
    }

    /// Translates a block that asks, or is part of the course.
    pub(super) fn asking_block(&mut self, block: BlockId, place: &Place) -> Out {
        let program = self.program;
        let Some(code) = program.code.get(usize::from(block)) else { return Ok(()) };
        let mut inner = place.clone();
        inner.leave = self.f.later();
        let scope = self.scope();
        for (number, op) in (0..).zip(&code.ops) {
            self.rule = op.rule;
            // Nothing is left of the turn behind the last statement.
            inner.next = place.next.filter(|_| place.deciding || usize::from(number) + 1 == code.ops.len());
            inner.named = place.named || !self.game.liveness.from(block, number + 1).is_empty();
            // What looks at earlier positions means the question that its own statement leads to, which is not known before
            // unless it does nothing that counts.
            let known = !op.looks || inner.deciding || self.is_immaterial((block, number));
            self.next = inner.next(0).filter(|_| known);
            if op.asks {
                self.asking(op, (block, number), &inner)?;
            } else {
                self.plain(op, &inner)?;
            }
        }
        self.next = None;
        self.leave_scope(scope);
        self.f.goto(inner.leave);
        self.f.begin(inner.leave);
        Ok(())
    }

    /// Whether a statement changes nothing but records that do not count in any part of a position.
    fn is_immaterial(&self, (block, number): StmtRef) -> bool {
        let stmt = self.game.blocks.get(block).and_then(|block| block.stmts.get(usize::from(number)));
        let whole = |block: BlockId| {
            let length = self.game.blocks.get(block).map_or(&[][..], |block| &block.stmts).len();
            (0..length).all(|inner| self.is_immaterial((block, u16::saturating_from(inner))))
        };
        match stmt.map(|stmt| &stmt.kind) {
            Some(StmtKind::Assign(var, ..)) => {
                let record = self.game.vars.get(*var).is_some_and(|var| var.record);
                record && self.game.parts.iter().all(|part| !part.vars.contains(var))
            }
            Some(StmtKind::If(_, yes, no)) => whole(*yes) && no.is_none_or(whole),
            Some(_) | None => false,
        }
    }

    /// A statement that asks nothing, in a block that does: the names it binds outlast questions.
    fn plain(&mut self, op: &'a Op<Wide>, place: &Place) -> Out {
        let after = self.exits(place);
        let scope = self.scope();
        self.effect(op)?;
        for bound in self.bound_since(scope) {
            self.remember(&bound)?;
        }
        self.forget_lists();
        self.close_exits(after, place);
        Ok(())
    }

    /// Prepares where control goes when the turns or the game are left from here.
    pub(super) fn exits(&mut self, place: &Place) -> (Option<Stretch>, Stretch) {
        let inside = place.around.iter().any(|around| matches!(around, Around::Turns(_)));
        let stop = if inside { Some(self.f.later()) } else { None };
        let over = self.f.later();
        self.exit = Exit::Course { stop, over };
        self.left = false;
        (stop, over)
    }

    /// Writes what is done there, if anything went there, and goes on behind it.
    pub(super) fn close_exits(&mut self, (stop, over): (Option<Stretch>, Stretch), place: &Place) {
        self.exit = Exit::Return;
        if !std::mem::replace(&mut self.left, false) {
            return;
        }
        let on = self.f.later();
        self.f.goto(on);
        self.f.begin(over);
        self.over(place);
        if let Some(stop) = stop {
            self.f.begin(stop);
            self.unwind(place);
        }
        self.f.begin(on);
    }

    /// Leaves the innermost turns.
    fn unwind(&mut self, place: &Place) {
        for around in place.around.iter().rev() {
            match around {
                Around::Turns(behind) => {
                    self.f.goto(*behind);
                    return;
                }
                Around::Loop => {}
                Around::Phase(kept) => self.restore_phase(*kept),
                Around::Played(kept) => {
                    self.add_plies(1);
                    self.restore_actor(*kept);
                }
                Around::Actor(kept) => self.restore_actor(*kept),
            }
        }
    }

    fn restore_phase(&mut self, kept: Address) {
        let phase = self.layout.phase;
        self.f.write_int(phase, |f| {
            f.read_int(kept);
        });
    }

    pub(super) fn restore_actor(&mut self, kept: Address) {
        self.f.read_int(kept);
        self.set_actor();
    }

    /// Begins a stretch where the run so far simply goes on.
    pub(super) fn go_on_at(&mut self, stretch: Stretch) {
        self.f.goto(stretch);
        self.f.begin(stretch);
    }

    /// Asks, and goes on at a stretch once there is an answer.
    pub(super) fn ask(&mut self, kind: i32, then: Stretch) {
        let (asked, place) = (self.layout.asked, self.layout.place);
        self.f.write_int(asked, |f| {
            f.int(kind);
        });
        self.f.write_int(place, |f| {
            f.place_of(then);
        });
        self.f.op(I::Return);
        self.f.begin(then);
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of statement")]
    fn asking(&mut self, op: &'a Op<Wide>, at: StmtRef, place: &Place) -> Out {
        match &op.kind {
            OpKind::Pick(offered, seat) => {
                match seat {
                    Some(seat) => self.number(seat)?,
                    None => self.me(),
                }
                self.seat_number();
                let seat = self.f.keep_small();
                self.list_values(&offered.values, false)?;
                // Nothing to pick, or nobody to do so: the rest of the block is skipped.
                self.f.read_int(self.layout.count).op(I::I32Eqz);
                self.f.get(seat).int(i32::saturating_from(self.game.seats.len())).op(I::I32GeU).op(I::I32Or);
                self.f.when();
                self.f.goto(place.leave);
                self.f.end();
                self.unremembered(place)?;
                self.asked_seat(seat);
                self.answered(PICKED, offered)?;
            }
            OpKind::Roll(offered) => {
                self.list_values(&offered.values, true)?;
                self.f.read_int(self.layout.count).op(I::I32Eqz);
                self.f.when();
                self.f.goto(place.leave);
                self.f.end();
                let (then, asked, drawn) = (self.f.later(), self.f.later(), self.f.small());
                // A single outcome is no chance.
                self.f.int(0).set(drawn).read_int(self.layout.count).int(1).op(I::I32Ne);
                self.f.when();
                self.draws();
                self.f.op(I::I32Eqz);
                self.f.when();
                self.f.goto(asked);
                self.f.end();
                self.f.read_int(self.layout.count).op(I::I64ExtendI32U);
                self.help(Help::Below);
                self.f.op(I::I32WrapI64).set(drawn);
                self.f.end();
                self.f.get(drawn);
                self.call(Key::Locate);
                self.f.op(I::Drop).read(self.layout.chosen);
                let value = self.f.keep();
                self.remember(&Bound::Number(offered.home, value))?;
                self.f.goto(then);
                self.f.begin(asked);
                self.f.int(0);
                let first = self.f.keep_small();
                if place.of != Stage::Setup {
                    self.unremembered(place)?;
                }
                self.asked_seat(first);
                self.answered(CHANCE, offered)?;
                self.go_on_at(then);
            }
            OpKind::Do(block) => self.asking_block(*block, place)?,
            OpKind::If(test, yes, no) => {
                let (other, behind) = (self.f.later(), self.f.later());
                self.test(test)?;
                self.f.op(I::I32Eqz);
                self.f.when();
                self.f.goto(other);
                self.f.end();
                self.asking_block(*yes, place)?;
                self.f.goto(behind);
                self.f.begin(other);
                if let Some(no) = no {
                    self.asking_block(*no, place)?;
                }
                self.go_on_at(behind);
            }
            OpKind::For(_, name, source, from, body) => {
                let Source::Set(set) = source.as_ref() else {
                    return self.asking_listed(at, (*name, source, from.as_ref(), *body), place);
                };
                let set = self.set(set)?;
                // All that is left to do is kept before the first question.
                let mut parts = Vec::new();
                for part in self.turned(&set, from.as_ref())? {
                    let left = self.kept(self.words)?;
                    self.write_set(left, &part);
                    parts.push(left);
                }
                for left in parts {
                    self.asking_members(*name, left, *body, &place.looped(Around::Loop))?;
                }
            }
            OpKind::While(test, body) => {
                let (again, behind) = (self.f.later(), self.f.later());
                self.go_on_at(again);
                self.test(test)?;
                self.f.op(I::I32Eqz);
                self.f.when();
                self.f.goto(behind);
                self.f.end();
                self.f.stop_if_spent();
                self.asking_block(*body, &place.looped(Around::Loop))?;
                self.f.goto(again);
                self.f.begin(behind);
            }
            OpKind::Repeat(number, body) => {
                let (left, again, behind) = (self.kept(1)?, self.f.later(), self.f.later());
                self.number(number)?;
                let count = self.token_count();
                self.f.int(0).get(count).store(left);
                self.go_on_at(again);
                self.f.read(left).op(I::I64Eqz);
                self.f.when();
                self.f.goto(behind);
                self.f.end();
                self.f.int(0).read(left).long(1).op(I::I64Sub).store(left);
                self.f.stop_if_spent();
                self.asking_block(*body, &place.looped(Around::Loop))?;
                self.f.goto(again);
                self.f.begin(behind);
            }
            OpKind::Turns(from, body) => {
                if let Some(from) = from {
                    self.number(from)?;
                    self.seat_number();
                    self.set_mover();
                    self.give_to(-1);
                }
                self.turns(at, *body, place)?;
            }
            OpKind::Phase(phase, body) => {
                let (kept, at) = (self.kept(1)?, self.layout.phase);
                self.f.write_int(kept, |f| {
                    f.read_int(at);
                });
                let number = i32::saturating_from(usize::from(*phase));
                self.f.write_int(at, |f| {
                    f.int(number);
                });
                self.asking_block(*body, &place.looped(Around::Phase(kept)))?;
                self.restore_phase(kept);
            }
            OpKind::Call(binds, body) => {
                let bound = self.simultaneous(binds)?;
                for value in &bound {
                    self.remember(value)?;
                }
                self.forget_lists();
                self.asking_block(*body, place)?;
            }
            OpKind::Plays { seat, may, groups, otherwise, .. } => {
                self.number(seat)?;
                self.seat_number();
                let seat = self.f.keep_small();
                let groups: Vec<Vec<ActionRef>> = groups.iter().map(|group| group.to_vec()).collect();
                let offer = Offer { at, may: *may, groups, otherwise: *otherwise, rule: op.rule };
                self.plays(seat, &offer, place)?;
            }
            OpKind::Shuffle(zone) => self.shuffle(zone, place)?,
            OpKind::Together(seats, groups) => self.together(seats, groups, place)?,
            OpKind::Race(race) => self.race(race, at, op.rule, place)?,
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
            | OpKind::Place(..) => self.plain(op, place)?,
        }
        Ok(())
    }
}
