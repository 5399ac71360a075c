//! Many values of which most are equal: each is kept once.

use indexmap::IndexSet;

use super::value::Value;
use crate::base::SaturatingFrom;

/// Values in order. Of equal ones there is one, since a table of all pairs of sites has a hundred thousand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    kinds: Vec<Value>,
    at: Vec<u32>,
}

impl Values {
    /// The number of values, equal ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// The value with this number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&Value> {
        self.kinds.get(*self.at.get(number)? as usize)
    }

    /// All of them in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.at.iter().map(|&kind| &self.kinds[kind as usize])
    }

    /// About how many bytes they take on a board of so many sites, where they are lowered as well.
    #[must_use]
    pub fn bytes(&self, sites: usize) -> usize {
        let lowered = size_of::<u32>() + sites.div_ceil(64) * size_of::<u64>();
        let value = |value: &Value| size_of::<Value>() + usize::saturating_from(value.bulk()) * 2;
        self.kinds.iter().map(value).sum::<usize>() + self.at.len() * lowered
    }

    /// Those that differ, in the order in which they first occur.
    #[must_use]
    pub fn kinds(&self) -> &[Value] {
        &self.kinds
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut kinds: IndexSet<Value> = IndexSet::new();
        let at = values.into_iter().map(|value| u32::saturating_from(kinds.insert_full(value).0)).collect();
        Self { kinds: kinds.into_iter().collect(), at }
    }
}

impl From<Vec<Value>> for Values {
    fn from(values: Vec<Value>) -> Self {
        values.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_their_order() {
        let all: Vec<Value> = [3, 1, 3, 2, 1].map(Value::Int).into();
        let kept = Values::from(all.clone());
        assert_eq!(kept.iter().cloned().collect::<Vec<_>>(), all);
        assert_eq!(kept.kinds(), [3, 1, 2].map(Value::Int));
        assert_eq!((kept.len(), kept.get(3), kept.get(5)), (5, Some(&Value::Int(2)), None));
    }
}
