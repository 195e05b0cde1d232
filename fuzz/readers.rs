//! Any bytes as a file of points or of labels are refused with a sentence or read, within the memory limit.
//! Files that are read by path only (sparse points, graphs, pictures) have the target `stored`.
#![no_main]

#[path = "../datasets/tests/common/counting.rs"]
mod counting;
#[path = "../datasets/tests/common/damaged.rs"]
mod damaged;
mod mutation;

use counting::measured;
use damaged::{LIMIT, check, files, mutate, reading, sparse};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mutation::Form;
use testkit::Random;

/// Bytes of options before the file.
const OPTIONS: usize = 20;

const FORM: Form = Form {
    choices: OPTIONS,
    sound: |random| {
        let mut input: Vec<u8> = (0..OPTIONS).map(|_| random.below(256) as u8).collect();
        let files = files();
        input.extend(&files[random.below(files.len())].1);
        input
    },
    change: mutate,
};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    FORM.mutate(data, size, max_size, seed)
});

fuzz_target!(|input: &[u8]| {
    let Some((options, file)) = input.split_at_checked(OPTIONS) else { return };
    let mut random = Random::of_bytes(options);
    let reading = reading(&mut random);
    let kind = random.below(8);
    let file = if kind == 0 { sparse(file, &mut random) } else { file.to_vec() };
    let length = file.len() as u64;
    let ((), taken) = measured(|| {
        check(if kind == 1 {
            let table = reading.read_bytes(b"1\n2\n4\n3\n".to_vec(), "points");
            table.and_then(|mut table| reading.label_bytes(&mut table, file, "labels").map(|()| table))
        } else {
            reading.read_bytes(file, "points")
        });
    });
    // The file itself, and a copy of the points that are standardized, are not counted.
    let most = length + 3 * LIMIT;
    assert!(taken < most, "{taken} bytes, more than {most}");
});
