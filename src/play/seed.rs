//! Streams of random numbers from one seed.

use crate::base::SaturatingFrom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

/// A stream of random numbers, the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream with this name and index. Streams of one seed that differ in name or index are independent.
    #[must_use]
    pub fn new(seed: u64, name: &str, index: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&xxh3_64(name.as_bytes()).to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(index);
        Self(rng)
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
