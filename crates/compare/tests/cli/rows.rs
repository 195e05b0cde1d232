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

/// A column of names that is called `row` is not taken for the numbers of rows: a map with shuffled numbers as names
/// is measured row by row.
#[test]
fn names_may_be_called_row() {
    let folder = TempFolder::new();
    let line = |i: usize| format!("{},{},{}\n", (i * 7) % 30, (i * 11) % 30, (i * i) % 13);
    folder.file("x.csv", "row,x,y\n".to_owned() + &(0..30).map(line).collect::<String>());
    let embed = "embed --method pca --input x.csv --name-column row --output";
    folder.compare(&format!("{embed} y.csv"));
    assert!(String::from_utf8(folder.read("y.csv")).unwrap().starts_with("row,row_2,x1,x2\n0,0,"));
    folder.compare(&format!("{embed} y.npy"));
    let scores = |map: &str| {
        folder.compare(&format!("measure --input x.csv --name-column row --embedding {map} --k 5"))
    };
    assert_eq!(scores("y.csv"), scores("y.npy"));
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
        note.contains("the output has no row for points that were not placed; its column `row` has"),
        "{note}"
    );
    assert!(String::from_utf8(folder.read("y.csv")).unwrap().starts_with("row,x1\n8,"));
    let note = said(&folder, &embed.replace("y.csv", "y.npy"));
    assert!(note.contains("were not placed; facts.rows of --report lists"), "{note}");
    folder.compare(&format!("{embed} --report r.json"));
    assert_eq!(folder.json("r.json")["facts"]["rows"], json!((8..28).collect::<Vec<_>>()));
    // With rows left out as well, these are not counted.
    let gap = (0..28).map(|i| if i == 2 { "?,0.5\n".to_owned() } else { line(i) }).collect::<String>();
    folder.file("gap.csv", gap);
    let gap = embed.replace("x.csv", "gap.csv --missing drop --report r.json");
    folder.compare(&gap.replace("y.csv", "g.csv"));
    assert!(String::from_utf8(folder.read("g.csv")).unwrap().starts_with("row,x1\n8,"));
    let note = said(&folder, &gap.replace("y.csv", "g.npy"));
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
    assert_eq!(String::from_utf8(folder.read("y.csv")).unwrap().lines().count(), 60);
    folder.refuses(&format!("{embed} --unknown-label NA --output y.csv"), 1, &["1 of 60 are unknown"]);
    for (option, n) in [("--missing drop", 59), ("--unknown-label NA", 60)] {
        let measure = format!("measure --input plain.csv --labels l.csv {option} --embedding plain.csv");
        let scores: serde_json::Value = serde_json::from_str(&folder.compare(&measure)).unwrap();
        assert_eq!(scores["n"].as_u64(), Some(n), "{option}");
    }
}

const WITH: &str = "id,species,age,x,y\nann,elf,30,1,2\nbob,\"man, old\",,3,9\ncid,elf,12,?,4\ndan,man,7,8,1\neve,orc,9,5,5\n";

#[test]
fn maps_carry_what_came_in_with_their_rows() {
    let folder = TempFolder::new();
    folder.file("x.csv", WITH);
    let read = "--input x.csv --name-column id --label-column species --ignore age --missing drop";
    let embed = format!("embed --method pca --dim 1 {read} --with age,y --save m.bin");
    folder.compare(&format!("{embed} --output y.csv"));
    let text = String::from_utf8(folder.read("y.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "row,id,species,age,y,x1");
    assert!(
        lines[1].starts_with("0,ann,elf,30,2,") && lines[2].starts_with("1,bob,\"man, old\",,9,"),
        "{text}"
    );
    assert!(lines[3].starts_with("3,dan,man,7,1,") && lines.len() == 5, "{text}");
    // The same coordinates without these columns, and as an array of an archive.
    folder.compare(&format!("{embed} --output y.npz"));
    folder.compare(&format!("embed --method pca --dim 1 {read} --output plain.npy"));
    let scores = |map: &str| folder.compare(&format!("measure {read} --k 1 --embedding {map}"));
    assert_eq!(scores("y.csv"), scores("plain.npy"));
    assert_eq!(scores("y.npz:coordinates"), scores("plain.npy"));
    // Rows are matched by their numbers.
    let swapped: String = [0, 4, 2, 3, 1].map(|at| format!("{}\n", lines[at])).concat();
    folder.file("swapped.csv", swapped.replace("id,", "old,"));
    assert_eq!(scores("swapped.csv"), scores("plain.npy"));
    folder.file("other.csv", text.replace("\n3,", "\n2,"));
    let parts = ["numbers of the rows of the data", "column `row`"];
    folder.refuses(&format!("measure {read} --k 1 --embedding other.csv"), 1, &parts);
    folder.file("words.csv", text.replace("\n3,", "\n2.5,"));
    folder.refuses(&format!("measure {read} --k 1 --embedding words.csv"), 1, &["words.csv", "column `row`"]);
    let place = "transform --model m.bin --input x.csv --label-column species --ignore id,age --missing drop";
    folder.compare(&format!("{place} --with species --output t.tsv"));
    let text = String::from_utf8(folder.read("t.tsv")).unwrap();
    assert!(text.starts_with("row\tspecies\tx1\n0\telf\t") && text.contains("\n3\tman\t"), "{text}");
    folder.refuses(&format!("{embed} --output y.npy"), 2, &["--output y.npy", "--with", ".npz"]);
    let unknown = embed.replace("age,y", "agee");
    folder.refuses(&format!("{unknown} --output z.csv"), 1, &["--with agee", "`age`"]);
}
