//! Reads files of the tests with options, or returns their refusal.

use std::error::Error as StdError;
use std::fs;

use datasets::files::{Reading, Table};
use embedding::Error;

pub(crate) type Outcome = Result<(), Box<dyn StdError>>;

/// A file of this name and content, by these options.
pub(crate) fn read(reading: &Reading, name: &str, content: impl AsRef<[u8]>) -> Result<Table, Error> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a temporary folder can be written");
    reading.read(&path)
}

pub(crate) fn plain() -> Reading {
    Reading::default()
}

/// The sentence with which a file is refused.
pub(crate) fn refusal(reading: &Reading, name: &str, content: impl AsRef<[u8]>) -> String {
    match read(reading, name, content) {
        Err(Error::File { problem, advice, .. }) => {
            advice.map_or(problem.clone(), |advice| format!("{problem}; {advice}"))
        }
        other => panic!("expected Error::File, got {other:?}"),
    }
}
