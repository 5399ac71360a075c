//! Measures: expressions that are asked of games and are no part of their rules.
//!
//! Each is checked as a definition of its own, in a text of its own, so that a report has its place. The digest of the
//! rules does not change: records and shards belong to the rules, whatever is asked about them.

use std::sync::Arc;

use super::RuleFile;
use crate::base::FileId;
use crate::ir::{Expr, ExprKind, Game, Measure, Ty};
use crate::report::{Code, Report, Reports};
use crate::syntax::parse;

/// A measure as its asker writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it is called.
    pub name: String,
    /// The expression.
    pub text: String,
    /// Whether it is read at the beginning of each turn instead of at the end of the game.
    pub by_turn: bool,
}

impl Asked {
    /// The name of its definition, which no rule should have.
    fn definition(&self) -> String {
        format!("measure_{}", self.name)
    }
}

impl RuleFile {
    /// The same with measures. Errors in them are reported when a setup is loaded.
    #[must_use]
    pub fn measuring(&self, measures: &[Asked]) -> Self {
        let mut more = self.clone();
        for asked in measures {
            let text = format!("define {} = {}", asked.definition(), asked.text);
            let file = more.ask("measure", format!("measure {}", asked.name), &text);
            more.measures.push((asked.clone(), file));
        }
        more
    }

    /// Adds what is asked of the rules, a definition in a text of its own: one expression, which implements no clause.
    pub(super) fn ask(&mut self, what: &str, name: String, text: &str) -> FileId {
        let file = self.sources.add(name, text);
        let parsed = parse(file, text, &mut self.reports).items;
        if let Some(second) = parsed.get(1) {
            let report = Report::new(Code::Unexpected, second.span, format!("a {what} is one expression"));
            self.reports.push(report.help(format!("write a {what} of its own for each expression")));
        }
        if let Some(cite) = parsed.first().and_then(|item| item.cites.first()) {
            let report = Report::new(Code::Unexpected, cite.span, format!("a {what} implements no clause"));
            self.reports.push(report.help("remove what it cites"));
        }
        self.items.extend(parsed.into_iter().map(Arc::new));
        file
    }

    /// Whether a text is a measure rather than rules.
    #[must_use]
    pub fn is_measure(&self, file: FileId) -> bool {
        self.measures.iter().any(|(_, other)| *other == file)
    }

    /// The measures of a game, and a report for each that has no number.
    pub(super) fn measured(&self, game: &Game, reports: &mut Reports) -> Vec<Measure> {
        let mut found = Vec::new();
        for (asked, file) in &self.measures {
            let name = asked.definition();
            let Some((number, def)) = game.functions.numbered().find(|(_, def)| def.name == name) else { continue };
            let ty = def.body.ty.clone();
            if matches!(ty, Ty::Int | Ty::Bool) && def.params.is_empty() {
                let value = Expr::new(ExprKind::Call(number, Vec::new()), ty);
                found.push(Measure {
                    name: asked.name.clone(),
                    text: asked.text.clone(),
                    by_turn: asked.by_turn,
                    value,
                });
                continue;
            }
            let written = self.items.iter().find(|item| item.span.file == *file);
            let place = written.map(|item| item.span).unwrap_or_default();
            let message = format!("the measure `{}` is neither a number nor a condition", asked.name);
            let help = "count a set with `count(…)`, or compare a single value with `==`";
            reports.push(Report::new(Code::WrongType, place, message).help(help));
        }
        found
    }
}
