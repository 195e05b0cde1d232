//! Rows of the input that an output has no row for.

use serde_json::json;

use crate::temp_folder::TempFolder;

fn said(folder: &TempFolder, line: &str) -> String {
    String::from_utf8(folder.command(line).assert().success().get_output().stderr.clone()).unwrap()
}

/// 30 rows; the given ones lack a value.
fn broken(rows: impl Fn(usize) -> bool) -> String {
    let line = |i: usize| match rows(i) {
        true => format!("{i},\n"),
        false => format!("{},{}\n", (i * 7) % 30, (i * i) % 11),
    };
    "x,y\n".to_owned() + &(0..30).map(line).collect::<String>()
}

#[test]
fn rows_with_missing_values_are_named_and_listed() {
    let folder = TempFolder::new();
    folder.file("x.csv", broken(|i| [4, 11, 29].contains(&i))).file("y.csv", broken(|i| i % 2 == 0));
    let note = "3 of 30 rows with missing values were left out: rows 4, 11, 29 (counted from 0)";
    let search = "neighbors --missing drop --k 3 --input x.csv --output n.npy --report r.json";
    assert!(said(&folder, search).contains(note));
    assert_eq!(
        (&folder.json("r.json")["left_out_rows"], &folder.json("r.json")["n"]),
        (&json!([4, 11, 29]), &json!(27))
    );
    let embed = "embed --method pca --missing drop --output e.npy --save m.bin --report r.json --input";
    assert!(said(&folder, &format!("{embed} x.csv")).contains(note));
    assert_eq!(
        (&folder.json("r.json")["left_out_rows"], &folder.json("r.json")["n"]),
        (&json!([4, 11, 29]), &json!(27))
    );
    let placed = "transform --model m.bin --missing drop --input x.csv --output t.npy";
    assert!(said(&folder, placed).contains(note));
    folder.compare("run --methods pca --missing drop --input x.csv --k 4 --measure-k 4 --out o");
    assert!(folder.json("o/results.json")["datasets"][0]["notes"].as_str().unwrap().contains(note));
    // The note names the first of them, the report all.
    let many = said(&folder, &format!("{embed} y.csv"));
    assert!(many.contains("rows 0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 5 more (counted from 0)"), "{many}");
    assert_eq!(folder.json("r.json")["left_out_rows"], json!((0..30).step_by(2).collect::<Vec<_>>()));
    folder.file("z.csv", broken(|_| false));
    folder.compare(&format!("{embed} z.csv"));
    assert!(folder.json("r.json").get("left_out_rows").is_none());
    let help = folder.compare("neighbors --help").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("with --missing drop and --drop-zero-rows they count the rows that are kept"),
        "{help}"
    );
}

/// 20 points on a line, and 8 far from them.
#[test]
fn a_map_of_the_largest_component_says_where_its_rows_are_listed() {
    let folder = TempFolder::new();
    let line = |i: usize| format!("{},0.5\n", if i < 8 { 1000 + i } else { i });
    folder.file("x.csv", (0..28).map(line).collect::<String>());
    let embed = "embed --method isomap --k 3 --dim 1 --components largest --input x.csv --output y.csv";
    let note = said(&folder, embed);
    assert!(note.contains("20 of 28 points were placed"), "{note}");
    assert!(
        note.contains("the output has no row for points that were not placed; facts.rows of --report lists"),
        "{note}"
    );
    folder.compare(&format!("{embed} --report r.json"));
    assert_eq!(folder.json("r.json")["facts"]["rows"], json!((8..28).collect::<Vec<_>>()));
    // With rows left out as well, these are not counted.
    let gap = (0..28).map(|i| if i == 2 { "?,0.5\n".to_owned() } else { line(i) }).collect::<String>();
    folder.file("gap.csv", gap);
    let note = said(&folder, &embed.replace("x.csv", "gap.csv --missing drop --report r.json"));
    assert!(note.contains("counted from 0 among those that left_out_rows does not list"), "{note}");
    assert_eq!(folder.json("r.json")["facts"]["rows"], json!((7..27).collect::<Vec<_>>()));
    folder.refuses(
        "measure --input x.csv --embedding y.csv --k 3",
        1,
        &["28", "20", "--components largest", "facts.rows", "--report"],
    );
    // A map of more rows has no such reason.
    folder.file("short.csv", (8..20).map(line).collect::<String>());
    let long = folder.refuses("measure --input short.csv --embedding y.csv --k 3", 1, &["12", "20"]);
    assert!(!long.contains("--components"), "{long}");
    let whole = said(&folder, "embed --method isomap --k 3 --dim 1 --input short.csv --output z.csv");
    assert!(!whole.contains("facts.rows"), "{whole}");
}

/// As in a label column: refused, left out, or the unknown class.
#[test]
fn missing_labels_of_a_second_file_are_left_out_with_their_rows() {
    let folder = TempFolder::new();
    let rows: Vec<String> = (0..60_u32).map(|i| format!("{},{},{}", i % 7, i / 3, 10 * (i % 3))).collect();
    let mut labels: Vec<String> = (0..60).map(|i| ["plain", "twin", "double"][i % 3].to_owned()).collect();
    labels[3] = "NA".to_owned();
    folder.file("plain.csv", rows.join("\n")).file("l.csv", labels.join("\n"));
    let embed = "embed --method lda --dim 1 --input plain.csv --labels l.csv";
    let parts = ["l.csv", "row 3", "--missing drop", "--unknown-label"];
    folder.refuses(&format!("{embed} --output y.csv"), 1, &parts);
    let told = said(&folder, &format!("{embed} --missing drop --output y.csv"));
    assert!(told.contains("note: plain.csv: 1 of 60 rows without a label was left out: row 3"), "{told}");
    assert_eq!(String::from_utf8(folder.read("y.csv")).unwrap().lines().count(), 59);
    folder.refuses(&format!("{embed} --unknown-label NA --output y.csv"), 1, &["1 of 60 are unknown"]);
    for (option, n) in [("--missing drop", 59), ("--unknown-label NA", 60)] {
        let measure = format!("measure --input plain.csv --labels l.csv {option} --embedding plain.csv");
        let scores: serde_json::Value = serde_json::from_str(&folder.compare(&measure)).unwrap();
        assert_eq!(scores["n"].as_u64(), Some(n), "{option}");
    }
}
