//! Mutants: rule files with one change.
//!
//! If no case fails on a mutant, the cases do not test what was changed.
//!
//! **Invariant:** a mutant differs from the rule file in one place, and records where and how.

use serde::Deserialize;

use crate::base::{Sources, Span};
use crate::report::Reports;
use crate::syntax::ast::expr::{Expr, ExprKind};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::stmt::{Block, Stmt, StmtKind};
use crate::syntax::parse;

/// A rule file with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The line that was changed, from 1.
    pub line: usize,
    /// The change, such as `<= instead of <`.
    pub what: String,
    /// The original text of the line.
    pub before: String,
    /// The whole text of the mutant.
    pub text: String,
}

/// An equivalent mutant: no case can detect it, because it means the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// The original line, trimmed.
    pub before: String,
    /// The change.
    pub what: String,
    /// Why no case can detect it.
    pub reason: String,
}

/// Parses a list of equivalent mutants.
///
/// # Errors
/// Says where the text is not well formed.
pub fn load_survivors(text: &str) -> Result<Vec<Survivor>, String> {
    ron::from_str(text).map_err(|error| error.to_string())
}

/// The items that contain rules, unlike titles and documents.
fn rule_items(items: &[Item]) -> Vec<&Item> {
    let mut found = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Variant { .. } | ItemKind::With(..) | ItemKind::Replace(_) => {
                found.extend(rule_items(item.kind.items()));
            }
            ItemKind::Game { .. }
            | ItemKind::Document { .. }
            | ItemKind::Clause(..)
            | ItemKind::Invariant(..)
            | ItemKind::Cue(..)
            | ItemKind::Players { .. }
            | ItemKind::Enum(..)
            | ItemKind::Reading(..) => {}
            ItemKind::Seating(..)
            | ItemKind::First(_)
            | ItemKind::Option { .. }
            | ItemKind::Kinds { .. }
            | ItemKind::Piece { .. }
            | ItemKind::Tokens { .. }
            | ItemKind::Table(..)
            | ItemKind::Board { .. }
            | ItemKind::Region(..)
            | ItemKind::Define(..)
            | ItemKind::Path(..)
            | ItemKind::Var { .. }
            | ItemKind::Zone { .. }
            | ItemKind::Setup(_)
            | ItemKind::Action(..)
            | ItemKind::Claim { .. }
            | ItemKind::Offer(..)
            | ItemKind::Procedure(..)
            | ItemKind::Play(_)
            | ItemKind::End { .. }
            | ItemKind::Change(..)
            | ItemKind::Remove(..)
            | ItemKind::Row(..)
            | ItemKind::RemoveRow(..)
            | ItemKind::Set(..) => found.push(item),
        }
    }
    found
}

/// What a rule file without the statement lacks; none where the rest would mean nothing without it.
fn removal(kind: &StmtKind) -> Option<&'static str> {
    match kind {
        StmtKind::Choose(..)
        | StmtKind::Roll(..)
        | StmtKind::Let(..)
        | StmtKind::Sow { .. }
        | StmtKind::Turns(..)
        | StmtKind::Phase(..) => None,
        StmtKind::Require(_) | StmtKind::Ensure(_) | StmtKind::Prefer(_) => Some("a guard removed"),
        StmtKind::If(..) | StmtKind::For(..) | StmtKind::While(..) | StmtKind::Repeat(..) => Some("a block removed"),
        StmtKind::Put(..)
        | StmtKind::MovePacket(..)
        | StmtKind::MoveTokens(..)
        | StmtKind::Move(..)
        | StmtKind::Remove(_)
        | StmtKind::Swap(..)
        | StmtKind::Rotate(..)
        | StmtKind::Change(..)
        | StmtKind::Shuffle(_)
        | StmtKind::Together(..)
        | StmtKind::Race { .. }
        | StmtKind::Stop
        | StmtKind::Again
        | StmtKind::Give(_)
        | StmtKind::Win(_)
        | StmtKind::Lose(_)
        | StmtKind::Draw
        | StmtKind::Rank(..)
        | StmtKind::Place(_)
        | StmtKind::Eliminate(_)
        | StmtKind::Assign(..)
        | StmtKind::Plays { .. }
        | StmtKind::Call(..) => Some("a statement removed"),
    }
}

/// The statements that can be removed without making the rest meaningless, with what is lacking then.
fn removable<'a>(block: &'a Block, found: &mut Vec<(&'a Stmt, &'static str)>) {
    for stmt in &block.stmts {
        found.extend(removal(&stmt.kind).map(|what| (stmt, what)));
        // What is done where nothing is legal, or nobody acts, goes with the question.
        if !matches!(stmt.kind, StmtKind::Plays { .. } | StmtKind::Race { .. }) {
            stmt.kind.blocks().for_each(|inner| removable(inner, found));
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

/// All mutants of a rule file, in the order of its lines.
#[must_use]
pub fn mutants(name: &str, text: &str) -> Vec<Mutant> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let tree = parse(file, text, &mut Reports::default());
    let items = rule_items(&tree.items);
    // Where only the mover ever acts, `me` and `mover` are the same.
    let others = items
        .iter()
        .any(|item| matches!(item.kind, ItemKind::Claim { by_any: true, .. }) || item.kind.blocks().any(asks_others));
    let mut found = Vec::new();
    let mut make = |span: (usize, usize), with: &str, what: String| {
        let (line, _) = sources.line_column(Span::new(file, span.0, span.1));
        let before = text.lines().nth(line.saturating_sub(1)).unwrap_or("").trim().to_owned();
        let (Some(head), Some(tail)) = (text.get(..span.0), text.get(span.1..)) else { return };
        found.push(Mutant { line, what, before, text: format!("{head}{with}{tail}") });
    };
    for item in &items {
        // For an option, only its value matters; the other choices are not rules.
        let offered = if let ItemKind::Option { from, .. } = &item.kind { from.as_ref() } else { None };
        let end = offered.map_or(item.span.end, |from| from.span.start);
        let (start, end) = (item.span.start as usize, end as usize);
        // The second word of an item is its name.
        for (at, token) in tokens(text, start, end).into_iter().enumerate() {
            let word = text.get(token.0..token.1).unwrap_or("");
            if at == 1
                && !matches!(item.kind, ItemKind::First(_) | ItemKind::Set(..) | ItemKind::Setup(_) | ItemKind::Play(_))
                || !others && matches!(word, "me" | "mover")
            {
                continue;
            }
            if let Ok(number) = word.parse::<i64>() {
                make(token, &(number + 1).to_string(), format!("{} instead of {number}", number + 1));
                continue;
            }
            let swaps = SWAPS.iter().find(|(from, _)| *from == word).map_or(&[][..], |(_, to)| to);
            for with in swaps {
                make(token, with, format!("`{with}` instead of `{word}`"));
            }
        }
        for block in item.kind.blocks() {
            let mut stmts = Vec::new();
            removable(block, &mut stmts);
            // A loop over several names is one statement.
            stmts.dedup_by_key(|(stmt, _)| stmt.span);
            for (stmt, what) in stmts {
                make((stmt.span.start as usize, stmt.span.end as usize), "", what.to_owned());
            }
        }
    }
    found.sort_by_key(|mutant| mutant.line);
    found
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
        if number > 1 && !inner.is_empty() && (inner.parse::<i64>().is_ok() || inner == "yes" || inner == "no") {
            found.push((start + offset, start + offset + inner.len()));
        }
        from += cell.len() + 1;
    }
    found
}
