//! Straight rows of sites, precomputed for each known length.

use std::ops::ControlFlow;

use indexmap::IndexSet;

use super::lower::Lower;
use super::program::{Number, RowTable};
use crate::base::{SaturatingFrom, Word};

/// The maximum number of sites in the rows stored for one length.
const MOST: usize = 200_000;

/// How many sites are looked at for them: many more only where directions fork.
const LOOKED: u64 = 5_000_000;

impl<W: Word> Lower<'_, W> {
    /// The rows of a length; none if the length is not known, or a single site is a row.
    pub(super) fn row_table(&self, length: &Number<W>) -> Option<RowTable> {
        let topology = &self.game.topology;
        let Number::Const(length @ 2..) = length else { return None };
        let more = usize::saturating_from(*length) - 1;
        let mut starting: Vec<IndexSet<Vec<u16>>> = vec![IndexSet::new(); topology.sites.len()];
        let (mut kept, mut left) = (0, LOOKED);
        for direction in 0..topology.directions.len() {
            for start in 0..topology.sites.len() {
                let all = topology.each_row(
                    (direction, start),
                    more,
                    |_| true,
                    &mut left,
                    |line| {
                        let mut row: Vec<u16> =
                            line.iter().chain([&start]).map(|&site| u16::saturating_from(site)).collect();
                        row.sort_unstable();
                        // Each row once, at its lowest site, whichever direction it was found in.
                        let lowest = usize::from(row.remove(0));
                        if starting[lowest].insert(row) {
                            kept += more;
                        }
                        if kept > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    },
                );
                if all.is_break() {
                    return None;
                }
            }
        }
        let (mut from, mut end) = (vec![0], 0);
        for rows in &starting {
            end += rows.len() * more;
            from.push(u32::saturating_from(end));
        }
        Some(RowTable { from: from.into(), rest: starting.into_iter().flatten().flatten().collect(), more })
    }
}
