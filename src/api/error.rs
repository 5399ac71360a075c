//! Errors of the library: what is wrong, and what to do about it.

use std::error::Error;
use std::fmt;

use super::diagnostics::Diagnostics;
use super::why::Explanation;
#[cfg(feature = "files")]
use crate::files::FileError;
use crate::notation::NotationError;

/// Why rules could not be loaded. Its `Debug` text is for people too, since that is what a `main` that returns it prints.
#[non_exhaustive]
pub enum LoadError {
    /// No bundled game has that name.
    Unknown {
        /// The name.
        name: String,
        /// The names that exist.
        cure: String,
    },
    /// A file cannot be read.
    #[cfg(feature = "files")]
    File(FileError),
    /// The rules do not support the chosen setup.
    Setting {
        /// What they do not support.
        message: String,
        /// What they support.
        cure: String,
    },
    /// The rules have errors.
    Faults(Diagnostics),
}

impl LoadError {
    /// The reports, if the rules have errors.
    #[must_use]
    pub fn diagnostics(&self) -> Option<&Diagnostics> {
        match self {
            Self::Faults(found) => Some(found),
            #[cfg(feature = "files")]
            Self::File(_) => None,
            Self::Unknown { .. } | Self::Setting { .. } => None,
        }
    }

    /// What to do about it, unless the reports say so.
    #[must_use]
    pub fn cure(&self) -> Option<String> {
        match self {
            Self::Unknown { cure, .. } | Self::Setting { cure, .. } => Some(cure.clone()),
            #[cfg(feature = "files")]
            Self::File(error) => error.cure(),
            Self::Faults(_) => None,
        }
    }
}

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, cure } => helped(f, &format!("there is no bundled game `{name}`"), Some(cure)),
            #[cfg(feature = "files")]
            Self::File(error) => helped(f, &error.to_string(), error.cure().as_deref()),
            Self::Setting { message, cure } => helped(f, message, Some(cure)),
            Self::Faults(found) => write!(f, "the rules have errors\n{found}"),
        }
    }
}

impl Error for LoadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            #[cfg(feature = "files")]
            Self::File(error) => error.source(),
            Self::Unknown { .. } | Self::Setting { .. } | Self::Faults(_) => None,
        }
    }
}

/// Why a move could not be played. Its `Debug` text is the one for people.
#[derive(Clone)]
#[non_exhaustive]
pub enum PlayError {
    /// The text is not a move of this game.
    Text(NotationError),
    /// The move is not legal now; the explanation says why, and by which rules.
    Illegal(Explanation),
}

impl fmt::Debug for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => helped(f, &error.to_string(), error.cure().as_deref()),
            Self::Illegal(why) => write!(f, "{why}"),
        }
    }
}

impl Error for PlayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Text(error) => error.source(),
            Self::Illegal(_) => None,
        }
    }
}

/// Writes what is wrong and what to do about it.
fn helped(f: &mut fmt::Formatter<'_>, message: &str, cure: Option<&str>) -> fmt::Result {
    f.write_str(message)?;
    cure.map_or(Ok(()), |cure| write!(f, "\n  help: {cure}"))
}
