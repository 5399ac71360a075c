//! Straight rows of sites.

use std::ops::ControlFlow;

use super::Topology;
use crate::base::{Bits, SaturatingFrom};

/// It takes a step to look whether there is a row in a direction at so many sites, or in so many directions at a site, or to
/// follow so many links of a graph, of which a site may have hundreds in one direction.
pub(crate) const AT_ONCE: u64 = 16;

/// A row that is found is added to a set, which costs one more step for so many sites of the boards.
const SITES_A_ROW: u64 = 512;

impl Topology {
    /// Visits each straight row that begins at a site and goes through so many more that are `inside`, as those sites in
    /// order. A row takes each way a direction forks, never turns back and meets no site twice. Each site that is looked at is
    /// taken from `left`, and a row that is found for as much as it takes to look at it; where nothing is left, or `visit`
    /// says so, it ends.
    pub fn each_row(
        &self,
        (direction, start): (usize, usize),
        more: usize,
        inside: impl Fn(usize) -> bool,
        left: &mut u64,
        mut visit: impl FnMut(&[usize]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // The row so far, and how many of the steps beyond each of its sites were looked at.
        let (mut row, mut tried) = (vec![start], vec![0]);
        let mut met = Bits::one(start);
        while let (Some(&site), Some(at)) = (row.last(), tried.last_mut()) {
            let next = self.step(direction, site).get(*at).map(|&next| usize::from(next));
            let Some(next) = next.filter(|_| row.len() <= more) else {
                met.remove(site);
                row.pop();
                tried.pop();
                continue;
            };
            *at += 1;
            *left = left.saturating_sub(1);
            if *left == 0 {
                return ControlFlow::Break(());
            }
            if !inside(next) || met.contains(next) {
                continue;
            }
            row.push(next);
            tried.push(0);
            met.insert(next);
            if row.len() > more {
                *left = left.saturating_sub(more as u64);
                visit(&row[1..])?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The sites of a set that belong to a straight row of at least so many sites in it, or those of the first such row if
    /// `one` is enough.
    pub fn rows(&self, set: &Bits, length: i64, one: bool, left: &mut u64) -> Bits {
        if length <= 1 {
            return set.clone();
        }
        let (mut all, more, mut looked) = (Bits::new(), usize::saturating_from(length - 1), 0);
        for direction in 0..self.directions.len() {
            // On a graph of many directions most sites have no step in most of them.
            *left = left.saturating_sub((set.count() as u64).div_ceil(AT_ONCE));
            for start in set.iter().filter(|&site| !self.step(direction, site).is_empty()) {
                *left = left.saturating_sub(1);
                let found = self.each_row(
                    (direction, start),
                    more,
                    |site| set.contains(site),
                    left,
                    |row| {
                        looked += self.sites.len() as u64 / SITES_A_ROW;
                        all.insert(start);
                        all.unite(&row.iter().copied().collect());
                        if one { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    },
                );
                *left = left.saturating_sub(std::mem::take(&mut looked));
                if found.is_break() {
                    return all;
                }
            }
        }
        all
    }
}
