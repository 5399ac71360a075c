//! `extends`: the files that a rule file builds on, parsed and layered.

use std::sync::Arc;

use super::Files;
use super::links::Links;
use super::overrides::override_with;
use super::target::Changed;
use crate::base::{FileId, Sources};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::parse;

/// The maximum depth of files that extend each other.
const EXTENDS: usize = 8;

/// The items of the first of `sources` on top of those it extends, and its changes to them. The files it extends are
/// added to `sources`.
pub(super) fn read(
    files: &dyn Files,
    sources: &mut Sources,
    reports: &mut Reports,
    links: &mut Links,
) -> (Vec<Arc<Item>>, Vec<Changed>) {
    let mut layers: Vec<Vec<Item>> = Vec::new();
    let mut next = Some(FileId::default());
    let mut named: Vec<String> = sources.get(FileId::default()).map(|source| source.name.clone()).into_iter().collect();
    while let Some(file) = next.take() {
        let text = sources.get(file).map_or_else(String::new, |source| source.text.clone());
        let tree = parse(file, &text, reports);
        let base = tree
            .items
            .iter()
            .find_map(|item| if let ItemKind::Game { extends, .. } = &item.kind { extends.clone() } else { None });
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
            }
            Ok((name, _)) if named.contains(&name) => {
                let message = format!("the chain of `extends` comes back to `{name}`");
                reports
                    .push(Report::new(Code::Circular, base.span, message).help("one of them must not extend another"));
            }
            Ok(_) if layers.len() >= EXTENDS => {
                let message = format!("the chain of `extends` is longer than {EXTENDS} rule files");
                reports.push(
                    Report::new(Code::OutOfRange, base.span, message).help("write what two of them say into one file"),
                );
            }
            Ok((name, text)) => {
                named.push(name.clone());
                next = Some(sources.add(name, text));
                continue;
            }
        }
        // The items that the files so far were to override are unknown.
        return (layers.into_iter().rev().flatten().map(Arc::new).collect(), Vec::new());
    }
    let (mut items, mut all): (Vec<Arc<Item>>, Vec<Changed>) = (Vec::new(), Vec::new());
    while let Some(layer) = layers.pop() {
        if items.is_empty() {
            // If the head cannot be parsed, the file it extends is unknown.
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
            items = layer.into_iter().map(Arc::new).collect();
        } else {
            all.extend(override_with(&mut items, layer, reports, links));
        }
    }
    (items, all)
}
