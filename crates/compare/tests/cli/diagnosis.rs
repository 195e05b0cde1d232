//! What spoils a map is named, with counts.

use serde_json::{Value, json};

use crate::temp_folder::TempFolder;

fn score(set: &Value, measure: &str) -> f64 {
    let scores = set["methods"][0]["scores"].as_array().unwrap();
    scores.iter().find(|score| score["measure"] == measure).unwrap()["value"].as_f64().unwrap()
}

/// Six edges jump between layers: they are counted, by distances and by truth; without
/// them the map is right, and is measured against the graph that it was made from.
#[test]
fn jumps_are_counted_by_truth_and_their_removal_is_measured_as_such() {
    let folder = TempFolder::new();
    let run = "run --datasets swiss-roll --n 600 --methods isomap";
    let output = folder.compare(&format!("{run} --out told"));
    assert!(output.contains("graph: 6 probable shortcut edges (see --cut-shortcuts)"), "{output}");
    folder.compare(&format!("{run} --out cut --cut-shortcuts"));
    let [told, cut] = ["told", "cut"].map(|run| folder.json(&format!("{run}/results.json")));
    let (told, cut) = (&told["datasets"][0], &cut["datasets"][0]);
    assert_eq!((&told["graph"]["shortcuts"], &told["graph"]["true_shortcuts"]), (&6.into(), &6.into()));
    assert_eq!((&cut["graph"]["shortcuts"], &cut["graph"]["true_shortcuts"]), (&6.into(), &0.into()));
    assert!(score(told, "procrustes") > 0.4 && score(cut, "procrustes") < 0.01);
    let (wrong, right) = (score(told, "residual_variance"), score(cut, "residual_variance"));
    assert!(right < 0.01 && right < wrong, "{right} for the right map, {wrong} for the wrong one");
    let page = String::from_utf8(folder.read("told/report.html")).unwrap();
    assert!(page.contains("6 probable shortcut edges (see --cut-shortcuts)"));
    assert!(page.contains("By the true coordinates, 6 edges are shortcuts."));
}

/// The group of failures: every data set with its story, and what the diagnosis finds there.
#[test]
fn what_is_expected_to_fail_fails_as_it_says() {
    let folder = TempFolder::new();
    let run = "run --datasets failures,swiss-roll --methods isomap --measure-k 5 --out o";
    // Isomap refuses the graph of two components.
    let output = folder.command(run).assert().code(1).get_output().clone();
    let results = folder.json("o/results.json");
    let sets = results["datasets"].as_array().unwrap();
    let of = |name: &str| sets.iter().find(|set| set["name"] == name).unwrap();
    let edges = |name: &str| {
        let graph = &of(name)["graph"];
        [&graph["shortcuts"], &graph["true_shortcuts"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!(edges("swiss-roll"), [0, 0]);
    let [found, known] = edges("tight-swiss-roll");
    assert!(found > 20 && known >= found, "{found} of {known}");
    for name in ["noisy-swiss-roll", "sparse-swiss-roll"] {
        let [found, known] = edges(name);
        assert!(found == 0 && known > 10, "{name}: {found} of {known}");
    }
    let skewed =
        ["swiss-roll", "swiss-roll-hole", "skewed-swiss-roll"].map(|name| score(of(name), "procrustes"));
    assert!(skewed[1] > 3.0 * skewed[0] && skewed[2] > 3.0 * skewed[0], "{skewed:?}");
    // The left legs lie on the right ones.
    let part = score(of("mammoth"), "knn_accuracy");
    assert!(part < 0.85, "{part} of the neighbors' classes are right");
    assert_eq!(of("two-swiss-rolls")["methods"][0]["outcome"]["status"], "failed");

    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told.matches("\n  expected: ").count(), 9);
    assert!(told.contains("  graph: By the true coordinates, "), "{told}");
    assert!(told.contains("  diagnosis: nothing found\n"), "{told}");
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert_eq!(page.matches("<b>Expected to fail.</b> ").count(), 9);
    let list = folder.command("list datasets").assert().success().get_output().stdout.clone();
    assert_eq!(String::from_utf8(list).unwrap().matches("\n  failure     ").count(), 9);
}

/// Data with true parameters: each map names the axes that follow them, with R².
#[test]
fn axes_are_named_by_the_parameters_that_they_follow() {
    let folder = TempFolder::new();
    let run = "run --datasets head,swiss-roll --n 200 --methods isomap --k 6 --dim 3 --out o";
    let told = String::from_utf8(folder.command(run).assert().success().get_output().stdout.clone()).unwrap();
    assert_eq!(told.matches("True parameters on the method's own axes: ").count(), 1, "{told}");
    assert!(
        told.contains("  isomap: True parameters on the method's own axes: turn along axis 1 (R² 0.9"),
        "{told}"
    );
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("<li>True parameters on the method's own axes: turn along axis 1 (R² 0.9"));
    assert!(
        folder.path("o/head-axes.png").exists() && page.contains("isomap on head: images along the axes")
    );
}

/// `embed` reports it, too, on standard error and in the report; given lists do not have the
/// distances for it.
#[test]
fn embed_names_shortcuts_and_refuses_to_cut_lists() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 600 --output roll.npy");
    let embed = "embed --input roll.npy --method isomap --output z.npy --report r.json";
    let said = |line: &str| {
        String::from_utf8(folder.command(line).assert().success().get_output().stderr.clone()).unwrap()
    };
    assert!(said(embed).contains("note: 6 probable shortcut edges"));
    assert!(folder.json("r.json")["notes"][0].as_str().unwrap().starts_with("6 probable shortcut edges"));
    assert!(said(&format!("{embed} --cut-shortcuts")).contains("note: 6 more edges"));
    assert!(folder.json("r.json")["notes"][0].as_str().unwrap().contains("were removed"));
    folder.file("lists.csv", "0,1,1\n1,2,1\n2,3,1\n3,0,1\n");
    let lists = "embed --input lists.csv --method isomap --set given=neighbors --dim 1 --output y.npy";
    folder.refuses(&format!("{lists} --cut-shortcuts"), 1, &["points or distances"]);
}

/// Three groups on a line, which the 2 nearest neighbors do not connect; PHATE's kernel connects two.
#[test]
fn a_kernel_that_reaches_beyond_the_neighbors_is_said_to() {
    let folder = TempFolder::new();
    let start = |group: u32| [0.0, 2.72, 9.0][group as usize];
    let row = |i: u32| format!("{},0\n", start(i / 8) + 0.3 * f64::from(i % 8));
    std::fs::write(folder.path("x.csv"), (0..24).map(row).collect::<String>()).unwrap();
    let run = "run --input x.csv --methods phate,pca --set phate.k=2 --measure-k 3 --out o";
    folder.command(run).assert().code(1);
    let results = folder.json("o/results.json");
    let reason = results["datasets"][0]["methods"][0]["outcome"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("by its own graph, whose edges reach beyond its 2 nearest neighbors: "),
        "{reason}"
    );
}

/// Two groups of eight, which 10 neighbors connect and the 5 of PHATE do not.
#[test]
fn a_graph_of_a_methods_own_is_named_where_it_is_disconnected() {
    let folder = TempFolder::new();
    let row = |i: u32| format!("{},{}\n", 9 * (i / 8) + i % 3, i % 8);
    std::fs::write(folder.path("x.csv"), (0..16).map(row).collect::<String>()).unwrap();
    let run = "run --input x.csv --methods phate,pca --measure-k 3";
    folder.command(&format!("{run} --out o")).assert().code(1);
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"][0]["graph"]["components"].as_array().unwrap().len(), 1);
    let reason = results["datasets"][0]["methods"][0]["outcome"]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("by its 5 nearest neighbors: the neighbor graph must be connected"),
        "{reason}"
    );
    folder.compare(&format!("{run} --components bridge --out p"));
    let methods = &folder.json("p/results.json")["datasets"][0]["methods"];
    let told = |at: usize| methods[at]["notes"].to_string().contains("the neighbor graph has 2 components");
    assert!(told(0) && told(1), "{methods}");
    let page = String::from_utf8(folder.read("p/report.html")).unwrap();
    assert!(page.contains("residual_variance is left out: by its 3 nearest neighbors"));
}

/// Of few points the ranks of a large neighborhood have no normalization.
#[test]
fn measures_that_few_points_do_not_have_are_said_to_be_left_out() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 12 --output x.npy");
    let scores = |k: u32| {
        let run = format!("run --input x.npy --methods pca --k 3 --measure-k {k} --out o{k}");
        let told = folder.command(&run).assert().success();
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        let results = folder.json(&format!("o{k}/results.json"));
        let row = &results["datasets"][0]["methods"][0];
        (told, row["scores"].to_string(), row["notes"].to_string())
    };
    let left_out = "continuity are left out: --measure-k is 6, not below half of the 12 points";
    let (told, found, notes) = scores(6);
    assert!(told.contains(left_out) && notes.contains(left_out), "{told}\n{notes}");
    assert!(!found.contains("trustworthiness"), "{found}");
    let (told, found, notes) = scores(5);
    assert!(!told.contains("left out") && !notes.contains("left out"), "{told}\n{notes}");
    assert!(found.contains("trustworthiness"), "{found}");
    std::fs::write(folder.path("two.csv"), "1,2\n3,4\n").unwrap();
    folder.refuses("measure --input two.csv --embedding two.csv", 1, &["at least 3 points, but got 2"]);
    std::fs::write(folder.path("one.csv"), "1,2\n").unwrap();
    folder.refuses("run --input one.csv --methods pca --out p", 1, &["at least 2 points, but got 1"]);
}

/// The residual variance of a run equals the result of `measure`, whatever graph the method was fitted to.
#[test]
fn residual_variance_follows_one_graph() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 200 --seed 3 --output x.npy");
    folder.compare("run --input x.npy --methods ltsa,isomap --k 8 --set isomap.k=20 --measure-k 10 --out o");
    let results = folder.json("o/results.json");
    for row in results["datasets"][0]["methods"].as_array().unwrap() {
        let method = row["method"].as_str().unwrap();
        let scores = row["scores"].as_array().unwrap();
        let score = scores.iter().find(|score| score["measure"] == "residual_variance").unwrap();
        let map = format!("o/embeddings/x/{method}.npy");
        let measured = folder.compare(&format!("measure --input x.npy --embedding {map} --k 10"));
        let measured: Value = serde_json::from_str(&measured).unwrap();
        assert_eq!(score["value"], measured["residual_variance"], "{method}");
    }
}

/// Two rolls: nothing fails, every method is shown under every policy, and one policy can be
/// chosen for all.
#[test]
fn a_disconnected_set_shows_every_policy() {
    let folder = TempFolder::new();
    folder.compare("run --datasets two-swiss-rolls --methods all --n 160 --out o");
    let results = folder.json("o/results.json");
    let set = &results["datasets"][0];
    let rows = set["methods"].as_array().unwrap();
    let of = |name: &str| rows.iter().find(|row| row["method"] == name).unwrap();
    assert!(rows.iter().all(|row| row["outcome"]["status"] != "failed"));
    assert_eq!(of("isomap")["outcome"]["status"], "skipped");
    let reason = of("isomap")["outcome"]["reason"].as_str().unwrap();
    assert!(reason.contains("components") && reason.contains("--components bridge"), "{reason}");
    // Two classes separate in one dimension, to which the default is lowered.
    assert_eq!((&of("lda")["outcome"]["status"], of("lda")["dim"].as_u64()), (&json!("done"), Some(1)));
    let note = of("lda")["notes"][0].as_str().unwrap();
    assert!(note.starts_with("the target dimension was lowered to 1: dim must be 1 to"), "{note}");
    let shown = set["policies"].as_array().unwrap();
    let skipped: Vec<&str> = rows
        .iter()
        .filter(|row| {
            row["outcome"]["reason"].as_str().is_some_and(|reason| reason.contains("--components bridge"))
        })
        .map(|row| row["method"].as_str().unwrap())
        .collect();
    assert!(skipped.len() > 8 && shown.len() == 3 * skipped.len(), "{skipped:?}");
    for (method, rows) in skipped.iter().zip(shown.chunks(3)) {
        assert!(rows.iter().all(|row| row["method"] == *method));
        let policies: Vec<&str> =
            rows.iter().map(|row| row["recipe"]["components"].as_str().unwrap()).collect();
        assert_eq!(policies, ["bridge", "largest", "per-component"]);
    }
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("What each policy for components does") && page.contains("<h4>isomap bridge</h4>"));
    for file in ["two-swiss-rolls-policies.png", "two-swiss-rolls-policies.svg"] {
        assert!(folder.path("o").join(file).exists(), "{file}");
    }

    folder.compare(
        "run --datasets two-swiss-rolls --n 160 --methods isomap,pca --components per-component --out p",
    );
    let results = folder.json("p/results.json");
    let set = &results["datasets"][0];
    assert_eq!(set["methods"][0]["outcome"]["status"], "done");
    assert_eq!(set["methods"][0]["recipe"]["components"], "per-component");
    assert!(set.get("policies").is_none());
    folder.refuses("run --datasets two-swiss-rolls --components merge --out q", 2, &["per-component"]);
}
