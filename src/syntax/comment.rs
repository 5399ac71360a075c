//! Comments and tokens by position, for the formatter and for comparisons.
//!
//! **Invariant:** every comment of the text is listed once, in order.

use super::words::{Kind, Words};
use crate::base::{FileId, Span};

/// A comment and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its text including `//`, without trailing white space.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// Whether it is the first thing on its line.
    pub own_line: bool,
}

/// The comments of a text.
#[must_use]
pub fn comments(file: FileId, text: &str) -> Vec<Comment> {
    let found = Words::new(text).filter(|token| token.kind == Kind::Comment);
    found
        .map(|token| {
            let text = token.text.trim_end();
            let span = Span::new(file, token.start, token.start + text.len());
            Comment { text: text.to_owned(), span, own_line: token.first }
        })
        .collect()
}

/// The tokens of a text with their offsets, without comments: what remains when layout is ignored. A line of a table
/// is one token.
#[must_use]
pub fn words(text: &str) -> Vec<(usize, &str)> {
    let found = Words::new(text).filter(|token| token.kind != Kind::Comment);
    found.map(|token| (token.start, token.text)).collect()
}
