//! How changed items affect clauses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::lines::meaning;
use super::{Change, Effect, Side, Touched, Which};
use crate::base::Span;
use crate::ir::RuleKind;
use crate::syntax::ast::head;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::stmt::StmtKind;
use crate::syntax::words;

/// A rule for comparison: its item, and its text.
type Said = (String, String);

/// The affected clauses, by effect, then in the order of the documents.
pub(super) fn touched(old: &Side<'_>, new: &Side<'_>, changes: &[Change]) -> Vec<Touched> {
    let (before, after) = (carried(old, Which::Old, changes), carried(new, Which::New, changes));
    let reached = reached(new, changes);
    let mut ids: Vec<&String> = new.game.clauses.clauses.keys().collect();
    ids.extend(old.game.clauses.clauses.keys().filter(|id| !new.game.clauses.clauses.contains_key(*id)));
    let mut found = Vec::new();
    for id in ids {
        let none = Vec::new();
        let (was, is) = (before.get(id).unwrap_or(&none), after.get(id).unwrap_or(&none));
        let differing: BTreeSet<&String> = was
            .iter()
            .filter(|rule| !is.contains(rule))
            .chain(is.iter().filter(|rule| !was.contains(rule)))
            .map(|(item, _)| item)
            .collect();
        let (effect, by): (Effect, BTreeSet<String>) = match (was.is_empty(), is.is_empty()) {
            (true, true) => continue,
            (true, false) => (Effect::Gained, is.iter().map(|(item, _)| item.clone()).collect()),
            (false, true) => (Effect::Lost, was.iter().map(|(item, _)| item.clone()).collect()),
            (false, false) if !differing.is_empty() => (Effect::Changed, differing.into_iter().cloned().collect()),
            (false, false) => match reached.get(id) {
                Some(by) => (Effect::Reached, by.clone()),
                None => continue,
            },
        };
        let clause = new.game.clauses.clauses.get(id).or_else(|| old.game.clauses.clauses.get(id));
        let text = clause.map(|clause| clause.text.clone()).unwrap_or_default();
        found.push(Touched { clause: id.clone(), text, effect, by: by.into_iter().collect() });
    }
    found.sort_by_key(|touched| touched.effect);
    found
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The item that contains a place. Items brought in by a chosen variant or overlay count as items of their own; only the
/// variant's name belongs to the variant alone.
fn item_at(items: &[Arc<Item>], place: Span) -> Option<&Arc<Item>> {
    let mut around = items.iter().filter(|item| holds(item.span, place));
    around
        .clone()
        .find(|item| !matches!(item.kind, ItemKind::Variant { .. } | ItemKind::With(..)))
        .or_else(|| around.next())
}

/// The texts of the rules that implement each clause. A changed fact counts as different on either side, however it
/// is written.
fn carried(side: &Side<'_>, which: Which, changes: &[Change]) -> BTreeMap<String, Vec<Said>> {
    let mut found: BTreeMap<String, Vec<Said>> = BTreeMap::new();
    for rule in &side.game.rules {
        let item = item_at(side.items, rule.span).map_or_else(|| rule.name.clone(), |item| item.key());
        let change = changes.iter().find(|change| change.item == item && !change.only_clauses);
        // What decides whether a statement runs is part of what it does.
        let parts = deciding(side.items, rule.span).into_iter().chain([rule.span]);
        let mut said = parts.map(|part| meaning(side.sources, part)).collect::<Vec<_>>().join(" ");
        if matches!(rule.kind, RuleKind::Fact | RuleKind::Definition | RuleKind::Procedure) && change.is_some() {
            said = format!("{which:?} {said}");
        }
        for clause in &rule.clauses {
            let rules = found.entry(clause.clone()).or_default();
            if !rules.contains(&(item.clone(), said.clone())) {
                rules.push((item.clone(), said.clone()));
            }
        }
    }
    found
}

/// The condition of the end in which a statement stands, and those of the statements around it.
fn deciding(items: &[Arc<Item>], place: Span) -> Vec<Span> {
    let item = item_at(items, place).filter(|item| item.span != place);
    let mut found = Vec::new();
    if let Some(ItemKind::End { when, .. }) = item.map(|item| &item.kind) {
        found.push(when.span);
    }
    let mut block = item.and_then(|item| item.kind.block());
    while let Some(stmt) = block.and_then(|block| block.stmts.iter().find(|stmt| holds(stmt.span, place))) {
        if stmt.span == place {
            break;
        }
        if let StmtKind::If(condition, ..) | StmtKind::While(condition, _) | StmtKind::Repeat(condition, _) = &stmt.kind
        {
            found.push(condition.span);
        }
        block = stmt.kind.blocks().find(|inner| inner.stmts.iter().any(|stmt| holds(stmt.span, place)));
    }
    found
}

/// The name by which rules refer to an item; none if no expression or statement does.
fn name(item: &str) -> Option<&str> {
    let Some((word, name)) = item.split_once(' ') else { return Some(item) };
    let apart = ["clause", "document", "end", "invariant", "seating", "variant", "with"].contains(&word);
    // The rules of kinds have the name that they share: `define worth of card`.
    (!apart).then(|| name.split_once(" of ").map_or(name, |(shared, _)| shared))
}

/// What else of an item rules name: the columns of a table or of kinds.
fn parts(item: &Item) -> Vec<String> {
    let (ItemKind::Kinds { rows, .. } | ItemKind::Table(_, rows)) = &item.kind else { return Vec::new() };
    rows.header.cells.iter().skip(1).map(|cell| head(cell).node).collect()
}

/// Whether an item defines a value that others use.
fn gives_value(item: &Item) -> bool {
    matches!(
        item.kind,
        ItemKind::Option { .. }
            | ItemKind::Reading(..)
            | ItemKind::Region(..)
            | ItemKind::Define(..)
            | ItemKind::Path(..)
            | ItemKind::Table(..)
            | ItemKind::Kinds { .. }
    )
}

/// The clauses of rules that use something changed, directly or through definitions, each with what they use.
fn reached(side: &Side<'_>, changes: &[Change]) -> BTreeMap<String, BTreeSet<String>> {
    // The changes behind each changed name.
    let mut origin: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for change in changes.iter().filter(|change| !change.only_clauses) {
        let item = side.items.iter().find(|item| item.has_key(&change.item));
        let names =
            name(&change.item).map(str::to_owned).into_iter().chain(item.into_iter().flat_map(|item| parts(item)));
        for name in names {
            origin.entry(name).or_default().insert(change.item.clone());
        }
    }
    let values: Vec<(String, &Arc<Item>)> =
        side.items.iter().filter(|item| gives_value(item)).map(|item| (item.key(), item)).collect();
    // Definitions are not recursive, so this reaches a fixpoint.
    for _ in 0..values.len() {
        let mut grown = false;
        for (key, item) in &values {
            let Some(name) = name(key) else { continue };
            let used = uses(side, item.span, &origin, name);
            if used.is_empty() {
                continue;
            }
            let known = origin.entry(name.to_owned()).or_default();
            let size = known.len();
            known.extend(used);
            grown |= known.len() > size;
        }
        if !grown {
            break;
        }
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for rule in &side.game.rules {
        let parts = deciding(side.items, rule.span).into_iter().chain([rule.span]);
        let used: BTreeSet<String> = parts.flat_map(|part| uses(side, part, &origin, &rule.name)).collect();
        for clause in rule.clauses.iter().filter(|_| !used.is_empty()) {
            found.entry(clause.clone()).or_default().extend(used.iter().cloned());
        }
    }
    found
}

/// The changed items that a range of rules refers to, other than its own.
fn uses(side: &Side<'_>, span: Span, origin: &BTreeMap<String, BTreeSet<String>>, itself: &str) -> BTreeSet<String> {
    let named = words(side.sources.slice(span)).into_iter().map(|(_, word)| word).filter(|word| *word != itself);
    named.filter_map(|word| origin.get(word)).flatten().cloned().collect()
}
