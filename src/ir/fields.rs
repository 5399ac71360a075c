//! The values of a piece's fields.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use smallvec::SmallVec;

/// How many values are kept in the piece itself.
const FEW: usize = 4;

/// The values of a piece's fields, by number. Copies of a piece with many fields share them: a hundred thousand moves may name
/// the same few pieces.
#[derive(Clone, Debug)]
pub struct Fields(Held);

#[derive(Clone, Debug)]
enum Held {
    Few(SmallVec<[i32; FEW]>),
    Many(Arc<[i32]>),
}

impl Fields {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self(Held::Few(SmallVec::new()))
    }

    /// Whether they are kept apart from the piece, and shared with its copies.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Held::Many(_))
    }
}

impl Default for Fields {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Fields {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        match &self.0 {
            Held::Few(values) => values,
            Held::Many(values) => values,
        }
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut [i32] {
        match &mut self.0 {
            Held::Few(values) => values,
            Held::Many(values) => Arc::make_mut(values),
        }
    }
}

impl FromIterator<i32> for Fields {
    fn from_iter<I: IntoIterator<Item = i32>>(values: I) -> Self {
        let values: SmallVec<[i32; FEW]> = values.into_iter().collect();
        Self(if values.spilled() { Held::Many(values.as_slice().into()) } else { Held::Few(values) })
    }
}

impl<'f> IntoIterator for &'f Fields {
    type Item = &'f i32;
    type IntoIter = std::slice::Iter<'f, i32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'f> IntoIterator for &'f mut Fields {
    type Item = &'f mut i32;
    type IntoIter = std::slice::IterMut<'f, i32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Fields {}

impl PartialOrd for Fields {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fields {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl std::hash::Hash for Fields {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}
