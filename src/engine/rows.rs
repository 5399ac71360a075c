//! Board functions: straight rows of sites.

use super::run::Run;
use crate::base::Word;
use crate::compile::program::{RowTable, Set};

/// So many rows are looked at in about a step.
const ROWS: usize = 8;

impl<'a, W: Word> Run<'a, W> {
    pub(super) fn between(&mut self, a: usize, b: usize) -> W {
        let (between, looked) = self.game.topology.between(a, b);
        self.steps = self.steps.saturating_sub(looked);
        between.iter().collect()
    }

    /// What is found of the rows of a table in a set.
    pub(super) fn rows_known<T>(&mut self, set: &'a Set<W>, rows: &RowTable, find: impl Fn(W, &RowTable) -> T) -> T {
        let set = self.set(set);
        let looked: usize = set.iter().map(|start| rows.count_from(start)).sum();
        self.went_from((set.count() + looked / ROWS) as u64);
        find(set, rows)
    }

    /// The sites of the set that belong to a straight row of at least `length` sites in it; those of one row if `one` is
    /// enough.
    pub(super) fn rows(&mut self, set: W, length: i64, one: bool) -> W {
        let found = self.game.topology.rows(&set.to_bits(), length, one, &mut self.steps);
        found.iter().collect()
    }
}

/// Whether the set contains a row.
pub(super) fn has_row<W: Word>(set: W, rows: &RowTable) -> bool {
    set.iter().any(|start| rows.from(start).any(|row| lies_in(set, row)))
}

/// The union of all rows contained in the set.
pub(super) fn in_rows<W: Word>(set: W, rows: &RowTable) -> W {
    let mut all = W::NONE;
    for start in set.iter() {
        for row in rows.from(start).filter(|row| lies_in(set, row)) {
            all.insert(start);
            all = all.or(row.iter().map(|&site| usize::from(site)).collect());
        }
    }
    all
}

fn lies_in<W: Word>(set: W, row: &[u16]) -> bool {
    row.iter().all(|&site| set.contains(usize::from(site)))
}
