//! Numbers and their limits.
//!
//! **Invariant:** every number built is within the limits of the language.

use super::{Builder, Built, Children};
use crate::base::Spanned;
use crate::report::{Code, Report};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

/// The greatest number of the language.
const GREATEST: i64 = 1_000_000_000_000;

impl Builder {
    /// A number of the language.
    pub(super) fn number(&mut self, pair: &Pair<'_, Rule>) -> Option<Spanned<i64>> {
        let span = self.span(pair);
        let digits: String = pair.as_str().chars().filter(char::is_ascii_digit).collect();
        match digits.parse::<i64>() {
            Ok(value) if value <= GREATEST => Some(Spanned::new(value, span)),
            Ok(_) | Err(_) => {
                let message = "numbers must not exceed 1_000_000_000_000";
                self.refuse(Report::new(Code::BadNumber, span, message).help("write a smaller number"))
            }
        }
    }

    /// A number that counts seats or repetitions.
    fn small(&mut self, pair: &Pair<'_, Rule>) -> Option<Spanned<u32>> {
        let number = self.number(pair)?;
        match u32::try_from(number.node) {
            Ok(value) if value <= 1_000_000 => Some(Spanned::new(value, number.span)),
            Ok(_) | Err(_) => self.refuse(
                Report::new(Code::BadNumber, number.span, "this number must not exceed 1_000_000")
                    .help("write a smaller number"),
            ),
        }
    }

    /// The next child as a counting number.
    pub(super) fn counting(&mut self, children: &mut Children<'_>) -> Option<Spanned<u32>> {
        let pair = self.need(children, Rule::number)?;
        self.small(&pair)
    }

    /// The next child as a counting number, if it is a number.
    pub(super) fn maybe_counting(&mut self, children: &mut Children<'_>) -> Built<Option<Spanned<u32>>> {
        match children.opt(Rule::number) {
            Some(pair) => Some(Some(self.small(&pair)?)),
            None => Some(None),
        }
    }
}
