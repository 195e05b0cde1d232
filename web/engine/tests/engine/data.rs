//! Data sets: generated, given, read and sampled.

use serde_json::{Value, json};
use swissroll_engine::message::Blocks;

use crate::client::Client;

#[test]
fn generated_data_is_that_of_the_catalog() {
    let mut client = Client::default();
    let request = json!({
        "type": "generate", "data": "a", "dataset": "two-swiss-rolls", "n": 50, "noise": 0.5, "seed": 9,
    });
    let answer = client.ask(&request);
    let options = datasets::Request { n: Some(50), noise: 0.5, seed: 9, ..datasets::Request::default() };
    let expected = datasets::load("two-swiss-rolls", &options).unwrap();
    assert_eq!(answer.reals("/points"), expected.points.view().values());
    assert_eq!(answer.reals("/truth"), expected.truth.as_ref().unwrap().view().values());
    assert_eq!((answer.at("/n"), answer.at("/columns")), (&json!(50), &json!(3)));
    assert_eq!((answer.at("/truth_columns"), answer.at("/geometry")), (&json!(2), &json!("isometric")));
    assert_eq!(answer.at("/truth_names"), &json!(expected.truth_names));
    assert_eq!(answer.indices("/labels/0/values"), expected.labels[0].values);
    assert_eq!(answer.at("/labels/0/classes"), &json!(expected.labels[0].classes));
    assert!(answer.at("/rows").is_null() && answer.at("/images").is_null());
}

#[test]
fn every_generator_makes_its_data() {
    let mut client = Client::default();
    for info in datasets::list().iter().filter(|info| info.largest_n.is_none()) {
        let answer = client.generate(info.name, 6);
        assert_eq!(answer.at("/n"), 6, "{}", info.name);
        assert_eq!(answer.at("/images").is_null(), info.default_scale.is_none(), "{}", info.name);
    }
}

fn blocks_of(values: &[f64]) -> (Blocks, Value) {
    let mut blocks = Blocks::default();
    let array = blocks.f64(values);
    (blocks, array)
}

#[test]
fn given_points_come_back_with_their_truth_and_labels() {
    let mut client = Client::default();
    let (mut blocks, points) = blocks_of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.5]);
    let truth = blocks.f32([0.5, 1.5, 2.5].into_iter());
    let values = blocks.u32(&[1, 0, 1]);
    let ages = blocks.f64(&[3.0, f64::NAN, 5.0]);
    let names = json!({ "name": "country", "values": ["Chad", "", "Mali"] });
    let request = json!({
        "type": "points", "data": "mine", "quantities": [{ "name": "age", "values": ages }], "row_names": names,
        "points": points, "columns": 2, "column_names": ["x", "y"], "title": "<script>",
        "truth": truth, "truth_columns": 1, "truth_names": ["height"],
        "labels": [{ "name": "kind", "classes": ["a", "b"], "values": values }],
    });
    let answer = client.ask_with(blocks, &request);
    assert_eq!(answer.reals("/points"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.5]);
    assert_eq!(answer.at("/column_names"), &json!(["x", "y"]));
    let sample = client.ask(&json!({ "type": "sample", "data": "part", "of": "mine", "n": 2, "seed": 0 }));
    assert_eq!(sample.at("/column_names"), &json!(["x", "y"]));
    assert_eq!(answer.reals("/truth"), [0.5, 1.5, 2.5]);
    assert_eq!(answer.indices("/labels/0/values"), [1, 0, 1]);
    assert_eq!((answer.at("/title"), answer.at("/geometry")), (&json!("<script>"), &json!("parameters")));
    let ages = answer.reals("/quantities/0/values");
    assert!(ages[0] == 3.0 && ages[1].is_nan() && ages[2] == 5.0, "{ages:?}");
    assert_eq!((answer.at("/quantities/0/name"), answer.at("/row_names")), (&json!("age"), &names));
}

#[test]
fn quantities_and_names_are_one_per_point() {
    let mut client = Client::default();
    for (values, names, expected) in [
        (&[1.0, 2.0][..], 3, "the numbers of a quantity"),
        (&[1.0, 2.0, f64::INFINITY], 3, "finite or NaN"),
        (&[1.0, 2.0, 3.0], 4, "the names of rows"),
    ] {
        let (mut blocks, points) = blocks_of(&[0.0, 1.0, 2.0]);
        let quantities = json!([{ "name": "age", "values": blocks.f64(values) }]);
        let names = json!({ "name": "country", "values": vec!["Chad"; names] });
        let request = json!({
            "type": "points", "data": "mine", "points": points, "columns": 1, "quantities": quantities, "row_names": names,
        });
        let said = client.call(blocks, &request).header;
        assert!(said["message"].as_str().is_some_and(|message| message.contains(expected)), "{said}");
    }
}

#[test]
fn a_class_that_stands_for_an_unknown_one_is_none_to_a_fit() {
    let mut client = Client::default();
    let mut give = |unknown: Value| {
        let (mut blocks, points) = blocks_of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.5, 1.0, 0.0, 2.5, 1.0, 7.0, 2.0]);
        let values = blocks.u32(&[0, 1, 2, 0, 1, 2]);
        let labels =
            json!([{ "name": "l", "classes": ["?", "a", "b"], "values": values, "unknown": unknown }]);
        let request =
            json!({ "type": "points", "data": "mine", "points": points, "columns": 2, "labels": labels });
        let given = client.call(blocks, &request).header;
        let fit = json!({ "type": "fit", "data": "mine", "method": "lda", "settings": { "dim": 1 } });
        (given, client.call(Blocks::default(), &fit).header)
    };
    let (known, fitted) = give(Value::Null);
    assert!(known["value"]["labels"][0]["unknown"].is_null() && fitted["type"] != "failed", "{fitted}");
    let (given, refused) = give(json!(0));
    assert_eq!(given["value"]["labels"][0]["unknown"], 0);
    assert!(refused["message"].as_str().unwrap().contains("2 of 6 are unknown"), "{refused}");
    assert_eq!(give(json!(3)).0["kind"], "parameter");
}

#[test]
fn given_points_may_have_pictures_of_their_own() {
    let mut client = Client::default();
    let mut give = |pixels: &[f64]| {
        let (mut blocks, points) = blocks_of(&[0.0, 1.0]);
        let images = json!({ "height": 1, "width": 2, "channels": 1, "white": 255.0 });
        let pixels = blocks.f64(pixels);
        let request = json!({
            "type": "points", "data": "mine", "points": points, "columns": 1, "images": images, "pixels": pixels,
        });
        client.call(blocks, &request)
    };
    assert_eq!(give(&[9.0, 8.0, 7.0, 6.0]).reals("/pixels"), [9.0, 8.0, 7.0, 6.0]);
    assert_eq!(give(&[9.0, 8.0]).header["kind"], "shape", "one picture for two points");
    assert_eq!(give(&[9.0, 8.0, 7.0]).header["kind"], "shape", "half a picture");
}

#[test]
fn given_points_that_do_not_fit_together_are_refused() {
    let mut client = Client::default();
    let mut kind = |values: &[f64], change: &dyn Fn(&mut Value, &mut Blocks)| {
        let (mut blocks, points) = blocks_of(values);
        let mut request = json!({ "type": "points", "data": "mine", "points": points, "columns": 2 });
        change(&mut request, &mut blocks);
        let answer = client.call(blocks, &request).header;
        assert_eq!(answer["type"], "failed", "{request}");
        answer["kind"].as_str().unwrap().to_owned()
    };
    let four = [0.0, 1.0, 2.0, 3.0];
    assert_eq!(kind(&[0.0, f64::NAN], &|_, _| ()), "not_finite");
    assert_eq!(kind(&four[..3], &|_, _| ()), "shape");
    assert_eq!(kind(&four, &|request, _| request["columns"] = json!(0)), "parameter");
    assert_eq!(kind(&four, &|request, _| request["points"]["length"] = json!(400)), "request");
    let label = |value: u32| {
        move |request: &mut Value, blocks: &mut Blocks| {
            let values = blocks.u32(&[0, value]);
            request["labels"] = json!([{ "name": "l", "classes": ["only"], "values": values }]);
        }
    };
    assert_eq!(kind(&four, &label(1)), "parameter");
    let truth = |request: &mut Value, blocks: &mut Blocks| {
        request["truth"] = blocks.f64(&[1.0]);
        request["truth_columns"] = json!(1);
    };
    assert_eq!(kind(&four, &truth), "shape");
    let many = vec![0.5; 50_001 * 2];
    assert_eq!(kind(&many, &|_, _| ()), "parameter");
    assert_eq!(client.refused(&json!({ "type": "drop" , "data": 3 })).0, "request");
}

#[test]
fn files_are_read_by_the_readers_of_the_library() {
    let mut client = Client::default();
    let mut read = |name: &str, content: &[u8], extra: Value| {
        let mut blocks = Blocks::default();
        let bytes = blocks.u8(content);
        let mut request = json!({ "type": "read", "data": "file", "name": name, "bytes": bytes });
        if let Some(labels) = extra.get("label_text") {
            let bytes = blocks.u8(labels.as_str().unwrap().as_bytes());
            request["labels"] = json!({ "name": "labels.csv", "bytes": bytes });
        }
        for (name, value) in extra.as_object().unwrap().iter().filter(|(name, _)| *name != "label_text") {
            request[name] = value.clone();
        }
        client.call(blocks, &request)
    };
    let iris = b"length,width,species\n5.1,3.5,setosa\n7,3.2,versicolor\n";
    let answer = read("iris.data.csv", iris, json!({ "label_column": "species" }));
    assert_eq!(answer.reals("/points"), [5.1, 3.5, 7.0, 3.2]);
    assert_eq!(answer.at("/column_names"), &json!(["length", "width"]));
    assert_eq!(answer.at("/labels/0/classes"), &json!(["setosa", "versicolor"]));
    assert_eq!(answer.at("/title"), "iris");
    let commas = read("de.csv", b"a;b\n1,5;2\n", json!({ "decimal_comma": true }));
    assert_eq!(commas.reals("/points"), [1.5, 2.0]);
    let windows = read("de.csv", b"gr\xf6\xdfe,b\n1.5,2\n", json!({ "windows_1252": true }));
    assert_eq!(windows.at("/column_names"), &json!(["größe", "b"]));
    let columns = json!({ "color_columns": ["length"], "name_column": "species" });
    let answer = read("iris.csv", iris, columns);
    assert_eq!(
        (answer.reals("/points"), answer.reals("/quantities/0/values")),
        (vec![3.5, 3.2], vec![5.1, 7.0])
    );
    assert_eq!(answer.at("/row_names/values"), &json!(["setosa", "versicolor"]));
    let answer =
        read("a.tsv", b"1\t2\n3\t5\n", json!({ "label_text": "left\nright\n", "standardize": true }));
    assert_eq!(answer.reals("/points"), [-1.0, -1.0, 1.0, 1.0]);
    assert_eq!(answer.at("/labels/0/classes"), &json!(["left", "right"]));
    let mut npy =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }".to_vec();
    npy.resize(127, b' ');
    npy.push(b'\n');
    npy.extend([1.5_f64, -2.0].iter().flat_map(|value| value.to_le_bytes()));
    assert_eq!(read("x.npy", &npy, json!({})).reals("/points"), [1.5, -2.0]);
    let broken = read("broken.csv", b"1,2\n3\n", json!({})).header;
    assert_eq!((&broken["type"], &broken["kind"]), (&json!("failed"), &json!("file")));
    assert!(broken["message"].as_str().unwrap().starts_with("broken.csv"), "{broken}");
    let short = read("a.csv", b"1,2\n3,5\n", json!({ "label_text": "a\n" })).header;
    assert!(short["message"].as_str().unwrap().contains("one label for each of the 2 rows"), "{short}");
}

#[test]
fn a_sample_has_rows_of_the_whole() {
    let mut client = Client::default();
    let whole = client.generate("clusters", 100).reals("/points");
    let width = whole.len() / 100;
    let part = client.ask(&json!({ "type": "sample", "data": "part", "of": "clusters", "n": 30, "seed": 4 }));
    let rows = part.indices("/rows");
    let points = part.reals("/points");
    assert_eq!((rows.len(), points.len()), (30, 30 * width));
    for (at, row) in rows.iter().enumerate() {
        let row = *row as usize;
        assert_eq!(points[at * width..][..width], whole[row * width..][..width]);
    }
    let again = client.ask(&json!({ "type": "sample", "data": "less", "of": "part", "n": 10 }));
    for (at, row) in again.indices("/rows").into_iter().enumerate() {
        assert_eq!(again.reals("/points")[at * width], whole[row as usize * width], "rows of the first");
    }
    let most = json!({ "type": "sample", "data": "more", "of": "part", "n": 31 });
    assert_eq!(client.refused(&most).0, "parameter");
}

#[test]
fn dropped_data_and_models_are_gone() {
    let mut client = Client::default();
    client.generate("swiss-roll", 40);
    client.ask(&json!({ "type": "fit", "data": "swiss-roll", "method": "pca" }));
    client.ask(&json!({ "type": "drop", "data": ["swiss-roll"], "models": ["pca", "unknown"] }));
    assert_eq!(client.refused(&json!({ "type": "diagnose", "model": "pca" })).0, "request");
    let fit = json!({ "type": "fit", "data": "swiss-roll", "method": "pca" });
    let (kind, message) = client.refused(&fit);
    assert_eq!((kind.as_str(), message.as_str()), ("request", "there is no data set `swiss-roll`"));
}

#[test]
fn a_file_is_read_with_its_probable_mistakes_and_the_choice_of_missing_values() {
    let mut client = Client::default();
    let mut read = |content: &str, extra: &[(&str, Value)]| {
        let mut blocks = Blocks::default();
        let bytes = blocks.u8(content.as_bytes());
        let mut request = json!({ "type": "read", "data": "f", "name": "f.csv", "bytes": bytes });
        extra.iter().for_each(|(name, value)| request[name] = value.clone());
        client.call(blocks, &request)
    };
    let row = |i: usize| {
        let nine = if i == 3 { "-999".to_owned() } else { format!("0.{}", i % 9) };
        format!("{},{nine},{}.5,1\n", 1000 * (i * i % 13), i % 7)
    };
    let table = "sales,age,rank,shop\n".to_owned() + &(0..12).map(row).collect::<String>();
    let answer = read(&table, &[]);
    let found = answer.at("/warnings");
    assert_eq!(found[0]["kind"], "nines", "{found}");
    assert_eq!(found[0]["columns"], json!([{ "number": 1, "name": "age" }]));
    assert_eq!((&found[0]["number"], &found[0]["rows"]), (&json!(-999.0), &json!(1)));
    assert_eq!((&found[1]["kind"], &found[1]["columns"][0]["name"]), (&json!("dominant"), &json!("sales")));
    assert!(found[1]["fraction"].as_f64().unwrap() > 0.95 && found[1]["others"] == 2, "{found}");
    assert_eq!(found[2], json!({ "kind": "constant", "columns": [{ "number": 3, "name": "shop" }] }));
    let standardized = read(&table, &[("standardize", json!(true))]);
    let kinds: Vec<_> = standardized.at("/warnings").as_array().unwrap().iter().map(|w| &w["kind"]).collect();
    assert_eq!(kinds, ["nines", "constant"]);
    let filled = read(&table, &[("missing", json!("mean")), ("missing_values", json!(["-999"]))]);
    assert_eq!(filled.at("/n"), 12);
    assert_eq!(filled.at("/warnings")[0]["kind"], "dominant");
    let dropped = read(&table, &[("missing", json!("drop")), ("missing_values", json!(["-999"]))]);
    assert_eq!(dropped.at("/n"), 11);
    let line = client.ask(&json!({ "type": "command", "data": "f", "methods": [{ "method": "pca" }] }));
    let line = line.at("/line").as_str().unwrap();
    assert!(line.contains("--missing drop --missing-values -999"), "{line}");
    assert_eq!(client.generate("swiss-roll", 9).at("/warnings"), &json!([]));
}
