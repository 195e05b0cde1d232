//! The memory limit holds for the readers: what they take is measured by a counting
//! allocator. One test, so that nothing else is measured.

#[path = "common/counting.rs"]
mod counting;

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use counting::measured;
use datasets::files::{Categories, Reading, read_labels, read_points, read_sparse};
use embedding::{Error, MemoryLimit};

/// A file of these bytes and then zeros up to `length`, which take no place on most disks.
fn sparse(path: &Path, start: &[u8], length: u64) {
    let mut file = File::create(path).expect("a temporary folder can be written");
    file.write_all(start).expect("written");
    file.set_len(length).expect("a sparse file");
}

/// Bytes that readers take in addition to what they read.
const OVERHEAD: u64 = 200_000;

#[test]
fn readers_keep_to_the_memory_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let limit = 10_000_000;
    let memory = MemoryLimit::new(limit);

    // A header of 600 MB.
    let header = [&b"\x93NUMPY\x02\x00"[..], &600_000_000_u32.to_le_bytes(), b"{'descr': '<f8', "].concat();
    sparse(&path("header.npy"), &header, 700_000_000);
    let (refused, taken) = measured(|| read_points(&path("header.npy"), memory));
    let said = refused.expect_err("no array has such a header").to_string();
    assert!(said.contains("600000000 bytes long") && taken < OVERHEAD, "{taken} bytes: {said}");

    // 600 MB of pixels, and 2 MB of them, which are 18 MB with their numbers.
    for rows in [600_u32, 2] {
        let lengths = [rows, 1000, 1000].map(u32::to_be_bytes).concat();
        let start = [&[0, 0, 8, 3][..], &lengths].concat();
        sparse(&path("x-idx3-ubyte"), &start, 16 + u64::from(rows) * 1_000_000);
        let (refused, taken) = measured(|| read_points(&path("x-idx3-ubyte"), memory));
        assert!(matches!(refused, Err(Error::Memory { .. })), "{rows} rows");
        assert!(taken < limit.min(u64::from(rows) * 2_100_000) + OVERHEAD, "{rows} rows: {taken}");
    }

    // Numbers of one digit: four times as many bytes in memory as in the file.
    let text = "1,2,3,4,5,6,7,8,9,0\n".repeat(60_000);
    fs::write(path("x.csv"), &text).expect("written");
    fs::write(path("l.csv"), "7\n".repeat(300_000)).expect("written");
    for (name, labels) in [("x.csv", false), ("l.csv", true)] {
        let read = |bytes: u64| {
            let memory = MemoryLimit::new(bytes);
            let read = |path: &Path| match labels {
                true => read_labels(path, memory).map(|labels| labels.values.len()),
                false => read_points(path, memory).map(|table| table.points.len()),
            };
            measured(|| read(&path(name)))
        };
        let length = fs::metadata(path(name)).expect("written").len();
        let (refused, _) = read(length - 1);
        assert!(matches!(refused, Err(Error::Memory { needed, .. }) if needed == length), "{name}: the text");
        let (refused, taken) = read(4_000_000);
        let Err(Error::Memory { needed, .. }) = refused else { panic!("{name}: {refused:?}") };
        assert!(taken < 4_000_000 + OVERHEAD, "{name}: {taken} bytes");
        let (rows, taken) = read(needed);
        assert!(rows.is_ok(), "{name}: {rows:?}");
        let ratio = taken as f64 / needed as f64;
        assert!((0.75..1.25).contains(&ratio), "{name}: {taken} bytes, estimated {needed}");
    }

    wide_rows_keep_to_the_limit(folder.path());
    other_layouts_keep_to_the_limit(folder.path());

    // A header of 4 billion rows, and counts that no file of this length can hold.
    let banner = "%%MatrixMarket matrix coordinate real general\n";
    fs::write(path("x.mtx"), format!("{banner}4294967296 5 1\n1 1 1\n")).expect("written");
    let (refused, taken) = measured(|| read_sparse(&path("x.mtx"), memory));
    assert!(matches!(refused, Err(Error::Memory { needed, .. }) if needed > 60_000_000_000), "{refused:?}");
    assert!(taken < OVERHEAD, "{taken}");
    fs::write(path("x.mtx"), format!("{banner}5 5 4000000000\n1 1 1\n")).expect("written");
    let (refused, taken) = measured(|| read_sparse(&path("x.mtx"), memory));
    assert!(refused.expect_err("truncated").to_string().contains("holds 1; it is truncated"));
    assert!(taken < OVERHEAD, "{taken}");

    // Sparse rows: the text, and entries that are sorted.
    let (rows, each) = (20_000, 10);
    let entry = |i: usize| format!("{} {} 1\n", i / each + 1, i % each + 1);
    let entries: String = (0..rows * each).map(entry).collect();
    fs::write(path("x.mtx"), format!("{banner}{rows} {each} {}\n{entries}", rows * each)).expect("written");
    let read = |bytes: u64| measured(|| read_sparse(&path("x.mtx"), MemoryLimit::new(bytes)));
    let (refused, taken) = read(6_000_000);
    let Err(Error::Memory { needed, .. }) = refused else { panic!("{refused:?}") };
    assert!(taken < 6_000_000 + OVERHEAD, "{taken} bytes");
    let (points, taken) = read(needed);
    assert!(points.is_ok_and(|points| points.is_some()));
    let ratio = taken as f64 / needed as f64;
    assert!((0.75..1.25).contains(&ratio), "sparse rows: {taken} bytes, estimated {needed}");

    // All entries of a matrix: a number for each line, and no more. Such a file holds no sparse rows, as its
    // first line states.
    let numbers = "7\n".repeat(400_000);
    let dense = format!("%%MatrixMarket matrix array real general\n40000 10\n{numbers}");
    fs::write(path("x.mtx"), &dense).expect("written");
    let (points, taken) = measured(|| read_points(&path("x.mtx"), memory));
    assert!(points.is_ok(), "{points:?}");
    assert!(taken < dense.len() as u64 + 8 * 400_000 + OVERHEAD, "all entries: {taken} bytes");
    let (none, taken) = measured(|| read_sparse(&path("x.mtx"), memory));
    assert!(matches!(none, Ok(None)) && taken < OVERHEAD, "{taken} bytes: {none:?}");
}

/// Rows of many cells, as one of a file of pictures or of genes: no row is held in addition to its numbers.
fn wide_rows_keep_to_the_limit(folder: &Path) {
    let row = "7,".repeat(499_999) + "7\n";
    let names = (0..50_000).map(|column| format!("c{column}")).collect::<Vec<_>>().join(",");
    let numbers = "7,".repeat(49_999) + "7\n";
    let long = format!("1,2,\"{}\"\n", "x".repeat(3_000_000));
    // The points, the names of the columns, or the longest cell exceed the limit.
    for (name, text, limit) in [
        ("one-row.csv", row.clone(), 1_500_000),
        ("two-rows.csv", row.repeat(2), 5_000_000),
        ("header.csv", format!("{names}\n{}", numbers.repeat(2)), 2_000_000),
        ("cell.csv", long, 4_000_000),
    ] {
        let path = folder.join(name);
        fs::write(&path, &text).expect("written");
        let read = |bytes: u64| measured(|| read_points(&path, MemoryLimit::new(bytes)));
        let (refused, taken) = read(limit);
        let Err(Error::Memory { needed, .. }) = refused else { panic!("{name}: {refused:?}") };
        assert!(needed > limit && taken < limit + OVERHEAD, "{name}: {taken} bytes, estimated {needed}");
        if name == "cell.csv" {
            continue;
        }
        let (table, taken) = read(needed);
        assert!(table.is_ok(), "{name}: {table:?}");
        let ratio = taken as f64 / needed as f64;
        assert!((0.75..1.25).contains(&ratio), "{name}: {taken} bytes, estimated {needed}");
    }
    // Labels are one column: a file that has more is refused before its first row is held.
    let path = folder.join("one-row.csv");
    let (refused, taken) = measured(|| read_labels(&path, MemoryLimit::new(3_000_000)));
    let said = refused.expect_err("a row is no column").to_string();
    assert!(said.contains("500000 cells") && taken < 3_000_000 + OVERHEAD, "{taken} bytes: {said}");
}

/// JSON lines, tables with a column per point, and categories: they take at most what they estimate.
fn other_layouts_keep_to_the_limit(folder: &Path) {
    let objects = "{\"x\": [1, 2, 3, 4, 5], \"y\": 0.25}\n".repeat(10_000);
    let lists = "[1,2,3,4,5,6,7,8,9,0]\n".repeat(10_000);
    let numbers = "1,2,3,4,5,6,7,8,9,0\n".repeat(10_000);
    let words = "1,a\n2,b\n3,c\n4,d\n".repeat(10_000);
    let (transpose, categories) = (true, Categories::Indicators);
    for (name, text, reading) in [
        ("objects.jsonl", objects, Reading::default()),
        ("lists.jsonl", lists, Reading::default()),
        ("turned.csv", numbers, Reading { transpose, ..Reading::default() }),
        ("words.csv", words, Reading { categories, ..Reading::default() }),
    ] {
        let path = folder.join(name);
        fs::write(&path, &text).expect("written");
        let read = |bytes: u64| {
            measured(|| Reading { memory: MemoryLimit::new(bytes), ..reading.clone() }.read(&path))
        };
        let mut allowed = text.len() as u64;
        let mut taken = 0;
        // Each stage estimates what it needs.
        for _ in 0..9 {
            let (table, most) = read(allowed);
            taken = most;
            assert!(taken < allowed + OVERHEAD, "{name}: {taken} bytes, {allowed} are allowed");
            match table {
                Ok(_) => break,
                Err(Error::Memory { needed, .. }) => allowed = needed.max(allowed + 1),
                Err(other) => panic!("{name}: {other}"),
            }
        }
        assert!(read(allowed).0.is_ok() && allowed < 5 * taken, "{name}: {taken} bytes, estimated {allowed}");
    }
}
