//! The table of whole positions, with their numbers and bounds.

use crate::base::SaturatingFrom;
use xxhash_rust::xxh3::xxh3_64;

use super::GameValue;

/// An empty place.
const FREE: u32 = u32::MAX;

/// How many bytes of keys lie together.
const CHUNK: usize = 1 << 20;

/// How many entries lie together.
const BLOCK: usize = 1 << 12;

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where its key lies.
    key: u64,
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

/// Keys one after another, each with its length before it. They lie in pieces, so that nothing is ever copied to grow:
/// then more than the limit would be needed for a while.
#[derive(Debug, Default)]
struct Keys {
    chunks: Vec<Vec<u8>>,
    /// The room of all chunks.
    bytes: usize,
}

impl Keys {
    /// How many bytes more another key of this length would take.
    fn growth(&self, length: usize) -> usize {
        let needed = length + size_of::<u32>();
        let fits = self.chunks.last().is_some_and(|last| last.len() + needed <= CHUNK);
        if fits { 0 } else { needed.max(CHUNK) }
    }

    fn push(&mut self, key: &[u8]) -> u64 {
        let grown = self.growth(key.len());
        if grown > 0 {
            self.chunks.push(Vec::with_capacity(grown));
            self.bytes += grown;
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let begin = chunk.len();
        chunk.extend(u32::saturating_from(key.len()).to_le_bytes());
        chunk.extend_from_slice(key);
        (number * CHUNK + begin) as u64
    }

    fn get(&self, at: u64) -> &[u8] {
        let at = usize::saturating_from(at);
        let found = self.chunks.get(at / CHUNK).and_then(|chunk| chunk.get(at % CHUNK..));
        let Some((length, rest)) = found.and_then(<[u8]>::split_first_chunk) else { return &[] };
        rest.get(..u32::from_le_bytes(*length) as usize).unwrap_or_default()
    }
}

/// A table without replacement. Positions are equal if all their bytes are; the hash only says where to look.
#[derive(Debug, Default)]
pub(super) struct Table {
    keys: Keys,
    entries: Vec<Vec<Entry>>,
    /// How many entries there are.
    length: usize,
    /// Numbers of entries by hash, with open addressing.
    places: Vec<u32>,
}

impl Table {
    /// The number of positions stored.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Whether another key of this length would make it exceed `limit` bytes.
    pub(super) fn full(&self, key: usize, limit: u64) -> bool {
        let bytes = self.keys.bytes + self.keys.growth(key);
        let entries = (self.length / BLOCK + 1) * BLOCK * size_of::<Entry>();
        let places = if self.crowded() { self.grown() } else { self.places.len() } * size_of::<u32>();
        (bytes + entries + places) as u64 > limit
    }

    /// Whether another position requires more places.
    fn crowded(&self) -> bool {
        (self.length + 1) * 4 > self.places.len() * 3
    }

    /// How many places there are next.
    fn grown(&self) -> usize {
        (self.places.len() * 2).max(1024)
    }

    pub(super) fn entry(&mut self, number: u32) -> Option<&mut Entry> {
        let number = number as usize;
        self.entries.get_mut(number / BLOCK).and_then(|block| block.get_mut(number % BLOCK))
    }

    fn key(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let entry = self.entries.get(number / BLOCK).and_then(|block| block.get(number % BLOCK));
        entry.map_or(&[], |entry| self.keys.get(entry.key))
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
        let grown = self.grown();
        // The old ones go first, so that both are never there together.
        self.places = Vec::new();
        self.places = vec![FREE; grown];
        for number in 0..u32::saturating_from(self.length) {
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
        let number = u32::saturating_from(self.length).min(FREE - 1);
        let key = self.keys.push(key);
        if self.length.is_multiple_of(BLOCK) {
            self.entries.push(Vec::with_capacity(BLOCK));
        }
        if let Some(block) = self.entries.last_mut() {
            block.push(Entry { key, lower: GameValue::LEAST, upper: GameValue::MOST, best: u32::MAX, open: false });
        }
        self.length += 1;
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

    /// Keys that fill a chunk, or are longer than one, are found as well, and what they take is counted before.
    #[test]
    fn long_keys_lie_in_chunks_of_their_own() {
        let mut table = Table::default();
        let lengths = [CHUNK / 2, CHUNK - 4, 3 * CHUNK, 0, CHUNK / 2 - 8, 1];
        let keys: Vec<Vec<u8>> = (1..).zip(lengths).map(|(n, length)| vec![n; length]).collect();
        for (at, key) in keys.iter().enumerate() {
            let now = table.keys.bytes;
            let grown = table.keys.growth(key.len());
            assert_eq!(table.number(key), (u32::saturating_from(at), true));
            assert_eq!(table.keys.bytes, now + grown);
        }
        let found: Vec<Option<u32>> = keys.iter().map(|key| table.find(key)).collect();
        assert_eq!(found, (0..6).map(Some).collect::<Vec<_>>());
        assert!(table.full(CHUNK, 6 << 20) && !table.full(CHUNK, 8 << 20));
    }
}
