//! Variants: what a setup applies to the items of a rule file before name resolution.
//!
//! An override must have a target; an addition must not.

use std::sync::Arc;

use super::RuleFile;
use super::overrides::{Changed, Links, override_with};
use crate::base::{FileId, Span, nearest};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};

/// A rule file with the variants of a setup applied.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    /// The items after all overrides.
    pub(super) items: Vec<Arc<Item>>,
    /// The variants played with their clauses.
    pub(super) variants: Vec<(Ident, Vec<Cite>)>,
    /// The changes made by the variants and by extending files.
    pub(super) changed: Vec<Changed>,
    pub(super) links: Links,
    pub(super) reports: Reports,
}

/// An available variant.
#[derive(Clone, Copy)]
struct Variant<'f> {
    name: &'f Ident,
    title: Option<&'f String>,
    excludes: &'f [Ident],
    items: &'f [Item],
    cites: &'f [Cite],
}

impl<'f> Variant<'f> {
    fn of(item: &'f Item) -> Option<Self> {
        let ItemKind::Variant { name, title, excludes, items } = &item.kind else { return None };
        Some(Self { name, title: title.as_ref(), excludes, items, cites: &item.cites })
    }

    fn excludes(&self, other: &Self) -> bool {
        self.excludes.iter().any(|name| name.node == other.name.node)
    }
}

fn variants(file: &RuleFile) -> Vec<Variant<'_>> {
    file.variants().filter_map(|item| Variant::of(item)).collect()
}

/// The available variants: name, title, clauses.
pub(super) fn offered(file: &RuleFile) -> Vec<(String, String, Vec<String>)> {
    let offer = |variant: Variant<'_>| {
        let clauses = variant.cites.iter().map(|cite| cite.node.clone()).collect();
        (variant.name.node.clone(), variant.title.unwrap_or(&variant.name.node).clone(), clauses)
    };
    variants(file).into_iter().map(offer).collect()
}

/// Applies the variants with these names to a rule file, in this order.
pub(super) fn resolve(file: &RuleFile, wanted: &[String]) -> Resolved {
    let offered = variants(file);
    let mut resolved = Resolved {
        items: file.items.iter().filter(|item| !matches!(item.kind, ItemKind::Variant { .. })).cloned().collect(),
        variants: Vec::new(),
        changed: Vec::new(),
        links: Links::default(),
        reports: file.reports.clone(),
    };
    let names: Vec<&str> = offered.iter().map(|variant| variant.name.node.as_str()).collect();
    for (at, variant) in offered.iter().enumerate() {
        for other in variant.excludes {
            let named = offered.iter().find(|named| named.name.node == other.node);
            resolved.links.used(other.span, named.map_or(other.span, |named| named.name.span));
        }
        if names[..at].contains(&variant.name.node.as_str()) {
            let message = format!("the variant `{}` is declared twice", variant.name.node);
            resolved.reports.push(Report::new(Code::Duplicate, variant.name.span, message).help("rename one of them"));
        }
    }
    let mut chosen: Vec<Variant<'_>> = Vec::new();
    for wanted in wanted {
        let Some(variant) = offered.iter().find(|variant| variant.name.node == *wanted) else {
            let message = format!("there is no variant `{wanted}`");
            let help = match nearest(wanted, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => "this game has no variants".to_owned(),
                None => format!("the variants are {}", names.join(", ")),
            };
            let start = Span::new(FileId::default(), 0, 0);
            resolved.reports.push(Report::new(Code::UnknownName, start, message).help(help));
            continue;
        };
        for other in variant.excludes.iter().filter(|other| !names.contains(&other.node.as_str())) {
            resolved.reports.push(
                Report::new(Code::UnknownName, other.span, format!("there is no variant `{}`", other.node))
                    .suggest(nearest(&other.node, names.iter().copied())),
            );
        }
        for other in chosen.iter().filter(|other| variant.excludes(other) || other.excludes(variant)) {
            let message = format!("the variants `{}` and `{}` exclude each other", other.name.node, variant.name.node);
            resolved.reports.push(
                Report::new(Code::Conflict, variant.name.span, message)
                    .also(other.name.span, "the other")
                    .help("choose one of them"),
            );
        }
        chosen.push(*variant);
        let mine =
            override_with(&mut resolved.items, variant.items.to_vec(), &mut resolved.reports, &mut resolved.links);
        conflicts(variant.name, &mine, &resolved.changed, &file.changed, &mut resolved.reports);
        resolved.changed.extend(mine);
    }
    resolved.variants = chosen.iter().map(|variant| (variant.name.clone(), variant.cites.to_vec())).collect();
    resolved.changed.extend(file.changed.iter().cloned());
    resolved
}

/// A variant's targets must not be changed by others, nor by files that extend its own.
fn conflicts(name: &Ident, mine: &[Changed], others: &[Changed], files: &[Changed], reports: &mut Reports) {
    for change in mine {
        if let Some(other) = others.iter().find(|other| other.what.meets(&change.what)) {
            let message = format!("two of the selected variants change {}", change.what.shown());
            reports.push(
                Report::new(Code::Conflict, change.place, message)
                    .also(other.place, "here")
                    .help("these variants cannot be combined"),
            );
        }
        // Files are numbered from the outermost extending file inwards: a variant cannot know the changes of files
        // that extend its own.
        let above = |other: &&Changed| other.place.file < name.span.file && other.what.meets(&change.what);
        if let Some(other) = files.iter().find(above) {
            let shown = change.what.shown();
            let message = format!("the variant `{}` changes {shown}, and so does this file", name.node);
            let help = format!("play without the variant, or write `replace variant {} {{ … }}`", name.node);
            reports.push(
                Report::new(Code::Conflict, other.place, message).also(change.place, "the variant does").help(help),
            );
        }
    }
}
