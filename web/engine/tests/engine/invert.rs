//! Places of a map decoded to data, and eigenvalues beyond a map's own.

use embedding::{PointSet, Points, Silent, Transform};
use serde_json::{Value, json};
use swissroll::regression::{LocalBarycentric, Regressor};
use swissroll_engine::message::Blocks;

use crate::client::{Client, Received};

const SET: &str = "swiss-roll";

/// The answer to places in the map of `method` on 150 points of the roll.
fn decoded(client: &mut Client, method: &str, places: &[f64], by: Option<&str>) -> Received {
    let mut blocks = Blocks::default();
    let mut request =
        json!({ "type": "invert", "model": method, "places": blocks.f64(places), "columns": 2, "k": 8 });
    if let Some(by) = by {
        request["by"] = json!(by);
    }
    client.ask_with(blocks, &request)
}

fn fitted(method: &str) -> (Client, Points<'static>, Vec<f64>) {
    let mut client = Client::default();
    client.generate(SET, 150);
    let answer =
        client.ask(&json!({ "type": "fit", "data": SET, "method": method, "common": { "k": 9, "dim": 2 } }));
    let map = answer.reals("/coordinates");
    let data: &'static PointSet = Box::leak(Box::new(datasets::generate(SET, 150, 0).unwrap().points));
    (client, data.view(), map)
}

#[test]
fn a_place_of_a_point_is_decoded_to_the_point_by_barycentric_weights() {
    let (mut client, data, map) = fitted("isomap");
    let places: Vec<f64> = [17, 80].iter().flat_map(|&row| map[2 * row..2 * row + 2].to_vec()).collect();
    let answer = decoded(&mut client, "isomap", &places, None);
    assert_eq!((answer.at("/by"), answer.at("/columns")), (&json!("barycentric"), &json!(3)));
    assert_eq!(answer.indices("/nearest"), [17, 80]);
    assert_eq!(answer.reals("/distances"), [0.0, 0.0]);
    assert_eq!(answer.reals("/points"), [data.row(17), data.row(80)].concat());
    // Between two points the result is the same as from the library.
    let between: Vec<f64> = (0..2).map(|j| 0.5 * (places[j] + places[2 + j])).collect();
    let map = PointSet::new(map, 2).unwrap();
    let recipe = LocalBarycentric { k: 8, ..LocalBarycentric::default() };
    let expected = recipe.fit(map.view(), data.as_mat(), &Silent).unwrap();
    let expected = expected.transform(Points::new(&between, 2).unwrap()).unwrap();
    assert_eq!(
        decoded(&mut client, "isomap", &between, Some("barycentric")).reals("/points"),
        expected.values()
    );
    let ridge = decoded(&mut client, "isomap", &between, Some("kernel_ridge"));
    assert_eq!(ridge.at("/by"), "kernel_ridge");
    assert_ne!(ridge.reals("/points"), expected.values());
}

#[test]
fn a_linear_map_is_inverted_by_its_pseudo_inverse() {
    let (mut client, _, map) = fitted("pca");
    let place = [map[0] + 0.25, map[1] - 0.5];
    let answer = decoded(&mut client, "pca", &place, None);
    assert_eq!(answer.at("/by"), "linear");
    // The decoded point is mapped to the place.
    let mut blocks = Blocks::default();
    let points = blocks.f64(&answer.reals("/points"));
    let request = json!({ "type": "transform", "model": "pca", "points": points, "columns": 3 });
    let back = client.ask_with(blocks, &request).reals("/coordinates");
    for (found, wanted) in back.iter().zip(&place) {
        assert!((found - wanted).abs() < 1e-9, "{back:?}");
    }
    assert_eq!(decoded(&mut client, "pca", &place, Some("barycentric")).at("/by"), "barycentric");
}

#[test]
fn places_of_another_number_of_columns_are_refused() {
    let (mut client, ..) = fitted("pca");
    let mut blocks = Blocks::default();
    let request =
        json!({ "type": "invert", "model": "pca", "places": blocks.f64(&[1.0, 2.0, 3.0]), "columns": 3 });
    let answer = client.call(blocks, &request).header;
    assert_eq!((&answer["type"], &answer["kind"]), (&json!("failed"), &json!("shape")), "{answer}");
}

#[test]
fn further_eigenvalues_are_computed_where_they_are_asked_for() {
    let mut client = Client::default();
    client.generate(SET, 150);
    let fit = |client: &mut Client, further: Value| {
        client.ask(&json!({ "type": "fit", "data": SET, "method": "ltsa", "common": { "k": 9 }, "further": further }))
    };
    let plain = fit(&mut client, json!(0));
    assert_eq!(plain.reals("/further"), [0.0; 0]);
    let more = fit(&mut client, json!(3));
    let (own, further) = (more.reals("/spectrum"), more.reals("/further"));
    assert_eq!(own, plain.reals("/spectrum"));
    assert_eq!(further.len(), 3);
    assert!(further[0] >= own[own.len() - 1] && further.is_sorted(), "{own:?} {further:?}");
    assert_eq!(more.reals("/coordinates"), plain.reals("/coordinates"));
}
