//! Whether a seat that could answer a question can do so whenever the position comes back: what is legal then must depend
//! on nothing that does not count for repetition.

use super::emit::{Emit, Out};
use super::history::REPETITION;
use super::place::Place;
use crate::compile::program::OpKind;
use crate::ir::{
    ActionId, ActionRef, BlockId, Choice, Expr, ExprKind, FnId, Function, Game, Header, Path, PathId, StmtKind,
};

/// The maximum depth of nested blocks, definitions and paths.
const DEPTH: usize = 64;

impl Emit<'_> {
    /// Whether actions are legal again whenever the position comes back.
    pub(super) fn repeatable<'r>(&self, actions: impl Iterator<Item = &'r ActionRef>) -> bool {
        let mut found = Counters::in_game(self.game);
        actions.for_each(|action| found.action(*action, 0));
        !found.found
    }

    /// Whether end conditions either decide the game or do nothing that counts for repetition.
    pub(super) fn quiet(&self) -> bool {
        self.program.quiet || self.program.ends.iter().flatten().all(|end| self.decides(end.body, 0))
    }

    /// Whether a block does nothing but decide the game.
    pub(super) fn decides(&self, block: BlockId, depth: usize) -> bool {
        let Some(code) = self.program.code.get(usize::from(block)).filter(|_| depth <= DEPTH) else { return false };
        code.ops.iter().all(|op| {
            if let OpKind::Do(inner) | OpKind::Call(_, inner) = &op.kind {
                return self.decides(*inner, depth + 1);
            }
            if let OpKind::If(_, yes, no) = &op.kind {
                return self.decides(*yes, depth + 1) && no.is_none_or(|no| self.decides(no, depth + 1));
            }
            let plain = matches!(&op.kind, OpKind::Nothing | OpKind::Let(..));
            plain || matches!(&op.kind, OpKind::Decide(..) | OpKind::Draw | OpKind::Rank(..))
        })
    }

    /// Takes note that a question is asked whose position is not remembered: parts of positions count wherever no move is
    /// under way.
    pub(super) fn unremembered(&self, place: &Place) -> Out {
        if self.program.remembers && !self.game.parts.is_empty() && !place.is_moving() {
            return Err(REPETITION);
        }
        Ok(())
    }
}

/// Looks for what does not count for repetition: counters, records, earlier positions.
struct Counters<'g> {
    game: &'g Game,
    /// The definitions, paths and actions that have been looked at.
    functions: Vec<FnId>,
    paths: Vec<PathId>,
    actions: Vec<ActionId>,
    found: bool,
}

impl<'g> Counters<'g> {
    fn in_game(game: &'g Game) -> Self {
        Self { game, functions: Vec::new(), paths: Vec::new(), actions: Vec::new(), found: false }
    }

    fn action(&mut self, action: ActionRef, depth: usize) {
        let ActionRef::Action(number) = action else { return };
        let Some(action) = self.game.actions.get(number).filter(|_| !self.actions.contains(&number)) else { return };
        self.actions.push(number);
        for line in &action.head {
            match line {
                Header::Choose(Choice { set: expr, .. })
                | Header::Let(_, expr, _)
                | Header::Late(_, expr, _)
                | Header::Require(expr, _)
                | Header::Prefer(expr, _) => self.expr(expr, depth),
            }
        }
        action.ensure.iter().for_each(|(guard, _)| self.expr(guard, depth));
        if !action.ensure.is_empty() {
            self.block(action.body, depth);
        }
    }

    fn expr(&mut self, expr: &Expr, depth: usize) {
        if depth > DEPTH || self.found {
            self.found = true;
            return;
        }
        if let ExprKind::Call(function, _) = &expr.kind {
            if !self.functions.contains(function) {
                self.functions.push(*function);
                if let Some(def) = self.game.functions.get(*function) {
                    self.expr(&def.body, depth + 1);
                }
            }
        } else if let ExprKind::Path(path, ..) = &expr.kind {
            self.called(*path, depth);
        } else if let ExprKind::CanPlay(_, actions) = &expr.kind {
            for action in actions {
                self.action(*action, depth + 1);
            }
        } else if let ExprKind::Var(var, _) = &expr.kind {
            self.found |= self.game.vars.get(*var).is_none_or(|var| var.record);
        } else {
            self.found |= matches!(
                expr.kind,
                ExprKind::Ply
                    | ExprKind::Turn
                    | ExprKind::Now
                    | ExprKind::Occurrences
                    | ExprKind::OccurrencesOf(_)
                    | ExprKind::MovesOf(_)
                    | ExprKind::After(..)
                    | ExprKind::Builtin(Function::Repeats, _)
            );
        }
        expr.children(&mut |part, _| self.expr(part, depth + 1));
    }

    fn called(&mut self, path: PathId, depth: usize) {
        if !self.paths.contains(&path) {
            self.paths.push(path);
            if let Some(def) = self.game.paths.get(path) {
                self.path(&def.body, depth + 1);
            }
        }
    }

    fn path(&mut self, path: &Path, depth: usize) {
        if depth > DEPTH {
            self.found = true;
            return;
        }
        if let Path::Call(called, _) = path {
            self.called(*called, depth);
        }
        path.exprs(&mut |expr| self.expr(expr, depth + 1));
        path.parts().iter().for_each(|part| self.path(part, depth + 1));
    }

    fn block(&mut self, block: BlockId, depth: usize) {
        let Some(code) = self.game.blocks.get(block).filter(|_| depth <= DEPTH) else {
            self.found = true;
            return;
        };
        for stmt in &code.stmts {
            // What is written down in a record matters only where it is read.
            let noted = matches!(&stmt.kind, StmtKind::Assign(var, ..)
                if self.game.vars.get(*var).is_some_and(|var| var.record));
            if !noted {
                stmt.kind.exprs(&mut |expr| self.expr(expr, depth + 1));
            }
            stmt.kind.blocks().for_each(|inner| self.block(inner, depth + 1));
        }
    }
}
