//! From text to tree, with error recovery.
//!
//! The token sequence is checked first, so that nothing below recurses too deeply; then pest parses it with the
//! grammar in `grammar/`. After the first error the text is parsed stretch by stretch: at most one error is reported
//! per stretch, and its correct items are built.
//!
//! **Invariant:** [`parse`] never fails and never panics. A file without reports is built completely; an item with a
//! report is left out.

mod bare;
mod braced;
mod build;
mod class;
mod comment;
mod construct;
mod depth;
mod error;
mod expect;
mod foreign;
mod format;
mod grammar;
mod length;
mod place;
mod recover;
mod repair;
mod suggest;
mod words;
mod wrap;

pub mod ast;

#[cfg(test)]
mod tests;

use crate::base::{FileId, Span, is_command};
use crate::report::{Code, Report, Reports};
use build::Builder;
use error::Segment;
use grammar::{Rule, RulesParser};
use pest::Parser;
use pest::iterators::Pair;

pub use bare::bare;
pub use class::{Class, citations, classes, is_code, is_name, keywords};
pub use comment::{Comment, comments, words};
#[doc(hidden)]
pub use construct::constructs;
pub use expect::{Expected, expected};
pub use format::format;
pub(crate) use place::{APART, is_only_edit, other_spellings, rivals};
pub(crate) use words::{Kind, Token, Words};

/// The maximum length of a text in bytes.
const LENGTH: usize = 1 << 20;

/// The maximum number of reports per file; more would not help.
const REPORTS: usize = 50;

/// Whether `§` can cite a clause with this id.
#[must_use]
pub fn is_citable(id: &str) -> bool {
    let cite = format!("§{id}");
    RulesParser::parse(Rule::clause, &cite).is_ok_and(|found| found.as_str() == cite)
}

/// Parses a text. Incorrect items are reported and left out.
pub fn parse(file: FileId, text: &str, reports: &mut Reports) -> ast::File {
    read(file, text, reports, false)
}

/// The reports for a text, each with candidate edits to fix it.
pub(crate) fn repairs(file: FileId, text: &str) -> Reports {
    let mut reports = Reports::default();
    read(file, text, &mut reports, true);
    reports
}

fn read(file: FileId, text: &str, reports: &mut Reports, repairs: bool) -> ast::File {
    if text.len() > LENGTH {
        let end = (LENGTH..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let span = Span::new(file, end, end);
        let message = format!("a rule file may have at most {LENGTH} bytes; this one has {}", text.len());
        reports.push(Report::new(Code::TooLong, span, message).help("move variants to files of their own"));
        return ast::File::default();
    }
    if let Some(report) = unseen(file, text).or_else(|| length::check(file, text)) {
        reports.push(report);
        return ast::File::default();
    }
    if let Some(report) = depth::check(file, text) {
        reports.push(report);
        return ast::File::default();
    }
    let mut reader = Reader { file, text, builder: Builder::new(file), items: Vec::new(), last: None, repairs };
    let mut fault = reader.items(0, text.len());
    if let Some(first) = fault {
        let mut start = 0;
        let mut ends = recover::points(text);
        ends.retain(|&point| point > first);
        ends.push(text.len());
        for end in ends {
            if start > 0 {
                fault = reader.items(start, end);
            }
            if let Some(place) = fault {
                reader.explain(place, end);
            }
            if reader.builder.reports.len() >= REPORTS {
                break;
            }
            start = end;
        }
    }
    for report in reader.builder.reports.into_iter().take(REPORTS) {
        reports.push(report);
    }
    ast::File { items: reader.items }
}

/// The first character that is not displayed but changes how a terminal or editor shows the others, or outside texts makes names
/// different that look the same.
fn unseen(file: FileId, text: &str) -> Option<Report> {
    // An editor may begin a line where U+2028 stands.
    let control = |c: char| matches!(c, '\u{2028}' | '\u{2029}') || is_command(c) && !matches!(c, '\t' | '\n' | '\r');
    let joining = |c: char| matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}');
    let report = |(at, found): (usize, char), place: &str, help: &str| {
        let span = Span::new(file, at, at + found.len_utf8());
        let message =
            format!("the character U+{:04X} is not displayed and cannot stand in a {place}", u32::from(found));
        Report::new(Code::Unexpected, span, message).help(help)
    };
    if let Some(found) = text.char_indices().find(|(_, c)| control(*c)) {
        return Some(report(found, "rule file", "remove it; it would change how the text around it is displayed"));
    }
    if !text.contains(joining) {
        return None;
    }
    // Texts and titles in rows may need them.
    let words = Words::new(text).filter(|token| !matches!(token.kind, Kind::Text | Kind::Comment | Kind::Row));
    let mut all = words.flat_map(|token| token.text.char_indices().map(move |(at, c)| (token.start + at, c)));
    let found = all.find(|(_, c)| joining(*c))?;
    Some(report(found, "name", "remove it: names that differ in it alone look the same"))
}

/// Parses a text stretch by stretch.
#[derive(Debug)]
struct Reader<'t> {
    file: FileId,
    text: &'t str,
    builder: Builder,
    items: Vec<ast::item::Item>,
    /// The start of the last item, and whether it was built.
    last: Option<(usize, bool)>,
    /// Whether to look for candidate edits.
    repairs: bool,
}

impl Reader<'_> {
    /// Builds the items of a stretch up to the first thing that is not an item, and returns its offset.
    fn items(&mut self, start: usize, end: usize) -> Option<usize> {
        self.last = None;
        self.builder.shift = start;
        let segment = Segment { file: self.file, text: self.text, start, end };
        let pairs = match RulesParser::parse(Rule::file, self.text.get(start..end)?) {
            Ok(pairs) => pairs.flat_map(Pair::into_inner),
            Err(error) => {
                self.builder.reports.push(error::lower(segment, &error));
                return None;
            }
        };
        for pair in pairs {
            let place = start + pair.as_span().start();
            if pair.as_rule() == Rule::item {
                let item = self.builder.item(pair);
                self.last = Some((place, item.is_some()));
                self.items.extend(item);
            } else if pair.as_rule() == Rule::broken {
                return Some(place);
            }
        }
        None
    }

    /// Reports the error in a stretch that is not an item. If it continues an item that was parsed only in part, that
    /// item is left out; if that item already has its report, the stretch gets none.
    fn explain(&mut self, start: usize, end: usize) {
        let segment = Segment { file: self.file, text: self.text, start, end };
        let goes_on = recover::goes_on(segment);
        let before = self.last.map_or(start, |(from, _)| from);
        match self.last.filter(|_| goes_on) {
            Some((_, false)) => {}
            Some((from, true)) => {
                self.items.pop();
                let report = recover::explain(Segment { start: from, ..segment }, self.repairs.then_some(from));
                self.builder.reports.push(report);
            }
            None => self.builder.reports.push(recover::explain(segment, self.repairs.then_some(before))),
        }
    }
}
