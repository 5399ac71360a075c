//! Classification of every token of a text, for highlighting and for finding names and clauses.
//!
//! **Invariant:** the grammar decides whether a word is a keyword where it occurs; there is no list of words.

use super::ast::Cite;
use super::grammar::{Rule, RulesParser};
use super::words::{Kind, Words, clause_len};
use super::{LENGTH, depth};
use crate::base::{FileId, Span};
use pest::Parser;
use unicode_normalization::is_nfc;

/// The class of a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// `// …`
    Comment,
    /// `"…"`
    Text,
    /// A number.
    Number,
    /// `§…`
    Clause,
    /// A keyword, where it is used as one.
    Keyword,
    /// A name.
    Name,
    /// A cell of a table.
    Cell,
}

/// The classes of what is no keyword.
const PLAIN: &[(Rule, Class)] = &[
    (Rule::COMMENT, Class::Comment),
    (Rule::string, Class::Text),
    (Rule::number, Class::Number),
    (Rule::clause, Class::Clause),
    (Rule::name, Class::Name),
    (Rule::game_name, Class::Name),
    (Rule::cell, Class::Cell),
];

/// The classified stretches of a correct text, in order; none for an incorrect one.
#[must_use]
pub fn classes(text: &str) -> Vec<(Span, Class)> {
    if text.len() > LENGTH || depth::check(FileId(0), text).is_some() {
        return Vec::new();
    }
    let Ok(pairs) = RulesParser::parse(Rule::file, text) else { return Vec::new() };
    let mut found = Vec::new();
    // After `remove`, any word may be the keyword of an item.
    let mut item_word = None;
    for pair in pairs.flatten() {
        if pair.as_rule() == Rule::remove_item {
            let mut names = pair.clone().into_inner().filter(|part| part.as_rule() == Rule::name);
            item_word = names.next().filter(|_| names.next().is_some()).map(|word| word.as_span().start());
        }
        let (rule, start) = (pair.as_rule(), pair.as_span().start());
        if rule == Rule::broken {
            return Vec::new();
        }
        let keyword = rule.word().is_some() || rule == Rule::name && item_word == Some(start);
        let class = PLAIN.iter().find(|(plain, _)| *plain == rule).map(|(_, class)| *class);
        if let Some(class) = if keyword { Some(Class::Keyword) } else { class } {
            found.push((Span::new(FileId(0), start, pair.as_span().end()), class));
        }
    }
    // Comments inside a table are not pairs of their own.
    let known = |span: &Span| found.iter().any(|(other, _)| other == span);
    let more: Vec<_> = super::comments(FileId(0), text)
        .into_iter()
        .map(|comment| comment.span)
        .filter(|span| !known(span))
        .map(|span| (span, Class::Comment))
        .collect();
    found.extend(more);
    found.sort_unstable();
    found
}

/// The clauses cited or declared in a text, correct or not, each with its place.
#[must_use]
pub fn citations(file: FileId, text: &str) -> Vec<Cite> {
    let mut found = Vec::new();
    let mut add = |start: usize, text: &str| {
        let place = Span::new(file, start, start + text.len());
        found.push(Cite::new(text.trim_start_matches('§').to_owned(), place));
    };
    for token in Words::new(text) {
        match token.kind {
            Kind::Clause => add(token.start, token.text),
            Kind::Row => {
                let Some(end) = token.text.rfind('|') else { continue };
                let rest = token.text.get(end..).unwrap_or("");
                for (at, _) in rest.match_indices('§') {
                    let clause = rest.get(at..).unwrap_or("");
                    add(token.start + end + at, clause.get(..clause_len(clause)).unwrap_or(""));
                }
            }
            Kind::Word | Kind::Number | Kind::Text | Kind::Open | Kind::Close | Kind::Mark | Kind::Comment => {}
        }
    }
    found.retain(|cite| !cite.node.is_empty());
    found
}

/// Whether an offset is neither in a comment nor in a text.
#[must_use]
pub fn is_code(text: &str, at: usize) -> bool {
    let inside = Words::new(text).take_while(|token| token.start < at).last().filter(|token| at <= token.end());
    inside.is_none_or(|token| match token.kind {
        Kind::Comment => false,
        Kind::Text => at == token.end() && token.text.len() > 1 && token.text.ends_with('"'),
        Kind::Word | Kind::Number | Kind::Clause | Kind::Open | Kind::Close | Kind::Row | Kind::Mark => true,
    })
}

/// All keywords, in alphabetical order.
#[must_use]
pub fn keywords() -> Vec<&'static str> {
    let mut words: Vec<&str> = Rule::all_rules().iter().filter_map(|rule| rule.word()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a text can be used as a name.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let whole = |pairs: pest::iterators::Pairs<'_, Rule>| pairs.as_str().len() == text.len();
    is_nfc(text) && RulesParser::parse(Rule::name, text).is_ok_and(whole)
}
