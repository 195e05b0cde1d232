//! Sparse matrices as input.

use crate::temp_folder::TempFolder;

/// 120 rows of 30 columns, three entries each, in a circle.
fn prepared() -> TempFolder {
    let part = |i: usize| (i % 4) as f64 / 4.0;
    filled(|i, step| ((i / 4 + step) % 30, [1.0 - part(i), 1.0 + 0.3 * part(i), part(i) + 0.05][step]))
}

/// 120 rows of 30 columns with three entries each: columns and values.
fn filled(entry: impl Fn(usize, usize) -> (usize, f64)) -> TempFolder {
    let folder = TempFolder::new();
    let mut mtx = "%%MatrixMarket matrix coordinate real general\n120 30 360\n".to_owned();
    let mut rows = vec![vec![0.0; 30]; 120];
    for (i, step) in (0..120).flat_map(|i| (0..3).map(move |step| (i, step))) {
        let (column, value) = entry(i, step);
        mtx += &format!("{} {} {value}\n", i + 1, column + 1);
        rows[i][column] = value;
    }
    let text = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n";
    folder.file("x.mtx", mtx).file("x.csv", rows.iter().map(text).collect::<String>());
    folder
}

#[test]
fn neighbors_of_a_sparse_matrix_are_those_of_its_rows() {
    let folder = prepared();
    for metric in ["euclidean", "cosine", "manhattan", "chebyshev"] {
        for input in ["x.mtx", "x.csv"] {
            folder.compare(&format!(
                "neighbors --input {input} --k 7 --metric {metric} --output {input}.npy --distances {input}.csv"
            ));
        }
        assert_eq!(folder.read("x.mtx.npy"), folder.read("x.csv.npy"), "{metric}");
        assert_eq!(folder.read("x.mtx.csv"), folder.read("x.csv.csv"), "{metric}");
    }
    let notes = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let search = "neighbors --input x.mtx --k 7 --output i.npy --metric";
    assert!(notes(&format!("{search} cosine")).contains("120 × 30 values, 360 of them not 0"));
    assert!(notes(&format!("{search} chebyshev")).contains("is read with its zeros"));
}

/// Methods on neighbor lists read the matrix without its zeros, all others with them; the maps of
/// a graph are the same.
#[test]
fn a_sparse_matrix_is_embedded_with_the_zeros_that_a_method_needs() {
    let folder = prepared();
    let embed = |line: &str| {
        let output = folder.command(&format!("embed {line}")).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let isomap = "--method isomap --k 6 --metric cosine";
    let said = embed(&format!("{isomap} --input x.mtx --output a.npy --report a.json"));
    assert!(said.contains("are read without the zeros"), "{said}");
    embed(&format!("{isomap} --input x.csv --output b.npy"));
    assert_eq!(folder.read("a.npy"), folder.read("b.npy"));
    assert_eq!((&folder.json("a.json")["n"], &folder.json("a.json")["D"]), (&120.into(), &30.into()));
    let said = embed("--method isomap --k 6 --input x.mtx --output c.npy --report c.json");
    assert!(said.contains("shortcut edges are not counted"), "{said}");
    let said = embed("--method lle --k 6 --input x.mtx --output c.npy");
    assert!(said.contains("is read with its zeros"), "{said}");
    // Principal components of the entries, and of all values.
    let said = embed("--method pca --input x.mtx --output p.csv --save p.bin --report p.json");
    assert!(said.contains("are read without the zeros") && !said.contains("shortcut"), "{said}");
    embed("--method pca --input x.csv --output q.csv");
    let numbers = |name: &str| -> Vec<f64> {
        let text = String::from_utf8(folder.read(name)).unwrap();
        text.split([',', '\n']).filter_map(|number| number.parse().ok()).collect()
    };
    let close = |a: &str, b: &str| {
        let (a, b) = (numbers(a), numbers(b));
        a.len() == 240 && a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-8)
    };
    assert!(close("p.csv", "q.csv"));
    folder.compare("transform --model p.bin --input x.mtx --output t.csv");
    assert!(close("p.csv", "t.csv"));
    let labels: String = (0..120).map(|i| format!("{}\n", i / 40)).collect();
    folder.file("y.csv", labels);
    embed("--method umap --k 6 --input x.mtx --labels y.csv --output e.npy --set target-weight=0.5");
    // The number of rows reveals a header, also with a sparse matrix.
    let words: String = (0..120).map(|i| format!("{}\n", ["a", "b", "c"][i / 40])).collect();
    folder.file("words.csv", format!("kind\n{words}"));
    embed("--method umap --k 6 --input x.mtx --labels words.csv --output w.npy --set target-weight=0.5");
    assert_eq!(folder.read("w.npy"), folder.read("e.npy"));
    folder.file("short.csv", &words[2..]);
    folder.refuses(
        "embed --method umap --k 6 --input x.mtx --labels short.csv --output f.npy",
        1,
        &["short.csv", "each of the 120 rows, but there are 119"],
    );
    folder.refuses(
        "--memory-limit 20kB embed --method lle --input x.mtx --output f.npy",
        1,
        &["gaps", "28.8 kB"],
    );
    let broken = "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n";
    folder.file("z.mtx", broken);
    folder.refuses("embed --method isomap --k 1 --input z.mtx --output f.npy", 1, &["z.mtx", "line 3"]);
}

/// An approximate search reads no zeros, of `neighbors`, for a method on lists, and in a method that searches
/// itself.
#[test]
fn a_sparse_matrix_is_searched_approximately_without_its_zeros() {
    let folder = TempFolder::new();
    let mut mtx = "%%MatrixMarket matrix coordinate real general\n5000 900 25000\n".to_owned();
    for (i, e) in (0..5000).flat_map(|i| (0..5).map(move |e| (i, e))) {
        // Five different ones of the eight columns that twenty rows share.
        let column = (37 * (i / 20) + 11 * ((i + 3 * e) % 8)) % 900;
        mtx += &format!("{} {} {}\n", i + 1, column + 1, 1.0 + 0.1 * (i * (e + 3) % 17) as f64);
    }
    folder.file("x.mtx", mtx);
    let said = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("without the zeros") || said.contains("of them not 0"), "{said}");
        assert!(!said.contains("with its zeros"), "{said}");
        said
    };
    let search = "neighbors --input x.mtx --metric cosine --k 8 --output i.npy";
    let note = said(&format!("{search} --neighbor-recall 0.7 --report r.json"));
    let report = folder.json("r.json");
    assert_eq!(report["found_by"], "Approximate");
    let recall = report["recall"].as_f64().unwrap();
    assert!((0.7..1.0).contains(&recall), "{recall}");
    assert!(note.contains("% of the 8 nearest neighbors are right; measured on 256 points"), "{note}");
    let embed = "embed --input x.mtx --metric cosine --neighbor-recall 0.7 --output y.npy --report y.json";
    said(&format!("{embed} --method umap --k 8 --set epochs=2"));
    let notes = folder.json("y.json")["notes"].to_string();
    assert!(notes.contains("% of the 8 nearest neighbors are right"), "{notes}");
    said(&format!(
        "{embed} --method pacmap --k 8 --set first-iterations=1 --set second-iterations=1 --set third-iterations=1"
    ));
    let found = folder.json("y.json")["facts"]["neighbor_recall"].as_f64().unwrap();
    assert!((0.7..=1.0).contains(&found), "{found}");
}

/// A picture needs the map and the classes: the zeros are not read for it.
#[test]
fn a_map_of_a_sparse_matrix_is_drawn_without_the_zeros() {
    let folder = prepared();
    let classes: String = (0..120).map(|i| format!("{}\n", if i < 60 { "left" } else { "right" })).collect();
    folder.file("classes.csv", classes);
    let line = "embed --input x.mtx --method umap --k 6 --set epochs=50 --output y.npy --plot y.svg --labels classes.csv";
    let output = folder.command(line).assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("are read without the zeros") && !said.contains("with its zeros"), "{said}");
    let drawn = String::from_utf8(folder.read("y.svg")).unwrap();
    assert!(drawn.contains(">left<") && drawn.contains(">right<"), "a legend of the classes");
    // A mark of a point is a line without length.
    assert!(drawn.matches("h0").count() >= 120, "a mark for each point");
    folder.compare("embed --input x.mtx --method umap --k 6 --set epochs=50 --output z.npy --plot z.svg");
    assert!(
        !String::from_utf8(folder.read("z.svg")).unwrap().contains("color:"),
        "one color without classes"
    );
}

/// Every measure of a map equals the measure of the rows with their zeros. For metrics and options that
/// need the zeros they are read, which a note reports.
#[test]
fn a_map_of_a_sparse_matrix_is_measured_without_the_zeros() {
    let folder = prepared();
    let angle = |i: usize| i as f64 / 120.0 * std::f64::consts::TAU;
    let map: String = (0..120).map(|i| format!("{},{}\n", angle(i).cos(), (1.1 * angle(i)).sin())).collect();
    let labels: String = (0..120).map(|i| format!("{}\n", ["a", "b", "other"][i / 5 % 3])).collect();
    folder.file("y.csv", map).file("labels.csv", labels);
    let measure = |input: &str, options: &str| {
        let line =
            format!("measure --input {input} --embedding y.csv --labels labels.csv --truth y.csv {options}");
        let output = folder.command(&line).assert().success().get_output().clone();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let without = "are read without the zeros";
    for (options, said) in [
        ("--metric euclidean", without),
        ("--metric cosine --unknown-label other", without),
        ("--metric manhattan", without),
        ("--metric hellinger", without),
        ("--metric chebyshev", "is read with its zeros"),
        ("--standardize", "is read with its zeros"),
    ] {
        let ((sparse, notes), (dense, _)) = (measure("x.mtx", options), measure("x.csv", options));
        assert_eq!(sparse, dense, "{options}");
        assert!(notes.contains(said), "{options}: {notes}");
        for measure in quality::measures() {
            assert!(sparse.contains(&format!("\"{}\": ", measure.name)), "{options}: {sparse}");
        }
    }
    folder.file("short.csv", "0,1\n");
    let line = "measure --input x.mtx --embedding";
    folder.refuses(&format!("{line} short.csv"), 1, &["120, one per row of the data", "1"]);
    // Ranks of 120 rows take 115.2 kB, geodesic distances 230.4 kB.
    for (limit, stage) in [("100kB", "ranking the distances"), ("200kB", "geodesic distances")] {
        folder.refuses(&format!("--memory-limit {limit} {line} y.csv"), 1, &[stage, "allow more memory"]);
    }
    folder.compare(&format!("--memory-limit 231kB {line} y.csv"));
}

/// A model of sparse points takes rows with their zeros or without, and a model of points too;
/// all place them alike.
#[test]
fn new_rows_of_a_sparse_matrix_are_placed() {
    let folder = prepared();
    folder.file("new.mtx", "%%MatrixMarket matrix coordinate real general\n2 30 3\n1 4 0.5\n1 5 1\n2 9 1\n");
    let row = |entries: &[(usize, f64)]| {
        let at = |c: usize| entries.iter().find(|e| e.0 == c).map_or(0.0, |e| e.1);
        (0..30).map(|c| at(c).to_string()).collect::<Vec<_>>().join(",") + "\n"
    };
    folder.file("new.csv", row(&[(3, 0.5), (4, 1.0)]) + &row(&[(8, 1.0)]));
    for method in ["isomap", "landmark-isomap", "laplacian-eigenmaps", "diffusion-maps", "umap"] {
        let options = format!("embed --method {method} --k 6 --metric cosine --output a.npy");
        folder.compare(&format!("{options} --input x.mtx --save sparse.bin"));
        folder.compare(&format!("{options} --input x.csv --save dense.bin"));
        let mut placed = Vec::new();
        for (model, new) in ["sparse", "dense"].iter().flat_map(|model| [(model, "mtx"), (model, "csv")]) {
            folder.compare(&format!("transform --model {model}.bin --input new.{new} --output b.npy"));
            placed.push(folder.read("b.npy"));
        }
        assert!(placed.iter().all(|other| *other == placed[0]), "{method}");
    }
    // New rows of distances in a sparse file are read with their zeros.
    let distances: String = (0..12)
        .flat_map(|i| (0..12).map(move |j| (i, j)))
        .filter(|(i, j)| i != j)
        .map(|(i, j): (usize, usize)| format!("{} {} {}\n", i + 1, j + 1, i.abs_diff(j)))
        .collect();
    folder.file("d.mtx", format!("%%MatrixMarket matrix coordinate real general\n12 12 132\n{distances}"));
    let row: String =
        (0..12).filter(|j| *j != 4).map(|j: usize| format!("1 {} {}\n", j + 1, j.abs_diff(4))).collect();
    folder.file("row.mtx", format!("%%MatrixMarket matrix coordinate real general\n1 12 11\n{row}"));
    folder.compare(
        "embed --method isomap --k 3 --set given=distances --dim 1 --input d.mtx --output a.npy --save d.bin",
    );
    folder.compare("transform --model d.bin --input row.mtx --output b.npy");
    let narrow = "%%MatrixMarket matrix coordinate real general\n1 4 1\n1 1 1\n";
    let zero = "%%MatrixMarket matrix coordinate real general\n2 30 1\n1 1 1\n";
    folder.file("narrow.mtx", narrow).file("zero.mtx", zero);
    let refused = |new: &str, words: &[&str]| {
        folder.refuses(&format!("transform --model sparse.bin --input {new} --output c.npy"), 1, words);
    };
    refused("narrow.mtx", &["30 as in the training data", "4"]);
    refused("zero.mtx", &["row 1 (counted from 0) is zero"]);
    let mut damaged = folder.read("sparse.bin");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    folder.file("damaged.bin", damaged);
    folder.refuses("transform --model damaged.bin --input new.mtx --output c.npy", 1, &["damaged.bin"]);
}

/// As of the same rows with all values.
#[test]
fn a_model_of_sparse_rows_says_how_far_from_their_places_it_puts_them() {
    let folder = prepared();
    for method in
        ["isomap", "laplacian-eigenmaps", "diffusion-maps", "umap --set start=random --set epochs=30"]
    {
        let [sparse, dense] = ["x.mtx", "x.csv"].map(|input| {
            let options = "--k 6 --metric cosine --output y.npy --save m.bin --report r.json";
            folder.compare(&format!("embed --method {method} --input {input} {options}"));
            let report = folder.json("r.json");
            assert!(
                report["notes"].to_string().contains("50 rows were placed again as if they were new"),
                "{report}"
            );
            ["median", "largest"].map(|of| report["facts"][format!("extension_gap_{of}")].as_f64().unwrap())
        });
        assert_eq!(sparse, dense, "{method}");
    }
}

/// Not even of a start that is computed from the coordinates: the principal components of t-SNE, and
/// the places of many components of a graph of UMAP.
#[test]
fn a_map_does_not_depend_on_what_else_is_written() {
    let apart =
        |i: usize, step: usize| (5 * (i / 20) + step, 1.0 + (((i + 1) * (step + 2)) % 7) as f64 / 5.0);
    for (folder, method) in [
        (prepared(), "tsne --set iterations=50"),
        (prepared(), "tsne --set iterations=50 --set start=random"),
        (prepared(), "umap --k 6 --set epochs=50"),
        (prepared(), "umap --k 6 --set epochs=50 --set start=pca"),
        (filled(apart), "umap --k 6 --set epochs=50"),
        (filled(apart), "umap --k 6 --set epochs=50 --set start=random"),
        (prepared(), "umap --k 6 --set epochs=50 --metric correlation"),
        (prepared(), "tsne --set iterations=50 --metric correlation"),
        (prepared(), "landmark-isomap --k 6 --set landmarks=30"),
    ] {
        let embed = |outputs: &str| {
            let line = format!("embed --input x.mtx --method {method} {outputs}");
            let output = folder.command(&line).assert().success().get_output().clone();
            String::from_utf8(output.stderr).unwrap()
        };
        let notes = embed("--output alone.npy");
        assert!(notes.contains("are read without the zeros"), "{method}: {notes}");
        assert!(!notes.contains("with its zeros"), "{method}: {notes}");
        embed("--output saved.npy --save m.bin");
        embed("--output drawn.npy --plot map.svg");
        for other in ["saved.npy", "drawn.npy"] {
            assert!(folder.read("alone.npy") == folder.read(other), "{method}: {other} differs");
        }
    }
}

/// What scikit-learn's `kneighbors_graph` makes and `scipy.sparse.save_npz` writes: the lists are
/// the lists of a search.
#[test]
fn a_graph_of_scikit_learn_is_given_as_neighbor_lists() {
    let folder = TempFolder::new();
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/tests/archive");
    for name in ["kneighbors.npz", "with-self.npz", "csr.npz"] {
        std::fs::copy(format!("{archive}/{name}"), folder.path(name)).unwrap();
    }
    let row = |i: usize| [((i * i) % 7) as f64 + 0.25 * i as f64, ((3 * i) % 5) as f64 - 0.1 * i as f64];
    let text = |i: usize| row(if i == 1 { 0 } else { i }).map(|v| v.to_string()).join(",") + "\n";
    folder.file("x.csv", (0..12).map(text).collect::<String>());
    let isomap = "embed --method isomap --k 3 --components largest --dim 1 --input";
    let given = "--set given=neighbors --output";
    let said = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    // A picture of lists, without known coordinates, and of distances.
    folder.file("classes.csv", "a\n".repeat(7) + &"b\n".repeat(5));
    said(&format!("{isomap} kneighbors.npz {given} a.csv --plot a.svg --labels classes.csv"));
    let apart = |i: usize| (0..12).map(|j| i.abs_diff(j).to_string()).collect::<Vec<_>>().join(",") + "\n";
    folder.file("d.csv", (0..12).map(apart).collect::<String>());
    said(&format!("{isomap} d.csv --set given=distances --output d.npy --plot d.svg --labels classes.csv"));
    for picture in ["a.svg", "d.svg"] {
        let drawn = String::from_utf8(folder.read(picture)).unwrap();
        assert!(drawn.contains(">a<") && drawn.contains(">b<"), "{picture}: a legend of the classes");
        assert!(drawn.matches("h0").count() >= 12, "{picture}: a mark for each point");
    }
    let note = said(&format!("{isomap} with-self.npz {given} b.csv"));
    assert!(note.contains("12 distances of points to themselves are left out"), "{note}");
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
    folder.refuses(&format!("{isomap} csr.npz {given} c.csv"), 1, &["csr.npz", "3, as of rows"]);
    folder.refuses(&format!("{isomap} kneighbors.npz --ignore 0 {given} c.csv"), 2, &["kneighbors.npz"]);
    folder.refuses(&format!("embed --method pca --input kneighbors.npz {given} c.csv"), 1, &["pca"]);
    let tsne = "embed --method tsne --input kneighbors.npz --set perplexity=5";
    let shortest = "perplexity must be at most 3, the length of the shortest neighbor list (more neighbors allow a larger one), but is 5";
    folder.refuses(&format!("{tsne} {given} c.csv"), 1, &[shortest]);
    folder.file("l.csv", "a\n".repeat(11));
    let umap = "embed --method umap --set target-weight=0.5 --input kneighbors.npz --k 3 --labels l.csv";
    folder.refuses(&format!("{umap} {given} c.csv"), 1, &["l.csv", "12 rows"]);
}

/// `nan.npz` was written by `scipy.sparse.save_npz` of SciPy 1.17, a matrix of 3 × 3 with NaN in row 1,
/// column 2.
#[test]
fn values_that_are_not_finite_are_named_by_file_and_place() {
    let folder = TempFolder::new();
    let nan = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/tests/archive/nan.npz");
    std::fs::copy(nan, folder.path("nan.npz")).unwrap();
    folder.file("nan.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 2\n2 3 nan\n3 1 1\n");
    for name in ["nan.npz", "nan.mtx"] {
        let parts = [name, "row 1, column 2", "NaN"];
        folder.refuses(&format!("neighbors --input {name} --k 1 --output i.npy"), 1, &parts);
        folder.refuses(&format!("embed --method pca --input {name} --output y.npy"), 1, &parts);
    }
}

/// Texts without a word of the vocabulary: row 5 of the matrix and row 40.
#[test]
fn rows_of_zeros_are_left_out_of_cosine_distances() {
    let folder = prepared();
    let text = String::from_utf8(folder.read("x.mtx")).unwrap();
    let empty = |line: &str| line.starts_with("6 ") || line.starts_with("41 ");
    let lines =
        text.lines().filter(|line| !empty(line)).map(|line| line.replace("120 30 360", "120 30 354") + "\n");
    folder.file("x.mtx", lines.collect::<String>());
    let labels: String = (0..120).map(|i| format!("{}\n", ["a", "b"][i / 60])).collect();
    folder.file("l.csv", labels);
    let embed = "embed --method umap --k 6 --set epochs=50 --input x.mtx --labels l.csv --metric cosine";
    let said = folder.refuses(&format!("{embed} --output y.npy"), 1, &["row 5 ", "--unrelated-rows drop"]);
    assert!(said.contains("no direction"), "{said}");
    let line = format!("{embed} --drop-zero-rows --output y.csv --report r.json --plot y.svg");
    let output = folder.command(&line).assert().success().get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("2 of 120 rows whose values are all 0 were left out: rows 5, 40"), "{said}");
    assert_eq!(folder.json("r.json")["left_out_rows"], serde_json::json!([5, 40]));
    assert_eq!(String::from_utf8(folder.read("y.csv")).unwrap().lines().count(), 119);
    let measure = "measure --input x.mtx --labels l.csv --metric cosine --drop-zero-rows --embedding y.csv";
    assert_eq!(serde_json::from_str::<serde_json::Value>(&folder.compare(measure)).unwrap()["n"], 118);
    // Places of all rows, also of the rows left out.
    let truth: String = (0..120).map(|i| format!("{i},{}\n", i % 9)).collect();
    folder.file("t.csv", truth);
    let of = |rest: &str| {
        serde_json::from_str::<serde_json::Value>(&folder.compare(&format!("{measure} {rest}"))).unwrap()
    };
    assert!(of("--truth t.csv")["procrustes"].is_number());
    // A label may be missing where the row is left out, and nowhere else.
    let lacking = |row: usize| {
        (0..120)
            .map(|i| if i == row { "NA\n".to_owned() } else { format!("{}\n", i % 2) })
            .collect::<String>()
    };
    folder.file("l5.csv", lacking(5)).file("l6.csv", lacking(6));
    folder.compare(&line.replace("l.csv", "l5.csv"));
    folder.refuses(&line.replace("l.csv", "l6.csv"), 1, &["l6.csv", "row 6"]);
    folder.refuses("run --datasets swiss-roll --drop-zero-rows --out o", 2, &["--input"]);
    folder.compare(
        "neighbors --input x.mtx --k 4 --metric cosine --drop-zero-rows --output i.npy --report n.json",
    );
    assert_eq!(folder.json("n.json")["left_out_rows"], serde_json::json!([5, 40]));
    folder.compare(
        "run --input x.mtx --labels l.csv --metric cosine --drop-zero-rows --methods isomap --k 6 --out o",
    );
    assert_eq!(folder.json("o/results.json")["datasets"][0]["n"], 118);
}
