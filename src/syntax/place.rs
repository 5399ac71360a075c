//! Whether an edit is the only one of its kind, since with others of it the text does not parse; whether a word can only be a
//! keyword misspelt; and how well braces fit the layout of lines.

use super::class::keywords;
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
        before.last().is_none_or(|last| last.end() <= place).then_some(())?;
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

/// Whether no other edit of this kind comes into question, as far as the grammar tells. A mark that is added can stand nowhere
/// else in its item, and braces around values may enclose any of them. Where one of two equal words is left out, nothing can
/// stand between them or in place of either. An edit that does something else is none of this concern. `read` is how many bytes
/// may be read to find out; false if they do not suffice.
pub(crate) fn is_only_edit(text: &str, fix: &Fix, read: &mut usize) -> bool {
    let (mark, place) = (fix.text.trim(), fix.span.start as usize);
    let added = fix.span.start == fix.span.end && (APART.contains(&mark) || mark == "|");
    if !added && !mark.is_empty() {
        return true;
    }
    // Within a row of a table the cells show where a bar is missing.
    let Some(item) = Item::around(text, place) else { return true };
    if !added {
        return is_only_twin(text, &item, place, read);
    }
    let same = |one: &str, two: &str| {
        one.split_whitespace().flat_map(str::chars).eq(two.split_whitespace().flat_map(str::chars))
    };
    let Some(own) = item.with(text, (place, place), mark) else { return false };
    !(["{", "}"].contains(&mark) && encloses_values(&own, place + 1 - item.from))
        && item.tokens.iter().all(|token| {
            // Nobody writes a block of nothing and what it holds after it.
            let empty = (token.text, mark) == ("{", "}");
            let other = item.with(text, (token.end(), token.end()), mark);
            item.costs(read) && (empty || other.is_none_or(|other| same(&own, &other) || !parses(&other)))
        })
}

/// Whether of two equal words one is left out from `place` on, and nothing else can be meant: the item does not parse with
/// anything between them or in place of one of them.
fn is_only_twin(text: &str, item: &Item<'_>, place: usize, read: &mut usize) -> bool {
    let after = item.tokens.partition_point(|token| token.start < place);
    let pairs = [after.checked_sub(1), Some(after)].into_iter().flatten();
    let Some((one, two)) = pairs
        .filter_map(|first| Some((item.tokens.get(first)?, item.tokens.get(first + 1)?)))
        .find(|(one, two)| one.text == two.text)
    else {
        return true;
    };
    let others = ["something", "1", "\"something\""].into_iter().chain(keywords());
    others.filter(|other| *other != one.text).all(|other| {
        [(one.end(), two.start), (one.start, one.end()), (two.start, two.end())]
            .into_iter()
            .all(|place| item.costs(read) && !item.with(text, place, other).is_some_and(|text| parses(&text)))
    })
}

/// Marks that may be lost beside a name.
const LOST: [&str; 17] = [":=", "+=", "-=", "=", "==", ":", ",", ".", "..", "+", "-", "|", "&", "(", ")", "{", "}"];

/// What stands for a name, number or text that was lost.
const NAMES: [&str; 3] = ["something", "1", "\"something\""];

/// Beginnings of what a value ends.
const BEGUN: [&str; 4] = ["something :=", "if something ==", "remove something |", "define something ="];

/// What else may be meant where a word is taken for a keyword misspelt: the word is a name before or after which a keyword or
/// mark was lost, or which was exchanged with the word before or after it; or the blank beside it stands too far left or right, or between
/// letters that were exchanged.
/// Only what parses. None if the item does not parse
/// with the keyword, if a name or number may be missing instead, if the word may be the value of something begun before it, or if
/// `read`, how many bytes may be read to find out, does not suffice.
pub(crate) fn other_spellings(text: &str, fix: &Fix, read: &mut usize) -> Option<Vec<Fix>> {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    let item = Item::around(text, start)?;
    let mut fits = |place: (usize, usize), new: &str| {
        item.costs(read).then(|| item.with(text, place, new).is_some_and(|text| parses(&text)))
    };
    if !fits((start, end), &fix.text)? {
        return None;
    }
    for other in NAMES {
        if fits((start, start), other)? || fits((end, end), other)? {
            return None;
        }
    }
    // The line before may be lost from within a statement on, with what declares the name.
    for begun in BEGUN {
        if fits((start, start), begun)? {
            return None;
        }
    }
    let at = item.tokens.iter().position(|token| token.start == start)?;
    let pairs = [at.checked_sub(1), Some(at)].into_iter().flatten();
    let pairs: Vec<_> =
        pairs.filter_map(|first| Some((item.tokens.get(first)?, item.tokens.get(first + 1)?))).collect();
    let keyword = fix.text.trim();
    let shifted = pairs.iter().flat_map(|(one, two)| {
        let first = one.start == start;
        let both = [one.text, two.text].concat();
        let moved = if first { both.strip_prefix(keyword) } else { both.strip_suffix(keyword) };
        let moved = moved.map(str::to_owned);
        let crossed = across(one.text, two.text).filter(|crossed| crossed[usize::from(!first)] == keyword);
        let crossed = crossed.map(|[left, right]| if first { right } else { left });
        let places = moved.into_iter().chain(crossed);
        let whole = (one.start, two.end());
        places.map(move |rest| {
            let new = if first { format!("{keyword} {rest}") } else { format!("{rest} {keyword}") };
            // Nothing is left where a blank came into the word.
            (whole, new.trim().to_owned())
        })
    });
    let exchanged = pairs.iter().map(|(one, two)| ((one.start, two.end()), [two.text, one.text].join(" ")));
    let lost = keywords().into_iter().chain(LOST);
    let lost = lost.flat_map(|lost| [(start, start), (end, end)].map(|place| (place, format!(" {lost} "))));
    let mut found = Vec::new();
    for (place, new) in shifted.chain(exchanged).chain(lost) {
        if fits(place, &new)? {
            found.push(Fix::replace(Span::new(fix.span.file, place.0, place.1), &new));
        }
    }
    Some(found)
}

/// Two words with the letters at the blank between them exchanged.
fn across(one: &str, two: &str) -> Option<[String; 2]> {
    let (last, first) = (one.chars().next_back()?, two.chars().next()?);
    let head = one.strip_suffix(last)?;
    let tail = two.strip_prefix(first)?;
    Some([format!("{head}{first}"), format!("{last}{tail}")])
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
    let added = fix.span.start == fix.span.end && (APART.contains(&mark) || mark == "|");
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
        .filter(|(index, token)| token.text == partner || [",", "|"].contains(&mark) && near(*index, token))
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
            Brace::Close(place) if pending && place <= token.start => {
                // After the end of a block of several lines hardly anything else begins on its last line.
                let goes_on = !token.first && token.kind != Kind::Clause && !["}", "else"].contains(&token.text);
                wrong += usize::from(open.pop().is_some_and(|block| block.line < line) && goes_on);
                pending = false;
            }
            Brace::LeaveOut(place) if place == token.start => continue,
            Brace::Close(_) | Brace::LeaveOut(_) => {}
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
