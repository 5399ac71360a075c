//! Numbers of one width as numbers of another, and tables that answer for every number.
//!
//! What is out of range stays out of range: a number too large for an id becomes the
//! greatest one, which nothing has, and a negative place lies beyond the end of every
//! list. So no conversion turns a number that means nothing into one that means something.

/// Conversion that stops at the limits of the type.
pub trait SaturatingFrom<N>: Sized {
    /// The number, or the nearest one that there is.
    #[must_use]
    fn saturating_from(n: N) -> Self;
}

macro_rules! saturating {
    ($($number:ty),*) => {$(
        impl<N: Copy + Default + PartialOrd> SaturatingFrom<N> for $number
        where
            Self: TryFrom<N>,
        {
            #[inline]
            fn saturating_from(n: N) -> Self {
                match Self::try_from(n) {
                    Ok(n) => n,
                    Err(_) if n < N::default() => Self::MIN,
                    Err(_) => Self::MAX,
                }
            }
        }
    )*};
}

saturating!(u8, u16, u32, u64, usize, i32, i64);

/// A number as a place in a list; a negative one lies beyond the end of any.
#[inline]
#[must_use]
pub fn ordinal(n: i64) -> usize {
    match usize::try_from(n) {
        Ok(n) => n,
        Err(_) => usize::MAX,
    }
}

/// What a total table holds at a place: beyond its end 0, no, or nothing.
#[inline]
#[must_use]
pub fn entry<T: Copy + Default>(table: &[T], at: usize) -> T {
    match table.get(at) {
        Some(value) => *value,
        None => T::default(),
    }
}

/// What may be absent as one number: 0 for nothing, everything else one higher.
#[inline]
#[must_use]
pub fn optional(n: Option<impl Into<u64>>) -> u64 {
    match n {
        Some(n) => n.into() + 1,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_stays_so() {
        assert_eq!((u8::saturating_from(7_usize), u8::saturating_from(256_usize)), (7, u8::MAX));
        assert_eq!((u32::saturating_from(-1_i64), u32::saturating_from(i64::MAX)), (0, u32::MAX));
        assert_eq!((i32::saturating_from(i64::MIN), i64::saturating_from(u64::MAX)), (i32::MIN, i64::MAX));
        assert_eq!((ordinal(3), ordinal(-1)), (3, usize::MAX));
        assert_eq!((entry(&[4, 5], 1), entry(&[4, 5], ordinal(-1))), (5, 0));
        assert_eq!((optional(None::<u8>), optional(Some(0_u8))), (0, 1));
    }
}
