//! Many values of which most are equal: each is kept once.

use std::collections::BTreeMap;

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
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.at.iter().map(|&kind| &self.kinds[kind as usize])
    }

    /// Those that differ, in the order in which they first occur.
    #[must_use]
    pub fn kinds(&self) -> &[Value] {
        &self.kinds
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut known: BTreeMap<Value, u32> = BTreeMap::new();
        let number = |value: Value| {
            let next = u32::saturating_from(known.len());
            *known.entry(value).or_insert(next)
        };
        let at: Vec<u32> = values.into_iter().map(number).collect();
        let mut kinds: Vec<(u32, Value)> = known.into_iter().map(|(value, at)| (at, value)).collect();
        kinds.sort_unstable_by_key(|(at, _)| *at);
        Self { kinds: kinds.into_iter().map(|(_, value)| value).collect(), at }
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
