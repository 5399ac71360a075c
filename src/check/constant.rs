//! Constant expressions: what is known before play begins.

use crate::base::Span;
use crate::ir::{Dependencies, Expr, RuleId, Slot, Ty, Value};
use crate::reference::Walker;
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Expr as Tree, ExprKind};

use super::checker::Checker;

/// How many steps a constant gets after the others have spent the budget.
const FEW: u64 = 10_000;

/// Boards of more sites are played by the reference alone.
const FAST: usize = 1024;

/// How many steps a value counts for that is kept for later, and one that is offered to players.
const KEPT: u64 = 10;
const OFFERED: u64 = 40;

impl Checker<'_> {
    /// A settled value as text.
    pub(super) fn value_text(&self, ty: &Ty, value: &Value) -> String {
        crate::notation::print_value(&self.game, ty, value)
    }

    /// The value of a constant expression; a report if it is none.
    pub(super) fn constant(&mut self, expr: &Expr, span: Span) -> Option<Value> {
        if !self.is_known(expr) {
            let message = "this must be known before play begins";
            self.report(
                Report::new(Code::NotConstant, span, message).help("use options, sites, seats and numbers only"),
            );
            return None;
        }
        self.fold(expr, span)
    }

    /// The value of a constant expression of a wanted type.
    pub(super) fn constant_of(&mut self, tree: &Tree, ty: &Ty) -> Option<Value> {
        let expr = self.typed(tree, ty)?;
        self.constant(&expr, tree.span)
    }

    /// A constant number within limits.
    pub(super) fn constant_int(&mut self, tree: &Tree, low: i64, high: i64) -> Option<i64> {
        let n = self.constant_of(tree, &Ty::Int)?.int();
        if n < low || n > high {
            let found = if matches!(tree.kind, ExprKind::Number(_)) { "this" } else { "this value" };
            let message = format!("{found} is {n}; it must be between {low} and {high}");
            self.report(Report::new(Code::OutOfRange, tree.span, message).help("choose a number within the limits"));
            return None;
        }
        Some(n)
    }

    /// The value of a constant expression, by the reference interpreter.
    pub(super) fn fold(&mut self, expr: &Expr, span: Span) -> Option<Value> {
        self.fold_with(expr, &[], span)
    }

    /// The same with some local names bound.
    pub(super) fn fold_with(&mut self, expr: &Expr, bound: &[(Slot, Value)], span: Span) -> Option<Value> {
        let (slots, values): (Vec<Slot>, Vec<Value>) = bound.iter().cloned().unzip();
        self.fold_each(expr, &slots, vec![values], span)?.pop()
    }

    /// The values for several values of local names. All constants of a game share one step budget; once it is spent,
    /// each still gets a few steps, so that only what takes many is reported.
    pub(super) fn fold_each(
        &mut self,
        expr: &Expr,
        slots: &[Slot],
        combinations: Vec<Vec<Value>>,
        span: Span,
    ) -> Option<Vec<Value>> {
        // Values that are kept take memory, which counts as well.
        let each = if *expr.ty.element() == Ty::Site { KEPT + self.wide() } else { KEPT };
        if combinations.len() > 1 && !self.afford(combinations.len() as u64 * each) {
            return self.folded(None, span);
        }
        let budget = self.steps.max(FEW);
        let walker = Walker::new(std::mem::take(&mut self.game)).with_budget(budget);
        let values = walker.values(slots, combinations, expr);
        self.game = walker.into_game();
        let spent = if let Some((_, left, _)) = &values { budget - left } else { budget };
        self.steps = self.steps.saturating_sub(spent);
        let (values, _, rules) = self.folded(values, span)?;
        for rule in rules {
            let cites = self.game.rules.get(rule).is_some_and(|info| !info.clauses.is_empty());
            if cites && self.game.evaluated.insert(rule) {
                self.afford(KEPT);
            }
        }
        Some(values)
    }

    /// Works out the sites of a region: what is evaluated for them is so for the region, which may never be asked for.
    pub(super) fn beneath<T>(&mut self, region: RuleId, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.game.evaluated);
        let found = work(self);
        let evaluated = std::mem::replace(&mut self.game.evaluated, before);
        self.game.beneath.entry(region).or_default().extend(evaluated);
        found
    }

    /// What a set of sites counts for besides: one for every two bytes that it takes where it is read fast, on boards that the
    /// fast engine takes.
    fn wide(&self) -> u64 {
        let sites = self.game.topology.sites.len();
        if sites > FAST { 0 } else { 4 * sites.div_ceil(64) as u64 }
    }

    /// Takes steps from the budget of constants; false if there are not so many left.
    fn afford(&mut self, steps: u64) -> bool {
        let affordable = steps <= self.steps;
        self.steps = self.steps.saturating_sub(steps);
        affordable
    }

    /// The values that an option offers, each of which is listed wherever the options are.
    pub(super) fn offered(&mut self, from: &Tree, ty: &Ty) -> Option<Vec<Value>> {
        let values = self.constant_of(from, &ty.clone().set())?.members();
        let affordable = self.afford(values.len() as u64 * OFFERED);
        self.folded(affordable.then_some(values), from.span)
    }

    /// Reports a value that took too many steps.
    pub(super) fn folded<T>(&mut self, value: Option<T>, span: Span) -> Option<T> {
        if value.is_none() {
            let message = "this takes too many steps to evaluate";
            self.report(
                Report::new(Code::OutOfRange, span, message).help("make the set or range it ranges over smaller"),
            );
        }
        value
    }

    /// Whether an expression has the same value in every position.
    pub(super) fn is_constant(&self, expr: &Expr) -> bool {
        Dependencies::of(&self.game, expr).is_constant()
    }

    /// Whether it is the same for all values of local names, too.
    pub(super) fn is_known(&self, expr: &Expr) -> bool {
        let needs = Dependencies::of(&self.game, expr);
        needs.is_constant() && needs.slots.is_empty()
    }
}
