//! Sparse matrices as input.

use crate::place::Place;

/// 120 rows of 30 columns, three entries each, in a circle.
fn place() -> Place {
    let place = Place::new();
    let column = |i: usize, step: usize| (i / 4 + step) % 30;
    let value = |i: usize, step: usize| {
        let part = (i % 4) as f64 / 4.0;
        [1.0 - part, 1.0 + 0.3 * part, part + 0.05][step]
    };
    let mut mtx = "%%MatrixMarket matrix coordinate real general\n120 30 360\n".to_owned();
    let mut rows = vec![vec![0.0; 30]; 120];
    for (i, step) in (0..120).flat_map(|i| (0..3).map(move |step| (i, step))) {
        mtx += &format!("{} {} {}\n", i + 1, column(i, step) + 1, value(i, step));
        rows[i][column(i, step)] = value(i, step);
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

/// Methods on neighbor lists read the matrix without its zeros, all others with them; the maps of
/// a graph are the same.
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
    assert_eq!(place.json("a.json")["n"], 120);
    for other in ["--method pca", "--method lle --k 6"] {
        let said = embed(&format!("{other} --input x.mtx --output c.npy"));
        assert!(said.contains("is read with its zeros"), "{other}: {said}");
    }
    let labels: String = (0..120).map(|i| format!("{}\n", i / 40)).collect();
    place.file("y.csv", labels);
    embed("--method umap --k 6 --input x.mtx --labels y.csv --output e.npy --set target-weight=0.5");
    place.refuses(
        "--memory-limit 20kB embed --method pca --input x.mtx --output f.npy",
        1,
        &["gaps", "28.8 kB"],
    );
    let broken = "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n";
    place.file("z.mtx", broken);
    place.refuses("embed --method isomap --k 1 --input z.mtx --output f.npy", 1, &["z.mtx", "line 3"]);
}

/// A model of sparse points takes rows with their zeros or without, and a model of points too;
/// all place them alike.
#[test]
fn new_rows_of_a_sparse_matrix_are_placed() {
    let place = place();
    place.file("new.mtx", "%%MatrixMarket matrix coordinate real general\n2 30 3\n1 4 0.5\n1 5 1\n2 9 1\n");
    let row = |entries: &[(usize, f64)]| {
        let at = |c: usize| entries.iter().find(|e| e.0 == c).map_or(0.0, |e| e.1);
        (0..30).map(|c| at(c).to_string()).collect::<Vec<_>>().join(",") + "\n"
    };
    place.file("new.csv", row(&[(3, 0.5), (4, 1.0)]) + &row(&[(8, 1.0)]));
    for method in ["isomap", "landmark-isomap", "laplacian-eigenmaps", "diffusion-maps", "umap"] {
        let options = format!("embed --method {method} --k 6 --metric cosine --output a.npy");
        place.compare(&format!("{options} --input x.mtx --save sparse.bin"));
        place.compare(&format!("{options} --input x.csv --save dense.bin"));
        let mut placed = Vec::new();
        // Landmarks are chosen by coordinates, where these are given.
        let models = if method == "landmark-isomap" { &["sparse"][..] } else { &["sparse", "dense"] };
        for (model, new) in models.iter().flat_map(|model| [(model, "mtx"), (model, "csv")]) {
            place.compare(&format!("transform --model {model}.bin --input new.{new} --output b.npy"));
            placed.push(place.read("b.npy"));
        }
        assert!(placed.iter().all(|other| *other == placed[0]), "{method}");
    }
    let narrow = "%%MatrixMarket matrix coordinate real general\n1 4 1\n1 1 1\n";
    let zero = "%%MatrixMarket matrix coordinate real general\n2 30 1\n1 1 1\n";
    place.file("narrow.mtx", narrow).file("zero.mtx", zero);
    let refused = |new: &str, words: &[&str]| {
        place.refuses(&format!("transform --model sparse.bin --input {new} --output c.npy"), 1, words);
    };
    refused("narrow.mtx", &["30 as in the training data", "4"]);
    refused("zero.mtx", &["row 1 (counted from 0) is zero"]);
    let mut damaged = place.read("sparse.bin");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    place.file("damaged.bin", damaged);
    place.refuses("transform --model damaged.bin --input new.mtx --output c.npy", 1, &["damaged.bin"]);
}
