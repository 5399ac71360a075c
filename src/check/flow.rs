//! What runs into what: asking, nesting, and actions that play each other.

use crate::base::Span;
use crate::ir::{ActionRef, Binder, BinderSet, BlockId, Expr, ExprKind, Path, Stmt, StmtKind};
use crate::report::{Code, Report};
use crate::syntax::ast::item::Item;

use super::scope::{Checker, DEPTH};

impl Checker<'_> {
    /// Whether statements ask a seat or chance, procedures included.
    pub(super) fn asks(&self, stmts: &[Stmt]) -> bool {
        let block = |block: BlockId| self.asks(&self.game.blocks[usize::from(block)].stmts);
        stmts.iter().any(|stmt| stmt.kind.asks() || stmt.kind.blocks().into_iter().any(block))
    }

    /// The same for seats alone.
    pub(super) fn asks_seat(&self, stmts: &[Stmt]) -> bool {
        let block = |block: BlockId| self.asks_seat(&self.game.blocks[usize::from(block)].stmts);
        let chance = |kind: &StmtKind| matches!(kind, StmtKind::Roll(..) | StmtKind::Shuffle(_));
        stmts.iter().any(|stmt| stmt.kind.asks() && !chance(&stmt.kind) || stmt.kind.blocks().into_iter().any(block))
    }

    /// Checks that need the whole program.
    pub(super) fn flow(&mut self, items: &[Item]) {
        self.nesting(items);
        self.actions_in_circles(items);
        self.idle(items);
    }

    fn nesting(&mut self, items: &[Item]) {
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
    fn actions_in_circles(&mut self, items: &[Item]) {
        let count = self.game.actions.len();
        let plays: Vec<Vec<usize>> = (0..count).map(|number| self.played_in(self.game.actions[number].body)).collect();
        for start in 0..count {
            let mut reached = vec![false; count];
            let mut open = plays[start].clone();
            while let Some(next) = open.pop() {
                if !std::mem::replace(&mut reached[next], true) {
                    open.extend(&plays[next]);
                }
            }
            if reached[start] {
                let name = self.game.actions[start].name.clone();
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
        let mut open = vec![block];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            for stmt in &self.game.blocks[usize::from(block)].stmts {
                open.extend(stmt.kind.blocks());
                let groups: Vec<&ActionRef> = match &stmt.kind {
                    StmtKind::Plays { groups, .. } | StmtKind::Together { groups, .. } => {
                        groups.iter().flatten().collect()
                    }
                    StmtKind::Race { group, .. } => group.iter().collect(),
                    _ => Vec::new(),
                };
                played.extend(groups.into_iter().filter_map(|action| match action {
                    ActionRef::Action(number) | ActionRef::Race(number) => Some(usize::from(*number)),
                    ActionRef::Wait | ActionRef::Pass | ActionRef::Decline | ActionRef::Pick => None,
                }));
            }
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
    fn all<'e>(&self, list: impl IntoIterator<Item = &'e Expr>) -> usize {
        list.into_iter().map(|expr| self.expr(expr)).max().unwrap_or(0)
    }

    fn binders(&self, binders: &[Binder]) -> usize {
        self.all(binders.iter().map(|binder| match &binder.over {
            BinderSet::Members(set) | BinderSet::PiecesAt(set) => set,
        }))
    }

    fn expr(&self, expr: &Expr) -> usize {
        let inner = match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Slot(_)
            | ExprKind::Mover
            | ExprKind::Me
            | ExprKind::Ply
            | ExprKind::Turn
            | ExprKind::Now
            | ExprKind::Playing
            | ExprKind::Occurrences
            | ExprKind::InPhase(_)
            | ExprKind::Empty
            | ExprKind::Occupied
            | ExprKind::MovesOf(_)
            | ExprKind::TokenSites(..) => 0,
            ExprKind::Pieces(owner, e) | ExprKind::TokensAt(_, owner, e) => {
                self.expr(e).max(Checker::owner_expr(owner).map_or(0, |e| self.expr(e)))
            }
            ExprKind::Not(e)
            | ExprKind::IsEmpty(e)
            | ExprKind::Neg(e)
            | ExprKind::Attr(_, e)
            | ExprKind::TopOf(e)
            | ExprKind::After(_, e) => self.expr(e),
            ExprKind::Zone(zone) => self.all(&zone.at),
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Same(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Calc(_, a, b)
            | ExprKind::Member(a, b)
            | ExprKind::Within(a, b)
            | ExprKind::Meets(a, b)
            | ExprKind::Set(_, a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Top(_, a, b)
            | ExprKind::Filter(_, a, b) => self.expr(a).max(self.expr(b)),
            ExprKind::If(a, b, c) => self.expr(a).max(self.expr(b)).max(self.expr(c)),
            ExprKind::Var(_, list) | ExprKind::List(list) | ExprKind::Lookup(_, list) | ExprKind::Builtin(_, list) => {
                self.all(list)
            }
            ExprKind::Call(number, list) => self.all(list).max(self.functions[usize::from(*number)]),
            ExprKind::Path(number, from, list) => {
                self.expr(from).max(self.all(list)).max(self.paths[usize::from(*number)])
            }
            ExprKind::Quantified { binders, filter, body, .. } | ExprKind::Aggregate { binders, filter, body, .. } => {
                let filter = filter.as_ref().map_or(0, |f| self.expr(f));
                self.binders(binders).max(filter).max(self.expr(body)) + binders.len()
            }
        };
        inner + 1
    }

    fn path(&self, path: &Path) -> usize {
        let optional = |expr: &Option<Expr>| expr.as_ref().map_or(0, |e| self.expr(e));
        let inner = match path {
            Path::Step { heading, to } => optional(heading).max(self.expr(&to.set)),
            Path::Slide { heading, limit, through } => {
                optional(heading).max(optional(limit)).max(self.expr(&through.set))
            }
            Path::Hop { heading, over, to, .. } => optional(heading).max(self.expr(&over.set)).max(self.expr(&to.set)),
            Path::Along(_, set, body) => self.expr(set).max(self.path(body)),
            Path::Take => 0,
            Path::If(condition, _) => self.expr(condition),
            Path::Call(number, args) => self.all(args).max(self.paths[usize::from(*number)]),
            Path::Then(parts) | Path::Or(parts) => parts.iter().map(|part| self.path(part)).max().unwrap_or(0),
            Path::Repeat { body, .. } | Path::Cited(_, body) => self.path(body),
        };
        inner + 1
    }
}
