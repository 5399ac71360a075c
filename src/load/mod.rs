//! From text to rules: the one place that knows the whole pipeline.
//!
//! A rule file is read once, with all the files it refers to ([`RuleFile`]): the files it extends, parsed and
//! layered, and the registries of its clauses. From these any number of setups are resolved: variants and overlays are
//! applied to the items, and `check` turns the result into a game.
//!
//! **Invariant:** a text is read and parsed once, however many setups are resolved.

mod blame;
mod cells;
mod choices;
mod cited;
mod ids;
mod layers;
mod links;
mod measures;
mod overlay;
mod overrides;
mod parts;
mod registry;
mod resolve;
mod respell;
mod rule_file;
mod setups;
mod target;
mod translation;
mod uncovered;
mod variant;

use std::sync::Arc;

use crate::base::Sources;
use crate::ir::Game;
use crate::report::Reports;
use crate::syntax::ast::item::Item;

pub use crate::check::{Candidate, Choice, Declared, Meaning, Names, Offer, Setup, Wanted};
pub use measures::Asked;
pub use rule_file::RuleFile;
pub use setups::WORK;

/// The source of the files that a rule file refers to: its registries, ledgers and translations, the rule file it extends.
pub trait Files {
    /// The name and text of a file that the file `by` refers to.
    ///
    /// # Errors
    /// Says in a few words why it is not available.
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String>;
}

/// No files: for a rule file that refers to none.
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
    /// The texts read, for rendering reports.
    pub sources: Sources,
    /// The reports.
    pub reports: Reports,
    /// The settings available.
    pub offer: Offer,
    /// The items after all overrides, and the variants and overlays available.
    pub items: Vec<Arc<Item>>,
    /// Variants and overlays of the extended rules that conflict with the file's own changes, with the reason.
    pub incompatible: Vec<(String, String)>,
    /// The first setup with errors, if several were checked.
    pub wrong: Option<Setup>,
    /// How many steps the check took: those that were run, and some for each byte of the texts.
    pub work: u64,
    /// Whether some setups were not checked, since the others had taken all the steps that a check may take.
    pub unfinished: bool,
    /// The game, unless there are errors.
    pub game: Option<Game>,
}

/// Reads, resolves and checks a rule file in one setup.
///
/// # Arguments
/// `name` is the file's name in messages and for `files`.
pub fn load(name: &str, text: &str, files: &dyn Files, setup: &Setup) -> Loaded {
    RuleFile::read(name, text, files).load(setup)
}

/// Checks a rule file in all its setups. Options are checked when they are chosen.
pub fn check_all(name: &str, text: &str, files: &dyn Files) -> Loaded {
    check_within(name, text, files, WORK)
}

/// The same with so many steps for all its setups together; the default one is checked in any case.
pub fn check_within(name: &str, text: &str, files: &dyn Files, most: u64) -> Loaded {
    RuleFile::read(name, text, files).check_within(most, &mut || true).unwrap_or_default()
}
