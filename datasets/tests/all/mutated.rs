//! Damaged files of every format end in a sentence or in finite points, never in a panic.

use crate::damaged;
use crate::stored;

use std::panic::{AssertUnwindSafe, catch_unwind};

use damaged::{check, files, mutate, reading, sparse};
use datasets::files::Reading;
use stored::{Reader, change, check_stored};
use testkit::Random;

/// Mutations of each file; times `FUZZ` in the environment for longer runs.
const MUTATIONS: usize = 4000;
/// Mutations of each file that is read by its path.
const MUTATIONS_ON_DISK: usize = 500;

fn times() -> usize {
    std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

#[test]
fn sparse_matrices_of_any_numbers_are_refused_or_read() {
    let mut random = Random::new(0x5ba);
    let mut read = 0;
    for number in 0..MUTATIONS * times() {
        // Small numbers more often than others.
        let most = if number % 2 == 0 { 4 } else { 256 };
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.below(most) as u8).collect();
        let file = sparse(&bytes, &mut random);
        let table = reading(&mut random).read_bytes(file, "sparse npz");
        read += usize::from(table.is_ok());
        check(table);
    }
    assert!(read > MUTATIONS / 100, "only {read} are read");
}

/// The message of a reader that panics on a file.
fn panic_of(name: &str, number: usize, bytes: &[u8], run: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(run)).err()?;
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
    Some(format!("{name}, mutation {number}: {text}\n{:?}", String::from_utf8_lossy(bytes)))
}

#[test]
fn damaged_files_are_refused_or_read() {
    let mut random = Random::new(0xf11e);
    let mut failed = Vec::new();
    for (name, file) in files() {
        check(Reading::default().read_bytes(file.clone(), name));
        for number in 0..MUTATIONS * times() {
            let mut bytes = file.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut bytes, &mut random);
            }
            let reading = reading(&mut random);
            let run = || check(reading.read_bytes(bytes.clone(), name));
            failed.extend(panic_of(name, number, &bytes, run));
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Pictures, sparse points and graphs, which have readers of their own.
#[test]
fn damaged_files_on_disk_are_refused_or_read() {
    let mut random = Random::new(0xd15c);
    let (mut failed, mut read) = (Vec::new(), 0);
    for (reader, name, file) in stored::stored() {
        // A file whose reader panics stays in its folder.
        let folder = tempfile::tempdir().expect("a folder");
        assert!(check_stored(folder.path(), &(reader, name, file.clone()), &mut random), "{name} is sound");
        for number in 0..MUTATIONS_ON_DISK * times() {
            let mut bytes = file.clone();
            (0..=random.below(3)).for_each(|_| change(&mut bytes, &mut random));
            let damaged = (reader, name, bytes.clone());
            let run = || read += usize::from(check_stored(folder.path(), &damaged, &mut random));
            failed.extend(panic_of(name, number, &bytes, run));
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(read > MUTATIONS_ON_DISK, "only {read} are read");
}

#[test]
fn sparse_files_of_any_numbers_are_refused_or_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random::new(0x5bad);
    let mut read = 0;
    for number in 0..2 * MUTATIONS_ON_DISK * times() {
        let most = if number % 2 == 0 { 4 } else { 256 };
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.below(most) as u8).collect();
        let reader = random.of(&[Reader::Sparse, Reader::Graph]);
        let file = (reader, "numbers.npz", sparse(&bytes, &mut random));
        read += usize::from(check_stored(folder.path(), &file, &mut random));
    }
    assert!(read > MUTATIONS_ON_DISK / 50, "only {read} are read");
}
