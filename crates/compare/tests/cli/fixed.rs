//! `embed --fixed`.

use crate::starts::folder;

const EMBED: &str = "embed --input x.csv --report r.json --output";
const NAMED: &str = "--name-column id --start start.csv --fixed names.txt";

/// The rows of a table, without its header.
fn rows(text: &[u8]) -> Vec<String> {
    String::from_utf8(text.to_vec()).unwrap().lines().skip(1).map(str::to_owned).collect()
}

/// Fixed rows have their numbers of the start in the output, by name and by row; the others move.
#[test]
fn fixed_rows_have_their_places_in_the_output() {
    let folder = folder();
    folder.file("names.txt", "id\nr3\nr17\nr5\n");
    folder.file("rows.txt", "3\n17\n\n5\n");
    for method in ["smacof", "umap", "trimap"] {
        folder.compare(&format!("{EMBED} y.csv --method {method} {NAMED}"));
        let notes = folder.json("r.json")["notes"].to_string();
        assert!(notes.contains("the given start was used unchanged; 3 of 24 rows are fixed"), "{notes}");
        let (start, end) = (rows(&folder.read("start.csv")), rows(&folder.read("y.csv")));
        for (row, (start, end)) in start.iter().zip(&end).enumerate() {
            assert_eq!(start == end, [3, 5, 17].contains(&row), "{method}: {start} and {end}");
        }
        let plain = "--ignore id --start plain.csv --fixed rows.txt";
        folder.compare(&format!("{EMBED} z.csv --method {method} {plain}"));
        let named: Vec<&str> = end.iter().map(|line| line.split_once(',').unwrap().1).collect();
        assert!(String::from_utf8(folder.read("z.csv")).unwrap().lines().eq(named), "{method}");
    }
}

#[test]
fn fixed_rows_that_do_not_match_are_refused() {
    let folder = folder();
    folder.file("names.txt", "r3\nq5\n");
    folder.file("rows.txt", "3\n24\n");
    folder.file("none.txt", "\n");
    folder.file("all.txt", (0..24).map(|row| format!("{row}\n")).collect::<String>());
    let umap = format!("{EMBED} y.csv --method umap");
    folder.refuses(&format!("{umap} {NAMED}"), 1, &["names.txt", "`q5` is no name of a row of the data"]);
    let plain = format!("{umap} --ignore id --start plain.csv --fixed");
    folder.refuses(&format!("{plain} rows.txt"), 1, &["0 to 23, but one is `24`", "--name-column"]);
    folder.refuses(&format!("{plain} names.txt"), 1, &["0 to 23, but one is `r3`"]);
    folder.file(
        "gap.csv",
        "a,b\n".to_owned()
            + &(0..24)
                .map(|i| if i == 3 { ",1\n".to_owned() } else { format!("{i},{}\n", i * i % 7) })
                .collect::<String>(),
    );
    folder.file("lost.csv", "\u{feff}3\n");
    let gap =
        format!("{plain} lost.csv --missing drop").replace("x.csv", "gap.csv").replace(" --ignore id", "");
    folder.refuses(&gap, 1, &["lost.csv", "all its rows were left out of the data"]);
    folder.refuses(&format!("{plain} none.txt"), 1, &["a fixed row per line, but has none"]);
    folder.refuses(&format!("{plain} all.txt"), 1, &["all 24 rows are fixed"]);
    folder.refuses(&format!("{plain} lost.txt"), 1, &["lost.txt", "cannot be read"]);
    folder.refuses(&format!("{umap} --ignore id --fixed rows.txt"), 2, &["--start"]);
    let phate =
        "embed --input x.csv --output y.csv --method phate --ignore id --start plain.csv --fixed rows.txt";
    folder.refuses(phate, 2, &["phate does not; these do: ", "smacof", "trimap"]);
    folder.refuses(&format!("{umap} --ignore id --start plain.csv --fixed y.csv"), 2, &["y.csv"]);
    assert!(!folder.path("y.csv").exists());
}
