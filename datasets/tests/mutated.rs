//! Damaged files of every format end in a sentence or in finite points, never in a panic.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use datasets::files::{Missing, Reading, Table};
use embedding::{Error, MemoryLimit};
use testkit::Random;

/// Mutations of each file; times `FUZZ` in the environment for longer runs.
const MUTATIONS: usize = 4000;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn npy(descr: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': ({shape}), }}\n");
    let length = (text.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, text.as_bytes(), numbers].concat()
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let csv = b"id,a,\"b c\",label\n1,0.5,2e3,x\n2,-1,,y\n3,NA,7,x\n4,1.25,0,\"y\"\n".to_vec();
    let numbers: Vec<u8> = (0..12).flat_map(|i| f64::from(i).sqrt().to_le_bytes()).collect();
    let mtx =
        b"%%MatrixMarket matrix coordinate real general\n% a comment\n3 2 3\n1 1 0.5\n2 2 1e3\n3 1 -7\n";
    let idx = [&[0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2][..], &[1; 12]].concat();
    let archive = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/archive/two.npz"));
    let mut all = vec![
        ("packed csv", gzip(&csv)),
        ("csv", csv),
        ("npy", npy("<f8", "4, 3", &numbers)),
        ("npy of pictures", npy("|u1", "2, 3, 2, 3", &[7; 36])),
        ("mtx", mtx.to_vec()),
        ("packed idx", gzip(&idx)),
        ("idx", idx),
    ];
    all.push(("npz", archive.expect("a file of the tests")));
    all
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const PIECES: [&[u8]; 10] = [
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
        b"99999999999999999999",
        b"1e999",
        b"nan",
        b",",
        b"\"",
        b"\n",
        b"(), ",
        b"\xf0\x9f\x8c\x8d",
    ];
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] = random.below(256) as u8,
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes.truncate(at.max(1)),
        3 => {
            let end = (at + random.of(&[0, 1, 4])).min(bytes.len());
            bytes.splice(at..end, random.of(&PIECES).iter().copied());
        }
        _ => {
            let end = (at + 1 + random.below(8)).min(bytes.len());
            if end - at < bytes.len() {
                bytes.drain(at..end);
            }
        }
    }
}

fn reading(random: &mut Random) -> Reading {
    let name = |random: &mut Random| random.of(&["id", "label", "3", "0", "absent"]).to_owned();
    Reading {
        ignore: (0..random.below(2)).map(|_| name(random)).collect(),
        label_column: (random.below(3) == 0).then(|| name(random)),
        missing: random.of(&[Missing::Refuse, Missing::Drop, Missing::Mean]),
        standardize: random.below(4) == 0,
        memory: MemoryLimit::new(1_000_000),
        ..Reading::default()
    }
}

fn check(read: Result<Table, Error>) {
    match read {
        Ok(table) => {
            assert!(table.points.view().values().iter().all(|v| v.is_finite()));
            assert!(table.points.len() <= table.rows);
            assert!(table.labels.is_none_or(|labels| labels.values.len() == table.points.len()));
        }
        Err(error) => assert!(error.to_string().len() > 15, "{error}"),
    }
}

#[test]
fn damaged_files_are_refused_or_read() {
    let times = std::env::var("FUZZ").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut random = Random::new(0xf11e);
    let mut failed = Vec::new();
    std::panic::set_hook(Box::new(|_| {}));
    for (name, file) in files() {
        check(Reading::default().read_bytes(file.clone(), name));
        for number in 0..MUTATIONS * times {
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
