//! Notes on data whose distances mislead: in the terminal, in the report of `embed`, and in
//! the results of `run`.

use crate::temp_folder::TempFolder;

/// Twelve points of four columns, the first with values in the thousands.
fn customers() -> TempFolder {
    let folder = TempFolder::new();
    let row = |i: usize| {
        let (a, b) = ((i * 5) % 12, (i * 7) % 11);
        format!("{}.5,0.{a},1,0.{b},{}\n", 1000 * ((i * i) % 13), i % 3)
    };
    folder.file("x.csv", "sales,visits,shop,age,rank\n".to_owned() + &(0..12).map(row).collect::<String>());
    folder
}

/// The notes in the report of `embed` with the given words; each note is on standard error once.
fn notes(folder: &TempFolder, words: &str) -> String {
    let line = format!("embed {words} --output y.csv --report r.json");
    let output = folder.command(&line).assert().success().get_output().clone();
    let told = String::from_utf8(output.stderr).unwrap();
    let notes = folder.json("r.json")["notes"].clone();
    let notes: Vec<&str> = notes.as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    notes.iter().for_each(|note| assert_eq!(told.matches(note).count(), 1, "{note}:\n{told}"));
    notes.join("\n")
}

#[test]
fn a_column_with_most_of_the_variance_is_named() {
    let folder = customers();
    let said = notes(&folder, "--method pca --input x.csv");
    for part in ["column `sales` has more than 99.99 % of the variance", "other 3 columns", "--standardize"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(said.contains("column `shop` is constant"), "{said}");
    let row = |i: usize| format!("{}.5,2,{},3,7,1,0,5,6\n", i * i, (i * 5) % 12);
    folder.file("c.csv", (0..12).map(row).collect::<String>());
    let said = notes(&folder, "--method pca --input c.csv");
    assert!(said.contains("columns 1, 3, 4, 5, 6 and 2 more (counted from 0) are constant"), "{said}");
    for quiet in ["--standardize", "--metric manhattan", "--ignore sales"] {
        let said =
            notes(&folder, &format!("--method isomap --k 6 --components bridge --input x.csv {quiet}"));
        assert!(!said.contains("of the variance"), "{quiet}: {said}");
    }
    folder.compare("run --input x.csv --methods pca --k 3 --measure-k 3 --out o");
    let said = folder.json("o/results.json")["datasets"][0]["notes"].to_string();
    assert!(said.contains("column `sales` has") && said.contains("--standardize"), "{said}");
}

#[test]
fn numbers_of_nines_outside_of_a_column_may_be_missing_values() {
    let folder = TempFolder::new();
    let row = |i: usize| {
        let a = if i % 5 == 2 { "-999".to_owned() } else { format!("1.{i}") };
        let (b, c) = (if i == 2 { -999 } else { i as i64 * i as i64 % 7 }, [7, 99, 60, 3][i % 4]);
        format!("{a},{b},{c},{}\n", if i == 8 { 9999 } else { 20 + i })
    };
    folder.file("x.csv", "a,b,c,d\n".to_owned() + &(0..15).map(row).collect::<String>());
    for standardize in ["", "--standardize"] {
        let said = notes(&folder, &format!("--method pca --input x.csv {standardize}"));
        for part in [
            "3 of 15 rows have -999 in column `a`, column `b`, far outside of their other values",
            "1 of 15 rows has 9999 in column `d`, whose other values are from 20 to 34; if that stands for a missing \
             value, say --missing-values 9999, and --missing drop or mean",
        ] {
            assert!(said.contains(part), "{standardize}: {said}");
        }
        assert!(!said.contains("column `c`") && !said.contains("of the variance"), "{said}");
    }
    let given = "--missing-values -999,9999 --missing mean";
    let said = notes(&folder, &format!("--method pca --input x.csv {given}"));
    assert!(!said.contains("missing value,"), "{said}");
}

#[test]
fn copies_are_told_once_with_the_policy_for_them() {
    let folder = TempFolder::new();
    let row = |i: usize| format!("{},{},{}\n", i % 10, (i * i) % 10, ((i % 10) * 7) % 4);
    folder.file("x.csv", (0..30).map(row).collect::<String>());
    let said = notes(&folder, "--method umap --k 5 --input x.csv");
    assert!(said.contains("20 of 30 rows are copies of others; `--set duplicates=merge`"), "{said}");
    let said = notes(&folder, "--method umap --k 5 --set duplicates=merge --input x.csv");
    assert_eq!(said.matches("copies").count(), 1, "{said}");
    let said = notes(&folder, "--method lle --k 5 --components bridge --input x.csv");
    assert_eq!(said.matches("copies").count(), 1, "{said}");
    let said = notes(&folder, "--method pca --input x.csv");
    assert!(said.ends_with("20 of 30 rows are copies of others"), "{said}");
    folder.file("equal.csv", "1,2\n".repeat(9));
    let said = notes(&folder, "--method pca --input equal.csv");
    assert!(said.contains("all 9 rows are equal"), "{said}");
}

#[test]
fn a_matrix_of_distances_read_as_points_is_told() {
    let folder = TempFolder::new();
    let row = |i: i32| (0..9).map(|j| (i - j).abs().to_string()).collect::<Vec<_>>().join(",") + "\n";
    folder.file("d.csv", (0..9).map(row).collect::<String>());
    let advice = "`--set given=distances` reads it as one";
    let said = notes(&folder, "--method smacof --input d.csv");
    assert!(said.contains("looks like a matrix of distances") && said.contains(advice), "{said}");
    let said = notes(&folder, "--method smacof --input d.csv --set given=distances");
    assert!(!said.contains("looks like"), "{said}");
    let said = notes(&folder, "--method pca --input d.csv");
    assert!(said.contains("pca reads it as points") && !said.contains(advice), "{said}");
    folder.file("not.csv", "0,1,2\n1,0,3\n2,4,0\n");
    assert!(!notes(&folder, "--method pca --input not.csv").contains("looks like"));
}

#[test]
fn a_metric_that_does_not_tell_points_apart_is_told() {
    let folder = TempFolder::new();
    let row = |i: usize| format!("{}.5,{}.25,{}.125\n", (i * 5) % 12, (i * 7) % 12, (i * 11) % 12);
    folder.file("x.csv", (0..12).map(row).collect::<String>());
    for (metric, part) in [("hamming", "at distance 1,"), ("jaccard", "at distance 0,")] {
        let line = format!("--method isomap --k 11 --input x.csv --metric {metric}");
        let output = folder.command(&format!("embed {line} --output y.csv")).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(part) && said.contains("does not distinguish them"), "{said}");
    }
    folder.file("bits.csv", (0..12).map(|i| format!("{},{},{}\n", i % 2, i / 2 % 2, 1)).collect::<String>());
    assert!(
        !notes(&folder, "--method isomap --k 3 --components bridge --input bits.csv --metric hamming")
            .contains("distinguish")
    );
}

#[test]
fn labels_that_are_no_classes_are_told_and_a_legend_lists_them() {
    let folder = customers();
    let row = |i: usize| format!("{},{},{}\n", i % 7, (i * i) % 11, (i * 5) % 13);
    folder.file("x.csv", (0..60).map(row).collect::<String>());
    folder.file("l.csv", (0..60).map(|i| format!("name-{i}\n")).collect::<String>());
    let said = notes(&folder, "--method pca --input x.csv --labels l.csv --plot map.svg");
    assert!(said.contains("have 60 classes for 60 rows") && said.contains("probably none"), "{said}");
    let svg = String::from_utf8(folder.read("map.svg")).unwrap();
    assert!(!svg.contains(" more<") && (0..60).all(|i| svg.contains(&format!(">name-{i}<"))), "{svg}");
    folder.file("few.csv", (0..60).map(|i| format!("name-{}\n", i % 20)).collect::<String>());
    let said = notes(&folder, "--method pca --input x.csv --labels few.csv --plot map.svg");
    assert!(!said.contains("classes"), "{said}");
    assert!(!String::from_utf8(folder.read("map.svg")).unwrap().contains("more"));
    folder.compare("run --input x.csv --labels l.csv --methods pca --out o");
    let report = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(report.contains("name-59</li>") && report.contains("have 60 classes for 60 rows"));
}

/// The same notes as from `embed`, on the input of the other commands.
#[test]
fn measures_and_neighbors_tell_what_misleads_distances() {
    let folder = customers();
    let said = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    folder.compare("embed --method pca --input x.csv --standardize --output y.csv");
    let measure = "measure --input x.csv --embedding y.csv --k 3";
    for line in [measure, "neighbors --input x.csv --k 3 --output i.npy"] {
        let (told, _) = said(line);
        assert!(
            told.contains("column `sales` has more than 99.99 %") && told.contains("--standardize"),
            "{told}"
        );
    }
    assert!(!said(&format!("{measure} --standardize")).0.contains("of the variance"));
    let row = |i: i32| (0..9).map(|j| (i - j).abs().to_string()).collect::<Vec<_>>().join(",") + "\n";
    folder.file("d.csv", (0..9).map(row).collect::<String>());
    folder.file("line.csv", (0..9).map(|i| format!("{i}\n")).collect::<String>());
    let measure = "measure --input d.csv --embedding line.csv --k 3";
    let (told, as_points) = said(measure);
    assert!(told.contains("looks like a matrix of distances; `--given distances`"), "{told}");
    // Measures of distances equal the measures of points with the same distances.
    let (told, of_distances) = said(&format!("{measure} --given distances"));
    let (_, of_points) = said("measure --input line.csv --embedding line.csv --k 3");
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (of_distances, of_points) = (read(&of_distances), read(&of_points));
    assert_eq!((&of_distances["given"], &of_distances["D"]), (&"distances".into(), &serde_json::Value::Null));
    for name in ["trustworthiness", "continuity", "residual_variance"] {
        assert_eq!(of_distances[name], of_points[name], "{name}: {told}");
        assert!(of_points[name].is_number(), "{name}");
    }
    assert_ne!(read(&as_points)["residual_variance"], of_points["residual_variance"]);
    folder.refuses(
        &format!("{measure} --given distances --metric cosine"),
        2,
        &["--metric", "--given distances"],
    );
    folder.refuses("measure --input x.csv --embedding y.csv --k 3 --given distances", 1, &["12", "square"]);
}

#[test]
fn a_column_of_classes_among_the_coordinates_is_told() {
    let folder = TempFolder::new();
    let row = |i: usize| format!("{}.5,{}.25,{}\n", (i * 5) % 12, (i * 7) % 12, i % 3);
    let table = |name: &str| format!("width,length,{name}\n") + &(0..12).map(row).collect::<String>();
    folder.file("x.csv", table("Species")).file("y.csv", table("height"));
    let read = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let said = read("embed --method pca --input x.csv --output z.csv");
    assert!(said.contains("has the name of a class and 3 different whole numbers"), "{said}");
    assert!(said.contains("read it as classes by --label-column Species"), "{said}");
    for quiet in ["x.csv --label-column Species", "y.csv"] {
        assert!(!read(&format!("embed --method pca --input {quiet} --output z.csv")).contains("class"));
    }
}

#[test]
fn a_column_of_any_size_above_the_others_is_named() {
    let folder = TempFolder::new();
    for size in ["e70", "e155", "e300"] {
        let row = |i: usize| format!("{},{},{},{}.5{size}\n", i % 5, (i * i) % 7, (3 * i) % 11, i % 9);
        folder.file("x.csv", "a,b,c,big\n".to_owned() + &(0..40).map(row).collect::<String>());
        let said = folder.command("neighbors --k 3 --input x.csv --output n.npy").assert().success();
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert!(said.contains("column `big` has more than 99.99 % of the variance"), "{size}: {said}");
    }
}
