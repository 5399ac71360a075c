//! The significant tokens of a text, for comparing rules.

use super::words::{Kind, Token, Words};

/// A text without what does not affect the game: comments, clauses and layout. Texts that differ in nothing else have
/// the same bare form.
#[must_use]
pub fn bare(text: &str) -> String {
    let tokens: Vec<Token<'_>> = Words::new(text).filter(|token| token.kind != Kind::Comment).collect();
    let clause = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Clause);
    let mut bare = String::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Comment | Kind::Clause => {}
            // The cells of a table are not tokens of their own.
            Kind::Row => {
                for cell in token.text.split('|') {
                    let words = cell.split_whitespace().filter(|word| !word.starts_with('§'));
                    bare.push('|');
                    bare.push_str(&words.collect::<Vec<_>>().join(" "));
                }
                bare.push('\n');
            }
            // A comma between two clauses is dropped with them.
            Kind::Mark if token.text == "," && at > 0 && clause(at - 1) && clause(at + 1) => {}
            Kind::Word | Kind::Number | Kind::Text | Kind::Open | Kind::Close | Kind::Mark => {
                bare.push_str(token.text);
                bare.push(' ');
            }
        }
    }
    bare
}
