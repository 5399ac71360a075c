//! Traces: the rules a case uses, recorded as it runs.

use std::collections::BTreeSet;

use super::runner::Run;
use crate::ir::{BlockId, Expr, Game, KindId, Move, RuleId, RuleKind, Stmt, StmtKind};
use crate::model::{Ask, Engine};

/// How many bytes of positions may be copied to find what the legal moves of one position rely on.
const COPIED: usize = 1 << 24;

/// Whether a rule is a fact that holds as soon as the game is loaded: a board, an option, a zone. A kind of piece is not: it
/// counts where such a piece is.
pub(super) fn is_settled(game: &Game, rule: RuleId) -> bool {
    let fact = game.rules.get(rule).is_some_and(|info| info.kind == RuleKind::Fact);
    fact && !game.kinds.iter().any(|kind| kind.rule == rule)
}

/// The blocks of which a statement does no more than say whether and how often they run; none if it does more.
fn governed(stmt: &StmtKind) -> Vec<BlockId> {
    let only = matches!(stmt, StmtKind::If(..) | StmtKind::For(..) | StmtKind::While(..) | StmtKind::Repeat(..));
    if only { stmt.blocks().collect() } else { Vec::new() }
}

/// Adds rules to a set, and what was worked out for the regions among them when the game was loaded.
fn add(game: &Game, set: &mut BTreeSet<RuleId>, rules: &[RuleId]) {
    let mut left: Vec<RuleId> = rules.to_vec();
    while let Some(rule) = left.pop() {
        if set.insert(rule) {
            left.extend(game.beneath.get(&rule).into_iter().flatten());
        }
    }
}

impl Run<'_> {
    /// Records rules that are used.
    pub(super) fn touch(&mut self, rules: &[RuleId]) {
        self.show(rules);
        add(self.game, &mut self.used, rules);
    }

    /// Records rules by which something is refused: they show what must fail, and nothing of what must succeed.
    pub(super) fn touch_refusal(&mut self, rules: &[RuleId]) {
        self.show(rules);
        add(self.game, &mut self.refusing, rules);
    }

    /// Adds to what is printed of a step that fails.
    fn show(&mut self, rules: &[RuleId]) {
        for rule in rules {
            if self.step > 0 && !self.trace.contains(rule) {
                self.trace.push(*rule);
            }
        }
    }

    /// Records what is true of the rules as soon as they are loaded.
    pub(super) fn touch_settled(&mut self) {
        let facts = self.game.rules.ids().filter(|&rule| is_settled(self.game, rule));
        let settled: Vec<RuleId> = facts.chain(self.game.evaluated.iter().copied()).collect();
        self.touch(&settled);
    }

    /// The clauses of the rules that were used, and of those that did nothing but refuse or were asked for in vain: a
    /// statement of which no block has run.
    pub(super) fn conclude(&mut self) {
        let ran = |block: &BlockId| {
            let first = self.game.blocks.get(*block).and_then(|block| block.stmts.first());
            // An `if` without `else` has an empty block there.
            first.is_some_and(|stmt| self.used.contains(&stmt.rule))
        };
        let vain = |stmt: &&Stmt| {
            let blocks = governed(&stmt.kind);
            !blocks.is_empty() && !blocks.iter().any(ran)
        };
        let stmts = self.game.blocks.iter().flat_map(|block| &block.stmts);
        let idle: BTreeSet<RuleId> = stmts.filter(vain).map(|stmt| stmt.rule).collect();
        for rule in self.used.union(&self.refusing) {
            let Some(info) = self.game.rules.get(*rule) else { continue };
            let vain = idle.contains(rule) || !self.used.contains(rule);
            let clauses = if vain { &mut self.outcome.passed_by } else { &mut self.outcome.touched };
            clauses.extend(info.clauses.iter().cloned());
        }
    }

    /// Records the invariants, and what is evaluated for them.
    pub(super) fn touch_invariants(&mut self) {
        for law in &self.game.invariants {
            self.touch(&[law.rule]);
            self.touch_value(&law.holds);
        }
    }

    /// Records what is evaluated for an expression; nothing if that takes too many steps.
    fn touch_value(&mut self, expr: &Expr) {
        if let Some((_, trace)) = self.engine.value_traced(&self.position, expr) {
            self.touch(&trace);
        }
    }

    /// Records the kinds of the pieces in the position.
    pub(super) fn touch_kinds(&mut self) {
        let pieces = self.position.sites.iter().flatten().chain(self.position.zones.iter().flatten().flatten());
        let mut kinds: Vec<KindId> = pieces.map(|piece| piece.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let rules: Vec<RuleId> =
            kinds.iter().filter_map(|kind| self.game.kinds.get(*kind)).map(|kind| kind.rule).collect();
        self.touch(&rules);
    }

    /// The rules by which moves are legal, not those of what they lead to, which nothing says here. Where there are many moves and the
    /// position is large, some are looked at that lie equally far apart.
    pub(super) fn grounds(&self, legal: &[Move]) -> Vec<RuleId> {
        let most = (COPIED / self.position.bytes().max(1)).max(1);
        let mut rules: Vec<RuleId> = Vec::new();
        for mv in legal.iter().step_by(legal.len().div_ceil(most).max(1)) {
            for rule in self.engine.explain().legality(&self.position, mv) {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        rules
    }

    /// Records the statement that asks.
    pub(super) fn touch_ask(&mut self) {
        let at = match self.position.ask {
            Ask::Choose { at, .. } | Ask::Pick { at, .. } | Ask::Race { at } | Ask::Chance { at } => at,
            Ask::Over => return,
        };
        let block = self.game.blocks.get(at.0);
        if let Some(stmt) = block.and_then(|block| block.stmts.get(usize::from(at.1))) {
            self.touch(&[stmt.rule]);
        }
    }
}
