//! Formal errors in a document: labels, unmatched marks, pictures,
//! columns.

use super::finding::{Check, Finding};
use super::outline::Node;
use super::split::{Document, Kind, Unit};

/// List labels out of order.
pub(super) fn labels(document: &Document, findings: &mut Vec<Finding>) {
    let outline = &document.outline;
    let lists = outline.nodes.iter().map(|node| &node.children).chain([&outline.top]);
    for children in lists {
        let mut last: Option<(&Node, u32, bool)> = None;
        for node in children.iter().filter_map(|child| outline.nodes.get(*child)) {
            let Some((number, letters)) = rank(&node.label) else {
                // A different kind of label, or none, ends the list; bullets do not interrupt it.
                last = None;
                continue;
            };
            let alike = |before: &Node, kind: bool| kind == letters && before.is_item == node.is_item;
            if let Some((before, rank, _)) = last.filter(|(before, _, kind)| alike(before, *kind)) {
                // Numbering may restart in a list of its own, and Markdown numbers items itself.
                let anew = number == 1 && (rank == 1 && !letters || !follows_at_once(document, before, node));
                if number != rank.saturating_add(1) && !anew {
                    let section = node.parent.and_then(|parent| outline.nodes.get(outline.section(parent)));
                    let heading = section.map_or("", |node| node.title.as_str());
                    let want = rank.saturating_add(1);
                    let message = format!("the label {} follows {}", node.label, before.label);
                    let cure = match char::from_digit(want.saturating_add(9), 36).filter(|_| letters) {
                        Some(letter) => format!("label it {letter}, and check what refers to it"),
                        None => format!("label it {want}, and check what refers to it"),
                    };
                    let subject = format!("{} after {}", node.label, before.label);
                    findings.push(Finding::new(Check::Label, node.line, heading, subject).says(message).cure(cure));
                }
            }
            last = Some((node, number, letters));
        }
    }
}

/// Whether no text of the parent lies between two items.
fn follows_at_once(document: &Document, before: &Node, node: &Node) -> bool {
    let Some(parent) = node.parent.and_then(|parent| document.outline.nodes.get(parent)) else { return false };
    let line = |unit: &usize| document.units.get(*unit).map(|unit| unit.line);
    let next = parent.units.partition_point(|unit| line(unit) <= Some(before.line));
    parent.units.get(next).is_none_or(|unit| line(unit) >= Some(node.line))
}

/// The number of a label in its list, and whether it is a letter.
fn rank(label: &str) -> Option<(u32, bool)> {
    let digits = label.trim_start_matches('§');
    if let Ok(number) = digits.parse::<u32>() {
        return Some((number, false));
    }
    // `4a` is numbered by its letter.
    let letters = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut chars = letters.chars();
    match (chars.next(), chars.next()) {
        (Some(c @ 'a'..='z'), None) => Some((u32::from(c) - u32::from('a') + 1, true)),
        _ => None,
    }
}

/// Unmatched brackets and quotes.
pub(super) fn pairs(document: &Document, findings: &mut Vec<Finding>) {
    for (line, node, text) in &document.paragraphs {
        let heading =
            document.outline.nodes.get(document.outline.section(*node)).map_or("", |node| node.title.as_str());
        for (open, close, name) in [('(', ')', "bracket"), ('[', ']', "bracket"), ('„', '“', "quote")] {
            let mut depth = 0_i64;
            let mut stray = false;
            for c in text.chars() {
                if c == open {
                    depth += 1;
                } else if c == close || open == '„' && matches!(c, '"' | '”') && depth > 0 {
                    depth -= 1;
                }
                // `a)` in running text and English quotes open nothing.
                if depth < 0 {
                    stray = stray || open == '[';
                    depth = 0;
                }
            }
            if depth > 0 || stray {
                let message = format!("a {name} „{open}“ and „{close}“ do not match in this paragraph");
                let finding = Finding::new(Check::Pair, *line, heading, open.to_string());
                findings
                    .push(finding.says(message).cure("add the missing half, and check whether it changes the meaning"));
            }
        }
    }
}

/// Words that announce a picture or list.
const SHOWING: &[&str] = &[
    "hierunter ist",
    "hier unten ist",
    "folgendes bild",
    "folgende abbildung",
    "nachfolgende abbildung",
    "siehe abbildung",
    "siehe bild",
    "siehe abb.",
];

/// Pictures that a sentence announces but that are missing, and columns that have a name but no content.
pub(super) fn lost(document: &Document, findings: &mut Vec<Finding>) {
    for (number, unit) in document.units.iter().enumerate() {
        let small = unit.text.to_lowercase();
        let shown = || {
            let next = document.units.get(number + 1);
            let before = |line: u32| next.is_none_or(|next| line <= next.line);
            document.pictures.iter().any(|line| *line >= unit.line && before(*line))
                || next.is_some_and(|next| matches!(next.kind, Kind::Row | Kind::Columns))
        };
        if let Some(words) = SHOWING.iter().find(|words| small.contains(**words)).filter(|_| !shown()) {
            let message = format!("„{words}“ announces a picture, but none follows");
            let finding = Finding::new(Check::Lost, unit.line, &unit.heading, *words);
            findings.push(finding.says(message).cure("restore the picture, or describe it in words"));
        }
        if unit.kind == Kind::Columns {
            let rows: Vec<&Unit> =
                document.units.iter().skip(number + 1).take_while(|unit| unit.kind == Kind::Row).collect();
            for (column, name) in unit.cells.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                let empty = rows.iter().all(|row| row.cells.get(column).is_none_or(String::is_empty));
                if empty && !rows.is_empty() {
                    let message = format!("the column „{name}“ is empty in every row");
                    let finding = Finding::new(Check::Lost, unit.line, &unit.heading, name);
                    findings.push(finding.says(message).cure("fill it in; pictures may have been lost in copying"));
                }
            }
        }
    }
}
