//! What the grammar accepts at a position: for completion.
//!
//! **Invariant:** there is no list of what may follow what: the parser is run up to a character that no rule accepts.

use super::depth;
use super::grammar::{ITEMS, Rule, RulesParser};
use super::recover;
use crate::base::FileId;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// A character that a rule file may contain only inside texts.
const STOP: char = '\u{1}';

/// What the grammar accepts at a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The keywords in alphabetical order, without duplicates.
    pub words: Vec<&'static str>,
    /// Whether a name is accepted, or something that begins with one.
    pub name: bool,
    /// Whether a clause is accepted.
    pub clause: bool,
    /// The item around the position, as far as it can be determined.
    pub item: std::ops::Range<usize>,
    /// The closing brackets for those open at the position.
    pub closing: String,
}

/// What is accepted at `at`, given the text before it.
#[must_use]
pub fn expected(text: &str, at: usize) -> Expected {
    let before = text.get(..at).unwrap_or(text);
    let start = recover::points(before).pop().unwrap_or(0);
    let head = before.get(start..).unwrap_or("");
    let end = recover::points(text).into_iter().find(|&point| point >= at && point > start);
    let mut expected = Expected { item: start..end.unwrap_or(text.len()), ..Expected::default() };
    expected.closing = depth::closing(head);
    if depth::check(FileId(0), &format!("{head}{}", expected.closing)).is_some() {
        return expected;
    }
    // After a complete item, another one may begin.
    if head.trim().is_empty() || RulesParser::parse(Rule::only_item, head).is_ok() {
        expected.words.extend(ITEMS);
    }
    if let Err(error) = RulesParser::parse(Rule::only_item, &format!("{head}{STOP}")) {
        let (InputLocation::Pos(place) | InputLocation::Span((place, _))) = error.location;
        if let ErrorVariant::ParsingError { positives, .. } = error.variant
            && place >= head.len()
        {
            for rule in positives {
                expected.take(rule);
            }
        }
    }
    expected.words.sort_unstable();
    expected.words.dedup();
    expected
}

impl Expected {
    fn take(&mut self, rule: Rule) {
        self.words.extend(rule.openers());
        self.name |= rule.begins_with_name();
        self.clause |= rule == Rule::clause || rule == Rule::cites;
    }
}
