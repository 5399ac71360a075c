//! Books as Markdown.

use std::fmt::Write;

use super::{Block, Book, ClauseEntry, Decided};
use crate::base::is_command;
use crate::say::Arg;

/// A book as Markdown; `picture` is the address of its picture.
#[must_use]
pub fn markdown(book: &Book, picture: &str) -> String {
    let mut text = format!("# {}\n\n", escaped(&book.title));
    for line in &book.head {
        let _ = writeln!(text, "- {}", escaped(line));
    }
    let mut listed = false;
    for block in &book.blocks {
        let item = matches!(block, Block::ClauseEntry(_) | Block::Decided(_));
        if !(item && listed) {
            text.push('\n');
        }
        listed = item;
        match block {
            Block::Chapter(title) => {
                let _ = writeln!(text, "## {}", escaped(title));
            }
            Block::Text(words) => {
                let _ = writeln!(text, "{}", escaped(words));
            }
            Block::ClauseEntry(sentence) => text.push_str(&clause(book, sentence)),
            Block::Decided(decided) => text.push_str(&gap(book, decided)),
            Block::Table(caption, head, rows) => text.push_str(&table(caption, head, rows)),
            Block::Picture(caption) => {
                let _ = writeln!(text, "![{0}]({picture})\n\n{0}", escaped(caption));
            }
        }
    }
    text
}

/// A text with all markup escaped.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        let begins = at == 0 && matches!(c, '#' | '-' | '+' | '=' | '~' | '0'..='9');
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '&' => out.extend(['\\', c]),
            '0'..='9' if begins => out.push(c),
            c if begins => out.extend(['\\', c]),
            '\n' | '\r' | '\t' => out.push(' '),
            // Terminals would obey them.
            c if is_command(c) => {}
            c => out.push(c),
        }
    }
    out
}

fn cited(ids: &[String]) -> String {
    ids.iter().map(|id| format!("§{}", escaped(id))).collect::<Vec<_>>().join(", ")
}

fn clause(book: &Book, sentence: &ClauseEntry) -> String {
    let mut text =
        format!("- **§{}** {} *({})*", escaped(&sentence.id), escaped(&sentence.text), escaped(&sentence.kind));
    if !sentence.gaps.is_empty() {
        let _ = write!(text, " – {} {}", book.lang.say("book-see", &[]), cited(&sentence.gaps));
    }
    if let Some(altered) = &sentence.altered {
        let _ = write!(text, " – **{}**", escaped(altered));
    }
    if let Some(reason) = &sentence.recorded {
        let words = book.lang.say("book-recorded", &[("reason", Arg::Text(&escaped(reason)))]);
        let _ = write!(text, " – {words}");
    }
    text.push('\n');
    text
}

fn gap(book: &Book, decided: &Decided) -> String {
    let mut text =
        format!("- **§{}** *{}* {}\n", escaped(&decided.id), escaped(&decided.question), escaped(&decided.decision));
    for switch in &decided.switches {
        let _ = write!(text, "  - `{}` = **{}**", switch.name, escaped(&switch.chosen));
        for other in &switch.others {
            let _ = write!(text, " | {}", escaped(other));
        }
        let _ = writeln!(text, ": {}", escaped(&switch.text));
    }
    for other in &decided.alternatives {
        let words = book.lang.say("book-alternative", &[("alternative", Arg::Text(&escaped(other)))]);
        let _ = writeln!(text, "  - {words}");
    }
    text
}

fn table(caption: &str, head: &[String], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    if !caption.is_empty() {
        let _ = writeln!(text, "**{}**\n", escaped(caption));
    }
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    text.push_str(&line(head));
    let _ = writeln!(text, "|{}", " --- |".repeat(head.len()));
    for row in rows {
        text.push_str(&line(row));
    }
    text
}
