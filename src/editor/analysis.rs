//! A rule file with the files it extends, and the meaning of every name in them.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::base::{FileId, Source, Sources, Span};
use crate::ir::ClauseTable;
use crate::load::{Declared, Files, Meaning, RuleFile};
use crate::report::Reports;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::ast::{Cite, File, of_kind};
use crate::syntax::{citations, parse};

/// A range of bytes in a file, which is identified by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file's name, as in messages.
    pub file: String,
    /// The bytes.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// What is at a place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A name, with the place of its declaration.
    Name(Place),
    /// A clause, with the place of its declaration.
    Clause(String, Option<Place>),
    /// A file that is referred to.
    File(Place),
    /// A name provided by the language or a board: the name, its type in words, and whether it is an attribute.
    BuiltIn {
        /// The name.
        name: String,
        /// Its type in words.
        ty: String,
        /// Whether it follows a dot.
        attribute: bool,
    },
}

/// The analysis of a rule file.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    pub(super) sources: Sources,
    pub(super) trees: Vec<File>,
    pub(super) uses: BTreeMap<Span, Meaning>,
    pub(super) declared: BTreeMap<Span, Declared>,
    pub(super) clauses: ClauseTable,
    same: BTreeMap<Span, Span>,
    citations: Vec<Cite>,
    clause_places: BTreeMap<String, Place>,
    /// Strings that refer to files, with the files.
    links: BTreeMap<Span, String>,
    /// Whether there were more setups than a check goes through, so that names in the others are not known.
    pub(super) unfinished: bool,
    /// How many steps it took.
    pub(super) work: u64,
}

impl Analysis {
    /// Analyses a rule file.
    ///
    /// # Arguments
    /// `name` is the file's name, also for `files`.
    #[must_use]
    pub fn new(name: &str, text: &str, files: &dyn Files) -> Self {
        Self::after(name, text, files, 0)
    }

    /// The same for one of many files, which share the steps of a check; the default setup is looked at in any case.
    #[must_use]
    pub fn sharing(name: &str, text: &str, files: &dyn Files, spent: &mut u64) -> Self {
        let before = *spent;
        let mut analysis = Self::after(name, text, files, before);
        *spent = analysis.work;
        analysis.work -= before;
        analysis
    }

    /// Whether there were more setups than were looked at.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    /// The same after so many steps: together they are no more than a check may take, but for the default setup.
    pub(super) fn after(name: &str, text: &str, files: &dyn Files, mut work: u64) -> Self {
        let rules = RuleFile::read(name, text, files);
        let mut all = Vec::new();
        let unfinished = rules.all_names(None, &mut work, &mut |names| {
            all.push(names);
            true
        });
        let clauses = all.first().map(|plain| plain.clauses.clone()).unwrap_or_default();
        let mut analysis = Self { sources: rules.sources().clone(), clauses, unfinished, work, ..Self::default() };
        for number in 0.. {
            let Some(source) = analysis.sources.get(FileId(number)) else { break };
            analysis.trees.push(parse(FileId(number), &source.text, &mut Reports::default()));
            analysis.citations.extend(citations(FileId(number), &source.text));
        }
        let mut alike: BTreeMap<Span, Span> = BTreeMap::new();
        for found in all {
            for (place, meaning) in found.uses {
                analysis.uses.entry(place).or_insert(meaning);
            }
            for (place, declared) in found.declared {
                analysis.declared.entry(place).or_insert(declared);
            }
            analysis.same.extend(found.same);
            alike.extend(found.alike);
        }
        for (name, other) in alike {
            if let Some(meaning) = analysis.uses.get(&other).cloned() {
                analysis.uses.entry(name).or_insert(meaning);
            }
        }
        // What was assembled from several places has no declaration of its own.
        let sources = &analysis.sources;
        analysis.uses.retain(|place, meaning| match meaning {
            Meaning::Declared(declared) => sources.slice(*place) == sources.slice(*declared),
            Meaning::BuiltIn(_) => true,
        });
        let trees = std::mem::take(&mut analysis.trees);
        for item in trees.iter().flat_map(|tree| &tree.items) {
            analysis.item(item, files);
        }
        analysis.trees = trees;
        analysis
    }

    /// Records names that only overrides can use, clauses, and files.
    fn item(&mut self, item: &Item, files: &dyn Files) {
        if let Some(name) = item.kind.name().filter(|_| !matches!(item.kind, ItemKind::Cue(..))) {
            let place = of_kind(name).map_or(name.span, |(family, _)| family.span);
            self.declared.entry(place).or_insert_with(|| Declared { local: false, ty: String::new() });
        }
        let by = self.sources.get(item.span.file).map_or("", |source| source.name.as_str()).to_owned();
        if let ItemKind::Clause(id, _) = &item.kind {
            let place = self.place(id.span);
            self.clause_places.entry(id.node.clone()).or_insert(place);
        }
        if let ItemKind::Game { extends: Some(named), .. } = &item.kind
            && let Ok((file, _)) = files.read(&by, &named.node)
        {
            self.links.insert(named.span, file);
        }
        if let ItemKind::Document { clauses, ledger, translations, .. } = &item.kind {
            for named in clauses.iter().chain(ledger).chain(translations) {
                let Ok((file, text)) = files.read(&by, &named.node) else { continue };
                for (id, range) in identifiers(&text) {
                    let place = Place { file: file.clone(), start: range.start, end: range.end };
                    self.clause_places.entry(id).or_insert(place);
                }
                self.links.insert(named.span, file);
            }
        }
        item.kind.items().iter().for_each(|item| self.item(item, files));
    }

    /// The rule files analysed, the requested one first.
    pub fn files(&self) -> impl Iterator<Item = &Source> {
        (0..).map_while(|number| self.sources.get(FileId(number)))
    }

    pub(super) fn file(&self, name: &str) -> Option<FileId> {
        (0..).zip(self.files()).find(|(_, source)| source.name == name).map(|(number, _)| FileId(number))
    }

    pub(super) fn place(&self, span: Span) -> Place {
        let file = self.sources.get(span.file).map_or_else(String::new, |source| source.name.clone());
        Place { file, start: span.start as usize, end: span.end as usize }
    }

    pub(super) fn span(&self, place: &Place) -> Option<Span> {
        Some(Span::new(self.file(&place.file)?, place.start, place.end))
    }

    /// The representative of all declarations with the same meaning.
    pub(super) fn first(&self, mut declared: Span) -> Span {
        // Files extend each other a limited number of times, so this ends.
        for _ in 0..16 {
            let Some(&next) = self.same.get(&declared) else { break };
            declared = next;
        }
        declared
    }

    /// The name, clause or file at an offset of a file, with its range.
    #[must_use]
    pub fn target(&self, file: &str, at: usize) -> Option<(Target, Range<usize>)> {
        let id = self.file(file)?;
        let spot = Span::new(id, at, usize::MAX);
        let touches = |span: &Span| span.file == id && span.start as usize <= at && at <= span.end as usize;
        let last = |span: Option<&Span>| span.copied().filter(touches);
        let range = |span: Span| span.start as usize..span.end as usize;
        if let Some(cite) = self.citations.iter().find(|cite| touches(&cite.span)) {
            let place = self.clause_places.get(&cite.node).cloned();
            return Some((Target::Clause(cite.node.clone(), place), range(cite.span)));
        }
        if let Some(span) = last(self.links.range(..=spot).next_back().map(|(span, _)| span)) {
            let file = self.links.get(&span)?.clone();
            return Some((Target::File(Place { file, start: 0, end: 0 }), range(span)));
        }
        if let Some(span) = last(self.uses.range(..=spot).next_back().map(|(span, _)| span)) {
            let target = match self.uses.get(&span)? {
                Meaning::Declared(declared) => Target::Name(self.place(*declared)),
                Meaning::BuiltIn(ty) => {
                    let before = self.sources.get(id)?.text.get(..span.start as usize).unwrap_or("");
                    let attribute = before.trim_end().ends_with('.');
                    Target::BuiltIn { name: self.sources.slice(span).to_owned(), ty: ty.clone(), attribute }
                }
            };
            return Some((target, range(span)));
        }
        let span = last(self.declared.range(..=spot).next_back().map(|(span, _)| span))?;
        Some((Target::Name(self.place(span)), range(span)))
    }

    /// The declaration of what is at an offset. For a declaration that replaces another one, that other one.
    #[must_use]
    pub fn definition(&self, file: &str, at: usize) -> Option<Place> {
        let (target, range) = self.target(file, at)?;
        match target {
            Target::Name(place) if place.file == file && place.start == range.start => {
                Some(self.place(self.first(self.span(&place)?)))
            }
            Target::Name(place) | Target::File(place) => Some(place),
            Target::Clause(_, place) => place,
            Target::BuiltIn { .. } => None,
        }
    }

    /// Every occurrence of a target, in order; including its declarations if requested.
    #[must_use]
    pub fn references(&self, target: &Target, declarations: bool) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        match target {
            Target::Name(place) => {
                let Some(first) = self.span(place).map(|span| self.first(span)) else { return found };
                let of = |meaning: &Meaning| match meaning {
                    Meaning::Declared(declared) => self.first(*declared) == first,
                    Meaning::BuiltIn(_) => false,
                };
                let declares = |span: &Span| self.declared.contains_key(span);
                let used = self.uses.iter().filter(|(span, meaning)| of(meaning) && !declares(span));
                found.extend(used.map(|(span, _)| self.place(*span)));
                if declarations {
                    let declared = self.declared.keys().filter(|span| self.first(**span) == first);
                    found.extend(declared.map(|span| self.place(*span)));
                }
            }
            Target::Clause(id, place) => {
                if self.clause_places.get(id) == place.as_ref() {
                    let cited = self.citations.iter().filter(|cite| cite.node == *id);
                    found.extend(cited.map(|cite| self.place(cite.span)));
                }
                if !declarations {
                    found.retain(|cited| Some(cited) != place.as_ref());
                } else if let Some(place) = place.clone().filter(|place| !found.contains(place)) {
                    found.push(place);
                }
            }
            Target::File(_) | Target::BuiltIn { .. } => {}
        }
        found.sort();
        found.dedup();
        found
    }

    /// The target with its declaration replaced by the representative one.
    #[must_use]
    pub fn settled(&self, target: Target) -> Target {
        match &target {
            Target::Name(place) => match self.span(place) {
                Some(span) => Target::Name(self.place(self.first(span))),
                None => target,
            },
            Target::Clause(..) | Target::File(_) | Target::BuiltIn { .. } => target,
        }
    }
}

/// The clauses of a registry or ledger: each `id: "…"`, with the place of the id.
fn identifiers(text: &str) -> Vec<(String, Range<usize>)> {
    let id = |(at, _): (usize, &str)| {
        let rest = text.get(at..)?;
        let inner = rest.strip_prefix("id:")?.trim_start().strip_prefix('"')?;
        let id = inner.get(..inner.find('"')?)?;
        let start = text.len() - inner.len();
        let word = text.get(..at)?.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        (!word).then(|| (id.to_owned(), start..start + id.len()))
    };
    text.match_indices("id:").filter_map(id).collect()
}
