//! From text to a game: the one place that knows the whole pipeline.

use crate::base::{FileId, Sources, Span};
use crate::check;
use crate::ir::Game;
use crate::report::{Code, Report, Reports, Severity};
use crate::syntax::ast::item::{Item, ItemKind};

pub use crate::check::{Candidate, Declared, Meaning, Names, Wanted};

/// What is chosen before a game starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// How many play; the rules' first number when absent.
    pub players: Option<u32>,
    /// The variants played.
    pub variants: Vec<String>,
    /// Readings that differ from the first, as name and alternative.
    pub readings: Vec<(String, String)>,
    /// Options that differ from their default, as name and value.
    pub options: Vec<(String, String)>,
}

/// What a rule file offers to be settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// The numbers of players, the default first.
    pub players: Vec<u32>,
    /// Options.
    pub options: Vec<Choice>,
    /// Readings.
    pub readings: Vec<Choice>,
    /// Variants: name, title, clauses.
    pub variants: Vec<(String, String, Vec<String>)>,
}

/// An option or reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// What it means.
    pub text: String,
    /// The value when nothing is said.
    pub default: String,
    /// The values offered; empty if any of its type goes.
    pub values: Vec<String>,
    /// The clauses it implements.
    pub clauses: Vec<String>,
}

impl Choice {
    /// Its value in a game.
    #[must_use]
    pub fn chosen<'a>(&'a self, game: &'a Game) -> &'a str {
        game.settings.iter().find(|(name, _)| *name == self.name).map_or(self.default.as_str(), |(_, value)| value)
    }
}

/// Where the files come from that a rule file names: its registry, its ledger,
/// the rule file it extends.
pub trait Files {
    /// The name and text of a file named in the file `by`.
    ///
    /// # Errors
    /// Says in a few words why it cannot be had.
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String>;
}

/// No files: a rule file that stands alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _by: &str, _file: &str) -> Result<(String, String), String> {
        Err("no other files can be read here".to_owned())
    }
}

/// A loaded rule file.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The texts read, for showing reports.
    pub sources: Sources,
    /// What was found.
    pub reports: Reports,
    /// What can be settled.
    pub offer: Offer,
    /// The items after all overrides, and the variants that can be chosen.
    pub items: Vec<Item>,
    /// Variants of the rules a file builds on that its own changes bar, and why.
    pub incompatible: Vec<(String, String)>,
    /// Of several setups the first with errors.
    pub wrong: Option<Setup>,
    /// The game, unless there are errors.
    pub game: Option<Game>,
}

/// Reads, resolves and checks a rule file for one setup.
///
/// # Arguments
/// `name` is how the file is called in messages and to `files`.
pub fn load(name: &str, text: &str, files: &dyn Files, setup: &Setup) -> Loaded {
    let mut loaded = Loaded::default();
    let file: FileId = loaded.sources.add(name, text);
    (loaded.items, loaded.game) =
        check::resolve(file, files, setup, &mut loaded.sources, &mut loaded.reports, &mut loaded.offer);
    if loaded.reports.has_errors() {
        loaded.game = None;
    }
    // What a file leaves unused of the one it extends is used without it; but what it still
    // offers to be settled ought to make a difference.
    let offered = |span: Span| {
        loaded.items.iter().find_map(|item| match &item.kind {
            ItemKind::Option { name, .. } | ItemKind::Reading(name, ..) if name.span == span => Some(item.key()),
            _ => None,
        })
    };
    let elsewhere = |report: &Report| report.code.severity() == Severity::Warning && report.span.file != file;
    for report in loaded.reports.iter_mut().filter(|report| elsewhere(report)) {
        if let Some(key) = offered(report.span) {
            report.help = Some(format!("it has no use in this version: write `remove {key}`"));
        }
    }
    loaded.reports.retain(|report| !elsewhere(report) || offered(report.span).is_some());
    loaded
}

/// What the names of a rule file mean in one setup, as far as it can be told, with
/// the texts read; the rule file is the first of them.
///
/// # Arguments
/// `name` is how the file is called in messages and to `files`; `watch` is where a
/// name begins of which the caller wants to know what else may stand there.
pub fn names(name: &str, text: &str, files: &dyn Files, setup: &Setup, watch: Option<usize>) -> (Sources, Names) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let watch = watch.map(|at| Span::new(file, at, at));
    let names = check::names(file, files, setup, &mut sources, watch);
    (sources, names)
}

/// Every setup worth looking at: each number of players plain, with each variant
/// and each two variants that go together, and with each reading. Options are left
/// alone: their values need not go together.
#[must_use]
pub fn setups(name: &str, text: &str, files: &dyn Files) -> Vec<Setup> {
    let offer = load(name, text, files, &Setup::default()).offer;
    let plain = |&players: &u32| Setup { players: Some(players), ..Setup::default() };
    let mut setups: Vec<Setup> = offer.players.iter().map(plain).collect();
    let names: Vec<&String> = offer.variants.iter().map(|(variant, _, _)| variant).collect();
    let mut chosen: Vec<Vec<String>> = names.iter().map(|&name| vec![name.clone()]).collect();
    for (at, &one) in names.iter().enumerate() {
        chosen.extend(names[at + 1..].iter().map(|&other| vec![one.clone(), other.clone()]));
    }
    for variants in chosen {
        // A variant may be offered for other numbers of players; two may exclude
        // each other, and one may change what the file changes that builds on it, which
        // is found when they are chosen.
        let tried = load(name, text, files, &Setup { variants: variants.clone(), ..Setup::default() });
        if tried.reports.sorted().iter().any(|report| report.code == Code::Conflict) {
            continue;
        }
        if tried.offer.players.is_empty() {
            // So wrong that the players are not known; this is to be said.
            setups.push(Setup { variants: variants.clone(), ..Setup::default() });
        }
        setups.extend(tried.offer.players.iter().map(|n| Setup { variants: variants.clone(), ..plain(n) }));
    }
    for players in &offer.players {
        for choice in &offer.readings {
            for value in choice.values.iter().filter(|value| **value != choice.default) {
                setups.push(Setup { readings: vec![(choice.name.clone(), value.clone())], ..plain(players) });
            }
        }
    }
    setups
}

/// Checks a rule file in all its [`setups`]. Options are checked when they are
/// chosen.
pub fn check_all(name: &str, text: &str, files: &dyn Files) -> Loaded {
    check_while(name, text, files, &mut || true).unwrap_or_default()
}

/// The same as long as `go_on` says so before each setup; none if it did not.
pub fn check_while(name: &str, text: &str, files: &dyn Files, go_on: &mut dyn FnMut() -> bool) -> Option<Loaded> {
    let mut first = load(name, text, files, &Setup::default());
    if first.reports.has_errors() {
        return Some(first);
    }
    for (variant, _, _) in first.offer.variants.clone() {
        let alone = load(name, text, files, &Setup { variants: vec![variant.clone()], ..Setup::default() });
        let sorted = alone.reports.sorted();
        if let Some(report) = sorted.iter().find(|report| report.code == Code::Conflict) {
            first.incompatible.push((variant, report.message.clone()));
        }
    }
    for setup in setups(name, text, files) {
        if !go_on() {
            return None;
        }
        let mut other = load(name, text, files, &setup);
        if !setup.variants.is_empty() {
            // What a variant leaves unused is used without it.
            other.reports.retain(|report| report.code.severity() == Severity::Error);
        }
        if other.reports.has_errors() && first.wrong.is_none() {
            first.wrong = Some(setup);
        }
        first.reports.append(other.reports);
    }
    Some(first)
}
