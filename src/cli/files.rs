//! Files: the only place that touches the disk, and the games that come along.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::exit::{Exit, Failure};
use crate::base::nearest;
use crate::load::Files;

/// The files of the shipped games by their path under `rules/`.
const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// How the name of a shipped file begins.
pub(super) const MARK: &str = "shipped:";

/// A longer file is not read: 64 MiB.
const MAX_FILE: u64 = 1 << 26;

/// The names of the shipped games.
#[must_use]
pub fn shipped_games() -> Vec<&'static str> {
    let game = |path: &'static str| {
        let (folder, file) = path.split_once('/')?;
        (file.strip_suffix(".rules") == Some(folder)).then_some(folder)
    };
    SHIPPED.iter().filter_map(|(path, _)| game(path)).collect()
}

/// The shipped rule files that extend others, such as `GAME/variants/NAME`.
fn shipped_variants() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().filter_map(|(path, _)| path.strip_suffix(".rules")).filter(|path| path.matches('/').count() == 2)
}

/// Whether a file found by [`find_rules`] is one of those that come along.
pub(super) fn is_shipped(name: &str) -> bool {
    name.starts_with(MARK)
}

fn shipped(path: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// A rule file by its path or by the name of a shipped game: how it is called,
/// and its text.
///
/// # Errors
/// If there is no such file or game, or it cannot be read.
pub fn find_rules(what: &str) -> Result<(String, String), Failure> {
    if let Some(text) = what.strip_prefix(MARK).and_then(shipped) {
        return Ok((what.to_owned(), text.to_owned()));
    }
    let plain = what.strip_suffix(".rules").unwrap_or(what);
    let inside = if plain.contains('/') { format!("{plain}.rules") } else { format!("{plain}/{plain}.rules") };
    if let Some(text) = shipped(&inside).filter(|_| !Path::new(what).is_file()) {
        return Ok((format!("{MARK}{inside}"), text.to_owned()));
    }
    let path = Path::new(what);
    if path.is_dir() {
        let folder =
            path.canonicalize().ok().and_then(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
        let inside = path.join(format!("{}.rules", folder.unwrap_or_default()));
        if inside.is_file() {
            return Ok((inside.display().to_string(), read_text(&inside)?));
        }
        let message = format!("`{what}` is a folder without a rule file `{}`", inside.display());
        return Err(Failure::new(Exit::Missing, message).cure("name the rule file itself"));
    }
    if path.exists() {
        return Ok((what.to_owned(), read_text(path)?));
    }
    let games = shipped_games();
    let mut names = games.clone();
    names.extend(shipped_variants());
    let near = nearest(what, names).map(|near| format!("did you mean `{near}`? "));
    let list = format!("{}these games come along: {}", near.unwrap_or_default(), games.join(", "));
    Err(Failure::new(Exit::Missing, format!("there is no file and no game `{what}`")).cure(list))
}

/// Reads a text file.
///
/// # Errors
/// If it is not there, is too long or is no text.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    let failed = |why: String| Failure::new(Exit::Missing, format!("`{}` cannot be read: {why}", path.display()));
    let length = fs::metadata(path).map_err(|error| failed(error.to_string()))?.len();
    if length > MAX_FILE {
        return Err(failed(format!("it has {length} bytes, and more than {MAX_FILE} are not read")));
    }
    // A device has no length; no more is read than may be.
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|error| failed(error.to_string()))?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(failed(format!("it has more than {MAX_FILE} bytes, and no more are read")));
    }
    String::from_utf8(bytes).map_err(|error| {
        failed(format!("byte {} is no UTF-8", error.utf8_error().valid_up_to())).cure("save the file as UTF-8")
    })
}

/// Makes a folder and those above it.
///
/// # Errors
/// If it cannot be made.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| {
        Failure::new(Exit::Missing, format!("the folder `{}` cannot be made: {error}", path.display()))
    })
}

/// Writes a text file.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|error| Failure::new(Exit::Missing, format!("`{}` cannot be written: {error}", path.display())))
}

/// The files with an ending under a path, in order; the path itself if it is a file.
///
/// # Errors
/// If the path is not there or cannot be listed.
pub(super) fn walk(path: &Path, ending: &str) -> Result<Vec<PathBuf>, Failure> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in list(path)? {
        if entry.is_dir() {
            found.extend(walk(&entry, ending)?);
        } else if entry.extension().is_some_and(|end| end == ending) {
            found.push(entry);
        }
    }
    Ok(found)
}

/// What lies in a folder, in order.
///
/// # Errors
/// If it is not there or cannot be listed.
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

/// The files with an ending under a folder, among its first so many entries. Hidden
/// folders, links and what cannot be read are passed over.
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

/// The files that rule files name: beside them on the disk, or shipped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Library;

impl Files for Library {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        if let Some(by) = by.strip_prefix(MARK) {
            let path = beside(Path::new(by), file);
            let inside = path.to_string_lossy().replace('\\', "/");
            return match shipped(&inside) {
                Some(text) => Ok((format!("{MARK}{inside}"), text.to_owned())),
                None => Err("no such file comes along".to_owned()),
            };
        }
        let path = beside(Path::new(by), file);
        if !path.exists() {
            // A rule file of one's own may extend a game that comes along.
            let plain = file.strip_suffix(".rules").unwrap_or(file);
            if shipped_games().contains(&plain) || shipped_variants().any(|variant| variant == plain) {
                return find_rules(plain).map_err(|failure| failure.message);
            }
        }
        match read_text(&path) {
            Ok(text) => Ok((path.display().to_string(), text)),
            Err(failure) => Err(failure.message),
        }
    }
}

/// What shows that a file was written: when, and how long it is. None if it is not there.
pub(super) type Stamp = Option<(std::time::SystemTime, u64)>;

/// The stamp of a file or folder.
pub(super) fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Whether two paths lead to the same file.
pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

/// The path of a file named in another one, `..` resolved.
pub(super) fn beside(by: &Path, file: &str) -> PathBuf {
    let mut path = by.parent().map(Path::to_owned).unwrap_or_default();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::CurDir => {}
            part @ (Component::ParentDir | Component::Normal(_)) => path.push(part),
            part @ (Component::Prefix(_) | Component::RootDir) => path = PathBuf::from(part.as_os_str()),
        }
    }
    path
}
