//! Terms that are used but never introduced.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Check, Finding};
use super::split::{Document, Kind};
use super::words::{key, stem};

/// Endings of words for things that a document must show or describe somewhere.
const DESCRIBED: &[&str] = &["aufstellung", "aufbau", "übersicht", "tabelle", "tafel", "liste", "legende"];

/// Words before something that is taken as known.
const KNOWN: &[&str] = &["der", "die", "das", "dem", "den", "des", "zur", "zum", "im", "vom", "beim"];

/// Words that explain what a thing is.
const TELLING: &[&str] =
    &["ist", "sind", "heißt", "besteht", "bestehen", "sieht", "zeigt", "lautet", "nennt", "entsteht"];

/// Compounds that are taken as known but described nowhere: they are in no title, there is no picture that could show
/// them, and no sentence explains them.
pub(super) fn terms(document: &Document, findings: &mut Vec<Finding>) {
    let words = |title: &str| key(title).split(' ').map(stem).collect::<Vec<_>>();
    let mut told: BTreeSet<String> = document.outline.nodes.iter().flat_map(|node| words(&node.title)).collect();
    let mut uses: BTreeMap<String, Vec<(usize, &str)>> = BTreeMap::new();
    for (number, unit) in document.units.iter().enumerate() {
        if matches!(unit.kind, Kind::Contents | Kind::Heading) {
            continue;
        }
        let words: Vec<&str> =
            unit.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for (place, word) in words.iter().enumerate() {
            let small = word.to_lowercase();
            let compound =
                DESCRIBED.iter().any(|end| small.strip_suffix(end).is_some_and(|front| front.chars().count() > 2));
            if !compound || !word.starts_with(char::is_uppercase) {
                continue;
            }
            let front =
                place.checked_sub(1).and_then(|place| words.get(place)).map_or(String::new(), |w| w.to_lowercase());
            let behind = words.get(place + 1).copied().unwrap_or("");
            if TELLING.contains(&behind) || !KNOWN.contains(&front.as_str()) {
                told.insert(stem(word));
            } else {
                uses.entry(stem(word)).or_default().push((number, word));
            }
        }
    }
    for (name, places) in uses {
        if told.contains(&name) {
            continue;
        }
        for (number, word) in places {
            let Some(unit) = document.units.get(number) else { continue };
            let message = format!("„{word}“ is used as if it were known, but is not described anywhere");
            let finding = Finding::new(Check::Term, unit.line, &unit.heading, word);
            findings.push(finding.says(message).cure("describe it, or say where it is described"));
        }
    }
}
