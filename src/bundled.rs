//! The bundled games: rule files, registries and cases that are compiled in.
//!
//! **Invariant:** data only, found by name. No game is named in the source code; `build.rs` writes the tables from
//! the folders `rules` and `tests/conformance`.

use std::path::Path;

use crate::base::{nearest, resolve_relative};
use crate::load::Files;

/// The prefix of the names of bundled files.
pub const PREFIX: &str = "shipped:";

/// The files of the games by their path under `rules`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The cases of the games by their path under `tests/conformance`.
pub const CASES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// The names of the games that are made from documents with a registry of clauses.
#[must_use]
pub fn games() -> Vec<&'static str> {
    mains().filter(|(folder, _)| folder.is_empty()).map(|(_, game)| game).collect()
}

/// The names of the games in collections: subfolders of `rules` that are not games themselves.
#[must_use]
pub fn collected() -> Vec<&'static str> {
    mains().filter(|(folder, _)| !folder.is_empty()).map(|(_, game)| game).collect()
}

/// The names of all games: those of documents, then those of collections.
#[must_use]
pub fn all() -> Vec<&'static str> {
    let mut names = games();
    names.extend(collected());
    names
}

/// The message for an unknown game: the most similar name, and all names.
#[must_use]
pub fn suggest(what: &str) -> String {
    let near = nearest(what, all().into_iter().chain(variants()));
    let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    format!("{near}the bundled games are: {}", all().join(", "))
}

/// The main rule files: the folder that contains the game's folder, and the game's name.
fn mains() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().filter_map(|(path, _)| {
        let (folder, file) = path.rsplit_once('/')?;
        let (above, game) = folder.rsplit_once('/').unwrap_or(("", folder));
        (file.strip_suffix(".rules") == Some(game)).then_some((above, game))
    })
}

/// The title of a game, as its rule file begins; its name if it has none.
#[must_use]
pub fn title(game: &str) -> &str {
    let text = find(game).map_or("", |(_, text)| text);
    let head = text.lines().find(|line| line.starts_with("game "));
    head.and_then(|line| line.split('"').nth(1)).unwrap_or(game)
}

/// Rule files that extend others, such as `GAME/variants/NAME`.
pub fn variants() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_suffix(".rules")).filter(|path| path.contains("/variants/"))
}

/// Whether a file name is that of a bundled file.
#[must_use]
pub fn is_bundled(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// A rule file by the name of a game, such as `GAME` or `GAME/variants/NAME`, or by its own name: its name and text.
#[must_use]
pub fn find(what: &str) -> Option<(String, &'static str)> {
    if let Some(text) = what.strip_prefix(PREFIX).and_then(file) {
        return Some((what.to_owned(), text));
    }
    let plain = what.strip_suffix(".rules").unwrap_or(what);
    let inside = match mains().find(|(_, game)| *game == plain) {
        Some(("", game)) => format!("{game}/{game}.rules"),
        Some((folder, game)) => format!("{folder}/{game}/{game}.rules"),
        None => format!("{plain}.rules"),
    };
    file(&inside).map(|text| (format!("{PREFIX}{inside}"), text))
}

fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// The files that bundled rule files refer to, and bundled games by name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundled;

impl Files for Bundled {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let found = match by.strip_prefix(PREFIX) {
            Some(by) => {
                let inside = resolve_relative(Path::new(by), file).to_string_lossy().replace('\\', "/");
                find(&format!("{PREFIX}{inside}"))
            }
            // A user's rule file may extend a bundled game.
            None => find(file).filter(|_| named(file)),
        };
        found.map(|(name, text)| (name, text.to_owned())).ok_or_else(|| "there is no such bundled file".to_owned())
    }
}

/// Whether a user's rule file may refer to it: a game or a variant.
fn named(file: &str) -> bool {
    let plain = file.strip_suffix(".rules").unwrap_or(file);
    mains().any(|(_, game)| game == plain) || variants().any(|variant| variant == plain)
}
