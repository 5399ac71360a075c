//! Degrees of truth: how close conditions are to holding in a position.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::board_graph::{BoardGraph, number};
use super::condition::{Condition, Measure};
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{Binder, BinderSet, Expr, Slot, Value};
use crate::model::Position;
use crate::reference::{Distances, Walker};

/// The minimum factor of an undecided condition in a conjunction: it may still come true.
const HOPE: f64 = 0.1;

/// How many sites of a board are looked at in the time of a step.
const LOOKS_A_STEP: usize = 16;

/// A position in which conditions are evaluated.
#[derive(Debug)]
pub(super) struct Valuation<'a> {
    pub walker: &'a Walker,
    pub ground: &'a BoardGraph,
    /// The greatest value seen of each measure, by which it is normalized.
    pub greatest: &'a [f64],
    /// The greatest values in this scene, while they are being collected.
    pub seen: Option<Vec<f64>>,
    pub position: Position,
    /// Distances that were asked for.
    pub distances: RefCell<Distances>,
    /// How many steps its conditions may still take together.
    pub steps: u64,
}

impl Valuation<'_> {
    /// Counts what is looked at without the interpreter; false once no steps are left.
    pub(super) fn pay(&mut self, looks: usize) -> bool {
        self.steps = self.steps.saturating_sub(1 + (looks / LOOKS_A_STEP) as u64);
        self.steps > 0
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        self.walker.value_within(&mut self.position, expr, &mut self.steps, &self.distances).unwrap_or_default()
    }

    pub(super) fn bind(&mut self, slot: Slot, value: Value) {
        let slot = usize::from(slot);
        if self.position.locals.len() <= slot {
            self.position.locals.resize(slot + 1, Value::Unset);
        }
        self.position.locals[slot] = value;
    }

    pub(super) fn bind_all(&mut self, names: &[(Slot, Expr)]) {
        let values: Vec<Value> = names.iter().map(|(_, expr)| self.value(expr)).collect();
        for ((slot, _), value) in names.iter().zip(values) {
            self.bind(*slot, value);
        }
    }

    /// The degree to which a condition holds, from 0 to 1.
    pub(super) fn degree(&mut self, truth: &Condition) -> f64 {
        let crisp = |holds: bool| if holds { 1.0 } else { 0.0 };
        match truth {
            Condition::Settled(holds) => crisp(*holds),
            Condition::Plain(expr) => crisp(self.value(expr).truth()),
            Condition::Not(inner) => 1.0 - self.degree(inner),
            Condition::Both(parts) => parts.iter().map(|part| self.degree(part).max(HOPE)).product(),
            Condition::Either(parts) => 1.0 - parts.iter().map(|part| 1.0 - self.degree(part)).product::<f64>(),
            Condition::If(condition, a, b) => {
                let weight = self.degree(condition);
                weight * self.degree(a) + (1.0 - weight) * self.degree(b)
            }
            Condition::Measured(place, measure) => {
                let raw = self.measure(measure);
                self.share(*place, raw)
            }
            Condition::Each { all, binders, filter, body } => {
                let mut degrees = Vec::new();
                self.each(binders, filter.as_deref(), body, &mut degrees);
                match (all, degrees.len()) {
                    (true, 0) => 1.0,
                    (true, count) => degrees.iter().sum::<f64>() / number(count),
                    (false, _) => degrees.iter().copied().fold(0.0, f64::max),
                }
            }
            Condition::With(names, body) => {
                self.bind_all(names);
                self.degree(body)
            }
        }
    }

    fn each(&mut self, binders: &[Binder], filter: Option<&Expr>, body: &Condition, degrees: &mut Vec<f64>) {
        let Some((first, rest)) = binders.split_first() else {
            if filter.is_none_or(|filter| self.value(filter).truth()) {
                degrees.push(self.degree(body));
            }
            return;
        };
        for member in self.over(&first.over) {
            if !self.pay(0) {
                return;
            }
            self.bind(first.slot, member);
            self.each(rest, filter, body, degrees);
        }
    }

    fn over(&mut self, set: &BinderSet) -> Vec<Value> {
        match set {
            BinderSet::Members(set) => self.value(set).members(),
            BinderSet::PiecesAt(sites) => {
                let sites = self.sites(sites);
                let piece = |site: usize| self.position.sites.get(site)?.clone().map(Value::Piece);
                sites.iter().filter_map(piece).collect()
            }
        }
    }

    fn sites(&mut self, expr: &Expr) -> Bits {
        self.value(expr).atoms()
    }

    /// One minus the measure as a share of its greatest value.
    pub(super) fn share(&mut self, place: usize, raw: Option<f64>) -> f64 {
        let Some(raw) = raw else { return 0.0 };
        if let Some(seen) = self.seen.as_mut().and_then(|seen| seen.get_mut(place)) {
            *seen = seen.max(raw);
        }
        1.0 - raw / self.greatest.get(place).copied().unwrap_or(1.0).max(raw).max(1.0)
    }

    /// The sites on which nothing lies.
    fn free(&mut self) -> Bits {
        let position = &self.position;
        let bare = |site: &usize| {
            position.sites.get(*site).is_none_or(Option::is_none)
                && position.tokens.iter().all(|pool| pool.get(*site).is_none_or(|&n| n == 0))
        };
        let free = (0..position.sites.len()).filter(bare).collect();
        self.pay(position.sites.len() * (1 + position.tokens.len()));
        free
    }

    /// The distance of a condition from holding; none if it cannot hold, or no steps are left to find out.
    fn measure(&mut self, measure: &Measure) -> Option<f64> {
        let whole = self.ground.size();
        match measure {
            Measure::Size(set) => Some(number(self.value(set).size())),
            Measure::Leave(set, region) => {
                let (set, region) = (self.sites(set), self.sites(region));
                self.pay(whole).then(|| self.ground.leave(&set, &region))
            }
            Measure::Missing(a, b) => {
                let (a, b) = (self.value(a).members(), self.value(b).members());
                let there: BTreeSet<&Value> = b.iter().collect();
                self.pay(LOOKS_A_STEP * (a.len() + b.len()))
                    .then(|| number(a.iter().filter(|member| !there.contains(member)).count()))
            }
            Measure::Walk(a, b) => {
                let (a, b, free) = (self.sites(a), self.sites(b), self.free());
                self.pay(2 * whole).then(|| self.ground.walk(&a, &b, &free))
            }
            Measure::Apart(a, b) => {
                let (a, b) = (self.sites(a), self.sites(b));
                if self.pay(whole) { self.ground.apart(&a, &b).map(number) } else { None }
            }
            Measure::Difference(a, b) => Some(match (self.value(a), self.value(b)) {
                (Value::Int(a), Value::Int(b)) => wide(a.saturating_sub(b)).abs(),
                (a, b) => f64::from(u8::from(a != b)),
            }),
            Measure::Short(a, b, more) => {
                let (a, b) = (self.value(a).int(), self.value(b).int());
                Some(wide(b.saturating_add(*more).saturating_sub(a)).max(0.0))
            }
            Measure::Row(set, length) => {
                let (set, length) = (self.sites(set), usize::saturating_from(self.value(length).int()));
                let (free, length) = (self.free(), length.min(set.count() + self.position.sites.len()));
                let most = LOOKS_A_STEP * usize::saturating_from(self.steps);
                let mut looks = most;
                let row = self.ground.row(&set, &free, length, &mut looks);
                if self.pay(most - looks) { row.map(number) } else { None }
            }
            Measure::Links(args) => {
                let [from, to, over, ..] = args.as_slice() else { return None };
                let [from, to, over] = [from, to, over].map(|set| self.sites(set));
                let free = self.free();
                if self.pay(whole) { self.ground.links(&from, &to, &over, &free).map(number) } else { None }
            }
        }
    }
}

/// A number of the rules as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "degrees need no more than 52 bits")]
pub(super) fn wide(n: i64) -> f64 {
    n as f64
}
