//! The parameters of moves and claims, taken apart: `c3-e5`, `2 -1`, `2--1`.

use smallvec::{SmallVec, smallvec};

use super::names::places_top;
use super::partial::Unsaid;
use super::value::read_in_part;
use crate::ir::{Game, Ty, Value};

/// All ways to split a text at `-` or blanks into values of these types.
pub(super) fn split_args(game: &Game, types: &[Ty], text: &str, unsaid: Unsaid) -> Vec<SmallVec<[Value; 2]>> {
    let text = text.trim();
    match types {
        [] => {
            if text.is_empty() {
                vec![SmallVec::new()]
            } else {
                Vec::new()
            }
        }
        [only] => {
            parse_argument(game, only, text, unsaid).into_iter().map(|value| std::iter::once(value).collect()).collect()
        }
        [first, rest @ ..] => {
            let mut found: Vec<SmallVec<[Value; 2]>> = Vec::new();
            let mut blank: Option<usize> = None;
            for at in places_top(text, |c| c == '-' || c == ' ') {
                // Of several blanks in a row one is as good as another.
                let is_blank = text[at..].starts_with(' ');
                if is_sign(text, at) {
                    continue;
                }
                let before = blank.replace(at).filter(|_| is_blank);
                if before.is_some_and(|before| text[before..at].trim().is_empty()) {
                    continue;
                }
                let Some(value) = parse_argument(game, first, text[..at].trim(), unsaid) else {
                    continue;
                };
                for tail in split_args(game, rest, &text[at + 1..], unsaid) {
                    let mut args: SmallVec<[Value; 2]> = smallvec![value.clone()];
                    args.extend(tail);
                    if !found.contains(&args) {
                        found.push(args);
                    }
                }
            }
            found
        }
    }
}

/// Whether what is at this place is the sign of a number, as in `1 -1`: between blanks, or none, a dash separates.
fn is_sign(text: &str, at: usize) -> bool {
    let (before, after) = (text[..at].chars().next_back(), text[at..].strip_prefix('-'));
    before == Some(' ') && after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()))
}

fn parse_argument(game: &Game, ty: &Ty, text: &str, unsaid: Unsaid) -> Option<Value> {
    if text.is_empty() { None } else { read_in_part(game, ty, text, unsaid) }
}
