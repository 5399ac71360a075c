//! Files and folders: all writing, and searching in folders.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};

/// Creates a folder and its parents.
///
/// # Errors
/// If it cannot be created.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| {
        Failure::new(Exit::Missing, format!("the folder `{}` cannot be created: {error}", path.display()))
    })
}

/// The files with one of these extensions under a path, in order; the path itself if it is not a folder. Links within the folder
/// are not followed: they may lead in a circle, or out of what was named.
///
/// # Errors
/// If the path does not exist or cannot be listed.
pub(super) fn walk(path: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    if path.exists() && !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in list(path)? {
        let Ok(kind) = fs::symlink_metadata(&entry).map(|data| data.file_type()) else { continue };
        if kind.is_dir() {
            found.extend(walk(&entry, endings)?);
        } else if kind.is_file() && entry.extension().is_some_and(|end| endings.iter().any(|ending| end == *ending)) {
            found.push(entry);
        }
    }
    Ok(found)
}

/// The contents of a folder, in order.
///
/// # Errors
/// If it does not exist or cannot be listed.
pub(super) fn list(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed =
        |error: std::io::Error| Failure::new(Exit::Missing, format!("`{}` cannot be listed: {error}", path.display()));
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    Ok(entries)
}

/// The files with an extension under a folder, visiting at most this many entries. Hidden folders, links and
/// unreadable entries are skipped.
#[cfg(feature = "lsp")]
pub(super) fn walk_within(folder: &Path, ending: &str, entries: usize) -> Vec<PathBuf> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![folder.to_owned()], 0);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > entries {
                return found;
            }
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !hidden => open.push(entry.path()),
                Ok(kind) if kind.is_file() && entry.path().extension().is_some_and(|end| end == ending) => {
                    found.push(entry.path());
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// What changes when a file is written: its time and length. None if it does not exist.
pub(super) type Stamp = Option<(std::time::SystemTime, u64)>;

/// The stamp of a file or folder.
pub(super) fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Whether two paths refer to the same file.
pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}
