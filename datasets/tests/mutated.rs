//! Damaged files of every format end in a sentence or in finite points, never in a panic.

#[path = "common/damaged.rs"]
mod damaged;

use std::panic::{AssertUnwindSafe, catch_unwind};

use damaged::{check, files, mutate, reading, sparse};
use datasets::files::Reading;
use testkit::Random;

/// Mutations of each file; times `FUZZ` in the environment for longer runs.
const MUTATIONS: usize = 4000;

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

#[test]
fn damaged_files_are_refused_or_read() {
    let mut random = Random::new(0xf11e);
    let mut failed = Vec::new();
    std::panic::set_hook(Box::new(|_| {}));
    for (name, file) in files() {
        check(Reading::default().read_bytes(file.clone(), name));
        for number in 0..MUTATIONS * times() {
            let mut bytes = file.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut bytes, &mut random);
            }
            let reading = reading(&mut random);
            let run = || check(reading.read_bytes(bytes.clone(), name));
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
                failed.push(format!(
                    "{name}, mutation {number}: {text}\n{:?}",
                    String::from_utf8_lossy(&bytes)
                ));
            }
        }
    }
    let _ = std::panic::take_hook();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}
