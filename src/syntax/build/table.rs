//! Tables: lines of cells.
//!
//! **Invariant:** in a table that is built, every row has as many cells as the header, and the span of a cell is its
//! text without surrounding blanks.

use super::{Builder, Children};
use crate::base::{Span, Spanned};
use crate::report::{Code, Fix, Report, Trust};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Row, Rows};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

/// How many further rows a report shows.
const SHOWN: usize = 4;

impl Builder {
    /// The table that comes next.
    pub(super) fn rows(&mut self, children: &mut Children<'_>) -> Option<Rows> {
        let pair = self.need(children, Rule::rows)?;
        let text = pair.as_str();
        let mut lines = self.children(pair);
        let read: Vec<(Row, Span)> = lines.all(Rule::table_row).into_iter().map(|line| self.row(line)).collect();
        let mut read = read.into_iter();
        let first = read.next();
        let (header, place) = self.presume(&lines, "a header", first)?;
        let (body, places): (Vec<Row>, Vec<Span>) = read.unzip();
        let width = header.cells.len();
        let mut ragged = body.iter().zip(places).filter(|(row, _)| row.cells.len() != width);
        let Some((row, span)) = ragged.next() else {
            return Some(Rows { header, body });
        };
        let message = format!("this row has {}, but the header has {width}", cells(row.cells.len()));
        let mut report = Report::new(Code::RaggedTable, span, message)
            .help(if row.cells.len() < width {
                "for a cell without a value write `-`, or nothing between two bars"
            } else {
                "remove the cells that have no column"
            })
            .also(place, "the header");
        report.maybe = Self::bars(text, span, place, row.cells.len() < width);
        for (_, span) in ragged.take(SHOWN) {
            report = report.also(span, "this row, too");
        }
        self.refuse(report)
    }

    /// Candidate positions for missing bars, or surplus bars, in a row. A position where the header has a bar is the
    /// most likely.
    fn bars(table: &str, row: Span, header: Span, lacks: bool) -> Vec<(Trust, Fix)> {
        let at = |offset: u32| (offset - header.start) as usize;
        let line = |span: Span| table.get(at(span.start)..at(span.end)).unwrap_or("");
        let (line, header) = (line(row), line(header));
        let columns: Vec<usize> = (0..).zip(header.chars()).filter(|(_, c)| *c == '|').map(|(at, _)| at).collect();
        let place = |start: usize, end: usize| {
            let first = row.start as usize;
            Span::new(row.file, first + start, first + end)
        };
        let mut changes = Vec::new();
        let mut offer = |trust, start, end, text: &str, message: &str| {
            let fix = Fix { span: place(start, end), text: text.to_owned(), message: message.to_owned() };
            changes.push((trust, fix));
        };
        let mut cell = 0;
        for (column, (at, c)) in line.char_indices().enumerate().skip(1) {
            let end = at + c.len_utf8();
            let aligned = if columns.contains(&column) { Trust::Mark } else { Trust::Guess };
            match c {
                '|' => {
                    let text = &line[cell + 1..at];
                    if !lacks && text.trim().is_empty() {
                        let trust = if text.len() < 2 { Trust::Doubled } else { Trust::Guess };
                        offer(trust, cell, at, "", "remove `|`");
                    }
                    cell = at;
                }
                ' ' if lacks && aligned == Trust::Mark => offer(aligned, at, end, "|", "add `|`"),
                ' ' if lacks && !line[..at].ends_with([' ', '|']) => offer(aligned, at, at, " |", "add `|`"),
                '-' | '"' | '_' | ' ' => {}
                _ if lacks && !c.is_alphanumeric() => offer(aligned, at, end, "|", "write `|`"),
                _ => {}
            }
        }
        changes
    }

    /// The key of a row: the text of its first cell.
    pub(super) fn row_key(&self, pair: &Pair<'_, Rule>) -> Ident {
        Spanned::new(pair.as_str().trim().to_owned(), self.span(pair))
    }

    pub(super) fn row(&mut self, pair: Pair<'_, Rule>) -> (Row, Span) {
        let mut children = self.children(pair);
        let cells = children.all(Rule::cell).iter().map(|cell| self.cell(cell)).collect();
        let cites = self.cites(&mut children);
        (Row { cells, cites }, children.span)
    }

    fn cell(&self, pair: &Pair<'_, Rule>) -> Ident {
        let (raw, start) = (pair.as_str(), pair.as_span().start());
        let text = raw.trim();
        let start = start + (raw.len() - raw.trim_start().len()).min(raw.len() - text.len());
        Spanned::new(text.to_owned(), self.place(start, start + text.len()))
    }
}

fn cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}
