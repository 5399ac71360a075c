//! Splitting a paragraph into sentences.

use super::abbreviations::ends;
use crate::base::get_or_default;

/// How many characters to look back for the two words before a full stop.
const WORDS: usize = 80;

/// How many characters to look back for an opening bracket.
const BRACKET: usize = 2000;

/// The byte ranges of the sentences of a paragraph. Only spaces are left out.
pub(super) fn sentences(text: &str) -> Vec<(usize, usize)> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let depth = depths(&chars);
    let mut cuts: Vec<usize> = Vec::new();
    let mut number = 0;
    while let Some(&(at, c)) = chars.get(number) {
        if matches!(c, '.' | '!' | '?' | '…') {
            let end = closed(&chars, &depth, number);
            let flat = depth.get(end).is_none_or(|depth| *depth == 0);
            if flat && breaks(text, &chars, at, c, end) {
                cuts.push(chars.get(end).map_or(text.len(), |(at, _)| *at));
            }
            number = end.max(number + 1);
        } else {
            number += 1;
        }
    }
    cuts.push(text.len());
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for cut in cuts {
        let piece = text.get(from..cut).unwrap_or("");
        let mut start = from + piece.len() - piece.trim_start().len();
        let end = from + piece.trim_end().len();
        if let Some(last) = found.last_mut() {
            // `… liegen. (siehe §2)`: a bracket that is not a sentence of its own.
            while let Some(length) = text.get(start..end).and_then(parenthesis) {
                last.1 = start + length;
                let rest = text.get(last.1..end).unwrap_or("");
                start = end - rest.trim_start().len();
            }
        }
        if start < end {
            found.push((start, end));
        }
        from = cut;
    }
    found
}

/// The bracket depth at each character. Brackets that are never closed do not count.
fn depths(chars: &[(usize, char)]) -> Vec<i64> {
    let mut open: Vec<usize> = Vec::new();
    // First the changes in depth, then their running sum.
    let mut depth = vec![0_i64; chars.len()];
    for (number, (_, c)) in chars.iter().enumerate() {
        match c {
            '(' | '[' => open.push(number),
            ')' | ']' => {
                if let Some(from) = open.pop() {
                    for (at, step) in [(from, 1), (number, -1)] {
                        if let Some(depth) = depth.get_mut(at) {
                            *depth += step;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let mut height = 0;
    for depth in &mut depth {
        height += *depth;
        *depth = height;
    }
    depth
}

/// The end of closing marks: `."`, `!)`, `...`.
fn closed(chars: &[(usize, char)], depth: &[i64], from: usize) -> usize {
    let base = get_or_default(depth, from);
    let mut end = from + 1;
    while let Some((_, c)) = chars.get(end) {
        let closing = matches!(c, '.' | '!' | '?' | '…' | '"' | '“' | '”' | '«' | '\'' | '’' | '‘' | '*' | '_');
        let bracket = matches!(c, ')' | ']') && base <= 1;
        if !closing && !bracket {
            break;
        }
        end += 1;
    }
    end
}

/// Whether a sentence ends with the mark at `at`, with closing marks up to `end`.
fn breaks(text: &str, chars: &[(usize, char)], at: usize, mark: char, end: usize) -> bool {
    let Some(&(behind, space)) = chars.get(end) else { return true };
    if !space.is_whitespace() {
        return false;
    }
    let rest = text.get(behind..).unwrap_or("").trim_start();
    let starts = |c: char| c.is_uppercase() || c.is_ascii_digit() || "„“\"»«'‚([§*_•".contains(c);
    let Some(first) = rest.chars().next() else { return true };
    // `… zur Mitte (oben). Dann` closes; `(noch!) vier Spieler` goes on.
    if !starts(first) {
        return false;
    }
    if inserted(chars, end) {
        return false;
    }
    if mark != '.' {
        return true;
    }
    let front = text.get(..at).unwrap_or("");
    let front = front.char_indices().rev().nth(WORDS).map_or(front, |(from, _)| &front[from..]).to_lowercase();
    let mut words = front.split_whitespace().rev();
    let word = words.next().unwrap_or("");
    let before = words.next().unwrap_or("");
    let dots = chars.get(..end).unwrap_or(&[]).iter().rev().take_while(|(_, c)| *c == '.').count();
    let next: String = rest.chars().take_while(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    dots > 1 || front.ends_with(|c: char| c.is_whitespace()) || ends(before, word, &next)
}

/// Whether a bracket within a sentence closes directly before `end`: `vier (oder mehr!) Spieler`.
fn inserted(chars: &[(usize, char)], end: usize) -> bool {
    let before = chars.get(..end).unwrap_or(&[]);
    if !before.last().is_some_and(|(_, c)| matches!(c, ')' | ']')) {
        return false;
    }
    let mut open = 0_u32;
    for (number, (_, c)) in before.iter().enumerate().rev().take(BRACKET) {
        match c {
            ')' | ']' => open += 1,
            '(' | '[' if open <= 1 => {
                let front = before.get(..number).unwrap_or(&[]).iter().rev().find(|(_, c)| !c.is_whitespace());
                return front.is_some_and(|(_, c)| !matches!(c, '.' | '!' | '?' | '…' | ':' | ')' | '*'));
            }
            '(' | '[' => open -= 1,
            _ => {}
        }
    }
    false
}

/// The length of a bracket at the beginning of a text that belongs to the previous sentence: it contains no sentence,
/// and is either all there is or a reference.
fn parenthesis(text: &str) -> Option<usize> {
    let (inside, rest) = text.strip_prefix('(')?.split_once(')')?;
    let small = inside.to_lowercase();
    let refers = small.contains('§') || small.starts_with("siehe ") || small.starts_with("vgl");
    let whole = rest.trim_end_matches(['.', ' ']).is_empty();
    let own = inside.contains('(') || inside.trim_end().ends_with(['.', '!', '?']);
    let length = if whole { text.len() } else { inside.len() + 2 };
    (!own && (whole || refers && !rest.starts_with(['.', ',', ';']))).then_some(length)
}
