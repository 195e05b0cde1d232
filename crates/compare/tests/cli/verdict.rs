//! Which map a run recommends for which purpose: in its results, on the terminal and in its report.

use std::fmt::Write as _;

use serde_json::Value;

use crate::temp_folder::TempFolder;

/// The answer and the recommended map for neighbors, distances, clusters and new points.
fn verdicts(set: &Value) -> Vec<(&str, Option<&str>)> {
    let verdicts = set["verdicts"].as_array().unwrap();
    let purposes: Vec<&str> = verdicts.iter().map(|verdict| verdict["purpose"].as_str().unwrap()).collect();
    assert_eq!(purposes, ["neighbors", "distances", "clusters", "new-points"]);
    verdicts
        .iter()
        .map(|verdict| (verdict["answer"].as_str().unwrap(), verdict["recommended"].as_str()))
        .collect()
}

#[test]
fn verdicts_on_generated_data_are_as_expected() {
    let folder = TempFolder::new();
    let run = "run --datasets swiss-roll,hypercube --n 800 --methods pca,isomap,ltsa --k 8 --out o";
    let told = folder.compare(run);
    let results = folder.json("o/results.json");
    let sets = &results["datasets"];
    let isomap = ("map", Some("isomap"));
    assert_eq!(verdicts(&sets[0]), [isomap, isomap, ("no-map", None), isomap]);
    assert_eq!(verdicts(&sets[1])[1..3], [("no-map", None); 2]);
    assert!(
        told.contains("  new points: Isomap, then LTSA. Trustworthiness of new points 0.999; "),
        "{told}"
    );
    assert!(told.contains("  distances: Isomap. Procrustes 0.00"), "{told}");
    assert!(told.contains("  distances: no map serves this purpose. The best of 3 maps is "), "{told}");
    assert_eq!(told.matches("  clusters: no clusters supported. ").count(), 2, "{told}");
    folder.compare("run --datasets clusters --n 300 --methods pca,lda,smacof --out c");
    let results = folder.json("c/results.json");
    let smacof = ("map", Some("smacof"));
    assert_eq!(verdicts(&results["datasets"][0]), [smacof, ("not-measured", None), smacof, smacof]);
}

/// A column with nearly all of the variance: the linear map shows it, the classes do not depend on it, and the
/// warning stands before the maps.
#[test]
fn a_dominant_column_is_a_warning_before_the_maps() {
    let folder = TempFolder::new();
    let mut table = "salary,age,height,team\n".to_owned();
    for i in 0..150_u32 {
        let (salary, noise) = ((i * 7919) % 4001, f64::from((i * 31) % 17) / 17.0);
        writeln!(table, "{salary},{},{},{}", f64::from(i % 3) + noise, 1.0 - noise, i % 3).unwrap();
    }
    folder.file("staff.csv", table);
    let told = folder.compare(
        "run --input staff.csv --label-column team --methods pca,isomap --k 8 --components bridge --out o",
    );
    let results = folder.json("o/results.json");
    let set = &results["datasets"][0];
    let pca = ("map", Some("pca"));
    assert_eq!(verdicts(set), [pca, pca, ("no-map", None), pca]);
    let warning = set["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("Column `salary` has more than 99.99 % of the variance"), "{warning}");
    assert!(told.contains("  clusters: no clusters supported. The best of 2 maps is "), "{told}");
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("Which map to show") < at("<code>salary</code>"));
    assert!(at("<code>salary</code>") < at("class=\"panels"));
}

/// Points that jump are in the report and the results of a run that requests them.
#[test]
fn trust_marks_the_points_at_tears() {
    let folder = TempFolder::new();
    let said =
        folder.compare("run --datasets swiss-roll --n 400 --methods pca,ltsa,umap --k 8 --trust --out o");
    for method in ["pca", "ltsa", "umap"] {
        let of_method = |line: &str| line.trim_start().starts_with(&format!("{method}: "));
        assert!(said.lines().any(|line| of_method(line) && line.contains(" jump")), "{method}: {said}");
    }
    let results = folder.json("o/results.json");
    let methods = results["datasets"][0]["methods"].as_array().unwrap();
    let jumps: Vec<usize> =
        methods.iter().map(|method| method["trust"]["jumps"].as_array().unwrap().len()).collect();
    assert_eq!(jumps[0], 0, "{jumps:?}");
    assert!(jumps[2] > 0, "{jumps:?}");
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("What can be trusted") && page.contains("above 8: jumps"));
    assert!(page.contains(&format!("<li>{} of 400 points jump when ", jumps[2])));
    assert!(!page.contains("not scored"));
    folder.compare("run --datasets swiss-roll --n 100 --methods pca --out p");
    assert!(folder.json("p/results.json")["datasets"][0]["methods"][0].get("trust").is_none());
}
