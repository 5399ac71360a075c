//! What is worked out once where it is asked for again.
//!
//! **Invariant:** what is kept of an expression holds in the scope in which it is asked for, while as much is known to lie open.

use crate::ir::{Expr, ExprKind, FnId, Knowledge, Who};

use super::Analysis;
use super::scope::{Name, Scope};

impl Analysis<'_> {
    /// The seat that a definition stands for, given what its parameters stand for: definitions use each other more than once.
    pub(super) fn who_of(&self, function: FnId, given: Vec<Option<Who>>, acting: Option<Who>) -> Option<Who> {
        let key = (function, given, acting);
        if let Some(found) = self.seats.borrow().get(&key) {
            return *found;
        }
        let def = self.game.functions.get(function)?;
        let mut inner = Scope::played_by(acting);
        for (param, who) in def.params.iter().zip(&key.1) {
            inner.bind(*param, Name::public(*who));
        }
        let found = self.who(&def.body, &inner);
        self.seats.borrow_mut().insert(key, found);
        found
    }

    /// Works something out once where it is asked for again in the same scope: for an expression of the game that runs over
    /// a set, or is picked out by others that are more than names.
    pub(super) fn once(
        &self,
        expr: &Expr,
        number: bool,
        scope: &Scope,
        work: impl FnOnce(&Self) -> Knowledge,
    ) -> Knowledge {
        if !is_asked_again(expr) {
            return work(self);
        }
        // Expressions stay where they are as long as the analysis goes on.
        let (at, now) = ((std::ptr::from_ref(expr).addr(), number), (self.playing, self.unaccounted));
        if let Some((known_in, then, known)) = self.ranging.borrow().get(&at)
            && (known_in, *then) == (scope, now)
        {
            return known.clone();
        }
        let known = work(self);
        self.ranging.borrow_mut().insert(at, (scope.clone(), now, known.clone()));
        known
    }
}

/// Whether what an expression is made of is asked for more than once: what it is, how many, whose. Names and constants are
/// found at once.
fn is_asked_again(expr: &Expr) -> bool {
    let ranges = matches!(
        expr.kind,
        ExprKind::Filter(..) | ExprKind::Top(..) | ExprKind::Aggregate { .. } | ExprKind::Quantified { .. }
    );
    let picked = matches!(
        expr.kind,
        ExprKind::Var(..)
            | ExprKind::Zone(..)
            | ExprKind::Pieces(..)
            | ExprKind::TokenSites(..)
            | ExprKind::TokensAt(..)
            | ExprKind::Attr(..)
            | ExprKind::Call(..)
            | ExprKind::Path(..)
            | ExprKind::If(..)
    );
    let mut deep = false;
    if picked {
        expr.children(&mut |part, _| part.children(&mut |_, _| deep = true));
    }
    ranges || deep
}
