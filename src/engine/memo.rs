//! Cached values of definitions, valid until something they depend on changes.

use super::puts::Seen;
use super::run::Run;
use crate::base::{Word, get_or_default, to_index};
use crate::compile::program::{Body, Memo, Number, Program, Set, cells};

/// The cached values of one definition.
#[derive(Clone, Debug)]
pub(super) struct Kept<W> {
    /// Which of them are valid.
    known: Vec<bool>,
    numbers: Vec<i64>,
    sets: Vec<W>,
    /// What each value depends on, where pieces on sites tell whether it holds, and its stamp.
    inspected: Vec<(Seen<W>, u64)>,
    /// How each move that was tried out changes the key of the board.
    changes: Vec<u64>,
    /// Further reasons why a guard holds, found while moves were tried out: each with the place of the value.
    reasons: Vec<(usize, Seen<W>, u64)>,
}

/// The most further reasons kept for a guard.
const REASONS: usize = 8;

impl<W: Word> Kept<W> {
    /// Empty caches.
    pub(super) fn all(program: &Program<W>) -> Vec<Self> {
        let empty = |memo: &Memo<W>| {
            let cells = cells(&memo.params, memo.seats);
            let set = matches!(memo.body, Body::Set(_));
            // Values of a move that is tried out have cells of their own.
            let cells = if memo.inspects.is_some() { 2 * cells } else { cells };
            Self {
                known: vec![false; cells],
                numbers: vec![0; if set { 0 } else { cells }],
                sets: vec![W::NONE; if set { cells } else { 0 }],
                inspected: vec![(Seen::NOTHING, 0); if memo.inspects.is_some() { cells } else { 0 }],
                changes: vec![0; if matches!(memo.body, Body::Trial) { cells } else { 0 }],
                reasons: Vec::with_capacity(if memo.guard { REASONS } else { 0 }),
            }
        };
        program.memos.iter().map(empty).collect()
    }
}

impl<W: Word> Kept<W> {
    /// Keeps a further reason, in place of the oldest if there are many.
    fn learn(&mut self, reason: (usize, Seen<W>, u64)) {
        if self.reasons.len() == REASONS {
            self.reasons.remove(0);
        }
        self.reasons.push(reason);
    }
}

impl<'a, W: Word> Run<'a, W> {
    /// The index of a definition's value, computed if it is not cached; beyond the table if the arguments are out of
    /// range.
    #[inline]
    fn memo(&mut self, memo: u16, args: &'a [Number<W>]) -> usize {
        const OUTSIDE: usize = usize::MAX;
        let number = usize::from(memo);
        let program = self.program;
        let def = &program.memos[number];
        if self.state.fresh & 1 << number == 0 {
            self.renew(number);
        }
        let mut cell = if def.seats.is_some() { usize::from(self.state.me) } else { 0 };
        for (arg, (_, size)) in args.iter().zip(&def.params) {
            let value = self.index(arg);
            if value >= *size {
                return OUTSIDE;
            }
            cell = cell * size + value;
        }
        let kept = &self.kept[number];
        let Some(&known) = kept.known.get(cell) else { return OUTSIDE };
        if known && (kept.inspected.is_empty() || self.holds(number, cell)) {
            return cell;
        }
        self.worked_out(number, def, cell)
    }

    /// Whether the outcome of a trial made before still stands.
    pub(super) fn kept_trial(&mut self, number: usize, cell: usize) -> bool {
        if self.state.fresh & 1 << number == 0 {
            self.renew(number);
        }
        self.holds(number, cell)
    }

    /// Keeps the outcome of a trial that has just been taken back.
    pub(super) fn keep_trial(&mut self, number: usize, cell: usize, holds: bool, change: u64) {
        let Some(inspects) = &self.program.memos[number].inspects else { return };
        let seen = Seen { sites: self.looked, compared: self.compared, whole: inspects.whole };
        let (stamp, _) = self.state.puts.stamp(&seen);
        let kept = &mut self.kept[number];
        kept.inspected[cell] = (seen, stamp);
        kept.numbers[cell] = i64::from(holds);
        kept.changes[cell] = change;
        kept.known[cell] = self.steps > 0;
    }

    /// The outcome of a trial: whether the guards held, and how the key of the board changed.
    pub(super) fn outcome_of_trial(&self, number: usize, cell: usize) -> (bool, u64) {
        let kept = &self.kept[number];
        (kept.numbers[cell] != 0, kept.changes[cell])
    }

    /// A definition's values were made invalid.
    #[inline(never)]
    fn renew(&mut self, number: usize) {
        self.kept[number].known.fill(false);
        self.kept[number].reasons.clear();
        self.state.fresh |= 1 << number;
    }

    /// Works out a definition's value; where it is kept.
    #[inline(never)]
    fn worked_out(&mut self, number: usize, def: &'a Memo<W>, mut cell: usize) -> usize {
        let tried = cell + self.kept[number].known.len() / 2;
        let tries = def.inspects.is_some() && self.state.puts.tries();
        if tries && (self.holds(number, tried) || def.guard && self.holds_otherwise(number, cell, tried)) {
            return tried;
        }
        let mut values = cell;
        for (local, size) in def.params.iter().rev() {
            self.set_local(*local, super::eval::count(values % size));
            values /= size;
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
            Body::Trial => (0, W::NONE),
        };
        if let Some(inspects) = &def.inspects {
            let seen = Seen { sites: self.looked, compared: self.compared, whole: inspects.whole };
            let (stamp, lasts) = self.state.puts.stamp(&seen);
            if def.guard && tries && lasts && value != 0 && self.steps > 0 {
                self.kept[number].learn((cell, seen, stamp));
                self.learnt += 1;
            }
            if !lasts || def.guard && tries {
                cell = tried;
            }
            self.kept[number].inspected[cell] = (seen, stamp);
        }
        let kept = &mut self.kept[number];
        match &def.body {
            Body::Number(_) | Body::Test(_) | Body::Trial => kept.numbers[cell] = value,
            Body::Set(_) => kept.sets[cell] = set,
        }
        // A value computed with an exhausted budget is meaningless.
        kept.known[cell] = self.steps > 0;
        self.looked = self.looked.or(outer);
        self.compare(compared);
        cell
    }

    /// Whether a guard holds for another reason than before; it then becomes the one of the move that is tried out.
    fn holds_otherwise(&mut self, number: usize, cell: usize, tried: usize) -> bool {
        let kept = &mut self.kept[number];
        let puts = &self.state.puts;
        let found = kept.reasons.iter().find(|(of, seen, stamp)| *of == cell && puts.spare(*stamp, seen));
        let Some(&(_, seen, stamp)) = found else { return false };
        (kept.known[tried], kept.numbers[tried], kept.inspected[tried]) = (true, 1, (seen, stamp));
        self.looked = self.looked.or(seen.sites);
        self.compare(seen.compared);
        true
    }

    /// A further reason why a guard holds, other than `known` before it; those that no longer are one are dropped.
    pub(super) fn reason(&mut self, guard: u16, known: usize) -> Option<Seen<W>> {
        let number = usize::from(guard);
        let at = if self.program.memos[number].seats.is_some() { usize::from(self.state.me) } else { 0 };
        let kept = &mut self.kept[number];
        let puts = &self.state.puts;
        kept.reasons.retain_mut(|(_, seen, stamp)| {
            let holds = puts.spare(*stamp, seen);
            if holds {
                *stamp = puts.restamp(*stamp);
            }
            holds
        });
        kept.reasons.iter().filter(|(of, ..)| *of == at).nth(known).map(|(_, seen, _)| *seen)
    }

    /// Whether a cached value still holds. What was inspected for it then counts as inspected again.
    #[inline]
    fn holds(&mut self, number: usize, cell: usize) -> bool {
        let kept = &mut self.kept[number];
        if !kept.known[cell] {
            return false;
        }
        let (seen, stamp) = &mut kept.inspected[cell];
        let holds = self.state.puts.spare(*stamp, seen);
        if holds {
            *stamp = self.state.puts.restamp(*stamp);
            let (sites, compared) = (seen.sites, seen.compared);
            self.looked = self.looked.or(sites);
            self.compare(compared);
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
