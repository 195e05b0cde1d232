//! Sparse matrices whose zeros are too many.

use crate::temp_folder::TempFolder;

/// Rows of more than 100 million values, nearly all of them 0, are compared without the zeros by methods
/// that do not need them; a sample of fewer values with them, by all.
#[test]
fn a_run_of_a_wide_sparse_matrix_reads_the_zeros_that_it_must() {
    let folder = TempFolder::new();
    let mut mtx = "%%MatrixMarket matrix coordinate real general\n600 170000 1800\n".to_owned();
    for (i, step) in (0..600).flat_map(|i| (0..3).map(move |step| (i, step))) {
        let value = [1.3 - 0.01 * (i % 40) as f64, 1.0 + 0.02 * (i % 7) as f64, 0.8][step];
        mtx += &format!("{} {} {value}\n", i + 1, 5_600 * ((i / 20 + step) % 30) + 1);
    }
    let labels: String = (0..600).map(|i| format!("{}\n", i / 200)).collect();
    folder.file("x.mtx", mtx).file("y.csv", labels);
    let run = |line: &str| {
        let output =
            folder.command(&format!("run --input x.mtx {line}")).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let said = run("--labels y.csv --methods all --k 6 --components bridge --out o");
    assert!(said.contains("are read without the zeros") && said.contains("170,000 dimensions"), "{said}");
    let set = &folder.json("o/results.json")["datasets"][0];
    assert_eq!((&set["n"], &set["D"], &set["entries"]), (&600.into(), &170_000.into(), &1800.into()));
    assert!(
        set["notes"].as_str().unwrap().contains("its first 50 principal components (embeddings/x/data.npy)"),
        "{}",
        set["notes"]
    );
    let mut fitted = Vec::new();
    for row in set["methods"].as_array().unwrap() {
        let name = row["method"].as_str().unwrap();
        let sparse = swissroll::method(name).unwrap().accepts_sparse();
        assert_eq!(row["outcome"]["status"], if sparse { "done" } else { "skipped" }, "{row}");
        if !sparse {
            let reason = row["outcome"]["reason"].as_str().unwrap();
            assert!(reason.contains(&format!("--methods {name} reads them")), "{reason}");
        }
        fitted.extend(sparse.then(|| name.to_owned()));
        assert_eq!(row["scores"].as_array().unwrap().is_empty(), !sparse, "{row}");
    }
    for name in ["isomap", "umap", "pca"] {
        assert!(fitted.iter().any(|fitted| fitted == name), "{name}");
        let k = if name == "pca" { "" } else { "--k 6 --components bridge" };
        folder.compare(&format!("embed --input x.mtx --method {name} {k} --output e.npy"));
        assert_eq!(folder.read("e.npy"), folder.read(&format!("o/embeddings/x/{name}.npy")), "{name}");
    }
    assert!(folder.path("o/embeddings/x/data.npy").exists());
    // The page fits its methods to the file that it names.
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("embeddings/x/data.npy") && page.contains("of 170,000 dimensions"));

    let said = run("--methods laplacian-eigenmaps --k 6 --components bridge --neighbor-recall 0.9 --out a");
    assert!(said.contains("are read without the zeros"), "{said}");
    // Few rows are searched exactly.
    let recall = &folder.json("a/results.json")["datasets"][0]["graph"]["recall"];
    assert_eq!((&recall["exact"], &recall["measured"]), (&true.into(), &1.0.into()));

    let said = run("--n 12 --k 5 --components bridge --measure-k 3 --out s");
    assert!(said.contains("are read without the zeros"), "{said}");
    let set = &folder.json("s/results.json")["datasets"][0];
    assert!(set.get("entries").is_none() && set["D"] == 170_000, "{}", set["D"]);
    assert!(set["notes"].as_str().unwrap().contains("12 rows of the sample are read with their zeros"));
    let lle = set["methods"].as_array().unwrap().iter().find(|row| row["method"] == "lle").unwrap();
    assert_eq!(lle["outcome"]["status"], "done", "{lle}");
    // Without memory for principal components columns are shown.
    folder.compare("--memory-limit 20MB run --input x.mtx --methods tsne --set tsne.iterations=20 --out w");
    let notes = folder.json("w/results.json")["datasets"][0]["notes"].as_str().unwrap().to_owned();
    assert!(
        notes.contains("its 50 columns of largest variance (embeddings/x/data.npy), since principal"),
        "{notes}"
    );
    let drawn = String::from_utf8(folder.read("w/x.svg")).unwrap();
    assert!(drawn.contains("the first principal plane of 50 of 170,000 dimensions"));
    // So does the page of a sample.
    folder.compare("--memory-limit 400MB lab --input x.mtx --n 20 --out l.html");
    assert!(
        String::from_utf8(folder.read("l.html")).unwrap().contains("20 rows of the sample are read with")
    );
    // For a method given by name the zeros are read, unless the memory does not suffice.
    folder.refuses("--memory-limit 200MB run --input x.mtx --methods lle --out f", 1, &["x.mtx", "200.0 MB"]);
}
