//! Small sets of fixed width.

use std::fmt;

use super::Bits;

/// A set of numbers below `64 * N` in `N` machine words: copied like a number,
/// nothing on the heap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Words<const N: usize>([u64; N]);

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<const N: usize> Words<N> {
    /// The empty set.
    pub const NONE: Self = Self([0; N]);

    /// How many numbers there is room for.
    pub const ROOM: usize = 64 * N;

    /// The set `0..n`, as far as there is room.
    #[must_use]
    pub fn all(n: usize) -> Self {
        let mut set = Self::NONE;
        for (index, word) in set.0.iter_mut().enumerate() {
            let left = n.saturating_sub(64 * index);
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        set
    }

    /// The set of one number; empty if there is no room for it.
    #[inline]
    #[must_use]
    pub fn one(n: usize) -> Self {
        let mut set = Self::NONE;
        set.insert(n);
        set
    }

    /// Adds a number, if there is room for it.
    #[inline]
    pub fn insert(&mut self, n: usize) {
        if let Some(word) = self.0.get_mut(n / 64) {
            *word |= 1 << (n % 64);
        }
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, n: usize) {
        if let Some(word) = self.0.get_mut(n / 64) {
            *word &= !(1 << (n % 64));
        }
    }

    /// Whether the number is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 != 0)
    }

    /// How many numbers are in the set.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether nothing is in the set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The smallest number, if any.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        let index = self.0.iter().position(|&word| word != 0)?;
        Some(64 * index + self.0[index].trailing_zeros() as usize)
    }

    /// Takes the smallest number out.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        let index = self.0.iter().position(|&word| word != 0)?;
        let word = &mut self.0[index];
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(64 * index + bit)
    }

    /// The `n`-th smallest number, from 0.
    #[must_use]
    pub fn nth(&self, mut n: usize) -> Option<usize> {
        for (index, &word) in self.0.iter().enumerate() {
            let count = word.count_ones() as usize;
            if n < count {
                let mut rest = word;
                for _ in 0..n {
                    rest &= rest - 1;
                }
                return Some(64 * index + rest.trailing_zeros() as usize);
            }
            n -= count;
        }
        None
    }

    /// The numbers in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || rest.pop())
    }

    /// All numbers of both.
    #[inline]
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
        self
    }

    /// The numbers that are in both.
    #[inline]
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word &= more;
        }
        self
    }

    /// The numbers that are not in the other.
    #[inline]
    #[must_use]
    pub fn minus(mut self, other: Self) -> Self {
        for (word, less) in self.0.iter_mut().zip(other.0) {
            *word &= !less;
        }
        self
    }

    /// Whether every number is also in the other set.
    #[inline]
    #[must_use]
    pub fn within(self, other: Self) -> bool {
        self.minus(other).is_empty()
    }

    /// Whether both share a number.
    #[inline]
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// As a set of any width.
    #[must_use]
    pub fn to_bits(self) -> Bits {
        self.iter().collect()
    }

    /// From a set of any width; none if there is no room.
    #[must_use]
    pub fn from_bits(bits: &Bits) -> Option<Self> {
        let mut set = Self::NONE;
        for n in bits.iter() {
            if n >= Self::ROOM {
                return None;
            }
            set.insert(n);
        }
        Some(set)
    }
}

impl<const N: usize> FromIterator<usize> for Words<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut set = Self::NONE;
        for n in numbers {
            set.insert(n);
        }
        set
    }
}

impl<const N: usize> fmt::Debug for Words<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation against the same on sets of any width.
    #[test]
    fn agrees_with_bits() {
        let sets: Vec<Vec<usize>> =
            vec![vec![], vec![0], vec![63, 64], vec![1, 70, 127], (0..128).collect(), (0..128).step_by(3).collect()];
        for a in &sets {
            for b in &sets {
                let (wa, wb): (Words<2>, Words<2>) = (a.iter().copied().collect(), b.iter().copied().collect());
                let (ba, bb): (Bits, Bits) = (a.iter().copied().collect(), b.iter().copied().collect());
                let (mut or, mut and, mut minus) = (ba.clone(), ba.clone(), ba.clone());
                or.unite(&bb);
                and.intersect(&bb);
                minus.subtract(&bb);
                assert_eq!((wa.or(wb).to_bits(), wa.and(wb).to_bits(), wa.minus(wb).to_bits()), (or, and, minus));
                assert_eq!((wa.within(wb), wa.meets(wb)), (ba.within(&bb), ba.meets(&bb)));
            }
            let set: Words<2> = a.iter().copied().collect();
            assert_eq!((set.count(), set.first(), set.is_empty()), (a.len(), a.first().copied(), a.is_empty()));
            assert_eq!(set.iter().collect::<Vec<_>>(), *a);
            let each: Vec<Option<usize>> = (0..=a.len()).map(|n| set.nth(n)).collect();
            let wanted: Vec<Option<usize>> = (0..=a.len()).map(|n| a.get(n).copied()).collect();
            assert_eq!(each, wanted);
            assert_eq!(Words::<2>::from_bits(&set.to_bits()), Some(set));
        }
    }

    #[test]
    fn room_is_kept() {
        assert_eq!(Words::<1>::all(200), Words::<1>::all(64));
        assert_eq!(Words::<2>::all(100).count(), 100);
        assert_eq!(Words::<1>::from_bits(&Bits::one(64)), None);
        assert!(Words::<1>::one(64).is_empty() && !Words::<1>::all(64).contains(64));
    }
}
