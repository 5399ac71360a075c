//! Which lines of two items differ: compared by token, ignoring layout.

use std::collections::BTreeMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Line, Which, Written};
use crate::base::{Sources, Span};
use crate::syntax::words;

/// Words are not aligned if that could take more steps than this; they all differ then.
const STEPS: usize = 100_000_000;

/// A word and its place in the source.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    start: usize,
    line: usize,
}

/// The words of a span, with or without the lines of tables.
fn of(sources: &Sources, span: Span, tables: bool) -> Vec<Word<'_>> {
    let text = sources.slice(span);
    let (mut line, mut at) = (sources.line_column(span).0, 0);
    let mut found = Vec::new();
    for (start, word) in words(text) {
        line += text.get(at..start).unwrap_or("").matches('\n').count();
        at = start;
        if tables || !is_row(word) {
            found.push(Word { text: word, start: span.start as usize + start, line });
        }
    }
    found
}

fn is_row(word: &str) -> bool {
    word.len() > 1 && word.starts_with('|')
}

/// The words of a span joined, without comments and clauses.
pub(super) fn meaning(sources: &Sources, span: Span) -> String {
    let found = of(sources, span, true).into_iter().map(|word| word.text).filter(|word| !word.starts_with('§'));
    // A comma between two lists of clauses goes with them.
    found.collect::<Vec<_>>().join(" ").replace(" ,", "")
}

/// For each old word, the new word it is aligned with.
fn align(old: &[Word<'_>], new: &[Word<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; old.len()];
    if old.len().saturating_mul(new.len()) > STEPS {
        return partners;
    }
    let before: Vec<_> = old.iter().map(|word| word.text).collect();
    let after: Vec<_> = new.iter().map(|word| word.text).collect();
    for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for (partner, at) in partners.iter_mut().skip(old_index).take(len).zip(new_index..) {
                *partner = Some(at);
            }
        }
    }
    partners
}

/// A line of one side, as displayed.
#[derive(Default)]
struct Shown {
    /// How many common words precede its first word, for ordering lines.
    anchor: usize,
    /// Whether it has unaligned words.
    differs: bool,
    /// The indices of its words.
    words: Vec<usize>,
}

fn shown(side: &[Word<'_>], partner: &dyn Fn(usize) -> Option<usize>) -> BTreeMap<usize, Shown> {
    let mut lines: BTreeMap<usize, Shown> = BTreeMap::new();
    let mut common = 0;
    for (number, word) in side.iter().enumerate() {
        let line = lines.entry(word.line).or_insert_with(|| Shown { anchor: common, ..Shown::default() });
        line.words.push(number);
        match partner(number) {
            Some(_) => common += 1,
            None => line.differs = true,
        }
    }
    lines
}

/// For each differing line, the line with most of its aligned words, to be shown next to it.
fn counterparts(
    lines: &BTreeMap<usize, Shown>,
    partner: &dyn Fn(usize) -> Option<usize>,
    other: &[Word<'_>],
) -> Vec<usize> {
    let mut found = Vec::new();
    for line in lines.values().filter(|line| line.differs) {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for at in line.words.iter().filter_map(|word| partner(*word)).filter_map(|at| other.get(at)) {
            *counts.entry(at.line).or_default() += 1;
        }
        let best = counts.into_iter().max_by_key(|(at, count)| (*count, usize::MAX - at));
        found.extend(best.filter(|(_, count)| 2 * count >= line.words.len()).map(|(at, _)| at));
    }
    found
}

/// The text of a line, and which of its bytes differ.
fn written(
    sources: &Sources,
    span: Span,
    side: &[Word<'_>],
    line: &Shown,
    partner: &dyn Fn(usize) -> Option<usize>,
) -> (Written, Vec<std::ops::Range<usize>>) {
    let source = sources.get(span.file).map_or("", |source| source.text.as_str());
    let mut text = String::new();
    let mut marks: Vec<std::ops::Range<usize>> = Vec::new();
    let mut end: Option<usize> = None;
    for (number, word) in line.words.iter().filter_map(|number| Some((*number, side.get(*number)?))) {
        let apart = end.is_some_and(|end| source.get(end..word.start).is_none_or(|gap| !gap.is_empty()));
        let from = text.len() + usize::from(apart);
        text.extend(apart.then_some(' '));
        text.push_str(word.text.trim_end());
        end = Some(word.start + word.text.len());
        if partner(number).is_none() {
            match marks.last_mut() {
                Some(last) if last.end + 1 >= from => last.end = text.len(),
                _ => marks.push(from..text.len()),
            }
        }
    }
    let first = line.words.first().and_then(|number| side.get(*number)).map_or(span.start as usize, |word| word.start);
    (Written { text, span: Span::new(span.file, first, end.unwrap_or(first)) }, marks)
}

/// The lines that differ between two items.
pub(super) fn differing(old: (&Sources, Span), new: (&Sources, Span), tables: bool) -> Vec<Line> {
    let (before, after) = (of(old.0, old.1, tables), of(new.0, new.1, tables));
    let partners = align(&before, &after);
    let mut back: Vec<Option<usize>> = vec![None; after.len()];
    for (number, partner) in partners.iter().enumerate() {
        if let Some(place) = partner.and_then(|at| back.get_mut(at)) {
            *place = Some(number);
        }
    }
    let forth = |number: usize| partners.get(number).copied().flatten();
    let back = |number: usize| back.get(number).copied().flatten();
    let mut left = shown(&before, &forth);
    let mut right = shown(&after, &back);
    let beside_right = counterparts(&left, &forth, &after);
    let beside_left = counterparts(&right, &back, &before);
    for (lines, beside) in [(&mut left, beside_left), (&mut right, beside_right)] {
        for at in beside {
            if let Some(line) = lines.get_mut(&at) {
                line.differs = true;
            }
        }
    }
    let mut found: Vec<(usize, Line)> = Vec::new();
    for line in left.values().filter(|line| line.differs) {
        let (written, marks) = written(old.0, old.1, &before, line, &forth);
        found.push((line.anchor, Line { which: Which::Old, written, marks }));
    }
    for line in right.values().filter(|line| line.differs) {
        let (written, marks) = written(new.0, new.1, &after, line, &back);
        found.push((line.anchor, Line { which: Which::New, written, marks }));
    }
    found.sort_by_key(|(anchor, line)| (*anchor, line.which, line.written.span.start));
    found.into_iter().map(|(_, line)| line).collect()
}

/// All lines of an item that only one game has.
pub(super) fn all(which: Which, sources: &Sources, span: Span) -> Vec<Line> {
    let side = of(sources, span, true);
    let partner = |_| None;
    let lines = shown(&side, &partner);
    let line = |line: &Shown| {
        let (written, _) = written(sources, span, &side, line, &partner);
        Line { which, written, marks: Vec::new() }
    };
    lines.values().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(old: &str, new: &str) -> Vec<(Which, String, Vec<String>)> {
        let mut sources = Sources::default();
        let (a, b) = (sources.add("a", old), sources.add("b", new));
        let whole = |file, text: &str| Span::new(file, 0, text.len());
        let lines = differing((&sources, whole(a, old)), (&sources, whole(b, new)), true);
        let marked = |line: &Line| line.marks.iter().map(|mark| line.written.text[mark.clone()].to_owned()).collect();
        lines.iter().map(|line| (line.which, line.written.text.clone(), marked(line))).collect()
    }

    #[test]
    fn layout_and_comments_are_ignored() {
        assert_eq!(texts("setup { // one\n put a on b }", "setup\n{ put  a\n on b }// two"), Vec::new());
    }

    #[test]
    fn differing_words_are_marked() {
        let old = "setup {\n  put a on b\n  put c on d\n  again\n}";
        let new = "setup {\n  put a on e\n  put c on d\n  shuffle z\n  again\n}";
        let wanted = vec![
            (Which::Old, "put a on b".to_owned(), vec!["b".to_owned()]),
            (Which::New, "put a on e".to_owned(), vec!["e".to_owned()]),
            (Which::New, "shuffle z".to_owned(), vec!["shuffle z".to_owned()]),
        ];
        assert_eq!(texts(old, new), wanted);
    }

    #[test]
    fn a_line_with_added_words_is_paired_with_its_old_version() {
        let wanted = vec![
            (Which::Old, "require a in b".to_owned(), Vec::new()),
            (Which::New, "require a in b and c".to_owned(), vec!["and c".to_owned()]),
        ];
        assert_eq!(texts("require a in b", "require a in b and c"), wanted);
    }
}
