//! Acts of a race that may become legal by the passing of time alone.

use std::sync::OnceLock;

use super::{Action, ActionId, Expr, ExprKind, Game, Header, Id, Order, StmtKind, Value, VarId};

/// For each action, whether what it tests on the clock may let it through only later than at the next moment. It is found out
/// when somebody first asks; a copy of a game asks anew.
#[derive(Debug, Default)]
pub struct Later(OnceLock<Vec<bool>>);

impl Clone for Later {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Game {
    /// Whether an action that is not legal at the next moment of a race may become so by the passing of time alone.
    pub(crate) fn comes_later(&self, action: ActionId) -> bool {
        let all = self.later.0.get_or_init(|| self.actions.iter().map(|action| self.waits(action)).collect());
        all.get(action.index()).is_some_and(|later| *later)
    }

    fn waits(&self, action: &Action) -> bool {
        let mut called = vec![false; self.functions.len()];
        let head = action.head.iter().filter_map(|line| match line {
            Header::Choose(choice) => Some(&choice.set),
            Header::Let(_, value, _) => Some(value),
            Header::Require(guard, _) => Some(guard),
            Header::Late(..) | Header::Prefer(..) => None,
        });
        head.chain(action.ensure.iter().map(|(guard, _)| guard)).any(|expr| self.awaits(expr, &mut called))
    }

    /// Whether an expression reads the clock otherwise than to compare it with what has been.
    fn awaits(&self, expr: &Expr, called: &mut [bool]) -> bool {
        let past = |clock: &Expr, other: &Expr| {
            matches!(clock.kind, ExprKind::Now) && matches!(&other.kind, ExprKind::Var(var, _) if self.is_past(*var))
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "any other expression reads the clock if a part does")]
        match &expr.kind {
            ExprKind::Now => return true,
            ExprKind::Compare(Order::Gt, a, b) if past(a, b) => return false,
            ExprKind::Compare(Order::Lt, a, b) if past(b, a) => return false,
            ExprKind::Call(function, _) => {
                if let Some(known) = called.get_mut(function.index()).filter(|known| !**known) {
                    *known = true;
                    let body = self.functions.get(*function).map(|def| &def.body);
                    if body.is_some_and(|body| self.awaits(body, called)) {
                        return true;
                    }
                }
            }
            _ => {}
        }
        let mut found = false;
        expr.children(&mut |part, _| found = found || self.awaits(part, called));
        found
    }

    /// Whether a variable holds nothing but times that have been.
    fn is_past(&self, var: VarId) -> bool {
        let been = |value: &Value| matches!(value, Value::Int(number) if *number <= 0);
        let begins = self.vars.get(var).is_some_and(|info| been(&info.init));
        begins
            && self.blocks.iter().flat_map(|block| &block.stmts).all(|stmt| {
                let StmtKind::Assign(to, _, value) = &stmt.kind else { return true };
                *to != var
                    || matches!(value.kind, ExprKind::Now)
                    || matches!(&value.kind, ExprKind::Const(value) if been(value))
            })
    }
}
