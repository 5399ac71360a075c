//! Traces: the rules a case uses, recorded as it runs.

use super::runner::Run;
use crate::ir::{KindId, RuleId};
use crate::model::{Ask, Engine};

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

    /// Records the rules that the legal moves rely on, and the question they answer.
    pub(super) fn touch_legal(&mut self) {
        for mv in self.engine.legal(&self.position) {
            self.touch(&self.engine.explain().grounds(&self.position, &mv));
        }
        self.touch_ask();
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
