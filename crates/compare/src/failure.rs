//! Failures of a command, with their exit status.

use embedding::Error;

/// The exit status of an interrupted program, as shells count it: 128 and the
/// number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

/// The failure of a command.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Failure {
    /// Invalid command line: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// Failure of a method or of data: exit status 1.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The user interrupted a run before there was anything to keep: exit status
    /// 130.
    #[error("interrupted before any method had finished; nothing was written")]
    Interrupted,
}

impl Failure {
    /// Creates a usage error.
    pub(crate) fn usage(sentence: impl Into<String>) -> Self {
        Self::Usage(sentence.into())
    }

    /// Returns the exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
            Self::Interrupted => INTERRUPTED,
        }
    }
}
