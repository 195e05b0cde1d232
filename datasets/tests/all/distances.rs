//! Distances and similarities in the forms of other programs.

use datasets::files::{Given, Reading, Table};

use crate::common::Outcome;

/// The distances 1, 2, 3, 4, 5, 6 below the diagonal of four points, row by row.
const MATRIX: [f64; 16] = [0.0, 1.0, 2.0, 4.0, 1.0, 0.0, 3.0, 5.0, 2.0, 3.0, 0.0, 6.0, 4.0, 5.0, 6.0, 0.0];

fn read_as(text: &str, name: &str, given: Given) -> Result<Table, embedding::Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a file");
    Reading { given, ..Reading::default() }.read(&path)
}

fn read(text: &str, name: &str) -> Result<Table, embedding::Error> {
    read_as(text, name, Given::Distances)
}

/// The values, the names and what the file was read as.
fn found(text: &str, name: &str) -> (Vec<f64>, Option<Vec<String>>, String) {
    let table = read(text, name).unwrap_or_else(|error| panic!("{text}: {error}"));
    let notes = table.notes.join("; ");
    (table.points.view().values().to_vec(), table.row_names.map(|names| names.values), notes)
}

fn names(text: &str) -> Option<Vec<String>> {
    Some(text.split(',').map(str::to_owned).collect())
}

fn refused(text: &str, name: &str, parts: &[&str]) {
    let error = read(text, name).expect_err(text).to_string();
    parts.iter().for_each(|part| assert!(error.contains(part), "{error} lacks `{part}`"));
}

#[test]
fn triangles_are_read_with_and_without_diagonal_and_names() {
    let abcd = "a,b,c,d";
    for (text, named, form) in [
        ("0\n1 0\n2 3 0\n4 5 6 0\n", None, "a lower triangle with its diagonal"),
        ("1\n2,3\n4,5,6\n", None, "a lower triangle without diagonal"),
        ("0 1 2 4\n0 3 5\n0 6\n0\n", None, "an upper triangle with its diagonal"),
        ("1 2 4\n3 5\n6\n", None, "an upper triangle without diagonal"),
        ("a,0\nb,1,0\nc,2,3,0\nd,4,5,6,0\n", Some(abcd), "a lower triangle with its diagonal"),
        ("a\nb\t1\nc\t2\t3\nd\t4\t5\t6\n", Some(abcd), "a lower triangle without diagonal"),
        ("a 1 2 4\nb 3 5\nc 6\nd\n", Some(abcd), "an upper triangle without diagonal"),
        (
            ",a,b,c,d\na,0,1,2,4\nb,,0,3,5\nc,,,0,6\nd,,,,0\n",
            Some(abcd),
            "an upper triangle with its diagonal",
        ),
        (
            ",a,b,c,d\na,0,,,\nb,1,0,,\nc,2,3,0,\nd,4,5,6,0\n",
            Some(abcd),
            "a lower triangle with its diagonal",
        ),
        // As R prints and writes them.
        ("  a b c\nb 1\nc 2 3\nd 4 5 6\n", Some(abcd), "a lower triangle without diagonal"),
        ("  1 2 3\n2 1\n3 2 3\n4 4 5 6\n", Some("1,2,3,4"), "a lower triangle without diagonal"),
        (
            "\"a\" \"b\" \"c\" \"d\"\n\"a\" 0 1 2 4\n\"b\" 1 0 3 5\n\"c\" 2 3 0 6\n\"d\" 4 5 6 0\n",
            Some(abcd),
            "a square matrix",
        ),
        ("name,a,b,c,d\na,0,1,2,4\nb,1,0,3,5\nc,2,3,0,6\nd,4,5,6,0\n", Some(abcd), "a square matrix"),
    ] {
        let (values, of_rows, notes) = found(text, "d.txt");
        assert_eq!((values.as_slice(), of_rows), (&MATRIX[..], named.and_then(names)), "{text}");
        assert!(notes.contains(&format!("read as {form} of 4 points")), "{text}: {notes}");
    }
    // A matrix of numbers alone is a table.
    let (values, of_rows, notes) = found("0,1,2,4\n1,0,3,5\n2,3,0,6\n4,5,6,0\n", "d.csv");
    assert_eq!((values.as_slice(), of_rows, notes.as_str()), (&MATRIX[..], None, ""));
    let (values, _, notes) = found("1\n2\n4\n3\n5\n6\n", "d.csv");
    assert_eq!(values, MATRIX);
    assert!(notes.contains("the distances above the diagonal of a matrix of 4 points"), "{notes}");
    refused("0\n1 0\n2 3 0\n4 5 0\n", "d.txt", &["d.txt", "no square matrix, triangle"]);
}

#[test]
fn phylip_is_read_with_strict_and_other_names() {
    let square = "    4\nHomo sapie0 1 2 4\nPan       1 0 3 5\nGorilla g 2 3 0 6\nPongo     4 5\n 6 0\n";
    let relaxed = "4\nhuman 0 1 2 4\nchimpanzee_2 1 0 3 5\ngorilla 2 3 0 6\norang 4 5 6 0\n";
    let lower = "4\nhuman\nchimpanzee_2 1\ngorilla 2 3\norang 4 5 6\n";
    let tabs = "4\nhuman\t0\nPan troglodytes x\t1\t0\ngorilla\t2\t3\t0\norang\t4\t5\t6\t0\n";
    for (text, names) in [
        (square, "Homo sapie,Pan,Gorilla g,Pongo"),
        (relaxed, "human,chimpanzee_2,gorilla,orang"),
        (lower, "human,chimpanzee_2,gorilla,orang"),
        (tabs, "human,Pan troglodytes x,gorilla,orang"),
    ] {
        for name in ["d.phy", "d.dist", "d.txt"] {
            let (values, of_rows, notes) = found(text, name);
            assert_eq!((values.as_slice(), of_rows), (&MATRIX[..], self::names(names)), "{text}");
            assert!(notes.contains("of PHYLIP of 4 points with names"), "{notes}");
        }
    }
    refused("4\nhuman 0 1\n", "d.phy", &["d.phy", "a matrix of PHYLIP", "number of rows"]);
    // Distances without names, or names that are numbers.
    let doubtful = "2\n5 0\n3 2 0\n";
    refused(doubtful, "d.txt", &["lower triangle of PHYLIP of 2 points", "of 4 points", "call it .phy"]);
    assert_eq!(found(doubtful, "d.phy").1, names("5,3"));
    let plain = Reading::default().read_bytes(square.into(), "standard input");
    assert!(plain.is_err(), "no table");
    let error = read_as(relaxed, "d.phy", Given::Points).expect_err("distances").to_string();
    assert!(error.contains("--set given=distances"), "{error}");
}

#[test]
fn matrices_of_orange_are_read() {
    let abcd = names("a,b,c,d");
    for (text, of_rows) in [
        ("4\taxis=1\trow_labels\na\t0\nb\t1\t0\nc\t2\t3\t0\nd\t4\t5\t6\t0\n", abcd.clone()),
        ("4 labelled\na\nb\t1\nc\t2\t3\nd\t4\t5\t6\n", abcd.clone()),
        ("4 col_labels\na\tb\tc\td\n0\n1\t0\n2\t3\t0\t9\n4\t5\t6\t0\n", abcd),
        ("4\n0\n1\t0\n2\t3\t0\n4\t5\t6\n", None),
    ] {
        let (values, names, notes) = found(text, "d.dst");
        assert_eq!((values.as_slice(), names), (&MATRIX[..], of_rows), "{text}");
        assert!(notes.contains("a matrix of Orange of 4 points"), "{notes}");
    }
    refused("2 asymmetric\n0\t1\n2\t0\n", "d.dst", &["line 1", "symmetric"]);
    refused("3 axis=0\n0\n1\t0\n", "d.dst", &["line 1", "3 rows", "there are 2"]);
    refused("2\n0\nx\t0\n", "d.dst", &["line 3", "`x`"]);
}

/// A file of few bytes must not take memory for a matrix that it does not hold: 300 condensed distances of 25
/// points are no triangle of 300, and pairs of far more names than lines have no matrix.
#[test]
fn memory_is_taken_for_whole_matrices_alone() -> Outcome {
    let read_within = |text: &str, bytes: u64| {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("d.csv");
        std::fs::write(&path, text)?;
        let memory = embedding::MemoryLimit::new(bytes);
        Ok::<_, Box<dyn std::error::Error>>(
            Reading { given: Given::Distances, memory, ..Reading::default() }.read(&path),
        )
    };
    let condensed: String = (0..300).map(|i| format!("{}\n", 1 + i % 7)).collect();
    let table = read_within(&condensed, 100_000)??;
    assert_eq!(table.points.len(), 25);
    let pairs: String = (0..3000).map(|i| format!("p{},p{},1\n", 2 * i, 2 * i + 1)).collect();
    let error = read_within(&pairs, 10_000_000)?.expect_err("6000 points").to_string();
    assert!(error.contains("6000 points") && error.contains("`p0` and `p2` have none"), "{error}");
    let whole: String = (0..45_150).map(|i| format!("{}\n", 1 + i % 7)).collect();
    let error = read_within(&whole, 600_000)?.expect_err("a matrix of 301 points").to_string();
    assert!(error.contains("memory"), "{error}");
    Ok(())
}

#[test]
fn lists_of_pairs_are_read_whole() {
    let pairs = "from,to,distance\na,b,1\na,c,2\nd,a,4\nb,c,3\nb,d,5\nc,d,6\nd,c,6\n";
    let (values, of_rows, notes) = found(pairs, "d.csv");
    assert_eq!((values.as_slice(), of_rows), (&MATRIX[..], names("a,b,c,d")));
    assert!(notes.contains("a list of pairs of 4 points with names"), "{notes}");
    // Numbers of points are in their order.
    let numbered = "3 2 6\n0 1 1\n0 2 2\n3 0 4\n1 2 3\n1 3 5\n";
    assert_eq!(found(numbered, "d.txt").0, MATRIX);
    refused(
        &pairs.replace("b,c,3\n", ""),
        "d.csv",
        &["4 points", "`b` and `c` have none", "--set given=neighbors"],
    );
    refused(&pairs.replace("d,c,6", "d,c,7"), "d.csv", &["line 8", "`d` and `c`", "7", "6 above"]);
}

#[test]
fn similarities_become_the_distances_of_their_points() -> Outcome {
    // Inner products of (0, 0), (3, 0), (0, 4).
    let table = read_as("0,0,0\n0,9,0\n0,0,16\n", "s.csv", Given::Similarities)?;
    assert_eq!(table.points.view().values(), [0.0, 3.0, 4.0, 3.0, 0.0, 5.0, 4.0, 5.0, 0.0]);
    assert!(table.notes.iter().any(|note| note.contains("s(i,i) + s(j,j) - 2 s(i,j)")), "{:?}", table.notes);
    let pairs = "a,a,1\na,b,0.5\nb,b,1\n";
    let table = read_as(pairs, "s.csv", Given::Similarities)?;
    assert!((table.points.view().values()[1] - 1.0).abs() < 1e-15);
    let refused = |text: &str, parts: &[&str]| {
        let error = read_as(text, "s.csv", Given::Similarities).expect_err(text).to_string();
        parts.iter().for_each(|part| assert!(error.contains(part), "{error} lacks `{part}`"));
    };
    refused("a,b,0.5\n", &["`a` and `a` have none", "similarity"]);
    refused("1,2\n2,1\n", &["at most the mean", "rows 0 and 1", "max - s"]);
    refused("1,0.5\n0.4,1\n", &["symmetric", "0.5", "0.4"]);
    refused("0.5,2,3\n1,2,3\n", &["square", "2 × 3"]);
    Ok(())
}
