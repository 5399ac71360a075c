//! Explanations: why something is legal or not.

use std::fmt;

use super::rules::Rules;
use crate::ir::RuleId;
use crate::model::Grounds;
use crate::say::Lang;
use crate::view::{Detail, explained, kind_word, source_line};

/// A rule of the rule file, with the clauses it implements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// What kind of rule it is, such as `guard`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The file it is in.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The clauses it implements.
    pub clauses: Vec<Clause>,
}

/// A clause of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clause {
    /// Its id, without the `§`.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// Whether a move is legal, and by which rules, as far as the seat to act can know. Displayed, it is an explanation
/// for players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    legal: bool,
    rules: Vec<Rule>,
    veiled: bool,
    text: String,
}

impl Explanation {
    pub(super) fn new(rules: &Rules, what: &str, grounds: &Grounds) -> Self {
        let text = explained(Lang::En, rules.game(), rules.sources(), what, grounds, Detail::Clauses);
        let (legal, numbers) = match &grounds.verdict {
            Ok(numbers) => (true, numbers),
            Err(refusal) => (false, &refusal.rules),
        };
        Self { legal, rules: listed(rules, numbers), text, veiled: grounds.veiled }
    }

    /// Whether it is legal.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        self.legal
    }

    /// Whether some grounds depend on what the seat does not see and are therefore left out.
    #[must_use]
    pub fn is_veiled(&self) -> bool {
        self.veiled
    }

    /// The rules that forbid it, the most relevant first, or those it relies on.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

fn listed(rules: &Rules, numbers: &[RuleId]) -> Vec<Rule> {
    let (game, sources) = (rules.game(), rules.sources());
    let clause = |id: &String| {
        let text = game.clauses.clauses.get(id).map(|clause| clause.text.clone());
        Clause { name: id.clone(), text: text.unwrap_or_default() }
    };
    let found = numbers.iter().filter_map(|rule| game.rules.get(*rule));
    found
        .map(|rule| Rule {
            kind: kind_word(rule.kind),
            name: rule.name.clone(),
            file: sources.get(rule.span.file).map(|source| source.name.clone()).unwrap_or_default(),
            line: sources.line_column(rule.span).0,
            text: source_line(sources, rule.span),
            clauses: rule.clauses.iter().map(clause).collect(),
        })
        .collect()
}
