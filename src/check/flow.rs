//! Control-flow checks: what may ask, nesting depth, and actions that play each other.

use std::sync::Arc;

use crate::base::Span;
use crate::ir::{ActionRef, Asked, BlockId, Expr, ExprKind, Id, Path, Stmt};
use crate::report::{Code, Report};
use crate::syntax::ast::item::Item;

use super::scope::{Checker, DEPTH};

impl Checker<'_> {
    /// Whether statements ask a seat or chance, procedures included.
    pub(super) fn asks(&self, stmts: &[Stmt]) -> bool {
        self.run_by(stmts).iter().any(|stmt| stmt.kind.asks().is_some())
    }

    /// The same for seats alone.
    pub(super) fn asks_seat(&self, stmts: &[Stmt]) -> bool {
        self.run_by(stmts).iter().any(|stmt| stmt.kind.asks() == Some(Asked::Seat))
    }

    /// These statements and all that they may run, each block once however often it is called.
    fn run_by<'a>(&'a self, stmts: &'a [Stmt]) -> Vec<&'a Stmt> {
        let mut found: Vec<&Stmt> = stmts.iter().collect();
        let mut seen = std::collections::BTreeSet::new();
        let mut at = 0;
        while let Some(stmt) = found.get(at) {
            for block in stmt.kind.blocks() {
                if seen.insert(block) {
                    found.extend(&self.game.blocks[block].stmts);
                }
            }
            at += 1;
        }
        found
    }

    /// Checks that need the whole program.
    pub(super) fn flow(&mut self, items: &[Arc<Item>]) {
        self.nesting(items);
        self.actions_in_circles(items);
        self.idle(items);
    }

    fn nesting(&mut self, items: &[Arc<Item>]) {
        let place = items.first().map_or(Span::default(), |item| item.span);
        let mut functions = vec![0; self.game.functions.len()];
        let mut paths = vec![0; self.game.paths.len()];
        let mut worst: Option<(usize, String)> = None;
        // Definitions only use earlier numbers of their own sort; functions and
        // paths may alternate, so go round until nothing changes.
        for _ in 0..=functions.len() + paths.len() {
            let (old_functions, old_paths) = (functions.clone(), paths.clone());
            let depths = Depths { functions: &old_functions, paths: &old_paths };
            for (number, def) in self.game.functions.iter().enumerate() {
                functions[number] = depths.expr(&def.body);
            }
            for (number, def) in self.game.paths.iter().enumerate() {
                paths[number] = depths.path(&def.body);
            }
            if functions == old_functions && paths == old_paths {
                break;
            }
        }
        let named = self.game.functions.iter().map(|def| &def.name).zip(&functions);
        let mut all: Vec<(&String, &usize)> = named.collect();
        all.extend(self.game.paths.iter().map(|def| &def.name).zip(&paths));
        for (name, &depth) in all {
            if depth > DEPTH && worst.as_ref().is_none_or(|(deepest, _)| depth > *deepest) {
                worst = Some((depth, name.clone()));
            }
        }
        if let Some((_, name)) = worst {
            let span =
                items.iter().find(|item| item.key().ends_with(&format!(" {name}"))).map_or(place, |item| item.span);
            let message =
                format!("`{name}` is nested more than {DEPTH} levels deep once the definitions it uses are expanded");
            self.report(Report::new(Code::TooDeep, span, message).help("use fewer definitions within definitions"));
        }
    }

    /// An action may lead to another choice, but not back to itself.
    fn actions_in_circles(&mut self, items: &[Arc<Item>]) {
        let count = self.game.actions.len();
        let plays: Vec<Vec<usize>> = self.game.actions.iter().map(|action| self.played_in(action.body)).collect();
        for (start, action) in self.game.actions.iter().enumerate() {
            let mut reached = vec![false; count];
            let mut open = plays[start].clone();
            while let Some(next) = open.pop() {
                if !std::mem::replace(&mut reached[next], true) {
                    open.extend(&plays[next]);
                }
            }
            if reached[start] {
                let name = action.name.clone();
                let key = format!("action {name}");
                let span = items.iter().find(|item| item.key() == key).map_or(Span::default(), |item| item.span);
                let message = format!("in the middle of `{name}` a seat may play `{name}` again");
                self.report(
                    Report::new(Code::Circular, span, message)
                        .help("continue the turn with another question in `play`, or use `again`"),
                );
                return;
            }
        }
    }

    fn played_in(&self, block: BlockId) -> Vec<usize> {
        let mut played = Vec::new();
        for stmt in self.run_by(&self.game.blocks[block].stmts) {
            played.extend(stmt.kind.groups().iter().flatten().filter_map(|action| match action {
                ActionRef::Action(number) | ActionRef::Race(number) => Some(usize::from(*number)),
                ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
            }));
        }
        played
    }
}

/// The depths of definitions found so far.
struct Depths<'a> {
    functions: &'a [usize],
    paths: &'a [usize],
}

impl Depths<'_> {
    fn expr(&self, expr: &Expr) -> usize {
        let mut inner = 0;
        expr.children(&mut |part, _| inner = inner.max(self.expr(part)));
        if let ExprKind::Call(number, _) = &expr.kind {
            inner = inner.max(self.functions[number.index()]);
        } else if let ExprKind::Path(number, ..) = &expr.kind {
            inner = inner.max(self.paths[number.index()]);
        } else if let ExprKind::Quantified { binders, .. } | ExprKind::Aggregate { binders, .. } = &expr.kind {
            // Each binder is a level of its own.
            inner += binders.len();
        }
        inner + 1
    }

    fn path(&self, path: &Path) -> usize {
        let mut inner = if let Path::Call(number, _) = path { self.paths[number.index()] } else { 0 };
        path.exprs(&mut |expr| inner = inner.max(self.expr(expr)));
        path.parts().iter().fold(inner, |inner, part| inner.max(self.path(part))) + 1
    }
}
