//! The outline of a rule file, item by item.

use std::ops::Range;

use crate::base::{FileId, Span};
use crate::report::Reports;
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Item, ItemKind, Row};
use crate::syntax::ast::part::Condition;
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
    let kind = item.kind.replaced();
    let (name, place) = if let ItemKind::Clause(id, _) = kind {
        (format!("§{}", id.node), id.span)
    } else if let ItemKind::Row(table, Row { cells, .. }) = kind {
        part(table, cells.first())
    } else if let ItemKind::RemoveRow(table, key) = kind {
        part(table, Some(key))
    } else if let ItemKind::Set(path, _) = kind {
        let names: Vec<&str> = path.iter().map(|part| part.node.as_str()).collect();
        let place = path.iter().map(|part| part.span).reduce(Span::to);
        (names.join("."), place.unwrap_or(item.span))
    } else if let ItemKind::With(conditions, _) = kind {
        let choices: Vec<String> = conditions.iter().map(Condition::shown).collect();
        let place = conditions.iter().map(|choice| choice.name.span).reduce(Span::to);
        (choices.join(" and "), place.unwrap_or(item.span))
    } else if let ItemKind::Change(word, name, _) = kind {
        let name = name.as_ref().unwrap_or(word);
        (name.node.clone(), name.span)
    } else {
        let removed = if let ItemKind::Remove(_, name) = kind { Some(name) } else { None };
        match kind.name().or(removed) {
            Some(name) => (name.node.clone(), name.span),
            None => (kind.word().to_owned(), Span { end: item.span.start, ..item.span }),
        }
    };
    let word = item.kind.word();
    Entry {
        name,
        word,
        title: kind.title().unwrap_or_default().to_owned(),
        range: bytes(item.span),
        name_range: bytes(place),
        children: children(kind),
    }
}

fn children(kind: &ItemKind) -> Vec<Entry> {
    if let ItemKind::Variant { items, .. } | ItemKind::With(_, items) = kind {
        return items.iter().map(entry).collect();
    }
    let mut found = kind.members().iter().map(|name| leaf(name, name.span)).collect();
    if let ItemKind::Play(block) | ItemKind::Procedure(_, _, block) | ItemKind::Action(_, _, block) = kind {
        named(block, &mut found);
    }
    found
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
        if let StmtKind::Phase(name, title, body) = &stmt.kind {
            let mut phase = leaf(name, stmt.span);
            (phase.word, phase.title) = ("phase", title.clone().unwrap_or_default());
            named(body, &mut phase.children);
            found.push(phase);
            continue;
        }
        if let StmtKind::Choose(name, ..) | StmtKind::Roll(name, ..) = &stmt.kind {
            found.push(leaf(name, stmt.span));
        }
        stmt.kind.blocks().for_each(|body| named(body, found));
    }
}
