//! Control-flow checks: what may ask, nesting depth, and actions that play each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::Span;
use crate::ir::{Action, ActionId, ActionRef, Asked, BlockId, Choice, Expr, ExprKind, Header, Id, Path, PathId, Stmt};
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
        let mut seen = BTreeSet::new();
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
        if !self.legality_in_circles() {
            self.nesting(items);
        }
        self.actions_in_circles(items);
        self.idle(items);
    }

    fn nesting(&mut self, items: &[Arc<Item>]) {
        let place = items.first().map_or(Span::default(), |item| item.span);
        let mut functions = vec![0; self.game.functions.len()];
        let mut paths = vec![0; self.game.paths.len()];
        let mut actions = vec![0; self.game.actions.len()];
        let mut worst: Option<(usize, String)> = None;
        // Definitions only use earlier numbers of their own sort; functions, paths and
        // what asks for legal moves may alternate, so go round until nothing changes.
        for _ in 0..=functions.len() + paths.len() + actions.len() {
            let (old_functions, old_paths, old_actions) = (functions.clone(), paths.clone(), actions.clone());
            let depths = Depths { functions: &old_functions, paths: &old_paths, actions: &old_actions };
            for (number, def) in self.game.functions.iter().enumerate() {
                functions[number] = depths.expr(&def.body);
            }
            for (number, def) in self.game.paths.iter().enumerate() {
                paths[number] = depths.path(&def.body);
            }
            for (number, action) in self.game.actions.iter().enumerate() {
                let mut inner = 0;
                self.legality_of(action, &mut |expr| inner = inner.max(depths.expr(expr)));
                actions[number] = inner + action.head.len();
            }
            if functions == old_functions && paths == old_paths && actions == old_actions {
                break;
            }
        }
        let named = self.game.functions.iter().map(|def| &def.name).zip(&functions);
        let mut all: Vec<(&String, &usize)> = named.collect();
        all.extend(self.game.paths.iter().map(|def| &def.name).zip(&paths));
        all.extend(self.game.actions.iter().map(|action| &action.name).zip(&actions));
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
        let plays: Vec<Vec<usize>> = self.game.actions.iter().map(|action| self.played_in(action.body)).collect();
        if let Some(name) = circle(&plays).and_then(|start| self.action_name(start)) {
            let key = format!("action {name}");
            let span = items.iter().find(|item| item.key() == key).map_or(Span::default(), |item| item.span);
            let message = format!("in the middle of `{name}` a seat may play `{name}` again");
            self.report(
                Report::new(Code::Circular, span, message)
                    .help("continue the turn with another question in `play`, or use `again`"),
            );
        }
    }

    /// Whether a move is legal may depend on whether others are, but not on itself; true if it does.
    fn legality_in_circles(&mut self) -> bool {
        if self.asked_for.is_empty() {
            return false;
        }
        let asks: Vec<Vec<usize>> = self.game.actions.iter().map(|action| self.asked_by(action)).collect();
        let Some(start) = circle(&asks) else { return false };
        let place = self.asked_for.iter().find(|(action, _)| *action == start).map_or(Span::default(), |(_, at)| *at);
        let Some(name) = self.action_name(start) else { return false };
        let message = format!("whether `{name}` is legal depends on whether `{name}` is legal");
        let help = "ask in `play`, in an end, or in the effects of an action without `ensure`";
        self.report(Report::new(Code::Circular, place, message).help(help));
        true
    }

    /// What settles whether a move of an action is legal: its head, its guards on the position after
    /// it, and with such guards its effects.
    fn legality_of<'a>(&'a self, action: &'a Action, each: &mut dyn FnMut(&'a Expr)) {
        for line in &action.head {
            match line {
                Header::Choose(Choice { set: expr, .. })
                | Header::Let(_, expr)
                | Header::Require(expr, _)
                | Header::Prefer(expr, _) => each(expr),
            }
        }
        if !action.ensure.is_empty() {
            for (guard, _) in &action.ensure {
                each(guard);
            }
            for stmt in self.run_by(&self.game.blocks[action.body].stmts) {
                stmt.kind.exprs(each);
            }
        }
    }

    /// The actions for whose legal moves it is asked to settle whether one of these is legal.
    fn asked_by(&self, action: &Action) -> Vec<usize> {
        let (mut open, mut asked) = (Vec::new(), Vec::new());
        self.legality_of(action, &mut |expr| open.push(expr));
        let mut seen = (BTreeSet::new(), BTreeSet::new());
        while let Some(expr) = open.pop() {
            if let ExprKind::CanPlay(_, actions) = &expr.kind {
                asked.extend(actions.iter().filter_map(|action| number_of(*action)));
            } else if let ExprKind::Call(number, _) = &expr.kind
                && seen.0.insert(number.index())
            {
                open.extend(self.game.functions.get(*number).map(|def| &def.body));
            } else if let ExprKind::Path(number, ..) = &expr.kind
                && seen.1.insert(number.index())
            {
                self.tests_of(*number, &mut seen.1, &mut |test| open.push(test));
            }
            expr.children(&mut |part, _| open.push(part));
        }
        asked
    }

    /// The expressions in a path and the paths that it uses.
    fn tests_of<'a>(&'a self, path: PathId, seen: &mut BTreeSet<usize>, each: &mut dyn FnMut(&'a Expr)) {
        let mut open: Vec<&Path> = self.game.paths.get(path).map(|def| &def.body).into_iter().collect();
        while let Some(path) = open.pop() {
            path.exprs(each);
            open.extend(path.parts());
            if let Path::Call(number, _) = path
                && seen.insert(number.index())
            {
                open.extend(self.game.paths.get(*number).map(|def| &def.body));
            }
        }
    }

    fn action_name(&self, number: usize) -> Option<String> {
        self.game.actions.get(ActionId::at(number)?).map(|action| action.name.clone())
    }

    fn played_in(&self, block: BlockId) -> Vec<usize> {
        let mut played = Vec::new();
        for stmt in self.run_by(&self.game.blocks[block].stmts) {
            played.extend(stmt.kind.groups().iter().flatten().filter_map(|action| number_of(*action)));
        }
        played
    }
}

fn number_of(action: ActionRef) -> Option<usize> {
    match action {
        ActionRef::Action(number) | ActionRef::Race(number) => Some(usize::from(number)),
        ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
    }
}

/// The first of those that lead back to themselves.
fn circle(leads: &[Vec<usize>]) -> Option<usize> {
    (0..leads.len()).find(|&start| {
        let mut reached = vec![false; leads.len()];
        let mut open = leads[start].clone();
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut reached[next], true) {
                open.extend(&leads[next]);
            }
        }
        reached[start]
    })
}

/// The depths of definitions found so far.
struct Depths<'a> {
    functions: &'a [usize],
    paths: &'a [usize],
    actions: &'a [usize],
}

impl Depths<'_> {
    fn expr(&self, expr: &Expr) -> usize {
        let mut inner = 0;
        expr.children(&mut |part, _| inner = inner.max(self.expr(part)));
        if let ExprKind::Call(number, _) = &expr.kind {
            inner = inner.max(self.functions[number.index()]);
        } else if let ExprKind::Path(number, ..) = &expr.kind {
            inner = inner.max(self.paths[number.index()]);
        } else if let ExprKind::CanPlay(_, actions) = &expr.kind {
            let depths = actions.iter().filter_map(|action| number_of(*action)).map(|number| self.actions[number]);
            inner = depths.fold(inner, usize::max);
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
