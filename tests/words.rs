//! Whether a fix keeps what the author wrote: told from the tokens before and after, without the room that
//! applies fixes.

use regelwerk::base::nearest;
use regelwerk::syntax::keywords;

use crate::damage::{spaced, tokens};

/// Words and marks that say the opposite, or another amount, set or order, if they come or change places.
const WEIGHTY: [&str; 32] = [
    "not", "no", "some", "any", "all", "own", "enemy", "and", "or", "!", "-", "+", "*", "/", "mod", "<", "<=", ">",
    ">=", "==", "!=", "&", "|", "..", "within", "meets", "min", "max", "sum", "union", "top", "opposite",
];

/// Marks that only set things apart.
const MARKS: [&str; 8] = [",", ";", ":", "(", ")", "{", "}", "\""];

/// A token that is not in the longest common run: where it stands or would stand before, and after.
type Strange<'t> = ([usize; 2], &'t str);

/// What is gone and what is new, in order.
fn differing<'t>(before: &[&'t str], after: &[&'t str]) -> (Vec<Strange<'t>>, Vec<Strange<'t>>) {
    let head = before.iter().zip(after).take_while(|(one, two)| one == two).count();
    let tail = before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(|(one, two)| one == two).count();
    let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let mut longest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (i, one) in old.iter().enumerate().rev() {
        for (j, two) in new.iter().enumerate().rev() {
            let skip = longest[i + 1][j].max(longest[i][j + 1]);
            longest[i][j] = if one == two { skip.max(longest[i + 1][j + 1] + 1) } else { skip };
        }
    }
    let (mut lost, mut gained) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && longest[i + 1][j] >= longest[i][j + 1] {
            lost.push(([head + i, head + j], old[i]));
            i += 1;
        } else {
            gained.push(([head + i, head + j], new[j]));
            j += 1;
        }
    }
    (lost, gained)
}

/// Whether the meaning hangs on a token. In a table and among the alternatives of a reading a bar only sets apart.
fn weighs(text: &str, at: usize, token: &str) -> bool {
    let line = || text[..tokens(text)[at].0].rsplit('\n').next().unwrap_or("").trim_start();
    let apart = || line().is_empty() || line().starts_with('|') || line().starts_with("reading");
    WEIGHTY.contains(&token) && !(token == "|" && apart())
}

/// Holds the tokens of a text against those after a fix.
///
/// # Errors
/// Names the token that is lost, or that comes or changes places though it says more than where things end.
pub(crate) fn kept(text: &str, fixed: &str) -> Result<(), String> {
    let (before, after) = (spaced(text), spaced(fixed));
    let (lost, mut gained) = differing(&before, &after);
    let join = |tokens: &[Strange<'_>]| tokens.iter().map(|(_, token)| *token).collect::<String>();
    // The same letters, taken apart otherwise: `3x3` and `3 x 3`.
    if !lost.is_empty() && join(&lost) == join(&gained) && lost.len() != gained.len() {
        return Ok(());
    }
    let word = |token: &str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let digits = |token: &str| token.chars().filter(char::is_ascii_digit).collect::<String>();
    for ([at, _], token) in lost {
        let twin = at > 0 && before[at - 1] == token || before.get(at + 1) == Some(&token);
        let moved = gained.iter().position(|(_, other)| *other == token);
        if let Some(place) = moved {
            let ([to, _], _) = gained.remove(place);
            let mut across = if to > at { at..to } else { to..at + 1 };
            if let Some(heavy) = across.find(|other| weighs(text, *other, before[*other])) {
                return Err(format!("`{token}` changes places with `{}`", before[heavy]));
            }
            continue;
        }
        if twin && (word(token) || MARKS.contains(&token)) {
            continue;
        }
        let alike = |other: &str| [":=", "==", "=", ":"].contains(&other) && [":=", "==", "=", ":"].contains(&token);
        let known = keywords().contains(&token) || after.contains(&token);
        let near = |other: &str| nearest(token, [other]).or_else(|| nearest(other, [token])).is_some();
        let slip = |other: &str| word(token) && !known && digits(token) == digits(other) && near(other);
        let quoted = |other: &str| other == format!("\"{token}\"");
        let place = gained.iter().position(|(_, other)| alike(other) || slip(other) || quoted(other));
        let Some(place) = place else { return Err(format!("`{token}` is lost")) };
        gained.remove(place);
    }
    match gained.iter().find(|([_, at], token)| weighs(fixed, *at, token)) {
        Some((_, token)) => Err(format!("`{token}` is added")),
        None => Ok(()),
    }
}

#[test]
fn what_is_lost_or_turned_round_is_told() {
    assert_eq!(kept("put stoen on board", "put stone on board"), Ok(()));
    assert_eq!(kept("board square 3x3", "board square 3 x 3"), Ok(()));
    assert_eq!(kept("choose in f empty", "choose f in empty"), Ok(()));
    assert_eq!(kept("if f { win me", "if f { win me }"), Ok(()));
    assert_eq!(kept("f() a != b", "f(a) != b"), Ok(()));
    assert!(kept("no empty", "empty").is_err());
    assert!(kept("not free(f)", "free(f)").is_err());
    assert!(kept("empty", "no empty").is_err());
    assert!(kept("no empty", "not empty").is_err());
    assert!(kept("option komi = 7.5", "option komi = 75").is_err());
    assert!(kept("f in a & b", "f in a | b").is_err());
    assert!(kept("f in a - b", "f in - a b").is_err());
    assert!(kept("x ( * y )", "x * ( y )").is_err());
    assert!(kept("put stone on a1", "put stone on a2").is_err());
    assert_eq!(kept("end full full", "end full"), Ok(()));
    assert!(kept("repeat 3 { x }", "repeat { x }").is_err());
}
