//! Resolving references.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Check, Finding};
use super::references::{Labelled, labelled, titled};
use super::split::{Document, Kind, Unit};
use super::words::{key, quoted, stem, stems};
use crate::base::nearest;

/// A word that occurs in more sections than this does not identify one.
const COMMON: usize = 4;

/// The maximum number of references followed.
const BUDGET: usize = 2000;

/// The maximum number of sentences read at the target of a reference.
const READ: usize = 400;

/// How many words of its subject a better target must share.
const SHARED: usize = 2;

/// References to nothing, or to the wrong place.
pub(super) fn references(document: &Document, findings: &mut Vec<Finding>) {
    let map = Map::new(document);
    let mut budget = BUDGET;
    for (number, unit) in document.units.iter().enumerate() {
        if unit.kind == Kind::Contents {
            continue;
        }
        for reference in labelled(&unit.text).iter().take(budget) {
            budget -= 1;
            findings.extend(map.check(number, unit, reference));
        }
        for title in titled(&unit.text).into_iter().take(budget) {
            budget -= 1;
            findings.extend(map.title(unit, &title));
        }
        findings.extend(map.direction(unit));
    }
}

struct Map<'a> {
    document: &'a Document,
    /// Titles by lookup key, with their nodes.
    titles: BTreeMap<String, usize>,
    /// Stems that occur in too many sections.
    common: BTreeSet<String>,
}

impl<'a> Map<'a> {
    fn new(document: &'a Document) -> Self {
        let nodes = &document.outline.nodes;
        let mut titles = BTreeMap::new();
        for (number, node) in nodes.iter().enumerate().filter(|(_, node)| !node.title.is_empty()) {
            titles.entry(key(&node.title)).or_insert(number);
        }
        let mut count: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let mut sections = BTreeSet::new();
        for unit in &document.units {
            let section = document.outline.section(unit.node);
            sections.insert(section);
            for stem in stems(&unit.text) {
                count.entry(stem).or_default().insert(section);
            }
        }
        let most = (sections.len() / COMMON).max(2);
        let common = count.into_iter().filter(|(_, found)| found.len() > most).map(|(stem, _)| stem).collect();
        Self { document, titles, common }
    }

    /// The nodes a reference names, or the labels down to the first that does not exist.
    fn resolve(&self, path: &[String], ends: &[String]) -> Result<Vec<usize>, (String, Option<usize>)> {
        let outline = &self.document.outline;
        let Some((first, rest)) = path.split_first() else { return Ok(Vec::new()) };
        let whole = path.join(".");
        let sections = || outline.nodes.iter().enumerate().filter(|(_, node)| !node.is_item);
        let found = sections()
            .find(|(_, node)| node.label == whole && path.len() > 1)
            .map(|(number, _)| (number, &[] as &[String]))
            .or_else(|| sections().find(|(_, node)| node.label == *first).map(|(number, _)| (number, rest)));
        let Some((mut at, rest)) = found else { return Err((first.clone(), None)) };
        for label in rest {
            at = outline.child(at, label).ok_or_else(|| (label.clone(), Some(at)))?;
        }
        if ends.is_empty() {
            return Ok(vec![at]);
        }
        ends.iter().map(|label| outline.child(at, label).ok_or_else(|| (label.clone(), Some(at)))).collect()
    }

    fn check(&self, number: usize, unit: &Unit, reference: &Labelled) -> Option<Finding> {
        let numbers = reference.path.first().is_some_and(|first| first.starts_with('§'));
        let outline = &self.document.outline;
        let any = |numbered: bool| {
            outline
                .nodes
                .iter()
                .any(|node| !node.is_item && node.label.starts_with('§') == numbered && !node.label.is_empty())
        };
        let finding = || Finding::new(Check::Reference, unit.line, &unit.heading, &reference.text);
        if !any(numbers) {
            let message = format!("„{}“ refers to a numbered section, but there is none", reference.text);
            return Some(finding().says(message).cure("name the heading instead"));
        }
        match self.resolve(&reference.path, &reference.ends) {
            Err((label, None)) => {
                let message = format!("„{}“ is a dangling reference: there is no section {label}", reference.text);
                Some(finding().says(message).cure("correct the number, or name the heading"))
            }
            Err((label, Some(above))) => {
                let name = outline.name(above);
                let message =
                    format!("„{}“ is a dangling reference: {name} has no part labelled {label}", reference.text);
                let parts = outline.nodes[above].children.len();
                let cure = if parts == 0 {
                    format!("label the paragraph that is meant, or refer to {name}")
                } else {
                    format!("label the {parts} parts of {name}, or correct the letter")
                };
                Some(finding().says(message).cure(cure))
            }
            Ok(targets) => self.misled(number, unit, reference, &targets).map(|(better, why)| {
                let message = format!("„{}“ seems to refer to the wrong place: {why}", reference.text);
                finding().says(message).cure(format!("{better} seems to be meant"))
            }),
        }
    }

    /// A better target than the one named, and the reason.
    fn misled(&self, number: usize, unit: &Unit, reference: &Labelled, targets: &[usize]) -> Option<(String, String)> {
        let outline = &self.document.outline;
        // `zu „X“ siehe §…` must lead to X, if there is a title X.
        let before = unit.text.get(..reference.at).unwrap_or("");
        if let Some(term) = quoted(before)
            .last()
            .filter(|term| before.rfind(*term).is_some_and(|at| before.len() - at < 40 + term.len()))
        {
            let inflected = |title: &String| title.split(' ').map(stem).eq(key(term).split(' ').map(stem));
            let home = self.titles.iter().find(|(title, _)| inflected(title)).map(|(_, node)| *node);
            if let Some(home) = home.filter(|home| !outline.name(*home).is_empty()) {
                let leads = |target: &usize| outline.is_within(*target, home) || outline.is_within(home, *target);
                return (!targets.iter().any(leads))
                    .then(|| (outline.name(home), format!("„{term}“ is the title of {}", outline.name(home))));
            }
        }
        let about: BTreeSet<String> = self.about(number, unit);
        if self.shared(&about, targets, number) > 0 {
            return None;
        }
        let mut better: Vec<(usize, String)> = Vec::new();
        for path in alternatives(&reference.path) {
            let Ok(nodes) = self.resolve(&path, &reference.ends) else { continue };
            let own = nodes.iter().any(|node| outline.is_within(unit.node, *node));
            let shared = if own { 0 } else { self.shared(&about, &nodes, number) };
            if shared >= SHARED {
                let names: Vec<String> = nodes.iter().map(|node| outline.name(*node)).collect();
                better.push((shared, names.join(" and ")));
            }
        }
        better.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        let names: Vec<String> = better.into_iter().map(|(_, name)| name).collect();
        let why = "it shares no word with that place, but several with another";
        (!names.is_empty()).then(|| (names.join(" or "), why.to_owned()))
    }

    /// The stems of a sentence and its context, without the common ones.
    fn about(&self, number: usize, unit: &Unit) -> BTreeSet<String> {
        let before = self.document.units.get(number.wrapping_sub(1)).filter(|before| before.node == unit.node);
        let own = stems(&unit.text).chain(before.into_iter().flat_map(|before| stems(&before.text)));
        own.filter(|stem| !self.common.contains(stem)).collect()
    }

    /// How many of these stems occur in the nodes, excluding the sentence itself.
    fn shared(&self, about: &BTreeSet<String>, nodes: &[usize], number: usize) -> usize {
        let units = nodes.iter().flat_map(|node| self.document.outline.units(*node).take(READ));
        let mut found: BTreeSet<String> = units
            .filter(|unit| *unit != number)
            .filter_map(|unit| self.document.units.get(unit))
            .flat_map(|unit| stems(&unit.text))
            .collect();
        found.extend(
            nodes.iter().filter_map(|node| self.document.outline.nodes.get(*node)).flat_map(|n| stems(&n.title)),
        );
        about.intersection(&found).count()
    }

    /// Checks `siehe X` for a title X.
    fn title(&self, unit: &Unit, title: &str) -> Option<Finding> {
        let wanted = key(title);
        let fits = |known: &String| *known == wanted || format!(" {known} ").contains(&format!(" {wanted} "));
        if wanted.is_empty() || self.titles.keys().any(fits) {
            return None;
        }
        let near = nearest(&wanted, self.titles.keys().map(String::as_str))
            .and_then(|near| self.document.outline.nodes.get(*self.titles.get(near)?));
        let cure = match near {
            Some(node) => format!("„{}“ seems to be meant", node.title),
            None => "add the chapter, or say where else it can be found".to_owned(),
        };
        let message = format!("„siehe {title}“ is a dangling reference: there is no such heading");
        Some(Finding::new(Check::Reference, unit.line, &unit.heading, title).says(message).cure(cure))
    }

    /// Checks that X is where `die nachfolgende X` or `X am Ende der Seite` says.
    fn direction(&self, unit: &Unit) -> Option<Finding> {
        let words: Vec<&str> = unit.text.split_whitespace().collect();
        for (place, word) in words.iter().enumerate() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let Some(home) = self.titles.get(&key(word)).and_then(|home| self.document.outline.nodes.get(*home)) else {
                continue;
            };
            if !word.starts_with(char::is_uppercase) || home.is_item {
                continue;
            }
            let before = place.checked_sub(1).and_then(|place| words.get(place)).map_or("", |word| *word);
            let behind = words.iter().skip(place + 1).take(4).copied().collect::<Vec<_>>().join(" ");
            let end = ["am Ende der Seite", "am Ende des Dokuments", "am Ende der Anleitung", "am Ende des Textes"];
            let wrong = if before.starts_with("nachfolgend") && home.line < unit.line {
                "is above, not below".to_owned()
            } else if before.starts_with("vorangehend") && home.line > unit.line {
                "is below, not above".to_owned()
            } else if end.iter().any(|end| behind.starts_with(end)) {
                let nodes = &self.document.outline.nodes;
                match nodes.iter().filter(|node| !node.is_item && node.line > home.line).count() {
                    0 => continue,
                    1 => "is not at the end: a heading follows it".to_owned(),
                    later => format!("is not at the end: {later} headings follow it"),
                }
            } else {
                continue;
            };
            let message = format!("„{word}“ (line {}) {wrong}", home.line);
            let finding = Finding::new(Check::Reference, unit.line, &unit.heading, word);
            return Some(finding.says(message).cure("say where it is, or only name it"));
        }
        None
    }
}

/// Other paths that may be meant: a neighbouring number, or another section.
fn alternatives(path: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for place in 0..path.len() {
        let Some(label) = path.get(place) else { continue };
        let digits = label.trim_start_matches('§');
        let Ok(number) = digits.parse::<u32>() else { continue };
        for other in [number.saturating_add(1), number.saturating_sub(1)].into_iter().filter(|other| *other > 0) {
            let mut path = path.to_vec();
            if let Some(label) = path.get_mut(place) {
                *label = label.replace(digits, &other.to_string());
            }
            found.push(path);
        }
    }
    found
}
