//! The depth of expression trees.
//!
//! **Invariant:** every subexpression is counted.

use crate::syntax::ast::expr::{Binder, Expr, ExprKind, Whose};

/// The number of nodes on the longest path down.
pub(super) fn height(expr: &Expr) -> usize {
    1 + match &expr.kind {
        ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Truth(_) => 0,
        ExprKind::Call(_, parts) | ExprKind::Set(parts) => highest(parts),
        ExprKind::Pieces(owner, _) => of(owner),
        ExprKind::Tokens(owner, _, place) => of(owner).max(height(place)),
        ExprKind::Field(inner, _)
        | ExprKind::Unary(_, inner)
        | ExprKind::After(_, inner)
        | ExprKind::TopOf(inner)
        | ExprKind::CanPlay(inner, _) => height(inner),
        ExprKind::Binary(_, left, right) | ExprKind::Top(_, left, right) | ExprKind::Filter(_, left, right) => {
            height(left).max(height(right))
        }
        ExprKind::If(test, yes, no) => height(test).max(height(yes)).max(height(no)),
        ExprKind::Quantified { all: _, binders, filter, body }
        | ExprKind::Aggregate { fold: _, body, binders, filter } => {
            bound(binders).max(highest(filter.as_deref())).max(height(body))
        }
    }
}

fn highest<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> usize {
    parts.into_iter().map(height).fold(0, usize::max)
}

fn bound(binders: &[Binder]) -> usize {
    binders.iter().map(|binder| height(&binder.set)).fold(0, usize::max)
}

fn of(whose: &Whose) -> usize {
    match whose {
        Whose::Own | Whose::Enemy | Whose::Anyone => 0,
        Whose::Of(seat) => height(seat),
    }
}
