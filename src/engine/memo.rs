//! Cached values of definitions, valid until something they depend on changes.

use super::puts::Seen;
use super::run::Run;
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::{Body, Number, Program, Set, cells};

/// The cached values of one definition.
#[derive(Clone, Debug)]
pub(super) struct Kept<W> {
    /// Which of them are valid.
    known: Vec<bool>,
    numbers: Vec<i64>,
    sets: Vec<W>,
    /// What each value depends on, where pieces on sites tell whether it holds, and its stamp.
    inspected: Vec<(Seen<W>, u64)>,
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
                inspected: vec![(Seen::NOTHING, 0); if memo.inspects.is_some() { cells } else { 0 }],
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
            let value = to_index(value);
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
        let compared = std::mem::replace(&mut self.compared, (W::NONE, 0));
        for local in def.inspects.iter().flat_map(|inspects| &inspects.sites) {
            self.looked.insert(to_index(self.local(*local)));
        }
        let (value, set) = match &def.body {
            Body::Number(body) => (self.number(body), W::NONE),
            Body::Test(body) => (i64::from(self.test(body)), W::NONE),
            Body::Set(body) => (0, self.set(body)),
        };
        if let Some(inspects) = &def.inspects {
            let seen = Seen { sites: self.looked, compared: self.compared, whole: inspects.whole };
            let (stamp, lasts) = self.state.puts.stamp(&seen);
            if !lasts {
                cell = tried;
            }
            self.kept[number].inspected[cell] = (seen, stamp);
        }
        let kept = &mut self.kept[number];
        match &def.body {
            Body::Number(_) | Body::Test(_) => kept.numbers[cell] = value,
            Body::Set(_) => kept.sets[cell] = set,
        }
        // A value computed with an exhausted budget is meaningless.
        kept.known[cell] = self.steps > 0;
        self.looked = self.looked.or(outer);
        self.compare(compared);
        cell
    }

    /// Whether a cached value still holds. What was inspected for it then counts as inspected again.
    #[inline]
    fn holds(&mut self, number: usize, cell: usize) -> bool {
        let program = self.program;
        if !self.kept[number].known[cell] {
            return false;
        }
        if program.memos[number].inspects.is_none() {
            return true;
        }
        let (seen, stamp) = &mut self.kept[number].inspected[cell];
        let holds = self.state.puts.spare(*stamp, seen);
        if holds {
            *stamp = self.state.puts.restamp(*stamp);
            let seen = *seen;
            self.looked = self.looked.or(seen.sites);
            self.compare(seen.compared);
        }
        holds
    }

    /// Sites that were inspected for whether they are in indexes.
    #[inline]
    pub(super) fn compare(&mut self, (sites, indexes): (W, u64)) {
        self.compared = (self.compared.0.or(sites), self.compared.1 | indexes);
    }

    /// The value of a guard, and what it depends on; none if it is not known.
    pub(super) fn guard(&mut self, guard: u16) -> Option<(bool, Seen<W>)> {
        let cell = self.memo(guard, &[]);
        let kept = &self.kept[usize::from(guard)];
        let (value, (seen, _)) = (*kept.numbers.get(cell)? != 0, *kept.inspected.get(cell)?);
        kept.known[cell].then_some((value, seen))
    }

    /// The indexes that a set is made of, one bit each.
    pub(super) fn index_bits(&mut self, set: &'a Set<W>) -> u64 {
        let index = if let Set::Index(index) = set {
            *index
        } else if let Set::IndexByMe(indexes) = set {
            get_or_default(indexes, usize::from(self.state.me))
        } else if let Set::IndexBy(both) = set {
            let at = self.index(&both.0);
            get_or_default(&both.1, at)
        } else if let Set::Op(_, both) = set {
            return self.index_bits(&both.0) | self.index_bits(&both.1);
        } else {
            return 0;
        };
        1 << index
    }

    pub(super) fn kept_number(&mut self, memo: u16, args: &'a [Number<W>]) -> i64 {
        let cell = self.memo(memo, args);
        get_or_default(&self.kept[usize::from(memo)].numbers, cell)
    }

    pub(super) fn kept_set(&mut self, memo: u16, args: &'a [Number<W>]) -> W {
        let cell = self.memo(memo, args);
        get_or_default(&self.kept[usize::from(memo)].sets, cell)
    }
}
