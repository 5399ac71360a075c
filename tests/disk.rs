//! Files that tests read.

use std::path::{Path, PathBuf};

use regelwerk::load::Files;

/// Files on disk, relative to the rule file.
pub(crate) struct Disk;

impl Files for Disk {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let path = Path::new(by).parent().unwrap_or(Path::new("")).join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        Ok((path.display().to_string(), text))
    }
}

/// A path in the package.
pub(crate) fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The rule file of a bundled game.
pub(crate) fn rules_of(game: &str) -> PathBuf {
    let path = root(&format!("rules/{game}/{game}.rules"));
    if path.is_file() { path } else { root(&format!("rules/classics/{game}/{game}.rules")) }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
