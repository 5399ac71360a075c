//! The texts of a game's rules, as they were when its table was opened.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::api::{LoadError, Loader, Rules};
use crate::bundled::{self, Bundled, is_bundled};
use crate::files::{FileError, Library, find_rules};
use crate::load::{Files, RuleFile, Setup};

/// A rule file with every text that it refers to. A table is played by its bundle to the end, whatever becomes of the
/// files and of the bundled games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bundle {
    /// What people call it.
    pub(super) label: String,
    name: String,
    text: String,
    /// What a file calls another, and its name and text.
    files: Vec<(String, String, String, String)>,
    /// How many bytes a stranger's rules took while they were tried out, beyond what rules usually take; none for others.
    #[serde(default)]
    pub(super) memory: Option<usize>,
}

impl Bundle {
    /// A bundled game, or a variant of one.
    pub(super) fn shipped(what: &str) -> Option<Self> {
        let (name, text) = bundled::find(what)?;
        Some(Self::collect(what, &name, text, &Bundled))
    }

    /// A rule file on this machine. Its texts are named relative to its folder: nobody is told where that is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn from_disk(what: &str) -> Result<Self, FileError> {
        let (name, text) = find_rules(what)?;
        if is_bundled(&name) {
            return Ok(Self::collect(what, &name, &text, &Bundled));
        }
        let folder = Path::new(&name).parent().unwrap_or(Path::new("")).to_owned();
        let files = Below { folder: &folder, real: RefCell::default() };
        let shown = files.shown(&name);
        let label =
            Path::new(&shown).file_stem().map_or_else(|| shown.clone(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self::collect(&label, &shown, &text, &files))
    }

    /// A text of a stranger, which may extend bundled games and nothing else, and took so many bytes more than usual while it
    /// was tried out.
    pub(super) fn of_stranger(text: &str, memory: usize) -> Self {
        Self { memory: Some(memory), ..Self::collect("own", "own.rules", text, &Bundled) }
    }

    fn collect(label: &str, name: &str, text: &str, from: &dyn Files) -> Self {
        let recorder = Recorder { from, read: RefCell::default() };
        // Only what it asks for is of interest.
        drop(RuleFile::read(name, text, &recorder));
        let files = recorder.read.into_inner().into_iter().map(|((by, file), (name, text))| (by, file, name, text));
        let (label, name, text) = (label.to_owned(), name.to_owned(), text.to_owned());
        Self { label, name, text, files: files.collect(), memory: None }
    }

    /// The rules in a setup.
    ///
    /// # Errors
    /// If they have errors, or do not support it.
    pub(super) fn rules(&self, setup: &Setup) -> Result<Rules, LoadError> {
        Loader::of(setup.clone()).text_with(&self.name, &self.text, self)
    }
}

impl Files for Bundle {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let found = self.files.iter().find(|(one, other, _, _)| one == by && other == file);
        found.map(|(_, _, name, text)| (name.clone(), text.clone())).ok_or_else(|| "there is no such file".to_owned())
    }
}

/// Remembers what was read.
struct Recorder<'a> {
    from: &'a dyn Files,
    read: RefCell<BTreeMap<(String, String), (String, String)>>,
}

impl Files for Recorder<'_> {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let found = self.from.read(by, file)?;
        self.read.borrow_mut().insert((by.to_owned(), file.to_owned()), found.clone());
        Ok(found)
    }
}

/// Files on the disk under names without the folder they are in.
struct Below<'a> {
    folder: &'a Path,
    real: RefCell<BTreeMap<String, String>>,
}

impl Below<'_> {
    /// The name that is shown for a path.
    fn shown(&self, path: &str) -> String {
        if is_bundled(path) {
            return path.to_owned();
        }
        let inside = Path::new(path).strip_prefix(self.folder).ok().filter(|inside| inside.is_relative());
        let shown = match (inside, Path::new(path).file_name()) {
            (Some(inside), _) => inside.to_string_lossy().into_owned(),
            (None, Some(name)) => name.to_string_lossy().into_owned(),
            (None, None) => "rules".to_owned(),
        };
        self.real.borrow_mut().insert(shown.clone(), path.to_owned());
        shown
    }
}

impl Files for Below<'_> {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let real = self.real.borrow().get(by).cloned().unwrap_or_else(|| by.to_owned());
        // Why it failed would say where it was looked for.
        let (path, text) = Library.read(&real, file).map_err(|_| "it cannot be read".to_owned())?;
        Ok((self.shown(&path), text))
    }
}

#[cfg(test)]
mod tests {
    use super::Bundle;
    use crate::load::Setup;

    #[test]
    fn a_bundle_is_the_game_without_the_files() {
        for name in crate::bundled::all() {
            let bundle = Bundle::shipped(name).expect("a bundled game");
            let text = serde_json::to_string(&bundle).expect("data");
            let again: Bundle = serde_json::from_str(&text).expect("what was written");
            assert_eq!(again, bundle);
            let rules = again.rules(&Setup::default()).expect("bundled games have no errors");
            let usual = crate::Rules::bundled(name).expect("a bundled game");
            assert_eq!(rules.digest(), usual.digest(), "{name}");
            assert_eq!(rules.game().clauses.clauses.len(), usual.game().clauses.clauses.len(), "{name}");
        }
    }

    #[test]
    fn a_stranger_reads_no_file() {
        let bundle = Bundle::of_stranger("extends \"/etc/passwd\"\n", 0);
        assert!(bundle.files.is_empty());
        assert!(bundle.rules(&Setup::default()).is_err());
    }
}
