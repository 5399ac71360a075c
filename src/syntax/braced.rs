//! Repair of braces that are missing or one too many.

use super::place::{Brace, misfits};
use super::repair::{KEPT, Repair};
use crate::report::Trust;
use std::cmp::Reverse;

impl Repair<'_> {
    /// A missing or surplus brace is noticed far after its place; the indentation of lines shows where it belongs.
    pub(super) fn braces(&mut self, failed: usize) {
        let count = |text: &str| self.tokens.iter().filter(|token| token.text == text).count();
        let (opened, closed) = (count("{"), count("}"));
        if opened == closed {
            return;
        }
        let few = opened > closed;
        let mut depth = 0usize;
        // The number of misindented lines after the edit, and its place; later places are preferred.
        let mut places: Vec<(usize, Reverse<usize>, usize)> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate().take(failed + usize::from(!few)) {
            match token.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let last_of_line = self.tokens.get(index + 1).is_none_or(|next| next.first);
            if few && last_of_line && depth > 0 {
                places.push((
                    misfits(self.segment.text, &self.tokens, Brace::Close(token.end())),
                    Reverse(index),
                    token.end(),
                ));
            } else if !few && token.text == "}" {
                places.push((
                    misfits(self.segment.text, &self.tokens, Brace::LeaveOut(token.start)),
                    Reverse(index),
                    token.start,
                ));
            }
        }
        places.sort_unstable();
        for (rank, (_, _, place)) in places.into_iter().take(KEPT).enumerate() {
            if few {
                self.offer(Trust::Mark, rank, (place, place), " }".to_owned(), "add `}`".to_owned());
            } else {
                self.offer(Trust::Mark, rank, (place, place + 1), String::new(), "remove `}`".to_owned());
            }
        }
    }
}
