//! `compare run`: what it leaves behind.

use std::fs;

use crate::temp_folder::{TempFolder, listing};

#[test]
fn a_run_writes_results_and_embeddings() {
    let folder = TempFolder::new();
    let table = folder.compare("run --datasets swiss-roll,digits --methods all --n 150 --k 8 --out o");
    assert!(table.contains("swiss-roll (n = 150, D = 3)") && table.contains("digits (n = 150, D = 64)"));
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"].as_array().unwrap().len(), 2);
    assert_eq!(
        results["command"],
        "compare run --datasets swiss-roll,digits --methods all --n 150 --k 8 --out o"
    );
    for set in results["datasets"].as_array().unwrap() {
        assert_eq!(set["graph"]["neighborhood"]["Nearest"]["k"], 8);
        let sizes = set["graph"]["components"].as_array().unwrap();
        assert_eq!(sizes.iter().map(|size| size.as_u64().unwrap()).sum::<u64>(), 150);
        let methods = set["methods"].as_array().unwrap();
        assert_eq!(methods.len(), swissroll::methods().len());
        for row in methods {
            let status = row["outcome"]["status"].as_str().unwrap();
            assert_ne!(status, "failed", "{row}");
            let file = format!(
                "o/embeddings/{}/{}.npy",
                set["name"].as_str().unwrap(),
                row["method"].as_str().unwrap()
            );
            assert_eq!(folder.path(&file).exists(), status == "done", "{file}");
            assert_eq!(row["scores"].as_array().unwrap().is_empty(), status != "done");
        }
    }
    let csv = String::from_utf8(folder.read("o/results.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * swissroll::methods().len());
    assert!(csv.starts_with("dataset,method,n,D,dim,status,seconds,peak_memory_bytes,trustworthiness,"));
    let hidden = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
    assert!(listing(&folder.path("o")).iter().all(|(path, _)| !hidden(path)));
}

/// PHATE's kernel reaches beyond its 5 nearest, whose graph has two components here.
#[test]
fn a_method_whose_own_graph_is_connected_is_shown_under_no_policy() {
    let folder = TempFolder::new();
    folder.compare("run --datasets mammoth --methods phate --k 5 --n 2000 --out o");
    let set = &folder.json("o/results.json")["datasets"][0];
    assert_eq!(set["graph"]["components"].as_array().unwrap().len(), 2);
    assert_eq!(set["methods"][0]["outcome"]["status"], "done");
    assert!(set.get("policies").is_none(), "{}", set["policies"]);
}

/// Without `--methods` every method of the default set exists and runs, in the order of the list.
#[test]
fn the_default_methods_are_sixteen() {
    let folder = TempFolder::new();
    folder.compare("run --datasets swiss-roll --n 60 --k 8 --components bridge --out o");
    let results = folder.json("o/results.json");
    let rows = results["datasets"][0]["methods"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 16, "{names:?}");
    let known = swissroll::methods().map(|method| method.about().name);
    assert_eq!(names, known.filter(|name| names.contains(name)).collect::<Vec<_>>());
    for name in ["pca", "isomap", "lle", "conformal-eigenmaps", "tsne", "umap"] {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(
        rows.iter().filter(|row| row["outcome"]["status"] == "skipped").count(),
        1,
        "lda has no labels"
    );
}

/// The gap after the eigenvalues of a map can only be seen if the next ones are shown, too.
#[test]
fn eigenvalues_beyond_those_of_the_map_are_recorded() {
    let folder = TempFolder::new();
    folder.compare(
        "run --datasets swiss-roll --n 150 --methods lle,ltsa,isomap,diffusion-maps,pca,tsne --out o",
    );
    let results = folder.json("o/results.json");
    for row in results["datasets"][0]["methods"].as_array().unwrap() {
        let numbers = |value: &serde_json::Value| -> Vec<f64> {
            value.as_array().map_or_else(Vec::new, |list| list.iter().filter_map(|v| v.as_f64()).collect())
        };
        let spectrum = numbers(&row["spectrum"]);
        let expected = match row["method"].as_str().unwrap() {
            "tsne" => 0,
            "pca" => 3,
            _ => 10,
        };
        assert_eq!(spectrum.len(), expected, "{row}");
        let own = numbers(&row["facts"]["eigenvalues"]);
        assert!(own.iter().zip(&spectrum).all(|(a, b)| a == b), "{row}");
        let ascends = spectrum.is_sorted();
        assert!(ascends || spectrum.is_sorted_by(|a, b| a >= b), "{row}");
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = TempFolder::new();
    for threads in [1, 2, 4] {
        folder.compare(&format!(
            "--threads {threads} run --datasets s-curve,digits --n 130 --seed 5 --out o{threads}"
        ));
    }
    let mut compared = 0;
    for (path, _) in listing(&folder.path("o1/embeddings")).into_iter().filter(|(path, _)| path.is_file()) {
        let inside = path.strip_prefix(folder.path("o1")).unwrap().to_str().unwrap().to_owned();
        for other in ["o2", "o4"] {
            assert_eq!(
                folder.read(&format!("o1/{inside}")),
                folder.read(&format!("{other}/{inside}")),
                "{inside}"
            );
        }
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn the_seed_changes_the_data_and_n_its_size() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 50 --output a.npy");
    folder.compare("dataset swiss-roll --n 50 --output b.npy");
    folder.compare("dataset swiss-roll --n 50 --seed 1 --output c.npy");
    assert_eq!(folder.read("a.npy"), folder.read("b.npy"));
    assert_ne!(folder.read("a.npy"), folder.read("c.npy"));
}

#[test]
fn a_method_that_fails_is_a_row_and_the_others_go_on() {
    let folder = TempFolder::new();
    let line = "run --datasets swiss-roll --n 100 --methods pca,lda,lle --set lle.dim=100 --out o";
    let output = folder.command(line).assert().code(1).get_output().clone();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("failed:"), "{table}");
    let results = folder.json("o/results.json");
    let row = |i: usize| &results["datasets"][0]["methods"][i];
    assert_eq!(row(0)["outcome"]["status"], "done");
    assert_eq!(row(1)["outcome"]["status"], "failed");
    assert!(row(1)["outcome"]["reason"].as_str().unwrap().contains("labels"));
    assert_eq!(row(2)["outcome"]["status"], "failed");
    assert!(row(2)["outcome"]["reason"].as_str().unwrap().contains("100"));
    assert!(folder.path("o/embeddings/swiss-roll/pca.npy").exists());
    assert!(!folder.path("o/embeddings/swiss-roll/lle.npy").exists());
}

/// One method's own neighborhood is cut from the shared lists, and gives what
/// it gives alone.
#[test]
fn a_method_with_its_own_k_gives_what_it_gives_alone() {
    let folder = TempFolder::new();
    folder.compare("dataset s-curve --n 120 --output x.npy");
    let shared = "run --datasets s-curve --n 120 --methods lle,ltsa,laplacian-eigenmaps --set ltsa.k=15 --set laplacian-eigenmaps.radius=1.2 --out o";
    folder.compare(shared);
    for (method, flag) in [("lle", "k=10"), ("ltsa", "k=15"), ("laplacian-eigenmaps", "radius=1.2")] {
        folder.compare(&format!("embed --method {method} --input x.npy --output y.npy --set {flag}"));
        assert_eq!(
            folder.read("y.npy"),
            folder.read(&format!("o/embeddings/s-curve/{method}.npy")),
            "{method}"
        );
    }
}

#[test]
fn an_existing_folder_keeps_what_is_not_ours() {
    let folder = TempFolder::new();
    fs::create_dir(folder.path("o")).unwrap();
    folder.file("o/mine.txt", "mine").file("o/results.csv", "old");
    folder.compare("run --datasets swiss-roll --n 60 --methods pca --out o");
    assert_eq!(folder.read("o/mine.txt"), b"mine");
    assert_ne!(folder.read("o/results.csv"), b"old");
}

#[test]
fn panels_are_written_for_slides() {
    let folder = TempFolder::new();
    let run =
        "run --datasets swiss-roll,digits --n 60 --methods pca,lda,lle --set lle.dim=70 --out o --panels";
    folder.command(&format!("{run} svg")).assert().code(1);
    let svg = String::from_utf8(folder.read("o/panels/swiss-roll/pca.svg")).unwrap();
    assert!(svg.contains("pca of swiss roll") && svg.contains("arc length"), "{svg}");
    // What failed has no picture.
    let files: Vec<_> =
        listing(&folder.path("o/panels")).into_iter().filter(|(path, _)| path.is_file()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    folder.command(&format!("{run} png")).assert().code(1);
    assert!(folder.read("o/panels/digits/lda.png").starts_with(b"\x89PNG"));
    folder.refuses(&format!("{run} pdf"), 2, &["png, svg"]);
}

#[test]
fn files_of_an_earlier_run_are_told() {
    let folder = TempFolder::new();
    let run = |line: &str| {
        let output =
            folder.command(&format!("run --n 60 --out o {line}")).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!run("--datasets swiss-roll,s-curve --methods pca,lle").contains("earlier"));
    assert!(!run("--datasets swiss-roll,s-curve --methods pca,lle").contains("earlier"));
    // Two figures and two maps of the S-curve, one map of the roll.
    let told = run("--datasets swiss-roll --methods pca");
    assert!(told.contains("5 files of an earlier run") && told.contains("embeddings/s-curve"), "{told}");
    assert!(folder.path("o/s-curve.svg").exists());
}

#[test]
fn a_flag_that_a_method_of_a_run_cannot_use_is_noted_in_its_row() {
    let folder = TempFolder::new();
    folder.compare("run --datasets swiss-roll --n 60 --methods pca,lle --k 7 --out o");
    let results = folder.json("o/results.json");
    let row = |i: usize| &results["datasets"][0]["methods"][i];
    assert_eq!(row(0)["notes"][0], "pca has no parameter k; --k is not used");
    assert_eq!(row(1)["notes"].as_array().unwrap().len(), 0);
    assert_eq!(row(1)["recipe"]["k"], 7);
}

/// Sweeping k must not change what the maps are measured by.
#[test]
fn the_measures_have_their_own_k() {
    let folder = TempFolder::new();
    let score = |flags: &str| {
        folder.compare(&format!("run --datasets swiss-roll --n 90 --methods pca --out o {flags}"));
        let results = folder.json("o/results.json");
        let scores = results["datasets"][0]["methods"][0]["scores"].clone();
        (results["measure_k"].as_u64().unwrap(), scores)
    };
    let (default, same) = (score(""), score("--k 20"));
    assert_eq!(default, same);
    assert_eq!(default.0, 10);
    let other = score("--k 20 --measure-k 5");
    assert_eq!(other.0, 5);
    assert_ne!(default.1, other.1);
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("5 nearest neighbors of a point"));
    folder.refuses("run --datasets swiss-roll --n 90 --measure-k 90 --out q", 1, &["measure-k", "89"]);
    folder.compare("dataset swiss-roll --n 90 --output x.npy");
    let measure = |flag: &str| folder.compare(&format!("measure --input x.npy --embedding x.npy {flag} 7"));
    assert_eq!(measure("--k"), measure("--measure-k"));
}

#[test]
fn a_name_counts_once_however_it_is_written() {
    let folder = TempFolder::new();
    folder.compare("run --datasets swiss-roll,Swiss_Roll --n 60 --methods lle,LLE,T-SNE,lle --set t-sne.perplexity=9 --out o");
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"].as_array().unwrap().len(), 1);
    let methods = results["datasets"][0]["methods"].as_array().unwrap();
    assert_eq!(methods.iter().map(|row| &row["method"]).collect::<Vec<_>>(), ["lle", "tsne"]);
    assert_eq!(methods[1]["recipe"]["perplexity"], 9.0);
    let far =
        folder.refuses("run --datasets swiss-roll --methods autoencoder --out q", 2, &["known are pca"]);
    assert!(!far.contains("did you mean"), "{far}");
}

#[test]
fn the_last_line_says_where_the_report_is() {
    let folder = TempFolder::new();
    let line = "run --datasets swiss-roll --n 60 --methods pca --out a/o";
    let output = folder.command(line).assert().success().get_output().clone();
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().last(), Some("wrote a/o/report.html"));
}

#[test]
fn the_search_that_was_used_is_named() {
    let folder = TempFolder::new();
    folder.compare("run --datasets swiss-roll,digits --n 60 --methods pca --out o");
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"][0]["graph"]["search"], "kd-tree");
    assert_eq!(results["datasets"][1]["graph"]["search"], "brute-force");
}

/// The draw has one edge between two layers: Isomap takes it, unless it is cut.
#[test]
fn a_shortcut_is_told_and_can_be_cut() {
    let folder = TempFolder::new();
    let run = "run --datasets swiss-roll --n 1000 --seed 2 --methods isomap";
    let error = |run: &str| {
        let results = folder.json(&format!("{run}/results.json"));
        let set = &results["datasets"][0];
        let scores = set["methods"][0]["scores"].as_array().unwrap();
        let aligned = scores.iter().find(|score| score["measure"] == "procrustes").unwrap();
        (set["graph"].clone(), aligned["value"].as_f64().unwrap())
    };
    folder.compare(&format!("{run} --out told"));
    folder.compare(&format!("{run} --out cut --cut-shortcuts"));
    let ((told, with), (cut, without)) = (error("told"), error("cut"));
    assert_eq!((&told["shortcuts"], &told["cut"]), (&1.into(), &serde_json::Value::Null));
    assert_eq!((&cut["shortcuts"], &cut["cut"]), (&1.into(), &5.0.into()));
    assert_eq!(cut["edges"].as_u64().unwrap() + 1, told["edges"].as_u64().unwrap());
    assert!(without < 0.1 * with, "{with} with the edge, {without} without");
    let page = String::from_utf8(folder.read("told/report.html")).unwrap();
    assert!(page.contains("One probable shortcut edge"));
}

/// One approximate search serves all methods and the measures; its recall is in every output.
#[test]
fn a_run_with_approximate_neighbors_reports_their_recall() {
    let folder = TempFolder::new();
    let rows = waves();
    folder.file("waves.csv", &rows);
    let small: String = rows.lines().take(60).flat_map(|row| [row, "\n"]).collect();
    folder.file("few.csv", &small);
    let table = folder.compare(
        "run --input waves.csv few.csv --methods laplacian-eigenmaps,landmark-isomap --components largest --k 8 \
         --neighbor-recall 0.8 --out o",
    );
    let results = folder.json("o/results.json");
    let [waves, few] = &results["datasets"].as_array().unwrap()[..] else { panic!("two data sets") };
    assert_eq!(waves["graph"]["search"], "approximate");
    let recall = &waves["graph"]["recall"];
    assert_eq!(
        (&recall["goal"], &recall["points"], &recall["exact"]),
        (&0.8.into(), &256.into(), &false.into())
    );
    // The measures read 10 neighbors, the methods 8: one search for the larger.
    assert_eq!(recall["k"], 10);
    let measured = recall["measured"].as_f64().unwrap();
    assert!((0.8..=1.0).contains(&measured), "{measured}");
    let sentence =
        format!("{:.1} % of the 10 nearest neighbors are right; measured on 256 points", 100.0 * measured);
    assert!(table.contains(&sentence), "{table}");
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert_eq!(page.matches(&sentence).count(), 2, "in the overview and the section");
    assert_eq!(few["graph"]["recall"]["exact"], true);
    for set in [waves, few] {
        assert!(set["methods"].as_array().unwrap().iter().all(|row| row["outcome"]["status"] == "done"));
    }
    folder.compare("run --input few.csv --methods isomap --components largest --out exact");
    assert!(folder.json("exact/results.json")["datasets"][0]["graph"]["recall"].is_null());
}

/// The requested recall is the parameter of methods that search neighbors of their own, unless it
/// is set for them.
#[test]
fn methods_with_a_search_of_their_own_have_the_requested_recall() {
    let folder = TempFolder::new();
    folder.file("waves.csv", waves());
    let few =
        "--set pacmap.first-iterations=1 --set pacmap.second-iterations=1 --set pacmap.third-iterations=1";
    let line = format!("run --input waves.csv --methods pacmap,trimap {few} --set trimap.iterations=2");
    folder.compare(&format!("{line} --neighbor-recall 0.5 --set trimap.recall=1 --out o"));
    folder.compare(&format!("{line} --out exact"));
    let rows = |out: &str| folder.json(&format!("{out}/results.json"))["datasets"][0]["methods"].clone();
    let (approximate, exact) = (rows("o"), rows("exact"));
    assert_eq!(approximate[0]["recipe"]["recall"], 0.5);
    let found = approximate[0]["facts"]["neighbor_recall"].as_f64().unwrap();
    assert!((0.5..1.0).contains(&found), "{found}");
    let notes = approximate[0]["notes"].to_string();
    assert!(notes.contains("that the method searched itself are right"), "{notes}");
    assert_eq!((&exact[0]["recipe"]["recall"], &exact[0]["notes"]), (&1.into(), &approximate[1]["notes"]));
    assert_eq!(approximate[1]["recipe"]["recall"], 1, "set for this method");
    assert_eq!(approximate[1]["facts"], exact[1]["facts"]);

    let pacmap =
        format!("embed --method pacmap --input waves.csv --output y.npy {few}").replace("pacmap.", "");
    folder.compare(&format!("{pacmap} --neighbor-recall 0.5 --report r.json"));
    let report = folder.json("r.json");
    assert_eq!(report["facts"]["neighbor_recall"], found);
    folder.refuses(&format!("{pacmap} --set given=distances --neighbor-recall 0.5"), 1, &["square"]);
}

/// Rows of nine columns, and enough of them that no exact search is faster.
fn waves() -> String {
    let row = |i: usize| (1..10).map(move |c| ((i * c) as f64 * 0.37).sin().to_string());
    (0..4200).map(|i| row(i).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// Default methods that need more points are skipped; a method given by name fails.
#[test]
fn default_methods_that_need_more_points_are_skipped() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 25 --output x.npy");
    folder.compare("dataset s-curve --n 12 --output fewer.npy");
    folder.compare("run --input x.npy fewer.npy --out o");
    folder.command("run --input x.npy --methods tsne --out p").assert().code(1);
    let perplexity = ("tsne.perplexity", "perplexity must be 1 to n - 1 (here 1 to 24)");
    let k = ("umap.k", "k must be 1 to n - 1 (here 1 to 11)");
    for (out, set, status, (parameter, requirement)) in
        [("o", 0, "skipped", perplexity), ("o", 1, "skipped", k), ("p", 0, "failed", perplexity)]
    {
        let results = folder.json(&format!("{out}/results.json"));
        let rows = results["datasets"][set]["methods"].as_array().unwrap();
        let row = rows.iter().find(|row| parameter.starts_with(row["method"].as_str().unwrap())).unwrap();
        assert_eq!(row["outcome"]["status"], status, "{row}");
        let reason = row["outcome"]["reason"].as_str().unwrap();
        assert!(reason.contains(requirement), "{reason}");
        assert!(reason.ends_with(&format!("see --set {parameter}")), "{reason}");
    }
    folder.command("run --input x.npy --set tsne.perplexity=40 --out q").assert().code(1);
    folder.compare("run --input x.npy --set tsne.perplexity=5 --out r");
}

/// A folder of the name of the store may be the user's own.
#[test]
fn a_folder_of_unfinished_work_that_is_not_the_programs_is_kept() {
    let folder = TempFolder::new();
    folder.compare("dataset s-curve --n 60 --output x.csv");
    let run = "run --input o/unfinished/x.csv --methods pca --measure-k 5 --out o";
    fs::create_dir_all(folder.path("o/unfinished/inner")).unwrap();
    folder.file("o/unfinished/x.csv", folder.read("x.csv"));
    let parts = ["o/unfinished", "move it away", "--out"];
    folder.refuses(run, 1, &parts);
    folder.refuses("study --out o --n 60", 1, &parts);
    // Next to the stored results of a run, too.
    folder.file("o/unfinished/run.json", "{\"version\": \"0.0.0\", \"arguments\": []}");
    folder.refuses(run, 1, &["x.csv", "move it away"]);
    fs::remove_file(folder.path("o/unfinished/x.csv")).unwrap();
    folder.file("o/unfinished/inner/pca.json", "{}");
    folder.compare("run --input x.csv --methods pca --measure-k 5 --out o");
    assert!(!folder.path("o/unfinished").exists());
    fs::create_dir_all(folder.path("o/unfinished")).unwrap();
    folder.compare("run --input x.csv --methods pca --measure-k 5 --out o");
}

/// What a run writes into a folder of pictures would be pictures of the next run.
#[test]
fn a_new_folder_within_a_folder_of_pictures_is_no_output_folder() {
    let folder = TempFolder::new();
    for name in ["p", "p/one", "p/two"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let picture = |i: u8| image::GrayImage::from_fn(4, 4, |x, y| image::Luma([i * (x + 3 * y) as u8]));
    (0..12_u8).for_each(|i| {
        picture(i).save(folder.path(&format!("p/{}/{i}.png", ["one", "two"][i as usize % 2]))).unwrap()
    });
    fs::create_dir(folder.path("p/there")).unwrap();
    for out in ["p", "p/there", "p/new", "p/new/below", "q/../p/new"] {
        let run = format!("run --input p --methods pca --measure-k 5 --out {out}");
        folder.refuses(&run, 2, &["lies in the folder of pictures p"]);
    }
    folder.compare("run --input p --methods pca --measure-k 5 --out p/../new/below");
    assert!(folder.path("new/below/report.html").exists());
}
