//! The parser that pest derives, and what is known of its rules.
//!
//! **Invariant:** no list of words: what a rule is called and begins with is derived from the grammar
//! by `build/grammar.rs`, and so is an enum for each choice that builders decide by.

use pest_derive::Parser;

/// The parser for rule files.
#[derive(Debug, Parser)]
#[grammar = "grammar/lexis.pest"]
#[grammar = "grammar/items.pest"]
#[grammar = "grammar/statements.pest"]
#[grammar = "grammar/expressions.pest"]
pub(super) struct RulesParser;

include!(concat!(env!("OUT_DIR"), "/grammar.rs"));

/// What may stand behind an operand and is seldom what was meant.
pub(super) const POSTFIX: &[Rule] = &[
    Rule::args,
    Rule::lparen,
    Rule::field,
    Rule::dot,
    Rule::kw_of,
    Rule::kw_at,
    Rule::params,
    Rule::can_play,
    Rule::kw_can,
];

/// What is known of a rule.
struct Facts {
    label: Option<&'static str>,
    mark: bool,
    begins: &'static [&'static str],
    name: bool,
}

impl Rule {
    /// What users call the rule; nothing for rules that are no help to them.
    pub(super) fn label(self) -> Option<&'static str> {
        facts(self).label
    }

    /// Whether the rule is a keyword or punctuation: something that says
    /// nothing by itself once the rule around it is known.
    pub(super) fn is_mark(self) -> bool {
        facts(self).mark
    }

    /// The words and signs that the rule may begin with.
    pub(super) fn begins(self) -> &'static [&'static str] {
        facts(self).begins
    }

    /// The words among them.
    pub(super) fn openers(self) -> impl Iterator<Item = &'static str> {
        self.begins().iter().copied().filter(|text| text.starts_with(char::is_alphabetic))
    }

    /// Whether the rule may begin with a name.
    pub(super) fn begins_with_name(self) -> bool {
        facts(self).name
    }

    /// The word of the language that the rule stands for, if it is one.
    pub(super) fn word(self) -> Option<&'static str> {
        self.openers().next().filter(|_| self.is_mark())
    }
}
