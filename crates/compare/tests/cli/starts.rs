//! `embed --start`.

use crate::temp_folder::TempFolder;

/// 24 points with names, and a start whose rows are in another order.
pub(crate) fn folder() -> TempFolder {
    let folder = TempFolder::new();
    let point = |i: usize| format!("r{i},{},{},{}\n", (i * 7) % 24, (i * i) % 11, i % 5);
    let place = |i: usize| format!("r{i},{},{}\n", (i * 5) % 24, (i * i) % 13);
    folder.file("x.csv", "id,a,b,c\n".to_owned() + &(0..24).map(point).collect::<String>());
    folder.file("start.csv", "id,x,y\n".to_owned() + &(0..24).map(place).collect::<String>());
    let turned = (0..24).rev().map(place).collect::<String>();
    folder.file("turned.csv", "id,x,y\n".to_owned() + &turned);
    let plain = |i: usize| format!("{},{}\n", (i * 5) % 24, (i * i) % 13);
    folder.file("plain.csv", (0..24).map(plain).collect::<String>());
    folder
}

const EMBED: &str = "embed --method smacof --input x.csv --name-column id --report r.json --output";

/// Rows are matched by name in any order; without names they are matched row by row. The report says how the
/// start was used.
#[test]
fn a_start_is_matched_by_name_or_by_row() {
    let folder = folder();
    folder.compare(&format!("{EMBED} y.csv --start start.csv"));
    folder.compare(&format!("{EMBED} z.csv --start turned.csv"));
    folder.compare(&format!("{EMBED} p.csv --start plain.csv"));
    let expected = folder.read("y.csv");
    assert_eq!(folder.read("z.csv"), expected);
    assert_eq!(folder.read("p.csv"), expected);
    assert!(folder.json("r.json")["notes"].to_string().contains("the given start was used unchanged"));
    // Started at its own map, it is done after two steps.
    folder.compare(&format!("{EMBED} again.csv --start y.csv"));
    let history = folder.json("r.json")["facts"]["stress_history"].as_array().unwrap().len();
    assert_eq!(history, 3);
    let tsne = "embed --method tsne --set perplexity=5 --set iterations=50 --input x.csv --ignore id";
    let command = folder.command(&format!("{tsne} --output t.npy --start plain.csv")).assert().success();
    let said = String::from_utf8(command.get_output().stderr.clone()).unwrap();
    assert!(said.contains("the given start was centered and multiplied by 1."), "{said}");
    assert!(said.contains("so that the largest standard deviation of a column is 0.0001"), "{said}");
    folder.compare(&format!("{tsne} --output s.npy --start t.npy"));
    assert_ne!(folder.read("s.npy"), folder.read("t.npy"));
}

#[test]
fn starts_that_do_not_match_are_refused() {
    let folder = folder();
    let text = String::from_utf8(folder.read("start.csv")).unwrap();
    folder.file("other.csv", text.replace("r7,", "q7,"));
    folder.file("twice.csv", text.replace("r7,", "r8,"));
    folder.file("more.csv", text.clone() + "q1,1,2\n");
    folder.file("few.csv", "1,2\n3,4\n");
    folder.file("wide.csv", (0..24).map(|i| format!("{i},{},3\n", i % 7)).collect::<String>());
    folder.file("same.csv", "1,2\n".repeat(24));
    let line = |start: &str| format!("{EMBED} y.csv --start {start}");
    folder.refuses(
        &line("other.csv"),
        1,
        &["other.csv", "1 of them, such as `r7`, have none", "match by row"],
    );
    folder.refuses(&line("twice.csv"), 1, &["rows 7 and 8 of this file", "are both `r8`", "--name-column"]);
    folder.refuses(&line("more.csv"), 1, &["more.csv", "1 of 25, such as `q1`", "remove them"]);
    folder.refuses(&line("few.csv"), 1, &["the number of rows of the start", "24", "2"]);
    folder.refuses(&line("wide.csv"), 1, &["24 × 2", "column per dimension", "24 × 3"]);
    folder.refuses(&line("same.csv"), 1, &["all 24 rows of the given start are equal"]);
    folder.refuses(&line("start.csv --fit-on 10"), 2, &["--start", "--fit-on"]);
    let pca = "embed --method pca --input x.csv --name-column id --output y.csv --start start.csv";
    folder.refuses(pca, 2, &["pca has none", "smacof", "umap", "phate"]);
    folder.refuses(
        "embed --method umap --input x.csv --output plain.csv --start plain.csv",
        2,
        &["plain.csv"],
    );
    assert!(!folder.path("y.csv").exists());
}
