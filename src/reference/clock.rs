//! How long what has been evaluated stays as it is while time passes.

use smallvec::SmallVec;

use super::Eval;
use super::sets::weight;
use crate::base::SaturatingFrom;
use crate::ir::{Expr, ExprKind, FnDef, FnId, IntOp, Slot, Value};

/// What an evaluation has found out about the clock.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    /// The first later time at which something that was evaluated may have another value; none if nothing ever has.
    change: Option<i64>,
    /// The local names whose values grow with the time, and by how much each millisecond.
    rates: Rates,
}

/// Local names whose values grow with the time.
pub(super) type Rates = SmallVec<[(Slot, i64); 2]>;

/// A value, and by how much it grows with each millisecond until the next change.
type Timed = (Value, i64);

impl Clock {
    pub(super) fn rate(&self, slot: Slot) -> i64 {
        self.rates.iter().filter(|(other, _)| *other == slot).map(|(_, rate)| *rate).sum()
    }

    pub(super) fn forget(&mut self, slot: Slot) {
        self.rates.retain(|(other, _)| *other != slot);
    }
}

impl<'a> Eval<'a> {
    /// Counts as if the next moment might change what is evaluated.
    pub(super) fn changes_at_once(&mut self) {
        self.changes_in(1);
    }

    fn changes_in(&mut self, milliseconds: i64) {
        let at = self.now().saturating_add(milliseconds);
        self.clock.change = Some(self.clock.change.map_or(at, |known| known.min(at)));
    }

    /// What this finds out and, if it leads to nothing, the first later time at which that may be different; none if it never is.
    pub(super) fn timing<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> (T, Option<i64>) {
        self.clock = Clock::default();
        let found = look(self);
        (found, std::mem::take(&mut self.clock).change)
    }

    /// Binds a value that grows with the time.
    pub(super) fn bind_timed(&mut self, slot: Slot, (value, rate): Timed) {
        self.bind(slot, value);
        if rate != 0 {
            self.clock.rates.push((slot, rate));
        }
    }

    /// The names that grow with the time, to be put back once other values have been bound.
    pub(super) fn rates(&self) -> Rates {
        self.clock.rates.clone()
    }

    pub(super) fn put_rates(&mut self, rates: Rates) {
        self.clock.rates = rates;
    }

    /// The numbers that two expressions have. Until the next change they are as far on this side of each other as they are now.
    pub(super) fn both_timed(&mut self, a: &Expr, b: &Expr) -> (Value, Value) {
        let ((a, by), (b, other)) = (self.timed(a), self.timed(b));
        self.meets(a.int().saturating_sub(b.int()), by.saturating_sub(other));
        (a, b)
    }

    /// Notes when two numbers that are so far apart, and grow apart by so much each millisecond, meet or part.
    fn meets(&mut self, apart: i64, rate: i64) {
        if rate == 0 {
            return;
        }
        if apart == 0 {
            self.changes_at_once();
        } else if (apart < 0) == (rate > 0) {
            let steps = apart.unsigned_abs().div_ceil(rate.unsigned_abs());
            self.changes_in(i64::saturating_from(steps));
        }
    }

    /// A value that is looked up in a set. One that grows with the time enters and leaves a range at its ends.
    pub(super) fn looked_up(&mut self, member: &Expr, set: &Expr) -> Value {
        let (value, rate) = self.timed(member);
        if rate != 0 {
            if let ExprKind::Range(low, high) = &set.kind {
                let ((low, low_rate), (high, high_rate)) = (self.timed(low), self.timed(high));
                let number = value.int();
                self.meets(number.saturating_sub(low.int()), rate.saturating_sub(low_rate));
                self.meets(number.saturating_sub(high.int()), rate.saturating_sub(high_rate));
            } else {
                self.changes_at_once();
            }
        }
        value
    }

    /// Enters a function: its parameters are bound.
    pub(super) fn enter_function(&mut self, function: FnId, args: &[Expr]) -> Option<&'a FnDef> {
        let def = self.game.functions.get(function)?;
        self.met.told |= def.told;
        if !def.told {
            self.note(def.rule);
        }
        let values: Vec<Timed> = args.iter().map(|arg| self.timed(arg)).collect();
        for (slot, value) in def.params.iter().zip(values) {
            self.bind_timed(*slot, value);
        }
        Some(def)
    }

    /// The value of an expression that may grow evenly with the time. What reads the clock otherwise changes at once.
    pub(super) fn timed(&mut self, expr: &Expr) -> Timed {
        #[expect(clippy::wildcard_enum_match_arm, reason = "what else reads the clock notes that it does")]
        let timed = match &expr.kind {
            ExprKind::Now if self.tick(1) => (Value::Int(self.now()), 1),
            ExprKind::Slot(slot) if self.clock.rate(*slot) != 0 && self.tick(1) => {
                (self.frame.get(usize::from(*slot)).cloned().unwrap_or_default(), self.clock.rate(*slot))
            }
            ExprKind::Neg(inner) if self.tick(1) => {
                let (value, rate) = self.timed(inner);
                (Value::Int(value.int().saturating_neg()), rate.saturating_neg())
            }
            ExprKind::Calc(op, a, b) if self.tick(1) => self.calculated(*op, a, b),
            ExprKind::If(condition, a, b) if self.tick(1) => {
                let holds = self.truth(condition);
                self.timed(if holds { a } else { b })
            }
            ExprKind::Call(function, args) if self.tick(1) => {
                let Some(def) = self.enter_function(*function, args) else { return (Value::Unset, 0) };
                self.timed(&def.body)
            }
            _ => return (self.eval(expr), 0),
        };
        let size = weight(&timed.0);
        if size > 0 {
            self.tick(size);
        }
        timed
    }

    fn calculated(&mut self, op: IntOp, a: &Expr, b: &Expr) -> Timed {
        let ((a, by), (b, other)) = (self.timed(a), self.timed(b));
        let (a, b) = (a.int(), b.int());
        let rate = match op {
            IntOp::Add => by.saturating_add(other),
            IntOp::Sub => by.saturating_sub(other),
            IntOp::Mul if other == 0 => by.saturating_mul(b),
            IntOp::Mul if by == 0 => other.saturating_mul(a),
            IntOp::Div | IntOp::Mod if by != 0 && other == 0 && b != 0 => {
                self.changes_in(i64::saturating_from(until_multiple(op, a, b.unsigned_abs(), by)));
                if op == IntOp::Mod { by } else { 0 }
            }
            IntOp::Mul | IntOp::Div | IntOp::Mod => {
                if by != 0 || other != 0 {
                    self.changes_at_once();
                }
                0
            }
        };
        (Value::Int(op.of(a, b)), rate)
    }
}

/// In how many milliseconds at the earliest a number that grows by so much in each comes past a multiple of a divisor, so that its
/// quotient is another one, which is rounded towards zero, or its remainder begins anew.
fn until_multiple(op: IntOp, number: i64, divisor: u64, rate: i64) -> u64 {
    let over = u64::saturating_from(i128::from(number).rem_euclid(i128::from(divisor.max(1))));
    let left = match (rate > 0, over) {
        // From a multiple on, if it leaves it towards zero.
        (true, 0) if op == IntOp::Div && number < 0 => return 1,
        (true, _) => divisor - over,
        (false, 0) if op == IntOp::Div && number <= 0 => divisor,
        (false, 0) => return 1,
        (false, _) => over,
    };
    left.div_ceil(rate.unsigned_abs())
}
