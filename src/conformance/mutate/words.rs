//! Words, signs and numbers that stand for others.

use super::Kind;
use super::edits::{Edits, range};
use crate::base::{SaturatingFrom, integer};
use crate::syntax::ast::expr::{Expr, ExprKind};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::stmt::{Block, StmtKind};

/// Words and symbols with their replacements.
const SWAPS: &[(&str, &[&str])] = &[
    (">=", &[">"]),
    ("<=", &["<"]),
    (">", &[">="]),
    ("<", &["<="]),
    ("==", &["!="]),
    ("!=", &["=="]),
    (":=", &[]),
    ("+=", &["-="]),
    ("-=", &["+="]),
    ("+", &["-"]),
    ("&", &["|"]),
    ("and", &["or"]),
    ("or", &["and"]),
    ("no", &["some"]),
    ("some", &["no"]),
    ("any", &["all"]),
    ("all", &["any"]),
    ("own", &["enemy"]),
    ("enemy", &["own"]),
    ("orthogonal", &["diagonal"]),
    ("ahead", &["back"]),
    ("back", &["ahead"]),
    ("true", &["false"]),
    ("false", &["true"]),
    ("empty", &["occupied"]),
    ("occupied", &["empty"]),
    ("top", &["bottom"]),
    ("bottom", &["top"]),
    ("under", &["to"]),
    ("win", &["lose"]),
    ("lose", &["win"]),
    ("me", &["mover"]),
    ("mover", &["me"]),
    ("following", &["preceding"]),
    ("yes", &["no"]),
];

/// Notes what words and numbers can be changed.
pub(super) fn change(items: &[&Item], edits: &mut Edits<'_>) {
    // Where only the mover ever acts, `me` and `mover` are the same.
    let others = items
        .iter()
        .any(|item| matches!(item.kind, ItemKind::Claim { by_any: true, .. }) || item.kind.blocks().any(asks_others));
    for item in items {
        // For an option, only its value matters; the other choices are not rules.
        let offered = if let ItemKind::Option { from, .. } = &item.kind { from.as_ref() } else { None };
        let (start, end) = range(item.span);
        let end = offered.map_or(end, |from| usize::saturating_from(from.span.start));
        // The second word of an item is its name.
        for (at, token) in tokens(edits.text, start, end).into_iter().enumerate() {
            let word = edits.slice(token);
            if at == 1
                && !matches!(item.kind, ItemKind::First(_) | ItemKind::Set(..) | ItemKind::Setup(_) | ItemKind::Play(_))
                || !others && matches!(word, "me" | "mover")
            {
                continue;
            }
            if let Some(number) = integer(word) {
                let more = (number + 1).to_string();
                edits.push(Kind::Number, token, &more, format!("{more} instead of {number}"));
                continue;
            }
            for with in SWAPS.iter().find(|(from, _)| *from == word).map_or(&[][..], |(_, to)| to) {
                edits.instead(Kind::Word, token, with);
            }
        }
    }
}

/// Whether a block asks any seat other than the mover.
fn asks_others(block: &Block) -> bool {
    let mover = |seat: &Expr| matches!(&seat.kind, ExprKind::Name(name) if name == "mover");
    block.stmts.iter().any(|stmt| {
        let asks = if let StmtKind::Plays { seat, .. } | StmtKind::Choose(_, _, Some(seat), _) = &stmt.kind {
            !mover(seat)
        } else {
            matches!(stmt.kind, StmtKind::Together(..) | StmtKind::Race { .. })
        };
        asks || stmt.kind.blocks().any(asks_others)
    })
}

/// The words, numbers and symbols of a range, except in comments, texts and clauses; of a table row, those in all
/// cells but the first, which names the row.
fn tokens(text: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = start;
    while at < end {
        let Some(rest) = text.get(at..end) else { break };
        let Some(c) = rest.chars().next() else { break };
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let first = text.get(..at).is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('\n'));
        if rest.starts_with("//") {
            at += line_end;
        } else if c == '"' {
            at += 1 + rest.get(1..).and_then(|rest| rest.find('"')).map_or(rest.len(), |close| close + 1);
        } else if c == '§' {
            at += rest.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(rest.len());
        } else if c == '|' && first {
            let row = rest.get(..line_end).unwrap_or("");
            let cells = row.get(..row.find('§').unwrap_or(row.len())).unwrap_or("");
            found.extend(cell_tokens(cells, at));
            at += line_end.max(1);
        } else if c.is_alphanumeric() || c == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            found.push((at, at + length));
            at += length;
        } else if !c.is_whitespace() {
            let two = rest.get(..2).unwrap_or("");
            let length = if [":=", "+=", "-=", "==", "!=", "<=", ">=", ".."].contains(&two) { 2 } else { c.len_utf8() };
            found.push((at, at + length));
            at += length;
        } else {
            at += c.len_utf8();
        }
    }
    found
}

/// The numbers and words in the cells of a table row, without its first cell.
fn cell_tokens(row: &str, start: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    for (number, cell) in row.split('|').enumerate() {
        let inner = cell.trim();
        let offset = from + cell.len() - cell.trim_start().len();
        if number > 1 && !inner.is_empty() && (integer(inner).is_some() || inner == "yes" || inner == "no") {
            found.push((start + offset, start + offset + inner.len()));
        }
        from += cell.len() + 1;
    }
    found
}
