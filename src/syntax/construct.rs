//! Which constructs of the language a text uses: for tests that have to say how much of it they reached.

use std::collections::BTreeSet;

use super::grammar::{Rule, RulesParser};
use super::{LENGTH, depth};
use crate::base::FileId;
use pest::Parser;

/// The names of the grammar's rules that a text uses; none if it is no rule file without errors of syntax.
#[must_use]
pub fn constructs(text: &str) -> BTreeSet<String> {
    if text.len() > LENGTH || depth::check(FileId::default(), text).is_some() {
        return BTreeSet::new();
    }
    let Ok(pairs) = RulesParser::parse(Rule::file, text) else { return BTreeSet::new() };
    let used: BTreeSet<Rule> = pairs.flatten().map(|pair| pair.as_rule()).collect();
    if used.contains(&Rule::broken) { BTreeSet::new() } else { used.iter().map(|rule| format!("{rule:?}")).collect() }
}
