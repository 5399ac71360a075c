//! Constant expressions: what is known before play begins.

use crate::base::Span;
use crate::ir::{Dependencies, Expr, Slot, Ty, Value};
use crate::model::Position;
use crate::reference::Walker;
use crate::report::{Code, Report};
use crate::syntax::ast::expr::{Expr as Tree, ExprKind};

use super::checker::Checker;

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
        let walker = Walker::new(std::mem::take(&mut self.game));
        let mut position: Position = walker.blank();
        for (slot, value) in bound {
            position.locals[usize::from(*slot)] = value.clone();
        }
        let value = walker.value(&position, expr);
        self.game = walker.into_game();
        self.folded(value, span)
    }

    /// The values for several values of local names. They share one step budget.
    pub(super) fn fold_each(
        &mut self,
        expr: &Expr,
        slots: &[Slot],
        combinations: Vec<Vec<Value>>,
        span: Span,
    ) -> Option<Vec<Value>> {
        let walker = Walker::new(std::mem::take(&mut self.game));
        let values = walker.values(slots, combinations, expr);
        self.game = walker.into_game();
        self.folded(values, span)
    }

    /// Reports a value that took too many steps.
    fn folded<T>(&mut self, value: Option<T>, span: Span) -> Option<T> {
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
