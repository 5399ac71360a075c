//! Translations: the clauses and gaps of the registries in another language.
//!
//! A translation covers all clauses that the rule file naming it has: those of its documents, and its own `clause`
//! items. What it leaves out is shown as in the registry, and reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;

use super::registry::{Document, Documents};
use crate::base::{FileId, Span, Spanned, nearest};
use crate::ir::{ClauseTable, Gap};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};

/// A translation file.
#[derive(Debug, Deserialize)]
#[serde(rename = "Translation")]
pub(super) struct Translation {
    /// The tag of the language, such as `de`.
    language: String,
    /// The text of each clause by its id.
    #[serde(default)]
    clauses: BTreeMap<String, String>,
    /// The decided gaps by their ids.
    #[serde(default)]
    gaps: BTreeMap<String, Entry>,
    /// Why clauses are only recorded, by their ids.
    #[serde(default)]
    documented: BTreeMap<String, String>,
    /// What options, readings and variants mean, by their names.
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

/// A gap in a translation.
#[derive(Debug, Deserialize)]
struct Entry {
    question: String,
    decision: String,
    #[serde(default)]
    alternatives: Vec<String>,
    #[serde(default)]
    reason: String,
}

impl Translation {
    /// What a translation looks like, for messages.
    pub(super) const FORM: &str = "a translation is `Translation(language: \"de\", clauses: { \"…\": \"…\" }, \
                                   gaps: { \"…\": (question: \"…\", decision: \"…\") })`";

    /// The ids of its clauses and gaps.
    fn ids(&self) -> impl Iterator<Item = &String> {
        self.clauses.keys().chain(self.gaps.keys())
    }
}

/// Adds the translations to the table, and reports entries for nothing, entries that are missing, and alternatives
/// that do not match. Clauses that a variant rewords are left as reworded.
pub(super) fn apply(documents: &Documents, items: &[Arc<Item>], table: &mut ClauseTable, reports: &mut Reports) {
    let reworded: BTreeSet<String> = items.iter().filter_map(|item| reworded(documents, item)).collect();
    // An extending file may have replaced a clause of the file that names the translation.
    let own: BTreeMap<&str, FileId> = items.iter().filter_map(|item| own(item)).collect();
    let mut covered: BTreeMap<(FileId, &str), (Span, BTreeSet<&str>)> = BTreeMap::new();
    for (named, translation) in named(documents, items) {
        let covers = covered.entry((named.span.file, &translation.language));
        covers.or_insert((named.span, BTreeSet::new())).1.extend(translation.ids().map(String::as_str));
        let known = |id: &str| table.clauses.contains_key(id) || documents.declared(id).is_some();
        for id in translation.ids().chain(translation.documented.keys()).filter(|id| !known(id)) {
            reports.push(unknown(named, id, table));
        }
        for name in translation.settings.keys().filter(|name| !documents.settings().contains(*name)) {
            let message =
                format!("`{}` describes `{name}`, but there is no such option, reading or variant", named.node);
            let near = nearest(name, documents.settings().iter().map(String::as_str));
            let help = near.map_or_else(|| "remove the entry".to_owned(), |near| format!("did you mean `{near}`?"));
            reports.push(Report::new(Code::Unused, named.span, message).help(help));
        }
        let settings = table.settings.entry(translation.language.clone()).or_default();
        settings.extend(translation.settings.iter().map(|(name, text)| (name.clone(), text.clone())));
        for (id, entry) in &translation.gaps {
            let listed = table.clauses.get(id).and_then(|clause| clause.gap.as_ref()).map(|gap| gap.alternatives.len());
            if let Some(listed) = listed.filter(|listed| *listed != entry.alternatives.len()) {
                let found = entry.alternatives.len();
                let message = format!("`{}` has {found} alternatives for `§{id}`, the ledger {listed}", named.node);
                let help = "translate each alternative, in the order of the ledger";
                reports.push(Report::new(Code::BadRegistry, named.span, message).help(help));
            }
        }
        let holds = |id: &str| own.get(id).is_none_or(|file| *file == named.span.file) && !reworded.contains(id);
        for id in translation.ids().filter(|id| holds(id)) {
            if let Some(clause) = table.clauses.get_mut(id) {
                clause.translations.insert(translation.language.clone(), translation.of(id));
            }
        }
    }
    for ((file, language), (place, covers)) in covered {
        let missing: Vec<&String> =
            required(documents, items, file).filter(|id| !covers.contains(id.as_str())).collect();
        if let Some((first, more)) = missing.split_first() {
            let message = match more.len() {
                0 => format!("the clause `§{first}` is missing in the language `{language}`"),
                n => format!("the clause `§{first}` and {n} more are missing in the language `{language}`"),
            };
            let help = "add an entry to the translation; until then the text of the registry is shown";
            reports.push(Report::new(Code::Untranslated, place, message).help(help));
        }
    }
}

impl Translation {
    /// A clause or gap in this language.
    fn of(&self, id: &str) -> crate::ir::Translation {
        let reason = self.documented.get(id).cloned().unwrap_or_default();
        if let Some(Entry { question, decision, alternatives, reason: why }) = self.gaps.get(id) {
            let gap = Gap {
                question: question.clone(),
                decision: decision.clone(),
                alternatives: alternatives.clone(),
                reason: why.clone(),
            };
            return crate::ir::Translation { text: format!("{question} {decision}"), gap: Some(gap), reason };
        }
        crate::ir::Translation { text: self.clauses.get(id).cloned().unwrap_or_default(), gap: None, reason }
    }
}

/// The clause that an item declares, and its file.
fn own(item: &Item) -> Option<(&str, FileId)> {
    if let ItemKind::Clause(id, _) = &item.kind { Some((&id.node, item.span.file)) } else { None }
}

/// The id of the clause that an item rewords: one of a registry, or an item with another text than was declared.
fn reworded(documents: &Documents, item: &Item) -> Option<String> {
    let replaces = matches!(item.kind, ItemKind::Replace(_));
    let ItemKind::Clause(id, text) = item.kind.replaced() else { return None };
    (replaces || documents.declared(&id.node) != Some(text)).then(|| id.node.clone())
}

/// The translations that items name.
fn named<'a>(
    documents: &'a Documents,
    items: &'a [Arc<Item>],
) -> impl Iterator<Item = (&'a Spanned<String>, &'a Translation)> {
    let names = |item: &'a Arc<Item>| {
        if let ItemKind::Document { translations, .. } = &item.kind { translations.as_slice() } else { &[] }
    };
    items.iter().flat_map(names).filter_map(|named| match documents.file(named.span) {
        Some(Document::Translation(translation)) => Some((named, translation)),
        Some(Document::Clauses(_) | Document::Ledger(..) | Document::Faulty(_)) | None => None,
    })
}

/// The clauses of a rule file: those of its documents, and its own.
fn required<'a>(documents: &'a Documents, items: &'a [Arc<Item>], file: FileId) -> impl Iterator<Item = &'a String> {
    items.iter().filter(move |item| item.span.file == file).flat_map(|item| {
        let own = if let ItemKind::Clause(id, _) = &item.kind { Some(&id.node) } else { None };
        let listed: Vec<&Document> = if let ItemKind::Document { clauses, ledger, .. } = &item.kind {
            clauses.iter().chain(ledger).filter_map(|named| documents.file(named.span)).collect()
        } else {
            Vec::new()
        };
        listed.into_iter().flat_map(Document::ids).chain(own)
    })
}

fn unknown(named: &Spanned<String>, id: &str, table: &ClauseTable) -> Report {
    let message = format!("`{}` translates `§{id}`, but there is no such clause", named.node);
    let report = Report::new(Code::UnknownClause, named.span, message);
    match nearest(id, table.clauses.keys().map(String::as_str)) {
        Some(near) => report.help(format!("did you mean `§{near}`?")),
        None => report.help("remove the entry"),
    }
}
