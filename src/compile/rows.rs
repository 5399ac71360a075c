//! Straight rows of sites, precomputed for each known length.

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
        let mut starting: Vec<Vec<Vec<u16>>> = vec![Vec::new(); topology.sites.len()];
        let (mut kept, mut left) = (0, LOOKED);
        for direction in 0..topology.directions.len() {
            for start in 0..topology.sites.len() {
                let lines = topology.lines((direction, start), more, |_| true, &mut left);
                if left == 0 {
                    return None;
                }
                for mut row in lines.into_iter().filter(|line| line.len() == more) {
                    row.push(start);
                    row.sort_unstable();
                    // Each row once, at its lowest site, whichever direction it was found in.
                    let rest: Vec<u16> = row[1..].iter().map(|&site| u16::saturating_from(site)).collect();
                    if !starting[row[0]].contains(&rest) {
                        kept += more;
                        starting[row[0]].push(rest);
                    }
                }
            }
            if kept > MOST {
                return None;
            }
        }
        let (mut from, mut end) = (vec![0], 0);
        for rows in &starting {
            end += rows.len() * more;
            from.push(u32::saturating_from(end));
        }
        Some(RowTable { from: from.into(), rest: starting.concat().concat().into(), more })
    }
}
