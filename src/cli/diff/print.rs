//! Printing differences of rules and clauses, for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::One;
use crate::base::{Sources, Span};
use crate::diff::{Change, Diff, Effect, Fate, Line, Which, Written};

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const BOLD: &str = "\u{1b}[1m";
const FAINT: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// The game of a side.
pub(super) fn game(one: &One) -> Value {
    json!({"game": one.read.game.name, "file": one.read.rules.name(), "players": one.read.game.seats.len(),
        "variants": one.setup.variants, "readings": one.setup.readings, "options": one.setup.options})
}

fn sources(one: &One) -> &Sources {
    &one.read.loaded.sources
}

/// File and line of a place.
fn place(one: &One, span: Span) -> (String, usize) {
    let file = sources(one).get(span.file).map_or_else(String::new, |source| source.name.clone());
    (file, sources(one).line_column(span).0)
}

/// The changes, for programs.
pub(super) fn changes(diff: &Diff, old: &One, new: &One) -> Vec<Value> {
    let written = |one: &One, written: &Written| {
        let (file, line) = place(one, written.span);
        json!({"text": written.text, "file": file, "line": line})
    };
    let at = |one: &One, span: Option<Span>| {
        span.map(|span| place(one, span)).map(|(file, line)| json!({"file": file, "line": line}))
    };
    let line = |line: &Line| match line.which {
        Which::Old => json!({"side": "old", "at": written(old, &line.written)}),
        Which::New => json!({"side": "new", "at": written(new, &line.written)}),
    };
    let change = |change: &Change| {
        let facts: Vec<Value> = change
            .facts
            .iter()
            .map(|fact| {
                let (was, is) = (fact.old.as_ref(), fact.new.as_ref());
                json!({"what": fact.what, "old": was.map(|w| written(old, w)), "new": is.map(|w| written(new, w))})
            })
            .collect();
        json!({
            "item": change.item, "fate": change.fate.text(), "old": at(old, change.old), "new": at(new, change.new),
            "facts": facts, "lines": change.lines.iter().map(line).collect::<Vec<_>>(),
            "only_clauses": change.only_clauses, "follows": change.follows,
        })
    };
    diff.changes.iter().map(change).collect()
}

/// The clauses, for programs.
pub(super) fn clauses(diff: &Diff) -> Vec<Value> {
    diff.clauses
        .iter()
        .map(|touched| {
            json!({"clause": touched.clause, "effect": touched.effect.text(), "text": touched.text, "by": touched.by})
        })
        .collect()
}

/// The differences of rules and clauses, for people.
pub(super) fn text(diff: &Diff, old: &One, new: &One) -> String {
    let mut text = format!("{BOLD}{} → {}{PLAIN}\n", old.label, new.label);
    if diff.changes.is_empty() {
        text.push_str("The rules are identical.\n");
        return text;
    }
    let count = |fate: Fate| diff.changes.iter().filter(|change| change.fate == fate).count();
    let (changed, added, removed) = (count(Fate::Changed), count(Fate::Added), count(Fate::Removed));
    let _ = writeln!(text, "{changed} changed, {added} added, {removed} removed");
    for change in &diff.changes {
        text.push('\n');
        text.push_str(&item(change, old, new));
    }
    text.push('\n');
    text.push_str(&clause_lines(diff));
    text
}

fn item(change: &Change, old: &One, new: &One) -> String {
    let (mark, colour) = match change.fate {
        Fate::Added => ('+', GREEN),
        Fate::Removed => ('-', RED),
        Fate::Changed => ('~', BOLD),
    };
    let mut text = format!("{colour}{mark} {}{PLAIN}", change.item);
    if change.only_clauses {
        text.push_str("  (only the clauses it cites)");
    } else if change.follows {
        text.push_str("  (written as before)");
    }
    let at = |one: &One, span: Option<Span>| span.map(|span| place(one, span));
    let _ = match (at(old, change.old), at(new, change.new)) {
        (Some(was), Some(is)) if was == is => writeln!(text, "  {FAINT}{}:{}{PLAIN}", was.0, was.1),
        (Some(was), Some(is)) if was.0 == is.0 => writeln!(text, "  {FAINT}{}:{} → {}{PLAIN}", was.0, was.1, is.1),
        (Some(was), Some(is)) => writeln!(text, "  {FAINT}{}:{} → {}:{}{PLAIN}", was.0, was.1, is.0, is.1),
        (Some(only), None) | (None, Some(only)) => writeln!(text, "  {FAINT}{}:{}{PLAIN}", only.0, only.1),
        (None, None) => writeln!(text),
    };
    for fact in &change.facts {
        let shown = |written: &Option<Written>, colour: &str| {
            written.as_ref().map_or_else(|| format!("{FAINT}nothing{PLAIN}"), |w| format!("{colour}{}{PLAIN}", w.text))
        };
        let _ = writeln!(text, "    {}: {} → {}", fact.what, shown(&fact.old, RED), shown(&fact.new, GREEN));
        // A fact that was set elsewhere is shown with its place.
        let away = |one: &One, written: &Option<Written>, home: Option<Span>| {
            let span = written.as_ref()?.span;
            (place(one, span) != place(one, home?)).then(|| place(one, span))
        };
        for (sign, away) in [('-', away(old, &fact.old, change.old)), ('+', away(new, &fact.new, change.new))] {
            if let Some((file, line)) = away {
                let _ = writeln!(text, "      {FAINT}{sign} {file}:{line}{PLAIN}");
            }
        }
    }
    for line in &change.lines {
        let (sign, colour, one) = match line.which {
            Which::Old => ('-', RED, old),
            Which::New => ('+', GREEN, new),
        };
        let number = place(one, line.written.span).1;
        let _ = writeln!(text, "  {colour}{sign}{PLAIN} {FAINT}{number:>4}{PLAIN}  {}", marked(line, colour));
    }
    text
}

/// A line with the differing parts in colour.
fn marked(line: &Line, colour: &str) -> String {
    let (all, mut text, mut at) = (&line.written.text, String::new(), 0);
    for mark in &line.marks {
        text.push_str(all.get(at..mark.start).unwrap_or(""));
        let _ = write!(text, "{colour}{BOLD}{}{PLAIN}", all.get(mark.clone()).unwrap_or(""));
        at = mark.end;
    }
    text.push_str(all.get(at..).unwrap_or(""));
    text
}

fn clause_lines(diff: &Diff) -> String {
    let mut text = String::new();
    for effect in Effect::ALL {
        let touched: Vec<_> = diff.clauses.iter().filter(|touched| touched.effect == effect).collect();
        if touched.is_empty() {
            continue;
        }
        let head = match effect {
            Effect::Gained => "Clauses gained:",
            Effect::Lost => "Clauses no longer implemented:",
            Effect::Changed => "Clauses implemented by changed rules:",
            Effect::Reached => "Clauses indirectly affected:",
        };
        let _ = writeln!(text, "{BOLD}{head}{PLAIN}");
        if effect == Effect::Reached {
            let ids: Vec<String> = touched.iter().map(|touched| format!("§{}", touched.clause)).collect();
            text.push_str(&super::super::ui::wrapped(&ids.join(", "), 2));
            continue;
        }
        for touched in touched {
            let (says, by) = (shortened(&touched.text), touched.by.join(", "));
            let _ = writeln!(text, "  §{}: {says} {FAINT}({by}){PLAIN}", touched.clause);
        }
    }
    text
}

/// A text shortened to fit a line; `explain` shows all of it.
fn shortened(text: &str) -> String {
    const LENGTH: usize = 90;
    if text.chars().count() <= LENGTH {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LENGTH).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words))
}
