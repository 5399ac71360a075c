//! The clauses that `§` can cite: registries, ledgers, and `clause` items.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::Files;
use crate::base::{Sources, Span, Spanned, nearest};
use crate::ir::{Clause, ClauseTable, Force};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};

/// A registry file: every clause of a document in our own words.
#[derive(Debug, Deserialize)]
#[serde(rename = "Registry")]
struct Registry {
    clauses: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "Clause")]
struct Entry {
    id: String,
    #[serde(default)]
    heading: String,
    kind: Kind,
    #[serde(default)]
    state: State,
    text: String,
    /// The restatement in German, for rulebooks.
    #[serde(default)]
    text_de: Option<String>,
}

/// What a clause demands of the rules.
#[derive(Debug, Default, Deserialize)]
enum State {
    #[default]
    Executable,
    Assumed(Vec<u32>),
    Documented,
}

/// The subject of a clause.
#[derive(Debug, Deserialize)]
enum Kind {
    Setup,
    Movement,
    Capture,
    TurnOrder,
    End,
    Scoring,
    Draw,
    Forbidden,
    Advice,
    Physical,
}

impl Kind {
    fn text(&self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Movement => "movement",
            Self::Capture => "capture",
            Self::TurnOrder => "turn order",
            Self::End => "end",
            Self::Scoring => "scoring",
            Self::Draw => "draw",
            Self::Forbidden => "prohibition",
            Self::Advice => "advice",
            Self::Physical => "physical",
        }
    }
}

/// A ledger file: the gaps of a document and how they are closed.
#[derive(Debug, Deserialize)]
#[serde(rename = "Ledger")]
struct Ledger {
    gaps: Vec<Gap>,
    #[serde(default)]
    documented: Vec<Reason>,
}

/// Why a clause is only recorded.
#[derive(Debug, Deserialize)]
#[serde(rename = "Documented")]
struct Reason {
    id: String,
    reason: String,
}

#[derive(Debug, Deserialize)]
struct Gap {
    id: String,
    question: String,
    decision: String,
    /// Both in German, for rulebooks.
    #[serde(default)]
    question_de: Option<String>,
    #[serde(default)]
    decision_de: Option<String>,
    #[serde(default)]
    alternatives: Vec<String>,
    #[serde(default)]
    reason: String,
}

impl Gap {
    fn decided(self) -> crate::ir::Gap {
        let Self { question, decision, alternatives, reason, .. } = self;
        let german = self.question_de.zip(self.decision_de);
        crate::ir::Gap { question, decision, german, alternatives, reason }
    }
}

/// A registry or ledger.
#[derive(Debug)]
enum Document {
    /// The clauses of a document.
    Clauses(Vec<(String, Clause)>),
    /// The decided gaps, and why clauses are only recorded.
    Ledger(Vec<(String, Clause)>, Vec<Reason>),
    /// Its error.
    Faulty(Box<Report>),
}

/// The registries and ledgers that a rule file refers to, by the place of the reference.
#[derive(Debug, Default)]
pub(super) struct Documents(BTreeMap<Span, Document>);

impl Documents {
    /// Reads the documents that items refer to, including those of variants.
    pub(super) fn read(items: &[Arc<Item>], files: &dyn Files, sources: &Sources) -> Self {
        let mut read = Self::default();
        for item in items {
            read.item(item, files, sources);
        }
        read
    }

    fn item(&mut self, item: &Item, files: &dyn Files, sources: &Sources) {
        if let ItemKind::Document { clauses, ledger, .. } = &item.kind {
            if let Some(named) = clauses {
                let document = file(named, files, sources).map_or_else(Document::Faulty, Registry::document);
                self.0.insert(named.span, document);
            }
            if let Some(named) = ledger {
                let document = file(named, files, sources).map_or_else(Document::Faulty, Ledger::document);
                self.0.insert(named.span, document);
            }
        }
        item.kind.items().iter().for_each(|item| self.item(item, files, sources));
    }

    /// All clauses that items can cite: those of their documents, and their own.
    pub(super) fn clauses(&self, items: &[Arc<Item>], reports: &mut Reports) -> ClauseTable {
        let mut table = ClauseTable::default();
        let mut places: BTreeMap<&str, Span> = BTreeMap::new();
        for item in items {
            if let ItemKind::Document { clauses, ledger, .. } = &item.kind {
                for document in clauses.iter().chain(ledger).filter_map(|named| self.0.get(&named.span)) {
                    document.add(&mut table, reports);
                }
            } else if let ItemKind::Clause(id, text) = &item.kind {
                if let Some(&first) = places.get(id.node.as_str()) {
                    let message = format!("the clause `§{}` is declared twice", id.node);
                    reports.push(Report::new(Code::Duplicate, id.span, message).also(first, "first declared here"));
                } else if table.clauses.contains_key(&id.node) {
                    let message = format!("the document already has a clause `§{}`", id.node);
                    let help = "give it another id; to reword it in a variant, use `replace clause`";
                    reports.push(Report::new(Code::Duplicate, id.span, message).help(help));
                }
                places.insert(&id.node, id.span);
                let (kind, heading) = ("clause".to_owned(), String::new());
                let (text, text_de, gap, force) = (text.clone(), None, None, Force::Executable);
                let clause = Clause { text, text_de, gap, kind, heading, force };
                table.clauses.insert(id.node.clone(), clause);
            } else if let ItemKind::Replace(new) = &item.kind {
                replace(&mut table, &new.kind, reports);
            }
        }
        table
    }
}

/// Replaces the text of a clause.
fn replace(table: &mut ClauseTable, new: &ItemKind, reports: &mut Reports) {
    let ItemKind::Clause(id, text) = new else { return };
    if let Some(clause) = table.clauses.get_mut(&id.node) {
        (clause.text, clause.text_de) = (text.clone(), None);
        return;
    }
    let report = Report::new(Code::NothingToOverride, id.span, format!("there is no clause `§{}`", id.node));
    reports.push(match nearest(&id.node, table.clauses.keys().map(String::as_str)) {
        Some(near) => report.help(format!("did you mean `§{near}`?")),
        None => report.help("write `clause` without `replace` to add it"),
    });
}

impl Document {
    fn add(&self, table: &mut ClauseTable, reports: &mut Reports) {
        match self {
            Self::Clauses(clauses) => table.clauses.extend(clauses.iter().cloned()),
            Self::Ledger(gaps, documented) => {
                table.clauses.extend(gaps.iter().cloned());
                for Reason { id, reason } in documented {
                    // A gap may also be only recorded: no rule depends on it.
                    if let Some(clause) = table.clauses.get_mut(id) {
                        clause.force = Force::Documented(reason.clone());
                    }
                }
            }
            Self::Faulty(report) => reports.push(Report::clone(report)),
        }
    }
}

impl Registry {
    fn document(self) -> Document {
        let clause = |entry: Entry| {
            let force = match entry.state {
                State::Executable => Force::Executable,
                State::Assumed(gaps) => Force::Assumed(gaps.iter().map(|gap| format!("annahme/{gap}")).collect()),
                State::Documented => Force::Documented(String::new()),
            };
            let (kind, heading) = (entry.kind.text().to_owned(), entry.heading);
            let (text, text_de) = (entry.text, entry.text_de);
            (entry.id, Clause { text, text_de, gap: None, kind, heading, force })
        };
        Document::Clauses(self.clauses.into_iter().map(clause).collect())
    }
}

impl Ledger {
    fn document(self) -> Document {
        let clause = |gap: Gap| {
            let text = format!("{} Decided: {}", gap.question, gap.decision);
            let (kind, heading) = ("decided gap".to_owned(), String::new());
            let (id, text_de, force) = (gap.id.clone(), None, Force::Gap);
            (id, Clause { text, text_de, gap: Some(gap.decided()), kind, heading, force })
        };
        Document::Ledger(self.gaps.into_iter().map(clause).collect(), self.documented)
    }
}

fn file<T: for<'a> Deserialize<'a>>(
    named: &Spanned<String>,
    files: &dyn Files,
    sources: &Sources,
) -> Result<T, Box<Report>> {
    let by = sources.get(named.span.file).map_or("", |source| &source.name);
    let (_, text) = files.read(by, &named.node).map_err(|why| {
        let message = format!("the file `{}` cannot be read: {why}", named.node);
        let help = "the path is relative to the rule file; check its spelling, or remove the entry";
        Box::new(Report::new(Code::MissingFile, named.span, message).help(help))
    })?;
    ron::from_str(&text).map_err(|error| {
        let message = format!("`{}` is not a well-formed registry: {error}", named.node);
        let help = "a registry is `Registry(clauses: [Clause(id: \"…\", kind: …, text: \"…\"), …])`";
        Box::new(Report::new(Code::BadRegistry, named.span, message).help(help))
    })
}
