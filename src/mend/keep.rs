//! Which fixes may be applied without asking: those that preserve every word of the author.

use unicode_normalization::UnicodeNormalization;

use crate::base::{line_start, nearest};
use crate::report::Fix;

/// Marks that only separate; one of two equal adjacent ones may be dropped.
const PUNCTUATION: &[&str] = &[",", ";", ":", "(", ")", "{", "}", "\""];

/// Marks that are mistaken for others: written, meant.
const ALIKE: &[(&str, &str)] = &[(":=", "="), ("==", "="), ("=", ":="), ("==", ":="), (":", ":="), ("=", "==")];

/// Marks of two characters.
const PAIRS: &[&str] = &[":=", "+=", "-=", "==", "!=", "<=", ">=", ".."];

/// Whether a fix preserves what the author wrote: it adds or moves words and marks, replaces a word by a similar
/// name, or drops one of two equal adjacent words. It drops no other word, number or mark.
pub(super) fn keeps_every_word(text: &str, fix: &Fix) -> bool {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    let from = line_start(text, start);
    let to = text.get(end..).and_then(|tail| tail.find('\n')).map_or(text.len(), |at| end + at);
    let (Some(line), Some(head), Some(tail)) = (text.get(from..to), text.get(from..start), text.get(end..to)) else {
        return false;
    };
    let old = line.get(start - from..end - from).unwrap_or("");
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    // The same letters, in normal form C.
    let normal = old.nfc().eq(fix.text.chars());
    let parted = fix.text.len() > old.len() && dense(&fix.text) == dense(old);
    if normal || parted || ALIKE.contains(&(old.trim(), fix.text.trim())) {
        return true;
    }
    let after = [head, &fix.text, tail].concat();
    let (before, mut gained) = (tokens(line), tokens(&after));
    let mut lost = Vec::new();
    for token in &before {
        match gained.iter().position(|other| other == token) {
            Some(at) => drop(gained.remove(at)),
            None => lost.push(*token),
        }
    }
    lost.into_iter().all(|token| {
        let twin = before.windows(2).any(|pair| pair == [token, token]);
        let near = |other: &&str| nearest(token, [*other]).or_else(|| nearest(other, [token])).is_some();
        let near = is_word(token).then(|| gained.iter().position(near)).flatten();
        if let Some(at) = near {
            gained.remove(at);
        }
        near.is_some() || twin && (is_word(token) || PUNCTUATION.contains(&token))
    })
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, numbers and marks.
fn tokens(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let inner = |c: char| c.is_alphanumeric() || c == '_';
        let pair = PAIRS.iter().find(|pair| rest.starts_with(**pair));
        let length = match pair {
            _ if inner(first) => rest.find(|c| !inner(c)).unwrap_or(rest.len()),
            Some(pair) => pair.len(),
            None => first.len_utf8(),
        };
        let (token, tail) = rest.split_at(length);
        found.push(token);
        rest = tail.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{FileId, Span};

    fn keeps(line: &str, old: &str, new: &str) -> bool {
        let start = line.find(old).expect("it is there");
        let span = Span::new(FileId::default(), start, start + old.len());
        keeps_every_word(line, &Fix::replace(span, new))
    }

    /// Fixes that would change the meaning of the rules.
    #[test]
    fn fixes_that_change_meaning_are_refused() {
        assert!(!keeps("option komi = 7.5", ".", ""));
        assert!(!keeps("option komi = 7.5", ".", ".."));
        assert!(!keeps("choose f in own m & !occupied", "!", ""));
        assert!(!keeps("score p = 3", "score", "let"));
        assert!(!keeps("replace action move", "action", "game"));
        assert!(!keeps("for k in kinds(card), s in suit { win me }", ",", ""));
        assert!(!keeps("require 3 4", " 4", ""));
        assert!(!keeps("if !!free(f) { win me }", "!!", "!"));
    }

    #[test]
    fn typing_slips_are_fixed() {
        assert!(keeps("mover palys pass", "palys", "plays"));
        assert!(keeps("choose in f empty", "in f", "f in"));
        assert!(keeps("end full full after move", " full", ""));
        assert!(keeps("define free(s: site = s in empty", "site", "site)"));
        assert!(keeps("board square, , 3", ", ,", ","));
        assert!(keeps("title Draughts", "Draughts", "\"Draughts\""));
        assert!(keeps("x = 1", "=", ":="));
        assert!(keeps("piece sta\u{308}be", "sta\u{308}be", "st\u{e4}be"));
        assert!(keeps("define x == 1", "==", "="));
        assert!(keeps("board square 3x3", "3x3", "3 x 3"));
    }
}
