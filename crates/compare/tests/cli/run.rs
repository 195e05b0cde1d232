//! `compare run`: what it leaves behind.

use crate::place::{Place, listing};

#[test]
fn a_run_writes_results_and_embeddings() {
    let place = Place::new();
    let table = place.compare("run --datasets swiss-roll,digits --n 150 --k 8 --out o");
    assert!(table.contains("swiss-roll (n = 150, D = 3)") && table.contains("digits (n = 150, D = 64)"));
    let results = place.json("o/results.json");
    assert_eq!(results["datasets"].as_array().unwrap().len(), 2);
    assert_eq!(results["command"], "compare run --datasets swiss-roll,digits --n 150 --k 8 --out o");
    for set in results["datasets"].as_array().unwrap() {
        assert_eq!(set["graph"]["neighborhood"]["Nearest"]["k"], 8);
        let sizes = set["graph"]["components"].as_array().unwrap();
        assert_eq!(sizes.iter().map(|size| size.as_u64().unwrap()).sum::<u64>(), 150);
        let methods = set["methods"].as_array().unwrap();
        assert_eq!(methods.len(), compare::methods::LIST.len());
        for row in methods {
            let status = row["outcome"]["status"].as_str().unwrap();
            assert_ne!(status, "failed", "{row}");
            let file = format!(
                "o/embeddings/{}/{}.npy",
                set["name"].as_str().unwrap(),
                row["method"].as_str().unwrap()
            );
            assert_eq!(place.path(&file).exists(), status == "done", "{file}");
            assert_eq!(row["scores"].as_array().unwrap().is_empty(), status != "done");
        }
    }
    let csv = String::from_utf8(place.read("o/results.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * compare::methods::LIST.len());
    assert!(csv.starts_with("dataset,method,n,D,dim,status,seconds,peak_memory_bytes,trustworthiness,"));
    let hidden = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
    assert!(listing(&place.path("o")).iter().all(|(path, _)| !hidden(path)));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let place = Place::new();
    for threads in [1, 2, 4] {
        place.compare(&format!(
            "--threads {threads} run --datasets s-curve,digits --n 130 --seed 5 --out o{threads}"
        ));
    }
    let mut compared = 0;
    for (path, _) in listing(&place.path("o1/embeddings")).into_iter().filter(|(path, _)| path.is_file()) {
        let inside = path.strip_prefix(place.path("o1")).unwrap().to_str().unwrap().to_owned();
        for other in ["o2", "o4"] {
            assert_eq!(
                place.read(&format!("o1/{inside}")),
                place.read(&format!("{other}/{inside}")),
                "{inside}"
            );
        }
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn the_seed_changes_the_data_and_n_its_size() {
    let place = Place::new();
    place.compare("dataset swiss-roll --n 50 --output a.npy");
    place.compare("dataset swiss-roll --n 50 --output b.npy");
    place.compare("dataset swiss-roll --n 50 --seed 1 --output c.npy");
    assert_eq!(place.read("a.npy"), place.read("b.npy"));
    assert_ne!(place.read("a.npy"), place.read("c.npy"));
}

#[test]
fn a_method_that_fails_is_a_row_and_the_others_go_on() {
    let place = Place::new();
    let line = "run --datasets swiss-roll --n 100 --methods pca,lda,lle --set lle.dim=100 --out o";
    let output = place.command(line).assert().code(1).get_output().clone();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("failed:"), "{table}");
    let results = place.json("o/results.json");
    let row = |i: usize| &results["datasets"][0]["methods"][i];
    assert_eq!(row(0)["outcome"]["status"], "done");
    assert_eq!(row(1)["outcome"]["status"], "failed");
    assert!(row(1)["outcome"]["reason"].as_str().unwrap().contains("labels"));
    assert_eq!(row(2)["outcome"]["status"], "failed");
    assert!(row(2)["outcome"]["reason"].as_str().unwrap().contains("100"));
    assert!(place.path("o/embeddings/swiss-roll/pca.npy").exists());
    assert!(!place.path("o/embeddings/swiss-roll/lle.npy").exists());
}

/// One method's own neighborhood is cut from the shared lists, and gives what
/// it gives alone.
#[test]
fn a_method_with_its_own_k_gives_what_it_gives_alone() {
    let place = Place::new();
    place.compare("dataset s-curve --n 120 --output x.npy");
    let shared = "run --datasets s-curve --n 120 --methods lle,ltsa,laplacian-eigenmaps --set ltsa.k=15 --set laplacian-eigenmaps.radius=1.2 --out o";
    place.compare(shared);
    for (method, flag) in [("lle", "k=10"), ("ltsa", "k=15"), ("laplacian-eigenmaps", "radius=1.2")] {
        place.compare(&format!("embed --method {method} --input x.npy --output y.npy --set {flag}"));
        assert_eq!(
            place.read("y.npy"),
            place.read(&format!("o/embeddings/s-curve/{method}.npy")),
            "{method}"
        );
    }
}

#[test]
fn an_existing_folder_keeps_what_is_not_ours() {
    let place = Place::new();
    std::fs::create_dir(place.path("o")).unwrap();
    place.file("o/mine.txt", "mine").file("o/results.csv", "old");
    place.compare("run --datasets swiss-roll --n 60 --methods pca --out o");
    assert_eq!(place.read("o/mine.txt"), b"mine");
    assert_ne!(place.read("o/results.csv"), b"old");
}

#[test]
fn a_flag_that_a_method_of_a_run_cannot_use_is_noted_in_its_row() {
    let place = Place::new();
    place.compare("run --datasets swiss-roll --n 60 --methods pca,lle --k 7 --out o");
    let results = place.json("o/results.json");
    let row = |i: usize| &results["datasets"][0]["methods"][i];
    assert_eq!(row(0)["notes"][0], "pca has no parameter k; --k applies to the measures only");
    assert_eq!(row(1)["notes"].as_array().unwrap().len(), 0);
    assert_eq!(row(1)["recipe"]["k"], 7);
}

#[test]
fn the_search_that_was_used_is_named() {
    let place = Place::new();
    place.compare("run --datasets swiss-roll,digits --n 60 --methods pca --out o");
    let results = place.json("o/results.json");
    assert_eq!(results["datasets"][0]["graph"]["search"], "kd-tree");
    assert_eq!(results["datasets"][1]["graph"]["search"], "brute-force");
}

/// The draw has one edge between two layers: Isomap takes it, unless it is cut.
#[test]
fn a_shortcut_is_told_and_can_be_cut() {
    let place = Place::new();
    let run = "run --datasets swiss-roll --n 1000 --seed 2 --methods isomap";
    let error = |folder: &str| {
        let results = place.json(&format!("{folder}/results.json"));
        let set = &results["datasets"][0];
        let scores = set["methods"][0]["scores"].as_array().unwrap();
        let aligned = scores.iter().find(|score| score["measure"] == "procrustes").unwrap();
        (set["graph"].clone(), aligned["value"].as_f64().unwrap())
    };
    place.compare(&format!("{run} --out told"));
    place.compare(&format!("{run} --out cut --cut-shortcuts"));
    let ((told, with), (cut, without)) = (error("told"), error("cut"));
    assert_eq!((&told["shortcuts"], &told["cut"]), (&1.into(), &serde_json::Value::Null));
    assert_eq!((&cut["shortcuts"], &cut["cut"]), (&1.into(), &4.0.into()));
    assert_eq!(cut["edges"].as_u64().unwrap() + 1, told["edges"].as_u64().unwrap());
    assert!(without < 0.1 * with, "{with} with the edge, {without} without");
    let page = String::from_utf8(place.read("told/report.html")).unwrap();
    assert!(page.contains("One probable shortcut edge"));
}
