//! Measures of maps, alignment, and the command line of a view.

use neighbor_graph::NeighborSearch;
use quality::{Context, RowSample, point_measures};
use serde_json::{Value, json};
use swissroll_engine::message::Blocks;

use crate::client::Client;

fn fitted(n: usize) -> Client {
    let mut client = Client::default();
    client.generate("swiss-roll", n);
    client.ask(&json!({ "type": "fit", "data": "swiss-roll", "method": "pca" }));
    client
}

#[test]
fn measures_are_those_of_the_library() {
    let mut client = fitted(120);
    let data = datasets::generate("swiss-roll", 120, 0).unwrap();
    let model = swissroll::method("pca").unwrap().fit_dyn(&(&data.points).into()).unwrap();
    let map = embedding::PointSet::from_mat(model.embedding().coordinates()).unwrap();
    let lists = NeighborSearch::nearest(7).find(data.points.view()).unwrap();
    let context = Context::new(data.points.view(), &lists, 7, RowSample::All);
    let context = context.with_truth(data.truth.as_ref().unwrap().view());
    let expected: Vec<Value> = (context.score(map.view()).unwrap().into_iter())
        .map(|(measure, value)| json!({ "name": measure.name, "value": value }))
        .collect();
    let request = json!({ "type": "measures", "data": "swiss-roll", "map": { "model": "pca" }, "k": 7 });
    assert_eq!(client.ask(&request).at("/scores"), &json!(expected));
    let mut some = request.clone();
    some["names"] = json!(["affine"]);
    assert_eq!(client.ask(&some).at("/scores").as_array().unwrap().len(), 1);
    some["names"] = json!(["beauty"]);
    assert_eq!(client.refused(&some).0, "request");
    let request = json!({ "type": "per_point", "data": "swiss-roll", "map": { "model": "pca" }, "k": 7 });
    let answer = client.ask(&request);
    for (i, measure) in point_measures().iter().enumerate() {
        assert_eq!(answer.at(&format!("/measures/{i}/name")), measure.name);
        let values = answer.reals(&format!("/measures/{i}/values"));
        let expected = measure.values(&context, map.view()).unwrap().unwrap();
        assert_eq!(values.into_iter().map(Some).collect::<Vec<_>>(), expected, "{}", measure.name);
    }
}

/// The values kept for the measures of the next map are not used for other data, another k, other
/// rows or a map of some rows.
#[test]
fn measures_do_not_depend_on_those_before() {
    let fit = |client: &mut Client, n: usize| {
        client.generate("swiss-roll", n);
        for method in ["pca", "isomap"] {
            client.ask(&json!({ "type": "fit", "data": "swiss-roll", "method": method, "model": method }));
        }
    };
    let request = |method: &str, k: usize, rows: Option<usize>| json!({ "type": "measures", "data": "swiss-roll", "map": { "model": method }, "k": k, "rows": rows });
    let mut used = Client::default();
    for n in [120, 90] {
        fit(&mut used, n);
        for (k, rows) in [(7, None), (9, None), (9, Some(40)), (9, Some(50)), (7, None)] {
            for method in ["pca", "isomap"] {
                let request = request(method, k, rows);
                let mut fresh = Client::default();
                fit(&mut fresh, n);
                assert_eq!(used.ask(&request).at("/scores"), fresh.ask(&request).at("/scores"), "{request}");
            }
        }
    }
}

/// A map of some rows is measured on these rows.
#[test]
fn maps_of_some_rows_are_measured_there() {
    let mut client = fitted(60);
    let data = datasets::generate("swiss-roll", 60, 0).unwrap();
    let rows: Vec<u32> = (0..60).filter(|row| row % 3 != 0).collect();
    let coordinates = data.points.view().select(&rows);
    let scores = |client: &mut Client, rows: &[u32]| {
        let mut blocks = Blocks::default();
        let coordinates = blocks.f64(coordinates.view().values());
        let map = json!({ "coordinates": coordinates, "columns": 3, "rows": blocks.u32(rows) });
        let request = json!({ "type": "measures", "data": "swiss-roll", "map": map });
        client.call(blocks, &request)
    };
    let answer = scores(&mut client, &rows);
    let value = |name: &str| {
        let scores = answer.at("/scores").as_array().unwrap();
        scores.iter().find(|score| score["name"] == name).unwrap()["value"].as_f64().unwrap()
    };
    // The map is the data itself.
    assert_eq!((value("trustworthiness"), value("continuity")), (1.0, 1.0));
    assert!(value("local_procrustes") < 1e-12);
    let mut beyond = rows.clone();
    beyond[39] = 60;
    assert_eq!(scores(&mut client, &beyond).header["kind"], "parameter");
    assert_eq!(scores(&mut client, &rows[1..]).header["kind"], "shape");
    beyond[39] = 3;
    assert_eq!(scores(&mut client, &beyond).header["kind"], "parameter", "rows that are not ascending");
}

#[test]
fn a_map_is_moved_onto_its_reference_by_common_rows() {
    let mut client = fitted(50);
    let (reference, map, rows) = {
        let data = datasets::generate("swiss-roll", 50, 0).unwrap();
        let truth = data.truth.unwrap();
        // The truth reflected, rotated by a quarter, shifted and tripled, without its first rows.
        let moved: Vec<f64> =
            truth.view().rows().skip(10).flat_map(|row| [3.0 * row[1] + 5.0, 3.0 * row[0] - 1.0]).collect();
        (truth, moved, (10..50).collect::<Vec<u32>>())
    };
    let mut align = |scale: bool, columns: usize, rows: &[u32]| {
        let mut blocks = Blocks::default();
        let own = json!({ "coordinates": blocks.f64(&map), "columns": 2, "rows": blocks.u32(rows) });
        let to = blocks.f64(&reference.view().values()[..40 * 2 / columns * columns]);
        let to = json!({ "coordinates": to, "columns": columns });
        client.call(blocks, &json!({ "type": "align", "map": own, "reference": to, "scale": scale }))
    };
    let answer = align(true, 2, &rows);
    assert!((answer.at("/scale").as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert!(answer.at("/residual").as_f64().unwrap() < 1e-24);
    // Rows 40 to 49 are not in the reference, and moved with the others.
    let expected = &reference.view().values()[20..];
    for (got, expected) in answer.reals("/coordinates").iter().zip(expected) {
        assert!((got - expected).abs() < 1e-10, "{got} and {expected}");
    }
    assert_eq!(align(false, 2, &rows).at("/scale"), 1.0);
    assert_eq!(align(true, 3, &rows).header["kind"], "shape");
    let others: Vec<u32> = (1000..1040).collect();
    assert_eq!(align(true, 2, &others).header["kind"], "too_few_points");
}

#[test]
fn the_command_line_repeats_the_view() {
    let mut client = Client::default();
    let roll = json!({
        "type": "generate", "data": "roll", "dataset": "swiss-roll", "n": 500, "seed": 2, "noise": 0.1,
    });
    client.ask(&roll);
    let methods = json!([
        { "method": "isomap", "settings": {} },
        { "method": "lle", "settings": { "reg": 0.01 } },
    ]);
    let request = json!({ "type": "command", "data": "roll", "common": { "k": 8 }, "methods": methods });
    let line = "compare run --datasets swiss-roll --n 500 --noise 0.1 --seed 2 --methods isomap,lle --k 8 --set lle.reg=0.01";
    assert_eq!(client.ask(&request).at("/line"), line);
    // The data's seed is the option; another one of the methods is set for each that has it.
    let mut seeded = request.clone();
    seeded["common"] = json!({ "seed": 5 });
    seeded["methods"] = json!([{ "method": "isomap" }, { "method": "tsne" }]);
    let line = client.ask(&seeded).at("/line").as_str().unwrap().to_owned();
    assert!(line.contains("--seed 2 ") && line.ends_with("--set tsne.seed=5"), "{line}");
    let mut blocks = Blocks::default();
    let points = blocks.f64(&[0.0, 1.0, 2.0]);
    client.ask_with(blocks, &json!({ "type": "points", "data": "drawn", "points": points, "columns": 1 }));
    let (kind, message) = client.refused(&json!({ "type": "command", "data": "drawn", "methods": [] }));
    assert!(kind == "request" && message.contains("save them as a file"), "{message}");
    let mut blocks = Blocks::default();
    let bytes = blocks.u8(b"1,2\n3,4\n5,7\n");
    client
        .ask_with(blocks, &json!({ "type": "read", "data": "file", "name": "my data.csv", "bytes": bytes }));
    client.ask(&json!({ "type": "sample", "data": "part", "of": "file", "n": 2, "seed": 3 }));
    let line = client.ask(&json!({ "type": "command", "data": "part", "methods": [] })).at("/line").clone();
    assert_eq!(line, "compare run --input 'my data.csv' --n 2 --seed 3");
}
