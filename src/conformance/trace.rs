//! Traces: the rules a case uses, recorded as it runs.

use super::runner::Run;
use crate::ir::{KindId, Move, RuleId};
use crate::model::{Ask, Engine};

/// How many bytes of positions may be copied to find what the legal moves of one position rely on.
const COPIED: usize = 1 << 26;

impl Run<'_> {
    pub(super) fn touch(&mut self, rules: &[RuleId]) {
        for &rule in rules {
            if self.step > 0 && !self.trace.contains(&rule) {
                self.trace.push(rule);
            }
            if let Some(rule) = self.game.rules.get(rule) {
                self.outcome.touched.extend(rule.clauses.iter().cloned());
            }
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

    /// The rules that legal moves rely on. Each move is made for it in a copy of the position: where both are large, some are
    /// looked at that lie equally far apart.
    pub(super) fn grounds(&self, legal: &[Move]) -> Vec<RuleId> {
        let most = (COPIED / self.position.bytes().max(1)).max(1);
        let mut rules: Vec<RuleId> = Vec::new();
        for mv in legal.iter().step_by(legal.len().div_ceil(most).max(1)) {
            for rule in self.engine.explain().grounds(&self.position, mv) {
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
