//! Comparing a document with the registry that was made from it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::finding::{Check, Finding};
use super::normal::resemblance;
use super::registry::{Settled, hex, parse_hex};
use super::split::{Document, Kind, Unit};

/// Sketches sharing this many parts belong to the same sentence, wherever it is.
const ALIKE: u32 = 8;

/// The same for sentences at the same place.
const ALIKE_HERE: u32 = 4;

/// What happened to the sentences of a registry.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The number of clauses with a fingerprint.
    pub clauses: usize,
    /// The number of these found unchanged.
    pub found: usize,
    /// Clauses without a fingerprint: of another document.
    pub elsewhere: usize,
    /// The differences.
    pub findings: Vec<Finding>,
    /// The numbers of the units in the part concerned.
    pub part: std::ops::Range<usize>,
}

/// A sentence known from a registry.
#[derive(Debug)]
struct Expected<'a> {
    print: u64,
    near: Option<u64>,
    heading: &'a str,
    ordinal: u32,
    /// The clauses in it; none for a passage that was settled.
    clauses: Vec<&'a str>,
    /// The unit it was matched with.
    unit: Option<usize>,
    /// Whether the text of that unit is unchanged.
    same: bool,
}

/// Compares a document with what has been settled about it.
#[must_use]
pub fn compare(document: &Document, settled: &Settled) -> Comparison {
    let mut out = Comparison::default();
    out.part = part(document, settled, &mut out.findings);
    let mut expected = expected(settled, &mut out);
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    find_same(document, &out, &mut expected, &mut taken);
    find_alike(document, &out, &mut expected, &mut taken);
    moves(document, &expected, &mut out.findings);
    for known in &expected {
        match known.unit.and_then(|unit| document.units.get(unit)) {
            Some(_) if known.same => {}
            Some(unit) => out.findings.push(changed(known, unit)),
            None => out.findings.push(missing(known)),
        }
    }
    for (number, unit) in document.units.iter().enumerate() {
        if out.part.contains(&number) && unit.speaks() && !taken.contains(&number) {
            out.findings.push(unclaimed(unit));
        }
    }
    let lost: BTreeSet<&str> =
        expected.iter().filter(|known| !known.same).flat_map(|known| known.clauses.iter().copied()).collect();
    out.found = out.clauses - lost.len();
    out
}

/// The units of the part concerned.
fn part(document: &Document, settled: &Settled, findings: &mut Vec<Finding>) -> std::ops::Range<usize> {
    let part = &settled.kept.part;
    let mut find = |title: &str, from: usize| {
        let heading = |unit: &Unit| unit.kind == Kind::Heading && unit.text == title;
        let place = document.units.iter().skip(from).position(heading).filter(|_| !title.is_empty());
        let found = place.map(|number| number + from);
        if found.is_none() && !title.is_empty() {
            let message =
                format!("the heading „{title}“, at which the part begins or ends that is meant, is not there");
            let cure = "write its new wording into `part` of document.ron";
            findings.push(Finding::new(Check::Heading, 0, title, title).says(message).cure(cure));
        }
        found
    };
    let whole = 0..document.units.len();
    let begin = find(&part.from, whole.start).unwrap_or(whole.start);
    begin..find(&part.until, begin).unwrap_or(whole.end)
}

fn expected<'a>(settled: &'a Settled, out: &mut Comparison) -> Vec<Expected<'a>> {
    let mut list: Vec<Expected<'a>> = Vec::new();
    let mut places: BTreeMap<(u64, &str, u32), usize> = BTreeMap::new();
    let mut add = |print: &str, near: &str, heading: &'a str, ordinal: u32, clause: Option<&'a str>| {
        let Some(number) = parse_hex(print) else { return false };
        let place = *places.entry((number, heading, ordinal)).or_insert(list.len());
        if place == list.len() {
            let near = parse_hex(near);
            list.push(Expected { print: number, near, heading, ordinal, clauses: Vec::new(), unit: None, same: false });
        }
        if let (Some(known), Some(clause)) = (list.get_mut(place), clause) {
            known.clauses.push(clause);
        }
        true
    };
    for clause in &settled.registry.clauses {
        let id = Some(clause.id.as_str());
        if clause.print.is_empty() {
            out.elsewhere += 1;
            continue;
        }
        let mut sound = add(&clause.print, &clause.near, &clause.heading, clause.ordinal, id);
        for (print, near) in &clause.also {
            // The sentences of a clause follow each other, so the order of the first ones suffices.
            sound &= add(print, near, &clause.heading, clause.ordinal, id);
        }
        if sound {
            out.clauses += 1;
        } else {
            out.findings.push(unsound(&clause.id, &clause.heading));
        }
    }
    for passage in &settled.kept.passages {
        if !add(&passage.print, &passage.near, &passage.heading, passage.ordinal, None) {
            out.findings.push(unsound("", &passage.heading));
        }
    }
    list
}

fn unsound(id: &str, heading: &str) -> Finding {
    let what = if id.is_empty() { "a passage".to_owned() } else { format!("§{id}") };
    let mut finding = Finding::new(Check::Missing, 0, heading, id)
        .says(format!("{what} has a malformed fingerprint"))
        .cure("a fingerprint has sixteen hexadecimal digits; take it from `regelwerk document FILE`");
    finding.clauses.extend((!id.is_empty()).then(|| id.to_owned()));
    finding
}

/// Matches sentences with units of the same text, preferring those under the same title.
fn find_same(document: &Document, out: &Comparison, expected: &mut [Expected<'_>], taken: &mut BTreeSet<usize>) {
    let mut units: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (number, unit) in document.units.iter().enumerate() {
        let says = !matches!(unit.kind, Kind::Columns | Kind::Contents);
        if says && out.part.contains(&number) {
            units.entry(unit.print).or_default().push(number);
        }
    }
    for exact in [true, false] {
        for known in expected.iter_mut().filter(|known| known.unit.is_none()) {
            let free = units.get(&known.print).into_iter().flatten().copied().find(|number| {
                let unit = document.units.get(*number);
                let here = unit.is_some_and(|unit| unit.heading == known.heading);
                // A title is a clause only where the registry says so.
                let kind = unit.is_some_and(|unit| unit.speaks() || here || known.ordinal == 0);
                !taken.contains(number) && kind && (here || !exact)
            });
            if let Some(number) = free {
                known.unit = Some(number);
                known.same = true;
                taken.insert(number);
            }
        }
    }
}

/// Matches the remaining sentences with the most similar units.
fn find_alike(document: &Document, out: &Comparison, expected: &mut [Expected<'_>], taken: &mut BTreeSet<usize>) {
    let free: Vec<(usize, &Unit)> = (document.units.iter().enumerate())
        .filter(|(number, unit)| out.part.contains(number) && unit.speaks() && !taken.contains(number))
        .collect();
    let gaps = gaps(expected);
    // How well a sentence and a unit fit; 0 if they do not.
    let fit = |known: &Expected<'_>, place: usize, number: usize, unit: &Unit| {
        let like = known.near.map_or(ALIKE_HERE, |near| resemblance(near, unit.near));
        if like < ALIKE_HERE {
            return 0;
        }
        let (above, below) = gaps.get(place).copied().unwrap_or_default();
        let under = unit.heading == known.heading;
        let here = under && above.is_none_or(|above| above < number) && below.is_none_or(|below| number < below);
        if like >= if here { ALIKE_HERE } else { ALIKE } { like + 4 * u32::from(here) + u32::from(under) } else { 0 }
    };
    // Those that fit best come first, of equals the earlier ones. Pairs are not kept, since in a long document of like
    // sentences all fit all: what fits a sentence best is looked for anew once that is taken.
    let mut open: Vec<bool> = vec![true; free.len()];
    let best = |known: &Expected<'_>, place: usize, open: &[bool]| {
        let mut found = (0, 0);
        for (at, (number, unit)) in free.iter().enumerate().filter(|(at, _)| open[*at]) {
            let score = fit(known, place, *number, unit);
            if score > found.0 {
                found = (score, at);
            }
        }
        found
    };
    let waiting = expected.iter().enumerate().filter(|(_, known)| known.unit.is_none());
    let mut queue: BinaryHeap<(u32, Reverse<usize>, usize)> = waiting
        .map(|(place, known)| (place, best(known, place, &open)))
        .filter(|(_, (score, _))| *score > 0)
        .map(|(place, (score, at))| (score, Reverse(place), at))
        .collect();
    while let Some((_, Reverse(place), at)) = queue.pop() {
        let Some(known) = expected.get_mut(place) else { continue };
        if std::mem::replace(&mut open[at], false) {
            let (number, _) = free[at];
            known.unit = Some(number);
            taken.insert(number);
        } else {
            let (score, at) = best(known, place, &open);
            if score > 0 {
                queue.push((score, Reverse(place), at));
            }
        }
    }
}

/// For each sentence, the units matched by its neighbours under the same title.
fn gaps(expected: &[Expected<'_>]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut order: Vec<usize> = (0..expected.len()).collect();
    let key = |place: &usize| expected.get(*place).map(|known| (known.heading, known.ordinal));
    order.sort_by_key(key);
    let mut gaps = vec![(None, None); expected.len()];
    for forward in [true, false] {
        let mut last: Option<(&str, usize)> = None;
        let steps: Vec<usize> = if forward { order.clone() } else { order.iter().rev().copied().collect() };
        for place in steps {
            let Some(known) = expected.get(place) else { continue };
            let near = last.filter(|(heading, _)| *heading == known.heading).map(|(_, unit)| unit);
            if let Some(gap) = gaps.get_mut(place) {
                *if forward { &mut gap.0 } else { &mut gap.1 } = near;
            }
            if let Some(unit) = known.unit {
                last = Some((known.heading, unit));
            }
        }
    }
    gaps
}

fn ids(known: &Expected<'_>) -> Vec<String> {
    known.clauses.iter().map(|id| (*id).to_owned()).collect()
}

/// The clauses of a sentence as text: `§2/1, §2/2`.
fn named(known: &Expected<'_>) -> String {
    match known.clauses.as_slice() {
        [] => "a passage that no clause claims".to_owned(),
        ids => ids.iter().map(|id| format!("§{id}")).collect::<Vec<_>>().join(", "),
    }
}

fn changed(known: &Expected<'_>, unit: &Unit) -> Finding {
    let file = if known.clauses.is_empty() { "document.ron" } else { "the registry" };
    let mut finding = Finding::new(Check::Changed, unit.line, &unit.heading, hex(known.print))
        .says(format!("{} has a new wording: „{}“", named(known), excerpt(&unit.text)))
        .cure(format!(
            "compare the rules with it, then write print: \"{}\", near: \"{}\" into {file}",
            hex(unit.print),
            hex(unit.near)
        ));
    finding.clauses = ids(known);
    finding
}

fn missing(known: &Expected<'_>) -> Finding {
    let what = named(known);
    let mut finding = Finding::new(Check::Missing, 0, known.heading, hex(known.print))
        .says(format!("{what} is gone: it was sentence {} under „{}“", known.ordinal, known.heading))
        .cure("if the document dropped it, remove it from the registry and the rules; otherwise correct the copy");
    finding.clauses = ids(known);
    finding
}

fn unclaimed(unit: &Unit) -> Finding {
    let place = format!(
        "heading: \"{}\", ordinal: {}, print: \"{}\", near: \"{}\"",
        unit.heading,
        unit.ordinal,
        hex(unit.print),
        hex(unit.near)
    );
    Finding::new(Check::Unclaimed, unit.line, &unit.heading, hex(unit.print))
        .says(format!("no clause claims „{}“", excerpt(&unit.text)))
        .cure(format!("make it a clause of the registry, or a passage of document.ron with a reason: {place}"))
}

/// The beginning of a sentence.
pub(super) fn excerpt(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if words.chars().count() + word.chars().count() > 90 {
            return format!("{words} …");
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().take(90));
    }
    words
}

/// Sentences under a different title or in a different order.
fn moves(document: &Document, expected: &[Expected<'_>], findings: &mut Vec<Finding>) {
    let titles: BTreeSet<&str> = document.headings().collect();
    let mut elsewhere: BTreeMap<(&str, &str), Vec<(&Expected<'_>, &Unit)>> = BTreeMap::new();
    let mut here: BTreeMap<&str, Vec<(usize, &Expected<'_>, &Unit)>> = BTreeMap::new();
    let mut left: BTreeSet<&str> = BTreeSet::new();
    for known in expected {
        let Some((number, unit)) = known.unit.and_then(|number| Some((number, document.units.get(number)?))) else {
            continue;
        };
        if unit.heading == known.heading {
            here.entry(known.heading).or_default().push((number, known, unit));
            left.insert(known.heading);
        } else {
            elsewhere.entry((known.heading, &unit.heading)).or_default().push((known, unit));
        }
    }
    for ((from, to), all) in elsewhere {
        let clauses: Vec<String> = all.iter().flat_map(|(known, _)| ids(known)).collect();
        let Some(line) = all.first().map(|(_, unit)| unit.line) else { continue };
        let names = all.iter().map(|(known, _)| named(known)).collect::<Vec<_>>().join(", ");
        let renamed = !titles.contains(from) && !left.contains(from);
        if renamed && all.iter().all(|(known, _)| !known.same) {
            // The words before a colon are both title and sentence; their change has been reported.
            continue;
        }
        let check = if renamed { Check::Heading } else { Check::Moved };
        let message = if renamed {
            format!("the heading „{from}“ is now „{to}“")
        } else {
            format!("{names}: moved from „{from}“ to „{to}“")
        };
        let mut finding = Finding::new(check, line, to, from).says(message).cure(format!(
            "write heading: \"{to}\" into the registry if the document is right; check what refers to it"
        ));
        finding.clauses = clauses;
        findings.push(finding);
    }
    for (heading, mut list) in here {
        list.sort_by_key(|(number, known, _)| (*number, known.ordinal));
        let ordinals: Vec<u32> = list.iter().map(|(_, known, _)| known.ordinal).collect();
        let kept = longest_rise(&ordinals);
        for (place, (_, known, unit)) in list.iter().enumerate() {
            // Several parts may have the same heading: in each the ordinals begin anew.
            if !kept.contains(&place) && known.ordinal != unit.ordinal {
                let message = format!(
                    "{} moved under „{heading}“: it was sentence {}, and is {} now",
                    named(known),
                    known.ordinal,
                    unit.ordinal
                );
                let mut finding = Finding::new(Check::Moved, unit.line, heading, hex(known.print))
                    .says(message)
                    .cure("check whether the order matters, then write the new ordinals into the registry");
                finding.clauses = ids(known);
                findings.push(finding);
            }
        }
    }
}

/// The indices of a longest non-decreasing subsequence.
fn longest_rise(list: &[u32]) -> BTreeSet<usize> {
    // For each length, `tails` has the end of the subsequence with the lowest last element.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    let value = |place: &usize| list[*place];
    for (place, number) in list.iter().enumerate() {
        let length = tails.partition_point(|tail| value(tail) <= *number);
        before.push(length.checked_sub(1).and_then(|shorter| tails.get(shorter).copied()));
        match tails.get_mut(length) {
            Some(tail) => *tail = place,
            None => tails.push(place),
        }
    }
    let mut kept = BTreeSet::new();
    let mut at = tails.last().copied();
    while let Some(place) = at {
        kept.insert(place);
        at = before.get(place).copied().flatten();
    }
    kept
}
