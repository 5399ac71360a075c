//! The bundled games: rule files, registries and cases that are compiled in.
//!
//! **Invariant:** data only, found by name. No game is named in the source code;
//! `build/main.rs` writes the tables from what lies under `rules` and `tests/conformance`.

use std::path::Path;

use crate::base::beside;
use crate::load::Files;

/// How the name of a bundled file begins.
pub const PREFIX: &str = "shipped:";

/// The files of the games by their path under `rules`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The cases of the games by their path under `tests/conformance`.
pub const CASES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// The names of the games.
#[must_use]
pub fn games() -> Vec<&'static str> {
    let game = |path: &'static str| {
        let (folder, file) = path.split_once('/')?;
        (file.strip_suffix(".rules") == Some(folder)).then_some(folder)
    };
    FILES.iter().filter_map(|(path, _)| game(path)).collect()
}

/// The rule files that extend others, such as `GAME/variants/NAME`.
pub fn variants() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_suffix(".rules")).filter(|path| path.matches('/').count() == 2)
}

/// Whether a file is a bundled one, by its name.
#[must_use]
pub fn is_bundled(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// A rule file by the name of a game, such as `GAME` or `GAME/variants/NAME`, or by
/// its own name: how it is called, and its text.
#[must_use]
pub fn find(what: &str) -> Option<(String, &'static str)> {
    if let Some(text) = what.strip_prefix(PREFIX).and_then(file) {
        return Some((what.to_owned(), text));
    }
    let plain = what.strip_suffix(".rules").unwrap_or(what);
    let inside = if plain.contains('/') { format!("{plain}.rules") } else { format!("{plain}/{plain}.rules") };
    file(&inside).map(|text| (format!("{PREFIX}{inside}"), text))
}

fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// The files that bundled rule files name, and bundled games by their names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundled;

impl Files for Bundled {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let found = match by.strip_prefix(PREFIX) {
            Some(by) => {
                let inside = beside(Path::new(by), file).to_string_lossy().replace('\\', "/");
                find(&format!("{PREFIX}{inside}"))
            }
            // A rule file of one's own may extend a bundled game.
            None => find(file).filter(|_| named(file)),
        };
        found.map(|(name, text)| (name, text.to_owned())).ok_or_else(|| "there is no such bundled file".to_owned())
    }
}

/// Whether a rule file of one's own may name it: a game or a variant.
fn named(file: &str) -> bool {
    let plain = file.strip_suffix(".rules").unwrap_or(file);
    games().contains(&plain) || variants().any(|variant| variant == plain)
}
