//! From text to rules: the one place that knows the whole way.
//!
//! A rule file is read once, with all it names ([`RuleFile`]): the files it extends, parsed and
//! laid over each other, and the registries of its clauses. From that any number of setups are
//! resolved: variants are laid over the items, and `check` makes a game of what comes of it.
//!
//! **Invariant:** a text is read and parsed once, however many setups are looked at.

mod blame;
mod cells;
mod cited;
mod layers;
mod overrides;
mod registry;
mod respell;
mod rule_file;
mod setups;
mod variant;

use std::sync::Arc;

use crate::base::Sources;
use crate::ir::Game;
use crate::report::Reports;
use crate::syntax::ast::item::Item;

pub use crate::check::{Candidate, Choice, Declared, Meaning, Names, Offer, Setup, Wanted};
pub use rule_file::RuleFile;

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
    pub items: Vec<Arc<Item>>,
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
    RuleFile::read(name, text, files).load(setup)
}

/// Checks a rule file in all its setups. Options are checked when they are chosen.
pub fn check_all(name: &str, text: &str, files: &dyn Files) -> Loaded {
    RuleFile::read(name, text, files).check_all()
}
