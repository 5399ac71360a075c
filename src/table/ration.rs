//! What each of many may ask for in a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex as Lock, PoisonError};
use std::time::Instant;

use super::bucket::Bucket;

/// A bucket for each of many, all of them alike. Those that are full are not kept.
#[derive(Debug)]
pub(super) struct Ration<K> {
    room: f64,
    rate: f64,
    each: Lock<HashMap<K, Bucket>>,
}

impl<K: Eq + Hash> Ration<K> {
    /// So many drops at once, and so many more each second.
    pub(super) fn new(room: f64, rate: f64) -> Self {
        Self { room, rate, each: Lock::default() }
    }

    /// Takes a drop, if there is one.
    pub(super) fn take(&self, of: K, now: Instant) -> bool {
        self.with(of, now, |bucket| bucket.take(now))
    }

    /// Takes so much, even if it is not there; what is missing has to come in first.
    pub(super) fn spend(&self, of: K, drops: f64, now: Instant) {
        self.with(of, now, |bucket| bucket.spend(drops));
    }

    fn with<T>(&self, of: K, now: Instant, what: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        each.retain(|_, bucket| !bucket.is_full(now));
        what(each.entry(of).or_insert_with(|| Bucket::new(self.room, self.rate, now)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Ration;

    #[test]
    fn what_one_takes_is_not_missing_to_another() {
        let (start, ration) = (Instant::now(), Ration::new(10.0, 2.0));
        ration.spend("a", 30.0, start);
        assert!(!ration.take("a", start) && ration.take("b", start));
        assert!(!ration.take("a", start + Duration::from_secs(10)), "20 drops were missing");
        assert!(ration.take("a", start + Duration::from_secs(11)));
    }
}
