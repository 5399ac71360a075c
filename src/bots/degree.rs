//! Degrees of truth: how close conditions are to holding in a position.

use std::cell::RefCell;

use super::board_graph::{BoardGraph, number};
use super::condition::{Condition, Measure};
use crate::base::{Bits, SaturatingFrom};
use crate::ir::{Binder, BinderSet, Expr, Slot, Value};
use crate::model::Position;
use crate::reference::{Distances, Walker};

/// The minimum factor of an undecided condition in a conjunction: it may still come true.
const HOPE: f64 = 0.1;

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

    /// The distance of a condition from holding; none if it cannot hold.
    fn measure(&mut self, measure: &Measure) -> Option<f64> {
        let free = |valuation: &Self| -> Bits {
            let position = &valuation.position;
            let bare = |site: &usize| {
                position.sites.get(*site).is_none_or(Option::is_none)
                    && position.tokens.iter().all(|pool| pool.get(*site).is_none_or(|&n| n == 0))
            };
            (0..position.sites.len()).filter(bare).collect()
        };
        match measure {
            Measure::Size(set) => Some(number(self.value(set).size())),
            Measure::Leave(set, region) => Some(self.ground.leave(&self.sites(set), &self.sites(region))),
            Measure::Missing(a, b) => {
                let (a, b) = (self.value(a).members(), self.value(b).members());
                Some(number(a.iter().filter(|member| !b.contains(member)).count()))
            }
            Measure::Walk(a, b) => Some(self.ground.walk(&self.sites(a), &self.sites(b), &free(self))),
            Measure::Apart(a, b) => self.ground.apart(&self.sites(a), &self.sites(b)).map(number),
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
                self.ground.row(&set, &free(self), length.min(set.count() + self.position.sites.len())).map(number)
            }
            Measure::Links(args) => match args.as_slice() {
                [from, to, over, ..] => {
                    let free = free(self);
                    self.ground.links(&self.sites(from), &self.sites(to), &self.sites(over), &free).map(number)
                }
                _ => None,
            },
        }
    }
}

/// A number of the rules as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "degrees need no more than 52 bits")]
pub(super) fn wide(n: i64) -> f64 {
    n as f64
}
