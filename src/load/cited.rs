//! Clauses that should be implemented but are cited by no rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::Sources;
use crate::ir::{Clause, ClauseTable, Force};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::{Kind, Words};

/// The clauses cited anywhere in the texts, variants included.
pub(super) fn all(sources: &Sources) -> BTreeSet<String> {
    let mut cited: Vec<&str> = Vec::new();
    for source in sources.ids().filter_map(|file| sources.get(file)) {
        let mut declares = false;
        for token in Words::new(&source.text) {
            if token.kind == Kind::Clause && !declares {
                cited.extend(token.text.strip_prefix('§'));
            } else if token.kind == Kind::Row {
                // Rows of tables end with clauses, too.
                cited.extend(token.text.split('§').skip(1).map(clause_of));
            }
            declares = token.text == "clause";
        }
    }
    cited.into_iter().map(str::to_owned).collect()
}

/// Warns about clauses that are not cited.
pub(super) fn missing(items: &[Arc<Item>], clauses: &ClauseTable, cited: &BTreeSet<String>, reports: &mut Reports) {
    for item in items {
        if let ItemKind::Clause(id, _) = &item.kind
            && !cited.contains(&id.node)
        {
            let message = format!("no rule cites the clause `§{}`", id.node);
            let help = "cite it after the rule that implements it, or remove it";
            reports.push(Report::new(Code::Uncited, id.span, message).help(help));
        } else if let ItemKind::Document { .. } = &item.kind {
            let open = |(id, clause): &(&String, &Clause)| {
                clause.force == Force::Executable && !clause.heading.is_empty() && !cited.contains(*id)
            };
            let missing: Vec<String> = clauses.clauses.iter().filter(open).map(|(id, _)| format!("`§{id}`")).collect();
            if let Some((first, more)) = missing.split_first() {
                let message = match more.len() {
                    0 => format!("no rule cites the clause {first}"),
                    n => format!("no rule cites the clause {first} and {n} more"),
                };
                let help = "cite each after the rule that implements it, or mark it `Documented` in the registry";
                reports.push(Report::new(Code::Uncited, item.span, message).help(help));
            }
        }
    }
}

/// The clause at the beginning of a text.
fn clause_of(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}
