//! The clauses that `§` can cite: registries, ledgers and their translations, and `clause` items.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;

use super::translation::{self, Translation};
use super::{Files, ids};
use crate::base::{Sources, Span, Spanned, nearest, unmarked};
use crate::ir::{Clause, ClauseTable, Force, Only};
use crate::report::{Code, Report, Reports};
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::is_citable;

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
    #[serde(default)]
    says: Says,
    /// The numbers of players it is about, if not all.
    #[serde(default)]
    players: Vec<u32>,
    /// The variants it is about, besides these numbers of players.
    #[serde(default)]
    variants: Vec<String>,
    /// Whether it is about ties, if it is about some results alone.
    #[serde(default)]
    tied: Option<bool>,
    text: String,
}

/// What a clause says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum Says {
    /// What has to be or must not be, or what something is.
    #[default]
    Rule,
    /// What is allowed.
    Permission,
    /// How another clause applies.
    Example,
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
pub(super) struct Reason {
    pub(super) id: String,
    reason: String,
}

/// What a ledger says of clauses that are not its own.
#[derive(Debug)]
pub(super) struct Remarks {
    /// Why clauses are only recorded.
    pub(super) documented: Vec<Reason>,
    /// The clauses that leave gaps: the gap first.
    pub(super) left: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
struct Gap {
    id: String,
    /// The clauses that leave it.
    #[serde(default)]
    clauses: Vec<String>,
    question: String,
    decision: String,
    #[serde(default)]
    alternatives: Vec<String>,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    players: Vec<u32>,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default)]
    tied: Option<bool>,
}

impl Gap {
    fn decided(self) -> crate::ir::Gap {
        let Self { question, decision, alternatives, reason, .. } = self;
        crate::ir::Gap { question, decision, alternatives, reason }
    }
}

/// A registry, ledger or translation.
#[derive(Debug)]
pub(super) enum Document {
    /// The clauses of a document.
    Clauses(Vec<(String, Clause)>),
    /// The decided gaps, and what is said of clauses.
    Ledger(Vec<(String, Clause)>, Remarks),
    /// The clauses and gaps in another language.
    Translation(Translation),
    /// Its error.
    Faulty(Box<Report>),
}

/// The registries, ledgers and translations that a rule file refers to, by the place of the reference.
#[derive(Debug, Default)]
pub(super) struct Documents {
    files: BTreeMap<Span, Document>,
    /// Ids in them that no rule can cite, the first of each file.
    uncitable: BTreeMap<Span, String>,
    /// The `clause` items of the files, variants included, with their texts.
    declared: BTreeMap<String, String>,
    /// The options, readings and variants of the files.
    settings: BTreeSet<String>,
}

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
        if let ItemKind::Document { clauses, ledger, translations, .. } = &item.kind {
            if let Some(named) = clauses {
                let document = file(named, files, sources, REGISTRY).map_or_else(Document::Faulty, Registry::document);
                self.files.insert(named.span, document);
            }
            if let Some(named) = ledger {
                let document = file(named, files, sources, LEDGER).map_or_else(Document::Faulty, Ledger::document);
                self.files.insert(named.span, document);
            }
            for named in clauses.iter().chain(ledger) {
                let mut ids = self.files.get(&named.span).into_iter().flat_map(Document::ids);
                if let Some(id) = ids.find(|id| !is_citable(id)) {
                    self.uncitable.insert(named.span, id.clone());
                }
            }
            for named in translations {
                let document = file(named, files, sources, Translation::FORM);
                self.files.insert(named.span, document.map_or_else(Document::Faulty, Document::Translation));
            }
        } else if let ItemKind::Clause(id, text) = &item.kind {
            self.declared.insert(id.node.clone(), text.clone());
        } else if let ItemKind::Option { name, .. } | ItemKind::Reading(name, ..) | ItemKind::Variant { name, .. } =
            &item.kind
        {
            self.settings.insert(name.node.clone());
        }
        // What replaces a clause declares none.
        if !matches!(item.kind.replaced(), ItemKind::Clause(..)) {
            item.kind.items().iter().for_each(|item| self.item(item, files, sources));
        }
    }

    /// All clauses that items can cite: those of their documents, and their own.
    pub(super) fn clauses(&self, items: &[Arc<Item>], reports: &mut Reports) -> ClauseTable {
        let mut table = ClauseTable::default();
        let mut places: BTreeMap<&str, Span> = BTreeMap::new();
        for item in items {
            if let ItemKind::Document { clauses, ledger, translations, .. } = &item.kind {
                let named = clauses.iter().chain(ledger).chain(translations);
                for document in named.filter_map(|named| self.files.get(&named.span)) {
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
                let (text, gap, force) = (text.clone(), None, Force::Executable);
                let translations = BTreeMap::new();
                let only = Only::default();
                let clause = Clause { text, gap, translations, kind, heading, force, forbids: true, only };
                table.clauses.insert(id.node.clone(), clause);
            } else if let ItemKind::Replace(new) = &item.kind {
                replace(&mut table, &new.kind, reports);
            }
        }
        ids::check(self, items, &table, reports);
        translation::apply(self, items, &mut table, reports);
        table
    }

    /// The file named at a place.
    pub(super) fn file(&self, place: Span) -> Option<&Document> {
        self.files.get(&place)
    }

    /// An id in the file named at a place that no rule can cite.
    pub(super) fn uncitable(&self, place: Span) -> Option<&String> {
        self.uncitable.get(&place)
    }

    /// All files.
    pub(super) fn all(&self) -> impl Iterator<Item = &Document> {
        self.files.values()
    }

    /// The options, readings and variants that there are.
    pub(super) fn settings(&self) -> &BTreeSet<String> {
        &self.settings
    }

    /// The text of the `clause` item that declares a clause, in some variant.
    pub(super) fn declared(&self, id: &str) -> Option<&String> {
        self.declared.get(id)
    }
}

/// Replaces the text of a clause.
fn replace(table: &mut ClauseTable, new: &ItemKind, reports: &mut Reports) {
    let ItemKind::Clause(id, text) = new else { return };
    if let Some(clause) = table.clauses.get_mut(&id.node) {
        clause.text.clone_from(text);
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
            Self::Ledger(gaps, Remarks { documented, .. }) => {
                table.clauses.extend(gaps.iter().cloned());
                for Reason { id, reason } in documented {
                    // A gap may also be only recorded: no rule depends on it.
                    if let Some(clause) = table.clauses.get_mut(id) {
                        clause.force = Force::Documented(reason.clone());
                    }
                }
            }
            // Those follow when all clauses are known.
            Self::Translation(_) => {}
            Self::Faulty(report) => reports.push(Report::clone(report)),
        }
    }

    /// The ids of its clauses or gaps.
    pub(super) fn ids(&self) -> impl Iterator<Item = &String> {
        let listed = match self {
            Self::Clauses(clauses) | Self::Ledger(clauses, _) => clauses.as_slice(),
            Self::Translation(_) | Self::Faulty(_) => &[],
        };
        listed.iter().map(|(id, _)| id)
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
            let forbids = entry.says == Says::Rule && !matches!(entry.kind, Kind::Advice);
            let translations = BTreeMap::new();
            let (text, only) =
                (entry.text, Only { players: entry.players, variants: entry.variants, tied: entry.tied });
            (entry.id, Clause { text, gap: None, translations, kind, heading, force, forbids, only })
        };
        Document::Clauses(self.clauses.into_iter().map(clause).collect())
    }
}

impl Ledger {
    fn document(self) -> Document {
        let left = |gap: &Gap| gap.clauses.iter().map(|of| (gap.id.clone(), of.clone())).collect::<Vec<_>>();
        let remarks = Remarks { left: self.gaps.iter().flat_map(left).collect(), documented: self.documented };
        let clause = |gap: Gap| {
            let text = format!("{} Decided: {}", gap.question, gap.decision);
            let (kind, heading) = ("decided gap".to_owned(), String::new());
            let (id, translations, force) = (gap.id.clone(), BTreeMap::new(), Force::Gap);
            let only = Only { players: gap.players.clone(), variants: gap.variants.clone(), tied: gap.tied };
            (id, Clause { text, gap: Some(gap.decided()), translations, kind, heading, force, forbids: true, only })
        };
        Document::Ledger(self.gaps.into_iter().map(clause).collect(), remarks)
    }
}

/// What a registry looks like, for messages.
const REGISTRY: &str = "a registry is `Registry(clauses: [Clause(id: \"…\", kind: …, text: \"…\"), …])`";

/// What a ledger looks like, for messages.
const LEDGER: &str = "a ledger is `Ledger(gaps: [Gap(id: \"…\", question: \"…\", decision: \"…\"), …])`";

/// Reads a file named in the rules; `form` says what it should look like.
fn file<T: for<'a> Deserialize<'a>>(
    named: &Spanned<String>,
    files: &dyn Files,
    sources: &Sources,
    form: &str,
) -> Result<T, Box<Report>> {
    let by = sources.get(named.span.file).map_or("", |source| &source.name);
    let (_, text) = files.read(by, &named.node).map_err(|why| {
        let message = format!("the file `{}` cannot be read: {why}", named.node);
        let help = "the path is relative to the rule file; check its spelling, or remove the entry";
        Box::new(Report::new(Code::MissingFile, named.span, message).help(help))
    })?;
    ron::from_str(unmarked(&text)).map_err(|error| {
        let what = form.split(" is ").next().unwrap_or("a registry").replacen("a ", "a well-formed ", 1);
        let message = format!("`{}` is not {what}: {error}", named.node);
        Box::new(Report::new(Code::BadRegistry, named.span, message).help(form))
    })
}
