//! Which fixes may be applied without asking: those that preserve every word of the author.

use unicode_normalization::UnicodeNormalization;

use crate::base::{is_one_edit, is_slip, line_start};
use crate::report::Fix;
use crate::syntax::{APART, Kind, Words, keywords};

/// Marks that only separate; one of two equal adjacent ones may be dropped. Between two commas something may be missing.
const PUNCTUATION: &[&str] = &[";", ":"];

/// Marks that are mistaken for others: written, meant.
/// Of `n = 1` any comparison may be meant, of a statement `n == 1` an assignment, a `let` or a condition.
const ALIKE: &[(&str, &str)] = &[(":=", "="), ("==", "=")];

/// Marks of two characters.
const PAIRS: &[&str] = &[":=", "+=", "-=", "==", "!=", "<=", ">=", ".."];

/// Words that decide the meaning: nothing is taken for a misspelling of one of them.
const WEIGHTY: &[&str] = &[
    "mod", "within", "meets", "and", "or", "not", "no", "some", "any", "all", "own", "enemy", "max", "min", "sum",
    "union", "top", "fully", "else",
];

/// What a word that denies another begins with.
const DENIALS: &[&str] =
    &["un", "in", "il", "im", "ir", "non", "not", "dis", "mis", "anti", "cant", "dont", "isnt", "never"];

/// Words that are names as often: of two of them one may be meant.
const LINKS: &[&str] = &["to", "from", "on"];

/// How far a fix is the author's own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeps {
    /// It adds, drops or moves what decides the meaning: where a word is missing, or out of place, the author alone knows what is meant.
    Less,
    /// It keeps every word: it adds marks that only set apart, replaces a word that occurs nowhere else by a similar one, or drops
    /// one of two equal adjacent words.
    Words,
    /// Besides, it only spells right: a keyword where the grammar wants one, letters in their normal form, or what begins with a digit
    /// and so is no name. The name that was meant may be missing, and so may words beside a mark or between two equal words.
    Meaning,
}

/// How far a fix keeps what the author wrote; `syntax` says that it is for an error of syntax, where the grammar wants a keyword.
pub(super) fn keeps(text: &str, fix: &Fix, syntax: bool) -> Keeps {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    let from = line_start(text, start);
    let to = text.get(end..).and_then(|tail| tail.find('\n')).map_or(text.len(), |at| end + at);
    let (Some(line), Some(head), Some(tail)) = (text.get(from..to), text.get(from..start), text.get(end..to)) else {
        return Keeps::Less;
    };
    let old = line.get(start - from..end - from).unwrap_or("");
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    // The same letters, in normal form C.
    let normal = old.nfc().eq(fix.text.chars());
    let parted = fix.text.len() > old.len() && dense(&fix.text) == dense(old);
    if normal || parted && old.trim().starts_with(|c: char| c.is_ascii_digit()) {
        return Keeps::Meaning;
    }
    if parted || ALIKE.contains(&(old.trim(), fix.text.trim())) {
        return Keeps::Words;
    }
    let after = [head, &fix.text, tail].concat();
    let (before, after) = (tokens(line), tokens(&after));
    let first = before.iter().zip(&after).take_while(|(one, two)| one == two).count();
    let rest = before[first..].iter().rev().zip(after[first..].iter().rev()).take_while(|(one, two)| one == two);
    let last = rest.count();
    let (old, new) = (&before[first..before.len() - last], &after[first..after.len() - last]);
    // Between the alternatives of a reading and at the open end of a row a bar only sets apart; elsewhere in a row it would
    // make a cell, and others would change columns.
    let closed = first.checked_sub(1).and_then(|at| before.get(at)) == Some(&"|");
    let ends = !closed && before.get(before.len() - last).is_none_or(|next| *next == "§");
    let apart = before.first().is_some_and(|word| *word == "reading" || *word == "|" && ends);
    let mut gained = new.to_vec();
    let mut lost = Vec::new();
    for token in old {
        match gained.iter().position(|other| other == token) {
            Some(at) => drop(gained.remove(at)),
            None => lost.push(*token),
        }
    }
    if gained.iter().any(|token| WEIGHTY.contains(token)) || !in_order(old, new) && lost.is_empty() {
        return Keeps::Less;
    }
    let mut certain = true;
    let beside = [first.checked_sub(1).and_then(|at| before.get(at)), before.get(first + 1)];
    let kept = lost.into_iter().all(|token| {
        // `f f(x)` may be `f(f(x))`.
        let applied = before.get(first + 1) == Some(&"(");
        let twin =
            new.is_empty() && old.len() == 1 && beside.contains(&Some(&token)) && !LINKS.contains(&token) && !applied;
        let near = gained.iter().position(|other| is_meant(text, token, other));
        if let Some(at) = near {
            let written = gained.remove(at);
            certain &= syntax && keywords().contains(&written) && is_alone(text, token, written);
        }
        certain &= near.is_some();
        near.is_some() || twin && (is_word(token) || PUNCTUATION.contains(&token))
    });
    // A comma would make a name of a keyword.
    let comma = new.iter().position(|token| *token == ",").filter(|_| gained.contains(&",")).map(|at| first + at);
    let beside = comma.map(|at| [at.checked_sub(1).and_then(|at| after.get(at)), after.get(at + 1)]);
    let named = beside.is_some_and(|beside| beside.into_iter().flatten().any(|token| keywords().contains(token)));
    let apart = gained.iter().all(|token| APART.contains(token) || apart && *token == "|");
    match kept && apart && !named {
        false => Keeps::Less,
        true if certain && gained.is_empty() => Keeps::Meaning,
        true => Keeps::Words,
    }
}

/// Whether some tokens stand among others in the same order.
fn in_order(some: &[&str], all: &[&str]) -> bool {
    let mut all = all.iter();
    some.iter().all(|token| all.any(|other| other == token))
}

/// Whether a word may be another one misspelt: nothing else is called so, no other name is as near, and they differ in no digit.
fn is_meant(text: &str, word: &str, meant: &str) -> bool {
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    let near = |name: &str| name.len().abs_diff(word.len()) <= 1 && is_slip(word, name) && digits(word) == digits(name);
    let known = || keywords().contains(&word) || occurrences(text, word) > 1;
    let rival = |name: &str| ![word, meant].contains(&name) && near(name);
    let alone = || !words(text).chain(keywords().iter().copied()).any(rival);
    is_word(word) && near(meant) && denials(word) == denials(meant) && !known() && alone()
}

/// Whether no other word of a text or keyword is one letter away from this one, whichever letter.
fn is_alone(text: &str, word: &str, meant: &str) -> bool {
    let keywords = keywords();
    let mut all = words(text).chain(keywords.iter().copied());
    !all.any(|name| ![word, meant].contains(&name) && is_one_edit(word, name))
}

/// How often a word occurs in a text, in comments as well.
fn occurrences(text: &str, word: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|other| *other == word).count()
}

/// The names and keywords of a text, those in tables among them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    Words::new(text)
        .filter(|token| matches!(token.kind, Kind::Word | Kind::Row))
        .flat_map(|token| token.text.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| is_word(word))
}

/// How many parts of a word deny something.
fn denials(word: &str) -> usize {
    let word = word.to_lowercase();
    let denied = |rest: &str, denial: &str| rest.len() > 2 || rest.is_empty() && denial.len() > 2;
    let denies =
        |part: &str| DENIALS.iter().any(|denial| part.strip_prefix(denial).is_some_and(|rest| denied(rest, denial)));
    word.split('_').filter(|part| *part == "no" || denies(part)).count()
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

    fn how(line: &str, old: &str, new: &str, syntax: bool) -> Keeps {
        let start = line.find(old).expect("it is there");
        let span = Span::new(FileId::default(), start, start + old.len());
        super::keeps(line, &Fix::replace(span, new), syntax)
    }

    fn keeps(line: &str, old: &str, new: &str) -> bool {
        how(line, old, new, true) > Keeps::Less
    }

    /// Of what keeps every word, some may be meant otherwise: a name or words may be missing.
    #[test]
    fn names_commas_and_braces_are_for_the_author() {
        for (line, old, new) in [
            ("chose f in empty", "chose", "choose"),
            ("board square 3x3", "3x3", "3 x 3"),
            ("piece sta\u{308}be", "sta\u{308}be", "st\u{e4}be"),
        ] {
            assert_eq!(how(line, old, new, true), Keeps::Meaning, "{line}");
        }
        for (line, old, new) in [
            ("put ston on f", "ston", "stone"),
            ("no ownstone; define own_stone = own stone", "ownstone", "own_stone"),
            ("no ownstone; define own_stone = own stone", "ownstone", "own stone"),
            ("require nohome; region home = a1", "nohome", "no home"),
            ("players cross nought", " nought", ", nought"),
            ("for g in around(to) whereg in reed { }", " whereg", ", whereg"),
            ("end line after move when ply > 3 }", " }", " { }"),
            ("end line after move when ply > 3 { // win me\nend", " // win", " } // win"),
            ("if n > 3 { lose me", " me", " me }"),
            ("if n > 3 { draw } else else { draw }", " else {", " {"),
            ("let same == (quiet > 3)", "==", "="),
            ("all x in own mark x.row == 1", " x.row", ": x.row"),
            ("reading x = red first | blue", " first", " | first"),
        ] {
            assert!(how(line, old, new, true) < Keeps::Meaning, "{line}");
        }
        // Where it is no keyword that the grammar wants, a name may be meant that is not there.
        assert_eq!(how("for p in seat { }", "seat", "seats", false), Keeps::Less);
        assert_eq!(how("for p in seets { }", "seets", "seats", false), Keeps::Words);
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
        assert!(!keeps("win f((a) b)", ") b", ", b"));
    }

    /// What comes, goes or changes places without a word being lost.
    #[test]
    fn nothing_is_turned_round() {
        assert!(!keeps("require left 3", " 3", " < 3"));
        assert!(!keeps("require s != b2 orr ply > 3", " ply", " := ply"));
        assert!(!keeps("require empty", "empty", "no empty"));
        assert!(!keeps("define x = y + + 1", "+ 1", "1 +"));
        assert!(!keeps("define x = 2 ( * y + 1)", "( *", "* ("));
        assert!(!keeps("require a some and b", "some and", "and some"));
        assert!(!keeps("choose f if empty", "if", "in"));
        assert!(!keeps("put mark on h3", "h3", "h1"));
        assert!(!keeps("put stoen on f for stoen", "stoen", "stone"));
        assert!(!keeps("board square, , 3", ", ,", ","));
        assert!(!keeps("win following following(p)", " following(", "("));
        assert!(!keeps("n = 3", "=", ":="));
        assert!(!keeps("require n = 3", "=", "=="));
        assert!(!keeps("require ysuit == cold", "ysuit", "suit"));
        assert!(!keeps("n == 3", "==", ":="));
        // Another name is as near, or it is another word.
        assert!(keeps("chose f in empty", "chose", "choose"));
        assert!(!keeps("chose f in empty // or chose", "chose", "choose"));
        assert!(!keeps("chose f in empty; path chosen = step n", "chose", "choose"));
        assert!(keeps("put ston on f", "ston", "stone"));
        assert!(!keeps("put ston on f; piece stony", "ston", "stone"));
        assert!(!keeps("define x = rw", "rw", "r"));
        assert!(!keeps("choose last", "last", "lost"));
        assert!(!keeps("choose hound", "hound", "round"));
    }

    #[test]
    fn bars_of_tables_set_apart() {
        assert!(keeps("| cat | 4", "4", "4 |"));
        assert!(keeps("| cat | 4 §2", "4", "4 |"));
        assert!(!keeps("| cat 4 |", "4", "| 4"));
        assert!(!keeps("| fox | bear |", "| bear", "|| bear"));
        assert!(!keeps("| fox | bear |", "bear |", "bear | |"));
        assert!(!keeps("| fox | bear | §2", "bear |", "bear | |"));
        assert!(keeps("reading x = a b", "b", "| b"));
        assert!(!keeps("define x = a b", "b", "| b"));
    }

    #[test]
    fn typing_slips_are_fixed() {
        assert!(keeps("mover palys pass", "palys", "plays"));
        assert!(keeps("end full full after move", " full", ""));
        assert!(keeps("require no no empty", " no", ""));
        assert!(keeps("board square; ; 3", "; ;", ";"));
        assert!(keeps("x := 1", ":=", "="));
        assert!(keeps("piece sta\u{308}be", "sta\u{308}be", "st\u{e4}be"));
        assert!(keeps("define x == 1", "==", "="));
        assert!(keeps("board square 3x3", "3x3", "3 x 3"));
    }

    /// Of what follows a title may be made, of a sum another one, and of a move its reverse.
    #[test]
    fn what_decides_the_meaning_is_left_to_the_author() {
        assert!(!keeps("lose a b", "b", "\"b\""));
        assert!(!keeps("n := (1 + 2 * 3", "3", "3)"));
        assert!(!keeps("move to b1 f", "to b1", "b1 to"));
        assert!(!keeps("choose in f empty", "in f", "f in"));
        assert!(!keeps("plays m { lose mover }", "{ lose", "lose {"));
        assert!(!keeps("plays m { draw }", "{", "turns {"));
        assert!(!keeps("else { \"checkmate\" }", "\"", "draw \""));
        assert!(!keeps("n := 2 * ((a + b) + 3", "((", "("));
        assert!(!keeps("sites - {{f} | {a1}", "{{", "{"));
        assert!(!keeps("move to to", "to to", "to"));
        assert!(!keeps("row animal | fox | 6 |", "row", "replace row"));
        assert!(!keeps("choose x in empty by all", "by", "seen by"));
        assert!(keeps("players cross nought", " nought", ", nought"));
        for (word, meant) in [("unoccupied", "occupied"), ("legal", "illegal"), ("cant_pass", "can_pass")] {
            assert!(!keeps(&format!("require {word}"), word, meant));
        }
    }
}
