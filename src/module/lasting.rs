//! Outcomes of moves that were tried out, kept until a piece on a site changes that the trial looked at. Where a move is
//! one site, most trials are spared: what guards find after it depends on the sites around. Guards that count positions are
//! tested anew, by the key that the position would have.

use wasm_encoder::Instruction as I;

use super::effect::NEXT;
use super::emit::{Emit, Exit, Key, Next, Out, Wide};
use super::func::{Address, Func, Parts};
use crate::base::{SaturatingFrom, Word};
use crate::compile::Gap;
use crate::compile::program::{Action, Cell, Lasting, Program};
use crate::ir::{ActionId, Id, PartId};

/// The most seats, over all actions, whose outcomes are kept.
const MOST: usize = 8;

/// Where the outcomes of an action lie: for each seat the sites for which they are known, those for which its guards hold,
/// and the sites whose pieces have changed since; for each seat and site what the trial looked at, and how it changed the key
/// of the board.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    action: ActionId,
    number: u16,
    size: usize,
    known: Vec<Address>,
    holds: Vec<Address>,
    changed: Vec<Address>,
    seen: Address,
    change: Address,
}

impl Kept {
    /// Where the sites are noted that have changed.
    pub(super) fn changed(&self) -> Vec<Address> {
        self.changed.clone()
    }
}

/// What the key of the position before a move, and those of its parts, have become after it: locals.
#[derive(Clone, Debug)]
pub(super) struct Changed {
    pub change: u32,
    pub key: u32,
    pub parts: Vec<(PartId, u32)>,
}

impl<'a> Emit<'a> {
    /// Finds room for the outcomes of all actions for which they are kept.
    pub(super) fn keep_outcomes(&mut self) {
        let program: &'a Program<Wide> = self.program;
        let seats = self.game.seats.len();
        for (at, action) in program.actions.iter().enumerate() {
            let Some((lasting, action)) = action.lasting.as_ref().zip(ActionId::at(at)) else { continue };
            let reads_none = self.whole_indexes(lasting.number).is_ok_and(|whole| whole == 0);
            if !reads_none || (self.lasting.len() + 1) * seats > MOST {
                continue;
            }
            let bytes = self.bytes;
            let mut sets = || (0..seats).map(|_| self.room(bytes)).collect::<Vec<_>>();
            let (known, holds, changed) = (sets(), sets(), sets());
            let count = u32::saturating_from(lasting.size * seats);
            let (seen, change) = (self.room(bytes * count), self.room(8 * count));
            let (number, size) = (lasting.number, lasting.size);
            self.lasting.push(Kept { action, number, size, known, holds, changed, seen, change });
        }
    }

    pub(super) fn outcomes_of(&self, number: ActionId) -> Option<Kept> {
        self.lasting.iter().find(|kept| kept.action == number).cloned()
    }

    /// Nothing is known of the outcomes of some actions.
    fn forget_outcomes(&mut self, of: impl Fn(&Kept) -> bool) {
        let none = self.known(Wide::NONE);
        let known: Vec<Address> =
            self.lasting.iter().filter(|kept| of(kept)).flat_map(|kept| kept.known.clone()).collect();
        for address in known {
            self.write_set(address, &none);
        }
    }

    pub(super) fn forget_all_outcomes(&mut self) {
        self.forget_outcomes(|_| true);
    }

    /// A variable is set that outcomes may depend on.
    pub(super) fn cell_changes(&mut self, sort: usize, cell: &Cell<Wide>) {
        let stale = &self.program.stale.cells[sort];
        let first = cell.first as usize;
        let last = if cell.at.is_empty() { first + 1 } else { stale.len() };
        let read = stale.iter().take(last).skip(first).fold(0, |all, memos| all | memos);
        self.forget_outcomes(|kept| read >> kept.number & 1 != 0);
    }

    /// Pieces come to a zone, or leave it.
    pub(super) fn zone_changes(&mut self, cell: &Cell<Wide>) {
        let stale = &self.program.stale.lists;
        let first = cell.first as usize;
        let last = if cell.at.is_empty() { first + 1 } else { stale.len() };
        let read = stale.iter().take(last).skip(first).fold(0, |all, memos| all | memos);
        self.forget_outcomes(|kept| read >> kept.number & 1 != 0);
    }

    /// Seats drop out.
    pub(super) fn playing_changes(&mut self) {
        let read = self.program.stale.playing;
        self.forget_outcomes(|kept| read >> kept.number & 1 != 0);
    }

    /// The acting seat as a number of one there is, 32 bits.
    fn acting(&mut self) -> u32 {
        let seats = i32::saturating_from(self.game.seats.len());
        let me = self.layout.me;
        self.f.read_int(me).int(0).read_int(me).int(seats).op(I::I32LtU).op(I::Select);
        self.f.keep_small()
    }

    /// The offset of what belongs to the acting seat among sets.
    fn row(&mut self, acting: u32) -> u32 {
        self.f.get(acting).int(self.bytes.cast_signed()).op(I::I32Mul);
        self.f.keep_small()
    }

    /// The number of the acting seat and a site in a local, for tables with an entry for both.
    fn place_of_outcome(&mut self, kept: &Kept, acting: u32, site: u32) -> u32 {
        self.f.get(acting).int(i32::saturating_from(kept.size)).op(I::I32Mul);
        self.f.get(site).op(I::I32WrapI64).op(I::I32Add);
        self.f.keep_small()
    }

    /// Writes the function that tries a move out, and keeps what it finds.
    pub(super) fn outcome(&mut self, number: ActionId) -> Out {
        let action = self.program.actions.get(usize::from(number)).ok_or(Gap("an action that is missing"))?;
        let (Some(kept), Some(lasting)) = (self.outcomes_of(number), &action.lasting) else {
            return Err(Gap("an outcome that is not kept"));
        };
        self.f = Func::new(1);
        self.f.get(0).long(i64::saturating_from(kept.size)).op(I::I64GeU);
        self.f.when();
        self.f.int(NEXT).op(I::Return);
        self.f.end();
        let acting = self.acting();
        let (row, place) = (self.row(acting), self.place_of_outcome(&kept, acting, 0));
        self.notes = true;
        self.look_afresh();
        self.look_at(0);
        self.f.read(self.layout.board_key);
        let before = self.f.keep();
        let undo = self.begin_trial(action.trial);
        let mark = self.f.mark();
        self.make_trial(action, action.trial)?;
        let holds = self.guards_hold(
            action.ensure.iter().zip(&lasting.counting).filter(|(_, counts)| !**counts).map(|(guard, _)| guard),
        )?;
        self.f.release(mark);
        self.f.read(self.layout.board_key).get(before).op(I::I64Xor);
        let change = self.f.keep();
        self.end_trial(&undo)?;
        self.notes = false;
        let (looked, compared) = (self.read_set(self.layout.looked), self.read_set(self.layout.compared));
        let seen = self.or(&looked, &compared);
        self.f.get(place).int(self.bytes.cast_signed()).op(I::I32Mul);
        let at = self.f.keep_small();
        self.write_set_at(at, kept.seen, &seen);
        self.f.get(place).int(3).op(I::I32Shl).get(change).store(kept.change);
        self.f.get(0);
        let one = self.one();
        for (sets, holding) in [(&kept.known, false), (&kept.holds, true)] {
            let Some(&base) = sets.first() else { continue };
            self.f.get(row);
            let set = self.load_set(base);
            let with = self.variable(&set);
            if holding {
                let without = self.minus(&set, &one);
                self.become_set(&with, &without);
                self.f.get(holds);
                self.f.when();
                self.unite(&with, &one);
                self.f.end();
            } else {
                self.unite(&with, &one);
            }
            self.write_set_at(row, base, &Self::now(&with));
        }
        self.f.get(holds);
        Ok(())
    }

    /// Those of some sites for which all guards of an action hold after the move.
    pub(super) fn outcomes(
        &mut self,
        (number, action): (ActionId, &'a Action<Wide>),
        (kept, lasting): (&Kept, &'a Lasting),
        next: Option<Next>,
        set: &Parts,
    ) -> Out<Parts> {
        let (Some(&known), Some(&holds), Some(&changed)) =
            (kept.known.first(), kept.holds.first(), kept.changed.first())
        else {
            return Ok(self.known(Wide::NONE));
        };
        let acting = self.acting();
        let row = self.row(acting);
        self.f.get(row);
        let changes = self.load_set(changed);
        self.any(&changes);
        self.f.when();
        self.f.get(row);
        let all = self.load_set(known);
        let all = self.and(&all, set);
        let valid = self.variable(&all);
        self.members(&all, &mut |emit, site, _| {
            let place = emit.place_of_outcome(kept, acting, site);
            emit.f.get(place).int(emit.bytes.cast_signed()).op(I::I32Mul);
            let seen = emit.load_set(kept.seen);
            let lost = emit.and(&seen, &changes);
            emit.any(&lost);
            emit.f.when();
            emit.remove(&valid, site);
            emit.f.end();
            Ok(())
        })?;
        self.write_set_at(row, known, &Self::now(&valid));
        let none = self.known(Wide::NONE);
        self.write_set_at(row, changed, &none);
        self.f.end();
        self.f.get(row);
        let found = self.load_set(known);
        let open = self.minus(set, &found);
        self.members(&open, &mut |emit, site, _| {
            emit.f.get(site);
            emit.call(Key::Outcome(number));
            emit.f.op(I::Drop);
            Ok(())
        })?;
        self.f.get(row);
        let holding = self.load_set(holds);
        let holding = self.and(&holding, set);
        if !lasting.counting.contains(&true) {
            return Ok(holding);
        }
        self.next = next;
        let legal = self.variable(&holding);
        let mut changed = self.changed_keys(next)?;
        self.members(&holding, &mut |emit, site, _| {
            let place = emit.place_of_outcome(kept, acting, site);
            emit.f.get(place).int(3).op(I::I32Shl).load(kept.change);
            changed.change = emit.f.keep();
            emit.changed = Some(changed.clone());
            let counting = action.ensure.iter().zip(&lasting.counting).filter(|(_, counts)| **counts);
            let counted = emit.guards_hold(counting.map(|(guard, _)| guard))?;
            emit.changed = None;
            emit.f.get(counted).op(I::I32Eqz);
            emit.f.when();
            emit.remove(&legal, site);
            emit.f.end();
            Ok(())
        })?;
        self.next = None;
        Ok(Self::now(&legal))
    }

    /// Makes the effects of a move that is tried out.
    pub(super) fn make_trial(&mut self, action: &'a Action<Wide>, body: crate::ir::BlockId) -> Out {
        let over = self.layout.over;
        self.f.write_int(over, |f| {
            f.int(0);
        });
        self.f.read_int(self.layout.me);
        self.set_actor();
        // What is left in the middle of something may have made lists in functions of their own.
        self.f.made += usize::from(self.makes_lists());
        self.enter_head(action)?;
        let done = self.f.block();
        self.exit = Exit::Leave(done);
        self.code_in_scope(body)?;
        self.f.end();
        self.exit = Exit::Return;
        Ok(())
    }
}
