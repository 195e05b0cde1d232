//! `--metric`: neighbors, maps, models, runs and measures by named distances.

use crate::temp_folder::TempFolder;

/// Four points whose nearest neighbors differ by metric.
const ROWS: &str = "1,1\n2,2\n0,1.5\n10,9\n";

#[test]
fn neighbors_are_those_of_the_metric() {
    let folder = TempFolder::new();
    folder.file("x.csv", ROWS);
    for (metric, indices, distances) in [
        ("euclidean", "2\n0\n0\n1\n", [1.25_f64.sqrt(), 2_f64.sqrt(), 1.25_f64.sqrt(), 113_f64.sqrt()]),
        ("manhattan", "2\n0\n0\n1\n", [1.5, 2.0, 1.5, 15.0]),
        ("chebyshev", "1\n0\n0\n1\n", [1.0, 1.0, 1.0, 8.0]),
        ("minkowski:1", "2\n0\n0\n1\n", [1.5, 2.0, 1.5, 15.0]),
        ("hamming", "1\n0\n0\n0\n", [1.0, 1.0, 1.0, 1.0]),
        ("jaccard", "1\n0\n0\n0\n", [0.0, 0.0, 0.5, 0.0]),
        ("Cosine", "1\n0\n0\n0\n", [0.0, 0.0, 1.0 - 0.5_f64.sqrt(), 1.0 - 19.0 / 362_f64.sqrt()]),
    ] {
        let line = format!(
            "neighbors --input x.csv --k 1 --metric {metric} --output i.csv --distances d.csv --report r.json"
        );
        folder.compare(&line);
        assert_eq!(String::from_utf8(folder.read("i.csv")).unwrap(), indices, "{metric}");
        let written = String::from_utf8(folder.read("d.csv")).unwrap();
        for (found, expected) in written.lines().zip(distances) {
            let found: f64 = found.parse().unwrap();
            assert!((found - expected).abs() < 1e-15 + 1e-12 * expected, "{metric}: {found}, not {expected}");
        }
        assert_eq!(folder.json("r.json")["metric"], metric.to_lowercase());
    }
}

#[test]
fn maps_and_models_keep_the_metric() {
    let folder = TempFolder::new();
    folder.compare("dataset digits --n 200 --output x.npy");
    let mut maps = Vec::new();
    for metric in ["euclidean", "cosine", "manhattan"] {
        folder.compare(&format!(
            "embed --method landmark-isomap --input x.npy --metric {metric} --k 12 --components bridge --output y.npy --save \
             m.bin --report r.json"
        ));
        folder.compare("transform --model m.bin --input x.npy --output placed.npy");
        assert!(
            folder.read("placed.npy") == folder.read("y.npy"),
            "{metric}: training rows keep their places"
        );
        let fact = &folder.json("r.json")["facts"]["metric"];
        assert_eq!(fact.as_str(), Some(metric).filter(|metric| *metric != "euclidean"));
        maps.push(folder.read("y.npy"));
    }
    assert!(maps[0] != maps[1] && maps[1] != maps[2] && maps[0] != maps[2]);
    folder.file("zero.csv", format!("{}\n", ["0"; 64].join(",")));
    folder.compare("embed --method tsne --input x.npy --metric cosine --output y.npy --save m.bin");
    folder.refuses("transform --model m.bin --input zero.csv --output z.npy", 1, &["row 0", "is zero"]);
}

#[test]
fn a_run_is_measured_by_its_metric() {
    let folder = TempFolder::new();
    folder.compare("run --datasets digits --methods all --n 150 --metric cosine --components bridge --out o");
    let set = &folder.json("o/results.json")["datasets"][0];
    assert_eq!(set["graph"]["metric"], "cosine");
    assert!(set["graph"]["shortcuts"].is_null(), "tangent spaces are euclidean");
    for row in set["methods"].as_array().unwrap() {
        let name = row["method"].as_str().unwrap();
        let of_coordinates =
            ["pca", "factor-analysis", "fast-ica", "random-projection", "lpp", "npe", "lltsa"]
                .contains(&name);
        let status = row["outcome"]["status"].as_str().unwrap();
        match status {
            "done" => assert_eq!(row["facts"]["metric"], "cosine", "{name}"),
            "skipped" => assert!(row["outcome"]["reason"].as_str().unwrap().contains("coordinates"), "{row}"),
            other => panic!("{name}: {other}"),
        }
        assert_eq!(status == "done", !of_coordinates && name != "lda", "{name}");
    }
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("by the metric cosine"));
    // The run ranks the data as `measure` does.
    folder.compare("dataset digits --n 150 --output x.npy");
    let score = |metric: &str| {
        let line =
            format!("measure --input x.npy --embedding o/embeddings/digits/isomap.npy --metric {metric}");
        let scores: serde_json::Value = serde_json::from_str(&folder.compare(&line)).unwrap();
        assert_eq!(scores["metric"], metric);
        scores["trustworthiness"].as_f64().unwrap()
    };
    let isomap = set["methods"].as_array().unwrap().iter().find(|row| row["method"] == "isomap").unwrap();
    let scores = isomap["scores"].as_array().unwrap();
    let run = scores.iter().find(|score| score["measure"] == "trustworthiness").unwrap();
    assert!((run["value"].as_f64().unwrap() - score("cosine")).abs() < 1e-12);
    assert_ne!(score("cosine"), score("euclidean"));
}

#[test]
fn metrics_that_do_not_apply_are_refused() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n0,0\n2,1\n5,5\n").file("d.csv", "0,1,2\n1,0,1\n2,1,0\n");
    let neighbors = "neighbors --input x.csv --k 1 --output i.csv";
    folder.refuses(
        &format!("{neighbors} --metric cosin"),
        2,
        &["euclidean, cosine", "did you mean `cosine`?"],
    );
    folder.refuses(&format!("{neighbors} --metric minkowski"), 2, &["minkowski:P with P at least 1"]);
    folder.refuses(&format!("{neighbors} --metric minkowski:0.5"), 2, &["P at least 1"]);
    folder.refuses(
        &format!("{neighbors} --metric cosine"),
        1,
        &["row 1 (counted from 0) is zero", "leave the row out"],
    );
    folder.refuses(&format!("{neighbors} --metric correlation"), 1, &["row 1 (counted from 0) is constant"]);
    folder.refuses(&format!("{neighbors} --metric hellinger"), 1, &["row 1", "distribution"]);
    folder.refuses(
        &format!("{neighbors} --metric cosine --neighbor-recall 0.9"),
        1,
        &["row 1 (counted from 0) is zero"],
    );
    let embed = "embed --input x.csv --output y.csv --metric manhattan";
    folder.refuses(&format!("{embed} --method pca"), 1, &["euclidean for pca", "reads coordinates"]);
    folder.refuses(
        &format!("{embed} --method isomap --k 2 --cut-shortcuts"),
        2,
        &["--cut-shortcuts", "manhattan"],
    );
    let given = "embed --input d.csv --set given=distances --output y.csv --metric manhattan --method smacof";
    folder.refuses(given, 2, &["--metric", "given=distances"]);
}

#[test]
fn lists_that_exceed_memory_are_refused() {
    let folder = TempFolder::new();
    folder.compare("dataset s-curve --n 900 --output x.npy");
    folder.refuses(
        "--memory-limit 10MB neighbors --input x.npy --k 899 --output i.npy",
        1,
        &["the lists of 899 neighbors of 900 points", "10.0 MB", "--k"],
    );
    folder.compare("--memory-limit 10MB neighbors --input x.npy --k 20 --output i.npy");
}

/// 60 rows of two groups of words, a row without a common word, and an empty one.
fn documents(rows: usize) -> String {
    let row = |i: usize| -> String {
        let counts = (0..40).map(|word| {
            let own = (i * 7 + word * 11) % 5 < 2 && word / 15 == i / 30 && word < 30;
            let alone = i == 60 && word >= 35;
            usize::from((i < 60 && own) || alone)
        });
        counts.map(|count| count.to_string()).collect::<Vec<_>>().join(",")
    };
    (0..rows).map(|i| row(i) + "\n").collect()
}

#[test]
fn rows_that_are_related_to_no_other_are_left_out_by_choice() {
    let folder = TempFolder::new();
    folder.file("all.csv", documents(62)).file("related.csv", documents(60));
    for metric in ["cosine", "hellinger", "jaccard"] {
        let umap = format!("embed --method umap --k 5 --set epochs=20 --metric {metric}");
        folder.compare(&format!("{umap} --input related.csv --output expected.npy"));
        let line = format!(
            "{umap} --input all.csv --unrelated-rows drop --output y.npy --report r.json --save m.model"
        );
        let output = folder.command(&line).assert().success().get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        let note =
            format!("2 rows are related to no other by {metric} (counted from 0: 60, 61), and left out");
        assert!(said.contains(&note), "{said}");
        assert!(folder.read("y.npy") == folder.read("expected.npy"), "{metric}");
        assert_eq!(folder.json("r.json")["left_out_rows"], serde_json::json!([60, 61]));
        let refused = format!("{umap} --input all.csv --unrelated-rows refuse --output z.npy");
        folder.refuses(&refused, 1, &["60, 61", "--unrelated-rows drop"]);
        // Rows that a file leaves out are counted too.
        folder.file("gaps.csv", format!("{}\n{}", ["NA"; 40].join(","), documents(62)));
        let line = format!(
            "{umap} --input gaps.csv --header no --missing drop --unrelated-rows drop --output g.npy"
        );
        let output = folder.command(&line).assert().success().get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("counted from 0: 61, 62"), "{said}");
        assert!(folder.read("g.npy") == folder.read("expected.npy"), "{metric}");
    }
    let run = "run --input all.csv --metric cosine --unrelated-rows drop --methods umap --set umap.epochs=20 --k 5 --out o";
    folder.compare(run);
    assert_eq!(folder.json("o/results.json")["datasets"][0]["n"], 60);
    folder.refuses("run --datasets swiss-roll --unrelated-rows drop --out o2", 2, &["--input"]);
}
