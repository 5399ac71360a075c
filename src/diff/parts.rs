//! The lines of rules that overlays change in part: their own text is the same on both sides.

use super::lines::{all, meaning};
use super::{Line, Side, Which};
use crate::base::Span;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::stmt::Block;

/// A part of a rule: its text and its place.
type Said = (String, Span);

/// The lines of the statements and conditions that only one of two items has.
pub(super) fn overlaid(old: (&Side<'_>, &Item), new: (&Side<'_>, &Item)) -> Vec<Line> {
    let (before, after) = (parts(old.0, old.1), parts(new.0, new.1));
    let mut found = only(Which::Old, old.0, &before, &after);
    found.extend(only(Which::New, new.0, &after, &before));
    found
}

fn only(which: Which, side: &Side<'_>, mine: &[Said], others: &[Said]) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    let mut shown: Option<Span> = None;
    for (said, span) in mine.iter().filter(|(said, _)| others.iter().all(|(other, _)| other != said)) {
        // What stands within a statement is shown with it.
        let within = |outer: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
        if !said.is_empty() && !shown.is_some_and(within) {
            found.extend(all(which, side.sources, *span));
            shown = Some(*span);
        }
    }
    found
}

fn parts(side: &Side<'_>, item: &Item) -> Vec<Said> {
    let mut found = Vec::new();
    if let ItemKind::End { when, .. } = &item.kind {
        found.push((meaning(side.sources, when.span), when.span));
    }
    if let Some(block) = item.kind.block() {
        statements(side, block, &mut found);
    }
    found
}

fn statements(side: &Side<'_>, block: &Block, found: &mut Vec<Said>) {
    for stmt in &block.stmts {
        found.push((meaning(side.sources, stmt.span), stmt.span));
        stmt.kind.blocks().for_each(|inner| statements(side, inner, found));
    }
}
