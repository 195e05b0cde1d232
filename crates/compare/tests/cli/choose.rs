//! `compare choose`: settings with reasons.

use crate::temp_folder::TempFolder;

/// Thirty neighbors connect the layers of a roll: its map is flat, and the most stable one. The report and
/// the table per point belong to the same choice, whatever the number of threads.
#[test]
fn a_setting_is_preferred_with_reasons() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 600 --output x.csv");
    let choose = "choose --input x.csv --methods isomap --k 8,30 --draws 3 --report r.json --per-point p.csv";
    let told = folder.compare(choose);
    let report = folder.json("r.json");
    assert_eq!((&report["n"], &report["D"], &report["draws"]), (&600.into(), &3.into(), &3.into()));
    let isomap = &report["methods"][0];
    assert_eq!((&isomap["method"], &isomap["parameter"]), (&"isomap".into(), &"k".into()));
    assert_eq!(isomap["preferred"], 0, "{told}");
    for setting in isomap["settings"].as_array().unwrap() {
        let criteria = &setting["criteria"];
        for name in ["area", "reconstruction", "stability"] {
            assert!(criteria[name].is_f64(), "{name}: {told}");
        }
        assert!(criteria["pbic"].is_null() && criteria["singular"].is_null());
    }
    assert!(isomap["settings"][0]["structure"]["p"].as_f64().unwrap() < 0.01, "{told}");
    assert!(told.contains("k = 8 is preferred to k = 30"), "{told}");
    assert!(told.contains("The map shows structure"), "{told}");
    let rows = String::from_utf8(folder.read("p.csv")).unwrap();
    assert_eq!(rows.lines().next(), Some("row,isomap_stability"));
    assert_eq!(rows.lines().count(), 601);
    folder.compare(&format!("--threads 1 {choose}"));
    assert_eq!(folder.json("r.json")["methods"], report["methods"]);
    assert_eq!(String::from_utf8(folder.read("p.csv")).unwrap(), rows);
}

/// Independent columns have no structure, whatever the map shows.
#[test]
fn noise_has_no_structure_at_any_setting() {
    let folder = TempFolder::new();
    let mut state = 3_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 10_000).to_string()
    };
    let rows = (0..120).map(|_| (0..100).map(|_| next()).collect::<Vec<_>>().join(",") + "\n");
    folder.file("x.csv", rows.collect::<String>());
    let told = folder.compare(
        "choose --input x.csv --methods tsne --perplexity 2,10 --draws 2 --set tsne.iterations=150 --report r.json",
    );
    assert!(told.contains("no setting shows structure"), "{told}");
    let tsne = &folder.json("r.json")["methods"][0];
    assert!(tsne["preferred"].is_null());
    for setting in tsne["settings"].as_array().unwrap() {
        assert!(setting["criteria"]["pbic"].is_f64() && setting["criteria"]["singular"].is_f64(), "{told}");
        assert!(setting["structure"]["p"].as_f64().unwrap() >= 0.01, "{told}");
    }
    // The last setting is compared with no other one.
    let losses: Vec<&serde_json::Value> =
        tsne["settings"].as_array().unwrap().iter().map(|setting| &setting["loss"]).collect();
    assert_eq!(losses.iter().filter(|loss| ***loss == 0.0).count(), 1, "{told}");
    // The column stays where no setting is preferred.
    let choose = "choose --input x.csv --methods tsne --perplexity 2 --draws 2 --set tsne.iterations=150";
    let output = folder.command(&format!("{choose} --per-point p.csv")).output().unwrap();
    let noted = String::from_utf8(output.stderr).unwrap();
    assert!(noted.contains("tsne_stability of --per-point is empty: no setting is preferred"), "{noted}");
    let rows = String::from_utf8(folder.read("p.csv")).unwrap();
    assert_eq!(rows.lines().take(2).collect::<Vec<_>>(), ["row,tsne_stability", "0,"]);
}

#[test]
fn what_cannot_be_chosen_is_refused() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 60 --output x.npy");
    let of = |rest: &str| format!("choose --input x.npy {rest}");
    folder.refuses(&of("--methods pca"), 2, &["neither k nor perplexity"]);
    let unused =
        ["--perplexity is not used", "compared are k of isomap and k of umap", "leave --perplexity out"];
    folder.refuses(&of("--methods isomap,umap --perplexity 5"), 2, &unused);
    folder.refuses(&of("--methods tsne --k 5"), 2, &["--k is not used", "perplexity of tsne"]);
    folder.refuses(
        &of("--methods isomap --set isomap.radius=2"),
        2,
        &["isomap a radius", "leave the radius out"],
    );
    folder.refuses(&of("--methods isomap --k 5,5"), 2, &["--k", "5 twice"]);
    folder.refuses(&of("--methods isomap --set isomap.k=5"), 2, &["--k"]);
    folder.refuses(&of("--methods isomap --set lle.reg=1"), 2, &["lle", "not among the methods"]);
    folder.refuses(&of("--methods isomap --draws 1"), 2, &["--draws"]);
    folder.refuses(&of("--methods isomap --per-point p.npy"), 2, &["--per-point p.npy", ".csv or .tsv"]);
    // A setting that cannot be fitted is no candidate.
    let told = folder.compare(&of("--methods isomap --k 6,70 --draws 2"));
    assert!(told.contains("k = 70: not fitted"), "{told}");
}
