//! Completion: what can be written at a position.
//!
//! Keywords come from the grammar. Names come from the checker: a name that is declared nowhere is inserted at the
//! position, the item is completed so that it parses, and the checker reports which names it would have accepted.

use std::ops::Range;

use super::analysis::Analysis;
use super::builtin::explained;
use crate::base::FileId;
use crate::load::{Candidate, Files, RuleFile, WORK, Wanted};
use crate::report::Reports;
use crate::syntax::{Expected, expected, is_code, parse};

/// The name that is declared nowhere.
const PROBE: &str = "__here__";

/// What may follow a name so that the item around it parses; then its brackets are closed.
const ENDS: [&str; 9] = ["", " {}", ": true", " := 0", "()", " = 0", " to 0", " then 0 else 0", " plays pass"];

/// What may follow the brackets.
const TAILS: [&str; 4] = ["", " = 0", " {}", ": int"];

/// With this many sites or more, their names are offered only where a site is required.
const MANY: usize = 64;

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text to insert.
    pub text: String,
    /// Its kind.
    pub sort: Sort,
    /// Its type, or the text of a clause.
    pub detail: String,
    /// A longer description, as Markdown.
    pub remark: String,
    /// Lower ranks are offered first.
    pub rank: u8,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A word of the language.
    Keyword,
    /// A declared name.
    Name,
    /// A local name.
    Local,
    /// A name provided by the language or a board.
    BuiltIn,
    /// An attribute.
    Attribute,
    /// A type.
    Type,
    /// An action.
    Action,
    /// A clause.
    Clause,
}

/// The completions at an offset of the rule file, and the range they replace.
#[must_use]
pub fn complete(analysis: &Analysis, files: &dyn Files, at: usize) -> (Range<usize>, Vec<Completion>) {
    let Some(source) = analysis.files().next() else { return (at..at, Vec::new()) };
    let text = source.text.as_str();
    if !text.is_char_boundary(at) || !is_code(text, at) {
        return (at..at, Vec::new());
    }
    let before = text.get(..at).unwrap_or("");
    if let Some(start) = clause_start(before) {
        return (start..at, clauses(analysis));
    }
    let start = at - before.chars().rev().take_while(|c| in_name(*c)).map(char::len_utf8).sum::<usize>();
    let after = text.get(at..).unwrap_or("");
    let end = at + after.chars().take_while(|c| in_name(*c)).map(char::len_utf8).sum::<usize>();
    if text.get(start..end).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        return (at..at, Vec::new());
    }
    let dotted = before.get(..start).is_some_and(|head| head.ends_with('.') && !head.ends_with(".."));
    let expected = expected(text, start);
    let place = Cursor { name: &source.name, text, start, end, expected: &expected };
    let mut offered = place.names(analysis, files);
    if !dotted {
        let begins = expected.words.contains(&"choose") || expected.words.contains(&"game");
        offered.extend(expected.words.iter().map(|word| Completion {
            text: (*word).to_owned(),
            sort: Sort::Keyword,
            detail: String::new(),
            remark: String::new(),
            rank: if begins { 0 } else { 2 },
        }));
    }
    (start..end, offered)
}

/// Where the clause at the end of a text begins.
fn clause_start(before: &str) -> Option<usize> {
    let start = before.rfind('§')?;
    let rest = before.get(start + '§'.len_utf8()..)?;
    rest.chars().all(|c| in_name(c) || matches!(c, '.' | '/' | '-')).then_some(start)
}

fn in_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn clauses(analysis: &Analysis) -> Vec<Completion> {
    let offer = |(id, clause): (&String, &crate::ir::Clause)| Completion {
        text: format!("§{id}"),
        sort: Sort::Clause,
        detail: clause.text.clone(),
        remark: format!("{} {}", clause.kind, clause.heading).trim().to_owned(),
        rank: 0,
    };
    analysis.clauses.clauses.iter().map(offer).collect()
}

/// A position where a name can be written.
struct Cursor<'t> {
    name: &'t str,
    text: &'t str,
    start: usize,
    end: usize,
    expected: &'t Expected,
}

impl Cursor<'_> {
    /// The names that can be used here.
    fn names(&self, analysis: &Analysis, files: &dyn Files) -> Vec<Completion> {
        // The analysis and this share what a check may do.
        let (mut read, mut work) = (false, analysis.work);
        for text in self.probes() {
            let rules = RuleFile::read(self.name, &text, files);
            let mut wanted = None;
            rules.all_names(Some(self.start), &mut work, &mut |found| {
                read |= found.declared.keys().any(|span| span.file == FileId(0) && span.start as usize == self.start);
                wanted = found.wanted;
                wanted.is_none()
            });
            if let Some(wanted) = wanted {
                return offers(wanted);
            }
            if read {
                // A name is declared here, not used.
                return Vec::new();
            }
            if work > WORK {
                break;
            }
        }
        if self.expected.name { declared(analysis) } else { Vec::new() }
    }

    /// Texts with the probe that make the item parse, likely ones first.
    fn probes(&self) -> impl Iterator<Item = String> {
        let Range { start: from, end: to } = self.expected.item;
        let part = |range: Range<usize>| self.text.get(range).unwrap_or("");
        let before = format!("{}{PROBE}", part(from..self.start));
        let whole = format!("{before}{}", part(self.end..to));
        let closing = &self.expected.closing;
        let cut = TAILS.iter().flat_map(|tail| ENDS.iter().map(move |end| (end, tail)));
        let cut = cut.map(|(end, tail)| format!("{before}{end}{closing}{tail}\n"));
        let items: Vec<String> = std::iter::once(whole).chain(cut).filter(|item| sound(item)).collect();
        items.into_iter().map(move |item| format!("{}{item}{}", part(0..from), part(to..self.text.len())))
    }
}

/// Whether a text parses.
fn sound(item: &str) -> bool {
    let mut reports = Reports::default();
    let tree = parse(FileId(0), item, &mut reports);
    reports.is_empty() && !tree.items.is_empty()
}

/// Global names, for positions that cannot be analysed.
fn declared(analysis: &Analysis) -> Vec<Completion> {
    let global = analysis.declared.iter().filter(|(_, declared)| !declared.local && !declared.ty.is_empty());
    let offer = |(span, declared): (&crate::base::Span, &crate::load::Declared)| Completion {
        text: analysis.sources.slice(*span).to_owned(),
        sort: Sort::Name,
        detail: declared.ty.clone(),
        remark: String::new(),
        rank: 1,
    };
    let mut offered: Vec<Completion> = global.map(offer).collect();
    offered.sort_by(|one, two| one.text.cmp(&two.text));
    offered.dedup_by(|one, two| one.text == two.text);
    offered
}

fn offers(wanted: Wanted) -> Vec<Completion> {
    let (candidates, sort) = match wanted {
        Wanted::Value(candidates) => (candidates, None),
        Wanted::Type(candidates) => (candidates, Some(Sort::Type)),
        Wanted::Action(candidates) => (candidates, Some(Sort::Action)),
        Wanted::Attribute(candidates) => (candidates, Some(Sort::Attribute)),
    };
    let is_site = |candidate: &Candidate| candidate.place.is_none() && candidate.ty == "a site";
    let many = candidates.iter().filter(|candidate| is_site(candidate)).count() > MANY;
    let shown = candidates
        .into_iter()
        .filter(|candidate| candidate.name != PROBE && !(many && is_site(candidate) && !candidate.fits));
    let offer = |candidate: Candidate| {
        let own = if candidate.local { Sort::Local } else { Sort::Name };
        let built_in = candidate.place.is_none() && !candidate.local;
        let remark = if built_in { explained(&candidate.name, sort == Some(Sort::Attribute)) } else { None };
        Completion {
            sort: sort.unwrap_or(if built_in { Sort::BuiltIn } else { own }),
            detail: candidate.ty,
            remark: remark.unwrap_or_default(),
            rank: match (candidate.fits, built_in) {
                (true, false) => 0,
                (true, true) => 1,
                (false, _) => 3,
            },
            text: candidate.name,
        }
    };
    shown.map(offer).collect()
}
