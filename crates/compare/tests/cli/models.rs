//! Models are saved, loaded, and place new points.

use crate::place::Place;

/// A saved model places points as the one that was saved, and for projections
/// and Nyström's formula the training rows lie where they lay.
#[test]
fn training_rows_return_through_a_file() {
    let place = Place::new();
    place.compare("dataset swiss-roll --n 150 --output x.npy");
    place.compare("dataset swiss-roll --n 20 --seed 7 --output new.npy");
    for method in compare::methods::LIST.iter().filter(|method| !method.supervised()) {
        let name = method.name();
        place.compare(&format!("embed --method {name} --input x.npy --output y.npy --save {name}.model"));
        if method.places_new_points().is_none() {
            place.refuses(
                &format!("transform --model {name}.model --input new.npy --output z.npy"),
                1,
                &["cannot place"],
            );
            continue;
        }
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
