//! Tables whose entries are identified by an id type of their own.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index};

use super::id::Id;

/// A table whose entries are numbered as they are added.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    entries: Vec<T>,
    /// Whether an entry was dropped for lack of numbers.
    overfull: bool,
    ids: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), overfull: false, ids: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds an entry and returns its number. When all numbers are used, the entry is dropped, the number returned
    /// names nothing, and [`Self::is_overfull`] holds.
    pub fn push(&mut self, entry: T) -> I {
        let Some(id) = I::at(self.entries.len()) else {
            self.overfull = true;
            return I::NOTHING;
        };
        self.entries.push(entry);
        id
    }

    /// Whether more entries were added than can be numbered.
    #[must_use]
    pub fn is_overfull(&self) -> bool {
        self.overfull
    }

    /// The entry with a number.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// The entry at an index, such as the number of an atom.
    #[must_use]
    pub fn nth(&self, index: usize) -> Option<&T> {
        self.entries.get(index)
    }

    /// The entry with a number, mutable.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.index())
    }

    /// The numbers of all entries.
    #[must_use]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.entries.len()).filter_map(I::at)
    }

    /// All entries with their numbers.
    #[must_use]
    pub fn numbered(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| Some((I::at(index)?, entry)))
    }
}

impl<I, T> Deref for Arena<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.entries
    }
}

impl<I, T> DerefMut for Arena<I, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}

impl<'a, I, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<S: IntoIterator<Item = T>>(entries: S) -> Self {
        let mut arena = Self::default();
        for entry in entries {
            arena.push(entry);
        }
        arena
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}
