//! Bitsets of fixed width, in machine words.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::hash::Hash;

use super::Bits;

/// A set of numbers below [`Word::ROOM`], copied like a number, without allocation.
pub trait Word: Copy + Debug + Default + PartialEq + Eq + Hash + FromIterator<usize> + Send + Sync + 'static {
    /// The empty set.
    const NONE: Self;

    /// The capacity: numbers below this fit.
    const ROOM: usize;

    /// A singleton; empty if the number does not fit.
    #[must_use]
    fn one(n: usize) -> Self;

    /// Whether the number is in the set.
    #[must_use]
    fn contains(self, n: usize) -> bool;

    /// The size of the set.
    #[must_use]
    fn count(self) -> usize;

    /// The smallest number, if any.
    #[must_use]
    fn first(self) -> Option<usize>;

    /// The greatest number, if any.
    #[must_use]
    fn last(self) -> Option<usize>;

    /// The set without its smallest number.
    #[must_use]
    fn rest(self) -> Self;

    /// The `n`-th smallest number, from 0.
    #[must_use]
    fn nth(self, n: usize) -> Option<usize>;

    /// Union.
    #[must_use]
    fn or(self, other: Self) -> Self;

    /// Intersection.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Every number increased by `by`; numbers that no longer fit are dropped.
    #[must_use]
    fn up(self, by: usize) -> Self;

    /// Every number decreased by `by`; numbers that would be negative are dropped.
    #[must_use]
    fn down(self, by: usize) -> Self;

    /// The members up to and including the smallest that is not in `through`.
    #[must_use]
    fn up_through(self, through: Self) -> Self;

    /// The members down to and including the greatest that is not in `through`.
    #[must_use]
    fn down_through(self, through: Self) -> Self;

    /// Whether there is exactly one member.
    #[inline]
    #[must_use]
    fn is_single(self) -> bool {
        !self.is_empty() && self.rest().is_empty()
    }

    /// Comparison in the order of [`Bits`].
    #[must_use]
    fn order(self, other: Self) -> Ordering;

    /// The set `0..n`, as far as it fits.
    #[must_use]
    fn all(n: usize) -> Self {
        (0..n.min(Self::ROOM)).collect()
    }

    /// Adds a number, if it fits.
    #[inline]
    fn insert(&mut self, n: usize) {
        *self = self.or(Self::one(n));
    }

    /// Removes a number.
    #[inline]
    fn remove(&mut self, n: usize) {
        *self = self.minus(Self::one(n));
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Removes and returns the smallest number.
    #[inline]
    fn pop(&mut self) -> Option<usize> {
        let first = self.first()?;
        *self = self.rest();
        Some(first)
    }

    /// The numbers in ascending order.
    #[inline]
    fn iter(self) -> Members<Self> {
        Members(self)
    }

    /// Whether this is a subset of the other set.
    #[inline]
    #[must_use]
    fn within(self, other: Self) -> bool {
        self.minus(other).is_empty()
    }

    /// Whether the sets intersect.
    #[inline]
    #[must_use]
    fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// As a set of any width.
    #[must_use]
    fn to_bits(self) -> Bits {
        self.iter().collect()
    }

    /// From a set of any width; none if it does not fit.
    #[must_use]
    fn from_bits(bits: &Bits) -> Option<Self> {
        bits.iter().all(|n| n < Self::ROOM).then(|| bits.iter().collect())
    }
}

/// The members of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Members<W>(W);

impl<W: Word> Iterator for Members<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.0.pop()
    }
}

/// The set of those numbers that fit.
#[inline]
pub(super) fn gathered<W: Word>(numbers: impl IntoIterator<Item = usize>) -> W {
    let mut set = W::NONE;
    for n in numbers {
        set.insert(n);
    }
    set
}

/// The low half.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the low word is meant")]
fn low_word(n: u128) -> u64 {
    n as u64
}

/// The position of the `n`-th lowest bit that is set.
#[inline]
pub(super) fn nth_bit(mut word: u64, n: usize) -> usize {
    for _ in 0..n {
        word &= word.wrapping_sub(1);
    }
    word.trailing_zeros() as usize
}

macro_rules! in_one_number {
    ($name:ident, $number:ty, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name($number);

        impl FromIterator<usize> for $name {
            #[inline]
            fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
                gathered(numbers)
            }
        }

        impl Word for $name {
            const NONE: Self = Self(0);
            const ROOM: usize = <$number>::BITS as usize;

            #[inline]
            fn one(n: usize) -> Self {
                Self(if n < Self::ROOM { 1 << n } else { 0 })
            }

            #[inline]
            fn contains(self, n: usize) -> bool {
                n < Self::ROOM && self.0 >> n & 1 != 0
            }

            #[inline]
            fn count(self) -> usize {
                self.0.count_ones() as usize
            }

            #[inline]
            fn first(self) -> Option<usize> {
                (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
            }

            #[inline]
            fn last(self) -> Option<usize> {
                self.0.checked_ilog2().map(|last| last as usize)
            }

            #[inline]
            fn rest(self) -> Self {
                Self(self.0 & self.0.wrapping_sub(1))
            }

            #[inline]
            fn nth(self, n: usize) -> Option<usize> {
                let mut before = 0;
                for start in (0..Self::ROOM).step_by(64) {
                    let word = low_word(u128::from(self.0) >> start);
                    let count = word.count_ones() as usize;
                    if n < before + count {
                        return Some(start + nth_bit(word, n - before));
                    }
                    before += count;
                }
                None
            }

            #[inline]
            fn or(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            #[inline]
            fn up(self, by: usize) -> Self {
                Self(if by < Self::ROOM { self.0 << by } else { 0 })
            }

            #[inline]
            fn down(self, by: usize) -> Self {
                Self(if by < Self::ROOM { self.0 >> by } else { 0 })
            }

            #[inline]
            fn up_through(self, through: Self) -> Self {
                let stops = self.0 & !through.0;
                // Without a stop the subtraction wraps around, and nothing is masked.
                Self(self.0 & (stops ^ stops.wrapping_sub(1)))
            }

            #[inline]
            fn down_through(self, through: Self) -> Self {
                // Without a stop the lowest number stands for one.
                let stops = self.0 & !through.0 | 1;
                Self(self.0 & <$number>::MAX << (<$number>::BITS - 1 - stops.leading_zeros()))
            }

            fn order(self, other: Self) -> Ordering {
                // The low word is compared first.
                let low = low_word(u128::from(self.0)).cmp(&low_word(u128::from(other.0)));
                low.then(self.0.cmp(&other.0))
            }
        }
    };
}

in_one_number!(Word64, u64, "Numbers below 64.");
in_one_number!(Word128, u128, "Numbers below 128.");

#[cfg(test)]
mod tests {
    use super::super::Words;
    use super::*;

    /// The numbers in order, up to and including the first that is not among the others.
    fn upward(numbers: &[usize], through: &[usize]) -> Vec<usize> {
        let stop = numbers.iter().position(|n| !through.contains(n));
        numbers[..stop.map_or(numbers.len(), |stop| stop + 1)].to_vec()
    }

    /// Tests every operation against the same on sets of any width.
    fn agrees<W: Word>() {
        let room = W::ROOM;
        let sets: Vec<Vec<usize>> = vec![
            vec![],
            vec![0],
            vec![room / 2 - 1, room / 2],
            vec![1, room - 1],
            (0..room).collect(),
            (0..room).step_by(3).collect(),
        ];
        for a in &sets {
            let set: W = a.iter().copied().collect();
            for b in &sets {
                let other: W = b.iter().copied().collect();
                let (ba, bb): (Bits, Bits) = (a.iter().copied().collect(), b.iter().copied().collect());
                let (mut or, mut and, mut minus) = (ba.clone(), ba.clone(), ba.clone());
                or.unite(&bb);
                and.intersect(&bb);
                minus.subtract(&bb);
                assert_eq!(
                    (set.or(other).to_bits(), set.and(other).to_bits(), set.minus(other).to_bits()),
                    (or, and, minus)
                );
                assert_eq!((set.within(other), set.meets(other)), (ba.within(&bb), ba.meets(&bb)));
                assert_eq!(set.order(other), ba.cmp(&bb));
            }
            assert_eq!((set.count(), set.first(), set.is_empty()), (a.len(), a.first().copied(), a.is_empty()));
            assert_eq!(set.iter().collect::<Vec<_>>(), *a);
            let each: Vec<Option<usize>> = (0..=a.len()).map(|n| set.nth(n)).collect();
            let wanted: Vec<Option<usize>> = (0..=a.len()).map(|n| a.get(n).copied()).collect();
            assert_eq!(each, wanted);
            assert_eq!(W::from_bits(&set.to_bits()), Some(set));
            for b in &sets {
                let (up, down) = (upward(a, b), upward(&a.iter().rev().copied().collect::<Vec<_>>(), b));
                let through: W = b.iter().copied().collect();
                assert_eq!(set.up_through(through), up.into_iter().collect());
                assert_eq!(set.down_through(through), down.into_iter().collect());
            }
            assert_eq!(set.is_single(), a.len() == 1);
            for by in [0, 1, 7, 63, 64, 65, room - 1, room, room + 9] {
                let up: W = a.iter().map(|n| n + by).filter(|&n| n < room).collect();
                let down: W = a.iter().filter_map(|n| n.checked_sub(by)).collect();
                assert_eq!((set.up(by), set.down(by)), (up, down), "{by}");
            }
        }
        assert_eq!(W::all(10_000).count(), room);
        assert_eq!(W::from_bits(&Bits::one(room)), None);
        assert!(W::one(room).is_empty() && !W::all(room).contains(room));
    }

    #[test]
    fn all_widths_agree_with_bits() {
        agrees::<Word64>();
        agrees::<Word128>();
        agrees::<Words<4>>();
        agrees::<Words<6>>();
        agrees::<Words<16>>();
    }
}
