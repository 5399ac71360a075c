//! Control-flow checks: what may ask, nesting depth, and actions that play each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::Span;
use crate::ir::{
    Action, ActionId, ActionRef, Asked, BlockId, Choice, Expr, ExprKind, Game, Header, Id, Path, PathId, Stmt,
};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::Item;

use super::checker::DEPTH;

/// Checks that need the whole program. `asked_for` are the actions whose legal moves some expression asks
/// about, with the places where it does.
pub(super) fn flow(game: &Game, asked_for: &[(usize, Span)], items: &[Arc<Item>], reports: &mut Reports) {
    let flow = Flow { game, items };
    let first = flow.legality_in_circles(asked_for).or_else(|| flow.nesting());
    first.into_iter().chain(flow.actions_in_circles()).for_each(|report| reports.push(report));
}

/// Whom statements ask, procedures included: a seat rather than chance.
pub(super) fn asks(game: &Game, stmts: &[Stmt]) -> Option<Asked> {
    let asked: Vec<Asked> = run_by(game, stmts).iter().filter_map(|stmt| stmt.kind.asks()).collect();
    asked.iter().find(|asked| **asked == Asked::Seat).or(asked.first()).copied()
}

/// These statements and all that they may run, each block once however often it is called.
fn run_by<'a>(game: &'a Game, stmts: &'a [Stmt]) -> Vec<&'a Stmt> {
    let mut found: Vec<&Stmt> = stmts.iter().collect();
    let mut seen = BTreeSet::new();
    let mut at = 0;
    while let Some(stmt) = found.get(at) {
        for block in stmt.kind.blocks() {
            if seen.insert(block) {
                found.extend(&game.blocks[block].stmts);
            }
        }
        at += 1;
    }
    found
}

/// A game as it was checked, and the items it comes from.
#[derive(Clone, Copy)]
struct Flow<'a> {
    game: &'a Game,
    items: &'a [Arc<Item>],
}

impl<'a> Flow<'a> {
    /// The item with a key; the first if there is none.
    fn place(self, of: impl Fn(&str) -> bool) -> Span {
        let item = self.items.iter().find(|item| of(&item.key()));
        item.or(self.items.first()).map_or(Span::default(), |item| item.span)
    }

    fn nesting(self) -> Option<Report> {
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
        let (_, name) = worst?;
        let span = self.place(|key| key.ends_with(&format!(" {name}")));
        let message =
            format!("`{name}` is nested more than {DEPTH} levels deep once the definitions it uses are expanded");
        Some(Report::new(Code::TooDeep, span, message).help("use fewer definitions within definitions"))
    }

    /// An action may lead to another choice, but not back to itself.
    fn actions_in_circles(self) -> Option<Report> {
        let plays: Vec<Vec<usize>> = self.game.actions.iter().map(|action| self.played_in(action.body)).collect();
        let name = self.action_name(circle(&plays)?)?;
        let span = self.place(|key| key == format!("action {name}"));
        let message = format!("in the middle of `{name}` a seat may play `{name}` again");
        let help = "continue the turn with another question in `play`, or use `again`";
        Some(Report::new(Code::Circular, span, message).help(help))
    }

    /// Whether a move is legal may depend on whether others are, but not on itself.
    fn legality_in_circles(self, asked_for: &[(usize, Span)]) -> Option<Report> {
        if asked_for.is_empty() {
            return None;
        }
        let asks: Vec<Vec<usize>> = self.game.actions.iter().map(|action| self.asked_by(action)).collect();
        let start = circle(&asks)?;
        let place = asked_for.iter().find(|(action, _)| *action == start).map_or(Span::default(), |(_, at)| *at);
        let name = self.action_name(start)?;
        let message = format!("whether `{name}` is legal depends on whether `{name}` is legal");
        let help = "ask in `play`, in an end, or in the effects of an action without `ensure`";
        Some(Report::new(Code::Circular, place, message).help(help))
    }

    /// What settles whether a move of an action is legal: its head, its guards on the position after
    /// it, and with such guards its effects.
    fn legality_of(self, action: &'a Action, each: &mut dyn FnMut(&'a Expr)) {
        for line in &action.head {
            match line {
                Header::Choose(Choice { set: expr, .. })
                | Header::Let(_, expr, _)
                | Header::Late(_, expr, _)
                | Header::Require(expr, _)
                | Header::Prefer(expr, _) => each(expr),
            }
        }
        if !action.ensure.is_empty() {
            for (guard, _) in &action.ensure {
                each(guard);
            }
            for stmt in run_by(self.game, &self.game.blocks[action.body].stmts) {
                stmt.kind.exprs(each);
            }
        }
    }

    /// The actions for whose legal moves it is asked to settle whether one of these is legal.
    fn asked_by(self, action: &'a Action) -> Vec<usize> {
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
    fn tests_of(self, path: PathId, seen: &mut BTreeSet<usize>, each: &mut dyn FnMut(&'a Expr)) {
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

    fn action_name(self, number: usize) -> Option<&'a str> {
        self.game.actions.get(ActionId::at(number)?).map(|action| action.name.as_str())
    }

    fn played_in(self, block: BlockId) -> Vec<usize> {
        let mut played = Vec::new();
        for stmt in run_by(self.game, &self.game.blocks[block].stmts) {
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
