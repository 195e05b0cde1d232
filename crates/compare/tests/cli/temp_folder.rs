//! A folder of its own for each test, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct TempFolder(TempDir);

impl TempFolder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    /// The program with the words of `line` as arguments, run here.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
        command.current_dir(self.0.path()).args(line.split_whitespace());
        command
    }

    /// Runs it, expecting success; what it printed.
    pub(crate) fn compare(&self, line: &str) -> String {
        let output = self.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs it, expecting a refusal with this exit status: a sentence on
    /// standard error that has every one of `parts`, nothing on standard
    /// output, no panic, and no file more or less than before. The sentence.
    pub(crate) fn refuses(&self, line: &str, status: i32, parts: &[&str]) -> String {
        let before = listing(self.0.path());
        let output = self.command(line).assert().code(status).get_output().clone();
        let sentence = String::from_utf8(output.stderr).unwrap();
        for part in parts {
            assert!(sentence.contains(part), "`{line}` must speak of `{part}`:\n{sentence}");
        }
        assert!(!sentence.contains("panicked"), "{sentence}");
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(listing(self.0.path()), before, "`{line}` left something behind");
        sentence
    }
}

/// Every file and folder below, with sizes.
pub(crate) fn listing(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(listing(&path));
            all.push((path, 0));
        } else {
            let size = fs::symlink_metadata(&path).unwrap().len();
            all.push((path, size));
        }
    }
    all.sort();
    all
}

/// A `.npy` file of 64-bit floats with the shape that its header claims.
pub(crate) fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}");
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}
