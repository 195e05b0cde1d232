//! `compare study`: four methods, three data sets, and new points in a map.

use serde_json::Value;

use crate::temp_folder::TempFolder;

const TINY: &str = "study --n 120 --k 8 --measure-k 8 --set tsne.perplexity=15";

#[test]
fn the_study_writes_tables_figures_and_a_page() {
    let folder = TempFolder::new();
    let text = folder.compare(&format!("{TINY} --out o"));
    for part in ["mnist (n = 120", "fruits (n = 120", "reviews (n = 120", "30 new mnist in a map of 120"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let results = folder.json("o/results.json");
    let sets = results["datasets"].as_array().unwrap();
    assert_eq!(sets.iter().map(|set| &set["name"]).collect::<Vec<_>>(), ["mnist", "fruits", "reviews"]);
    for set in sets {
        let methods = set["methods"].as_array().unwrap();
        assert_eq!(
            methods.iter().map(|row| &row["method"]).collect::<Vec<_>>(),
            ["isomap", "lle", "tsne", "umap"]
        );
        assert!(methods.iter().all(|row| row["outcome"]["status"] == "done" && row["n"] == 120));
        assert_eq!(methods[1]["recipe"]["components"], "bridge");
    }
    let rows = results["study"]["separation"].as_array().unwrap();
    let groups: Vec<[&Value; 2]> =
        rows.iter().step_by(5).map(|row| [&row["dataset"], &row["labels"]]).collect();
    assert_eq!(
        groups,
        [["mnist", "digit"], ["fruits", "fruit"], ["reviews", "category"], ["reviews", "sentiment"]]
    );
    for row in rows {
        assert!((0.0..=1.0).contains(&row["knn_accuracy"].as_f64().unwrap()), "{row}");
        assert!((-1.0..=1.0).contains(&row["silhouette"].as_f64().unwrap()), "{row}");
        assert_eq!(row["trustworthiness"].is_null(), row["method"].is_null());
        assert_eq!(row["k"], 8);
    }
    // The values of the first labels in the table are the measures of the run.
    assert_eq!(&rows[1]["knn_accuracy"], score(&sets[0]["methods"][0], "knn_accuracy"));
    assert_eq!(&rows[8]["silhouette"], score(&sets[1]["methods"][2], "silhouette"));

    let placement = &results["study"]["placement"];
    assert_eq!([&placement["status"], &placement["dataset"]], ["done", "mnist"]);
    assert_eq!([&placement["known"], &placement["new"]], [120, 30]);
    assert_eq!(placement["placed"][0]["by"], "optimization");
    assert_eq!(placement["placed"][1]["by"], "perceptron");
    assert_eq!(placement["perceptron"]["hidden"][0], 100);
    assert_eq!(placement["perceptron"]["epochs"], 500);
    assert!(placement["validation"]["root_mean_square"].as_f64().unwrap() > 0.0);
    // Ten classes: chance is one in ten.
    assert!(placement["placed"][0]["accuracy"].as_f64().unwrap() > 0.3, "{placement}");

    let figures = ["mnist", "fruits", "reviews", "reviews-sentiment", "placement"];
    for name in figures {
        assert!(
            folder.path(&format!("o/{name}.png")).exists() && folder.path(&format!("o/{name}.svg")).exists(),
            "{name}"
        );
    }
    for name in ["map", "optimization", "perceptron"] {
        assert!(folder.path(&format!("o/embeddings/placement/{name}.npy")).exists(), "{name}");
    }
    let lines = |file: &str| String::from_utf8(folder.read(file)).unwrap().lines().count();
    assert_eq!([lines("o/separation.csv"), lines("o/placement.csv")], [1 + 20, 1 + 4]);
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    for part in [
        "id=\"separation\"",
        "id=\"placement\"",
        "The same colored by sentiment",
        "30 new points by perceptron",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

fn score<'a>(method: &'a Value, measure: &str) -> &'a Value {
    let scores = method["scores"].as_array().unwrap();
    &scores.iter().find(|score| score["measure"] == measure).unwrap()["value"]
}

/// A method whose memory limit is too small for all points uses a subset, noted in
/// results, table and figure.
#[test]
fn a_method_takes_as_many_points_as_its_memory_allows() {
    let folder = TempFolder::new();
    folder.compare(&format!("{TINY} --set isomap.memory-limit=600kB --out o"));
    let results = folder.json("o/results.json");
    for set in results["datasets"].as_array().unwrap() {
        let (isomap, lle) = (&set["methods"][0], &set["methods"][1]);
        let n = isomap["n"].as_u64().unwrap();
        // The points themselves count, too; the points of fruits have most columns.
        assert!((30..=105).contains(&n), "{n}");
        assert_eq!([&isomap["facts"]["points"], &lle["n"]], [n, 120]);
        assert!(isomap["notes"].to_string().contains("the largest number that the memory limit allows"));
        let figure =
            String::from_utf8(folder.read(&format!("o/{}.svg", set["name"].as_str().unwrap()))).unwrap();
        assert!(figure.contains(&format!("n = {n} ·")));
    }
}

#[test]
fn an_experiment_that_fails_is_told_and_the_rest_stays() {
    let folder = TempFolder::new();
    let line = "study --n 60 --k 8 --new 5 --set tsne.perplexity=70 --out o";
    let output = folder.command(line).assert().code(1).get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("new points were not placed") && text.contains("perplexity"), "{text}");
    let results = folder.json("o/results.json");
    assert_eq!(results["study"]["placement"]["status"], "failed");
    assert_eq!(results["datasets"][0]["methods"][2]["outcome"]["status"], "failed");
    assert_eq!(results["datasets"][0]["methods"][0]["outcome"]["status"], "done");
    assert!(folder.path("o/report.html").exists() && !folder.path("o/placement.png").exists());
}

#[test]
fn what_the_study_does_not_have_is_refused() {
    let folder = TempFolder::new();
    folder.refuses("study --n 60 --full", 2, &["--full"]);
    folder.refuses("study --set pca.dim=3", 2, &["pca", "isomap, lle, tsne, umap"]);
    folder.refuses("study --set lle.components=none --out o", 2, &["components", "bridge"]);
    folder.refuses("study --n 90000 --out o", 1, &["70000"]);
    folder.refuses("study --n 50 --new 0 --out o", 2, &["--new"]);
}
