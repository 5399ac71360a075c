//! The formatter.
//!
//! Line breaks stay where the author put them, and lines that are too wide get more. The formatter sets the indentation, the blanks between tokens, the
//! columns of tables, and the column of clauses; comments stay where they are, as far as the code leaves room.
//!
//! **Invariant:** the output parses to the same tree with the same comments, or the text is returned unchanged;
//! formatting is idempotent.

use super::grammar::{ITEMS, STATEMENTS};
use super::words::{Kind, Token, Words};
use super::wrap::Wide;
use super::{comments, parse};
use crate::base::{FileId, integer};
use crate::report::Reports;

/// The column of clauses at the end of a line.
const COLUMN: usize = 73;

/// Lines are broken, and clauses leave their column, if they would be wider.
const WIDTH: usize = 120;

/// The formatted text; none if it has errors.
#[must_use]
pub fn format(text: &str) -> Option<String> {
    let read = |text: &str| {
        let mut reports = Reports::default();
        let tree = parse(FileId(0), text, &mut reports);
        reports.is_empty().then_some(tree)
    };
    let remarks = |text: &str| comments(FileId(0), text).into_iter().map(|comment| comment.text).collect::<Vec<_>>();
    // Only what has been read is laid out: its brackets are nested no deeper than the language allows.
    let before = read(text)?;
    let laid_out = lay_out(text);
    let same = read(&laid_out).is_some_and(|after| after == before) && remarks(&laid_out) == remarks(text);
    Some(if same { laid_out } else { text.to_owned() })
}

/// The tokens of a line, and whether an empty line precedes it.
#[derive(Clone, Copy)]
struct Line<'l, 't> {
    tokens: &'l [Token<'t>],
    apart: bool,
}

fn lines<'l, 't>(text: &str, tokens: &'l [Token<'t>]) -> Vec<Line<'l, 't>> {
    let mut end = 0;
    let mut lines: Vec<Line<'_, '_>> = Vec::new();
    for tokens in tokens.chunk_by(|_, next| !next.first) {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
        let breaks = text.get(end..first.start).unwrap_or("").matches('\n').count();
        lines.push(Line { tokens, apart: breaks > 1 && !lines.is_empty() });
        end = last.end();
    }
    lines
}

fn lay_out(text: &str) -> String {
    let tokens: Vec<Token<'_>> = Words::new(text).collect();
    let lines = lines(text, &tokens);
    let mut out = String::new();
    let (mut depth, mut before, mut at) = (0_usize, None, 0);
    // The parts of a line that is too wide, the next one last.
    let mut broken: Vec<Line<'_, '_>> = Vec::new();
    while let Some(line) = broken.pop().or_else(|| lines.get(at).copied()) {
        let apart = if line.apart { "\n" } else { "" };
        if line.tokens.first().is_some_and(|token| token.kind == Kind::Row) {
            let is_row = |line: &&Line<'_, '_>| line.tokens.first().is_some_and(|token| token.kind == Kind::Row);
            let count = lines
                .iter()
                .skip(at)
                .enumerate()
                .take_while(|(n, line)| is_row(line) && (*n == 0 || !line.apart))
                .count();
            let rows = lines.get(at..at + count).unwrap_or(&[]);
            out.push_str(apart);
            for row in table(rows) {
                out.push_str(&row);
                out.push('\n');
            }
            before = None;
            at += count.max(1);
            continue;
        }
        let closers = line.tokens.iter().take_while(|token| token.kind == Kind::Close).count();
        let mut indent = depth.saturating_sub(closers);
        indent += usize::from(goes_on(&line, before, indent));
        if let Some(rest) = cut(text, &line, 2 * indent, depth) {
            let (tokens, rest) = line.tokens.split_at(rest);
            broken.extend([Line { tokens: rest, apart: false }, Line { tokens, ..line }]);
            continue;
        }
        out.push_str(apart);
        out.push_str(&laid_line(text, &line, 2 * indent));
        out.push('\n');
        for token in line.tokens {
            if token.kind == Kind::Open {
                depth += 1;
            } else if token.kind == Kind::Close {
                depth = depth.saturating_sub(1);
            }
        }
        let last = line.tokens.iter().rev().find(|token| token.kind != Kind::Comment);
        before = last.copied().or(before);
        at += usize::from(broken.is_empty());
    }
    out
}

/// Whether a line continues the previous one.
fn goes_on(line: &Line<'_, '_>, before: Option<Token<'_>>, depth: usize) -> bool {
    let Some(first) = line.tokens.first() else { return false };
    if matches!(first.kind, Kind::Comment | Kind::Close) || first.text == "{" {
        return false;
    }
    if depth == 0 {
        return !ITEMS.contains(&first.text);
    }
    let operator = |text: &str| {
        [
            "=", ":=", "+=", "-=", "|", "&", "+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "and", "or", "then",
            "in", "where",
        ]
        .contains(&text)
    };
    let opens = |text: &str| ITEMS.contains(&text) || STATEMENTS.contains(&text);
    let leads = first.kind == Kind::Clause
        || first.kind == Kind::Mark && first.text != ","
        || ["and", "or", "then", "in", "where", "for", "by", "when"].contains(&first.text) && !opens(first.text)
        || first.text == "else" && before.is_some_and(|token| token.text != "}");
    leads || before.is_some_and(|token| token.kind != Kind::Clause && operator(token.text))
}

/// How many of the last tokens are clauses and the commas between them, ignoring a comment.
fn clauses(tokens: &[Token<'_>]) -> usize {
    // Two adjacent lists belong to different constructs: only the last one moves.
    let (mut count, mut comma) = (0, true);
    for (at, token) in tokens.iter().rev().enumerate() {
        if comma && token.kind == Kind::Clause {
            (count, comma) = (at + 1, false);
        } else if !comma && token.kind == Kind::Mark && token.text == "," {
            comma = true;
        } else {
            break;
        }
    }
    count
}

/// The code of a line, its last clauses, and its comment.
fn parted<'l, 't>(line: &Line<'l, 't>) -> (&'l [Token<'t>], String, Option<&'l Token<'t>>) {
    let (code, comment) = match line.tokens.split_last() {
        Some((last, rest)) if last.kind == Kind::Comment => (rest, Some(last)),
        _ => (line.tokens, None),
    };
    let (code, cites) = code.split_at(code.len() - clauses(code));
    let cites: Vec<&str> = cites.iter().filter(|token| token.kind == Kind::Clause).map(|token| token.text).collect();
    (code, cites.join(", "), comment)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The token of a line at which it has to be broken, if it is too wide.
fn cut(text: &str, line: &Line<'_, '_>, indent: usize, depth: usize) -> Option<usize> {
    let (code, cites, _) = parted(line);
    let widths = widths(text, code, indent);
    let wide = |count: usize| widths.get(count).or(widths.last()).copied().unwrap_or(indent);
    let whole = wide(code.len());
    if code.is_empty() || whole <= WIDTH {
        let beside = code.is_empty() || cites.is_empty() || whole + 2 + width(&cites) <= WIDTH;
        return (!beside).then_some(code.len());
    }
    Wide { code, depth }.cut(WIDTH, &wide, WIDTH.saturating_sub(indent + 2))
}

/// The width of the first tokens of a line, for each number of them; as far as a line and what follows its break may go.
fn widths(text: &str, code: &[Token<'_>], indent: usize) -> Vec<usize> {
    let mut widths = vec![indent];
    let mut wide = indent;
    for (at, token) in code.iter().enumerate() {
        if let Some(last) = at.checked_sub(1).and_then(|last| code.get(last)) {
            wide += gap(text, *last, *token).len();
        }
        wide += width(token.text);
        widths.push(wide);
        if wide > 2 * WIDTH {
            break;
        }
    }
    widths
}

fn laid_code(text: &str, code: &[Token<'_>], indent: usize) -> String {
    let mut out = " ".repeat(indent);
    for (at, token) in code.iter().enumerate() {
        if let Some(last) = at.checked_sub(1).and_then(|last| code.get(last)) {
            out.push_str(gap(text, *last, *token));
        }
        out.push_str(token.text);
    }
    out
}

fn laid_line(text: &str, line: &Line<'_, '_>, indent: usize) -> String {
    let (code, cites, comment) = parted(line);
    let mut out = laid_code(text, code, indent);
    if !cites.is_empty() {
        // Further to the left only if they would not fit otherwise.
        let column = COLUMN.min(WIDTH.saturating_sub(width(&cites)));
        let least = if code.is_empty() { 0 } else { 2 };
        out.push_str(&" ".repeat(column.saturating_sub(width(&out)).max(least)));
        out.push_str(&cites);
    }
    if let Some(comment) = comment {
        if !out.trim().is_empty() {
            // It stays as far from the beginning of its line as the author put it.
            let first = line.tokens.first().map_or(comment.start, |first| first.start);
            let column = indent + width(text.get(first..comment.start).unwrap_or(""));
            out.push_str(&" ".repeat(column.saturating_sub(width(&out)).max(2)));
        }
        out.push_str(comment.text.trim_end());
    }
    out.trim_end().to_owned()
}

/// The blanks between two tokens on a line.
fn gap(text: &str, last: Token<'_>, next: Token<'_>) -> &'static str {
    let between = text.get(last.end()..next.start).unwrap_or("");
    match (last.text, next.text) {
        (_, ",") => "",
        (",", _) => " ",
        (_, word) if between.chars().count() > 1 && STATEMENTS.contains(&word) => "  ",
        (_, _) if between.is_empty() => "",
        (_, _) => " ",
    }
}

/// A row of a table: its cells, and what follows them.
struct Row<'t> {
    cells: Vec<&'t str>,
    rest: String,
}

fn row<'t>(line: &Line<'_, 't>) -> Row<'t> {
    let text = line.tokens.first().map_or("", |token| token.text);
    let (cells, cites) = text.rsplit_once('|').unwrap_or((text, ""));
    let inner = cells.get(1..).unwrap_or("");
    let cites: Vec<&str> = cites.split(',').map(str::trim).filter(|c| !c.is_empty()).collect();
    let comment = line.tokens.get(1).map(|token| token.text.trim_end());
    let rest = [cites.join(", ").as_str(), comment.unwrap_or("")]
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join("  ");
    Row { cells: inner.split('|').map(str::trim).collect(), rest }
}

/// The lines of a table with aligned columns, numbers to the right.
fn table(lines: &[Line<'_, '_>]) -> Vec<String> {
    let rows: Vec<Row<'_>> = lines.iter().map(row).collect();
    let columns = rows.iter().map(|row| row.cells.len()).fold(0, usize::max);
    let cell = |row: &Row<'_>, at: usize| row.cells.get(at).copied().unwrap_or("").to_owned();
    let number = |text: &str| integer(text).is_some() || text == "any" || text == "-";
    let width = |text: &str| text.chars().count();
    let shapes: Vec<(usize, bool)> = (0..columns)
        .map(|at| {
            let widest = rows.iter().map(|row| width(&cell(row, at))).fold(0, usize::max);
            let body = rows.get(1..).unwrap_or(&[]);
            let numbers = body.iter().any(|row| integer(&cell(row, at)).is_some())
                && body.iter().all(|row| number(&cell(row, at)));
            (widest, numbers)
        })
        .collect();
    rows.iter()
        .map(|row| {
            let mut out = String::from("  |");
            for (at, (widest, right)) in shapes.iter().enumerate().take(row.cells.len()) {
                let text = cell(row, at);
                let pad = " ".repeat(widest.saturating_sub(width(&text)));
                let (left, right) = if *right { (pad, text) } else { (text, pad) };
                out.extend([" ", &left, &right, " |"]);
            }
            if !row.rest.is_empty() {
                out.push(' ');
                out.push_str(&row.rest);
            }
            out
        })
        .collect()
}
