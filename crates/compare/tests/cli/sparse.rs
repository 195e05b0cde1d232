//! Sparse matrices as input.

use crate::place::Place;

/// 120 rows of 30 columns, three entries each, in a circle.
fn place() -> Place {
    let part = |i: usize| (i % 4) as f64 / 4.0;
    filled(|i, step| ((i / 4 + step) % 30, [1.0 - part(i), 1.0 + 0.3 * part(i), part(i) + 0.05][step]))
}

/// 120 rows of 30 columns with three entries each: columns and values.
fn filled(entry: impl Fn(usize, usize) -> (usize, f64)) -> Place {
    let place = Place::new();
    let mut mtx = "%%MatrixMarket matrix coordinate real general\n120 30 360\n".to_owned();
    let mut rows = vec![vec![0.0; 30]; 120];
    for (i, step) in (0..120).flat_map(|i| (0..3).map(move |step| (i, step))) {
        let (column, value) = entry(i, step);
        mtx += &format!("{} {} {value}\n", i + 1, column + 1);
        rows[i][column] = value;
    }
    let text = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n";
    place.file("x.mtx", mtx).file("x.csv", rows.iter().map(text).collect::<String>());
    place
}

#[test]
fn neighbors_of_a_sparse_matrix_are_those_of_its_rows() {
    let place = place();
    for metric in ["euclidean", "cosine", "manhattan", "chebyshev"] {
        for input in ["x.mtx", "x.csv"] {
            place.compare(&format!(
                "neighbors --input {input} --k 7 --metric {metric} --output {input}.npy --distances {input}.csv"
            ));
        }
        assert_eq!(place.read("x.mtx.npy"), place.read("x.csv.npy"), "{metric}");
        assert_eq!(place.read("x.mtx.csv"), place.read("x.csv.csv"), "{metric}");
    }
    let notes = |line: &str| {
        let output = place.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let search = "neighbors --input x.mtx --k 7 --output i.npy --metric";
    assert!(notes(&format!("{search} cosine")).contains("120 × 30, of which 360 values are not 0"));
    assert!(notes(&format!("{search} chebyshev")).contains("is read with its zeros"));
}

/// Methods on neighbor lists read the matrix without its zeros, all others and saved models with
/// them; the maps of a graph are the same.
#[test]
fn a_sparse_matrix_is_embedded_with_the_zeros_that_a_method_needs() {
    let place = place();
    let embed = |line: &str| {
        let output = place.command(&format!("embed {line}")).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let isomap = "--method isomap --k 6 --metric cosine";
    let said = embed(&format!("{isomap} --input x.mtx --output a.npy --report a.json"));
    assert!(said.contains("are read without the zeros"), "{said}");
    embed(&format!("{isomap} --input x.csv --output b.npy"));
    assert_eq!(place.read("a.npy"), place.read("b.npy"));
    assert_eq!((&place.json("a.json")["n"], &place.json("a.json")["D"]), (&120.into(), &30.into()));
    let said = embed("--method isomap --k 6 --input x.mtx --output c.npy --report c.json");
    assert!(said.contains("shortcut edges are not counted"), "{said}");
    for other in ["--method pca", "--method lle --k 6", "--method isomap --k 6 --save m.bin"] {
        let said = embed(&format!("{other} --input x.mtx --output c.npy"));
        assert!(said.contains("is read with its zeros"), "{other}: {said}");
    }
    place.compare("transform --model m.bin --input x.csv --output d.npy");
    let labels: String = (0..120).map(|i| format!("{}\n", i / 40)).collect();
    place.file("y.csv", labels);
    embed("--method umap --k 6 --input x.mtx --labels y.csv --output e.npy --set target-weight=0.5");
    // A header is known by the number of rows, beside a sparse matrix, too.
    let words: String = (0..120).map(|i| format!("{}\n", ["a", "b", "c"][i / 40])).collect();
    place.file("words.csv", format!("kind\n{words}"));
    embed("--method umap --k 6 --input x.mtx --labels words.csv --output w.npy --set target-weight=0.5");
    assert_eq!(place.read("w.npy"), place.read("e.npy"));
    place.file("short.csv", &words[2..]);
    place.refuses(
        "embed --method umap --k 6 --input x.mtx --labels short.csv --output f.npy",
        1,
        &["short.csv", "each of the 120 rows, but there are 119"],
    );
    place.refuses(
        "--memory-limit 20kB embed --method pca --input x.mtx --output f.npy",
        1,
        &["gaps", "28.8 kB"],
    );
    let broken = "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n";
    place.file("z.mtx", broken);
    place.refuses("embed --method isomap --k 1 --input z.mtx --output f.npy", 1, &["z.mtx", "line 3"]);
}

/// A start is computed from the coordinates, whether or not another output needs them, too: the
/// principal components of t-SNE, and the places of many components of a graph of UMAP.
#[test]
fn a_map_does_not_depend_on_what_else_is_written() {
    let apart =
        |i: usize, step: usize| (5 * (i / 20) + step, 1.0 + (((i + 1) * (step + 2)) % 7) as f64 / 5.0);
    for (place, method, said) in [
        (place(), "tsne --set iterations=50", "is read with its zeros"),
        (place(), "tsne --set iterations=50 --set start=random", "are read without the zeros"),
        (place(), "umap --k 6 --set epochs=50", "are read without the zeros"),
        (place(), "umap --k 6 --set epochs=50 --set start=pca", "is read with its zeros"),
        (filled(apart), "umap --k 6 --set epochs=50", "the fit is repeated with the zeros"),
        (filled(apart), "umap --k 6 --set epochs=50 --set start=random", "are read without the zeros"),
        (place(), "umap --k 6 --set epochs=50 --metric correlation", "are read without the zeros"),
        (place(), "tsne --set iterations=50 --metric correlation", "is read with its zeros"),
    ] {
        let embed = |outputs: &str| {
            let line = format!("embed --input x.mtx --method {method} {outputs}");
            let output = place.command(&line).assert().success().get_output().clone();
            String::from_utf8(output.stderr).unwrap()
        };
        let notes = embed("--output alone.npy");
        assert!(notes.contains(said), "{method}: {notes}");
        embed("--output saved.npy --save m.bin");
        embed("--output drawn.npy --plot map.svg");
        for other in ["saved.npy", "drawn.npy"] {
            assert!(place.read("alone.npy") == place.read(other), "{method}: {other} differs");
        }
    }
    place().refuses(
        "--memory-limit 20kB embed --method tsne --input x.mtx --output f.npy",
        1,
        &["28.8 kB", "--set start=random"],
    );
}
