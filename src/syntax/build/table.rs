//! Tables: lines of cells.
//!
//! **Invariant:** in a table that is built, every row has as many cells as the
//! header, and the span of a cell is its text without blanks around it.

use super::{Builder, Kids};
use crate::base::{Span, Spanned};
use crate::report::{Code, Report};
use crate::syntax::ast::Ident;
use crate::syntax::ast::item::{Row, Rows};
use crate::syntax::grammar::Rule;
use pest::iterators::Pair;

/// How many further rows a report points at.
const SHOWN: usize = 4;

impl Builder {
    /// The table that comes next.
    pub(super) fn rows(&mut self, kids: &mut Kids<'_>) -> Option<Rows> {
        let pair = self.need(kids, Rule::rows)?;
        let mut lines = self.kids(pair);
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
        let message = format!("this row has {}, the header has {width}", cells(row.cells.len()));
        let mut report = Report::new(Code::RaggedTable, span, message)
            .help("write `-` or nothing between two bars for a cell without a value")
            .also(place, "the header");
        for (_, span) in ragged.take(SHOWN) {
            report = report.also(span, "this row, too");
        }
        self.refuse(report)
    }

    fn row(&mut self, pair: Pair<'_, Rule>) -> (Row, Span) {
        let mut kids = self.kids(pair);
        let cells = kids.all(Rule::cell).iter().map(|cell| self.cell(cell)).collect();
        let cites = self.cites(&mut kids);
        (Row { cells, cites }, kids.span)
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
