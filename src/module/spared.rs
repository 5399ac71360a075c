//! Moves that need not be tried out: a guard on the position after a move has the value that it has before it, unless the
//! move touches something that the guard looked at. What it looks at is found out once for each list.

use wasm_encoder::Instruction as I;

use super::emit::{Emit, Key, Out, Wide};
use super::func::{Address, Parts};
use crate::base::Word;
use crate::compile::program::Touch;
use crate::ir::ActionRef;

/// Where it lies what a guard found before the moves: its value; the sites that it looked at; those that it looked for in
/// indexes, and those of them that are in these; and these, one bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    guard: u16,
    value: Address,
    sites: Address,
    compared: Address,
    within: Address,
    bits: Address,
}

/// What a move touches whatever its last parameter is: its sites, and the local with the indexes of the pieces put there.
struct Touched<'a> {
    touch: &'a Touch<Wide>,
    fixed: Parts,
    put: u32,
}

impl<'a> Emit<'a> {
    fn found_by(&mut self, guard: u16) -> Found {
        if let Some(found) = self.found.iter().find(|found| found.guard == guard) {
            return *found;
        }
        let (value, bits) = (self.room(8), self.room(8));
        let (sites, compared, within) = (self.room(self.bytes), self.room(self.bytes), self.room(self.bytes));
        let found = Found { guard, value, sites, compared, within, bits };
        self.found.push(found);
        found
    }

    /// Finds out for the guards of some actions what they look at, before moves are listed.
    pub(super) fn look_ahead<'r>(&mut self, actions: impl Iterator<Item = &'r ActionRef>) -> Out {
        let mut guards: Vec<u16> = Vec::new();
        for action in actions {
            let ActionRef::Action(number) = action else { continue };
            let touch = self.program.actions.get(usize::from(*number)).and_then(|action| action.touch.as_ref());
            guards.extend(touch.iter().flat_map(|touch| touch.guards.iter()));
        }
        guards.sort_unstable();
        guards.dedup();
        for guard in guards {
            let found = self.found_by(guard);
            let whole = self.whole_indexes(guard)?;
            self.look_afresh();
            self.f.int(0);
            self.call(Key::Memo(guard, true));
            self.f.op(I::I64ExtendI32U).store(found.value);
            let looked = self.read_set(self.layout.looked);
            self.f.long(whole.cast_signed());
            let bits = self.f.keep();
            let sites = if whole == 0 {
                looked
            } else {
                let members = self.indexed(bits);
                self.or(&looked, &members)
            };
            self.write_set(found.sites, &sites);
            self.f.read(self.layout.indexes_compared);
            let bits = self.f.keep();
            self.f.int(0).get(bits).store(found.bits);
            let compared = self.read_set(self.layout.compared);
            self.write_set(found.compared, &compared);
            let members = self.indexed(bits);
            let within = self.and(&compared, &members);
            self.write_set(found.within, &within);
        }
        Ok(())
    }

    /// Of the values of the last parameter, those with which the guards hold, and those that have to be tried out. With
    /// the others some guard fails.
    pub(super) fn spared(&mut self, touch: &'a Touch<Wide>, at: u16, set: &Parts) -> Out<(Parts, Parts)> {
        let mut fixed = self.known(Wide::NONE);
        for sites in &touch.fixed {
            let sites = self.set(sites)?;
            fixed = self.or(&fixed, &sites);
        }
        let put = self.f.word();
        self.f.long(if touch.moves_last { -1 } else { touch.made.cast_signed() }).set(put);
        if !touch.moves_last {
            let program = self.program;
            let bits: Vec<i64> = program.index_bits.iter().map(|bits| bits.cast_signed()).collect();
            let base = self.table_of_numbers(&bits);
            self.members(&fixed, &mut |emit, site, _| {
                emit.f.get(put);
                let piece = emit.piece_on(site);
                emit.f.get(piece);
                emit.entry(base, program.index_bits.len(), 3);
                emit.f.load(0).op(I::I64Or).set(put);
                Ok(())
            })?;
        }
        let touched = Touched { touch, fixed, put };
        let (holds, fails) = (self.variable(set), self.variable(&self.known(Wide::NONE)));
        for &guard in &touch.guards {
            let untouched = self.untouched(&touched, guard, at, set)?;
            let found = self.found_by(guard);
            self.f.read(found.value).op(I::I64Eqz);
            self.f.when();
            self.become_set(&holds, &self.known(Wide::NONE));
            self.unite(&fails, &untouched);
            self.f.otherwise();
            let both = self.and(&Self::now(&holds), &untouched);
            self.become_set(&holds, &both);
            self.f.end();
        }
        let open = self.minus(set, &Self::now(&holds));
        let open = self.minus(&open, &Self::now(&fails));
        Ok((Self::now(&holds), open))
    }

    /// The values of the last parameter with which a move touches nothing that a guard looked at.
    fn untouched(&mut self, touched: &Touched<'a>, guard: u16, at: u16, set: &Parts) -> Out<Parts> {
        let Touched { touch, fixed, put } = touched;
        let (found, whole) = (self.found_by(guard), self.whole_indexes(guard)?);
        let spared = self.variable(&self.known(Wide::NONE));
        let done = self.f.block();
        if whole != 0 {
            self.f.get(*put).long(whole.cast_signed()).op(I::I64And).long(0).op(I::I64Ne).br_if(done);
        }
        self.f.at(found.compared).at(found.within);
        self.f.get(*put).read(found.bits).op(I::I64And).long(0).op(I::I64Ne).op(I::Select);
        let compared = self.load_set(0);
        let sites = self.read_set(found.sites);
        let watched = self.or(&sites, &compared);
        let hit = self.and(fixed, &watched);
        self.any(&hit);
        self.f.br_if(done);
        let rest = if touch.last { self.minus(set, &watched) } else { set.clone() };
        self.become_set(&spared, &rest);
        if !touch.varying.is_empty() {
            self.members(&rest, &mut |emit, member, _| {
                let scope = emit.scope();
                emit.numbers.push((at, member));
                for sites in &touch.varying {
                    let sites = emit.set(sites)?;
                    let hit = emit.and(&sites, &watched);
                    emit.any(&hit);
                    emit.f.when();
                    emit.remove(&spared, member);
                    emit.f.end();
                }
                emit.leave_scope(scope);
                Ok(())
            })?;
        }
        self.f.end();
        Ok(Self::now(&spared))
    }
}
