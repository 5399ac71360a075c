//! Conditions on each of a few values known at load, taken apart: each value stands where its name does.

use super::Gap;
use super::class::Class;
use super::lower::Lower;
use super::program::{Number, Test};
use crate::base::{SaturatingFrom, Word};
use crate::ir::{Binder, BinderSet, Expr, ExprKind, Slot};

/// The most values.
const FEW: usize = 4;
/// The most nodes of the condition for one value.
const SMALL: usize = 60;

/// A condition on each of a few values.
pub(super) struct Few<'e> {
    /// Whether all have to satisfy it, instead of any.
    pub all: bool,
    /// The name.
    pub slot: Slot,
    /// Its values.
    pub members: Vec<i64>,
    /// The condition.
    pub body: &'e Expr,
}

impl<W: Word> Lower<'_, W> {
    /// A condition on each of a few values known at load.
    pub(super) fn few<'e>(&mut self, expr: &'e Expr) -> Option<Few<'e>> {
        let ExprKind::Quantified { all, binders, filter: None, body } = &expr.kind else { return None };
        let [Binder { slot, over: BinderSet::Members(set) }] = binders.as_slice() else { return None };
        if Class::of(set) != Class::Set || !self.args(set, &[])?.is_empty() {
            return None;
        }
        let members = Self::as_words(&self.work_out(set, &[])?)?;
        let numbers = || members.iter().map(i64::saturating_from).collect();
        (members.count() <= FEW).then(|| Few { all: *all, slot: *slot, members: numbers(), body })
    }

    /// Lowers something while a name stands for a number.
    pub(super) fn with_known<T>(&mut self, slot: Slot, number: i64, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.insert(slot, Number::Const(number));
        let lowered = lower(self);
        match before {
            Some(number) => self.known.insert(slot, number),
            None => self.known.remove(&slot),
        };
        lowered
    }

    /// Lowers `any` and `all`.
    pub(super) fn quantified(&mut self, expr: &Expr) -> Result<Test<W>, Gap> {
        if let Some(unrolled) = self.unrolled(expr)? {
            return Ok(unrolled);
        }
        let ExprKind::Quantified { all, binders, filter, body } = &expr.kind else {
            return Err(Gap("an expression that is no truth value"));
        };
        let over = self.loops(binders, filter.as_deref())?;
        Ok(Test::Quantified(*all, Box::new((over, self.test(body)?))))
    }

    /// A condition on each of a few values, as the conditions one after the other, if they are small.
    fn unrolled(&mut self, expr: &Expr) -> Result<Option<Test<W>>, Gap> {
        let Some(Few { all, slot, members, body }) = self.few(expr) else { return Ok(None) };
        let (nodes, loops) = (self.nodes, self.loops);
        let mut joined = Test::Const(all);
        for member in members.into_iter().rev() {
            let test = self.with_known(slot, member, |lower| lower.test(body))?;
            if self.nodes - nodes > SMALL * FEW {
                return Ok(None);
            }
            joined = match (test.settled(), joined) {
                (Ok(value), rest) => {
                    if value == all {
                        rest
                    } else {
                        Test::Const(value)
                    }
                }
                (Err(test), Test::Const(value)) => {
                    if value == all {
                        test
                    } else {
                        Test::Const(value)
                    }
                }
                (Err(test), rest) => {
                    let both = Box::new((test, rest));
                    if all { Test::And(both) } else { Test::Or(both) }
                }
            };
        }
        // Still what is worth being kept.
        self.loops = self.loops.max(loops + 1);
        Ok(Some(joined))
    }
}
