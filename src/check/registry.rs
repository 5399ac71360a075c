//! The clauses a `§` may cite: registries, ledgers, and `clause` items.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::{Sources, Span, Spanned, nearest};
use crate::ir::{Clause, ClauseTable, Force};
use crate::load::Files;
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

/// What is asked of the rules.
#[derive(Debug, Default, Deserialize)]
enum State {
    #[default]
    Executable,
    Assumed(Vec<u32>),
    Documented,
}

/// What a clause is about.
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

/// A ledger file: what the document leaves open and how it is read.
#[derive(Debug, Deserialize)]
#[serde(rename = "Ledger")]
struct Ledger {
    gaps: Vec<Gap>,
    #[serde(default)]
    documented: Vec<Reason>,
}

/// Why a clause is recorded only.
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

/// All clauses of the documents a rule file names, and its own.
pub(super) fn read(items: &[Item], files: &dyn Files, sources: &mut Sources, reports: &mut Reports) -> ClauseTable {
    let mut table = ClauseTable::default();
    let mut places: BTreeMap<String, Span> = BTreeMap::new();
    for item in items {
        match &item.kind {
            ItemKind::Document { clauses, ledger, .. } => {
                if let Some(Registry { clauses }) = file(clauses.as_ref(), files, sources, reports) {
                    for entry in clauses {
                        let force = match entry.state {
                            State::Executable => Force::Executable,
                            State::Assumed(gaps) => {
                                Force::Assumed(gaps.iter().map(|gap| format!("annahme/{gap}")).collect())
                            }
                            State::Documented => Force::Documented(String::new()),
                        };
                        let (kind, heading) = (entry.kind.text().to_owned(), entry.heading);
                        let (text, text_de) = (entry.text, entry.text_de);
                        table.clauses.insert(entry.id, Clause { text, text_de, gap: None, kind, heading, force });
                    }
                }
                if let Some(Ledger { gaps, documented }) = file(ledger.as_ref(), files, sources, reports) {
                    for gap in gaps {
                        let text = format!("{} Decided: {}", gap.question, gap.decision);
                        let (kind, heading) = ("decided gap".to_owned(), String::new());
                        let id = gap.id.clone();
                        let (text_de, force) = (None, Force::Gap);
                        let gap = Some(gap.decided());
                        table.clauses.insert(id, Clause { text, text_de, gap, kind, heading, force });
                    }
                    for Reason { id, reason } in documented {
                        // A gap may be recorded only as well: nothing in the rules follows from it.
                        if let Some(clause) = table.clauses.get_mut(&id) {
                            clause.force = Force::Documented(reason);
                        }
                    }
                }
            }
            ItemKind::Clause(id, text) => {
                if let Some(&first) = places.get(&id.node) {
                    let message = format!("the clause `§{}` is declared twice", id.node);
                    reports.push(Report::new(Code::Duplicate, id.span, message).also(first, "first declared here"));
                } else if table.clauses.contains_key(&id.node) {
                    let message = format!("the document already has a clause `§{}`", id.node);
                    let help = "give it another id; to reword it in a variant, use `replace clause`";
                    reports.push(Report::new(Code::Duplicate, id.span, message).help(help));
                }
                places.insert(id.node.clone(), id.span);
                let (kind, heading) = ("clause".to_owned(), String::new());
                let (text, text_de, gap, force) = (text.clone(), None, None, Force::Executable);
                let clause = Clause { text, text_de, gap, kind, heading, force };
                table.clauses.insert(id.node.clone(), clause);
            }
            ItemKind::Replace(new) => {
                let ItemKind::Clause(id, text) = &new.kind else { continue };
                let near = nearest(&id.node, table.clauses.keys().map(String::as_str)).map(str::to_owned);
                if let Some(clause) = table.clauses.get_mut(&id.node) {
                    (clause.text, clause.text_de) = (text.clone(), None);
                } else {
                    let report =
                        Report::new(Code::NothingToOverride, id.span, format!("there is no clause `§{}`", id.node));
                    reports.push(match near {
                        Some(near) => report.help(format!("did you mean `§{near}`?")),
                        None => report.help("write `clause` without `replace` to add it"),
                    });
                }
            }
            _ => {}
        }
    }
    table
}

fn file<T: for<'a> Deserialize<'a>>(
    named: Option<&Spanned<String>>,
    files: &dyn Files,
    sources: &mut Sources,
    reports: &mut Reports,
) -> Option<T> {
    let named = named?;
    let by = sources.get(named.span.file).map_or_else(String::new, |source| source.name.clone());
    match files.read(&by, &named.node) {
        Err(why) => {
            let message = format!("the file `{}` cannot be read: {why}", named.node);
            reports.push(
                Report::new(Code::MissingFile, named.span, message)
                    .help("the path is relative to the rule file; check its spelling, or remove the entry"),
            );
            None
        }
        Ok((_, text)) => match ron::from_str(&text) {
            Ok(value) => Some(value),
            Err(error) => {
                let message = format!("`{}` is not a well-formed registry: {error}", named.node);
                reports.push(
                    Report::new(Code::BadRegistry, named.span, message)
                        .help("a registry is `Registry(clauses: [Clause(id: \"…\", kind: …, text: \"…\"), …])`"),
                );
                None
            }
        },
    }
}
