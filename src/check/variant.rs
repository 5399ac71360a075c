//! `extends` and variants: the layers of a rule file, before name resolution.
//!
//! An override must hit something; an addition must not.

use crate::base::{FileId, Sources, Span, nearest};
use crate::load::{Files, Offer, Setup};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};
use crate::syntax::parse;

use super::names::Notes;
use super::overrides::{Changed, override_with};

/// How many files may extend each other.
const EXTENDS: usize = 8;

/// The items of a rule file on top of those it extends, and what it changed of them.
pub(super) fn read(
    file: FileId,
    files: &dyn Files,
    sources: &mut Sources,
    reports: &mut Reports,
    notes: &mut Notes,
) -> (Vec<Item>, Vec<Changed>) {
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
                        .help("`extends` names a rule file relative to this one, or a bundled game"),
                );
                // What it was to override is not known.
                return (layers.into_iter().rev().flatten().collect(), Vec::new());
            }
            Ok(_) if layers.len() >= EXTENDS => {
                let message = format!("the chain of `extends` is longer than {EXTENDS} rule files");
                reports
                    .push(Report::new(Code::Circular, base.span, message).help("one of them must not extend another"));
            }
            Ok((name, text)) => next = Some(sources.add(name, text)),
        }
    }
    let (mut items, mut all): (Vec<Item>, Vec<Changed>) = (Vec::new(), Vec::new());
    while let Some(layer) = layers.pop() {
        if items.is_empty() {
            // Where the head cannot be read, what the file extends is not known.
            let unread = reports.has_errors();
            for item in layer.iter().filter(|_| !unread) {
                if item.kind.overrides() {
                    let message = "this file does not extend another, so there is nothing to override";
                    reports.push(
                        Report::new(Code::NothingToOverride, item.span, message)
                            .help("write the item itself, put the override into a `variant`, or add `extends`"),
                    );
                }
            }
            items = layer;
        } else {
            let mut changed = Vec::new();
            override_with(&mut items, layer, &mut changed, reports, notes);
            all.extend(changed);
        }
    }
    (items, all)
}

/// The items, the variants played with their clauses, and what was changed.
pub(super) type Applied = (Vec<Item>, Vec<(Ident, Vec<Cite>)>, Vec<Changed>);

/// Applies the variants of a setup; also lists what can be settled.
pub(super) fn apply(
    (mut items, files): (Vec<Item>, Vec<Changed>),
    setup: &Setup,
    file: FileId,
    reports: &mut Reports,
    offer: &mut Offer,
    notes: &mut Notes,
) -> Applied {
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
        let ItemKind::Variant { name, title, excludes, .. } = &item.kind else {
            continue;
        };
        for other in excludes {
            let named = variants.iter().filter_map(|item| item.kind.name()).find(|name| name.node == other.node);
            notes.used(other.span, named.map_or(other.span, |name| name.span));
        }
        if names.contains(&name.node) {
            let message = format!("the variant `{}` is declared twice", name.node);
            reports.push(Report::new(Code::Duplicate, name.span, message).help("rename one of them"));
        }
        names.push(name.node.clone());
        let clauses = item.cites.iter().map(|cite| cite.node.clone()).collect();
        offer.variants.push((name.node.clone(), title.clone().unwrap_or_else(|| name.node.clone()), clauses));
    }
    let start = Span::new(file, 0, 0);
    let mut changed: Vec<Changed> = Vec::new();
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
        override_with(&mut items, changes.clone(), &mut mine, reports, notes);
        for change in &mine {
            if let Some(other) = changed.iter().find(|other| other.what.meets(&change.what)) {
                let message = format!("two of the selected variants change {}", change.what.shown());
                reports.push(
                    Report::new(Code::Conflict, change.place, message)
                        .also(other.place, "here")
                        .help("these variants cannot be combined"),
                );
            }
            // Files are numbered from the last one that extends downwards: a variant knows
            // nothing of what files above its own change.
            let above = |other: &&Changed| other.place.file < name.span.file && other.what.meets(&change.what);
            if let Some(other) = files.iter().find(above) {
                let message =
                    format!("the variant `{}` changes {}, and so does this file", name.node, change.what.shown());
                let help = format!("play without the variant, or write `replace variant {} {{ … }}`", name.node);
                reports.push(
                    Report::new(Code::Conflict, other.place, message).also(change.place, "the variant does").help(help),
                );
            }
        }
        changed.append(&mut mine);
    }
    let cited = |name: &String| {
        let found = variants.iter().find_map(|item| match &item.kind {
            ItemKind::Variant { name: other, .. } if other.node == *name => Some((other.clone(), item.cites.clone())),
            _ => None,
        });
        found.into_iter()
    };
    let chosen = chosen.iter().flat_map(|(name, _, _)| cited(name)).collect();
    changed.extend(files);
    (items, chosen, changed)
}
