//! Evaluation of lowered expressions: helpers shared by numbers, sets and truth values.

use super::run::Run;
use crate::base::{SaturatingFrom, Word, get_or_default, to_index};
use crate::compile::program::{Bind, Cell, Loop, Number, Set, Source, Table};
use crate::ir::SetOp;
use crate::model::LARGE;

/// How many sites are changed in one step.
pub(super) const SITES_A_STEP: u64 = 8;

/// A set with room for so many sites costs one step more.
pub(super) const WIDE: u64 = 256;

/// How many steps it takes to add a piece to a zone, where it stays.
pub(super) const STEPS_A_PIECE: u64 = 16;

impl<'a, W: Word> Run<'a, W> {
    /// Counts a step; false once the budget is spent.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }

    /// Counts an expression that is no leaf: a large one is not free.
    #[inline]
    pub(super) fn note_work(&mut self) {
        self.steps = self.steps.saturating_sub(1 + W::ROOM as u64 / WIDE);
    }

    /// Counts what it costs to go on from so many sites.
    #[inline]
    pub(super) fn went_from(&mut self, sites: u64) {
        self.steps = self.steps.saturating_sub(sites * (1 + W::ROOM as u64 / WIDE));
    }

    #[inline]
    pub(super) fn index(&mut self, number: &'a Number<W>) -> usize {
        to_index(self.number(number))
    }

    /// The index of a cell.
    #[inline]
    pub(super) fn place(&mut self, cell: &'a Cell<W>) -> usize {
        match cell.at.as_ref() {
            [] => cell.first as usize,
            [(index, _)] => (cell.first as usize).saturating_add(self.index(index)),
            many => {
                let mut place = 0_usize;
                for (index, size) in many {
                    place = (place * size).saturating_add(self.index(index));
                }
                (cell.first as usize).saturating_add(place)
            }
        }
    }

    pub(super) fn looked_up<T: Copy + Default>(&mut self, table: &'a Table<T, W>) -> T {
        let mut at = 0_usize;
        for (by, size) in &table.by {
            at = (at * size).saturating_add(self.index(by));
        }
        get_or_default(&table.values, at)
    }

    #[inline]
    pub(super) fn by_me_and<T: Copy + Default>(&self, at: u16, size: usize, values: &'a [T]) -> T {
        get_or_default(values, (usize::from(self.state.me) * size).saturating_add(to_index(self.local(at))))
    }

    #[inline]
    pub(super) fn by_piece<T: Copy + Default>(&mut self, site: &'a Number<W>, values: &'a [T]) -> T {
        let site = self.index(site);
        get_or_default(values, usize::from(get_or_default(&self.state.sites, site)))
    }

    /// The sites with a piece or tokens.
    #[inline]
    pub(super) fn occupied(&self) -> W {
        self.state.token_sites.iter().fold(self.state.taken, |all, sites| all.or(*sites))
    }

    /// Whether a number is in a set.
    pub(super) fn has(&mut self, set: &'a Set<W>, member: usize) -> bool {
        if let Set::Op(op, both) = set {
            return match op {
                SetOp::Union => self.has(&both.0, member) || self.has(&both.1, member),
                SetOp::Intersect => self.has(&both.0, member) && self.has(&both.1, member),
                SetOp::Minus => self.has(&both.0, member) && !self.has(&both.1, member),
            };
        }
        if let Set::One(number) = set { self.index(number) == member } else { self.set(set).contains(member) }
    }

    /// The time at which expressions are evaluated.
    pub(super) fn now(&self) -> i64 {
        self.moment.unwrap_or(self.state.now)
    }

    #[inline]
    pub(super) fn local(&self, at: u16) -> i64 {
        self.state.locals[usize::from(at)]
    }

    #[inline]
    pub(super) fn set_local(&mut self, at: u16, n: i64) {
        self.state.locals[usize::from(at)] = n;
    }

    pub(super) fn bind_all(&mut self, binds: &'a [Bind<W>]) {
        for bind in binds {
            self.bind(bind);
        }
    }

    pub(super) fn bind(&mut self, bind: &'a Bind<W>) {
        match bind {
            Bind::Number(at, number) => {
                let n = self.number(number);
                self.set_local(*at, n);
            }
            Bind::Set(at, set) => self.state.local_sets[usize::from(*at)] = self.set(set),
            Bind::List(at, list) => {
                let found = self.list(list);
                let place = &mut self.state.local_lists[usize::from(*at)];
                place.clone_from(&found);
                let large = found.len() > LARGE;
                self.give_back(found);
                if large {
                    self.hold();
                }
            }
        }
    }

    /// Runs `each` for every combination of bound values that passes the filter, until it returns false; false if it
    /// did.
    pub(super) fn each<F: FnMut(&mut Self) -> bool>(&mut self, over: &'a Loop<W>, from: usize, each: &mut F) -> bool {
        let Some((at, source)) = over.over.get(from) else {
            return over.filter.as_ref().is_some_and(|filter| !self.test(filter)) || each(self);
        };
        match source {
            Source::Set(set) => {
                for member in self.set(set).iter() {
                    if !self.tick() {
                        return false;
                    }
                    self.set_local(*at, count(member));
                    if !self.each(over, from + 1, each) {
                        return false;
                    }
                }
                true
            }
            Source::PiecesAt(set) => {
                for site in self.set(set).and(self.state.taken).iter() {
                    if !self.tick() {
                        return false;
                    }
                    self.set_local(*at, i64::from(self.state.sites[site]));
                    if !self.each(over, from + 1, each) {
                        return false;
                    }
                }
                true
            }
            Source::PieceAt(site) => {
                let site = self.index(site);
                match self.state.sites.get(site) {
                    None | Some(0) => true,
                    Some(&piece) => {
                        self.set_local(*at, i64::from(piece));
                        self.each(over, from + 1, each)
                    }
                }
            }
            Source::List(list) => {
                let members = self.list(list);
                let held = self.hold_still();
                let mut keep_going = true;
                for &member in &members {
                    if !self.tick() {
                        keep_going = false;
                        break;
                    }
                    self.set_local(*at, member);
                    if !self.each(over, from + 1, each) {
                        keep_going = false;
                        break;
                    }
                }
                self.let_go(held);
                self.give_back(members);
                keep_going
            }
        }
    }
}

pub(super) fn count(n: usize) -> i64 {
    i64::saturating_from(n)
}
