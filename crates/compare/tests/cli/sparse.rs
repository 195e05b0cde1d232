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
    assert_eq!(place.json("a.json")["n"], 120);
    for other in ["--method pca", "--method lle --k 6", "--method isomap --k 6 --save m.bin"] {
        let said = embed(&format!("{other} --input x.mtx --output c.npy"));
        assert!(said.contains("is read with its zeros"), "{other}: {said}");
    }
    place.compare("transform --model m.bin --input x.csv --output d.npy");
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
