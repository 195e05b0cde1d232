//! `compare plan`.

use crate::temp_folder::TempFolder;

/// Points of a Swiss roll, in `roll.npy`.
fn roll(n: usize) -> TempFolder {
    let folder = TempFolder::new();
    folder.compare(&format!("dataset swiss-roll --n {n} --output roll.npy"));
    folder
}

#[test]
fn memory_of_more_points_than_the_file_has_is_the_estimate_of_the_method() {
    let folder = roll(2000);
    folder.compare("plan --input roll.npy --methods smacof,kernel-pca --n 6000 --seconds 60 --report p.json");
    folder.compare("dataset swiss-roll --n 6000 --output many.npy");
    let report = folder.json("p.json");
    assert_eq!((report["rows"].as_u64(), report["n"].as_u64()), (Some(2000), Some(6000)));
    for (at, method) in ["smacof", "kernel-pca"].into_iter().enumerate() {
        let planned = report["methods"][at]["fit_memory_bytes"].as_f64().unwrap() / 1e6;
        let embed = format!("embed --method {method} --input many.npy --output y.npy --set memory-limit=1kB");
        let refusal = folder.refuses(&embed, 1, &["would take", "MB"]);
        let (_, rest) = refusal.split_once("would take ").unwrap();
        let needed: f64 = rest.split(' ').next().unwrap().parse().unwrap();
        assert!((planned / needed - 1.0).abs() < 0.02, "{method}: {planned} of {needed}");
    }
}

#[test]
fn a_plan_measures_what_fits_into_its_time_and_says_what_it_extrapolates() {
    let folder = roll(1200);
    let printed = folder.compare("plan --input roll.npy --methods pca,lda,lle --seconds 60 --report p.json");
    assert!(printed.starts_with("Expected cost of fits to roll.npy: 1,200 points, 3 columns"), "{printed}");
    assert!(printed.contains("needs labels, and this data has none"), "{printed}");
    assert_eq!(printed.matches("measured: a fit of all points").count(), 2, "{printed}");
    let report = folder.json("p.json");
    let of = |at: usize| &report["methods"][at];
    for at in [0, 2] {
        let (planned, last) = (&of(at)["seconds"], &of(at)["calibration"].as_array().unwrap()[1]["seconds"]);
        let (planned, measured) = (planned.as_f64().unwrap(), last.as_f64().unwrap());
        assert!((planned / measured - 1.0).abs() < 1e-6, "{at}: {planned} of {measured}");
    }
    assert!(of(1)["reason"].as_str().unwrap().contains("needs labels"));
    let sizes: Vec<u64> =
        of(2)["calibration"].as_array().unwrap().iter().map(|fit| fit["n"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [600, 1200]);
    let stages: Vec<&str> =
        of(2)["stages"].as_array().unwrap().iter().map(|stage| stage["name"].as_str().unwrap()).collect();
    assert_eq!(stages, ["neighbors", "weights", "alignment", "eigenvectors"]);
    assert!(of(2)["cost"].as_str().unwrap().contains("k^2"));
    let larger = folder.compare("plan --input roll.npy --methods lle --n 100000 --seconds 60");
    assert!(larger.contains("fits of 600, 1,200 points, ×83"), "{larger}");
}

#[test]
fn a_fit_that_exceeds_the_memory_limit_is_named() {
    let folder = roll(1000);
    let printed = folder.compare("plan --input roll.npy --methods smacof --n 50000 --memory-limit 2GB");
    assert!(
        printed.contains(" GB  fits of 500, 1,000 points, ×50")
            && printed.contains("exceeds the memory limit of 2.0 GB"),
        "{printed}"
    );
}

#[test]
fn wrong_requests_are_refused() {
    let folder = roll(300);
    folder.refuses("plan --input roll.npy", 2, &["--methods"]);
    folder.refuses("plan --input roll.npy --methods pca --set lle.k=4", 2, &["lle", "not among"]);
    folder.refuses("plan --input roll.npy --methods pca --report roll.npy", 2, &["is the input roll.npy"]);
    let printed = folder.compare("plan --input roll.npy --methods lle --k 400");
    assert!(printed.contains("400") && printed.contains("lle "), "{printed}");
}

/// From 10,000 points on, a run says how long its fits will take.
#[test]
fn a_run_of_many_points_says_how_long_its_fits_will_take() {
    let folder = roll(10_000);
    let said = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let long = said("run --input roll.npy --methods pca,lle --out a");
    assert!(long.contains("note: roll: 2 fits will take about "), "{long}");
    assert!(long.contains("as fits of 625 and 1,250 points say"), "{long}");
    let short = said("run --input roll.npy --methods pca,lle --n 9999 --out b");
    assert!(!short.contains("will take"), "{short}");
}
