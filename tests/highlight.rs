//! The highlighter's patterns against the grammar: they run over the rule files as in an editor, and every token must
//! be classified as the parser classifies it.

use std::collections::{BTreeSet, HashMap};

use fancy_regex::Regex;
use regelwerk::syntax::{Class, classes, keywords};
use serde_json::Value;

use crate::support::{GAMES, files_below, read, root, rules_of};

/// A pattern of the highlighter.
struct Pattern {
    /// What it matches; for a region, its beginning.
    start: Regex,
    /// The scope of the whole match.
    scope: String,
    /// The scopes of its groups.
    groups: Vec<(usize, String)>,
    /// The end of a region, and the patterns inside.
    inner: Option<(Regex, Vec<Pattern>)>,
}

fn grammar() -> Value {
    let text = read(&root("editors/vscode/syntaxes/regelwerk.tmLanguage.json"));
    serde_json::from_str(&text).expect("JSON")
}

/// The patterns of a list, with included ones expanded.
fn patterns(list: &Value, grammar: &Value) -> Vec<Pattern> {
    let mut found = Vec::new();
    for entry in list.as_array().expect("a list of patterns") {
        if let Some(name) = entry["include"].as_str() {
            let part = &grammar["repository"][name.trim_start_matches('#')];
            assert!(part.is_object(), "`{name}` is included and not there");
            found.extend(patterns(&Value::Array(vec![part.clone()]), grammar));
            continue;
        }
        let Some(start) = entry["match"].as_str().or(entry["begin"].as_str()) else {
            found.extend(patterns(&entry["patterns"], grammar));
            continue;
        };
        let regex = |text: &str| Regex::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let groups = entry["captures"].as_object().into_iter().flatten();
        found.push(Pattern {
            start: regex(start),
            scope: entry["name"].as_str().unwrap_or("").to_owned(),
            groups: groups
                .map(|(number, scope)| {
                    (number.parse().expect("a number"), scope["name"].as_str().expect("a scope").to_owned())
                })
                .collect(),
            inner: entry["end"].as_str().map(|end| (regex(end), patterns(&entry["patterns"], grammar))),
        });
    }
    found
}

/// The scopes of a line: at each position the first pattern among those that match earliest.
fn scopes(line: &str, all: &[Pattern]) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let (mut at, mut region): (usize, Option<&(Regex, Vec<Pattern>)>) = (0, None);
    while at <= line.len() {
        let ends = region.and_then(|(end, _)| end.find_from_pos(line, at).expect("a regex that ends"));
        let mut best = ends.map(|end| (end.start(), None));
        for pattern in region.map_or(all, |(_, inner)| inner) {
            let groups = pattern.start.captures_from_pos(line, at).expect("a regex that ends");
            let Some(groups) = groups else { continue };
            let whole = groups.get(0).expect("the whole");
            let counts = whole.end() > whole.start() || pattern.inner.is_some();
            if counts && best.as_ref().is_none_or(|(start, _)| whole.start() < *start) {
                best = Some((whole.start(), Some((pattern, groups))));
            }
        }
        let Some((start, Some((pattern, groups)))) = best else { break };
        let whole = groups.get(0).expect("the whole");
        if !pattern.scope.is_empty() {
            found.push((start, whole.end(), pattern.scope.clone()));
        }
        for (number, scope) in &pattern.groups {
            if let Some(group) = groups.get(*number) {
                found.push((group.start(), group.end(), scope.clone()));
            }
        }
        at = whole.end();
        region = pattern.inner.as_ref().or(region);
    }
    found
}

fn class(scope: &str) -> Class {
    let kinds = [
        ("comment.", Class::Comment),
        ("string.unquoted.", Class::Cell),
        ("string.", Class::Text),
        ("constant.numeric.", Class::Number),
        ("constant.other.clause.", Class::Clause),
        ("constant.language.", Class::Keyword),
        ("keyword.", Class::Keyword),
        ("entity.name.", Class::Name),
        ("variable.other.", Class::Name),
    ];
    let found = kinds.iter().find(|(start, _)| scope.starts_with(start));
    found.unwrap_or_else(|| panic!("`{scope}` is no scope of the language")).1
}

/// Blanks around cells and comments do not count.
fn trimmed(text: &str, start: usize, end: usize) -> (usize, usize) {
    let part = &text[start..end];
    let start = start + (part.len() - part.trim_start().len());
    (start, start + part.trim().len())
}

#[test]
fn highlighting_agrees_with_the_grammar() {
    let grammar = grammar();
    let all = patterns(&grammar["patterns"], &grammar);
    let mut files: Vec<_> = GAMES.iter().map(|game| rules_of(game)).collect();
    files.extend(files_below(&root("tests/fixtures"), "rules"));
    for path in files {
        let text = read(&path);
        let mut shown = BTreeSet::new();
        let mut offset = 0;
        for line in text.split('\n') {
            for (start, end, scope) in scopes(line, &all) {
                let (start, end) = trimmed(&text, offset + start, offset + end);
                shown.insert((start, end, class(&scope)));
            }
            offset += line.len() + 1;
        }
        let read: BTreeSet<(usize, usize, Class)> = classes(&text)
            .into_iter()
            .map(|(span, class)| (trimmed(&text, span.start as usize, span.end as usize), class))
            .map(|((start, end), class)| (start, end, class))
            .filter(|(start, end, _)| start < end)
            .collect();
        assert!(!read.is_empty(), "{} is sound", path.display());
        let told = |(start, end, class): &(usize, usize, Class)| {
            let line = text[..*start].matches('\n').count() + 1;
            format!("{}:{line}: `{}` as {class:?}", path.display(), &text[*start..*end])
        };
        let missed: Vec<String> = read.difference(&shown).map(told).collect();
        let wrong: Vec<String> = shown.difference(&read).map(told).collect();
        assert!(missed.is_empty() && wrong.is_empty(), "missed {missed:#?}\nshown {wrong:#?}");
    }
}

#[test]
fn the_highlighter_knows_exactly_the_keywords() {
    let grammar = grammar();
    let escape = Regex::new(r"\\p\{[A-Z]\}|\\.").expect("a regex");
    let word = Regex::new("[a-z]+").expect("a regex");
    let mut known: BTreeSet<String> = BTreeSet::new();
    for part in ["constant", "operator", "phrase", "word"] {
        let entry = Value::Array(vec![grammar["repository"][part].clone()]);
        for pattern in patterns(&entry, &grammar) {
            let text = escape.replace_all(pattern.start.as_str(), " ").into_owned();
            known.extend(word.find_iter(&text).filter_map(Result::ok).map(|found| found.as_str().to_owned()));
        }
    }
    let words: BTreeSet<String> = keywords().into_iter().map(str::to_owned).collect();
    assert_eq!(known, words);
    // Each of them is highlighted on its own, except those that are keywords only next to others.
    let all = patterns(&grammar["patterns"], &grammar);
    let beside = HashMap::from([
        ("turn", "give turn to p"),
        ("seat", "ring per seat pit"),
        ("most", "pile of card, at most 3"),
        ("row", "zone z: row of card"),
        ("owner", "piece man owned owner seen by no"),
        ("number", "zone z: set of card, seen by no, number seen by no"),
        ("order", "zone z: row of card, order seen by no"),
        ("x", "board square 3 x 3"),
    ]);
    for word in keywords() {
        let line = beside.get(word).copied().unwrap_or(word);
        let start =
            line.find(&format!(" {word} ")).map_or_else(|| line.find(word), |at| Some(at + 1)).expect("the word");
        let hit = scopes(line, &all)
            .into_iter()
            .any(|(from, to, scope)| (from, to) == (start, start + word.len()) && class(&scope) == Class::Keyword);
        assert!(hit, "`{word}` in `{line}`");
    }
}
