//! Each command does what its help states.

use crate::temp_folder::TempFolder;

#[test]
fn a_measure_that_is_left_out_says_why() {
    let folder = TempFolder::new();
    let rows: String = (0..40).map(|i| format!("{},{}\n", i % 8, i / 8)).collect();
    folder.file("x.csv", rows);
    for (labels, said) in
        [("a\n".repeat(40), Some("all points have the same label")), ("a\nb\n".repeat(20), None)]
    {
        folder.file("l.csv", labels);
        let run = "measure --input x.csv --embedding x.csv --labels l.csv --k 5";
        let output = folder.command(run).assert().success().get_output().clone();
        let notes = String::from_utf8(output.stderr).unwrap();
        let scores: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let reasons = &scores["left_out"];
        assert_eq!(reasons["silhouette"].as_str(), said, "{scores}");
        assert_eq!(scores.get("silhouette").is_some(), said.is_none(), "{scores}");
        assert_eq!(reasons["procrustes"], "true coordinates were not given");
        assert_eq!(notes.contains("note: silhouette is left out"), said.is_some(), "{notes}");
        assert!(!notes.contains("procrustes"), "{notes}");
    }
}

/// With more than 3,000 points, measures average over 500 rows, and a note reports it.
#[test]
fn a_sample_of_rows_is_said() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 3100 --output x.npy");
    folder.compare("embed --input x.npy --method pca --output y.npy");
    let measure = "measure --input x.npy --embedding y.npy";
    let output = folder.command(measure).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("averages over 500 of the 3100 rows"), "{told}");
    let sampled: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let all: serde_json::Value =
        serde_json::from_str(&folder.compare(&format!("{measure} --all-rows"))).unwrap();
    assert_eq!((&sampled["rows"], &all["rows"]), (&500.into(), &3100.into()));
    let gap = sampled["trustworthiness"].as_f64().unwrap() - all["trustworthiness"].as_f64().unwrap();
    assert!(gap != 0.0 && gap.abs() < 0.01, "{gap}");
    assert!(sampled.get("residual_variance").is_none() && all["residual_variance"].is_f64());
    let table = folder.compare("run --datasets swiss-roll --n 3100 --methods pca --out o");
    assert!(table.contains("(n = 3100, D = 3; measures over 500 rows)"), "{table}");
    assert_eq!(folder.json("o/results.json")["datasets"][0]["measured_rows"], 500);
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("measures of neighborhoods are averages over 500 rows"));
}

#[test]
fn a_data_set_is_written_and_measured_against_itself() {
    let folder = TempFolder::new();
    folder.compare("dataset s-curve --n 300 --seed 3 --output x.csv --truth t.npy");
    let scores = folder.compare("measure --input x.csv --embedding t.npy --truth t.npy --k 8");
    let scores: serde_json::Value = serde_json::from_str(&scores).unwrap();
    assert_eq!(
        (scores["n"].as_u64(), scores["D"].as_u64(), scores["dim"].as_u64()),
        (Some(300), Some(3), Some(2))
    );
    assert!(scores["procrustes"].as_f64().unwrap() < 1e-12);
    assert!(scores["affine"].as_f64().unwrap() < 1e-12);
    assert!(scores["trustworthiness"].as_f64().unwrap() > 0.98);
    assert!(scores["residual_variance"].as_f64().unwrap() < 0.05);
    assert!(scores.get("knn_accuracy").is_none());
    let other = folder.compare("measure --input x.csv --embedding x.csv --truth t.npy --k 8");
    let other: serde_json::Value = serde_json::from_str(&other).unwrap();
    assert_eq!(other["trustworthiness"].as_f64(), Some(1.0));
    assert!(other["procrustes"].as_f64().unwrap() > 0.1, "rolled up is not unrolled");
}

#[test]
fn labels_travel_and_supervise() {
    let folder = TempFolder::new();
    folder.compare("dataset digits --n 300 --output x.npy --labels l.npy");
    folder.compare("embed --method lda --input x.npy --labels l.npy --output y.npy");
    let scores = folder.compare("measure --input x.npy --embedding y.npy --labels l.npy --k 5");
    let scores: serde_json::Value = serde_json::from_str(&scores).unwrap();
    assert!(scores["knn_accuracy"].as_f64().unwrap() > 0.5);
    folder.refuses("embed --method lda --input x.npy --output z.npy", 1, &["labels"]);
    folder.compare("dataset swiss-roll --n 100 --output s.npy");
    folder.refuses("measure --input s.npy --embedding y.npy", 1, &["100", "300"]);
    folder.refuses("dataset swiss-roll --n 100 --output q.npy --labels m.npy", 2, &["no labels"]);
}

#[test]
fn one_label_may_stand_for_unknown_classes() {
    let folder = TempFolder::new();
    folder.compare("dataset digits --n 150 --output x.npy");
    let file = |unknown: &str| -> String {
        (0..150).map(|i| if i % 3 == 0 { format!("{unknown}\n") } else { format!("{}\n", i % 2) }).collect()
    };
    folder.file("l.csv", file("-1"));
    folder.file("words.csv", file("none"));
    let umap = "embed --method umap --input x.npy --set target-weight=0.5 --set epochs=50";
    folder.compare(&format!("{umap} --labels l.csv --output own.npy"));
    folder.compare(&format!("{umap} --labels l.csv --unknown-label -1 --output unknown.npy"));
    folder.compare(&format!("{umap} --labels words.csv --unknown-label none --output words.npy"));
    let said = |command: &str| -> String {
        folder.compare(&format!("{command} --output said.npy --report said.json"));
        String::from_utf8(folder.read("said.json")).unwrap()
    };
    assert!(said(&format!("{umap} --labels l.csv")).contains("the label `-1` is a class like the others"));
    assert!(!said(&format!("{umap} --labels l.csv --unknown-label -1")).contains("is a class like"));
    let unsupervised = "embed --method umap --input x.npy --set epochs=50";
    assert!(said(&format!("{unsupervised} --labels l.csv")).contains("do not change the map"));
    assert!(!said(unsupervised).contains("do not change the map"));
    let [own, unknown, words] = ["own.npy", "unknown.npy", "words.npy"].map(|name| folder.read(name));
    assert!(own != unknown && unknown == words, "the label itself does not matter");
    folder.compare(&format!("{umap} --labels l.csv --unknown-label -1 --fit-on 100 --output sample.npy"));
    let lda = "embed --method lda --input x.npy --output z.npy";
    folder.refuses(&format!("{lda} --labels l.csv --unknown-label -1"), 1, &["50 of 150 are unknown"]);
    folder.refuses(&format!("{lda} --labels l.csv --unknown-label 7"), 2, &["`7`", "3 labels", "-1"]);
    folder.refuses(&format!("{lda} --unknown-label 7"), 2, &["--labels"]);
    // In a column of the data, a word that stands for a missing value elsewhere.
    let row = |i: usize| format!("{},{},{}\n", i * 37 % 150, i * i % 149, ["a", "b", "?"][i % 3]);
    folder.file("t.csv", "x,y,c\n".to_owned() + &(0..150).map(row).collect::<String>());
    let column = "embed --method lda --set dim=1 --input t.csv --label-column c --output t.npy";
    folder.refuses(column, 1, &["row 2", "--missing drop", "--unknown-label"]);
    folder.refuses(&format!("{column} --unknown-label ?"), 1, &["50 of 150 are unknown"]);
}

#[test]
fn neighbors_are_listed_nearest_first() {
    let folder = TempFolder::new();
    folder.file("x.csv", "0\n1\n3\n7\n");
    folder.compare("neighbors --input x.csv --k 2 --output i.csv --distances d.csv --report r.json");
    assert_eq!(String::from_utf8(folder.read("i.csv")).unwrap(), "1,2\n0,2\n1,0\n2,1\n");
    assert_eq!(String::from_utf8(folder.read("d.csv")).unwrap().replace(".0", ""), "1,3\n1,2\n2,3\n4,6\n");
    let report = folder.json("r.json");
    assert_eq!(
        (report["n"].as_u64(), report["D"].as_u64(), report["k"].as_u64()),
        (Some(4), Some(1), Some(2))
    );
    assert!(report["seconds"].as_f64().unwrap() > 0.0 && report["found_by"].is_string());
}

#[test]
fn approximate_neighbors_say_how_many_are_right() {
    let folder = TempFolder::new();
    folder.compare("dataset sphere --n 5000 --output s.npy");
    // Nine columns, so that no k-d tree finds them.
    let rows: String = (0..5000)
        .map(|i| {
            let row: Vec<String> = (1..10).map(|c| ((i * c) as f64 * 0.37).sin().to_string()).collect();
            row.join(",") + "\n"
        })
        .collect();
    folder.file("x.csv", &rows);
    folder.compare("neighbors --input x.csv --k 8 --neighbor-recall 0.9 --output i.npy --report r.json");
    let report = folder.json("r.json");
    assert_eq!(report["found_by"], "Approximate");
    assert!(report["recall"].as_f64().unwrap() >= 0.9);
    for metric in ["chebyshev", "manhattan"] {
        folder.compare(&format!(
            "neighbors --input x.csv --k 8 --metric {metric} --neighbor-recall 0.9 --output a.npy --report r.json"
        ));
        let report = folder.json("r.json");
        assert!(report["found_by"] == "Approximate" && report["metric"] == metric, "{report}");
        assert!(report["recall"].as_f64().unwrap() >= 0.9, "{report}");
        assert_ne!(folder.read("a.npy"), folder.read("i.npy"), "{metric}");
    }
    let embedded = "embed --method laplacian-eigenmaps --input x.csv --output y.npy --report e.json";
    folder.compare(&format!("{embedded} --components largest --neighbor-recall 0.9"));
    let notes = folder.json("e.json")["notes"].to_string();
    assert!(notes.contains("% of the 10 nearest neighbors are right; measured on 256 points"), "{notes}");
    folder.compare(
        "embed --method laplacian-eigenmaps --input s.npy --output z.npy --report f.json --neighbor-recall 1",
    );
    assert!(folder.json("f.json")["notes"].to_string().contains("exact"));
    folder.refuses(
        "embed --method pca --input x.csv --output y.npy --neighbor-recall 0.9",
        2,
        &["neighbors"],
    );
    folder.refuses(
        "neighbors --input x.csv --k 8 --output i.npy --neighbor-recall 2",
        2,
        &["recall", "at most 1"],
    );
}

#[test]
fn pictures_are_drawn_at_the_size_that_is_asked_for() {
    let folder = TempFolder::new();
    folder.compare("dataset lips --n 2 --scale 0.25 --output small.csv");
    folder.compare("dataset lips --n 2 --scale 0.5 --output large.csv");
    let columns =
        |name| String::from_utf8(folder.read(name)).unwrap().lines().next().unwrap().split(',').count();
    assert_eq!((columns("small.csv"), columns("large.csv")), (36 * 38 * 3, 72 * 76 * 3));
    folder.refuses("dataset swiss-roll --n 20 --scale 2 --output x.csv", 1, &["scale", "swiss-roll"]);
    folder.refuses("dataset lips --n 2 --scale 9 --output x.csv", 2, &["scale", "from 0.05 to 4", "9"]);
}

#[test]
fn a_report_has_the_documented_fields() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 200 --output x.npy");
    let printed = folder
        .compare("embed --method lle --k 9 --input x.npy --output y.npy --report r.json --set reg=0.01");
    assert_eq!(printed, "");
    let report = folder.json("r.json");
    assert_eq!(report["method"], "lle");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        report["command"],
        "compare embed --method lle --k 9 --input x.npy --output y.npy --report r.json --set reg=0.01"
    );
    assert_eq!(
        (report["n"].as_u64(), report["D"].as_u64(), report["dim"].as_u64()),
        (Some(200), Some(3), Some(2))
    );
    assert_eq!((report["recipe"]["k"].as_u64(), report["recipe"]["reg"].as_f64()), (Some(9), Some(0.01)));
    assert_eq!(report["outcome"]["status"], "done");
    let stages = report["stages"].as_array().unwrap();
    assert_eq!(stages[0]["name"], "neighbors");
    let sum: f64 = stages.iter().map(|stage| stage["seconds"].as_f64().unwrap()).sum();
    assert!(sum <= report["seconds"].as_f64().unwrap() + 1e-3);
    assert_eq!(report["facts"]["eigenvalues"].as_array().unwrap().len(), 2);
    assert_eq!(report["facts"]["residuals"].as_array().unwrap().len(), 2);
    assert!(report["facts"]["reconstruction_error"].as_f64().unwrap() >= 0.0);
    if cfg!(target_os = "linux") {
        assert!(report["peak_memory_bytes"].as_u64().unwrap() > 100_000);
    }
}

/// On a line the second neighbor of a point is at 1, of either end at 2.
#[test]
fn a_report_tells_the_width_that_was_chosen() {
    let folder = TempFolder::new();
    folder.file("x.csv", (0..20).map(|i| format!("{i}\n")).collect::<String>());
    let width = |method: &str, set: &str| {
        folder.compare(&format!(
            "embed --method {method} --k 2 --dim 1 {set} --input x.csv --output y.csv --report r.json"
        ));
        folder.json("r.json")["facts"]["width"].as_f64()
    };
    assert_eq!(width("diffusion-maps", ""), Some(22.0 / 20.0));
    assert_eq!(width("diffusion-maps", "--set width=0.75"), Some(0.75));
    assert_eq!(width("laplacian-eigenmaps", "--set weights=heat"), Some(22.0 / 20.0));
    assert_eq!(width("laplacian-eigenmaps", "--set weights=connectivity"), None);
}

/// A flag for all methods does not stop a method without such a parameter, but a note
/// reports it.
#[test]
fn a_flag_that_a_method_cannot_use_is_noted() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    let output = folder
        .command("embed --method pca --k 5 --input x.csv --output y.npy")
        .assert()
        .success()
        .get_output()
        .clone();
    assert!(String::from_utf8(output.stderr).unwrap().contains("pca has no parameter k"));
}

#[test]
fn lists_are_complete() {
    let folder = TempFolder::new();
    let methods = folder.compare("list methods");
    for method in swissroll::methods() {
        let name = method.about().name;
        assert!(methods.contains(&format!("\n{name}\n")) || methods.starts_with(name));
        for parameter in method.parameters() {
            assert!(methods.contains(&format!("{}={}", parameter.name, parameter.default)));
        }
    }
    let sets = folder.compare("list datasets");
    assert!(datasets::list().iter().all(|info| sets.contains(info.summary)));
    let measures = folder.compare("list measures");
    for measure in quality::measures() {
        let lines = format!(
            "{}\n  {}\n  range       {}, {}\n",
            measure.name, measure.meaning, measure.range, measure.better
        );
        assert!(measures.contains(&lines), "{lines}");
    }
}

/// Every parameter of every method can be set to its own default, and a value
/// of the wrong kind is refused.
#[test]
fn every_parameter_reads_its_default() {
    for default in swissroll::methods() {
        let name = default.about().name;
        for parameter in default.parameters().into_iter().filter(|p| p.default != "none") {
            let mut set = default.boxed();
            set.set_dyn(parameter.name, &parameter.default).unwrap();
            assert_eq!(set.parameters(), default.parameters(), "{name}.{}", parameter.name);
            let refused = set.set_dyn(parameter.name, "no such value").unwrap_err().to_string();
            assert!(refused.contains(parameter.name) && refused.contains(&parameter.legal), "{refused}");
        }
        assert!(default.boxed().set_dyn("no-such-parameter", "1").is_err());
    }
}

#[test]
fn methods_and_measures_are_explained_and_misspelled_ones_are_refused() {
    let folder = TempFolder::new();
    let all = folder.compare("explain");
    assert!(swissroll::methods().all(|method| all.contains(method.about().name)), "{all}");
    let lle = folder.compare("explain LLE");
    assert!(lle.contains("min_Y Σ_i |y_i − Σ_j w_ij y_j|²"), "{lle}");
    assert!(lle.contains("doi:10.1126/science.290.5500.2323") && lle.contains("reg=1e-3"), "{lle}");
    assert!(lle.contains("Facts of a fit") && lle.contains("  reconstruction_error  "), "{lle}");
    let angles = folder.compare("explain angle-error");
    assert!(
        angles.contains("E = Σ_q |α_q − β_q| / Q") && angles.contains("0 to 120, lower is better"),
        "{angles}"
    );
    folder.refuses("explain isomapp", 2, &["unknown method or measure", "did you mean `isomap`"]);
    folder.refuses("explain trustwothiness", 2, &["did you mean `trustworthiness`"]);
    folder.refuses("explain ica", 2, &["did you mean `fast-ica`"]);
}

#[test]
fn neighbors_within_a_radius_need_a_larger_one_and_no_k() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 80 --output x.npy");
    let isomap = "embed --method isomap --input x.npy --output y.npy --set";
    folder.refuses(
        &format!("{isomap} radius=2"),
        1,
        &["components", "use more neighbors or a larger radius"],
    );
    let said = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let unused = "the neighbors of isomap are those within a radius; --k is not used";
    assert!(said(&format!("{isomap} radius=20 --k 5")).contains(unused));
    assert!(!said(&format!("{isomap} radius=20")).contains("not used"));
    assert!(!said(&format!("{isomap} components=bridge --k 5")).contains("not used"));
    folder.compare("run --datasets swiss-roll --n 80 --methods isomap --set isomap.radius=20 --k 5 --out o");
    assert_eq!(folder.json("o/results.json")["datasets"][0]["methods"][0]["notes"][0], unused);
}
