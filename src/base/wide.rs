//! Bitsets of several machine words.

use std::cmp::Ordering;

use super::words::{Word, gathered, nth_bit};

/// Numbers below 64 times the number of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Words<const N: usize>([u64; N]);

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<const N: usize> FromIterator<usize> for Words<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        gathered(numbers)
    }
}

impl<const N: usize> Words<N> {
    /// Combines two sets word by word. A loop over indices compiles to a few vector instructions; iterators with
    /// closures do not.
    #[inline]
    fn with(mut self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            *word = of(*word, other);
        }
        self
    }
}

impl<const N: usize> Word for Words<N> {
    const NONE: Self = Self([0; N]);
    const ROOM: usize = 64 * N;

    #[inline]
    fn one(n: usize) -> Self {
        let mut set = Self::NONE;
        set.insert(n);
        set
    }

    #[inline]
    fn contains(self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 != 0)
    }

    #[inline]
    fn count(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn first(self) -> Option<usize> {
        let index = self.0.iter().position(|&word| word != 0)?;
        Some(64 * index + self.0[index].trailing_zeros() as usize)
    }

    #[inline]
    fn last(self) -> Option<usize> {
        let index = self.0.iter().rposition(|&word| word != 0)?;
        Some(64 * index + self.0[index].ilog2() as usize)
    }

    #[inline]
    fn rest(mut self) -> Self {
        self.pop();
        self
    }

    fn nth(self, n: usize) -> Option<usize> {
        let mut before = 0;
        for (index, &word) in self.0.iter().enumerate() {
            let count = word.count_ones() as usize;
            if n < before + count {
                return Some(64 * index + nth_bit(word, n - before));
            }
            before += count;
        }
        None
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.with(other, |a, b| a & !b)
    }

    #[inline]
    fn up(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut up = Self::NONE;
        for at in words..N {
            up.0[at] = self.0[at - words] << bits;
            if bits > 0 && at > words {
                up.0[at] |= self.0[at - words - 1] >> (64 - bits);
            }
        }
        up
    }

    #[inline]
    fn down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut down = Self::NONE;
        for at in words..N {
            down.0[at - words] = self.0[at] >> bits;
            if bits > 0 && at > words {
                down.0[at - words - 1] |= self.0[at] << (64 - bits);
            }
        }
        down
    }

    #[inline]
    fn up_through(self, through: Self) -> Self {
        let mut up = Self::NONE;
        for ((up, &word), &through) in up.0.iter_mut().zip(&self.0).zip(&through.0) {
            let stops = word & !through;
            *up = word & (stops ^ stops.wrapping_sub(1));
            if stops != 0 {
                break;
            }
        }
        up
    }

    #[inline]
    fn down_through(self, through: Self) -> Self {
        let mut down = Self::NONE;
        for ((down, &word), &through) in down.0.iter_mut().zip(&self.0).zip(&through.0).rev() {
            let stops = word & !through;
            if stops != 0 {
                *down = word & u64::MAX << stops.ilog2();
                break;
            }
            *down = word;
        }
        down
    }

    fn order(self, other: Self) -> Ordering {
        self.0.cmp(&other.0)
    }

    #[inline]
    fn insert(&mut self, n: usize) {
        if let Some(word) = self.0.get_mut(n / 64) {
            *word |= 1 << (n % 64);
        }
    }

    #[inline]
    fn remove(&mut self, n: usize) {
        if let Some(word) = self.0.get_mut(n / 64) {
            *word &= !(1 << (n % 64));
        }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn pop(&mut self) -> Option<usize> {
        let (index, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(64 * index + bit)
    }
}
