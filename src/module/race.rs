//! Races: any of several seats may act, each at the next moment or at a later one.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Export, Key, Out, Wide};
use super::func::Func;
use super::list::{Sink, WAIT};
use super::place::{Place, RACE};
use crate::base::SaturatingFrom;
use crate::compile::Gap;
use crate::compile::program::{OpKind, Program, Race};
use crate::ir::{ActionRef, RuleId};
use crate::model::StmtRef;

/// Whether a game has races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Races {
    None,
    Some,
    /// The moves that are being listed are acts of one.
    Listing,
}

impl Races {
    pub(super) fn of(program: &Program<Wide>) -> Self {
        let mut ops = program.code.iter().flat_map(|code| &code.ops);
        if ops.any(|op| matches!(op.kind, OpKind::Race(_))) { Self::Some } else { Self::None }
    }
}

/// A statement as a number.
fn numbered((block, number): StmtRef) -> i64 {
    i64::saturating_from(usize::from(block)) << 16 | i64::from(number)
}

impl<'a> Emit<'a> {
    /// Asks who acts first.
    pub(super) fn race(&mut self, race: &'a Race<Wide>, at: StmtRef, rule: RuleId, place: &Place) -> Out {
        if self.game.may_begin_later(&race.group, race.until.is_some()) {
            return Err(Gap("a race without a deadline, in which time alone makes something legal"));
        }
        let layout = self.layout.clone();
        let (kept, act, none, behind) = (self.kept(1)?, self.f.later(), self.f.later(), self.f.later());
        self.f.write_int(kept, |f| {
            f.read_int(layout.actor);
        });
        let number = i32::saturating_from(numbered(at));
        self.f.write_int(layout.race, |f| {
            f.int(number);
        });
        self.unremembered(place)?;
        self.next_moment();
        self.call(Key::Race(at));
        self.f.read_int(layout.count).op(I::I32Eqz);
        self.f.when();
        self.f.goto(none);
        self.f.end();
        self.ask(RACE, act);
        if let Some(until) = &race.until {
            let on = self.f.later();
            self.f.read_int(layout.action).int(WAIT).op(I::I32Ne);
            self.f.when();
            self.f.goto(on);
            self.f.end();
            self.number(until)?;
            self.go_to_moment();
            if let Some(block) = race.otherwise {
                self.asking_block(block, place)?;
            }
            self.f.goto(behind);
            self.f.begin(on);
        }
        self.f.read(layout.moment);
        self.go_to_moment();
        self.f.read_int(layout.who);
        self.set_actor();
        self.carry_out(&[race.group.to_vec()], kept, place)?;
        self.f.goto(behind);
        self.f.begin(none);
        self.otherwise(race.otherwise, rule, place)?;
        self.go_on_at(behind);
        Ok(())
    }

    /// Leaves the next moment on the stack.
    fn next_moment(&mut self) {
        self.f.read(self.layout.now);
        let now = self.f.keep();
        self.f.get(now).long(1).op(I::I64Add).get(now).get(now).long(i64::MAX).op(I::I64Ne).op(I::Select);
    }

    /// The clock moves on to the moment on the stack, unless that has passed.
    fn go_to_moment(&mut self) {
        let now = self.layout.now;
        let moment = self.f.keep();
        self.f.int(0).get(moment).read(now).get(moment).read(now).op(I::I64GtS).op(I::Select).store(now);
    }

    /// Writes the function that lists what each seat may do at a moment, the parameter.
    pub(super) fn list_race(&mut self, at: StmtRef) -> Out {
        self.f = Func::new(1);
        let (program, layout, time) = (self.program, self.layout.clone(), 0);
        let Some(OpKind::Race(race)) = program.op(at).map(|op| &op.kind) else {
            return Err(Gap("a race that is missing"));
        };
        for at in [layout.count, layout.groups, layout.parameters] {
            self.f.write_int(at, |f| {
                f.int(0);
            });
        }
        self.f.int(0).get(time).store(layout.moment);
        let seats = self.set(&race.seats)?;
        let playing = self.read_set(layout.playing);
        let seats = self.and(&seats, &playing);
        self.f.get(time).read(layout.now).op(I::I64GeS);
        if let Some(until) = &race.until {
            self.f.get(time);
            self.number(until)?;
            self.f.op(I::I64LeS).op(I::I32And);
        }
        self.f.when();
        self.f.read(layout.now);
        let now = self.f.keep();
        self.f.read_int(layout.me);
        let me = self.f.keep_small();
        self.f.int(0).get(time).store(layout.now);
        let first = self.f.small();
        self.races = Races::Listing;
        self.members(&seats, &mut |emit, seat, _| {
            for at in [layout.me, layout.racer] {
                emit.f.write_int(at, |f| {
                    f.get(seat).op(I::I32WrapI64);
                });
            }
            emit.next_group();
            emit.f.set(first);
            let mut worth = false;
            // What guards found is about the seat before.
            emit.forget_reasons(race.group.iter());
            for action in &race.group {
                if let ActionRef::Action(_) = action {
                    worth |= emit.moves_of(*action, Sink::List, None)?;
                }
            }
            emit.too_many();
            if worth {
                emit.keep_best(first);
            }
            Ok(())
        })?;
        self.races = Races::Some;
        self.f.int(0).get(now).store(layout.now);
        self.f.write_int(layout.me, |f| {
            f.get(me);
        });
        self.f.end();
        self.f.write_int(layout.racer, |f| {
            f.int(-1);
        });
        if race.until.is_some() {
            self.add_single(WAIT);
        }
        Ok(())
    }

    /// Lists what can be done in the race that is being asked about at a moment, the parameter; leaves how many answers
    /// there are.
    pub(super) fn race_at(&mut self) {
        let layout = self.layout.clone();
        self.f.read_int(layout.asked).int(RACE).op(I::I32Eq);
        self.f.when();
        self.refill();
        let program = self.program;
        for (block, code) in self.game.blocks.ids().zip(&program.code) {
            for (number, _) in (0..).zip(&code.ops).filter(|(_, op)| matches!(op.kind, OpKind::Race(_))) {
                let at = (block, number);
                self.f.read_int(layout.race).int(i32::saturating_from(numbered(at))).op(I::I32Eq);
                self.f.when();
                self.f.get(0);
                self.call(Key::Race(at));
                self.f.end();
            }
        }
        self.f.end();
        self.f.read_int(layout.count);
    }

    /// Who acts in the answer with a number, and when.
    pub(super) fn act(&mut self, export: Export) {
        let layout = self.layout.clone();
        self.f.get(0);
        self.call(Key::Locate);
        self.f.op(I::Drop);
        if export == Export::Who {
            self.f.read_int(layout.who);
        } else {
            self.f.read(layout.moment).long(-1).read_int(layout.who).int(0).op(I::I32GeS).op(I::Select);
        }
    }
}
