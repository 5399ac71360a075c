//! Numbers of what a game declares: a type of its own for each table, made by that
//! table alone.

use std::marker::PhantomData;
use std::ops::{Deref, Index};

/// The number of an entry of an [`Arena`].
pub trait Id: Copy {
    /// The number of the entry at an index; none beyond the last that can be numbered.
    fn at(index: usize) -> Option<Self>;

    /// The index.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($number);

        impl Id for $name {
            fn at(index: usize) -> Option<Self> {
                <$number>::try_from(index).ok().map(Self)
            }

            fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    )*};
}

ids! {
    /// A definition, in [`Game::functions`](super::Game).
    FnId(u16);
    /// A path, in [`Game::paths`](super::Game).
    PathId(u16);
    /// A table of values, in [`Game::lookups`](super::Game).
    TableId(u16);
}

/// A table whose entries are numbered as they are added.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    entries: Vec<T>,
    ids: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), ids: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds an entry; none if there are as many as can be numbered.
    pub fn push(&mut self, entry: T) -> Option<I> {
        let id = I::at(self.entries.len())?;
        self.entries.push(entry);
        Some(id)
    }

    /// The entry with a number.
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// All entries with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (I, &T)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| Some((I::at(index)?, entry)))
    }
}

impl<I, T> Deref for Arena<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.entries
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}
