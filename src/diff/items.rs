//! Pairing the items of two games by keyword and name.

use crate::ir::RuleId;
use std::sync::Arc;

use super::facts::facts;
use super::lines::{all, differing, meaning};
use super::parts::overlaid;
use super::{Change, Fact, Fate, Side, Which, Written};
use crate::base::Span;
use crate::syntax::ast::item::{Item, ItemKind};

/// The changed items.
pub(super) fn changes(old: &Side<'_>, new: &Side<'_>) -> Vec<Change> {
    let (before, after) = (keyed(old.items), keyed(new.items));
    let mut found = Vec::new();
    for (key, item) in &after {
        match before.iter().find(|(other, _)| other == key) {
            Some((_, was)) => found.extend(changed(old, new, was, item)),
            None => found.push(alone(Fate::Added, Which::New, new, item)),
        }
    }
    found.extend(orders(old, new));
    for (key, item) in &before {
        if !after.iter().any(|(other, _)| other == key) {
            found.push(alone(Fate::Removed, Which::Old, old, item));
        }
    }
    found
}

/// Items by keyword and name; unnamed ones also by their position among those of their keyword.
fn keyed(items: &[Arc<Item>]) -> Vec<((String, usize), &Item)> {
    let mut found: Vec<((String, usize), &Item)> = Vec::new();
    // The head of a file is the name of the game, not a rule of it.
    for item in items.iter().filter(|item| !matches!(item.kind, ItemKind::Game { .. })) {
        let key = item.key();
        let nth = found.iter().filter(|((other, _), _)| *other == key).count();
        found.push(((key, nth), item));
    }
    found
}

fn alone(fate: Fate, which: Which, side: &Side<'_>, item: &Item) -> Change {
    let place = |wanted| (which == wanted).then_some(item.span);
    Change {
        item: item.key(),
        fate,
        old: place(Which::Old),
        new: place(Which::New),
        facts: Vec::new(),
        lines: all(which, side.sources, item.span),
        only_clauses: false,
        follows: false,
    }
}

fn changed(old: &Side<'_>, new: &Side<'_>, before: &Item, after: &Item) -> Option<Change> {
    let facts = facts(old, new, before, after);
    let same = before == after;
    if same && facts.is_empty() {
        return None;
    }
    // Differing rows of tables are listed as facts.
    let tables = !matches!(before.kind, ItemKind::Kinds { .. } | ItemKind::Table(..));
    let mut lines =
        if same { Vec::new() } else { differing((old.sources, before.span), (new.sources, after.span), tables) };
    let mut in_part = false;
    if lines.is_empty() && before.kind != after.kind {
        // The text is the same, but an overlay changes parts of it.
        lines = overlaid((old, before), (new, after));
        in_part = !lines.is_empty();
    }
    let only_clauses = !same
        && before.kind != after.kind
        && facts.is_empty()
        && !in_part
        && meaning(old.sources, before.span) == meaning(new.sources, after.span);
    Some(Change {
        item: after.key(),
        fate: Fate::Changed,
        old: Some(before.span),
        new: Some(after.span),
        facts,
        lines,
        only_clauses: only_clauses || !same && before.kind == after.kind,
        follows: same,
    })
}

/// Changes in the order of items whose order means something.
fn orders(old: &Side<'_>, new: &Side<'_>) -> Vec<Change> {
    let ends = |side: &Side<'_>| -> Vec<(String, Span)> {
        let place = |rule: RuleId| side.game.rules.get(rule).map_or_else(Span::default, |rule| rule.span);
        side.game.ends.iter().map(|end| (end.name.clone(), place(end.rule))).collect()
    };
    let those = |side: &Side<'_>, fits: fn(&ItemKind) -> bool| -> Vec<(String, Span)> {
        let items = side.items.iter().filter(|item| fits(&item.kind));
        items.map(|item| (item.kind.name().map_or_else(|| item.key(), |name| name.node.clone()), item.span)).collect()
    };
    let boards: fn(&ItemKind) -> bool = |kind| matches!(kind, ItemKind::Board { .. });
    let pieces: fn(&ItemKind) -> bool = |kind| matches!(kind, ItemKind::Piece { .. } | ItemKind::Kinds { .. });
    let found = [
        ("ends", "order in which they are tested", ends(old), ends(new)),
        ("boards", "order of their sites, of which the first is often meant", those(old, boards), those(new, boards)),
        ("pieces", "order of the kinds, of which the first is often meant", those(old, pieces), those(new, pieces)),
    ];
    found.into_iter().filter_map(|(item, what, before, after)| order(item, what, &before, &after)).collect()
}

/// A change in the order of what both games have.
fn order(item: &str, what: &str, old: &[(String, Span)], new: &[(String, Span)]) -> Option<Change> {
    let written = |these: &[(String, Span)], others: &[(String, Span)]| {
        let common: Vec<_> = these.iter().filter(|(name, _)| others.iter().any(|(other, _)| other == name)).collect();
        let names: Vec<&str> = common.iter().map(|(name, _)| name.as_str()).collect();
        let span = common.first().map_or_else(Span::default, |(_, span)| *span);
        Written { text: names.join(" "), span }
    };
    let (before, after) = (written(old, new), written(new, old));
    (before.text != after.text).then(|| Change {
        item: item.to_owned(),
        fate: Fate::Changed,
        old: Some(before.span),
        new: Some(after.span),
        facts: vec![Fact { what: what.to_owned(), old: Some(before), new: Some(after) }],
        lines: Vec::new(),
        only_clauses: false,
        follows: false,
    })
}
