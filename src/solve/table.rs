//! The table of whole positions, with their numbers and bounds.

use crate::base::SaturatingFrom;
use xxhash_rust::xxh3::xxh3_64;

use super::GameValue;

/// An empty place.
const FREE: u32 = u32::MAX;

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where its bytes end; they begin where those of the previous entry end.
    end: u64,
    /// The lower bound on its value.
    pub(super) lower: GameValue,
    /// The upper bound on its value.
    pub(super) upper: GameValue,
    /// The answer that proved the latest bound; the greatest number if none is proven.
    pub(super) best: u32,
    /// Whether it is on the current path.
    pub(super) open: bool,
}

impl Entry {
    /// The bound that decides whether its value reaches the bar; none if neither does. A position on the current path
    /// is never decided.
    pub(super) fn settled(&self, bar: GameValue) -> Option<GameValue> {
        let low = (self.lower >= bar).then_some(self.lower);
        let high = || (self.upper < bar).then_some(self.upper);
        if self.open { None } else { low.or_else(high) }
    }
}

/// A table without replacement. Positions are equal if all their bytes are; the hash only says where to look.
#[derive(Debug, Default)]
pub(super) struct Table {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Numbers of entries by hash, with open addressing.
    places: Vec<u32>,
}

impl Table {
    /// The number of positions stored.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether another key of this length would make it exceed `upper` bytes.
    pub(super) fn full(&self, key: usize, limit: u64) -> bool {
        let grown = |length: usize, capacity: usize| if length > capacity { capacity * 2 } else { capacity };
        let bytes = grown(self.bytes.len() + key, self.bytes.capacity());
        let entries = grown(self.entries.len() + 1, self.entries.capacity()) * size_of::<Entry>();
        let places = if self.crowded() { self.places.len() * 2 } else { self.places.len() } * size_of::<u32>();
        (bytes + entries + places) as u64 > limit
    }

    /// Whether another position requires it to grow.
    fn crowded(&self) -> bool {
        (self.entries.len() + 1) * 4 > self.places.len() * 3
    }

    pub(super) fn entry(&mut self, number: u32) -> Option<&mut Entry> {
        self.entries.get_mut(number as usize)
    }

    fn key(&self, number: u32) -> &[u8] {
        let end = |number: usize| usize::saturating_from(self.entries[number].end);
        let number = number as usize;
        let begin = if number == 0 { 0 } else { end(number - 1) };
        self.bytes.get(begin..end(number)).unwrap_or_default()
    }

    /// The place of a key, or where it would be inserted.
    fn place(&self, key: &[u8]) -> usize {
        let mask = self.places.len() - 1;
        let mut at = usize::saturating_from(xxh3_64(key) & mask as u64);
        while self.places[at] != FREE && self.key(self.places[at]) != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        self.places = vec![FREE; (self.places.len() * 2).max(1024)];
        for number in 0..u32::try_from(self.entries.len()).unwrap_or(FREE) {
            let at = self.place(self.key(number));
            self.places[at] = number;
        }
    }

    /// The number of a position, if it has one.
    pub(super) fn find(&self, key: &[u8]) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let found = self.places[self.place(key)];
        (found != FREE).then_some(found)
    }

    /// The number of a position, inserting it if it is new, and whether it is.
    pub(super) fn number(&mut self, key: &[u8]) -> (u32, bool) {
        if self.crowded() {
            self.grow();
        }
        let at = self.place(key);
        if self.places[at] != FREE {
            return (self.places[at], false);
        }
        // Memory runs out long before the numbers: an entry takes more than 40 bytes.
        let number = u32::try_from(self.entries.len()).unwrap_or(FREE - 1);
        self.bytes.extend_from_slice(key);
        let end = self.bytes.len() as u64;
        self.entries.push(Entry { end, lower: GameValue::LEAST, upper: GameValue::MOST, best: u32::MAX, open: false });
        self.places[at] = number;
        (number, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers are given in order and found again, whatever prefixes keys share.
    #[test]
    fn keys_are_compared_whole() {
        let mut table = Table::default();
        let keys: Vec<Vec<u8>> = (0..5000_u32).map(|n| n.to_le_bytes()[..=n as usize % 4].to_vec()).collect();
        let mut known: Vec<Vec<u8>> = Vec::new();
        for key in &keys {
            let expected = known.iter().position(|other| other == key);
            let (number, new) = table.number(key);
            assert_eq!((number as usize, new), (expected.unwrap_or(known.len()), expected.is_none()));
            if new {
                known.push(key.clone());
            }
        }
        assert_eq!(table.len(), known.len());
        assert!(known.len() > 1000);
    }
}
