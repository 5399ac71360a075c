//! The outline of a rule file, item by item.

use std::ops::Range;

use crate::base::{FileId, Span};
use crate::report::Reports;
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Item, ItemKind, Row};
use crate::syntax::ast::stmt::{Block, StmtKind};
use crate::syntax::parse;

/// An item, or something declared in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, or its keyword if it has none.
    pub name: String,
    /// The keyword of the item; empty for declarations inside one.
    pub word: &'static str,
    /// Its title.
    pub title: String,
    /// Its full range.
    pub range: Range<usize>,
    /// The range of its name.
    pub name_range: Range<usize>,
    /// The declarations inside it.
    pub children: Vec<Entry>,
}

/// The items of a parsable text, in order.
#[must_use]
pub fn outline(text: &str) -> Vec<Entry> {
    parse(FileId(0), text, &mut Reports::default()).items.iter().map(entry).collect()
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// A row, named by its table and key.
fn part(table: &Ident, key: Option<&Ident>) -> (String, Span) {
    let key = key.unwrap_or(table);
    (format!("{}.{}", table.node, key.node), table.span.to(key.span))
}

fn entry(item: &Item) -> Entry {
    let kind = match &item.kind {
        ItemKind::Replace(inner) => &inner.kind,
        kind => kind,
    };
    let (name, place) = match kind {
        ItemKind::Clause(id, _) => (format!("§{}", id.node), id.span),
        ItemKind::Remove(_, name) => (name.node.clone(), name.span),
        ItemKind::Row(table, Row { cells, .. }) => part(table, cells.first()),
        ItemKind::RemoveRow(table, key) => part(table, Some(key)),
        ItemKind::Set(path, _) => {
            let names: Vec<&str> = path.iter().map(|part| part.node.as_str()).collect();
            let place = path.iter().map(|part| part.span).reduce(Span::to);
            (names.join("."), place.unwrap_or(item.span))
        }
        _ => match kind.name() {
            Some(name) => (name.node.clone(), name.span),
            None => (kind.word().to_owned(), Span { end: item.span.start, ..item.span }),
        },
    };
    let word = item.kind.word();
    Entry {
        name,
        word,
        title: title(kind),
        range: bytes(item.span),
        name_range: bytes(place),
        children: children(kind),
    }
}

fn title(kind: &ItemKind) -> String {
    match kind {
        ItemKind::Document { title, .. } | ItemKind::Clause(_, title) => title.clone(),
        ItemKind::Game { title, .. }
        | ItemKind::Piece { title, .. }
        | ItemKind::Tokens { title, .. }
        | ItemKind::Var { title, .. }
        | ItemKind::Action(_, title, _)
        | ItemKind::Claim { title, .. }
        | ItemKind::Offer(_, title, _)
        | ItemKind::End { title, .. }
        | ItemKind::Variant { title, .. }
        | ItemKind::Option { text: title, .. }
        | ItemKind::Reading(_, _, title) => title.clone().unwrap_or_default(),
        _ => String::new(),
    }
}

fn children(kind: &ItemKind) -> Vec<Entry> {
    match kind {
        ItemKind::Variant { items, .. } => items.iter().map(entry).collect(),
        ItemKind::Play(block) | ItemKind::Procedure(_, _, block) | ItemKind::Action(_, _, block) => {
            let mut found = Vec::new();
            named(block, &mut found);
            found
        }
        _ => kind.members().iter().map(|name| leaf(name, name.span)).collect(),
    }
}

fn leaf(name: &Ident, whole: Span) -> Entry {
    Entry {
        name: name.node.clone(),
        word: "",
        title: String::new(),
        range: bytes(whole),
        name_range: bytes(name.span),
        children: Vec::new(),
    }
}

/// Choices, rolls and phases, however deeply nested.
fn named(block: &Block, found: &mut Vec<Entry>) {
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Choose(name, ..) | StmtKind::Roll(name, ..) => found.push(leaf(name, stmt.span)),
            StmtKind::Phase(name, title, body) => {
                let mut phase = leaf(name, stmt.span);
                (phase.word, phase.title) = ("phase", title.clone().unwrap_or_default());
                named(body, &mut phase.children);
                found.push(phase);
            }
            other => other.blocks().for_each(|body| named(body, found)),
        }
    }
}
