//! `compare run` with several values: a sweep.

use crate::temp_folder::TempFolder;

#[test]
fn a_sweep_has_mean_and_spread_of_every_setting_and_the_measures_do_not_change_with_k() {
    let folder = TempFolder::new();
    let line =
        "run --datasets swiss-roll --methods pca,lle,hessian-lle --n 120 --k 9,5 --noise 0,0.1 --seeds 3";
    // The status shows that a method fails at some setting.
    let output = folder.command(&format!("{line} --out o")).assert().code(1).get_output().clone();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("swiss-roll: procrustes, lower is better, mean ± standard deviation"), "{table}");
    assert!(table.contains("noise = 0.1") && table.contains("k = 9"), "{table}");
    let results = folder.json("o/results.json");
    // The first setting is shown in full.
    assert_eq!(results["datasets"].as_array().unwrap().len(), 1);
    assert_eq!(results["datasets"][0]["graph"]["neighborhood"]["Nearest"]["k"], 9);
    let cells = results["sweeps"][0]["cells"].as_array().unwrap();
    let setting = |i: usize| (cells[i]["noise"].as_f64().unwrap(), cells[i]["k"].as_u64().unwrap());
    assert_eq!([0, 1, 2, 3].map(setting), [(0.0, 9), (0.0, 5), (0.1, 9), (0.1, 5)]);
    assert_eq!(cells[0]["seeds"], serde_json::json!([0, 1, 2]));
    // PCA has no neighbors: its scores are the same for every k.
    assert_eq!(cells[0]["methods"][0]["scores"], cells[1]["methods"][0]["scores"]);
    assert_ne!(cells[0]["methods"][1]["scores"], cells[1]["methods"][1]["scores"]);
    assert_ne!(cells[0]["methods"][0]["scores"], cells[2]["methods"][0]["scores"]);
    // Hessian LLE needs more than five neighbors.
    assert_eq!((&cells[1]["methods"][2]["runs"], &cells[1]["methods"][2]["done"]), (&3.into(), &0.into()));

    let runs = String::from_utf8(folder.read("o/sweep-runs.csv")).unwrap();
    assert_eq!(runs.lines().count(), 1 + 2 * 2 * 3 * 3);
    let summary = String::from_utf8(folder.read("o/sweep.csv")).unwrap();
    assert!(
        summary.starts_with("dataset,method,k,n,noise,draws,maps,measure,count,mean,deviation,least,most")
    );
    // The mean over the draws is the mean over the runs.
    let columns: Vec<&str> = runs.lines().next().unwrap().split(',').collect();
    let at = columns.iter().position(|name| *name == "procrustes").unwrap();
    let values: Vec<f64> = runs
        .lines()
        .filter(|line| line.starts_with("9,0.1,") && line.contains(",lle,"))
        .map(|line| line.split(',').nth(at).unwrap().parse().unwrap())
        .collect();
    assert_eq!(values.len(), 3);
    let mean = values.iter().sum::<f64>() / 3.0;
    let row =
        summary.lines().find(|line| line.starts_with("swiss-roll,lle,9,120,0.1,3,3,procrustes,3,")).unwrap();
    let found: f64 = row.split(',').nth(9).unwrap().parse().unwrap();
    assert!((found - mean).abs() <= 1e-12, "{found} {mean}");

    // One of its settings alone gives the same scores.
    folder.compare("run --datasets swiss-roll --methods lle --n 120 --k 9 --noise 0.1 --seed 2 --out one");
    let one = folder.json("one/results.json");
    assert_eq!(one["datasets"][0]["noise"], 0.1);
    let scores = one["datasets"][0]["methods"][0]["scores"].as_array().unwrap().clone();
    let procrustes = scores.iter().find(|score| score["measure"] == "procrustes").unwrap();
    assert_eq!(procrustes["value"].as_f64().unwrap(), values[2]);

    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("id=\"sweep--swiss-roll\"") && page.contains("Stability over the draws"));
    for file in ["swiss-roll-sweep.png", "swiss-roll-sweep.svg", "swiss-roll-maps.png"] {
        assert!(folder.path("o").join(file).exists(), "{file}");
    }
}

/// The map of every method at every setting is in one picture. The map of a method without neighbors, which
/// is fitted once, is drawn at every k, and a failure has its reason.
#[test]
fn the_maps_of_all_settings_are_drawn() {
    let folder = TempFolder::new();
    let line = "run --datasets s-curve --methods pca,hessian-lle --n 150 --k 4,7,9 --seeds 2 --out o";
    folder.command(line).assert().code(1);
    let drawn = String::from_utf8(folder.read("o/s-curve-maps.svg")).unwrap();
    for text in [">k = 4<", ">k = 9<", ">pca<", ">hessian-lle<", ">failed<", "the first is drawn"] {
        assert!(drawn.contains(text), "{text}");
    }
    // Three of PCA and two of Hessian LLE, which needs more than 4 neighbors.
    assert_eq!((drawn.matches("h0").count() / 150, drawn.matches(">failed<").count()), (5, 1));
    assert_eq!(drawn.matches(" procrustes<").count(), 5);
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("s curve: the map of each method at each setting"));
}

#[test]
fn single_values_are_no_sweep() {
    let folder = TempFolder::new();
    folder.compare("run --datasets s-curve --methods pca --n 60 --k 6 --noise 0 --seeds 1 --out o");
    let results = folder.json("o/results.json");
    assert!(results.get("sweeps").is_none() && results["datasets"][0].get("noise").is_none());
    for file in ["sweep.csv", "sweep-runs.csv", "s-curve-sweep.png", "s-curve-maps.png"] {
        assert!(!folder.path("o").join(file).exists(), "{file}");
    }
}

#[test]
fn lists_that_are_wrong_are_refused_before_anything_runs() {
    let folder = TempFolder::new();
    for (options, parts) in [
        ("--k 6,,8", &["--k", "invalid"][..]),
        ("--k 6,8,6", &["--k has 6 twice"]),
        ("--n 100,50 --k 60,80", &["every --n must exceed", "--k is 80", "--n has 50"]),
        ("--noise 0,-0.1", &["--noise", "finite number of at least 0"]),
        ("--noise inf", &["--noise", "finite number of at least 0"]),
        ("--seeds 0", &["--seeds"]),
        ("--seeds 1001", &["at most 1000 settings"]),
        ("--seed 18446744073709551615 --seeds 2", &["exceed the largest seed"]),
    ] {
        folder.refuses(&format!("run --datasets swiss-roll --methods pca --out o {options}"), 2, parts);
    }
    folder.refuses("run --datasets all --n 100,200 --out o", 2, &["several --n need data sets by name"]);
    folder.refuses("run --datasets digits --n 100,2000 --out o", 1, &["from 1 to 1797 for digits"]);
}

/// A method without chance has the same scores for every seed; the mean of three 0.97 is not 0.97.
#[test]
fn equal_scores_have_a_spread_of_0() {
    let folder = TempFolder::new();
    let rows = |i: i32| format!("{},{},{}\n", i, i * i % 7, i * i % 11);
    folder.file("x.csv", (0..30).map(rows).collect::<String>());
    let table = folder.compare("run --input x.csv --methods pca,isomap --k 5,8 --seeds 3 --out o");
    assert!(table.contains("± 0") && !table.contains("e−"), "{table}");
    for cell in folder.json("o/results.json")["sweeps"][0]["cells"].as_array().unwrap() {
        for score in cell["methods"].as_array().unwrap().iter().flat_map(|m| m["scores"].as_array().unwrap())
        {
            assert_eq!(score["deviation"], 0.0, "{score}");
            assert_eq!(score["mean"], score["least"], "{score}");
        }
    }
}
