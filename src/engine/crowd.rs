//! Walkers: partial ways, each once.

use std::collections::HashSet;

use super::ways::Ends;
use crate::base::Word;

/// Up to this many walkers are searched linearly.
const FEW: usize = 16;

/// A walker: a partial way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker<W> {
    pub(super) to: u16,
    pub(super) taken: W,
    /// The index of its last step among all recorded steps, from 1; 0 for none.
    pub(super) trail: u32,
}

/// Walkers in order of arrival, distinct by site and by what they took.
#[derive(Clone, Debug, Default)]
pub(super) struct Walkers<W> {
    pub(super) walkers: Vec<Walker<W>>,
    /// The same as a set, once there are many.
    pub(super) seen: HashSet<Ends<W>>,
}

impl<W: Word> Walkers<W> {
    /// Adds a walker; false if it was there.
    pub(super) fn add(&mut self, walker: Walker<W>) -> bool {
        let ends = (walker.to, walker.taken);
        let new = if self.walkers.len() <= FEW {
            !self.walkers.iter().any(|other| (other.to, other.taken) == ends)
        } else {
            if self.seen.is_empty() {
                self.seen.extend(self.walkers.iter().map(|walker| (walker.to, walker.taken)));
            }
            self.seen.insert(ends)
        };
        if new {
            self.walkers.push(walker);
        }
        new
    }
}
