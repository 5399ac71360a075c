//! `extends`, variants, `replace`, `remove` and `set`: the tree before names.
//!
//! An override must hit something; an addition must not.

use crate::base::{FileId, Sources, Span, nearest};
use crate::load::{Files, Offer, Setup};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::expr::{Expr, ExprKind, UnOp};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};
use crate::syntax::parse;

/// How many files may extend each other.
const EXTENDS: usize = 8;

/// The items of a rule file on top of those it extends.
pub(super) fn read(file: FileId, files: &dyn Files, sources: &mut Sources, reports: &mut Reports) -> Vec<Item> {
    let mut layers = Vec::new();
    let mut next = Some(file);
    while let Some(file) = next.take() {
        let text = sources.get(file).map_or_else(String::new, |source| source.text.clone());
        let tree = parse(file, &text, reports);
        let base = tree.items.iter().find_map(|item| match &item.kind {
            ItemKind::Game { extends, .. } => extends.clone(),
            _ => None,
        });
        layers.push(tree.items);
        let Some(base) = base else { break };
        let by = sources.get(file).map_or_else(String::new, |source| source.name.clone());
        match files.read(&by, &base.node) {
            Err(why) => {
                let message = format!("the rule file `{}` cannot be read: {why}", base.node);
                reports.push(
                    Report::new(Code::MissingFile, base.span, message)
                        .help("`extends` names a rule file relative to this one, or a shipped game"),
                );
                // What it was to override is not known.
                return Vec::new();
            }
            Ok(_) if layers.len() >= EXTENDS => {
                let message = format!("more than {EXTENDS} rule files extend each other");
                reports.push(Report::new(Code::Circular, base.span, message).help("let one of them extend nothing"));
            }
            Ok((name, text)) => next = Some(sources.add(name, text)),
        }
    }
    let mut items: Vec<Item> = Vec::new();
    while let Some(layer) = layers.pop() {
        if items.is_empty() {
            for item in &layer {
                if matches!(item.kind, ItemKind::Replace(_) | ItemKind::Remove(..) | ItemKind::Set(..)) {
                    let message = "this file extends no other, so there is nothing to override";
                    reports.push(
                        Report::new(Code::NothingToOverride, item.span, message)
                            .help("write the item itself, put the override into a `variant`, or add `extends`"),
                    );
                }
            }
            items = layer;
        } else {
            let mut changed = Vec::new();
            override_with(&mut items, layer, &mut changed, reports);
        }
    }
    items
}

/// Applies the variants of a set-up; also lists what can be settled.
pub(super) fn apply(
    mut items: Vec<Item>,
    setup: &Setup,
    file: FileId,
    reports: &mut Reports,
    offer: &mut Offer,
) -> (Vec<Item>, Vec<(Ident, Vec<Cite>)>) {
    let mut variants = Vec::new();
    items.retain(|item| {
        if matches!(item.kind, ItemKind::Variant { .. }) {
            variants.push(item.clone());
            return false;
        }
        true
    });
    let mut names = Vec::new();
    for item in &variants {
        let ItemKind::Variant { name, title, .. } = &item.kind else {
            continue;
        };
        if names.contains(&name.node) {
            reports.push(Report::new(
                Code::Duplicate,
                name.span,
                format!("the variant `{}` is declared twice", name.node),
            ));
        }
        names.push(name.node.clone());
        let clauses = item.cites.iter().map(|cite| cite.node.clone()).collect();
        offer.variants.push((name.node.clone(), title.clone().unwrap_or_else(|| name.node.clone()), clauses));
    }
    let start = Span::new(file, 0, 0);
    let mut changed: Vec<(String, Span)> = Vec::new();
    let mut chosen: Vec<(String, Vec<String>, Span)> = Vec::new();
    for wanted in &setup.variants {
        let found =
            variants.iter().find(|item| matches!(&item.kind, ItemKind::Variant { name, .. } if name.node == *wanted));
        let Some(Item { kind: ItemKind::Variant { name, excludes, items: changes, .. }, .. }) = found else {
            let message = format!("there is no variant `{wanted}`");
            let near = nearest(wanted, names.iter().map(String::as_str));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "this game has no variants".to_owned(),
                None => format!("the variants are {}", names.join(", ")),
            };
            reports.push(Report::new(Code::UnknownName, start, message).help(help));
            continue;
        };
        for other in excludes.iter().filter(|other| !names.contains(&other.node)) {
            reports.push(
                Report::new(Code::UnknownName, other.span, format!("there is no variant `{}`", other.node))
                    .suggest(nearest(&other.node, names.iter().map(String::as_str))),
            );
        }
        for (other, their_excludes, place) in &chosen {
            let clash = excludes.iter().any(|e| e.node == *other) || their_excludes.contains(&name.node);
            if clash {
                let message = format!("the variants `{other}` and `{}` exclude each other", name.node);
                reports.push(
                    Report::new(Code::Conflict, name.span, message)
                        .also(*place, "the other")
                        .help("choose one of them"),
                );
            }
        }
        chosen.push((name.node.clone(), excludes.iter().map(|e| e.node.clone()).collect(), name.span));
        let mut mine = Vec::new();
        override_with(&mut items, changes.clone(), &mut mine, reports);
        for (key, place) in mine {
            if let Some((_, other)) = changed.iter().find(|(old, _)| *old == key) {
                let message = format!("two of the chosen variants change `{key}`");
                reports.push(
                    Report::new(Code::Conflict, place, message)
                        .also(*other, "here")
                        .help("these variants do not combine"),
                );
            }
            changed.push((key, place));
        }
    }
    let cited = |name: &String| {
        let found = variants.iter().find_map(|item| match &item.kind {
            ItemKind::Variant { name: other, .. } if other.node == *name => Some((other.clone(), item.cites.clone())),
            _ => None,
        });
        found.into_iter()
    };
    let chosen = chosen.iter().flat_map(|(name, _, _)| cited(name)).collect();
    (items, chosen)
}

/// Lays items over others and notes what was changed.
fn override_with(items: &mut Vec<Item>, changes: Vec<Item>, changed: &mut Vec<(String, Span)>, reports: &mut Reports) {
    for change in changes {
        match change.kind {
            ItemKind::Replace(new) => {
                let key = new.key();
                match items.iter_mut().find(|old| old.key() == key) {
                    Some(old) => *old = *new,
                    None => missing(&key, change.span, items, reports),
                }
                changed.push((key, change.span));
            }
            ItemKind::Remove(ref kind, ref name) => {
                let key = format!("{} {}", kind.node, name.node);
                match items.iter().position(|old| old.key() == key) {
                    Some(at) => {
                        items.remove(at);
                    }
                    None => missing(&key, change.span, items, reports),
                }
                changed.push((key, change.span));
            }
            ItemKind::Set(ref path, ref value) => {
                let key = path.iter().map(|part| part.node.as_str()).collect::<Vec<_>>().join(".");
                if !set(items, &key, path, value) {
                    missing(&key, change.span, items, reports);
                }
                changed.push((key, change.span));
            }
            // The head of a file that extends another takes the place of the other's.
            ItemKind::Game { .. } => {
                items.retain(|old| !matches!(old.kind, ItemKind::Game { .. }));
                items.insert(0, change);
            }
            _ => {
                let key = change.key();
                let unnamed = !key.contains(' ');
                if let Some(old) = items.iter().find(|old| old.key() == key).filter(|_| !unnamed || key == "play") {
                    let message = format!("`{key}` is there already");
                    reports.push(
                        Report::new(Code::Duplicate, change.span, message)
                            .also(old.span, "declared here")
                            .help(format!("to change it, write `replace {key} …`")),
                    );
                }
                changed.push((key, change.span));
                items.push(change);
            }
        }
    }
}

/// Changes the value of an option, the first alternative of a reading, or a cell
/// of a table.
fn set(items: &mut [Item], key: &str, path: &[Ident], value: &Expr) -> bool {
    for item in items {
        match &mut item.kind {
            ItemKind::Option { name, value: old, .. } if name.node == key => {
                *old = value.clone();
                return true;
            }
            ItemKind::Reading(name, alternatives, _) if name.node == key => {
                let ExprKind::Name(wanted) = &value.kind else {
                    return false;
                };
                let Some(at) = alternatives.iter().position(|a| a.node == *wanted) else {
                    return false;
                };
                alternatives.swap(0, at);
                if let Some(first) = alternatives.first_mut() {
                    // What is shown of it is where it was chosen.
                    first.span = value.span;
                }
                return true;
            }
            ItemKind::Kinds { name, rows, .. } | ItemKind::Table(name, rows) => {
                let [table, row, column] = path else { continue };
                if name.node != table.node {
                    continue;
                }
                let heads = |cell: &str| cell.split(':').next().unwrap_or("").trim().to_owned();
                let Some(at) = rows.header.cells.iter().position(|cell| heads(&cell.node) == column.node) else {
                    return false;
                };
                let Some(row) = rows.body.iter_mut().find(|r| r.cells.first().is_some_and(|c| c.node == row.node))
                else {
                    return false;
                };
                let Some(cell) = row.cells.get_mut(at) else {
                    return false;
                };
                cell.node = cell_text(value);
                cell.span = value.span;
                return true;
            }
            _ => {}
        }
    }
    false
}

/// A value as it would stand in a table.
fn cell_text(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Truth(b) => b.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Unary(UnOp::Neg, inner) => format!("-{}", cell_text(inner)),
        ExprKind::Set(members) if members.is_empty() => "-".to_owned(),
        ExprKind::Set(members) => members.iter().map(cell_text).collect::<Vec<_>>().join(" "),
        _ => "?".to_owned(),
    }
}

fn missing(key: &str, span: Span, items: &[Item], reports: &mut Reports) {
    let keys: Vec<String> = items.iter().map(Item::key).collect();
    let message = format!("there is no `{key}` to override");
    let mut report = Report::new(Code::NothingToOverride, span, message);
    if let Some(near) = nearest(key, keys.iter().map(String::as_str)) {
        report = report.help(format!("did you mean `{near}`?"));
    } else {
        report = report.help("an override must name an item, option or table cell of the rules it builds on");
    }
    reports.push(report);
}
