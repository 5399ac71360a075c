//! Rule files on disk and the bundled ones, as one library.
//!
//! **Invariant:** reads and never writes; reads nothing but what it is asked for.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::base::{nearest, resolve_relative};
use crate::bundled::{self, Bundled, is_bundled};
use crate::load::Files;

/// The maximum length of a file: 64 MiB.
const MAX_FILE: u64 = 1 << 26;

/// Why a file is not available.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// There is neither a file nor a bundled game with that name.
    #[error("there is no file or game `{0}`")]
    Missing(String),
    /// A folder contains no rule file of its own name.
    #[error("`{}` is a folder that does not contain a rule file `{}`", folder.display(), file.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The file that is missing.
        file: PathBuf,
    },
    /// It does not exist, or the system refuses access.
    #[error("`{}` cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// It has this many bytes.
    #[error("`{}` cannot be read: it has {length} bytes; the limit is {MAX_FILE}", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        length: u64,
    },
    /// It is a pipe, a socket or a device, which may keep a reader waiting for ever.
    #[error("`{}` cannot be read: it is no regular file", .0.display())]
    Special(PathBuf),
    /// It is not a text file.
    #[error("`{}` cannot be read: byte {byte} is not valid UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The offset of the first invalid byte.
        byte: usize,
    },
}

impl FileError {
    /// What to do about it.
    #[must_use]
    pub fn cure(&self) -> Option<String> {
        match self {
            Self::Missing(what) => Some(bundled::suggest(what)),
            Self::Folder { .. } => Some("name the rule file itself".to_owned()),
            Self::NotText { .. } => Some("save the file as UTF-8".to_owned()),
            Self::Special(_) => Some("write its contents to a file first".to_owned()),
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Some("look whether it is spelled so, and in which folder it is".to_owned())
            }
            Self::Unreadable { source, .. } => Some(remedy(source.kind()).to_owned()),
            Self::TooLong { .. } => Some("split it into several files".to_owned()),
        }
    }
}

/// What to do about a file that cannot be read or written.
#[must_use]
pub(crate) fn remedy(kind: io::ErrorKind) -> &'static str {
    use io::ErrorKind as Kind;
    if kind == Kind::IsADirectory {
        "name a file in it"
    } else if kind == Kind::PermissionDenied || kind == Kind::ReadOnlyFilesystem {
        "ask for access to it, or name another file"
    } else if matches!(kind, Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge) {
        "make room, or name a file on another disk"
    } else if kind == Kind::NotFound || kind == Kind::NotADirectory {
        "make its folder first, or name another file"
    } else {
        "name another file"
    }
}

/// A rule file by its path or by the name of a bundled game: its name and text.
///
/// # Errors
/// If there is no such file or game, or it cannot be read.
pub fn find_rules(what: &str) -> Result<(String, String), FileError> {
    let path = Path::new(what);
    if let Some((name, text)) = bundled::find(what).filter(|_| is_bundled(what) || !path.is_file()) {
        return Ok((name, text.to_owned()));
    }
    if path.is_dir() {
        let folder =
            path.canonicalize().ok().and_then(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
        let file = path.join(format!("{}.rules", folder.unwrap_or_default()));
        if file.is_file() {
            return Ok((file.display().to_string(), read_text(&file)?));
        }
        return Err(FileError::Folder { folder: path.to_owned(), file });
    }
    if path.exists() { Ok((what.to_owned(), read_text(path)?)) } else { Err(FileError::Missing(what.to_owned())) }
}

/// Reads a text file.
///
/// # Errors
/// If it does not exist, is too long or is not a text file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let failed = |source: io::Error| FileError::Unreadable { path: path.to_owned(), source };
    let data = fs::metadata(path).map_err(failed)?;
    if data.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if !data.is_file() {
        return Err(FileError::Special(path.to_owned()));
    }
    let too_long = |length| FileError::TooLong { path: path.to_owned(), length };
    if data.len() > MAX_FILE {
        return Err(too_long(data.len()));
    }
    // It may be growing.
    let mut bytes = Vec::new();
    fs::File::open(path).map_err(failed)?.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_long(bytes.len() as u64));
    }
    String::from_utf8(bytes)
        .map_err(|error| FileError::NotText { path: path.to_owned(), byte: error.utf8_error().valid_up_to() })
}

/// The files that rule files refer to: relative to them on disk, or bundled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Library;

/// That a file is not there, with the bundled game that may be meant.
fn missing(file: &str) -> String {
    let plain = file.strip_suffix(".rules").unwrap_or(file);
    let named = plain.to_lowercase().replace([' ', '_'], "-");
    let near = bundled::all().into_iter().find(|game| *game == named).or_else(|| nearest(&named, bundled::all()));
    match near.filter(|_| !plain.contains(['/', '.'])) {
        Some(near) => format!("there is no such file, nor a bundled game of that name; did you mean `{near}`?"),
        None => "there is no such file".to_owned(),
    }
}

impl Files for Library {
    fn read(&self, by: &str, file: &str) -> Result<(String, String), String> {
        let path = resolve_relative(Path::new(by), file);
        // A folder of that name hides no game.
        if is_bundled(by) || !path.exists() || path.is_dir() {
            let found = Bundled.read(by, file);
            if is_bundled(by) || found.is_ok() {
                return found;
            }
        }
        if !path.exists() {
            return Err(missing(file));
        }
        match read_text(&path) {
            Ok(text) => Ok((path.display().to_string(), text)),
            Err(error) => Err(error.to_string()),
        }
    }
}
