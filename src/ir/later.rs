//! Acts of a race that may become legal, or illegal, by the passing of time alone.

use std::sync::OnceLock;

use super::{Action, ActionId, ActionRef, Expr, ExprKind, Game, Header, Id, Order, Path, StmtKind, Value, VarId};

/// For each action, what the passing of time alone may do to it. It is found out when somebody first asks; a copy of a game asks anew.
#[derive(Debug, Default)]
pub struct Later(OnceLock<Vec<Passing>>);

/// What the passing of time alone may do to an action of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// Nothing.
    Leaves,
    /// In positions that no game comes to, make it legal: it tests that something is past which always is.
    Allows,
    /// Make it legal or illegal.
    Changes,
}

impl Clone for Later {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Game {
    /// What the passing of time alone may do to an action of a race.
    pub(crate) fn passing(&self, action: ActionId) -> Passing {
        let all = self.later.0.get_or_init(|| {
            let (changed, read) = (self.timed(true), self.timed(false));
            let passing = |(changed, read): (bool, bool)| match (changed, read) {
                (true, _) => Passing::Changes,
                (false, true) => Passing::Allows,
                (false, false) => Passing::Leaves,
            };
            changed.into_iter().zip(read).map(passing).collect()
        });
        all.get(action.index()).copied().unwrap_or(Passing::Leaves)
    }

    /// Whether a seat may come to act in a race later than at its next moment though it may do nothing then: time alone makes an action
    /// of the group legal, and there is no deadline to wait for.
    pub(crate) fn may_begin_later(&self, group: &[ActionRef], deadline: bool) -> bool {
        !deadline
            && group
                .iter()
                .any(|action| matches!(action, ActionRef::Action(number) if self.passing(*number) == Passing::Changes))
    }

    /// For each action whether the clock decides what moves are legal; `comes` is whether what is past in a game is known to be so.
    fn timed(&self, comes: bool) -> Vec<bool> {
        if !self.reads_clock() {
            return vec![false; self.actions.len()];
        }
        let mut clock = Clock::new(self, comes);
        let written = self.blocks.iter().flat_map(|block| &block.stmts).any(|stmt| clock.is_read_by(&stmt.kind));
        let mut depends: Vec<bool> = self.actions.iter().map(|action| clock.decides(action, written)).collect();
        // Of the moves in a group the preferred ones are legal, whatever their actions.
        let prefers = |action: &Action| action.head.iter().any(|line| matches!(line, Header::Prefer(..)));
        if self.actions.iter().zip(&depends).any(|(action, depends)| *depends && prefers(action)) {
            self.actions.iter().zip(&mut depends).for_each(|(action, depends)| *depends |= prefers(action));
        }
        depends
    }

    /// Whether the rules read the clock at all.
    fn reads_clock(&self) -> bool {
        fn reads(expr: &Expr) -> bool {
            let mut found = matches!(expr.kind, ExprKind::Now);
            expr.children(&mut |part, _| found = found || reads(part));
            found
        }
        fn walks(path: &Path) -> bool {
            let mut found = path.parts().iter().any(walks);
            path.exprs(&mut |expr| found = found || reads(expr));
            found
        }
        let head = |line: &Header| match line {
            Header::Choose(choice) => reads(&choice.set),
            Header::Let(_, expr, _) | Header::Late(_, expr, _) | Header::Require(expr, _) | Header::Prefer(expr, _) => {
                reads(expr)
            }
        };
        let stmt = |kind: &StmtKind| {
            let mut found = false;
            kind.exprs(&mut |expr| found = found || reads(expr));
            found
        };
        self.actions
            .iter()
            .any(|action| action.head.iter().any(head) || action.ensure.iter().any(|(guard, _)| reads(guard)))
            || self.functions.iter().any(|def| reads(&def.body))
            || self.paths.iter().any(|def| walks(&def.body))
            || self.blocks.iter().flat_map(|block| &block.stmts).any(|one| stmt(&one.kind))
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

/// What of a game reads the clock.
struct Clock<'a> {
    game: &'a Game,
    /// The functions that have been looked at.
    called: Vec<bool>,
    /// Whether a path reads it.
    walked: bool,
    /// Whether what is past in a game is known to be so.
    comes: bool,
}

impl<'a> Clock<'a> {
    fn new(game: &'a Game, comes: bool) -> Self {
        let mut clock = Self { game, called: Vec::new(), walked: false, comes };
        clock.begin();
        clock.walked = game.paths.iter().any(|def| clock.is_read_on(&def.body));
        clock
    }

    /// Functions may be looked at once more.
    fn begin(&mut self) {
        self.called = vec![false; self.game.functions.len()];
    }

    /// Whether it decides what moves of an action are legal; `written` is whether statements read it.
    fn decides(&mut self, action: &Action, written: bool) -> bool {
        self.begin();
        let head = action.head.iter().any(|line| match line {
            Header::Choose(choice) => self.is_read_in(&choice.set),
            Header::Let(_, expr, _) | Header::Require(expr, _) | Header::Prefer(expr, _) => self.is_read_in(expr),
            Header::Late(..) => false,
        });
        // A guard on the position after the move may look at what the move has written down.
        let guards = &action.ensure;
        head || written && !guards.is_empty() || guards.iter().any(|(guard, _)| self.is_read_in(guard))
    }

    fn is_read_by(&mut self, stmt: &StmtKind) -> bool {
        let mut found = false;
        stmt.exprs(&mut |expr| found = found || self.is_read_in(expr));
        found
    }

    fn is_read_on(&mut self, path: &Path) -> bool {
        let mut found = path.parts().iter().any(|part| self.is_read_on(part));
        path.exprs(&mut |expr| found = found || self.is_read_in(expr));
        found
    }

    /// Whether an expression reads it otherwise than to compare it with what has been.
    fn is_read_in(&mut self, expr: &Expr) -> bool {
        let past = |clock: &Expr, other: &Expr| {
            self.comes
                && matches!(clock.kind, ExprKind::Now)
                && matches!(&other.kind, ExprKind::Var(var, _) if self.game.is_past(*var))
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "any other expression reads the clock if a part does")]
        match &expr.kind {
            // A move of another action may depend on it.
            ExprKind::Now | ExprKind::CanPlay(..) | ExprKind::MovesOf(_) => return true,
            ExprKind::Path(..) if self.walked => return true,
            ExprKind::Compare(Order::Gt, a, b) if past(a, b) => return false,
            ExprKind::Compare(Order::Lt, a, b) if past(b, a) => return false,
            ExprKind::Call(function, _) => {
                if let Some(known) = self.called.get_mut(function.index()).filter(|known| !**known) {
                    *known = true;
                    let body = self.game.functions.get(*function).map(|def| &def.body);
                    if body.is_some_and(|body| self.is_read_in(body)) {
                        return true;
                    }
                }
            }
            _ => {}
        }
        let mut found = false;
        expr.children(&mut |part, _| found = found || self.is_read_in(part));
        found
    }
}
