//! IDX files are read, plain and packed; files with a wrong header are refused before anything is allocated
//! for them.

use std::error::Error as StdError;
use std::fs;
use std::io::Write;
use std::path::Path;

use datasets::files::{read_labels, read_points, write_points};
use datasets::{Request, load};
use embedding::{Error, MemoryLimit, Points};
use flate2::Compression;
use flate2::write::GzEncoder;

type Outcome = Result<(), Box<dyn StdError>>;

fn idx(code: u8, shape: &[u32], numbers: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, code, shape.len() as u8];
    shape.iter().for_each(|length| bytes.extend(length.to_be_bytes()));
    bytes.extend(numbers);
    bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("a vector can be written")
}

fn refusal(path: &Path) -> String {
    read_points(path, MemoryLimit::default()).expect_err("the file is malformed").to_string()
}

#[test]
fn every_element_type_is_read_plain_and_packed() -> Outcome {
    let folder = tempfile::tempdir()?;
    let both = |a: &[u8], b: &[u8]| [a, b].concat();
    let cases = [
        (0x08, vec![5, 255], [5.0, 255.0]),
        (0x09, vec![5, 255], [5.0, -1.0]),
        (0x0b, both(&300_i16.to_be_bytes(), &(-2_i16).to_be_bytes()), [300.0, -2.0]),
        (0x0c, both(&70000_i32.to_be_bytes(), &(-2_i32).to_be_bytes()), [70000.0, -2.0]),
        (0x0d, both(&1.5_f32.to_be_bytes(), &(-2.0_f32).to_be_bytes()), [1.5, -2.0]),
        (0x0e, both(&0.1_f64.to_be_bytes(), &(-2.0_f64).to_be_bytes()), [0.1, -2.0]),
    ];
    for (code, numbers, expected) in cases {
        let plain = idx(code, &[2, 1], &numbers);
        for (name, bytes) in [("x.idx", plain.clone()), ("x-idx2-ubyte.gz", gzip(&plain))] {
            let path = folder.path().join(name);
            fs::write(&path, bytes)?;
            let read = read_points(&path, MemoryLimit::default())?;
            assert_eq!(read.points.view().values(), expected, "{code:#x} {name}");
            assert_eq!((read.points.len(), read.points.dim()), (2, 1));
        }
    }
    Ok(())
}

#[test]
fn pictures_keep_their_shape_and_labels_become_classes() -> Outcome {
    let folder = tempfile::tempdir()?;
    let images = folder.path().join("t10k-images-idx3-ubyte.gz");
    fs::write(&images, gzip(&idx(8, &[2, 2, 3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])))?;
    let read = read_points(&images, MemoryLimit::default())?;
    let shape = read.images.ok_or("a picture has a shape")?;
    assert_eq!((shape.height, shape.width, shape.channels, shape.white), (2, 3, 1, 255.0));
    assert_eq!(read.points.view().row(1), [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]);

    let labels = folder.path().join("t10k-labels-idx1-ubyte");
    fs::write(&labels, idx(8, &[3], &[7, 2, 7]))?;
    let read = read_labels(&labels, MemoryLimit::default())?;
    assert_eq!((read.classes, read.values), (vec!["2".to_owned(), "7".to_owned()], vec![1, 0, 1]));
    Ok(())
}

#[test]
fn malformed_idx_is_refused_with_its_reason() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x-idx3-ubyte");
    let good = idx(8, &[2, 2], &[1, 2, 3, 4]);
    let mut broken = gzip(&idx(8, &[1, 1000], &[7; 1000]));
    let middle = broken.len() - 6;
    broken[middle] ^= 0xff;
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", vec![], "the file is empty"),
        ("cut magic", vec![0, 0], "ends within its magic number"),
        ("text", b"1,2,3\n".to_vec(), "no IDX file"),
        ("rank 0", vec![0, 0, 8, 0], "no IDX file"),
        ("type", idx(0x0a, &[1], &[0]), "no element type 0x0a"),
        ("cut header", good[..9].to_vec(), "ends within its header"),
        ("cut", good[..15].to_vec(), "promises 4 bytes of numbers, but the file holds 3"),
        ("surplus", [&good[..], &[0]].concat(), "but the file holds 5"),
        ("no rows", idx(8, &[0, 28, 28], &[]), "holds no numbers"),
        ("huge", idx(8, &[u32::MAX, u32::MAX], &[0; 8]), "but the file holds 8"),
        ("overflow", idx(8, &[u32::MAX; 3], &[0; 8]), "more bytes than a computer can address"),
        ("huge, packed", gzip(&idx(8, &[60_000, 28, 28], &[0; 8])), "but the file holds at most"),
        (
            "cut, packed",
            gzip(&idx(8, &[2, 2], &[1, 2, 3])),
            "promises 4 bytes of numbers, but the file holds 3",
        ),
        ("surplus, packed", gzip(&idx(8, &[2, 2], &[1, 2, 3, 4, 5])), "but the file holds more"),
        ("truncated packing", gzip(&good)[..20].to_vec(), "truncated"),
        ("checksum", broken, "the file is damaged in its numbers"),
    ];
    for (name, bytes, reason) in cases {
        fs::write(&path, bytes)?;
        let said = refusal(&path);
        assert!(said.contains(reason), "{name}: {said}");
    }
    fs::write(&path, idx(0x0d, &[1, 2], &[1.0_f32.to_be_bytes(), f32::NAN.to_be_bytes()].concat()))?;
    assert!(refusal(&path).contains("row 0, column 1 (counted from 0) is NaN"));
    fs::write(&path, idx(8, &[100, 100], &[0; 10_000]))?;
    let error = read_points(&path, MemoryLimit::new(9_999)).expect_err("too much");
    assert!(matches!(error, Error::Memory { needed: 10_000, .. }), "{error}");
    let error = read_points(&path, MemoryLimit::new(89_999)).expect_err("too much");
    assert!(matches!(error, Error::Memory { needed: 90_000, .. }), "{error}");
    assert!(write_points(&path, Points::new(&[1.0], 1)?).is_err(), "IDX is read only");
    Ok(())
}

/// A folder with MNIST's four files: `train` and `test` pictures.
fn small_mnist(folder: &Path, train: u32, test: u32, labels: u32) -> Outcome {
    for (part, rows, labels) in [("train", train, train), ("t10k", test, labels)] {
        let pixels: Vec<u8> = (0..rows * 784).map(|i| (i / 784) as u8).collect();
        fs::write(folder.join(format!("{part}-images-idx3-ubyte")), idx(8, &[rows, 28, 28], &pixels))?;
        let digits: Vec<u8> = (0..labels).map(|i| (i % 10) as u8).collect();
        fs::write(folder.join(format!("{part}-labels-idx1-ubyte.gz")), gzip(&idx(8, &[labels], &digits)))?;
    }
    Ok(())
}

#[test]
fn mnist_is_looked_for_in_the_folder_asked_for_first() -> Outcome {
    let folder = tempfile::tempdir()?;
    let request = |n| Request { n: Some(n), directory: Some(folder.path().to_owned()), ..Request::default() };
    small_mnist(folder.path(), 20, 10, 10)?;
    let all = load("mnist", &request(30))?;
    assert_eq!(all.points.view().row(25)[0], 5.0, "the second file follows the first");
    assert_eq!(all.labels[0].values[25], 5);
    assert_eq!(load("mnist", &request(10))?.labels[0].counts(), [1; 10]);
    let said = load("mnist", &request(31)).expect_err("there are 30 images").to_string();
    assert!(said.contains("at most 30, the number of images"), "{said}");

    small_mnist(folder.path(), 20, 10, 9)?;
    let said = load("mnist", &request(30)).expect_err("a label is missing").to_string();
    assert!(said.contains("one label for each of the 10 images"), "{said}");
    fs::remove_file(folder.path().join("t10k-images-idx3-ubyte"))?;
    let said = load("mnist", &request(30)).expect_err("a file is missing").to_string();
    assert!(said.contains("t10k-images-idx3-ubyte") && said.contains("copy the four files"), "{said}");
    Ok(())
}
