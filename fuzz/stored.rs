//! Any bytes as a picture, as sparse points or as a graph are refused with a sentence or read. These files
//! are read by path; the file of each run is in the folder for temporary files.
#![no_main]

#[path = "../datasets/tests/common/damaged.rs"]
#[expect(dead_code, reason = "its changes are used, not its files")]
mod damaged;
mod mutation;
#[path = "../datasets/tests/common/stored.rs"]
mod stored;

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mutation::Form;
use stored::{change, check_stored, stored};
use tempfile::TempDir;
use testkit::Random;

/// A byte for the kind of file, and the bytes of options.
const CHOICES: usize = 3;

const FORM: Form = Form {
    choices: CHOICES,
    sound: |random| {
        let files = stored();
        let which = random.below(files.len());
        let mut input = vec![which as u8, random.below(256) as u8, random.below(256) as u8];
        input.extend(&files[which].2);
        input
    },
    change,
};

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
static KINDS: LazyLock<Vec<stored::Stored>> = LazyLock::new(stored);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    FORM.mutate(data, size, max_size, seed)
});

fuzz_target!(|input: &[u8]| {
    let Some((options, file)) = input.split_at_checked(CHOICES) else { return };
    let (reader, name, _) = &KINDS[usize::from(options[0]) % KINDS.len()];
    let mut random = Random::of_bytes(&options[1..]);
    check_stored(FOLDER.path(), &(*reader, name, file.to_vec()), &mut random);
});
