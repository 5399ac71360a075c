//! Guards by their reasons: a guard that holds keeps the sites that were the reason, such as one way that is open. A move
//! that touches none of them need not be tried out, and a trial that finds another reason spares others. Reasons are those of
//! one position: they are forgotten before its moves are listed and afterwards.

use wasm_encoder::{Instruction as I, ValType};

use super::emit::{Emit, Exit, Key, Out, Wide};
use super::func::{Address, Func, Parts};
use crate::base::Word;
use crate::compile::Gap;
use crate::compile::program::{Action, Head, Local, Touch};
use crate::ir::{ActionId, ActionRef};

/// Where it stands whether the guard is known to hold, how many reasons there are, which is given up next, and the reasons.
const KNOWN: u32 = 0;
const COUNT: u32 = 4;
const NEXT_OUT: u32 = 8;
const FIRST: u32 = 16;

/// What is known of a guard in a position: nothing, or its value.
const UNKNOWN: i32 = 0;
const FAILS: i32 = 1;
const HOLDS: i32 = 2;

/// So many guards at most are told apart while a move is tried out.
pub(super) const GUARDS: usize = 30;

/// The most reasons that are kept for a guard.
const REASONS: u32 = 8;

/// Where the parts of what was seen lie in a reason: sites, sites that were compared, and indexes.
struct Seen {
    sites: u32,
    compared: u32,
    indexes: u32,
    size: u32,
}

/// What the effects of a move touch: sites, and the indexes of the pieces put there, one bit each.
struct Touched {
    sites: Vec<u32>,
    put: u32,
}

impl<'a> Emit<'a> {
    fn seen(&self) -> Seen {
        Seen { sites: 0, compared: self.bytes, indexes: 2 * self.bytes, size: 2 * self.bytes + 8 }
    }

    /// Writes what was looked at behind the address in a local.
    fn keep_seen(&mut self, to: u32) {
        let (looked, compared, seen) = (self.layout.looked, self.layout.compared, self.seen());
        for (from, offset) in [(looked, seen.sites), (compared, seen.compared)] {
            let sites = self.read_set(from);
            self.write_set_at(to, offset, &sites);
        }
        let indexes = self.layout.indexes_compared;
        self.f.get(to).read(indexes).store(seen.indexes);
    }

    /// Where what is known of a guard stands.
    fn reasons(&mut self, guard: u16) -> Address {
        if let Some(&at) = self.reasons_at.get(&guard) {
            return at;
        }
        // One more place is for what a trial has found, until it is known to be a reason.
        let size = FIRST + (REASONS + 1) * self.seen().size;
        let at = self.room(size);
        self.reasons_at.insert(guard, at);
        at
    }

    /// What is known of the guards of some actions is about another position from here on.
    pub(super) fn forget_reasons<'r>(&mut self, actions: impl Iterator<Item = &'r ActionRef>) {
        let mut guards: Vec<u16> = Vec::new();
        for action in actions {
            let ActionRef::Action(number) = action else { continue };
            let touch = self.program.actions.get(usize::from(*number)).and_then(|action| action.touch.as_ref());
            guards.extend(touch.iter().flat_map(|touch| touch.guards.iter()));
        }
        guards.sort_unstable();
        guards.dedup();
        for guard in guards {
            let at = self.reasons(guard);
            self.f.write_int(at + KNOWN, |f| {
                f.int(UNKNOWN);
            });
        }
    }

    /// Writes the function that tests a guard in the position before any move, and keeps why it has its value.
    pub(super) fn reason(&mut self, guard: u16) {
        self.f = Func::new(0);
        let at = self.reasons(guard);
        self.look_afresh();
        self.call(Key::Memo(guard, true));
        let holds = self.f.keep_small();
        self.f.at(at + FIRST);
        let first = self.f.keep_small();
        self.keep_seen(first);
        for (place, value) in [(COUNT, 1), (NEXT_OUT, 1)] {
            self.f.write_int(at + place, |f| {
                f.int(value);
            });
        }
        self.f.write_int(at + KNOWN, |f| {
            f.int(HOLDS).int(FAILS).get(holds).op(I::Select);
        });
    }

    /// Makes sure that something is known of a guard.
    fn ask_reason(&mut self, guard: u16) -> Address {
        let at = self.reasons(guard);
        self.f.read_int(at + KNOWN).op(I::I32Eqz);
        self.f.when();
        self.call(Key::Reason(guard));
        self.f.end();
        at
    }

    /// What the effects touch, whatever the last parameter is; or with it.
    fn touched(&mut self, touch: &'a Touch<Wide>, last: Option<u32>) -> Out<Touched> {
        let sites = self.variable(&self.known(Wide::NONE));
        for set in &touch.fixed {
            let set = self.set(set)?;
            self.unite(&sites, &set);
        }
        // The indexes of the pieces that are put somewhere.
        self.f.long(if touch.moves_last { -1 } else { touch.made.cast_signed() });
        let put = self.f.keep();
        if !touch.moves_last && !touch.fixed.is_empty() {
            let bits: Vec<i64> = self.program.index_bits.iter().map(|bits| bits.cast_signed()).collect();
            let base = self.table_of_numbers(&bits);
            let fixed = Self::now(&sites);
            self.members(&fixed, &mut |emit, site, _| {
                let piece = emit.piece_on(site);
                emit.f.get(piece);
                emit.entry(base, bits.len(), 3);
                emit.f.load(0).get(put).op(I::I64Or).set(put);
                Ok(())
            })?;
        }
        if let Some(last) = last {
            if touch.last {
                self.insert(&sites, last);
            }
            for set in &touch.varying {
                let set = self.set(set)?;
                self.unite(&sites, &set);
            }
        }
        Ok(Touched { sites, put })
    }

    /// The sites that matter of the reason at the address in a local, if the effects put what they do; those of some sites
    /// alone, if others are of no concern.
    fn watched(&mut self, guard: u16, reason: u32, put: u32, among: Option<&Parts>) -> Out<Parts> {
        let seen = self.seen();
        self.f.get(reason);
        let mut sites = self.load_set(seen.sites);
        let whole = self.whole_indexes(guard)?;
        for index in (0..u64::BITS).filter(|bit| whole >> bit & 1 != 0) {
            let members = self.read_set(self.layout.indexes + self.bytes * index);
            sites = self.or(&sites, &members);
        }
        let all = self.variable(&sites);
        self.f.get(reason).load(seen.indexes);
        let indexes = self.f.keep();
        self.f.get(indexes).op(I::I64Eqz).op(I::I32Eqz);
        self.f.when();
        self.f.get(reason);
        let mut compared = self.load_set(seen.compared);
        if let Some(among) = among {
            compared = self.and(&compared, among);
        }
        let compared = self.variable(&compared);
        // A piece that belongs to none of these indexes matters only where one leaves them.
        self.f.get(indexes).get(put).op(I::I64And).op(I::I64Eqz);
        self.any(&Self::now(&compared));
        self.f.op(I::I32And);
        self.f.when();
        let members = self.indexed(indexes);
        let members = self.and(&Self::now(&compared), &members);
        self.become_set(&compared, &members);
        self.f.end();
        self.unite(&all, &Self::now(&compared));
        self.f.end();
        Ok(Self::now(&all))
    }

    /// Leaves on the stack whether effects touch nothing of the reason at the address in a local.
    fn untouched(&mut self, guard: u16, reason: u32, touched: &Touched) -> Out {
        let sites = Self::now(&touched.sites);
        let watched = self.watched(guard, reason, touched.put, Some(&sites))?;
        let shared = self.and(&watched, &sites);
        self.none(&shared);
        let whole = self.whole_indexes(guard)?;
        if whole != 0 {
            self.f.get(touched.put).long(whole.cast_signed()).op(I::I64And).op(I::I64Eqz).op(I::I32And);
        }
        Ok(())
    }

    /// Does something for each reason of a guard, with the local that has its address.
    fn each_reason(&mut self, at: Address, each: &mut dyn FnMut(&mut Self, u32) -> Out) -> Out {
        let size = self.seen().size.cast_signed();
        self.f.at(at + FIRST);
        let reason = self.f.keep_small();
        self.f.read_int(at + COUNT).int(size).op(I::I32Mul).at(at + FIRST).op(I::I32Add);
        let end = self.f.keep_small();
        let again = self.f.again();
        each(self, reason)?;
        self.f.get(reason).int(size).op(I::I32Add).set(reason);
        self.f.get(reason).get(end).op(I::I32LtU).br_if(again);
        self.f.end_loop();
        Ok(())
    }

    /// Of the values of the last parameter, those with which the guards hold, and those that have to be tried out, as
    /// changing sets; none if it takes a look at each value.
    pub(super) fn spared(&mut self, action: &'a Action<Wide>, set: &Parts) -> Out<Option<(Vec<u32>, Vec<u32>)>> {
        let Some(touch) = action.touch.as_ref().filter(|touch| touch.varying.is_empty()) else { return Ok(None) };
        // Names that only the effects use are not bound yet.
        if !action.reversible || action.tail < action.head.len() {
            return Ok(None);
        }
        let (holds, fails) = (self.variable(set), self.variable(&self.known(Wide::NONE)));
        self.any(set);
        self.f.when();
        let touched = self.touched(touch, None)?;
        for &guard in &touch.guards {
            let at = self.ask_reason(guard);
            let spared = self.variable(&self.known(Wide::NONE));
            self.each_reason(at, &mut |emit, reason| {
                let watched = emit.watched(guard, reason, touched.put, None)?;
                let fixed = emit.and(&watched, &Self::now(&touched.sites));
                emit.none(&fixed);
                let whole = emit.whole_indexes(guard)?;
                if whole != 0 {
                    emit.f.get(touched.put).long(whole.cast_signed()).op(I::I64And).op(I::I64Eqz).op(I::I32And);
                }
                emit.f.when();
                let others = if touch.last { emit.minus(set, &watched) } else { set.clone() };
                emit.unite(&spared, &others);
                emit.f.end();
                Ok(())
            })?;
            self.f.read_int(at + KNOWN).int(FAILS).op(I::I32Eq);
            self.f.when();
            self.become_set(&holds, &self.known(Wide::NONE));
            self.unite(&fails, &Self::now(&spared));
            self.f.otherwise();
            let both = self.and(&Self::now(&holds), &Self::now(&spared));
            self.become_set(&holds, &both);
            self.f.end();
        }
        self.f.end();
        let open = self.minus(set, &Self::now(&holds));
        let open = self.minus(&open, &Self::now(&fails));
        Ok(Some((holds, self.variable(&open))))
    }

    /// Writes the function that finds out whether the guards hold after a move: by reasons that it does not touch, or else
    /// by trying it out.
    pub(super) fn guarded_trial(&mut self, number: ActionId, touch: &'a Touch<Wide>) -> Out {
        let action = self.program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
        self.f = Func::new(Self::arity(action));
        self.enter_head(action)?;
        let last = Self::last_of(action).and_then(|name| self.numbers.iter().find(|(at, _)| *at == name)).copied();
        let touched = self.touched(touch, last.map(|(_, local)| local))?;
        let (open, found) = (self.f.small(), self.f.small());
        let guards: Vec<(i32, u16)> = (0..).map(|nth| 1 << nth).zip(touch.guards.iter().copied()).collect();
        let holds = self.f.small();
        let decided = self.f.block();
        for &(bit, guard) in &guards {
            let at = self.ask_reason(guard);
            let spared = self.f.block();
            self.f.read_int(at + KNOWN).int(FAILS).op(I::I32Eq);
            self.f.when();
            self.f.at(at + FIRST);
            let first = self.f.keep_small();
            self.untouched(guard, first, &touched)?;
            self.f.br_if(decided);
            self.f.otherwise();
            self.each_reason(at, &mut |emit, reason| {
                emit.untouched(guard, reason, &touched)?;
                emit.f.br_if(spared);
                Ok(())
            })?;
            self.f.end();
            self.f.get(open).int(bit).op(I::I32Or).set(open);
            self.f.end();
        }
        self.f.get(open).op(I::I32Eqz).set(holds).get(holds).br_if(decided);
        let (body, over) = (action.trial, self.layout.over);
        let undo = self.begin_trial(body);
        self.f.write_int(over, |f| {
            f.int(0);
        });
        self.f.read_int(self.layout.me);
        self.set_actor();
        // What is left in the middle of something may have made lists in functions of their own.
        self.f.made += usize::from(self.makes_lists());
        let done = self.f.block();
        self.exit = Exit::Leave(done);
        self.code_in_scope(body)?;
        self.f.end();
        self.exit = Exit::Return;
        let failed = self.f.block();
        for &(bit, guard) in &guards {
            self.f.get(open).int(bit).op(I::I32And);
            self.f.when();
            self.look_afresh();
            self.call(Key::Memo(guard, true));
            self.f.op(I::I32Eqz).br_if(failed);
            let place = self.reasons(guard) + FIRST + REASONS * self.seen().size;
            self.f.at(place);
            let place = self.f.keep_small();
            self.keep_seen(place);
            self.f.get(found).int(bit).op(I::I32Or).set(found);
            self.f.end();
        }
        self.f.int(1).set(holds);
        self.f.end();
        self.end_trial(&undo)?;
        for &(bit, guard) in &guards {
            self.f.get(found).int(bit).op(I::I32And);
            self.f.when();
            self.learn(guard, &touched)?;
            self.f.end();
        }
        self.f.end();
        self.f.get(holds);
        Ok(())
    }

    /// Keeps what a trial has found as a reason, if the move touches nothing of it: then it is one in the position before, too.
    fn learn(&mut self, guard: u16, touched: &Touched) -> Out {
        let (at, size) = (self.reasons(guard), self.seen().size);
        self.f.at(at + FIRST + REASONS * size);
        let place = self.f.keep_small();
        self.untouched(guard, place, touched)?;
        self.f.when();
        // The first reason stays; of the others the oldest gives way.
        self.f.read_int(at + COUNT).int(REASONS.cast_signed()).op(I::I32LtU);
        self.f.choice(ValType::I32);
        self.f.read_int(at + COUNT);
        self.f.write_int(at + COUNT, |f| {
            f.read_int(at + COUNT).int(1).op(I::I32Add);
        });
        self.f.otherwise();
        self.f.read_int(at + NEXT_OUT);
        self.f.write_int(at + NEXT_OUT, |f| {
            f.int(1).read_int(at + NEXT_OUT).int(1).op(I::I32Add);
            f.read_int(at + NEXT_OUT).int(REASONS.cast_signed() - 1).op(I::I32GeU).op(I::Select);
        });
        self.f.end();
        self.f.int(size.cast_signed()).op(I::I32Mul).at(at + FIRST).op(I::I32Add);
        let to = self.f.keep_small();
        for offset in (0..size).step_by(8) {
            self.f.get(to).get(place).load(offset).store(offset);
        }
        self.f.end();
        Ok(())
    }

    /// The name of an action's last parameter.
    fn last_of(action: &Action<Wide>) -> Option<Local> {
        match action.head.get(action.tail.checked_sub(1)?)? {
            Head::Choose(_, at, _) => Some(*at),
            Head::Let(..) | Head::Require(_) | Head::Prefer(_) => None,
        }
    }
}
