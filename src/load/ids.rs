//! The ids of clauses in registries and ledgers: those that they give, and those that ledgers name.

use std::sync::Arc;

use super::registry::{Document, Documents};
use crate::base::{Spanned, nearest};
use crate::ir::{ClauseTable, Force};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};

/// Reports ids that no rule can cite, clauses without a text, and clauses and gaps that are named although there are none.
pub(super) fn check(documents: &Documents, items: &[Arc<Item>], table: &ClauseTable, reports: &mut Reports) {
    for item in items {
        let ItemKind::Document { clauses, ledger, .. } = &item.kind else { continue };
        let registry = clauses.as_ref().and_then(|named| Some((named, documents.file(named.span)?)));
        if let Some((named, Document::Clauses(clauses))) = registry {
            if let Some((id, _)) = clauses.iter().find(|(_, clause)| clause.text.trim().is_empty()) {
                let message = format!("the clause `§{id}` in `{}` has no text", named.node);
                let help = "say in a sentence what it demands, in your own words";
                reports.push(Report::new(Code::BadRegistry, named.span, message).help(help));
            }
            let assumed = clauses.iter().flat_map(|(id, clause)| match &clause.force {
                Force::Assumed(gaps) => gaps.iter().map(|gap| (gap, id)).collect(),
                Force::Executable | Force::Documented(_) | Force::Gap => Vec::new(),
            });
            let unknown = assumed.filter(|_| ledger.is_some()).find(|(gap, _)| !exists(documents, table, gap));
            if let Some((gap, id)) = unknown {
                reports.push(missing(named, gap, &format!("as the gap that settles `§{id}`"), table));
            }
        }
        for named in clauses.iter().chain(ledger) {
            if let Some(id) = documents.uncitable(named.span) {
                reports.push(uncitable(named, id));
            }
            if let Some(Document::Ledger(_, remarks)) = documents.file(named.span) {
                let left = remarks.left.iter().map(|(gap, of)| (of, format!("for the gap `§{gap}`")));
                let recorded = remarks.documented.iter().map(|one| (&one.id, "as only documented".to_owned()));
                let unknown = left.chain(recorded).find(|(id, _)| !exists(documents, table, id));
                if let Some((id, why)) = unknown {
                    reports.push(missing(named, id, &why, table));
                }
            }
        }
    }
}

/// Whether there is a clause, in some variant at least. What a file that cannot be read holds is not known.
fn exists(documents: &Documents, table: &ClauseTable, id: &str) -> bool {
    table.clauses.contains_key(id)
        || documents.declared(id).is_some()
        || documents
            .all()
            .any(|document| matches!(document, Document::Faulty(_)) || document.ids().any(|other| other == id))
}

fn uncitable(named: &Spanned<String>, id: &str) -> Report {
    let message = format!("`{}` has a clause with the id `{id}`, which no rule can cite", named.node);
    let help = "an id consists of letters and digits, with single `.`, `/` or `-` between them";
    Report::new(Code::BadRegistry, named.span, message).help(help)
}

fn missing(named: &Spanned<String>, id: &str, why: &str, table: &ClauseTable) -> Report {
    let message = format!("`{}` names `§{id}` {why}, but there is no such clause", named.node);
    let report = Report::new(Code::UnknownClause, named.span, message);
    match nearest(id, table.clauses.keys().map(String::as_str)) {
        Some(near) => report.help(format!("did you mean `§{near}`?")),
        None => report.help("give the id of a clause as in the registry, or leave it out"),
    }
}
