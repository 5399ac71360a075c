//! What the games of all tables keep in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sum over all tables.
#[derive(Debug, Default)]
pub(super) struct Memory {
    bytes: AtomicUsize,
    tables: AtomicUsize,
}

/// What one table keeps; it is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    memory: Arc<Memory>,
    /// What its rules take.
    rules: usize,
    own: AtomicUsize,
}

impl Memory {
    /// A table whose rules take so many bytes, and which keeps nothing else yet.
    pub(super) fn share(self: &Arc<Self>, rules: usize) -> Share {
        self.tables.fetch_add(1, Ordering::Relaxed);
        let share = Share { memory: Arc::clone(self), rules, own: AtomicUsize::new(0) };
        share.set(0);
        share
    }
}

impl Share {
    /// The table keeps so many bytes now beside its rules.
    pub(super) fn set(&self, bytes: usize) {
        self.hold(bytes.saturating_add(self.rules));
    }

    fn hold(&self, bytes: usize) {
        let before = self.own.swap(bytes, Ordering::Relaxed);
        self.memory.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.memory.bytes.fetch_sub(before, Ordering::Relaxed);
    }

    /// Whether what the table keeps has room beside what others keep, where all may keep so many bytes, or is no more than
    /// what it would have if all had the same.
    pub(super) fn fits(&self, most: usize) -> bool {
        let own = self.own.load(Ordering::Relaxed);
        self.memory.bytes.load(Ordering::Relaxed).saturating_sub(own) < most || own < most / self.tables()
    }

    fn tables(&self) -> usize {
        self.memory.tables.load(Ordering::Relaxed).max(1)
    }

    /// Whether the table may keep more where all may keep so many bytes. Once they are used up, a table may grow up to what it
    /// would have if all had the same: those that take much cannot stop those that take little.
    pub(super) fn may_grow(&self, most: usize) -> bool {
        self.memory.bytes.load(Ordering::Relaxed) < most || self.own.load(Ordering::Relaxed) < most / self.tables()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.hold(0);
        self.memory.tables.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Memory;

    #[test]
    fn tables_that_take_much_do_not_stop_those_that_take_little() {
        let memory = Arc::new(Memory::default());
        let [large, other, small] = [(); 3].map(|()| memory.share(0));
        large.set(80);
        assert!([&large, &other, &small].iter().all(|share| share.may_grow(100)), "there is room");
        other.set(40);
        small.set(5);
        assert!(!large.may_grow(100) && !other.may_grow(100), "they take more than a third");
        assert!(small.may_grow(100), "it takes less");
        small.set(34);
        assert!(!small.may_grow(100));
        assert!(large.fits(100) && small.fits(120), "all that others keep is less");
        assert!(!small.fits(100), "others keep it all, and it has more than a third");
        drop(large);
        assert!(small.may_grow(100), "it was given back");
        let heavy = memory.share(70);
        assert!(heavy.fits(100) && !heavy.may_grow(100), "its rules count for it, and what others keep leaves room");
        drop(heavy);
        assert!(small.may_grow(100));
    }
}
