//! Streams of random numbers from one seed.

use std::fmt;

use crate::base::SaturatingFrom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

/// What random numbers are drawn from: 128 bits, so that no player can find it by trying. One that a person names is a
/// small number; all that is random in a game at a table comes from one seed, in a stream of its own for each purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seed(u128);

impl Seed {
    /// For the game with this number of those that were begun with one seed, from 0: no two are alike, and none can be
    /// worked out from another.
    #[must_use]
    pub fn nth(self, number: u64) -> Self {
        if number == 0 {
            return self;
        }
        let mut stream = Stream::of(self, "game", number);
        Self(u128::from(stream.next()) << 64 | u128::from(stream.next()))
    }

    /// Its lower half, for figures, which keep nothing secret.
    #[must_use]
    pub fn short(self) -> u64 {
        u64::saturating_from(self.0 & u128::from(u64::MAX))
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

impl From<[u64; 2]> for Seed {
    fn from([high, low]: [u64; 2]) -> Self {
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number if it is small, else its digits as text, which every reader of JSON keeps exactly.
impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) => serializer.serialize_u64(number),
            Err(_) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Digits)
    }
}

/// Reads a seed, a number or its digits.
struct Digits;

impl Visitor<'_> for Digits {
    type Value = Seed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a seed: a number, or its digits as text")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Seed, E> {
        Ok(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Seed, E> {
        u64::try_from(number).map(Seed::from).map_err(|_| E::custom("a seed is not negative"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Seed, E> {
        text.parse().map(Seed).map_err(|_| E::custom("the seed is no number of 128 bits"))
    }
}

/// A stream of random numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream with this name and index, from a small seed. Streams of one seed that differ in name or index are
    /// independent.
    #[must_use]
    pub fn new(seed: u64, name: &str, index: u64) -> Self {
        Self::of(seed.into(), name, index)
    }

    /// The same from a whole seed.
    #[must_use]
    pub fn of(seed: Seed, name: &str, index: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.short().to_le_bytes());
        key[8..16].copy_from_slice(&xxh3_64(name.as_bytes()).to_le_bytes());
        key[16..24].copy_from_slice(&u64::saturating_from(seed.0 >> 64).to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(index);
        Self(rng)
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// An independent stream, seeded by this one.
    #[must_use]
    pub fn fork(&mut self, name: &str) -> Self {
        Self::new(self.0.next_u64(), name, 0)
    }

    /// A uniformly random number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        if n == 0 {
            return 0;
        }
        // Lemire's method: take the high half of a product and reject the few low halves that would bias the result.
        // How many to reject takes a division, needed only for low halves below `n`.
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(n);
            let [low, high] = halves(product);
            if low >= n || low >= n.wrapping_neg() % n {
                return usize::saturating_from(high);
            }
        }
    }
}

fn halves(n: u128) -> [u64; 2] {
    let half = |n: u128| u64::saturating_from(n & u128::from(u64::MAX));
    [half(n), half(n >> 64)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, name, index| {
            let mut stream = Stream::new(seed, name, index);
            (0..8).map(|_| stream.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, "game", 7), draw(1, "game", 7));
        assert_ne!(draw(1, "game", 7), draw(1, "game", 8));
        assert_ne!(draw(1, "game", 7), draw(1, "other", 7));
        assert_ne!(draw(1, "game", 7), draw(2, "game", 7));
    }

    #[test]
    fn seeds_are_written_and_read() {
        let long = Seed::from([3, 5]);
        for (seed, text) in [(Seed::from(7), "7"), (long, "\"55340232221128654853\"")] {
            assert_eq!(ron::to_string(&seed).expect("plain data"), text);
            assert_eq!(ron::from_str::<Seed>(text).expect("a seed"), seed);
        }
        let first = |seed: Seed| Stream::of(seed, "play", 0).below(usize::MAX);
        // The upper half counts, and so does the number of a game.
        assert_ne!(first(long), first(Seed::from(5)));
        assert_ne!(first(long.nth(1)), first(long.nth(2)));
        assert_eq!(long.nth(0), long);
    }

    #[test]
    fn below_is_uniform() {
        let mut stream = Stream::new(0, "fair", 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6)] += 1;
        }
        assert!(counts.iter().all(|&n| (9_600..=10_400).contains(&n)), "{counts:?}");
        assert_eq!(stream.below(1), 0);
        assert_eq!(stream.below(0), 0);
    }
}
