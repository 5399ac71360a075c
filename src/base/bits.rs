//! Bitsets.
//!
//! Every finite type of the language (sites, seats, directions, kinds, members of an enum) numbers its values from 0,
//! so a set of them is a bitset. Up to 256 values need no allocation.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::get_or_default;

/// A set of small numbers. Equality ignores trailing zero words.
#[derive(Clone, Default)]
pub struct Bits {
    words: SmallVec<[u64; 4]>,
}

impl Bits {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many words it takes: one for every 64 numbers up to the greatest.
    #[must_use]
    pub fn width(&self) -> usize {
        self.words.len()
    }

    /// The set `0..n`.
    #[must_use]
    pub fn all(n: usize) -> Self {
        let mut words = SmallVec::from_elem(u64::MAX, n / 64);
        if !n.is_multiple_of(64) {
            words.push((1 << (n % 64)) - 1);
        }
        Self { words }
    }

    /// A singleton.
    #[must_use]
    pub fn one(n: usize) -> Self {
        let mut bits = Self::new();
        bits.insert(n);
        bits
    }

    /// Adds a number; true if it was not in the set.
    pub fn insert(&mut self, n: usize) -> bool {
        let (word, bit) = (n / 64, 1u64 << (n % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Removes a number.
    pub fn remove(&mut self, n: usize) {
        if let Some(word) = self.words.get_mut(n / 64) {
            *word &= !(1u64 << (n % 64));
        }
    }

    /// Whether the number is in the set.
    #[must_use]
    pub fn contains(&self, n: usize) -> bool {
        self.words.get(n / 64).is_some_and(|word| word & (1u64 << (n % 64)) != 0)
    }

    /// The size of the set.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The smallest number, if any.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }

    /// Adds all numbers of the other set.
    pub fn unite(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Keeps only numbers that are also in the other set.
    pub fn intersect(&mut self, other: &Self) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= get_or_default(&other.words, index);
        }
    }

    /// Removes all numbers of the other set.
    pub fn subtract(&mut self, other: &Self) {
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// Whether this is a subset of the other set.
    #[must_use]
    pub fn within(&self, other: &Self) -> bool {
        self.words.iter().enumerate().all(|(i, &word)| word & !get_or_default(&other.words, i) == 0)
    }

    /// Whether the sets intersect.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    fn trimmed(&self) -> &[u64] {
        let idle = self.words.iter().rev().take_while(|word| **word == 0).count();
        &self.words[..self.words.len() - idle]
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut bits = Self::new();
        for n in numbers {
            bits.insert(n);
        }
        bits
    }
}

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.trimmed() == other.trimmed()
    }
}

impl Eq for Bits {}

impl Hash for Bits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.trimmed().hash(state);
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bits {
    fn cmp(&self, other: &Self) -> Ordering {
        self.trimmed().cmp(other.trimmed())
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_ignores_trailing_words() {
        let mut a = Bits::one(200);
        a.remove(200);
        assert_eq!(a, Bits::new());
        assert!(a.is_empty());
    }

    #[test]
    fn algebra() {
        let (a, b): (Bits, Bits) = ([1, 70, 130].into_iter().collect(), [70, 300].into_iter().collect());
        let mut both = a.clone();
        both.intersect(&b);
        assert_eq!(both, Bits::one(70));
        let mut rest = a.clone();
        rest.subtract(&b);
        assert_eq!(rest.iter().collect::<Vec<_>>(), [1, 130]);
        assert!(both.within(&a) && both.within(&b) && a.meets(&b) && !rest.meets(&b));
    }
}
