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
            let head = format!("define {} = ", asked.definition());
            let text = format!("{head}{}", asked.text);
            let file = more.sources.add(format!("measure {}", asked.name), text.as_str());
            let parsed = parse(file, &text, &mut more.reports).items;
            if let Some(second) = parsed.get(1) {
                let report = Report::new(Code::Unexpected, second.span, "a measure is one expression");
                more.reports.push(report.help("write a measure of its own for each expression"));
            }
            more.items.extend(parsed.into_iter().map(Arc::new));
            more.measures.push((asked.clone(), file));
        }
        more
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
