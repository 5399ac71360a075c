//! The parser derived by pest, and facts about its rules.
//!
//! **Invariant:** there is no list of words: `build/grammar.rs` derives from the grammar how rules are called and
//! what they begin with, and an enum for each choice that builders match on.

use pest_derive::Parser;

/// The parser for rule files.
#[derive(Debug, Parser)]
#[grammar = "grammar/lexis.pest"]
#[grammar = "grammar/items.pest"]
#[grammar = "grammar/statements.pest"]
#[grammar = "grammar/expressions.pest"]
pub(super) struct RulesParser;

include!(concat!(env!("OUT_DIR"), "/grammar.rs"));

/// Rules that may follow an operand and are rarely what was meant.
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

/// Facts about a rule.
struct Facts {
    label: Option<&'static str>,
    mark: bool,
    begins: &'static [&'static str],
    name: bool,
}

impl Rule {
    /// The rule's name in messages; nothing for rules whose name would not help.
    pub(super) fn label(self) -> Option<&'static str> {
        facts(self).label
    }

    /// Whether the rule is a keyword or punctuation, which carries no information once the enclosing rule is known.
    pub(super) fn is_mark(self) -> bool {
        facts(self).mark
    }

    /// The words and symbols that the rule may begin with.
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

    /// The keyword that the rule stands for, if it is one.
    pub(super) fn word(self) -> Option<&'static str> {
        self.openers().next().filter(|_| self.is_mark())
    }
}
