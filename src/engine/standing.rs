//! How often the position at the next question has occurred, as expressions ask.

use super::repetition::Lookahead;
use super::run::Run;
use super::state::AskKind;
use crate::base::Word;
use crate::ir::PartId;

/// What is known of the next question while nothing changes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Still {
    /// The key of its position, and whether it is certain.
    next: Option<(u64, bool)>,
    /// The same worked out to the end, if it was not.
    exact: Option<u64>,
}

impl<W: Word> Run<'_, W> {
    /// What `stood` finds for the key of the position at the current or next question; the default if that position
    /// has not occurred.
    fn standing<T: Default + PartialEq>(&mut self, stood: impl Fn(&Self, u64) -> T) -> T {
        let over = self.state.outcome.is_some() && self.state.control.is_empty();
        if over || self.state.ask.0 != AskKind::Over {
            let last = self.state.history.last().filter(|_| over).map(|(_, key, _)| key);
            let key = last.unwrap_or_else(|| {
                self.weigh();
                self.key()
            });
            return stood(self, key);
        }
        let known = self.still.unwrap_or_default();
        let (key, certain) = known.next.unwrap_or_else(|| {
            self.weigh();
            self.next_key()
        });
        let found = stood(self, key);
        // The default holds either way: neither a new position nor the end of the game has occurred before.
        let exact = if certain || found == T::default() { known.exact } else { Some(self.exact_key(known)) };
        if let Some(still) = &mut self.still {
            *still = Still { next: Some((key, certain)), exact };
        }
        if certain || found == T::default() { found } else { stood(self, exact.unwrap_or(key)) }
    }

    /// The key of the position at the next question, worked out to the end.
    fn exact_key(&mut self, known: Still) -> u64 {
        known.exact.unwrap_or_else(|| self.run_ahead(Lookahead::Exact, false, Self::key).0)
    }

    /// Begins to evaluate an expression for many values, by which the position does not change; whether such an evaluation had
    /// begun before. What is found out about the next question meanwhile is kept until [`Run::let_go`].
    pub(super) fn hold_still(&mut self) -> bool {
        let held = self.still.is_some();
        if !held {
            self.still = Some(Still::default());
        }
        held
    }

    /// Ends the evaluation, unless it is part of one that had begun before.
    pub(super) fn let_go(&mut self, held: bool) {
        if !held {
            self.still = None;
        }
    }

    pub(super) fn occurrences(&mut self) -> i64 {
        if self.ahead != Lookahead::Off {
            return 1;
        }
        if let Some((change, next)) = self.change.zip(self.foreseen) {
            self.look_back();
            return super::eval::count(self.state.history.count(next.table ^ next.control ^ change) + 1);
        }
        let over = self.state.outcome.is_some() && self.state.control.is_empty();
        let counted = over || self.state.ask.0 != AskKind::Over;
        self.look_back();
        let before = self.standing(|run, key| run.state.history.count(key));
        super::eval::count(if counted { before.max(1) } else { before + 1 })
    }

    /// At how many plies a part has been as it is in that position.
    pub(super) fn occurrences_of(&mut self, part: PartId) -> i64 {
        if self.ahead != Lookahead::Off {
            return 1;
        }
        if let Some((change, next)) = self.change.zip(self.foreseen) {
            self.weigh_part(part);
            let (key, now) = (self.part_key(part, next.mover) ^ change, self.state.ply.saturating_add(next.made));
            return super::eval::count(self.state.history.count_part(part.into(), key, now));
        }
        self.weigh_part(part);
        let over = self.state.outcome.is_some() && self.state.control.is_empty();
        let last = self.state.history.last().filter(|_| over);
        let (key, now) = match last.and_then(|(ply, _, parts)| Some((*parts.get(usize::from(part))?, ply))) {
            Some(found) => found,
            None if over || self.state.ask.0 != AskKind::Over => self.part_now(part),
            None => self.next_part(part),
        };
        super::eval::count(self.state.history.count_part(part.into(), key, now))
    }

    pub(super) fn repeats(&mut self, ply: i64) -> bool {
        let Ok(ply) = u32::try_from(ply) else { return false };
        self.steps = self.steps.saturating_sub(self.state.history.find_steps());
        self.ahead == Lookahead::Off && self.standing(|run, key| run.state.history.stood(ply, key))
    }
}
