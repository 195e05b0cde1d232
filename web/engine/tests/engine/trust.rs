//! Measures per point of models: where points jump, and how maps distort.

use embedding::Input;
use quality::RowSample;
use quality::ellipses::Ellipses;
use quality::trust::Perturbation;
use serde_json::{Value, json};

use crate::client::Client;

fn fitted(client: &mut Client, n: usize, method: &str, settings: &Value) -> datasets::Dataset {
    client.generate("swiss-roll", n);
    client.ask(&json!({ "type": "fit", "data": "swiss-roll", "method": method, "settings": settings }));
    datasets::generate("swiss-roll", n, 0).unwrap()
}

fn request(method: &str, name: &str) -> Value {
    json!({ "type": "per_point", "data": "swiss-roll", "map": { "model": method }, "names": [name] })
}

/// Values, places and sentence equal what the library gives, for all rows and for some.
#[test]
fn jumps_are_those_of_the_library() {
    let mut client = Client::default();
    let settings = json!({ "epochs": 50 });
    let data = fitted(&mut client, 200, "umap", &settings);
    let mut method = swissroll::method("umap").unwrap();
    method.set_dyn("epochs", "50").unwrap();
    let model = method.fit_dyn(&Input::from(&data.points)).unwrap();
    for rows in [None, Some(30)] {
        let sample = rows.map_or(RowSample::All, |count| RowSample::Spaced { count });
        let recipe = Perturbation { rows: sample, ..Perturbation::default() };
        let scores = recipe.scores(model.as_ref(), model.embedding(), &Input::from(&data.points)).unwrap();
        let mut of_some = request("umap", "perturbation");
        of_some["rows"] = json!(rows);
        let answer = client.ask(&of_some);
        let (values, places) = (answer.reals("/measures/0/values"), answer.reals("/measures/0/places"));
        assert_eq!((values.len(), places.len()), (200, 400));
        let scored: Vec<usize> = (0..200).filter(|point| !values[*point].is_nan()).collect();
        assert_eq!(scored, scores.rows().iter().map(|row| *row as usize).collect::<Vec<_>>());
        for (score, point) in scored.into_iter().enumerate() {
            assert_eq!(values[point], scores.values()[score]);
            assert_eq!(places[2 * point..][..2], *scores.place(score));
            let own = model.embedding().row(point);
            let far =
                places[2 * point..][..2].iter().zip(own).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            assert!((far / scores.unit() - values[point]).abs() < 1e-9 * values[point].max(1.0));
        }
        assert_eq!(answer.at("/measures/0/sentence"), &json!(scores.caution()));
        assert_eq!(scores.caution().contains("scored point"), rows.is_some());
    }
    let given = json!({ "type": "per_point", "data": "swiss-roll", "names": ["perturbation"], "map": { "model": "pca" } });
    assert!(client.refused(&given).1.contains("there is no model `pca`"));
}

/// The ratio of the axes, and the ends of the axes around each point.
#[test]
fn ellipses_are_those_of_the_library() {
    let mut client = Client::default();
    let data = fitted(&mut client, 300, "ltsa", &json!({}));
    let model = swissroll::method("ltsa").unwrap().fit_dyn(&Input::from(&data.points)).unwrap();
    let map = model.embedding();
    let ellipses = Ellipses::default().of_map(map, &Input::from(&data.points)).unwrap();
    let answer = client.ask(&request("ltsa", "roundness"));
    let (values, places) = (answer.reals("/measures/0/values"), answer.reals("/measures/0/places"));
    assert_eq!((values.len(), places.len()), (300, 1200));
    assert_eq!(answer.at("/measures/0/per_point"), &json!(2));
    for point in 0..300 {
        let (axes, directions) = (ellipses.axes(point), ellipses.directions(point));
        assert_eq!(values[point], axes[1] / axes[0]);
        for axis in 0..2 {
            for c in 0..2 {
                let end = map.row(point)[c] + axes[axis] * directions[2 * axis + c];
                assert_eq!(places[4 * point + 2 * axis + c], end);
            }
        }
    }
}
