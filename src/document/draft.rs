//! Drafting the first registry of a document, for a person to revise.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::compare::excerpt;
use super::registry::hex;
use super::split::Document;

/// Words from which a kind is guessed, most significant first.
const KINDS: &[(&str, &[&str])] = &[
    (
        "Forbidden",
        &["darf nicht", "dürfen nicht", "nie ", "niemals", "verboten", "nicht erlaubt", "darf kein", "dürfen kein"],
    ),
    ("Draw", &["unentschieden", "remis", "gleichstand"]),
    ("End", &["gewinnt", "gewonnen", "endet", "verliert", "verloren", "ende des spiels", "scheidet", "sieger"]),
    ("Scoring", &["punkte", "punkt ", "wertung", "zählt"]),
    ("Advice", &["empfiehlt", "empfohlen", "tipp", "ratsam"]),
    ("Capture", &["schlägt", "schlagen", "geschlagen", "erobert", "erbeutet"]),
    ("TurnOrder", &["am zug", "an der reihe", "uhrzeigersinn", "abwechselnd", "reihum", "beginnt"]),
    ("Setup", &["zu beginn", "verteilt", "aufgestellt", "erhält", "platzier", "gemischt", "legt das", "spieler:"]),
];

/// A registry of every sentence of a document: ids from labels or headings, guessed kinds, fingerprints, and no text.
/// The author restates each sentence; a comment above the clause says which one it is.
#[must_use]
pub fn draft(document: &Document, title: &str) -> String {
    let mut text = String::from("Registry(\n");
    let _ = writeln!(text, "    document: {title:?},\n    clauses: [");
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    for unit in document.units.iter().filter(|unit| unit.speaks()) {
        let name = document.outline.name(unit.node);
        let base = match name.trim_start_matches('§').replace(" Absatz ", ".") {
            name if name.contains('.') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') => name,
            _ => slug(&unit.heading),
        };
        let count = taken.entry(base.clone()).or_insert(0);
        *count += 1;
        let _ = writeln!(text, "        // line {}: {}", unit.line, excerpt(&unit.text));
        let _ = writeln!(
            text,
            "        Clause(id: \"{base}/{count}\", heading: {:?}, ordinal: {}, kind: {}, state: Documented, text: \"\", \
             print: \"{}\", near: \"{}\"),",
            unit.heading,
            unit.ordinal,
            kind(&unit.text),
            hex(unit.print),
            hex(unit.near)
        );
    }
    text.push_str("    ],\n)\n");
    text
}

fn kind(text: &str) -> &'static str {
    let small = text.to_lowercase();
    let found = KINDS.iter().find(|(_, words)| words.iter().any(|word| small.contains(word)));
    found.map_or("Movement", |(kind, _)| kind)
}

/// A heading as part of an id.
fn slug(heading: &str) -> String {
    let mut slug = String::new();
    for c in heading.to_lowercase().chars() {
        match c {
            'ä' => slug.push_str("ae"),
            'ö' => slug.push_str("oe"),
            'ü' => slug.push_str("ue"),
            'ß' => slug.push_str("ss"),
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "vorspann".to_owned() } else { slug.to_owned() }
}
