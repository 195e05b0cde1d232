//! The user's own files: headers, labels, columns that are no
//! coordinates, and formats of other programs.

use crate::common;

use std::fs;
use std::io::Write;
use std::path::Path;

use common::{Outcome, plain, read, refusal};
use datasets::files::{HeaderRow, Missing, Reading, Scaling, read_labels};
use embedding::{Error, MemoryLimit, Points};
use image::{GrayImage, Luma};

fn packed(content: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

const IRIS: &str = "length,width,species\n5.1,3.5,setosa\n7,3.2,versicolor\n4.9,3,setosa\n";

#[test]
fn string_labels_below_a_header_are_understood() -> Outcome {
    for which in ["species", "2"] {
        let reading = Reading { label_column: Some(which.to_owned()), ..plain() };
        let table = read(&reading, "iris.csv", IRIS)?;
        assert_eq!(table.points.view().values(), [5.1, 3.5, 7.0, 3.2, 4.9, 3.0]);
        assert_eq!(table.columns, Some(vec!["length".to_owned(), "width".to_owned()]));
        let labels = table.labels.ok_or("a label column gives labels")?;
        assert_eq!((labels.name.as_str(), &labels.values[..]), ("species", &[0, 1, 0][..]));
        assert_eq!(labels.classes, ["setosa", "versicolor"]);
    }
    // Without the option the refusal says how.
    let said = refusal(&plain(), "iris.csv", IRIS);
    assert!(
        said.contains("--label-column species")
            && said.contains("--ignore species")
            && said.contains("`setosa`"),
        "{said}"
    );
    let ignored = Reading { ignore: vec!["species".to_owned()], ..plain() };
    assert_eq!(read(&ignored, "iris.csv", IRIS)?.points.dim(), 2);
    Ok(())
}

#[test]
fn a_label_file_may_have_a_header_of_words() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("l.csv");
    fs::write(&path, "species\nsetosa\nversicolor\nsetosa\n")?;
    let mut table = read(&plain(), "x.csv", "1,2\n3,4\n5,7\n")?;
    plain().label(&mut table, &path)?;
    let labels = table.labels.clone().ok_or("labels")?;
    assert_eq!((labels.name.as_str(), &labels.values[..]), ("species", &[0, 1, 0][..]));
    // As many words as rows: no header, whatever the first is called.
    fs::write(&path, "label\nother\nlabel\n")?;
    plain().label(&mut table, &path)?;
    assert_eq!(table.labels.clone().ok_or("labels")?.values, [0, 1, 0]);
    // The same by the number of rows alone.
    assert_eq!(plain().labels(3, &path)?.values, [0, 1, 0]);
    assert_eq!(plain().labels(2, &path)?.values, [0, 1]);
    let said = plain().labels(4, &path).expect_err("three labels").to_string();
    assert!(said.contains("l.csv") && said.contains("each of the 4 rows, but there are 3"), "{said}");
    let with = Reading { header: HeaderRow::Yes, ..plain() };
    let said = with.label(&mut table, &path).expect_err("two labels are left").to_string();
    assert!(said.contains("each of the 3 rows, but there are 2"), "{said}");
    assert!(read_labels(&path, MemoryLimit::default())?.values.len() == 2, "`label` is a header by itself");
    Ok(())
}

#[test]
fn the_header_is_found_told_or_doubted() -> Outcome {
    let numbers = "1,2,3,4,5\n0.1,0.2,0.3,0.4,0.5\n0.9,0.2,0.3,0.1,0.5\n0.3,0.2,0.3,0.7,0.5\n";
    let read_as = |header| read(&Reading { header, ..plain() }, "x.csv", numbers);
    let doubted = read_as(HeaderRow::Auto)?;
    assert_eq!((doubted.points.len(), doubted.columns), (4, None));
    assert!(doubted.warnings[0].contains("--header yes"), "{:?}", doubted.warnings);
    let told = read_as(HeaderRow::Yes)?;
    assert_eq!((told.points.len(), told.columns.as_ref().map(|names| names[4].as_str())), (3, Some("5")));
    let (denied, none) = (read_as(HeaderRow::No)?, Vec::<String>::new());
    assert_eq!((denied.points.len(), &denied.warnings), (4, &none));
    assert_eq!(told.warnings, none);
    // Years over fractions; integers among integers are data.
    let years = read(&plain(), "x.csv", "1990,2000\n0.5,0.1\n0.25,0.7\n0.1,0.3\n")?;
    assert!(years.warnings[0].contains("1990,2000"), "{:?}", years.warnings);
    assert_eq!(read(&plain(), "x.csv", "7,3\n2,9\n4,1\n8,8\n")?.warnings, none);
    // Unnamed columns as pandas writes them, with the row number in front.
    let pandas = read(&plain(), "x.csv", ",0,1\n0,0.5,0.1\n1,0.2,0.7\n2,0.5,0.3\n3,0.1,0.1\n4,0.7,0.7\n")?;
    assert_eq!((pandas.points.len(), pandas.points.dim(), pandas.row_names), (5, 2, None));
    assert!(pandas.notes[0].contains("counts the rows, as pandas and R write them"), "{:?}", pandas.notes);
    // Other integers may be values.
    let values = read(&plain(), "x.csv", ",0,1\n0,0.5,0.1\n1,0.2,0.7\n3,0.5,0.3\n4,0.1,0.1\n5,0.7,0.7\n")?;
    assert_eq!((values.points.len(), values.points.dim()), (5, 3));
    assert!(values.warnings[0].contains("--ignore ''"), "{:?}", values.warnings);
    let said = refusal(&plain(), "x.csv", "id,1\n3,4\n");
    assert!(said.contains("`id`") && said.contains("--header yes"), "{said}");
    Ok(())
}

#[test]
fn row_numbers_are_doubted_by_name_and_by_value() -> Outcome {
    let by_name = read(&plain(), "x.csv", "ID,x\n9,0.5\n4,0.25\n")?;
    assert!(by_name.warnings[0].contains("--ignore ID"), "{:?}", by_name.warnings);
    let by_value = read(&plain(), "x.csv", "0.5,1\n0.1,2\n0.7,5\n0.3,6\n0.2,9\n")?;
    assert_eq!(by_value.warnings.len(), 1);
    assert!(by_value.warnings[0].contains("column 1") && by_value.warnings[0].contains("--ignore 1"));
    let ignored = Reading { ignore: vec!["1".to_owned()], ..plain() };
    let table = read(&ignored, "x.csv", "0.5,1\n0.1,2\n0.7,5\n0.3,6\n0.2,9\n")?;
    assert_eq!((table.points.view().values(), table.warnings.len()), (&[0.5, 0.1, 0.7, 0.3, 0.2][..], 0));
    // Neither fractions, nor integers that fall, nor a single column.
    for text in
        ["0.5,1\n0.1,2\n0.7,5\n0.3,6\n0.2,8.5\n", "0.5,1\n0.1,2\n0.7,5\n0.3,6\n0.2,5\n", "1\n2\n3\n4\n5\n"]
    {
        assert!(read(&plain(), "x.csv", text)?.warnings.is_empty(), "{text}");
    }
    Ok(())
}

#[test]
fn unknown_columns_are_refused_with_the_known_ones() {
    let ignore = |which: &str| Reading { ignore: vec![which.to_owned()], ..plain() };
    let said = refusal(&ignore("specie"), "iris.csv", IRIS);
    assert!(said.contains("--ignore specie") && said.contains("did you mean `species`"), "{said}");
    assert!(refusal(&ignore("3"), "iris.csv", IRIS).contains("a number from 0 to 2"));
    assert!(refusal(&ignore("x"), "x.csv", "1,2\n").contains("the columns have no names"));
    assert!(refusal(&ignore("a"), "x.csv", "a,a\n1,2\n").contains("columns 0 and 1 both"));
    assert!(refusal(&ignore("0"), "x.csv", "1\n2\n").contains("no coordinate is left"));
}

#[test]
fn decimal_commas_are_refused_with_the_hint() {
    for text in ["1,5;2,5\n3,5;4,5\n", "x;y\n1,5;2\n", "x;y\n1.234,5;2\n"] {
        let said = refusal(&plain(), "x.csv", text);
        assert!(said.contains("decimal point"), "{text:?}: {said}");
    }
    assert!(!refusal(&plain(), "x.csv", "x;y\n1,000.5;2\n1000;3\n").contains("decimal point"));
}

/// Bytes have no extension: the first ones determine the format.
#[test]
fn labels_are_read_from_bytes_as_from_a_file() -> Outcome {
    let points = "x,y\n1,2\n3,NA\n5,6\n";
    let reading = Reading { missing: Missing::Drop, ..plain() };
    let whole = reading.read_bytes(points.as_bytes().to_vec(), "points")?;
    let with = |bytes: Vec<u8>| -> Result<Vec<u32>, Error> {
        let mut table = whole.clone();
        reading.label_bytes(&mut table, bytes, "labels")?;
        Ok(table.labels.expect("read").values)
    };
    let text = "kind\nb\na\nc\n";
    // The second row is left out; classes are numbered in order of first appearance.
    assert_eq!(with(text.as_bytes().to_vec())?, [0, 2]);
    assert_eq!(with(packed(text))?, [0, 2]);
    assert_eq!(with([&[0, 0, 8, 1, 0, 0, 0, 3][..], &[7, 9, 7]].concat())?, [0, 0], "IDX");
    let said = with(b"a\nb\n".to_vec()).expect_err("two labels of three").to_string();
    assert!(said.starts_with("labels: there must be one label for each of the 3 rows"), "{said}");
    Ok(())
}

/// Rows that are left out take their labels and their pictures with them,
/// whichever file these come from.
#[test]
fn labels_and_pictures_follow_the_rows() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("l.csv");
    let drop = Reading { missing: Missing::Drop, label_column: Some("c".to_owned()), ..plain() };
    let mut table = read(&drop, "x.csv", "x,c\n1,a\nNA,b\n3,\n4,d\n")?;
    assert_eq!(table.labels.as_ref().map(|labels| labels.classes.join("")), Some("ad".to_owned()));
    fs::write(&path, "5\n6\n7\n8\n")?;
    drop.label(&mut table, &path)?;
    let labels = table.labels.clone().ok_or("labels")?;
    let names: Vec<&str> =
        labels.values.iter().map(|&value| labels.classes[value as usize].as_str()).collect();
    assert_eq!(names, ["5", "8"]);
    for (name, level) in [("a.png", 10), ("b.png", 20), ("c.png", 30), ("d.png", 40)] {
        GrayImage::from_pixel(2, 2, Luma([level])).save(folder.path().join(name))?;
    }
    drop.illustrate(&mut table, folder.path())?;
    let pixels = table.pixels.clone().ok_or("pictures")?;
    assert_eq!((pixels.view().row(0)[0], pixels.view().row(1)[0]), (10.0, 40.0));
    let set = table.into_dataset("x", "");
    assert_eq!((set.pictures().row(1)[3], set.points.dim()), (40.0, 1));
    assert_eq!(set.sample(1, 0)?.pictures().len(), 1);
    assert!(set.sample(3, 0).is_err_and(|error| error.to_string().contains("from 1 to 2")));
    let mut short = read(&plain(), "y.csv", "1\n2\n")?;
    let said = plain().illustrate(&mut short, folder.path()).expect_err("four pictures").to_string();
    assert!(said.contains("each of the 2 rows, but there are 4"), "{said}");
    Ok(())
}

#[test]
fn standardized_columns_have_mean_zero_and_deviation_one() -> Outcome {
    let reading = Reading { standardize: true, ..plain() };
    let table = read(&reading, "x.csv", "1,1e300,7\n2,-1e300,7\n6,1e300,7\n7,-1e300,7\n")?;
    let column = |j: usize| table.points.view().rows().map(|row| row[j]).collect::<Vec<_>>();
    for j in 0..2 {
        let (sum, squares) = column(j).iter().fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
        assert!(f64::abs(sum) < 1e-12 && f64::abs(squares - 4.0) < 1e-12, "{:?}", column(j));
    }
    assert_eq!(column(2), [0.0; 4], "a constant column is shifted alone");
    // New points in the units of the old ones.
    let scaling = table.scaling.ok_or("the scaling is returned")?;
    assert_eq!(
        scaling,
        Scaling::of(Points::new(&[1.0, 1e300, 7.0, 2.0, -1e300, 7.0, 6.0, 1e300, 7.0, 7.0, -1e300, 7.0], 3)?)
    );
    let new = scaling.apply(Points::new(&[4.0, 0.0, 8.0], 3)?)?;
    assert_eq!(new.view().values(), [0.0, 0.0, 1.0]);
    assert!(scaling.apply(Points::new(&[4.0], 1)?).is_err());
    Ok(())
}

#[test]
fn packed_text_and_bytes_without_a_name_are_read() -> Outcome {
    let reading = Reading { label_column: Some("species".to_owned()), ..plain() };
    let expected = read(&reading, "iris.csv", IRIS)?;
    assert_eq!(read(&reading, "iris.csv.gz", packed(IRIS))?, expected);
    assert_eq!(read(&reading, "iris.tsv.gz", packed(&IRIS.replace(',', "\t")))?, expected);
    assert_eq!(reading.read_bytes(IRIS.into(), "standard input")?, expected);
    assert_eq!(reading.read_bytes(packed(IRIS), "standard input")?, expected);
    assert_eq!(reading.read_bytes(IRIS.replace(',', "\t").into(), "standard input")?, expected);
    let idx = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 1, 5, 9];
    assert_eq!(plain().read_bytes(idx.into(), "standard input")?.points.view().values(), [5.0, 9.0]);
    let mtx = "%%MatrixMarket matrix array real general\n1 2\n3\n4\n";
    assert_eq!(plain().read_bytes(mtx.into(), "standard input")?.points.view().values(), [3.0, 4.0]);
    let said = plain().read_bytes(Vec::new(), "standard input").expect_err("nothing").to_string();
    assert!(said.starts_with("standard input: the file is empty"), "{said}");
    // A small file that unpacks to a large one.
    let tight = Reading { memory: MemoryLimit::new(50_000), ..plain() };
    let outcome = read(&tight, "x.csv.gz", packed(&"1,2\n".repeat(20_000)));
    assert!(matches!(outcome, Err(Error::Memory { .. })), "{outcome:?}");
    assert!(refusal(&plain(), "x.csv.gz", &packed(IRIS)[..20]).contains("damaged"));
    Ok(())
}

/// `two.npz` was written by Python 3's zipfile as numpy.savez does (64-bit sizes in
/// the local headers): X is [[1, 2], [3, 4], [5, 6.5]], packed; y is [7, 7, 9].
#[test]
fn named_arrays_of_an_archive_are_read() -> Outcome {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archive/two.npz");
    let named = |name: &str| format!("{}:{name}", archive.display());
    let mut table = plain().read(named("X").as_ref())?;
    assert_eq!(table.points.view().values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.5]);
    plain().label(&mut table, named("y").as_ref())?;
    assert_eq!(table.labels.ok_or("labels")?.classes, ["7", "9"]);
    let said = |path: &str| plain().read(path.as_ref()).expect_err("refused").to_string();
    let (unnamed, unknown) = (said(&archive.display().to_string()), said(&named("Z")));
    assert!(unnamed.contains("2 arrays: X, y") && unnamed.contains("two.npz:X"), "{unnamed}");
    assert!(unknown.contains("no array `Z`; it holds X, y"), "{unknown}");
    // Bytes of standard input have no file name to precede the name of an array.
    let unnamed = plain().read_bytes(fs::read(&archive)?, "standard input").expect_err("refused").to_string();
    assert!(unnamed.contains("save the one that you mean by itself"), "{unnamed}");
    assert!(unnamed.contains("FILE.npz:X") && !unnamed.contains("standard input:X"), "{unnamed}");
    // Cut short, altered, foreign: refused, wherever the damage is.
    let whole = fs::read(&archive)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npz");
    for length in (0..whole.len()).step_by(7) {
        fs::write(&path, &whole[..length])?;
        plain().read(format!("{}:X", path.display()).as_ref()).expect_err("truncated");
    }
    let mut altered = whole.clone();
    let at = whole.windows(8).position(|bytes| bytes == 9_u64.to_le_bytes()).ok_or("y is stored")?;
    altered[at] ^= 1;
    fs::write(&path, altered)?;
    assert!(said(&format!("{}:y", path.display())).contains("checksum"));
    fs::write(&path, "no archive, but longer than an empty one")?;
    assert!(said(&path.display().to_string()).contains("no npz file"));
    Ok(())
}

#[test]
fn matrix_market_is_read() -> Outcome {
    let read = |text: &str| read(&plain(), "x.mtx", text);
    let values = |text: &str| read(text).map(|table| table.points.view().values().to_vec());
    let sparse = "%%MatrixMarket matrix coordinate real general\n% a remark\n2 3 3\n1 1 5\n2 3 -1.5\n2 3 1\n";
    assert_eq!(values(sparse)?, [5.0, 0.0, 0.0, 0.0, 0.0, -0.5]);
    let pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n";
    assert_eq!(values(pattern)?, [1.0, 1.0, 1.0, 0.0]);
    let array = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n";
    assert_eq!(values(array)?, [1.0, 3.0, 2.0, 4.0]);
    let skew = "%%MatrixMarket matrix array real skew-symmetric\n2 2\n7\n";
    assert_eq!(values(skew)?, [0.0, -7.0, 7.0, 0.0]);
    for (text, reason) in [
        ("", "empty"),
        ("1 2 3\n", "the first line must be"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "the first line must be"),
        ("%%MatrixMarket matrix coordinate real general\n2 2\n", "line 2"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n", "promises 1 entries, but holds 0"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n1 1 1\n", "line 4 is one more"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n", "line 3"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 x\n", "line 3"),
        ("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "must be square"),
        ("%%MatrixMarket matrix coordinate real general\n0 3 0\n", "no points"),
        ("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n", "--missing drop"),
    ] {
        let said = refusal(&plain(), "x.mtx", text);
        assert!(said.contains(reason), "{text:?}: {said}");
    }
    let huge = read("%%MatrixMarket matrix coordinate real general\n4000000000 4000000000 0\n");
    assert!(matches!(huge, Err(Error::Memory { .. })), "{huge:?}");
    Ok(())
}

#[test]
fn parquet_says_how_to_convert() {
    let said = refusal(&plain(), "x.parquet", "PAR1");
    assert!(said.contains("to_csv") && said.contains("duckdb"), "{said}");
}

#[test]
fn columns_of_arrays_and_pictures_can_be_chosen() -> Outcome {
    let reading = Reading { ignore: vec!["0".to_owned()], label_column: Some("2".to_owned()), ..plain() };
    let idx = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 5, 7, 2, 9, 7];
    let table = reading.read_bytes(idx.into(), "standard input")?;
    assert_eq!(table.points.view().values(), [5.0, 9.0]);
    assert_eq!(table.labels.map(|labels| labels.classes), Some(vec!["7".to_owned()]));
    Ok(())
}
