//! Exit codes and failures.

use std::process::ExitCode;

use crate::api::LoadError;
use crate::files::FileError;
use crate::notation::NotationError;

/// The exit codes. They are part of the command-line contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: success.
    Done,
    /// 1: something is wrong with the input: a rule file with errors, a refused move, a position or record that does
    /// not fit, a failed case, a violated invariant.
    Faults,
    /// 2: the command line is wrong: an unknown flag, or a number of players, variant, reading or option that the
    /// game does not support.
    Usage,
    /// 3: a file or game does not exist, or cannot be read or written.
    Missing,
    /// 4: a limit stopped the work: the step budget, or the cap on a game.
    Limit,
}

impl Exit {
    /// The number passed to the shell.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Faults => 1,
            Self::Usage => 2,
            Self::Missing => 3,
            Self::Limit => 4,
        }
    }

    /// As the exit code of the process.
    #[must_use]
    pub fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }
}

/// Why a command failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub cure: Option<String>,
}

impl Failure {
    /// A failure without a cure.
    #[must_use]
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), cure: None }
    }

    /// Sets what to do about it.
    #[must_use]
    pub fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = Some(cure.into());
        self
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Self {
        Self { exit: Exit::Faults, message: error.to_string(), cure: error.cure() }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::File(error) => error.into(),
            LoadError::Setting { message, cure } => Self::new(Exit::Usage, message).cure(cure),
            LoadError::Unknown { name, cure } => {
                Self::new(Exit::Missing, format!("there is no bundled game `{name}`")).cure(cure)
            }
            LoadError::Faults(found) => Self::new(Exit::Faults, found.to_string()),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self { exit: Exit::Missing, message: error.to_string(), cure: error.cure() }
    }
}
