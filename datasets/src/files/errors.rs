//! Failures that name the file.

use std::io;
use std::path::Path;

use embedding::{Error, MemoryLimit, Remedy};

/// What is wrong with a file, and what to try.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) what: String,
    pub(super) advice: Option<String>,
    pub(super) remedy: Option<Remedy>,
}

impl Problem {
    /// A problem with advice. A program may have better advice where the remedy is an option of reading.
    pub(super) fn new(what: String, advice: impl Into<String>, remedy: impl Into<Option<Remedy>>) -> Self {
        Self { what, advice: Some(advice.into()), remedy: remedy.into() }
    }

    /// The error for the file.
    pub(super) fn in_file(self, path: &Path) -> Error {
        let Self { what: problem, advice, remedy } = self;
        Error::File { path: path.display().to_string(), problem, advice, remedy }
    }
}

impl From<String> for Problem {
    fn from(what: String) -> Self {
        Self { what, advice: None, remedy: None }
    }
}

/// Fails where `stage` of a file exceeds the limit.
pub(super) fn allow(
    memory: MemoryLimit,
    path: &Path,
    stage: &'static str,
    needed: u64,
    advice: &'static str,
) -> Result<(), Error> {
    memory.allow(stage, needed, advice).map_err(|error| named(error, path))
}

/// The error with the file that it is about.
pub(super) fn named(error: Error, path: &Path) -> Error {
    match error {
        Error::Memory { stage, needed, allowed, advice } => {
            Error::Memory { stage: format!("{}: {stage}", path.display()).into(), needed, allowed, advice }
        }
        Error::File { .. } => error,
        other => Error::file(path.display(), other),
    }
}

/// An input-output error in words, with what to try.
pub(super) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "permission denied; choose another place or change the permissions".to_owned()
        }
        io::ErrorKind::NotADirectory => "a part of the path is not a folder".to_owned(),
        _ => error.to_string(),
    }
}
