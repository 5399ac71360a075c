//! Cached values of definitions, valid until something they depend on changes.

use super::run::Run;
use crate::base::{Word, entry, ordinal};
use crate::compile::program::{Body, Number, Program, cells};

/// The cached values of one definition.
#[derive(Clone, Debug)]
pub(super) struct Kept<W> {
    /// Which of them are valid.
    known: Vec<bool>,
    numbers: Vec<i64>,
    sets: Vec<W>,
    /// The sites that were inspected for each value, where they tell whether it holds, and its stamp.
    inspected: Vec<(W, u64)>,
}

impl<W: Word> Kept<W> {
    /// Empty caches.
    pub(super) fn all(program: &Program<W>) -> Vec<Self> {
        let empty = |memo: &crate::compile::program::Memo<W>| {
            let cells = cells(&memo.params, memo.seats);
            let set = matches!(memo.body, Body::Set(_));
            // Values of a move that is tried out have cells of their own.
            let cells = if memo.inspects.is_some() { 2 * cells } else { cells };
            Self {
                known: vec![false; cells],
                numbers: vec![0; if set { 0 } else { cells }],
                sets: vec![W::NONE; if set { cells } else { 0 }],
                inspected: vec![(W::NONE, 0); if memo.inspects.is_some() { cells } else { 0 }],
            }
        };
        program.memos.iter().map(empty).collect()
    }
}

impl<'a, W: Word> Run<'a, W> {
    /// The index of a definition's value, computed if it is not cached; beyond the table if the arguments are out of
    /// range.
    fn memo(&mut self, memo: u16, args: &'a [Number<W>]) -> usize {
        const OUTSIDE: usize = usize::MAX;
        let number = usize::from(memo);
        let program = self.program;
        let def = &program.memos[number];
        let bit = 1 << number;
        if self.state.fresh & bit == 0 {
            self.kept[number].known.fill(false);
            self.state.fresh |= bit;
        }
        let mut cell = if def.seats.is_some() { usize::from(self.state.me) } else { 0 };
        let mut values: smallvec::SmallVec<[i64; 4]> = smallvec::SmallVec::new();
        for (arg, (_, size)) in args.iter().zip(&def.params) {
            let value = self.number(arg);
            values.push(value);
            let value = ordinal(value);
            if value >= *size {
                return OUTSIDE;
            }
            cell = cell * size + value;
        }
        if cell >= self.kept[number].known.len() {
            return OUTSIDE;
        }
        if self.holds(number, cell) {
            return cell;
        }
        let tried = cell + self.kept[number].known.len() / 2;
        if def.inspects.is_some() && self.state.puts.tries() && self.holds(number, tried) {
            return tried;
        }
        for (value, (local, _)) in values.iter().zip(&def.params) {
            self.set_local(*local, *value);
        }
        let outer = std::mem::replace(&mut self.looked, W::NONE);
        for local in def.inspects.iter().flat_map(|inspects| &inspects.sites) {
            self.looked.insert(ordinal(self.local(*local)));
        }
        let (value, set) = match &def.body {
            Body::Number(body) => (self.number(body), W::NONE),
            Body::Test(body) => (i64::from(self.test(body)), W::NONE),
            Body::Set(body) => (0, self.set(body)),
        };
        if let Some(inspects) = &def.inspects {
            let (stamp, lasts) = self.state.puts.stamp(self.looked, inspects.whole);
            if !lasts {
                cell = tried;
            }
            self.kept[number].inspected[cell] = (self.looked, stamp);
        }
        let kept = &mut self.kept[number];
        match &def.body {
            Body::Number(_) | Body::Test(_) => kept.numbers[cell] = value,
            Body::Set(_) => kept.sets[cell] = set,
        }
        // A value computed with an exhausted budget is meaningless.
        kept.known[cell] = self.steps > 0;
        self.looked = self.looked.or(outer);
        cell
    }

    /// Whether a cached value still holds. What was inspected for it then counts as inspected again.
    #[inline]
    fn holds(&mut self, number: usize, cell: usize) -> bool {
        let program = self.program;
        if !self.kept[number].known[cell] {
            return false;
        }
        let Some(inspects) = &program.memos[number].inspects else { return true };
        let (sites, stamp) = &mut self.kept[number].inspected[cell];
        let holds = self.state.puts.spare(*stamp, *sites, inspects.whole);
        if holds {
            *stamp = self.state.puts.restamp(*stamp);
            self.looked = self.looked.or(*sites);
        }
        holds
    }

    pub(super) fn kept_number(&mut self, memo: u16, args: &'a [Number<W>]) -> i64 {
        let cell = self.memo(memo, args);
        entry(&self.kept[usize::from(memo)].numbers, cell)
    }

    pub(super) fn kept_set(&mut self, memo: u16, args: &'a [Number<W>]) -> W {
        let cell = self.memo(memo, args);
        entry(&self.kept[usize::from(memo)].sets, cell)
    }
}
