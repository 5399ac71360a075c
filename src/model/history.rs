//! Earlier positions, for repetition.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// At least so many positions are shared at a time.
const SHARED: usize = 32;

/// How many positions are looked through, or copied, in one step.
const ENTRIES_A_STEP: usize = 32;

/// A position of a history: the number of plies made, its key, and the keys of its parts.
pub type Entry<'a> = (u32, u64, &'a [u64]);

/// The keys of the positions at earlier questions of play, and of the one at the end of the game.
///
/// A game that is kept has a history for each of its positions, so these share their past ([`History::share`]): each has
/// few entries of its own. A history that is only played on keeps all in one place, without an allocation for each.
#[derive(Default)]
pub struct History {
    past: Option<Arc<Past>>,
    /// The last entries; empty only if there are none at all.
    recent: Entries,
}

/// Entries that are full, and those before them.
struct Past {
    before: Option<Arc<Past>>,
    entries: Entries,
    /// How many entries there are, with those before.
    length: usize,
}

/// Entries in order.
#[derive(Default, PartialEq, Eq)]
struct Entries {
    /// The number of plies made before each position; never decreasing.
    plies: Vec<u32>,
    keys: Vec<u64>,
    /// The keys of the separately counted parts of each position; 0 within a move.
    parts: Vec<u64>,
}

impl Clone for Entries {
    fn clone(&self) -> Self {
        Self { plies: self.plies.clone(), keys: self.keys.clone(), parts: self.parts.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.plies.clone_from(&other.plies);
        self.keys.clone_from(&other.keys);
        self.parts.clone_from(&other.parts);
    }
}

impl Entries {
    fn len(&self) -> usize {
        self.keys.len()
    }

    /// How many parts are counted per position.
    fn width(&self) -> usize {
        if self.keys.is_empty() { 0 } else { self.parts.len() / self.keys.len() }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator {
        let width = self.width();
        let parts = move |at: usize| self.parts.get(at * width..(at + 1) * width).unwrap_or(&[]);
        let both = self.plies.iter().zip(&self.keys).enumerate();
        both.map(move |(at, (&ply, &key))| (ply, key, parts(at)))
    }
}

impl Drop for Past {
    // Else dropping a long history would take one level of the call stack for each past.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut past) = next.and_then(Arc::into_inner) {
            next = past.before.take();
        }
    }
}

impl Clone for History {
    fn clone(&self) -> Self {
        Self { past: self.past.clone(), recent: self.recent.clone() }
    }

    // Called for every playout, so it reuses the allocation.
    fn clone_from(&mut self, other: &Self) {
        self.past.clone_from(&other.past);
        self.recent.clone_from(&other.recent);
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        let alike = match (&self.past, &other.past) {
            (None, None) => true,
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (_, _) => false,
        };
        if alike {
            return self.recent == other.recent;
        }
        self.len() == other.len() && self.backwards().eq(other.backwards())
    }
}

impl Eq for History {}

impl Hash for History {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.backwards().for_each(|entry| entry.hash(state));
    }
}

impl std::fmt::Debug for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl History {
    /// Adds a position with the keys of its parts. False, and nothing is added, if it has fewer plies than the one
    /// before.
    pub fn push(&mut self, ply: u32, key: u64, parts: impl IntoIterator<Item = u64>) -> bool {
        let follows = self.recent.plies.last().is_none_or(|before| *before <= ply);
        if follows {
            self.recent.plies.push(ply);
            self.recent.keys.push(key);
            self.recent.parts.extend(parts);
        }
        follows
    }

    /// From now on copies share all entries but few: for positions that are kept.
    pub fn share(&mut self) {
        if self.recent.len() > SHARED {
            let length = self.len() - 1;
            let recent = &mut self.recent;
            let at = recent.len() - 1;
            let width = recent.width();
            let last = Entries {
                plies: recent.plies.split_off(at),
                keys: recent.keys.split_off(at),
                parts: recent.parts.split_off(at * width),
            };
            let entries = std::mem::replace(recent, last);
            self.past = Some(Arc::new(Past { before: self.past.take(), entries, length }));
        }
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        let recent = &mut self.recent;
        recent.parts.truncate(recent.parts.len().saturating_sub(recent.width()));
        recent.plies.pop();
        recent.keys.pop();
        if recent.len() == 0
            && let Some(past) = self.past.take()
        {
            recent.clone_from(&past.entries);
            self.past.clone_from(&past.before);
        }
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let past = if let Some(past) = &self.past { past.length } else { 0 };
        past + self.recent.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recent.len() == 0
    }

    /// How many positions it shares with no other.
    #[must_use]
    pub fn unshared(&self) -> usize {
        self.recent.len()
    }

    /// How many bytes an entry takes.
    pub(super) fn entry_bytes(&self) -> usize {
        size_of::<u32>() + size_of::<u64>() * (1 + self.recent.width())
    }

    /// About how many bytes its entries take together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.len().saturating_mul(self.entry_bytes())
    }

    /// The last position.
    #[must_use]
    pub fn last(&self) -> Option<Entry<'_>> {
        self.recent.iter().next_back()
    }

    /// Groups of entries, the last ones first.
    fn groups(&self) -> impl Iterator<Item = &Entries> {
        let past = std::iter::successors(self.past.as_deref(), |past| past.before.as_deref());
        std::iter::once(&self.recent).chain(past.map(|past| &past.entries))
    }

    /// Each position, the last one first.
    fn backwards(&self) -> impl Iterator<Item = Entry<'_>> {
        self.groups().flat_map(|entries| entries.iter().rev())
    }

    /// How many steps it takes to look through it once.
    #[must_use]
    pub fn steps(&self) -> u64 {
        (self.len() / ENTRIES_A_STEP) as u64
    }

    /// How many steps it takes to find the positions at a ply.
    #[must_use]
    pub fn find_steps(&self) -> u64 {
        1 + (self.groups().count() / ENTRIES_A_STEP) as u64
    }

    /// How many steps it takes to copy it.
    #[must_use]
    pub fn copy_steps(&self) -> u64 {
        (self.unshared() / ENTRIES_A_STEP) as u64
    }

    /// How many positions have this key.
    #[must_use]
    pub fn count(&self, key: u64) -> usize {
        self.groups().map(|entries| entries.keys.iter().filter(|old| **old == key).count()).sum()
    }

    /// Whether a position with this key occurred at this ply.
    #[must_use]
    pub fn stood(&self, ply: u32, key: u64) -> bool {
        let later = self.groups().take_while(|entries| entries.plies.last().is_some_and(|last| *last >= ply));
        later.into_iter().any(|entries| {
            let at = entries.plies.partition_point(|before| *before < ply);
            let same = entries.plies[at..].iter().take_while(|before| **before == ply);
            same.zip(&entries.keys[at..]).any(|(_, old)| *old == key)
        })
    }

    /// The number of plies at which a part has had this key, including ply `now`, at which it has it.
    #[must_use]
    pub fn count_part(&self, part: usize, key: u64, now: u32) -> usize {
        let mut count = 1;
        let mut last = now;
        for (ply, _, parts) in self.backwards() {
            if ply != last && parts.get(part) == Some(&key) {
                (count, last) = (count + 1, ply);
            }
        }
        count
    }

    /// Each position in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        let groups: Vec<&Entries> = self.groups().collect();
        groups.into_iter().rev().flat_map(Entries::iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history and the same as a plain list.
    fn long(count: u32, share: bool) -> (History, Vec<(u32, u64)>) {
        let (mut history, mut list) = (History::default(), Vec::new());
        for number in 0..count {
            let (ply, key) = (number / 2, u64::from(number % 7));
            assert!(history.push(ply, key, [key + 100]));
            if share {
                history.share();
            }
            list.push((ply, key));
        }
        (history, list)
    }

    fn plain(history: &History) -> Vec<(u32, u64)> {
        history.iter().map(|(ply, key, _)| (ply, key)).collect()
    }

    #[test]
    fn a_history_is_a_list() {
        for (count, share) in [0, 1, 32, 33, 34, 65, 66, 200].map(|count| [(count, true), (count, false)]).concat() {
            let (mut history, mut list) = long(count, share);
            assert_eq!((plain(&history), history.len()), (list.clone(), list.len()));
            assert_eq!(history.count(3), list.iter().filter(|(_, key)| *key == 3).count());
            for ply in 0..count / 2 + 2 {
                assert_eq!(history.stood(ply, 3), list.contains(&(ply, 3)), "{count} {ply}");
            }
            // No key comes twice at one ply.
            assert_eq!(history.count_part(0, 103, u32::MAX), 1 + history.count(3));
            while let Some((ply, key)) = list.pop() {
                assert_eq!(history.last(), Some((ply, key, &[key + 100][..])));
                history.pop();
                assert_eq!(plain(&history), list);
                let again = u32::try_from(list.len()).expect("short");
                assert_eq!(history, long(again, !share).0);
            }
            assert!(history.is_empty());
        }
    }

    #[test]
    fn copies_share_their_past() {
        let (history, _) = long(10_000, true);
        let mut other = history.clone();
        assert!(other.unshared() <= SHARED && history == other);
        assert_eq!(history, long(10_000, false).0);
        let both = (history.past.as_ref().expect("long"), other.past.as_ref().expect("long"));
        assert!(Arc::ptr_eq(both.0, both.1));
        other.push(u32::MAX, 1, [0]);
        assert_ne!(history, other);
        assert_ne!(plain(&history), plain(&other));
    }

    #[test]
    fn a_long_history_is_dropped() {
        let (history, _) = long(3_000_000, true);
        let other = history.clone();
        drop(history);
        assert_eq!(other.len(), 3_000_000);
    }
}
