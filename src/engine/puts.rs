//! Where pieces were put lately, so that what was computed before can be held against it.

use crate::base::Word;

/// The longest record: what was computed before it counts as changed.
const MOST: usize = 64;

/// What a value depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<W> {
    /// Sites, whatever is put there.
    pub sites: W,
    /// Sites, if they come into one of the indexes or leave it.
    pub compared: (W, u64),
    /// Indexes as a whole, one bit each.
    pub whole: u64,
}

impl<W: Word> Seen<W> {
    /// Nothing.
    pub(super) const NOTHING: Self = Self { sites: W::NONE, compared: (W::NONE, 0), whole: 0 };

    /// Some sites.
    pub(super) fn at(sites: W) -> Self {
        Self { sites, ..Self::NOTHING }
    }

    #[inline]
    fn is_changed(&self, put: &Put) -> bool {
        self.sites.contains(put.site)
            || put.indexes & self.whole != 0
            || put.indexes & self.compared.1 != 0 && self.compared.0.contains(put.site)
    }
}

/// A change of the piece on a site.
#[derive(Clone, Copy, Debug)]
struct Put {
    number: u64,
    site: usize,
    /// The maintained indexes that lost or gained the site, one bit each.
    indexes: u64,
}

/// The latest changes of pieces on sites. Each has a number that is never given twice; a value is stamped with the
/// number of the last change it has seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Puts {
    latest: Vec<Put>,
    /// The numbers given so far.
    given: u64,
    /// The number of the change before the first of the latest.
    floor: u64,
    /// The number of the last change before a move is tried out.
    base: Option<u64>,
}

/// Where a trial begins, and what the one around it began with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    from: u64,
    outer: Option<u64>,
}

impl Puts {
    /// A piece was put on a site or taken off it.
    #[inline]
    pub(super) fn note(&mut self, site: usize, indexes: u64) {
        if self.latest.len() == MOST {
            self.floor = self.latest[MOST / 2 - 1].number;
            self.latest.drain(..MOST / 2);
        }
        self.given += 1;
        self.latest.push(Put { number: self.given, site, indexes });
    }

    /// Anything may have changed.
    pub(super) fn forget(&mut self) {
        self.latest.clear();
        self.given += 1;
        self.floor = self.given;
        self.base = None;
    }

    /// The number of the last change.
    #[inline]
    fn last(&self) -> u64 {
        match self.latest.last() {
            Some(put) => put.number,
            None => self.floor,
        }
    }

    /// What follows is taken back.
    pub(super) fn try_out(&mut self) -> Trial {
        let from = self.last();
        let outer = self.base;
        self.base = outer.or(Some(from));
        Trial { from, outer }
    }

    /// All changes since a trial began have been taken back.
    pub(super) fn take_back(&mut self, trial: Trial) {
        while self.latest.last().is_some_and(|put| put.number > trial.from) {
            self.latest.pop();
        }
        if self.last() != trial.from {
            self.forget();
        }
        self.base = trial.outer;
    }

    /// Whether no change after one with a number concerns what a value depends on.
    #[inline]
    pub(super) fn spare<W: Word>(&self, since: u64, seen: &Seen<W>) -> bool {
        self.last() == since || self.spare_since(since, seen)
    }

    fn spare_since<W: Word>(&self, since: u64, seen: &Seen<W>) -> bool {
        for put in self.latest.iter().rev() {
            if put.number <= since {
                return put.number == since;
            }
            if seen.is_changed(put) {
                return false;
            }
        }
        self.floor == since
    }

    /// The latest stamp of a value that holds, outside of trials.
    #[inline]
    pub(super) fn restamp(&self, stamp: u64) -> u64 {
        match self.base {
            Some(base) => stamp.max(base),
            None => self.last(),
        }
    }

    /// Whether a move is being tried out.
    #[inline]
    pub(super) fn tries(&self) -> bool {
        self.base.is_some()
    }

    /// The stamp of a value that this settles, and whether it outlives the trial, if there is one.
    #[inline]
    pub(super) fn stamp<W: Word>(&self, seen: &Seen<W>) -> (u64, bool) {
        match self.base {
            Some(base) if self.spare(base, seen) => (base, true),
            Some(_) => (self.last(), false),
            None => (self.last(), true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Word64;

    fn seen(numbers: &[usize], whole: u64) -> Seen<Word64> {
        Seen { whole, ..Seen::at(numbers.iter().copied().collect()) }
    }

    #[test]
    fn a_value_holds_until_what_it_depends_on_changes() {
        let mut puts = Puts::default();
        let stamp = puts.stamp(&seen(&[3, 4], 0b10)).0;
        puts.note(5, 0b01);
        assert!(puts.spare(stamp, &seen(&[3, 4], 0b10)));
        assert!(!puts.spare(stamp, &seen(&[3, 5], 0)), "a site");
        assert!(!puts.spare(stamp, &seen(&[3], 0b01)), "an index");
        let later = puts.stamp(&seen(&[5], 0)).0;
        assert!(puts.spare(later, &seen(&[5], 0)));
    }

    #[test]
    fn a_site_that_was_compared_changes_with_the_indexes() {
        let mut puts = Puts::default();
        let seen = Seen { compared: ([3, 4].into_iter().collect::<Word64>(), 0b100), ..Seen::NOTHING };
        let stamp = puts.stamp(&seen).0;
        puts.note(3, 0b011);
        assert!(puts.spare(stamp, &seen), "another index");
        puts.note(5, 0b100);
        assert!(puts.spare(stamp, &seen), "another site");
        puts.note(4, 0b110);
        assert!(!puts.spare(stamp, &seen));
    }

    #[test]
    fn values_of_a_trial_outlive_it_only_if_it_did_not_touch_them() {
        let mut puts = Puts::default();
        puts.note(1, 0);
        let trial = puts.try_out();
        puts.note(2, 0);
        let (touched, spared) = (puts.stamp(&seen(&[2], 0)).0, puts.stamp(&seen(&[7], 0)).0);
        assert!(puts.spare(touched, &seen(&[2], 0)) && puts.spare(spared, &seen(&[7], 0)));
        puts.note(2, 0);
        puts.take_back(trial);
        assert!(!puts.spare(touched, &seen(&[2], 0)));
        assert!(puts.spare(spared, &seen(&[7], 0)));
        puts.note(8, 0);
        assert!(!puts.spare(touched, &seen(&[2], 0)), "not even after more changes");
        assert!(puts.spare(spared, &seen(&[7], 0)));
    }

    #[test]
    fn what_is_older_than_the_record_has_changed() {
        let mut puts = Puts::default();
        let old = puts.stamp(&seen(&[3], 0)).0;
        for _ in 0..=MOST {
            puts.note(5, 0);
        }
        assert!(!puts.spare(old, &seen(&[3], 0)));
        let stamp = puts.stamp(&seen(&[3], 0)).0;
        let trial = puts.try_out();
        for _ in 0..=MOST {
            puts.note(5, 0);
        }
        puts.take_back(trial);
        assert!(!puts.spare(stamp, &seen(&[3], 0)), "the trial has pushed out what went before");
    }
}
