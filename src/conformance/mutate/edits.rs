//! Changes of a text, each in one place.

use super::Kind;
use crate::base::{SaturatingFrom, Span};
use crate::syntax::ast::expr::Expr;

/// A range of bytes.
pub(super) type Range = (usize, usize);

/// The range of a place.
pub(super) fn range(span: Span) -> Range {
    (usize::saturating_from(span.start), usize::saturating_from(span.end))
}

/// One change.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) kind: Kind,
    pub(super) at: Range,
    pub(super) with: String,
    pub(super) what: String,
}

/// The changes found so far.
#[derive(Clone, Debug)]
pub(super) struct Edits<'t> {
    pub(super) text: &'t str,
    pub(super) found: Vec<Edit>,
}

impl<'t> Edits<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, found: Vec::new() }
    }

    /// Notes a change.
    pub(super) fn push(&mut self, kind: Kind, at: Range, with: impl Into<String>, what: impl Into<String>) {
        self.found.push(Edit { kind, at, with: with.into(), what: what.into() });
    }

    /// Notes that something stands there instead, and says so.
    pub(super) fn instead(&mut self, kind: Kind, at: Range, with: &str) {
        let what = format!("`{}` instead of `{}`", words(with), words(self.slice(at)));
        self.push(kind, at, with, what);
    }

    pub(super) fn slice(&self, at: Range) -> &'t str {
        self.text.get(at.0..at.1).unwrap_or("")
    }

    /// A text as it is named in reports.
    pub(super) fn shown(&self, at: Range) -> String {
        words(self.slice(at))
    }

    /// The range of an expression. Brackets around operands are no part of the tree: those that are open or closed
    /// within it belong to it.
    pub(super) fn whole(&self, expr: &Expr) -> Range {
        let (start, end) = range(expr.span);
        let (mut depth, mut lacking) = (0_usize, 0_usize);
        for c in self.slice((start, end)).chars() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => lacking += 1,
                ')' => depth -= 1,
                _ => {}
            }
        }
        self.grown((start, end), lacking, depth)
    }

    /// A range with so many more brackets before and behind it.
    fn grown(&self, (mut start, mut end): Range, opening: usize, closing: usize) -> Range {
        for _ in 0..opening {
            start = self.text.get(..start).and_then(|before| before.rfind('(')).unwrap_or(start);
        }
        for _ in 0..closing {
            end = self.text.get(end..).and_then(|after| after.find(')')).map_or(end, |found| end + found + 1);
        }
        (start, end)
    }

    /// The ranges of two operands, with the brackets around them.
    pub(super) fn operands(&self, left: &Expr, right: &Expr) -> (Range, Range) {
        let (left, right) = (self.whole(left), self.whole(right));
        let between = self.slice((left.1, right.0));
        let (closed, opened) = (between.matches(')').count(), between.matches('(').count());
        (self.grown(left, closed, closed), self.grown(right, opened, opened))
    }
}

/// A text on one line, without comments and clauses.
pub(super) fn words(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    let words = lines.flat_map(str::split_whitespace).filter(|word| !word.starts_with('§'));
    words.collect::<Vec<_>>().join(" ")
}
