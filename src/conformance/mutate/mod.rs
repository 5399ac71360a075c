//! Mutants: rule files with one change.
//!
//! If no case fails on a mutant, the cases do not test what was changed. Changes are made in the text, where the tree
//! says; whether a mutant means anything is for the checker to say.
//!
//! **Invariant:** a mutant differs from the rule file in one place, and records where and how.

mod conditions;
mod edits;
mod exceptions;
mod kind;
mod members;
mod order;
mod removal;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use xxhash_rust::xxh3::Xxh3;

use crate::base::{Sources, Span, unmarked};
use crate::report::Reports;
use crate::syntax::ast::Cite;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::{bare, citations, parse};

pub use kind::Kind;

use edits::Edits;

/// A rule file with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What kind of change it is.
    pub kind: Kind,
    /// The line that was changed, from 1.
    pub line: usize,
    /// The change, such as `<= instead of <`.
    pub what: String,
    /// Which of the equal changes of the line it is, from 1.
    pub nth: usize,
    /// Whether there are several.
    pub several: bool,
    /// The original text of the line.
    pub before: Arc<str>,
    /// The clauses that the changed place cites.
    pub clauses: Vec<String>,
    /// What is replaced, in bytes, and by what: a file may have tens of thousands of mutants.
    at: edits::Range,
    with: String,
}

impl Mutant {
    /// The whole text of the mutant; `text` is that of the rule file.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.parts(text).concat()
    }

    fn parts<'t>(&'t self, text: &'t str) -> [&'t str; 3] {
        let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or("");
        [part(0..self.at.0), &self.with, part(self.at.1..text.len())]
    }
}

/// An equivalent mutant: no case can detect it, because it means the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// The original line, trimmed.
    pub before: String,
    /// The change.
    pub what: String,
    /// Which one, if the line has several equal changes and not all of them mean the same.
    #[serde(default)]
    pub nth: Option<usize>,
    /// Why no case can detect it.
    pub reason: String,
}

impl Survivor {
    /// Whether it is about a mutant. Layout, comments and clauses do not distinguish lines.
    #[must_use]
    pub fn fits(&self, mutant: &Mutant) -> bool {
        edits::words(&self.what) == mutant.what
            && self.nth.is_none_or(|nth| nth == mutant.nth)
            && bare(&self.before) == bare(&mutant.before)
    }
}

/// Parses a list of equivalent mutants.
///
/// # Errors
/// Says where the text is not well formed.
pub fn load_survivors(text: &str) -> Result<Vec<Survivor>, String> {
    ron::Options::default()
        .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
        .from_str(unmarked(text))
        .map_err(|error| error.to_string())
}

/// All mutants of a rule file, in the order of its lines; of equal ones the first.
#[must_use]
pub fn mutants(name: &str, text: &str) -> Vec<Mutant> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let tree = parse(file, text, &mut Reports::default());
    let items = rule_items(&tree.items);
    let mut edits = Edits::new(text);
    words::change(&items, &mut edits);
    removal::change(&items, &mut edits);
    conditions::change(&items, &mut edits);
    exceptions::change(&tree.items, &items, &mut edits);
    members::change(&tree.items, &items, &mut edits);
    order::change(&tree.items, &items, &mut edits);
    let cited = cited(&items);
    let starts: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
    let line_of = |at: usize| starts.partition_point(|start| *start <= at) + 1;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut known = BTreeMap::<usize, (Arc<str>, Vec<String>)>::new();
    let mut found: Vec<Mutant> = Vec::new();
    let (mut seen, mut alike) = (BTreeSet::new(), BTreeMap::<(usize, String), usize>::new());
    let mut all = edits.found;
    all.sort_by_key(|edit| line_of(edit.at.0));
    for edit in all {
        let line = line_of(edit.at.0);
        let (before, cites) = known.entry(line).or_insert_with(|| {
            let before = lines.get(line - 1).copied().unwrap_or("");
            (before.into(), citations(file, before).into_iter().map(|cite| cite.node).collect())
        });
        // What the line itself cites is closer than what the whole statement or item does.
        let mut clauses = cites.clone();
        let around = cited.iter().filter(|(at, _)| at.0 <= edit.at.0 && edit.at.1 <= at.1);
        clauses.extend(around.min_by_key(|(at, _)| at.1 - at.0).into_iter().flat_map(|(_, cites)| cites.clone()));
        let edits::Edit { kind, at, with, what } = edit;
        let mut mutant = Mutant { kind, line, what, nth: 1, several: false, before: before.clone(), clauses, at, with };
        if text.get(at.0..at.1).is_none_or(|old| old == mutant.with) || !seen.insert(print(&mutant, text)) {
            continue;
        }
        let nth = alike.entry((line, mutant.what.clone())).or_default();
        *nth += 1;
        mutant.nth = *nth;
        found.push(mutant);
    }
    for mutant in &mut found {
        mutant.several = alike.get(&(mutant.line, mutant.what.clone())).is_some_and(|&count| count > 1);
    }
    found
}

/// A fingerprint of the whole text of a mutant.
fn print(mutant: &Mutant, text: &str) -> u128 {
    let mut hash = Xxh3::new();
    mutant.parts(text).iter().for_each(|part| hash.update(part.as_bytes()));
    hash.digest128()
}

/// The places of items and statements that cite clauses, with these.
fn cited(items: &[&Item]) -> Vec<((usize, usize), Vec<String>)> {
    let mut found = Vec::new();
    let mut add = |span: Span, cites: &[Cite]| {
        if !cites.is_empty() {
            found.push((edits::range(span), cites.iter().map(|cite| cite.node.clone()).collect()));
        }
    };
    for item in items {
        add(item.span, &item.cites);
        item.each_stmt(&mut |stmt| add(stmt.span, &stmt.cites));
    }
    found
}

/// The items that contain rules, unlike titles and documents.
fn rule_items(items: &[Item]) -> Vec<&Item> {
    let mut found = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Variant { .. } | ItemKind::With(..) | ItemKind::Replace(_) => {
                found.extend(rule_items(item.kind.items()));
            }
            ItemKind::Game { .. }
            | ItemKind::Document { .. }
            | ItemKind::Clause(..)
            | ItemKind::Invariant(..)
            | ItemKind::Cue(..)
            | ItemKind::Players { .. }
            | ItemKind::Enum(..)
            | ItemKind::Reading(..) => {}
            ItemKind::Seating(..)
            | ItemKind::First(_)
            | ItemKind::Option { .. }
            | ItemKind::Kinds { .. }
            | ItemKind::Piece { .. }
            | ItemKind::Tokens { .. }
            | ItemKind::Table(..)
            | ItemKind::Board { .. }
            | ItemKind::Region(..)
            | ItemKind::Define(..)
            | ItemKind::Path(..)
            | ItemKind::Var { .. }
            | ItemKind::Zone { .. }
            | ItemKind::Setup(_)
            | ItemKind::Action(..)
            | ItemKind::Claim { .. }
            | ItemKind::Offer(..)
            | ItemKind::Procedure(..)
            | ItemKind::Play(_)
            | ItemKind::End { .. }
            | ItemKind::Change(..)
            | ItemKind::Remove(..)
            | ItemKind::Row(..)
            | ItemKind::RemoveRow(..)
            | ItemKind::Set(..) => found.push(item),
        }
    }
    found
}
