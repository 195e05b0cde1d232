//! Models are saved, loaded, and place new points.

use crate::place::Place;

/// A saved model places points as the one that was saved, and for projections
/// and Nyström's formula the training rows lie where they lay.
#[test]
fn training_rows_return_through_a_file() {
    let place = Place::new();
    place.compare("dataset swiss-roll --n 150 --output x.npy");
    place.compare("dataset swiss-roll --n 20 --seed 7 --output new.npy");
    for about in swissroll::methods().map(|method| *method.about()).filter(|about| !about.needs_labels) {
        let name = about.name;
        place.compare(&format!("embed --method {name} --input x.npy --output y.npy --save {name}.model"));
        place.compare(&format!("transform --model {name}.model --input new.npy --output first.npy"));
        place.compare(&format!(
            "--threads 1 transform --model {name}.model --input new.npy --output again.npy"
        ));
        assert_eq!(place.read("first.npy"), place.read("again.npy"), "{name}");
        if ["pca", "random-projection", "laplacian-eigenmaps", "diffusion-maps"].contains(&name) {
            place.compare(&format!("transform --model {name}.model --input x.npy --output y2.npy"));
            assert_eq!(place.read("y.npy"), place.read("y2.npy"), "{name}");
        }
    }
}

/// Classical scaling of given distances keeps them, and their rows lead back.
#[test]
fn given_distances_are_scaled_and_saved() {
    let place = Place::new();
    place.file("d.csv", "0,3,5\n3,0,4\n5,4,0\n");
    let embed = "embed --method classical-mds --set given=distances --set precision=double --input";
    place.compare(&format!("{embed} d.csv --output y.csv --save d.model --report r.json"));
    let rows: Vec<Vec<f64>> = String::from_utf8(place.read("y.csv"))
        .expect("text")
        .lines()
        .filter_map(|line| line.split(',').map(|word| word.parse().ok()).collect())
        .collect();
    let distance = |i: usize, j: usize| (rows[i][0] - rows[j][0]).hypot(rows[i][1] - rows[j][1]);
    for (i, j, expected) in [(0, 1, 3.0), (1, 2, 4.0), (0, 2, 5.0)] {
        assert!((distance(i, j) - expected).abs() < 1e-12, "{i}, {j}: {}", distance(i, j));
    }
    let stages = place.json("r.json")["stages"].clone();
    let names: Vec<&str> =
        stages.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["distances", "eigenvectors"]);
    place.compare("transform --model d.model --input d.csv --output again.csv");
    place.file("flat.csv", "0,3\n3,0\n1,1\n").file("crooked.csv", "0,3\n2,0\n");
    place.refuses(&format!("{embed} flat.csv --output z.csv"), 1, &["square"]);
    place.refuses(&format!("{embed} crooked.csv --output z.csv"), 1, &["symmetric"]);
}

#[test]
fn models_that_are_foreign_cut_short_or_altered_are_refused() {
    let place = Place::new();
    place.compare("dataset swiss-roll --n 100 --output x.npy");
    place.compare("embed --method pca --input x.npy --output y.npy --save pca.model");
    let model = place.read("pca.model");
    let mut altered = model.clone();
    let last = altered.len() - 1;
    altered[last] ^= 1;
    place
        .file("short", &model[..model.len() / 2])
        .file("altered", altered)
        .file("foreign", "hello")
        .file("empty", "");
    for name in ["short", "altered", "foreign", "empty", "absent"] {
        place.refuses(&format!("transform --model {name} --input x.npy --output z.npy"), 1, &[name]);
    }
    place.file("flat.csv", "1,2\n3,4\n");
    place.refuses("transform --model pca.model --input flat.csv --output z.npy", 1, &["columns", "3", "2"]);
}
