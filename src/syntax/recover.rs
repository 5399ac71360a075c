//! Error recovery: where to resume after an error, and what the error is.
//!
//! **Invariant:** every broken stretch leads to exactly one report, and nothing outside the stretch and the item
//! before it is blamed. Stretches do not overlap, so that the work is linear in the length of the text.

use super::depth::partner;
use super::error::{self, Segment};
use super::grammar::{ITEMS, Rule, RulesParser};
use super::repair;
use super::words::{Kind, Words, flush};
use crate::base::nearest;
use crate::report::Report;
use pest::Parser;

/// The recovery points: unindented lines that begin with an item's keyword, unless they are between two matching
/// brackets.
pub(super) fn points(text: &str) -> Vec<usize> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut heads: Vec<usize> = Vec::new();
    // The ranges of matching brackets, inner ones first.
    let mut closed: Vec<(usize, usize)> = Vec::new();
    for token in Words::new(text) {
        match token.kind {
            Kind::Open => open.push((token.text.chars().next().unwrap_or('('), token.start)),
            Kind::Close => {
                let partner = partner(token.text);
                if let Some(place) = open.iter().rposition(|&(bracket, _)| bracket == partner) {
                    let start = open.get(place).map_or(token.start, |&(_, start)| start);
                    while closed.last().is_some_and(|&(inner, _)| inner > start) {
                        closed.pop();
                    }
                    closed.push((start, token.start));
                    open.truncate(place);
                }
            }
            Kind::Word if token.first && flush(text, token.start) && ITEMS.contains(&token.text) => {
                heads.push(token.start);
            }
            Kind::Word | Kind::Number | Kind::Text | Kind::Clause | Kind::Row | Kind::Mark | Kind::Comment => {}
        }
    }
    let mut closed = closed.into_iter().peekable();
    heads.retain(|&head| {
        while closed.next_if(|&(_, end)| end < head).is_some() {}
        closed.peek().is_none_or(|&(start, _)| start > head)
    });
    heads
}

/// The report for a stretch that is not an item. Candidate edits are computed if the start of the preceding item,
/// which may contain the cause, is given.
pub(super) fn explain(segment: Segment<'_>, from: Option<usize>) -> Report {
    let slice = segment.text.get(segment.start..segment.end).unwrap_or("");
    match RulesParser::parse(Rule::only_item, slice) {
        Ok(_) => error::unexpected(segment, segment.start, &[]),
        Err(error) => {
            let mut report = error::lower(segment, &error);
            if let Some(from) = from {
                report.maybe = repair::candidates(segment, from, error::place(segment, &error));
            }
            report
        }
    }
}

/// Whether a stretch looks like the rest of the preceding item: it does not begin a line, or it is indented and does
/// not begin with anything like an item's keyword.
pub(super) fn goes_on(segment: Segment<'_>) -> bool {
    let before = segment.text.get(..segment.start).unwrap_or("");
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    let slice = segment.text.get(segment.start..).unwrap_or("");
    let Some(first) = Words::new(slice).next() else {
        return false;
    };
    if first.kind == Kind::Close {
        return false;
    }
    let blank = line.trim_matches([' ', '\t', '\u{FEFF}']).is_empty();
    let known = ITEMS.contains(&first.text) || nearest(first.text, ITEMS.iter().copied()).is_some();
    !(blank && (line.is_empty() || known))
}
