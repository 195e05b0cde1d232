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

/// Fails unless two files have the same numbers, up to rounding.
fn near(found: Vec<u8>, expected: Vec<u8>, rounding: f64, what: &str) {
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < rounding, "{what}: {found}, {expected}");
    }
}

/// The numbers of a file of text.
fn numbers(text: Vec<u8>) -> Vec<f64> {
    let text = String::from_utf8(text).unwrap();
    text.split([',', '\n']).filter(|cell| !cell.is_empty()).map(|cell| cell.parse().unwrap()).collect()
}

/// Words have no order: the colors of a picture do not depend on their names.
#[test]
fn a_picture_of_words_is_colored_by_their_categories() {
    let folder = TempFolder::new();
    folder.file("one.csv", groups(40));
    folder.file("other.csv", groups(40).replace("red", "zinnober").replace("blue", "azure"));
    let drawn = ["one", "other"].map(|name| {
        folder.compare(&format!(
            "embed --method smacof --input {name}.csv --ignore name --metric gower --output y.csv --plot y.svg --title map"
        ));
        folder.read("y.svg")
    });
    assert!(drawn[0] == drawn[1]);
}

/// A column of dates is no column of categories, and the message says how it is read.
#[test]
fn dates_that_are_too_many_categories_are_named() {
    let folder = TempFolder::new();
    let rows: String = (0..120).map(|i| format!("{i},{:02}/{:02}/2023\n", i % 28 + 1, i / 28 + 1)).collect();
    folder.file("orders.csv", format!("amount,date\n{rows}"));
    folder.refuses(
        "embed --method umap --input orders.csv --metric gower --output y.csv",
        1,
        &["look like dates", "--dates-as-days --date-order day-first"],
    );
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
    assert_eq!(folder.read("i.csv"), b"2\n3\n3\n2\n");
    // Rows 0 and 2 share three columns; 1 and 3 two; 2 and 3 two.
    let expected = [1.0 / 3.0, 1.5 / 2.0, 0.5 / 2.0, 0.5 / 2.0].map(|distance| format!("{distance}\n"));
    near(folder.read("d.csv"), expected.concat().into_bytes(), 1e-12, "gower");
    assert_eq!(folder.json("r.json")["D"], 4);
    folder.file("n.csv", "a,b,c\n0,,1\n3,4,\n1,2,NA\n");
    folder.compare("neighbors --input n.csv --k 1 --metric nan-euclidean --output i.csv --distances d.csv");
    let expected = [3_f64.sqrt(), 12_f64.sqrt(), 3_f64.sqrt()].map(|distance| format!("{distance}\n"));
    near(folder.read("d.csv"), expected.concat().into_bytes(), 1e-12, "nan-euclidean");
}

/// A model keeps ranges and names of categories: its own rows, in another order of rows and columns, keep their
/// places, and a note names a word that it does not know.
#[test]
fn models_keep_the_categories_by_name() {
    let folder = TempFolder::new();
    let text = groups(60);
    folder.file("x.csv", &text);
    for method in ["umap", "isomap", "classical-mds", "tsne"] {
        folder.compare(&format!(
            "embed --method {method} --metric gower --categories gower --missing keep --components bridge --ignore name --input x.csv \
             --output y.csv --save m.bin"
        ));
        folder.compare("transform --model m.bin --input x.csv --output placed.csv");
        near(folder.read("placed.csv"), folder.read("y.csv"), 1e-9, method);
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
    let placed = String::from_utf8(folder.read("placed.csv")).unwrap();
    let turned = placed.lines().rev().map(|line| format!("{line}\n")).collect::<String>();
    near(turned.into_bytes(), folder.read("y.csv"), 1e-9, "rows in another order");
    folder.file("new.csv", "height,color,weight\n1.1,red,70\n1.1,green,70\n,7,\n1.2,,\n");
    let said = folder.command("transform --model m.bin --input new.csv --output new.npy").output().unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("`7` and 1 other words in column `color` are no categories of the model"),
        "{said}"
    );
}

/// Rows without a car are compared by the other column; the model keeps which columns are asymmetric.
#[test]
fn common_zeros_of_asymmetric_columns_do_not_count() {
    let folder = TempFolder::new();
    folder.file("x.csv", "age,car\n1,0\n2,0\n4,1\n5,1\n");
    let line = "neighbors --k 1 --metric gower --input x.csv --output i.csv --distances d.csv";
    folder.compare(line);
    near(folder.read("d.csv"), b"0.125\n0.125\n0.125\n0.125\n".to_vec(), 1e-12, "symmetric");
    folder.compare(&format!("{line} --asymmetric car"));
    near(folder.read("d.csv"), b"0.25\n0.25\n0.125\n0.125\n".to_vec(), 1e-12, "asymmetric");
    folder.compare(
        "embed --method classical-mds --dim 1 --metric gower --asymmetric car --input x.csv --output y.csv --save m.bin",
    );
    folder.compare("transform --model m.bin --input x.csv --output placed.csv");
    near(folder.read("placed.csv"), folder.read("y.csv"), 1e-9, "its own rows");
    for (line, status, part) in [
        ("embed --method umap --output z.csv --asymmetric car", 2, "--asymmetric needs --metric gower"),
        ("neighbors --k 1 --metric gower --output z.csv --asymmetric age", 1, "a column of 0 and 1"),
        ("transform --model m.bin --output z.csv --asymmetric car", 2, "belongs to `compare embed`"),
    ] {
        let ended = folder.command(&format!("{line} --input x.csv")).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(status), "{line}: {said}");
        assert!(said.contains(part), "{line}: {said}");
    }
}

/// A weight is a number of copies; the model of weighted rows places the rows where the fit has them.
#[test]
fn a_column_of_weights_repeats_rows() {
    let folder = TempFolder::new();
    let (mut weighted, mut repeated) = ("a,b,w\n".to_owned(), "a,b\n".to_owned());
    let mut first = Vec::new();
    for i in 0..20_usize {
        let (a, b, copies) = ((i as f64 * 0.7).sin(), (i as f64 * 1.3).cos(), 1 + i % 3);
        writeln!(weighted, "{a},{b},{copies}").unwrap();
        first.push(repeated.lines().count() - 1);
        (0..copies).for_each(|_| writeln!(repeated, "{a},{b}").unwrap());
    }
    folder.file("w.csv", &weighted).file("r.csv", &repeated);
    for method in ["pca", "kernel-pca", "classical-mds"] {
        let embed = format!("embed --method {method}");
        folder.compare(&format!("{embed} --input w.csv --weight-column w --output w.out.csv --save m.bin"));
        folder.compare(&format!("{embed} --input r.csv --output r.out.csv"));
        let all = String::from_utf8(folder.read("r.out.csv")).unwrap();
        let lines: Vec<&str> = all.lines().collect();
        let of_first: String = first.iter().map(|row| format!("{}\n", lines[*row])).collect();
        near(folder.read("w.out.csv"), of_first.into_bytes(), 1e-9, method);
        folder.compare("transform --model m.bin --input w.csv --output placed.csv");
        near(folder.read("placed.csv"), folder.read("w.out.csv"), 1e-9, method);
    }
    for (line, part) in [
        ("embed --method umap --weight-column w", "these have them: "),
        ("embed --method pca --weight-column w --fit-on 10", "cannot be used with"),
        ("embed --method kernel-pca --set given=distances --weight-column w", "needs the columns of points"),
    ] {
        let ended = folder.command(&format!("{line} --input w.csv --output z.csv")).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(part), "{line}: {said}");
    }
}

#[test]
fn a_run_and_measures_read_the_table() {
    let folder = TempFolder::new();
    folder.file("x.csv", groups(80));
    folder.compare("embed --method umap --metric gower --ignore name --input x.csv --output y.npy");
    let scores = folder.compare("measure --input x.csv --embedding y.npy --metric gower --ignore name --k 5");
    let scores: serde_json::Value = serde_json::from_str(&scores).unwrap();
    assert!(scores["trustworthiness"].as_f64().unwrap() > 0.8, "{scores}");
    // Methods that are named and fail are an error of the run, which has all others.
    let run = folder
        .command("run --input x.csv --ignore name --metric gower --methods umap,ltsa,pca --k 8 --out out");
    assert_eq!({ run }.output().unwrap().status.code(), Some(1));
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
    folder.refuses("trust --model m.bin --input g.csv --output t.csv", 1, &["`trust` reads coordinates"]);
    folder.file("words.csv", "height,color,weight\ntall,red,7\n");
    folder.refuses("transform --model m.bin --input words.csv --output new.npy", 1, &["`tall`"]);
}

/// A weighted column counts as the column times the factor of its weight, in maps, new rows and neighbors.
#[test]
fn weights_scale_the_columns() {
    let folder = TempFolder::new();
    let rows = |factors: [f64; 2]| {
        let at = |i: u32, step: f64| (f64::from(i) * step + 0.3).fract();
        let row =
            |i: u32| format!("{},{}\n", factors[0] * at(i, 0.754_877_666), factors[1] * at(i, 0.569_840_291));
        format!("a,b\n{}", (0..40).map(row).collect::<String>())
    };
    folder.file("x.csv", rows([1.0, 1.0])).file("w.txt", "b,9\n\na,0.25\n");
    for (metric, factors) in [
        ("euclidean", [0.5, 3.0]),
        ("manhattan", [0.25, 9.0]),
        ("chebyshev", [0.25, 9.0]),
        ("minkowski:4", [0.25_f64.powf(0.25), 9_f64.powf(0.25)]),
    ] {
        folder.file("scaled.csv", rows(factors));
        let line = format!("neighbors --k 5 --metric {metric}");
        folder.compare(&format!("{line} --input scaled.csv --output i.csv --distances d.csv"));
        for weights in ["a=0.25,b=9", "w.txt", "0=0.25,1=9"] {
            folder.compare(&format!(
                "{line} --input x.csv --weights {weights} --output j.csv --distances e.csv"
            ));
            near(folder.read("e.csv"), folder.read("d.csv"), 1e-12, metric);
        }
    }
    folder.compare("embed --method pca --weights b=9 --input x.csv --output y.csv --save m.bin");
    folder.compare("transform --model m.bin --input x.csv --output placed.csv");
    assert_eq!(folder.read("y.csv"), folder.read("placed.csv"));
    folder.compare("embed --method pca --input x.csv --output plain.csv");
    assert_ne!(folder.read("y.csv"), folder.read("plain.csv"));
    // By gower a weight of 3 counts as three columns.
    folder
        .file("one.csv", "a,c\n1,x\n2,y\n5,x\n,y\n")
        .file("three.csv", "a,c,d,e\n1,x,x,x\n2,y,y,y\n5,x,x,x\n,y,y,y\n");
    folder.compare(
        "neighbors --k 3 --metric gower --weights c=3 --input one.csv --output i.csv --distances d.csv",
    );
    folder.compare("neighbors --k 3 --metric gower --input three.csv --output j.csv --distances e.csv");
    assert_eq!((folder.read("i.csv"), folder.read("d.csv")), (folder.read("j.csv"), folder.read("e.csv")));
    for (line, status, part) in [
        ("neighbors --k 1 --metric cosine --weights a=2 --output n.npy", 2, "--weights needs a metric"),
        ("neighbors --k 1 --weights a=0 --output n.npy", 2, "weights above 0"),
        ("neighbors --k 1 --weights z=2 --output n.npy", 1, "`z`"),
        ("neighbors --k 1 --weights a=2,a=3 --output n.npy", 1, "two of `a`"),
        ("neighbors --k 1 --weights none.txt --output n.npy", 1, "none.txt"),
        ("transform --model m.bin --weights a=2 --output n.npy", 2, "--weights belongs to `compare embed`"),
        (
            "embed --method isomap --weights a=2 --set given=distances --output n.npy",
            2,
            "--weights needs points",
        ),
    ] {
        folder.refuses(&format!("{line} --input x.csv"), status, &[part]);
    }
}
