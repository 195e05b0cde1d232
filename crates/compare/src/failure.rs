//! Why a command did not do what it was asked.

use embedding::Error;

/// The exit status of an interrupted program, as shells count it: 128 and the
/// number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;

/// What went wrong, by whose hand.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The command line cannot be understood: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// A method or the data failed: exit status 1.
    #[error(transparent)]
    Failed(#[from] Error),
    /// The user interrupted a run before there was anything to keep: exit status
    /// 130.
    #[error("interrupted before any method had finished; nothing was written")]
    Interrupted,
}

impl Failure {
    /// A command line that cannot be understood.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self::Usage(sentence.into())
    }

    /// The exit status of a program that ends so.
    pub fn status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
            Self::Interrupted => INTERRUPTED,
        }
    }
}
