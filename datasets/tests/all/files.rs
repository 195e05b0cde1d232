//! Written files read back to the same bits; malformed files are refused with the place of the fault.

use std::error::Error as StdError;
use std::fs;
use std::path::Path;

use datasets::Labels;
use datasets::files::{WholeFiles, read_labels, read_points, write_indices, write_points, write_whole};
use embedding::{Error, MemoryLimit, Points};

type Outcome = Result<(), Box<dyn StdError>>;

const VALUES: [f64; 6] = [0.1, -2.5e-300, f64::MAX, f64::MIN_POSITIVE, 1.0 / 3.0, -0.0];

/// The sentence with which a file is refused.
fn refusal(path: &Path) -> String {
    match read_points(path, MemoryLimit::default()) {
        Err(Error::File { path: named, problem, advice, .. }) => {
            assert_eq!(named, path.display().to_string());
            advice.map_or(problem.clone(), |advice| format!("{problem}; {advice}"))
        }
        other => panic!("expected Error::File, got {other:?}"),
    }
}

/// An npy file with the given header text and numbers.
fn npy(header: &str, numbers: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers);
    bytes
}

fn header(descr: &str, fortran: &str, shape: &str) -> String {
    format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}          \n")
}

#[test]
fn points_read_back_to_the_same_bits() -> Outcome {
    let folder = tempfile::tempdir()?;
    let points = Points::new(&VALUES, 2)?;
    for name in ["x.npy", "x.csv", "x.tsv", "X.NPY"] {
        let path = folder.path().join(name);
        write_points(&path, points)?;
        let read = read_points(&path, MemoryLimit::default())?;
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(read.points.view().values()), bits(&VALUES), "{name}");
        assert_eq!(read.points.dim(), 2);
    }
    assert_eq!(fs::read_dir(folder.path())?.count(), 4, "no temporary file is left");
    Ok(())
}

/// Sizes with many zeros have an exponent, as other programs write them.
#[test]
fn numbers_are_written_with_few_digits() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.csv");
    write_points(&path, Points::new(&[1e299, -1.5e-200, 1e15, 1e-5, -9.5e-6, 0.0], 3)?)?;
    assert_eq!(fs::read_to_string(&path)?, "1e299,-1.5e-200,1000000000000000\n0.00001,-9.5e-6,0\n");
    Ok(())
}

#[test]
fn every_element_type_and_order_is_read() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npy");
    let check = |descr: &str, numbers: &[u8], expected: [f64; 2]| -> Outcome {
        fs::write(&path, npy(&header(descr, "False", "(2,)"), numbers))?;
        let read = read_points(&path, MemoryLimit::default())?;
        assert_eq!(read.points.view().values(), expected, "{descr}");
        assert_eq!((read.points.len(), read.points.dim()), (2, 1));
        Ok(())
    };
    let both = |a: &[u8], b: &[u8]| [a, b].concat();
    check("<f8", &both(&1.5_f64.to_le_bytes(), &(-2.0_f64).to_le_bytes()), [1.5, -2.0])?;
    check(">f8", &both(&1.5_f64.to_be_bytes(), &(-2.0_f64).to_be_bytes()), [1.5, -2.0])?;
    check("<f4", &both(&1.5_f32.to_le_bytes(), &(-2.0_f32).to_le_bytes()), [1.5, -2.0])?;
    check(">f4", &both(&1.5_f32.to_be_bytes(), &(-2.0_f32).to_be_bytes()), [1.5, -2.0])?;
    // Halves as in IEEE 754: 1.5 and -2; the largest and the smallest positive.
    check("<f2", &[0x00, 0x3e, 0x00, 0xc0], [1.5, -2.0])?;
    check(">f2", &[0x7b, 0xff, 0x00, 0x01], [65504.0, 2.0_f64.powi(-24)])?;
    check("<f2", &[0x00, 0x04, 0xff, 0x83], [2.0_f64.powi(-14), -1023.0 * 2.0_f64.powi(-24)])?;
    check("|i1", &[5, 0xff], [5.0, -1.0])?;
    check("|u1", &[5, 0xff], [5.0, 255.0])?;
    check("|b1", &[1, 0], [1.0, 0.0])?;
    check("<i2", &both(&300_i16.to_le_bytes(), &(-2_i16).to_le_bytes()), [300.0, -2.0])?;
    check(">i4", &both(&70000_i32.to_be_bytes(), &(-2_i32).to_be_bytes()), [70000.0, -2.0])?;
    check("<i8", &both(&(1_i64 << 40).to_le_bytes(), &(-2_i64).to_le_bytes()), [(1_u64 << 40) as f64, -2.0])?;
    check("<u2", &both(&65535_u16.to_le_bytes(), &2_u16.to_le_bytes()), [65535.0, 2.0])?;
    check("<u4", &both(&u32::MAX.to_le_bytes(), &2_u32.to_le_bytes()), [4294967295.0, 2.0])?;
    check(">u8", &both(&(1_u64 << 52).to_be_bytes(), &2_u64.to_be_bytes()), [(1_u64 << 52) as f64, 2.0])?;
    Ok(())
}

#[test]
fn fortran_order_is_transposed_and_pictures_keep_their_shape() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npy");
    fs::write(&path, npy(&header("|u1", "True", "(2, 3)"), &[1, 4, 2, 5, 3, 6]))?;
    let matrix = read_points(&path, MemoryLimit::default())?;
    assert_eq!(matrix.points.view().values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(matrix.images, None);

    // Value 100 i + 10 r + c at picture i, row r, column c.
    let at = |i: u8, r: u8, c: u8| 100 * i + 10 * r + c;
    let mut fortran = Vec::new();
    for c in 0..3 {
        for r in 0..2 {
            for i in 0..2 {
                fortran.push(at(i, r, c));
            }
        }
    }
    fs::write(&path, npy(&header("|u1", "True", "(2, 2, 3)"), &fortran))?;
    let pictures = read_points(&path, MemoryLimit::default())?;
    let expected = [[0, 1, 2, 10, 11, 12], [100, 101, 102, 110, 111, 112]].concat();
    assert_eq!(
        pictures.points.view().values(),
        expected.iter().map(|&v: &i32| f64::from(v)).collect::<Vec<_>>()
    );
    let shape = pictures.images.ok_or("a picture has a shape")?;
    assert_eq!((shape.height, shape.width, shape.channels, shape.white), (2, 3, 1, 255.0));
    Ok(())
}

#[test]
fn versions_two_and_three_are_read() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npy");
    for version in [2, 3] {
        let text = header("|u1", "False", "(2, 1)");
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend([7, 8]);
        fs::write(&path, bytes)?;
        assert_eq!(read_points(&path, MemoryLimit::default())?.points.view().values(), [7.0, 8.0]);
    }
    Ok(())
}

#[test]
fn malformed_npy_is_refused_with_its_reason() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npy");
    let good = npy(&header("<f8", "False", "(1, 2)"), &[0; 16]);
    let cases: [(&str, Vec<u8>, &str); 14] = [
        ("empty", vec![], "empty"),
        ("short", b"\x93NUM".to_vec(), "too short"),
        ("magic", b"PK\x03\x04 a zip archive".to_vec(), "does not start with"),
        ("version", b"\x93NUMPY\x09\x00\x00\x00".to_vec(), "version 9"),
        ("cut header", good[..30].to_vec(), "ends within its header"),
        (
            "cut numbers",
            good[..good.len() - 1].to_vec(),
            "promises 16 bytes of numbers, but the file holds 15",
        ),
        ("surplus", [&good[..], &[0]].concat(), "but the file holds 17"),
        ("huge", npy(&header("<f8", "False", "(1000000000000, 1000)"), &[0; 8]), "but the file holds 8"),
        ("overflow", npy(&header("<f8", "False", "(4294967296, 4294967296, 2)"), &[0; 8]), "more bytes than"),
        ("no rows", npy(&header("<f8", "False", "(0, 3)"), &[]), "holds no numbers"),
        ("scalar", npy(&header("<f8", "False", "()"), &[0; 8]), "shape []"),
        ("complex", npy(&header("<c16", "False", "(1, 1)"), &[0; 16]), "`<c16`"),
        ("object", npy(&header("|O", "False", "(1, 1)"), &[0; 16]), "`|O`"),
        ("garbage", npy("hello\n", &[]), "lacks `{`"),
    ];
    for (name, bytes, reason) in cases {
        fs::write(&path, bytes)?;
        let said = refusal(&path);
        assert!(said.contains(reason), "{name}: {said}");
    }
    let numbers: Vec<u8> = [1.0, 2.0, 3.0, f64::NAN].iter().flat_map(|v: &f64| v.to_le_bytes()).collect();
    fs::write(&path, npy(&header("<f8", "False", "(2, 2)"), &numbers))?;
    assert!(refusal(&path).contains("row 1, column 1 (counted from 0) is NaN"));
    Ok(())
}

#[test]
fn text_is_read_with_and_without_header() -> Outcome {
    let folder = tempfile::tempdir()?;
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a temporary folder can be written");
        read_points(&path, MemoryLimit::default())
    };
    let plain = read("plain.csv", "1,2\r\n3.5,-4e2\r\n")?;
    assert_eq!((plain.points.view().values(), plain.columns), (&[1.0, 2.0, 3.5, -400.0][..], None));
    let named = read("named.csv", "\u{feff}x ,\"the, y\"\n1, 2\n\n")?;
    assert_eq!(named.columns, Some(vec!["x".to_owned(), "the, y".to_owned()]));
    assert_eq!(named.points.view().values(), [1.0, 2.0]);
    assert_eq!(read("semicolon.csv", "1;2\n3;4")?.points.dim(), 2);
    assert_eq!(read("tab.tsv", "a\tb\n1\t2\n")?.points.dim(), 2);
    Ok(())
}

#[test]
fn malformed_text_names_row_and_column() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.csv");
    let cases = [
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("x,y\n", "no row of numbers"),
        ("x,y\n1,2\n3\n", "row 1 (counted from 0, line 3) has 1"),
        (
            "1,2\n3,4,5\n",
            "every row must have 2 cells as the first has, but row 1 (counted from 0, line 2) has 3",
        ),
        ("x,y\n1,2\n3,four\n", "row 1, column 1 `y` (counted from 0, line 3) is `four`"),
        ("1,2\n3,\n", "row 1, column 1 (counted from 0, line 2) is empty"),
        ("1,2\n3,nan\n", "row 1, column 1 (counted from 0) is NaN"),
        ("x,y\n-inf,2\n", "row 0, column 0 `x` (counted from 0) is -inf"),
        ("1,two\n3,4\n", "row 0, column 1 (counted from 0, line 1) is `two`"),
        ("1,1e999\n", "row 0, column 1 (counted from 0) is inf"),
    ];
    for (text, reason) in cases {
        fs::write(&path, text)?;
        let said = refusal(&path);
        assert!(said.contains(reason), "{text:?}: {said}");
    }
    fs::write(&path, b"1,2\n\xff\xfe,3\n")?;
    assert!(refusal(&path).contains("byte 4 is not UTF-8"));
    Ok(())
}

#[test]
fn unreadable_names_are_refused() -> Outcome {
    let folder = tempfile::tempdir()?;
    assert!(refusal(&folder.path().join("absent.npy")).contains("no such file"));
    assert!(refusal(&folder.path().join("x.doc")).contains("must end in"));
    let named_as_a_file = folder.path().join("folder.csv");
    fs::create_dir(&named_as_a_file)?;
    refusal(&named_as_a_file);
    Ok(())
}

#[test]
fn the_memory_limit_is_asked_before_reading() -> Outcome {
    let folder = tempfile::tempdir()?;
    for name in ["x.npy", "x.csv"] {
        let path = folder.path().join(name);
        write_points(&path, Points::new(&[1.0; 100], 10)?)?;
        let outcome = read_points(&path, MemoryLimit::new(100));
        assert!(matches!(outcome, Err(Error::Memory { allowed: 100, .. })), "{outcome:?}");
    }
    Ok(())
}

#[test]
fn memory_errors_name_the_file() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    write_points(&path("x.npy"), Points::new(&[1.0; 100], 10)?)?;
    write_points(&path("x.csv"), Points::new(&[1.0; 100], 10)?)?;
    fs::write(path("x.mtx"), "%%MatrixMarket matrix coordinate real general\n90 90 1\n1 1 1\n")?;
    for (name, bytes) in [("x.npy", 700), ("x.csv", 100), ("x.csv", 700), ("x.mtx", 700)] {
        let said = read_points(&path(name), MemoryLimit::new(bytes)).expect_err("too little").to_string();
        let start = format!("{}: ", path(name).display());
        assert!(said.starts_with(&start) && said.contains("of memory"), "{said}");
    }
    Ok(())
}

#[test]
fn labels_are_numbers_or_words() -> Outcome {
    let folder = tempfile::tempdir()?;
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a temporary folder can be written");
        read_labels(&path, MemoryLimit::default())
    };
    let numbers = read("n.csv", "digit\n7\n-1\n7\n")?;
    assert_eq!(numbers.name, "digit");
    assert_eq!(numbers.classes, ["-1", "7"]);
    assert_eq!((numbers.values.clone(), numbers.counts()), (vec![1, 0, 1], vec![1, 2]));
    let words = read("w.csv", "plum\napple\nplum\n")?;
    assert_eq!((words.classes, words.values), (vec!["plum".to_owned(), "apple".to_owned()], vec![0, 1, 0]));
    assert!(read("two.csv", "a,b\n").is_err());
    assert!(read("none.csv", "label\n").is_err());
    assert!(read("fraction.csv", "1\n1.5\n").is_err());

    let path = folder.path().join("l.npy");
    write_indices(&path, 1, &[3, 9, 3])?;
    assert_eq!(read_labels(&path, MemoryLimit::default())?.values, [0, 1, 0]);
    let rows = folder.path().join("rows.csv");
    write_indices(&rows, 3, &[1, 2, 3, 4, 5, 6])?;
    assert_eq!(fs::read_to_string(&rows)?, "1,2,3\n4,5,6\n");
    assert!(write_indices(&rows, 4, &[1, 2, 3]).is_err());
    Ok(())
}

#[test]
fn a_failing_writer_leaves_the_old_file_and_nothing_else() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.csv");
    write_whole(&path, |file| file.write_all(b"old"))?;
    let outcome = write_whole(&path, |file| {
        file.write_all(b"half of the new")?;
        Err(std::io::Error::other("the disk is full"))
    });
    assert!(outcome.is_err_and(|error| error.to_string().contains("the disk is full")));
    assert_eq!(fs::read_to_string(&path)?, "old");
    assert_eq!(fs::read_dir(folder.path())?.count(), 1);
    Ok(())
}

#[test]
fn places_that_cannot_be_written_are_named() -> Outcome {
    let folder = tempfile::tempdir()?;
    let points = Points::new(&[1.0, 2.0], 1)?;
    let absent = folder.path().join("absent").join("x.npy");
    let said = write_points(&absent, points).expect_err("the folder does not exist").to_string();
    assert!(said.contains("absent") && said.contains("no such file or folder"), "{said}");
    let occupied = folder.path().join("folder.npy");
    fs::create_dir(&occupied)?;
    let said = write_points(&occupied, points).expect_err("the target is a folder").to_string();
    assert!(said.contains("it is a folder"), "{said}");
    assert!(write_points(&folder.path().join("x.png"), points).is_err());
    Ok(())
}

#[test]
fn an_array_that_ends_within_its_header_is_truncated() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npy");
    let whole = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", &[0; 8]);
    for length in [8, 10, 20, 60] {
        fs::write(&path, &whole[..length])?;
        assert!(refusal(&path).contains("ends within its header"), "{length} bytes");
    }
    // Ten bytes beyond the end.
    let mut longer = whole.clone();
    longer[8] += 10;
    fs::write(&path, longer)?;
    assert!(refusal(&path).contains("ends within its header"));
    Ok(())
}

/// Class names of a data set survive a text file; an array holds their numbers.
#[test]
fn labels_are_written_with_the_names_of_their_classes() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mammoth = datasets::generate("mammoth", 60, 0)?;
    let mut labels = mammoth.labels[0].clone();
    labels.classes[0] = "trunk, \"rest\"".to_owned();
    let (text, array) = (folder.path().join("l.csv"), folder.path().join("l.npy"));
    let mut files = WholeFiles::default();
    files.write_labels(&text, &labels)?;
    files.write_labels(&array, &labels)?;
    files.complete()?;
    let read = read_labels(&text, MemoryLimit::default())?;
    let names = |labels: &Labels| -> Vec<String> {
        labels.values.iter().map(|&value| labels.classes[value as usize].clone()).collect()
    };
    assert_eq!(names(&read), names(&labels));
    assert!(labels.classes.contains(&"left front leg".to_owned()));
    let numbers = read_points(&array, MemoryLimit::default())?.points;
    assert!(
        numbers.view().values().iter().zip(&labels.values).all(|(read, value)| *read == f64::from(*value))
    );
    Ok(())
}
