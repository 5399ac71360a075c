//! Conversions between integer widths, and total lookups.
//!
//! What is out of range stays out of range: an id that does not fit becomes the greatest one, which nothing has, and
//! a negative index is beyond the end of every list. So no conversion turns a meaningless number into a meaningful
//! one.

/// A saturating conversion.
pub trait SaturatingFrom<N>: Sized {
    /// The number, or the nearest representable one.
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

/// A number as an index; a negative one is beyond the end of any list.
#[inline]
#[must_use]
pub fn to_index(n: i64) -> usize {
    match usize::try_from(n) {
        Ok(n) => n,
        Err(_) => usize::MAX,
    }
}

/// An integer as rules and tables write it: digits, which `_` may group, perhaps behind a sign.
#[must_use]
pub fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let starts = digits.starts_with(|c: char| c.is_ascii_digit());
    if starts { text.replace('_', "").parse().ok() } else { None }
}

/// A total lookup: the default beyond the end.
#[inline]
#[must_use]
pub fn get_or_default<T: Copy + Default>(table: &[T], at: usize) -> T {
    match table.get(at) {
        Some(value) => *value,
        None => T::default(),
    }
}

/// An optional number as one number: 0 for none, others one higher.
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
    fn out_of_range_stays_out_of_range() {
        assert_eq!((u8::saturating_from(7_usize), u8::saturating_from(256_usize)), (7, u8::MAX));
        assert_eq!((u32::saturating_from(-1_i64), u32::saturating_from(i64::MAX)), (0, u32::MAX));
        assert_eq!((i32::saturating_from(i64::MIN), i64::saturating_from(u64::MAX)), (i32::MIN, i64::MAX));
        assert_eq!((to_index(3), to_index(-1)), (3, usize::MAX));
        assert_eq!((get_or_default(&[4, 5], 1), get_or_default(&[4, 5], to_index(-1))), (5, 0));
        let read = ["1_000", "-5", "+7", "0"].map(integer);
        assert_eq!(read, [Some(1000), Some(-5), Some(7), Some(0)]);
        assert_eq!(["", "-", "_1", "1 0", "--1", "9_223_372_036_854_775_808"].map(integer), [None; 6]);
        assert_eq!((optional(None::<u8>), optional(Some(0_u8))), (0, 1));
    }
}
