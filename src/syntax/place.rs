//! Whether an edit is the only one of its kind: whether the text parses with a mark elsewhere, or with a word where two equal ones
//! stand, and how well braces fit the layout of lines.

use super::grammar::{ITEMS, Rule, RulesParser};
use super::words::{Kind, Token, Words, flush};
use crate::base::Span;
use crate::report::Fix;
use pest::Parser;

/// Marks that only set apart.
pub(crate) const APART: &[&str] = &[",", ";", ":", "{", "}"];

/// What is done to a brace, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Brace {
    Open(usize),
    Close(usize),
    LeaveOut(usize),
}

/// Whether a text consists of items.
pub(super) fn parses(text: &str) -> bool {
    RulesParser::parse(Rule::file, text)
        .is_ok_and(|pairs| pairs.flat_map(pest::iterators::Pair::into_inner).all(|pair| pair.as_rule() != Rule::broken))
}

/// The item in which an edit is made: where it begins and ends, and its tokens.
#[derive(Clone, Debug)]
struct Item<'t> {
    from: usize,
    to: usize,
    tokens: Vec<Token<'t>>,
}

impl<'t> Item<'t> {
    /// The item around a place; nothing if the place is within a token.
    fn around(text: &'t str, place: usize) -> Option<Self> {
        let tokens: Vec<Token<'_>> = Words::new(text).filter(|token| token.kind != Kind::Comment).collect();
        let heads = |token: &Token<'_>| token.first && flush(text, token.start) && ITEMS.contains(&token.text);
        let (before, after) = tokens.split_at(tokens.partition_point(|token| token.start < place));
        before.last().filter(|last| last.end() <= place)?;
        let from = before.iter().rfind(|token| heads(token)).or(before.first()).map_or(place, |token| token.start);
        let to = after.iter().find(|token| heads(token)).map_or(text.len(), |token| token.start);
        let inner = tokens.iter().copied().filter(|token| (from..to).contains(&token.start)).collect();
        Some(Self { from, to, tokens: inner })
    }

    /// Takes what reading it once costs; false if that is no longer there.
    fn costs(&self, read: &mut usize) -> bool {
        *read = read.saturating_sub(self.to - self.from);
        *read > 0
    }

    /// Its text with something else between two places of it.
    fn with(&self, text: &str, place: (usize, usize), new: &str) -> Option<String> {
        Some([text.get(self.from..place.0)?, " ", new, " ", text.get(place.1..self.to)?].concat())
    }
}

/// Whether no other edit of this kind comes into question. A mark that is added can stand nowhere else in its item: elsewhere
/// the item does not parse, or the layout contradicts; and braces around values may enclose any of them. Where one of two
/// equal words is left out, nothing can stand between them. An edit that does something else is none of this concern.
/// `read` is how many bytes may be read to find out; false if they do not suffice.
pub(crate) fn is_only_edit(text: &str, fix: &Fix, read: &mut usize) -> bool {
    let (mark, place) = (fix.text.trim(), fix.span.start as usize);
    let added = fix.span.start == fix.span.end && (APART.contains(&mark) || mark == "|");
    if !added && !mark.is_empty() {
        return true;
    }
    // Within a row of a table the cells show where a bar is missing.
    let Some(item) = Item::around(text, place) else { return true };
    let parsed = |place: usize, new: &str| item.with(text, (place, place), new).is_some_and(|text| parses(&text));
    if !added {
        return item.costs(read) && !parsed(place, "something");
    }
    let misfit = |place: usize| match mark {
        "{" => misfits(text, &item.tokens, Brace::Open(place)),
        "}" => misfits(text, &item.tokens, Brace::Close(place)),
        _ => 0,
    };
    let own = misfit(place);
    let last = item.tokens.iter().rfind(|token| token.start < place).map_or(place, |token| token.start);
    let braces = ["{", "}"].contains(&mark);
    !(braces && item.with(text, (place, place), mark).is_none_or(|text| encloses_values(&text, place + 1 - item.from)))
        && item
            .tokens
            .iter()
            .filter(|token| token.start != last)
            .all(|token| item.costs(read) && (misfit(token.end()) > own || !parsed(token.end(), mark)))
}

/// Whether a brace at a place of an item belongs to a set or a repetition, or to nothing.
fn encloses_values(text: &str, place: usize) -> bool {
    let Ok(pairs) = RulesParser::parse(Rule::file, text) else { return true };
    let at = |pair: &pest::iterators::Pair<'_, Rule>| {
        let span = pair.as_span();
        span.start() == place || span.end() == place + 1
    };
    let values = [Rule::set_filter, Rule::set_list, Rule::repetition];
    pairs.flatten().any(|pair| values.contains(&pair.as_rule()) && at(&pair))
}

/// Edits that mend what the adding of a mark mends, if what stands there is not meant: the word or number before it, or after
/// it, is left out, or a brace that the mark would close or open. All that are not read any more count as such.
pub(crate) fn rivals(text: &str, fix: &Fix, read: &mut usize) -> Vec<Fix> {
    let (mark, place) = (fix.text.trim(), fix.span.start as usize);
    let added = fix.span.start == fix.span.end && APART.contains(&mark);
    let Some(item) = Item::around(text, place).filter(|_| added) else { return Vec::new() };
    let after = item.tokens.partition_point(|token| token.start < place);
    let partner = match mark {
        "{" => "}",
        "}" => "{",
        _ => "",
    };
    let near = |index: usize, token: &Token<'_>| (index + 1 == after || index == after) && token.kind != Kind::Row;
    item.tokens
        .iter()
        .enumerate()
        .filter(|(index, token)| token.text == partner || mark == "," && near(*index, token))
        .map(|(_, token)| (token.start, token.end()))
        .filter(|place| !item.costs(read) || item.with(text, *place, "").is_some_and(|text| parses(&text)))
        .map(|(start, end)| Fix::replace(Span::new(fix.span.file, start, end), ""))
        .collect()
}

/// A block of braces that is open.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The indentation of the line on which it begins, and that line.
    indent: usize,
    line: usize,
    /// The indentation of its first line.
    inner: Option<usize>,
}

/// How many lines are indented differently from what their braces imply, with one brace more or less.
pub(super) fn misfits(text: &str, tokens: &[Token<'_>], brace: Brace) -> usize {
    let mut open: Vec<Block> = Vec::new();
    let (mut wrong, mut line, mut pending) = (0, 0, true);
    for token in tokens {
        match brace {
            Brace::Open(place) if pending && place <= token.start => {
                open.push(Block { indent: indent(text, place), line, inner: None });
                pending = false;
            }
            Brace::Close(place) if pending && place <= token.start => {
                // After the end of a block of several lines hardly anything else begins on its last line.
                let goes_on = !token.first && token.kind != Kind::Clause && !["}", "else"].contains(&token.text);
                wrong += usize::from(open.pop().is_some_and(|block| block.line < line) && goes_on);
                pending = false;
            }
            Brace::LeaveOut(place) if place == token.start => continue,
            Brace::Open(_) | Brace::Close(_) | Brace::LeaveOut(_) => {}
        }
        if token.first {
            line += 1;
            let column = indent(text, token.start);
            let fits = match (token.text, open.last_mut()) {
                ("}", Some(block)) => column == block.indent,
                ("}", None) => false,
                // Its lines begin one below the other.
                (_, Some(block)) => column > block.indent && *block.inner.get_or_insert(column) == column,
                (_, None) => true,
            };
            wrong += usize::from(!fits);
        }
        match token.text {
            "{" => open.push(Block { indent: indent(text, token.start), line, inner: None }),
            "}" => drop(open.pop()),
            _ => {}
        }
    }
    wrong
}

/// The indentation of the line of an offset.
fn indent(text: &str, at: usize) -> usize {
    let line = text.get(..at).unwrap_or("").rsplit('\n').next().unwrap_or("");
    let whole = text.get(at - line.len()..).unwrap_or("");
    whole.len() - whole.trim_start_matches([' ', '\t']).len()
}
