//! How much somebody may ask for in a time.

use std::time::Instant;

/// A bucket of so many drops that is filled again at a steady rate (a token bucket).
#[derive(Debug)]
pub(super) struct Bucket {
    room: f64,
    rate: f64,
    left: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket.
    pub(super) fn new(room: f64, rate: f64, now: Instant) -> Self {
        Self { room, rate, left: room, at: now }
    }

    /// Takes a drop, if there is one.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        self.left = (self.left + now.saturating_duration_since(self.at).as_secs_f64() * self.rate).min(self.room);
        self.at = now;
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }

    /// Takes so much, even if it is not there; what is missing has to come in first.
    pub(super) fn spend(&mut self, drops: f64) {
        self.left -= drops;
    }

    /// Whether it is full again, so that nothing has to be remembered.
    pub(super) fn is_full(&self, now: Instant) -> bool {
        self.left + now.saturating_duration_since(self.at).as_secs_f64() * self.rate >= self.room
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Bucket;

    #[test]
    fn a_bucket_lets_a_burst_through_and_then_its_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::new(3.0, 2.0, start);
        assert_eq!([0, 0, 0, 0].map(|_| bucket.take(start)), [true, true, true, false]);
        assert!(!bucket.take(start + Duration::from_millis(400)), "0.8 of a drop");
        assert!(bucket.take(start + Duration::from_millis(600)), "1.2 drops");
        assert!(!bucket.take(start + Duration::from_millis(600)));
        assert!(!bucket.is_full(start + Duration::from_millis(1600)), "0.2 and 2 drops");
        assert!(bucket.is_full(start + Duration::from_secs(3)));
    }
}
