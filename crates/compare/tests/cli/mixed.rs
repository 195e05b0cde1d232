//! `--metric gower` and `--metric nan-euclidean`: tables with words and gaps, their models, and what refuses them.

use std::fmt::Write;

use crate::temp_folder::TempFolder;

/// A number, a truth value, a word and a number; some cells are empty.
const TABLE: &str = "age,member,color,size\n20,true,red,1\n30,false,blue,\n,true,red,5\n40,true,,3\n";

/// A table of two groups, with gaps.
fn groups(n: usize) -> String {
    let mut text = "height,color,weight,name\n".to_owned();
    for i in 0..n {
        let (group, at) = (i % 2, (i as f64 * 0.618_034).fract());
        let color = if group == 0 { ["red", "pink"][i / 2 % 2] } else { ["blue", "cyan"][i / 2 % 2] };
        let height =
            if i % 9 == 4 { "NA".to_owned() } else { format!("{}", 1.0 + 0.3 * group as f64 + 0.2 * at) };
        let weight = if i % 7 == 3 { String::new() } else { format!("{}", 60.0 + 20.0 * at) };
        writeln!(text, "{height},{color},{weight},row {i}").unwrap();
    }
    text
}

fn numbers(text: Vec<u8>) -> Vec<f64> {
    String::from_utf8(text).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn neighbors_compare_the_columns_that_both_rows_have() {
    let folder = TempFolder::new();
    folder.file("x.csv", TABLE);
    let line =
        "neighbors --input x.csv --k 1 --metric gower --output i.csv --distances d.csv --report r.json";
    let said = folder.command(line).output().unwrap();
    assert!(said.status.success());
    let said = String::from_utf8(said.stderr).unwrap();
    for part in [
        "column 2 `color` of words (counted from 0) was read as 2 categories",
        "3 of 16 values are missing: gower compares two rows by the columns that both have",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(folder.read("i.csv"), b"2\n3\n0\n0\n");
    // Rows 0 and 2 share three columns; 1 and 3 two; 0 and 3 three.
    let expected = [1.0 / 3.0, 1.5 / 2.0, 1.0 / 3.0, 1.5 / 3.0];
    for (found, expected) in numbers(folder.read("d.csv")).into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
    }
    assert_eq!(folder.json("r.json")["D"], 4);
    folder.file("n.csv", "a,b,c\n0,,1\n3,4,\n1,2,NA\n");
    folder.compare("neighbors --input n.csv --k 1 --metric nan-euclidean --output i.csv --distances d.csv");
    let expected = [3_f64.sqrt(), 12_f64.sqrt(), 3_f64.sqrt()];
    for (found, expected) in numbers(folder.read("d.csv")).into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
    }
}

/// A model keeps ranges and names of categories: its own rows, in another order of rows and columns, keep their
/// places, and a word that it does not know is said.
#[test]
fn models_keep_the_categories_by_name() {
    let folder = TempFolder::new();
    let text = groups(60);
    folder.file("x.csv", &text);
    for method in ["umap", "isomap", "classical-mds", "smacof"] {
        folder.compare(&format!(
            "embed --method {method} --metric gower --categories gower --missing keep --components bridge --ignore name --input x.csv \
             --output y.npy --save m.bin"
        ));
        folder.compare("transform --model m.bin --input x.csv --output placed.npy");
        assert!(
            folder.read("placed.npy") == folder.read("y.npy"),
            "{method}: training rows keep their places"
        );
    }
    folder.compare("embed --method isomap --metric gower --components bridge --ignore name --input x.csv --output y.csv --save m.bin");
    // The second category comes first, columns have another order, and one of them is new.
    let mut other = "weight,extra,color,height\n".to_owned();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    for row in rows.iter().rev() {
        writeln!(other, "{},0,{},{}", row[2], row[1], row[0]).unwrap();
    }
    folder.file("other.csv", &other);
    folder.compare("transform --model m.bin --input other.csv --output placed.csv");
    let lines = |name: &str| -> Vec<String> {
        String::from_utf8(folder.read(name)).unwrap().lines().map(str::to_owned).collect()
    };
    let (map, mut placed) = (lines("y.csv"), lines("placed.csv"));
    placed.reverse();
    assert_eq!(map, placed);
    folder.file("new.csv", "height,color,weight\n1.1,red,70\n1.1,green,70\n,7,\n1.2,,\n");
    let said = folder.command("transform --model m.bin --input new.csv --output new.npy").output().unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("`7` and 1 other words in column `color` are no categories of the model"),
        "{said}"
    );
}

#[test]
fn a_run_and_measures_read_the_table() {
    let folder = TempFolder::new();
    folder.file("x.csv", groups(80));
    folder.compare("embed --method umap --metric gower --ignore name --input x.csv --output y.npy");
    let scores = folder.compare("measure --input x.csv --embedding y.npy --metric gower --ignore name --k 5");
    let scores: serde_json::Value = serde_json::from_str(&scores).unwrap();
    assert!(scores["trustworthiness"].as_f64().unwrap() > 0.8, "{scores}");
    folder.compare("run --input x.csv --ignore name --metric gower --methods umap,ltsa,pca --k 8 --out out");
    let results = folder.json("out/results.json");
    let methods = results["datasets"][0]["methods"].as_array().unwrap();
    let of = |name: &str| methods.iter().find(|row| row["method"] == name).unwrap().to_string();
    assert!(of("umap").contains("trustworthiness"));
    for name in ["ltsa", "pca"] {
        assert!(of(name).contains("reads coordinates"), "{}", of(name));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = TempFolder::new();
    folder.file("x.csv", TABLE).file("g.csv", groups(60)).file("apart.csv", "a,b\n1,\n,2\n3,4\n");
    for (line, status, parts) in [
        ("embed --method umap --input x.csv --missing keep", 2, &["--missing keep needs --metric gower"][..]),
        (
            "embed --method umap --input x.csv --categories gower",
            2,
            &["--categories gower needs --metric gower"],
        ),
        (
            "embed --method umap --input x.csv --metric gower --standardize",
            2,
            &["--standardize has no effect"],
        ),
        (
            "embed --method umap --input x.csv --metric nan-euclidean --categories gower",
            2,
            &["nan-euclidean compares numbers"],
        ),
        ("embed --method umap --input x.csv --metric nan-euclidean", 1, &["--categories indicators"]),
        (
            "embed --method ltsa --input g.csv --ignore name --metric gower",
            1,
            &["reads coordinates", "--categories indicators or ignore"],
        ),
        ("embed --method pca --input g.csv --ignore name --metric gower", 1, &["reads coordinates"]),
        (
            "embed --method isomap --k 1 --input apart.csv --metric gower",
            1,
            &["rows 0 and 1 (counted from 0) have no column"],
        ),
    ] {
        folder.refuses(&format!("{line} --output y.npy"), status, parts);
    }
    folder.compare(
        "embed --method isomap --k 5 --metric gower --ignore name --components bridge --input g.csv --output y.npy --save m.bin",
    );
    folder.refuses(
        "drivers --model m.bin --input g.csv --output d.csv",
        1,
        &["`drivers` reads coordinates", "--categories indicators"],
    );
    folder.compare("trust --model m.bin --input g.csv --output t.csv");
    folder.file("words.csv", "height,color,weight\ntall,red,7\n");
    folder.refuses("transform --model m.bin --input words.csv --output new.npy", 1, &["`tall`"]);
}
