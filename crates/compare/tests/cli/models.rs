//! Models are saved, loaded, and place new points.

use embedding::DataKind;

use crate::temp_folder::TempFolder;

/// A saved model places points as the one that was saved, and for projections
/// and Nyström's formula the training rows lie where they lay.
#[test]
fn training_rows_return_through_a_file() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 150 --output x.npy");
    folder.compare("dataset swiss-roll --n 20 --seed 7 --output new.npy");
    for about in swissroll::methods().map(|method| *method.about()).filter(|about| !about.needs_labels) {
        let name = about.name;
        folder.compare(&format!("embed --method {name} --input x.npy --output y.npy --save {name}.model"));
        folder.compare(&format!("transform --model {name}.model --input new.npy --output first.npy"));
        folder.compare(&format!(
            "--threads 1 transform --model {name}.model --input new.npy --output again.npy"
        ));
        assert_eq!(folder.read("first.npy"), folder.read("again.npy"), "{name}");
        let projected = !about.accepts.contains(&DataKind::Distances);
        if projected || ["laplacian-eigenmaps", "diffusion-maps"].contains(&name) {
            folder.compare(&format!("transform --model {name}.model --input x.npy --output y2.npy"));
            assert_eq!(folder.read("y.npy"), folder.read("y2.npy"), "{name}");
        }
    }
}

/// The place of a row that equals a training row is stored, or where the extension puts it.
#[test]
fn exact_matches_are_stored_or_extended() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 120 --output x.npy");
    for (name, interpolates) in [("pca", true), ("smacof", false), ("laplacian-eigenmaps", false)] {
        folder.compare(&format!("embed --method {name} --input x.npy --output y.npy --save m"));
        folder.compare("transform --model m --input x.npy --output stored.npy");
        folder.compare("transform --model m --input x.npy --output extended.npy --exact-matches extended");
        assert_eq!(folder.read("y.npy"), folder.read("stored.npy"), "{name}");
        assert_eq!(folder.read("y.npy") == folder.read("extended.npy"), interpolates, "{name}");
    }
    let wrong = "transform --model m --input x.npy --output z.npy --exact-matches elsewhere";
    folder.refuses(wrong, 2, &["stored", "extended"]);
}

/// Classical scaling of given distances keeps them, and their rows lead back.
#[test]
fn given_distances_are_scaled_and_saved() {
    let folder = TempFolder::new();
    folder.file("d.csv", "0,3,5\n3,0,4\n5,4,0\n");
    let embed = "embed --method classical-mds --set given=distances --set precision=double --input";
    folder.compare(&format!("{embed} d.csv --output y.csv --save d.model --report r.json"));
    let rows: Vec<Vec<f64>> = String::from_utf8(folder.read("y.csv"))
        .expect("text")
        .lines()
        .filter_map(|line| line.split(',').map(|word| word.parse().ok()).collect())
        .collect();
    let distance = |i: usize, j: usize| (rows[i][0] - rows[j][0]).hypot(rows[i][1] - rows[j][1]);
    for (i, j, expected) in [(0, 1, 3.0), (1, 2, 4.0), (0, 2, 5.0)] {
        assert!((distance(i, j) - expected).abs() < 1e-12, "{i}, {j}: {}", distance(i, j));
    }
    let stages = folder.json("r.json")["stages"].clone();
    let names: Vec<&str> =
        stages.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["distances", "eigenvectors"]);
    folder.compare("transform --model d.model --input d.csv --output again.csv");
    folder.file("flat.csv", "0,3\n3,0\n1,1\n").file("crooked.csv", "0,3\n2,0\n");
    folder.refuses(&format!("{embed} flat.csv --output z.csv"), 1, &["square"]);
    folder.refuses(&format!("{embed} crooked.csv --output z.csv"), 1, &["symmetric"]);
}

/// Every method that reads distances embeds a matrix of them, and places new rows of
/// distances by the saved model; neighbor lists alone are refused with what is missing.
#[test]
fn distances_are_embedded_by_every_method_that_reads_them() {
    let folder = TempFolder::new();
    // A half cylinder, and the distances of its points.
    let point = |i: i32| {
        let (t, v) = (f64::from(i % 9) * 0.35, f64::from(i / 9) * 0.4);
        [t.cos(), t.sin(), v + 0.01 * (7.0 * t).sin()]
    };
    let distance = |i: i32, j: i32| {
        let (a, b) = (point(i), point(j));
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    let table = |rows: std::ops::Range<i32>| -> String {
        let row = |i| (0..72).map(|j| distance(i, j).to_string()).collect::<Vec<_>>().join(",");
        rows.map(|i| row(i) + "\n").collect()
    };
    let lists: String = (0..72)
        .flat_map(|i| [1, 2, 9, 18].map(|step| (i, (i + step) % 72)))
        .map(|(i, j)| format!("{i},{j},{}\n", distance(i, j)))
        .collect();
    folder.file("d.csv", table(0..72)).file("new.csv", table(75..80)).file("lists.csv", lists);
    let mut read = 0;
    for about in swissroll::methods().map(|method| *method.about()) {
        let name = about.name;
        let embed = format!("embed --method {name} --set given=");
        if about.accepts.contains(&DataKind::Distances) {
            folder
                .compare(&format!("{embed}distances --k 8 --input d.csv --output y.csv --save {name}.model"));
            folder.compare(&format!("transform --model {name}.model --input new.csv --output z.csv"));
            let rows = |file| String::from_utf8(folder.read(file)).expect("text").lines().count();
            assert_eq!((rows("y.csv"), rows("z.csv")), (72, 5), "{name}");
            read += 1;
            if !about.accepts.contains(&DataKind::Neighbors) {
                let missing = ["distances that neighbor lists alone do not hold", "give the points"];
                folder.refuses(&format!("{embed}neighbors --input lists.csv --output n.csv"), 1, &missing);
            }
        } else if !about.needs_labels {
            let missing = ["must be points", "distances"];
            folder.refuses(&format!("{embed}distances --input d.csv --output n.csv"), 1, &missing);
        }
    }
    assert_eq!(read, 24);
}

/// Models of neighbor lists place new rows of new point, training point and distance as the models of the points
/// place the points.
#[test]
fn new_rows_are_placed_by_neighbor_lists() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 90 --output x.csv");
    folder.compare("dataset swiss-roll --n 8 --seed 3 --output n.csv");
    let rows = |name: &str| -> Vec<Vec<f64>> {
        let text = String::from_utf8(folder.read(name)).expect("text");
        let numbers = |line: &str| line.split(',').map(|v| v.parse().expect("a number")).collect();
        text.lines().map(numbers).collect()
    };
    let (points, new) = (rows("x.csv"), rows("n.csv"));
    let lists = |from: &[Vec<f64>], k: usize, skip: usize| -> String {
        let near = |(i, row): (usize, &Vec<f64>)| {
            let distance =
                |to: &Vec<f64>| row.iter().zip(to).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            let mut all: Vec<(f64, usize)> = points.iter().map(distance).zip(0..).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            all[skip..skip + k].iter().map(|(d, j)| format!("{i},{j},{d:e}\n")).collect::<String>()
        };
        from.iter().enumerate().map(near).collect()
    };
    folder.file("lists.csv", lists(&points, 8, 1)).file("near.csv", lists(&new, 12, 0));
    for method in ["isomap", "umap"] {
        let embed = format!("embed --method {method} --k 8 --output y.csv --save");
        folder.compare(&format!("{embed} l.model --input lists.csv --set given=neighbors"));
        folder.compare("transform --model l.model --input near.csv --output l.csv");
        folder.compare(&format!("{embed} p.model --input x.csv"));
        folder.compare("transform --model p.model --input n.csv --output p.csv");
        let (by_lists, by_points) = (rows("l.csv"), rows("p.csv"));
        assert_eq!((by_lists.len(), by_points.len()), (8, 8), "{method}");
        for (a, b) in by_lists.iter().flatten().zip(by_points.iter().flatten()) {
            assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{method}: {a} and {b}");
        }
    }
    let transform = "transform --model l.model --output z.csv --input";
    folder.refuses(&format!("{transform} n.csv"), 1, &["n.csv", "index of a point", "whole number"]);
    folder.file("far.csv", "0,90,1.5\n").file("gap.csv", "0,1,1.5\n2,1,1\n");
    folder.refuses(&format!("{transform} far.csv"), 1, &["far.csv", "0 to 89", "90"]);
    folder.refuses(&format!("{transform} gap.csv"), 1, &["gap.csv", "new point 1"]);
    folder.refuses(&format!("{transform} near.csv --with a"), 2, &["--with"]);
    assert!(!folder.path("z.csv").exists());
}

#[test]
fn models_that_are_foreign_cut_short_or_altered_are_refused() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 100 --output x.npy");
    folder.compare("embed --method pca --input x.npy --output y.npy --save pca.model");
    let model = folder.read("pca.model");
    let mut altered = model.clone();
    let last = altered.len() - 1;
    altered[last] ^= 1;
    folder
        .file("short", &model[..model.len() / 2])
        .file("altered", altered)
        .file("foreign", "hello")
        .file("empty", "");
    for name in ["short", "altered", "foreign", "empty", "absent"] {
        folder.refuses(&format!("transform --model {name} --input x.npy --output z.npy"), 1, &[name]);
    }
    folder.file("flat.csv", "1,2\n3,4\n");
    folder.refuses("transform --model pca.model --input flat.csv --output z.npy", 1, &["columns", "3", "2"]);
}

#[test]
fn a_fit_to_a_sample_places_all_rows_and_measures_the_error_of_that() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 2600 --output roll.csv --truth truth.csv");
    let run = "embed --method ltsa --k 10 --input roll.csv --fit-on 2000 --seed 3 --output map.csv --report fit.json --save model.bin";
    let said = String::from_utf8(folder.command(run).assert().success().get_output().stderr.clone()).unwrap();
    assert!(said.contains("fitted to 2000 of 2600 rows; the model places the others"), "{said}");
    assert!(!said.contains("--seed is not used"), "{said}");
    let report = folder.json("fit.json");
    assert_eq!(report["n"], 2000);
    let error = report["facts"]["extension_error"].as_f64().unwrap();
    let common = report["facts"]["extension_common_rows"].as_f64().unwrap();
    assert!((1e-6..0.05).contains(&error) && error < 2.0 * common, "{error}, {common}");
    // The saved model is the sample's, and places every row where the map has it.
    folder.compare("transform --model model.bin --input roll.csv --output again.csv");
    assert_eq!(folder.read("map.csv"), folder.read("again.csv"));
    // The map is as good as the map of all rows.
    let measured = folder.compare("measure --input roll.csv --embedding map.csv --truth truth.csv");
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    assert!(measured["affine"].as_f64().unwrap() < 1e-3, "{measured}");
    let again = run.replace("map.csv", "map2.csv");
    folder.compare(&again);
    assert_eq!(folder.read("map.csv"), folder.read("map2.csv"));
    folder.refuses(
        "embed --method ltsa --input roll.csv --fit-on 2601 --output m.csv",
        1,
        &["from 1 to 2600", "2601"],
    );
}

/// UMAP's extension does not interpolate, LLE's does; a model of distances places no points.
#[test]
fn a_saved_model_says_how_far_from_their_places_training_rows_are_placed() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 300 --output x.npy");
    let facts = |command: &str| -> serde_json::Value {
        folder.compare(&format!("embed --input x.npy --output y.npy --report r.json {command}"));
        serde_json::from_slice(&folder.read("r.json")).unwrap()
    };
    let umap = facts("--method umap --set epochs=50 --save m.bin");
    let [median, largest] =
        ["median", "largest"].map(|of| umap["facts"][format!("extension_gap_{of}")].as_f64().unwrap());
    assert!(0.0 < median && median < largest && largest < 1.0, "{median} {largest}");
    assert!(umap["notes"].to_string().contains("50 rows were placed again as if they were new"));
    let lle = facts("--method lle --save m.bin");
    assert!(lle["facts"]["extension_gap_largest"].as_f64().unwrap() < 1e-9);
    let unsaved = facts("--method lle");
    assert!(unsaved["facts"].get("extension_gap_largest").is_none());
}

/// In parts of the radius, whatever the units.
#[test]
fn how_far_training_rows_are_placed_does_not_depend_on_units() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 120 --output near.csv");
    let rows = String::from_utf8(folder.read("near.csv")).unwrap();
    // A header, if there is one, stays.
    let times =
        |cell: &str| cell.parse::<f64>().map_or(cell.to_owned(), |v| format!("{:e}", v * 2f64.powi(900)));
    let far: Vec<String> =
        rows.lines().map(|row| row.split(',').map(times).collect::<Vec<_>>().join(",")).collect();
    folder.file("far.csv", far.join("\n"));
    let [near, far] = ["near", "far"].map(|name| {
        folder.compare(&format!(
            "embed --method smacof --input {name}.csv --output y.csv --save m.bin --report r.json"
        ));
        folder.json("r.json")["facts"]["extension_gap_largest"].as_f64().unwrap()
    });
    assert!(near > 1e-6 && (far / near - 1.0).abs() < 1e-6, "{near} {far}");
}

/// A component policy leaves some of the sample out of the map.
#[test]
fn a_sample_of_which_some_rows_are_placed_is_compared_by_these() {
    let folder = TempFolder::new();
    let cluster = |from: u32, to: u32, shift: f64| {
        (from..to).map(move |i| format!("{},{}\n", shift + f64::from(i * i % 37), f64::from(i * 7 % 31)))
    };
    folder.file("x.csv", cluster(0, 120, 0.0).chain(cluster(120, 160, 1e4)).collect::<String>());
    folder.compare(
        "embed --method isomap --k 6 --components largest --input x.csv --fit-on 100 --output y.csv --report r.json",
    );
    let facts = &folder.json("r.json")["facts"];
    assert!(facts["rows"].as_array().unwrap().len() < 100, "{facts}");
    let error = |name: &str| facts[name].as_f64().unwrap();
    assert!((0.0..1.0).contains(&error("extension_error")), "{facts}");
    assert!((0.0..1.0).contains(&error("extension_common_rows")), "{facts}");
}
