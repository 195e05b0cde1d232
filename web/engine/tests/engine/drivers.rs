//! The columns that drive a map.

use embedding::Input;
use quality::drivers::{Drivers, Unit};
use serde_json::json;
use swissroll_engine::message::Blocks;

use crate::client::Client;

/// The columns, in order, are as the library has them: for all points and for some; of a linear model they are exact.
#[test]
fn columns_that_drive_maps_are_those_of_the_library() {
    let mut client = Client::default();
    client.generate("swiss-roll", 300);
    let data = datasets::generate("swiss-roll", 300, 0).unwrap();
    for method in ["isomap", "pca"] {
        client.ask(&json!({ "type": "fit", "data": "swiss-roll", "method": method }));
        let model = swissroll::method(method).unwrap().fit_dyn(&Input::from(&data.points)).unwrap();
        let found = Drivers::default();
        let found = found.of_model(model.as_ref(), model.embedding(), &Input::from(&data.points)).unwrap();
        let answer = client.ask(&json!({ "type": "drivers", "model": method }));
        let expected = found.of_map(Unit::Deviation);
        let importance: Vec<f64> = expected.iter().map(|driver| driver.importance).collect();
        assert_eq!(answer.reals("/importance"), importance);
        let columns: Vec<u32> = expected.iter().map(|driver| driver.column as u32).collect();
        assert_eq!(answer.indices("/columns"), columns);
        assert_eq!(answer.at("/exact"), method == "pca");
        assert_eq!(answer.at("/certainty"), found.median_certainty());
        assert_eq!(answer.at("/points"), 300);
    }
    let some: Vec<u32> = vec![3, 40, 41, 299];
    let mut blocks = Blocks::default();
    let rows = blocks.u32(&some);
    let request = json!({ "type": "drivers", "model": "isomap", "rows": rows, "count": 2 });
    let answer = client.ask_with(blocks, &request);
    let model = swissroll::method("isomap").unwrap().fit_dyn(&Input::from(&data.points)).unwrap();
    let found = Drivers::default().of_map(model.embedding(), &Input::from(&data.points)).unwrap();
    let expected = found.of_points(some.iter().map(|row| *row as usize), Unit::Deviation);
    assert_eq!(answer.reals("/importance"), [expected[0].importance, expected[1].importance]);
    assert_eq!(answer.at("/points"), 4);
    assert_eq!(client.refused(&json!({ "type": "drivers", "model": "lle" })).0, "request");
}
