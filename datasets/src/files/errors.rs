//! Failures that name the file.

use std::io;
use std::path::Path;

use embedding::{Error, MemoryLimit};

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
