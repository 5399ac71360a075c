//! Where the formatter breaks a line that is too wide.
//!
//! **Invariant:** a break is made only where the next line is recognized as a continuation, so that formatting again
//! changes nothing.

use super::grammar::TABLES;
use super::words::{Kind, Token};

/// Words that may begin a continued line.
const LEADS: [&str; 7] = ["and", "or", "then", "else", "where", "when", "by"];

/// A line of code without its last clauses and its comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide<'l, 't> {
    pub(super) code: &'l [Token<'t>],
    /// How many blocks are open before it.
    pub(super) depth: usize,
}

impl Wide<'_, '_> {
    /// The token that begins the next line; none if no break helps.
    ///
    /// # Arguments
    /// `width` is the width of the tokens up to a number, `room` what the rest of the line may take on a line of its own.
    pub(super) fn cut(&self, most: usize, width: &dyn Fn(usize) -> usize, room: usize) -> Option<usize> {
        let whole = width(self.code.len());
        let mut best: Option<(usize, usize)> = None;
        let mut inner = 0_usize;
        for (at, token) in self.code.iter().enumerate() {
            if token.kind == Kind::Close {
                inner = inner.saturating_sub(1);
            }
            if width(at) > most {
                break;
            }
            if at > 0 {
                if self.is_definition(at) && inner == 0 && whole.saturating_sub(width(at)) <= room {
                    return Some(at);
                }
                if self.may_break(at, inner) && best.is_none_or(|(depth, _)| inner <= depth) {
                    best = Some((inner, at));
                }
            }
            if token.kind == Kind::Open {
                inner += 1;
            }
        }
        best.map(|(_, at)| at)
    }

    /// Whether a token is the first after the `=` of a definition.
    fn is_definition(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.code.get(before));
        before.is_some_and(|token| token.text == "=")
            && self.code.iter().take(2).any(|token| ["define", "region", "path"].contains(&token.text))
    }

    fn may_break(&self, at: usize, inner: usize) -> bool {
        let (Some(token), Some(before)) =
            (self.code.get(at), at.checked_sub(1).and_then(|before| self.code.get(before)))
        else {
            return false;
        };
        let begins = |words: &[&str]| self.code.first().is_some_and(|first| words.contains(&first.text));
        let outside = self.depth == 0 && inner == 0;
        match token.kind {
            Kind::Word if before.text == "," => outside && begins(&["players", "replace", "enum", "board", "piece"]),
            // `seen by` is one word to an editor's highlighter, which looks at one line at a time.
            Kind::Word => LEADS.contains(&token.text) && !["}", "seen"].contains(&before.text),
            Kind::Mark => ["|", "&"].contains(&token.text) && !begins(TABLES),
            // What a setting means; other texts belong to the word before them.
            Kind::Text => outside && begins(&["reading", "option"]),
            Kind::Number | Kind::Clause | Kind::Open | Kind::Close | Kind::Row | Kind::Comment => false,
        }
    }
}
