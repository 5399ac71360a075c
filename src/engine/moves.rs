//! Lists of moves in groups: moves that differ only in their last parameter are stored as one set.

use smallvec::SmallVec;

use super::eval::count;
use super::state::Play;
use crate::base::Word;
use crate::ir::ActionRef;

/// Moves that share all parameters but the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<W: Word> {
    pub action: ActionRef,
    /// The range of the shared parameters among the values: start and length.
    pub args: (u32, u32),
    pub last: Last<W>,
    /// How many moves come before, once all are listed.
    pub first: usize,
    /// How many moves it holds.
    pub count: usize,
    pub worth: Option<i64>,
}

impl<W: Word> Group<W> {
    /// How many parameters its moves have together.
    pub(super) fn parameters(&self) -> usize {
        let last = !matches!(self.last, Last::Done);
        self.count.saturating_mul(self.args.1 as usize + usize::from(last))
    }
}

/// The last parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last<W: Word> {
    /// No parameter left: a single move.
    Done,
    /// Any member of a set.
    Set(W),
    /// A range of the listed values: start and length.
    Listed(u32, u32),
    /// Any number from 0 up to, but excluding, this one.
    Below(u32),
}

impl<W: Word> Last<W> {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Done => 1,
            Self::Set(set) => set.count(),
            Self::Listed(_, length) | Self::Below(length) => *length as usize,
        }
    }
}

/// The legal moves of one question.
#[derive(Clone, Debug)]
pub(super) struct Moves<W: Word> {
    pub groups: Vec<Group<W>>,
    /// The values of parameters, except last ones stored as sets.
    pub values: Vec<i64>,
    /// The number of moves; none before they are listed.
    pub count: Option<usize>,
    /// Whether there are more than can be listed.
    pub spilled: bool,
    /// Whether listing may stop at the first move.
    pub any: bool,
}

impl<W: Word> Moves<W> {
    pub(super) const fn new() -> Self {
        Self { groups: Vec::new(), values: Vec::new(), count: None, spilled: false, any: false }
    }

    pub(super) fn forget(&mut self) {
        self.groups.clear();
        self.values.clear();
        self.count = None;
        self.spilled = false;
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.groups.clone_from(&other.groups);
        self.values.clone_from(&other.values);
        self.count = other.count;
        self.spilled = other.spilled;
    }

    /// The move with this index.
    pub(super) fn nth(&self, n: usize) -> Option<Play> {
        let after = self.groups.partition_point(|group| group.first <= n);
        let group = self.groups.get(after.checked_sub(1)?)?;
        let n = n - group.first;
        if n >= group.count {
            return None;
        }
        let (first, length) = (group.args.0 as usize, group.args.1 as usize);
        let mut args = SmallVec::from_slice(self.values.get(first..first + length)?);
        match group.last {
            Last::Done => {}
            Last::Set(set) => args.push(count(set.nth(n)?)),
            Last::Listed(first, _) => args.push(*self.values.get(first as usize + n)?),
            Last::Below(_) => args.push(count(n)),
        }
        Some(Play { action: group.action, args })
    }

    /// All moves in order, one after the other in the same place.
    pub(super) fn each(&self, act: &mut dyn FnMut(&Play)) {
        for group in &self.groups {
            let (first, length) = (group.args.0 as usize, group.args.1 as usize);
            let Some(shared) = self.values.get(first..first + length) else { return };
            let mut play = Play { action: group.action, args: SmallVec::from_slice(shared) };
            let mut with = |last: i64| {
                play.args.truncate(length);
                play.args.push(last);
                act(&play);
            };
            match group.last {
                Last::Done => act(&play),
                Last::Set(set) => set.iter().for_each(|n| with(count(n))),
                Last::Listed(first, count) => {
                    let values = self.values.iter().skip(first as usize).take(count as usize);
                    values.for_each(|value| with(*value));
                }
                Last::Below(count) => (0..count).for_each(|n| with(i64::from(n))),
            }
        }
    }
}
