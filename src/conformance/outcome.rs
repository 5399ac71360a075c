//! The result of a case.

use std::collections::BTreeSet;
use std::fmt;

/// How long each text of a failure is at most, in bytes: a position may take a mebibyte, and a file may have thousands of failures.
const LONGEST: usize = 16_384;

/// The result of a case.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The failures; none if the case passed.
    pub failures: Vec<Failure>,
    /// The clauses of the rules that were used.
    pub touched: BTreeSet<String>,
    /// The clauses of statements that were asked for in vain, such as an `if` whose condition never held, and of rules that
    /// did nothing but refuse.
    pub passed_by: BTreeSet<String>,
}

impl Outcome {
    /// Whether the case passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// A step that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The number of the step from 1; 0 for the setup and position.
    pub step: usize,
    /// What was expected and what happened.
    pub message: String,
    /// The position as text, if there was one and it is not large; no more than its beginning, if it is long.
    pub position: Option<String>,
    /// The board as people see it, as far; empty if there was none.
    pub board: String,
    /// The rules the step had used, as lines with places and source.
    pub trace: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.message)?;
        if let Some(position) = &self.position {
            write!(f, "\n  in {position}")?;
        }
        for line in self.board.lines() {
            write!(f, "\n    {line}")?;
        }
        if !self.trace.is_empty() {
            write!(f, "\n  rules used:")?;
            for line in self.trace.lines() {
                write!(f, "\n  {line}")?;
            }
        }
        Ok(())
    }
}

impl Outcome {
    pub(super) fn fail(&mut self, step: usize, message: String, position: Option<String>) {
        self.add(Failure { step, message, position, board: String::new(), trace: String::new() });
    }

    /// Adds a failure, with no more than the beginning of long texts.
    pub(super) fn add(&mut self, failure: Failure) {
        let Failure { step, message, position, board, trace } = failure;
        let (message, board, trace) = (beginning(message), beginning(board), beginning(trace));
        self.failures.push(Failure { step, message, position: position.map(beginning), board, trace });
    }
}

/// The beginning of a text that is too long, and what was left out.
fn beginning(text: String) -> String {
    if text.len() > LONGEST {
        let end = text.floor_char_boundary(LONGEST);
        return format!("{}… ({} bytes more)", text.get(..end).unwrap_or_default(), text.len() - end);
    }
    text
}
