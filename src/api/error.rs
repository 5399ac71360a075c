//! What can go wrong, and what to do about it.

use std::error::Error;
use std::fmt;

use super::diagnostics::Diagnostics;
use super::why::Explanation;
#[cfg(feature = "files")]
use crate::files::FileError;
use crate::notation::NotationError;

/// Why rules cannot be had.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// No bundled game has that name.
    Unknown {
        /// The name.
        name: String,
        /// Which there are.
        cure: String,
    },
    /// A file cannot be read.
    #[cfg(feature = "files")]
    File(FileError),
    /// The rules do not offer what was settled.
    Setting {
        /// What they do not offer.
        message: String,
        /// What they do.
        cure: String,
    },
    /// The rules have faults.
    Faults(Diagnostics),
}

impl LoadError {
    /// What was found in the rules, if they have faults.
    #[must_use]
    pub fn diagnostics(&self) -> Option<&Diagnostics> {
        match self {
            Self::Faults(found) => Some(found),
            #[cfg(feature = "files")]
            Self::File(_) => None,
            Self::Unknown { .. } | Self::Setting { .. } => None,
        }
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

/// Why something cannot be played.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PlayError {
    /// The text is no move of this game.
    Text(NotationError),
    /// It is not legal now: why, and by which rules.
    Illegal(Explanation),
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

/// What is wrong, and what to do about it.
fn helped(f: &mut fmt::Formatter<'_>, message: &str, cure: Option<&str>) -> fmt::Result {
    f.write_str(message)?;
    cure.map_or(Ok(()), |cure| write!(f, "\n  help: {cure}"))
}
