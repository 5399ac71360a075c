//! Where a mark may stand: whether the text parses with it elsewhere, and how well braces fit the layout of lines.

use super::grammar::{ITEMS, Rule, RulesParser};
use super::words::{Kind, Token, Words, flush};
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

/// Whether a mark that an edit adds can stand nowhere else in its item: elsewhere the item does not parse, or the layout
/// contradicts. An edit that does something else is none of this concern. `read` is how many bytes may be read to find out;
/// false if they do not suffice.
pub(crate) fn is_only_place(text: &str, fix: &Fix, read: &mut usize) -> bool {
    let (mark, place) = (fix.text.trim(), fix.span.start as usize);
    if fix.span.start != fix.span.end || !APART.contains(&mark) && mark != "|" {
        return true;
    }
    let tokens: Vec<Token<'_>> = Words::new(text).filter(|token| token.kind != Kind::Comment).collect();
    let heads = |token: &Token<'_>| token.first && flush(text, token.start) && ITEMS.contains(&token.text);
    let (before, after) = tokens.split_at(tokens.partition_point(|token| token.start < place));
    // Within a row of a table the cells show where a bar is missing.
    let Some(last) = before.last().filter(|last| last.end() <= place) else { return true };
    let from = before.iter().rfind(|token| heads(token)).or(before.first()).map_or(place, |token| token.start);
    let to = after.iter().find(|token| heads(token)).map_or(text.len(), |token| token.start);
    let item: Vec<Token<'_>> = tokens.iter().copied().filter(|token| (from..to).contains(&token.start)).collect();
    let misfit = |place: usize| match mark {
        "{" => misfits(text, &item, Brace::Open(place)),
        "}" => misfits(text, &item, Brace::Close(place)),
        _ => 0,
    };
    let own = misfit(place);
    item.iter().filter(|token| token.start != last.start).all(|token| {
        *read = read.saturating_sub(to - from);
        let parts = (text.get(from..token.end()), text.get(token.end()..to));
        let (Some(head), Some(tail)) = parts else { return true };
        *read > 0 && (misfit(token.end()) > own || !parses(&[head, " ", mark, " ", tail].concat()))
    })
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
