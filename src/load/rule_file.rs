//! A rule file, read once, and resolving its setups.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::links::Links;
use super::registry::Documents;
use super::resolve::{Resolved, resolve};
use super::setups::WORK;
use super::target::{Changed, citing};
use super::variant::offered;
use super::{Asked, Files, Loaded, Names, Offer, Setup, blame, cited, layers, respell};
use crate::base::{FileId, Sources, Span};
use crate::check::{self, Rules};
use crate::ir::Game;
use crate::report::Reports;
use crate::syntax::ast::item::{Item, ItemKind};
use crate::syntax::bare;

/// How many steps a byte of the texts counts for: about as long as it takes to check it, or to lay variants over it.
pub(super) const WORK_A_BYTE: u64 = 3;

/// A rule file with all the files it refers to, parsed; setups are resolved from it.
#[derive(Clone, Debug)]
pub struct RuleFile {
    pub(super) sources: Sources,
    /// Errors that do not depend on the setup.
    pub(super) reports: Reports,
    /// The items layered on those of the extended files.
    pub(super) items: Vec<Arc<Item>>,
    /// The changes to the extended files.
    pub(super) changed: Vec<Changed>,
    links: Links,
    documents: Arc<Documents>,
    /// How many texts hold the rules: the others are asked of them.
    own: usize,
    /// The measures, each with its text.
    pub(super) measures: Vec<(Asked, FileId)>,
    /// The clauses cited anywhere in the texts.
    cited: Arc<BTreeSet<String>>,
}

impl RuleFile {
    /// Reads a rule file and all the files it refers to.
    ///
    /// # Arguments
    /// `name` is the file's name in messages and for `files`.
    #[must_use]
    pub fn read(name: &str, text: &str, files: &dyn Files) -> Self {
        let (mut sources, mut reports, mut links) = (Sources::default(), Reports::default(), Links::default());
        sources.add(name, text);
        let (items, changed) = layers::read(files, &mut sources, &mut reports, &mut links);
        let documents = Arc::new(Documents::read(&items, files, &sources));
        let cited = Arc::new(cited::all(&sources));
        let own = sources.len();
        Self { sources, reports, items, changed, links, documents, own, measures: Vec::new(), cited }
    }

    /// The same with conditions that are asked of the rules, each a definition: what its text is called in reports, and the text.
    #[must_use]
    pub fn with(&self, asked: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut more = self.clone();
        for (name, text) in asked {
            more.ask("condition", name, &text);
        }
        more
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.sources.get(FileId::default()).map_or("", |source| &source.name)
    }

    /// The texts: the rule file and those it extends.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The items as written, layered on those of the extended files, before any setup.
    #[must_use]
    pub fn items(&self) -> &[Arc<Item>] {
        &self.items
    }

    /// Resolves and checks one setup.
    #[must_use]
    pub fn load(&self, setup: &Setup) -> Loaded {
        let mut loaded = Loaded { sources: self.sources.clone(), ..Loaded::default() };
        if self.reports.has_errors() {
            loaded.reports = self.reports.clone();
            loaded.items.clone_from(&self.items);
            respell::join(&loaded.sources, &mut loaded.reports);
        } else {
            let mut resolved = resolve(self, setup);
            loaded.work += resolved.work;
            (loaded.offer, loaded.game) = self.check(&mut resolved, setup, &mut loaded.work);
            if let Some(game) = &mut loaded.game {
                game.digest = self.digest(&resolved, game);
                game.measures = self.measured(game, &mut resolved.reports);
            }
            loaded.reports = resolved.reports;
            loaded.items = resolved.items;
            loaded.items.extend(self.variants().chain(self.overlays()).cloned());
        }
        if loaded.reports.has_errors() {
            loaded.game = None;
        }
        loaded
    }

    /// What the names mean in one setup, as far as it can be determined.
    ///
    /// # Arguments
    /// `watch` is the offset of a name in the rule file for which the caller wants to know the alternatives.
    #[must_use]
    pub fn names(&self, setup: &Setup, watch: Option<usize>) -> Names {
        let resolved = resolve(self, setup);
        let clauses = self.documents.clauses(&resolved.items, &mut Reports::default());
        let watch = watch.map(|at| Span::new(FileId::default(), at, at));
        let overrides = citing(&resolved.changed);
        let rules = Rules {
            items: &resolved.items,
            variants: &resolved.variants,
            overrides: &overrides,
            clauses,
            own: self.own,
        };
        let mut names = check::names(rules, setup, watch);
        resolved.links.note(&mut names);
        self.links.note(&mut names);
        names.work += self.laying() + resolved.work;
        names
    }

    /// Shows the names in the default setup, and then in those that together choose every variant and every overlay, until
    /// `look` returns false or `work`, to which all that it takes is added, is as much as a check may do. Returns whether
    /// some setups were left for that.
    pub fn all_names(&self, watch: Option<usize>, work: &mut u64, look: &mut dyn FnMut(Names) -> bool) -> bool {
        // Whatever was done before, the rules by themselves are looked at.
        let plain = self.names(&Setup::default(), watch);
        *work += plain.work;
        // The others take about as much each.
        let most = WORK.saturating_sub(plain.work);
        if !look(plain) {
            return false;
        }
        for setup in self.covering(work) {
            if *work > most {
                return true;
            }
            let names = self.names(&setup, watch);
            *work += names.work;
            if !look(names) {
                return false;
            }
        }
        false
    }

    /// Checks one setup after its variants were applied; errors go to its reports, and how much was done is added to
    /// `work`.
    pub(super) fn check(&self, resolved: &mut Resolved, setup: &Setup, work: &mut u64) -> (Offer, Option<Game>) {
        *work += self.laying();
        let mut offer = Offer { variants: offered(self), ..Offer::default() };
        let clauses = self.documents.clauses(&resolved.items, &mut resolved.reports);
        let mut game = None;
        if !resolved.reports.has_errors() {
            let overrides = citing(&resolved.changed);
            let rules = Rules {
                items: &resolved.items,
                variants: &resolved.variants,
                overrides: &overrides,
                clauses,
                own: self.own,
            };
            game = check::check(rules, setup, &mut offer, work, &mut resolved.reports);
        }
        if let Some(game) = &game {
            cited::missing(&self.items, &game.clauses, &self.cited, &mut resolved.reports);
        }
        blame::overrides(&resolved.changed, &mut resolved.reports);
        respell::join(&self.sources, &mut resolved.reports);
        blame::unused(&resolved.items, &mut resolved.reports);
        let overlays = self.variants().chain(self.overlays());
        blame::overlaid(&resolved.items, overlays, &resolved.tested, &self.sources, &mut resolved.reports);
        (offer, game)
    }

    /// How many bytes its texts have.
    pub(super) fn length(&self) -> u64 {
        self.sources.ids().filter_map(|id| self.sources.get(id)).map(|source| source.text.len() as u64).sum()
    }

    /// The numbers of players of a setup; none if it has too many errors.
    pub(super) fn players(&self, resolved: &Resolved) -> Vec<u32> {
        let mut reports = resolved.reports.clone();
        self.documents.clauses(&resolved.items, &mut reports);
        if reports.has_errors() { Vec::new() } else { check::players(&resolved.items) }
    }

    /// The variants available.
    pub(super) fn variants(&self) -> impl Iterator<Item = &Arc<Item>> {
        self.items.iter().filter(|item| matches!(item.kind, ItemKind::Variant { .. }))
    }

    /// The overlays of the file itself; others are in variants.
    pub(super) fn overlays(&self) -> impl Iterator<Item = &Arc<Item>> {
        self.items.iter().filter(|item| matches!(item.kind, ItemKind::With(..)))
    }

    /// A digest of the rules as resolved and of the setup. Comments, clauses, layout, registries, and variants and
    /// overlays that are not chosen do not count.
    fn digest(&self, resolved: &Resolved, game: &Game) -> u64 {
        let seats: Vec<&str> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
        let mut text = format!("{seats:?}{:?}{:?}\n", game.settings, game.variants);
        // Overridden items are not among the items; and an override that only sets a part is in none.
        let chosen = self
            .variants()
            .filter(|item| matches!(&item.kind, ItemKind::Variant { name, .. } if game.variants.contains(&name.node)));
        let rules = resolved.items.iter().chain(chosen).map(|item| item.span).chain(resolved.active.iter().copied());
        let spans = rules.filter(|span| !self.is_measure(span.file));
        for span in spans.chain(self.changed.iter().map(|change| change.place)) {
            text.push_str(&bare(self.sources.slice(span)));
            text.push('\n');
        }
        xxhash_rust::xxh3::xxh3_64(text.as_bytes())
    }
}
