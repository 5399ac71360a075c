//! Variants: which are offered, and which of them are chosen.

use super::RuleFile;
use super::resolve::Resolved;
use crate::base::{FileId, Span, nearest};
use crate::report::{Code, Report};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, Ident};

/// An available variant.
#[derive(Clone, Copy)]
pub(super) struct Variant<'f> {
    pub(super) name: &'f Ident,
    title: Option<&'f String>,
    excludes: &'f [Ident],
    pub(super) items: &'f [Item],
    pub(super) cites: &'f [Cite],
}

impl<'f> Variant<'f> {
    fn of(item: &'f Item) -> Option<Self> {
        let ItemKind::Variant { name, title, excludes, items } = &item.kind else { return None };
        Some(Self { name, title: title.as_ref(), excludes, items, cites: &item.cites })
    }

    /// Whether it says that it is not played with another.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        self.excludes.iter().any(|name| name.node == other.name.node)
    }
}

/// The available variants.
pub(super) fn variants(file: &RuleFile) -> Vec<Variant<'_>> {
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

/// The variants with these names, in this order.
pub(super) fn chosen<'f>(file: &'f RuleFile, wanted: &[String], resolved: &mut Resolved) -> Vec<Variant<'f>> {
    let offered = variants(file);
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
        // Once is enough: what it changes would be in conflict with itself.
        if chosen.iter().all(|other| other.name.node != variant.name.node) {
            chosen.push(*variant);
        }
    }
    chosen
}
