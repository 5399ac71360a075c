//! Cached values of definitions, valid until something they depend on changes.

use super::run::Run;
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::{Body, Number, Program, cells};

/// The cached values of one definition.
#[derive(Clone, Debug)]
pub(super) struct Kept<W> {
    /// Which of them are valid.
    known: Vec<bool>,
    numbers: Vec<i64>,
    sets: Vec<W>,
}

impl<W: Word> Kept<W> {
    /// Empty caches.
    pub(super) fn all(program: &Program<W>) -> Vec<Self> {
        let empty = |memo: &crate::compile::program::Memo<W>| {
            let cells = cells(&memo.params, memo.seats);
            let set = matches!(memo.body, Body::Set(_));
            Self {
                known: vec![false; cells],
                numbers: vec![0; if set { 0 } else { cells }],
                sets: vec![W::NONE; if set { cells } else { 0 }],
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
        match self.kept[number].known.get(cell) {
            None => return OUTSIDE,
            Some(true) => return cell,
            Some(false) => {}
        }
        for (value, (local, _)) in values.iter().zip(&def.params) {
            self.set_local(*local, *value);
        }
        match &def.body {
            Body::Number(body) => self.kept[number].numbers[cell] = self.number(body),
            Body::Test(body) => self.kept[number].numbers[cell] = i64::from(self.test(body)),
            Body::Set(body) => self.kept[number].sets[cell] = self.set(body),
        }
        // A value computed with an exhausted budget is meaningless.
        self.kept[number].known[cell] = self.steps > 0;
        cell
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
