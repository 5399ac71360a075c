//! How long words and texts may be. What is printed of a game repeats its names at every step, so that a long name costs as
//! often as it is said.

use crate::base::{FileId, Span};
use crate::report::{Code, Report};

/// The most bytes of a word, and of a text between quotes.
const WORD: usize = 100;
const QUOTED: usize = 1000;

/// Reports the first word or text that is too long.
pub(super) fn check(file: FileId, text: &str) -> Option<Report> {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        // How far it goes, and how much of it counts.
        let (end, counted, most, what) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), 0, WORD, "comment")
        } else if let Some(inner) = rest.strip_prefix('"') {
            let length = inner.find(['"', '\n']).unwrap_or(inner.len());
            (rest.len().min(length + 2), length, QUOTED, "text between quotes")
        } else {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let other: usize = rest.chars().take(1).map(char::len_utf8).sum();
            (length.max(other), length, WORD, "word")
        };
        if counted > most {
            let message = format!("a {what} may have at most {most} bytes; this one has {counted}");
            let report = Report::new(Code::TooLong, Span::new(file, at, at + end), message);
            return Some(report.help("say it in fewer letters"));
        }
        at += end;
    }
    None
}
