//! Fits, events and new points.

use embedding::{Error, Input, PointSet};
use serde_json::{Value, json};
use swissroll_engine::message::Blocks;

use crate::client::Client;

const SET: &str = "two-swiss-rolls";

/// Settings with which a method embeds the set, which has two components and labels.
fn settings(name: &str) -> Value {
    let method = swissroll::method(name).unwrap();
    let has = |parameter: &str| method.parameters().iter().any(|info| info.name == parameter);
    let mut settings = json!({});
    if has("components") {
        settings["components"] = json!("largest");
    }
    if has("perplexity") {
        settings["perplexity"] = json!(10);
    }
    settings
}

#[test]
fn every_method_is_fitted_as_by_the_library() {
    let mut client = Client::default();
    client.generate(SET, 90);
    let data = datasets::generate(SET, 90, 0).unwrap();
    for mut method in swissroll::methods() {
        let name = method.about().name;
        let common = json!({ "k": 9, "dim": 1, "seed": 3 });
        let request = json!({ "type": "fit", "data": SET, "method": name, "settings": settings(name), "common": common });
        let answer = client.ask(&request);
        for (parameter, value) in common.as_object().unwrap() {
            if method.parameters().iter().any(|info| info.name == parameter) {
                method.set_dyn(parameter, &value.to_string()).unwrap();
            }
        }
        for (parameter, value) in settings(name).as_object().unwrap() {
            method.set_dyn(parameter, value.as_str().unwrap_or(&value.to_string())).unwrap();
        }
        let expected =
            method.fit_dyn(&Input::from(&data.points).with_labels(&data.labels[0].values)).unwrap();
        let embedding = expected.embedding();
        assert_eq!(answer.reals("/coordinates"), embedding.values(), "{name}");
        assert_eq!((answer.at("/n"), answer.at("/columns")), (&json!(embedding.len()), &json!(1)), "{name}");
        assert_eq!(answer.reals("/spectrum"), embedding.spectrum(), "{name}");
        match embedding.placed_rows() {
            Some(rows) => assert_eq!(answer.indices("/rows"), rows, "{name}"),
            None => assert!(answer.at("/rows").is_null(), "{name}"),
        }
        let report = expected.report();
        assert_eq!(answer.at("/facts"), &json!(report.facts), "{name}");
        assert_eq!(answer.at("/notes"), &json!(report.notes), "{name}");
        assert_eq!(answer.at("/per_point").as_array().unwrap().len(), report.per_point.len(), "{name}");
        for (i, per_point) in report.per_point.iter().enumerate() {
            assert_eq!(answer.reals(&format!("/per_point/{i}/values")), per_point.values, "{name}");
        }
        for info in method.parameters() {
            assert_eq!(answer.at("/settings")[info.name], info.value, "{name}");
        }
        let stages: Vec<&Value> = (client.events.iter())
            .filter(|event| event.header["type"] == "stage")
            .map(|event| &event.header["stage"])
            .collect();
        assert_eq!(json!(stages), *answer.at("/stages"), "{name}");
        assert!(!stages.is_empty(), "{name}");
        transforms_as(&mut client, name, expected.as_ref(), &data.points);
    }
}

/// New points are placed, or refused, as by the model.
fn transforms_as(client: &mut Client, name: &str, expected: &dyn embedding::DynModel, points: &PointSet) {
    let new = points.view().select(&[4, 70]);
    let mut blocks = Blocks::default();
    let array = blocks.f64(new.view().values());
    let request = json!({ "type": "transform", "model": name, "points": array, "columns": 3 });
    let answer = client.call(blocks, &request);
    match expected.transform(new.view()) {
        Ok(placed) => assert_eq!(answer.reals("/coordinates"), placed.values(), "{name}"),
        Err(error) => assert_eq!(answer.header["message"], error.to_string(), "{name}"),
    }
}

#[test]
fn frames_are_sent_at_the_chosen_distance() {
    let mut client = Client::default();
    client.generate("swiss-roll", 60);
    let fit = |every: Value| {
        let settings = json!({ "perplexity": 8, "early-iterations": 20, "iterations": 30 });
        json!({ "type": "fit", "data": "swiss-roll", "method": "tsne", "settings": settings, "frames": every })
    };
    let numbers = |client: &Client| -> Vec<u64> {
        let frames = client.events.iter().filter(|event| event.header["type"] == "frame");
        frames.map(|event| event.header["iteration"].as_u64().unwrap()).collect()
    };
    let whole = client.ask(&fit(json!({ "every": 1 })));
    let all = numbers(&client);
    assert_eq!(all.len() as u64, whole.at("/iterations").as_u64().unwrap());
    assert_eq!(all, (1..=50).collect::<Vec<u64>>());
    let last = client.events.iter().rfind(|event| event.header["type"] == "frame").unwrap();
    assert_eq!(last.reals("/coordinates").len(), 120);
    client.ask(&fit(json!({ "every": 20 })));
    assert_eq!(numbers(&client), [1, 21, 41]);
    client.ask(&fit(Value::Null));
    assert!(numbers(&client).is_empty());
    assert_eq!(client.refused(&fit(json!({ "every": 0 }))).0, "parameter");
}

#[test]
fn a_frame_ends_the_iteration_with_the_result_so_far() {
    let mut client = Client::default();
    client.generate("swiss-roll", 60);
    let fit = |frames: Value| {
        let settings = json!({ "perplexity": 8 });
        json!({ "type": "fit", "data": "swiss-roll", "method": "tsne", "settings": settings, "frames": frames })
    };
    // The second fit has the same events as the third: the neighbors are known.
    client.ask(&fit(json!({ "every": 1 })));
    client.ask(&fit(json!({ "every": 1 })));
    let first = client.events.iter().position(|event| event.header["type"] == "frame").unwrap();
    client.cancel_at = Some(first + 4);
    let answer = client.ask(&fit(json!({ "every": 1 })));
    assert_eq!(answer.at("/iterations"), 5);
    assert!(answer.reals("/coordinates").iter().all(|value| value.is_finite()));
}

#[test]
fn an_event_cancels() {
    let mut client = Client::default();
    client.generate("swiss-roll", 200);
    let fit = json!({ "type": "fit", "data": "swiss-roll", "method": "isomap" });
    client.ask(&fit);
    let all = client.events.len();
    client.cancel_at = Some(0);
    assert_eq!(client.refused(&fit), ("cancelled".to_owned(), Error::Cancelled.to_string()));
    assert!(client.events.len() < all);
    // The model of the earlier fit is gone, the data is not.
    assert_eq!(client.refused(&json!({ "type": "diagnose", "model": "isomap" })).0, "request");
    client.cancel_at = None;
    client.ask(&fit);
}

#[test]
fn steps_are_few_and_can_be_left_out() {
    let mut client = Client::default();
    client.generate("swiss-roll", 700);
    let fit = |steps: bool| json!({ "type": "fit", "data": "swiss-roll", "method": "ltsa", "steps": steps });
    client.ask(&fit(true));
    let steps = |client: &Client| client.events.iter().filter(|event| event.header["type"] == "step").count();
    let (stages, sent) = (client.events.len() - steps(&client), steps(&client));
    assert!(sent > 0 && sent <= 101 * stages, "{sent} steps in {stages} stages");
    client.generate("swiss-roll", 700);
    client.ask(&fit(false));
    assert_eq!(steps(&client), 0);
}

#[test]
fn the_memory_limit_holds_before_the_fit() {
    let mut client = Client::default();
    client.generate("swiss-roll", 500);
    let fit = json!({ "type": "fit", "data": "swiss-roll", "method": "isomap", "memory": 10_000 });
    let (kind, message) = client.refused(&fit);
    assert_eq!(kind, "memory");
    assert!(message.contains("10.0 kB"), "{message}");
}

#[test]
fn a_model_is_diagnosed() {
    let mut client = Client::default();
    client.generate(SET, 90);
    let settings = json!({ "components": "largest", "k": 8 });
    client
        .ask(&json!({ "type": "fit", "data": SET, "method": "lle", "settings": settings, "model": "mine" }));
    let answer = client.ask(&json!({ "type": "diagnose", "model": "mine" }));
    let sentences = answer.at("/sentences").as_array().unwrap();
    let said = |cause: &str| -> Vec<&str> {
        let of = sentences.iter().filter(|one| one["cause"] == cause);
        of.map(|one| one["sentence"].as_str().unwrap()).collect()
    };
    let components = said("components");
    assert!(components[0].contains("8 nearest neighbors has 2 components"), "{components:?}");
    // Points that are left out are counted once, by the note of the fit.
    let placed = sentences.iter().filter(|one| one["sentence"].as_str().unwrap().contains("of 90 points"));
    assert_eq!(placed.count(), components.len() + 1, "{sentences:?}");
    assert!(said("note")[0].ends_with("of 90 points were placed"), "{sentences:?}");
}

/// The sentences of reports and of the terminal: six edges of this roll jump between layers,
/// and LLE gives both of its columns unit variance.
#[test]
fn a_model_is_diagnosed_as_in_a_report() {
    let mut client = Client::default();
    let mut sentences = |n: usize, method: &str| -> Vec<String> {
        client.generate("swiss-roll", n);
        client.ask(&json!({ "type": "fit", "data": "swiss-roll", "method": method, "common": { "k": 10 } }));
        let answer = client.ask(&json!({ "type": "diagnose", "model": method }));
        let all = answer.at("/sentences").as_array().unwrap();
        all.iter().map(|one| one["sentence"].as_str().unwrap().to_owned()).collect()
    };
    let jumps = sentences(600, "isomap");
    assert_eq!(
        jumps[0],
        "6 probable shortcut edges (try a smaller k). By the true coordinates, 6 edges are shortcuts."
    );
    let squeezed = sentences(1000, "ltsa");
    assert!(squeezed[0].starts_with("The columns of the map have equal variance"), "{squeezed:?}");
    assert_eq!(sentences(1000, "isomap"), Vec::<String>::new());
    // Of 90 neighbors the graph is not diagnosed; the pieces of the map are.
    let torn = sentences(400, "tsne");
    assert!(torn.len() == 1 && torn[0].starts_with("The map tears neighbors apart"), "{torn:?}");
}

/// The remedy names the parameter that the method has for the size of neighborhoods.
#[test]
fn the_remedy_of_shortcuts_is_a_parameter_of_the_method() {
    let mut client = Client::default();
    let mut remedy = |n: usize, method: &str, settings: &Value| -> String {
        client.generate("swiss-roll", n);
        let fit = json!({ "type": "fit", "data": "swiss-roll", "method": method, "settings": settings });
        client.ask(&fit);
        let answer = client.ask(&json!({ "type": "diagnose", "model": method }));
        let sentences = answer.at("/sentences").as_array().unwrap();
        let graph = sentences.iter().find(|one| one["cause"] == "shortcuts").unwrap();
        let sentence = graph["sentence"].as_str().unwrap();
        sentence[sentence.find('(').unwrap() + 1..sentence.find(')').unwrap()].to_owned()
    };
    assert_eq!(remedy(600, "isomap", &json!({ "k": 10 })), "try a smaller k");
    assert_eq!(
        remedy(400, "isomap", &json!({ "radius": 6.4, "components": "largest" })),
        "try a smaller radius"
    );
    assert_eq!(remedy(600, "tsne", &json!({ "perplexity": 9, "iterations": 2 })), "try fewer neighbors");
}

/// SMACOF reads a start in the unit of its map, t-SNE at a scale of its own; PCA has none.
#[test]
fn a_fit_starts_at_given_coordinates_or_goes_on_from_them() {
    let mut client = Client::default();
    client.generate("s-curve", 80);
    let data = datasets::generate("s-curve", 80, 0).unwrap();
    let map = PointSet::new(data.points.view().values()[..160].to_vec(), 2).unwrap();
    let mut fit = |name: &str, settings: &Value, (columns, goes_on): (usize, bool)| {
        let mut blocks = Blocks::default();
        let coordinates = blocks.f64(map.view().values());
        let start = json!({ "coordinates": coordinates, "columns": columns, "goes_on": goes_on });
        let request =
            json!({ "type": "fit", "data": "s-curve", "method": name, "settings": settings, "start": start });
        client.call(blocks, &request)
    };
    for (name, parameter, value) in [("smacof", "iterations", "20"), ("tsne", "perplexity", "9")] {
        let mut method = swissroll::method(name).unwrap();
        method.set_dyn(parameter, value).unwrap();
        let settings = json!({ parameter: value });
        let input = Input::from(&data.points).with_start(map.view());
        let expected = method.fit_dyn(&input).unwrap();
        let started = fit(name, &settings, (2, false));
        assert_eq!(started.reals("/coordinates"), expected.embedding().values(), "{name}");
        let note = method.start_note(&input).unwrap();
        assert!(started.at("/notes").as_array().unwrap().contains(&json!(note)), "{name}: {note}");
        let input = Input::from(&data.points).with_continued(map.view(), None);
        let expected = method.resumed_dyn().fit_dyn(&input).unwrap();
        let continued = fit(name, &settings, (2, true));
        assert_eq!(continued.reals("/coordinates"), expected.embedding().values(), "{name}");
    }
    assert_eq!(fit("smacof", &json!({}), (4, false)).header["kind"], "shape");
    assert_eq!(fit("pca", &json!({}), (2, false)).header["kind"], "degenerate");
}

/// Fixed rows keep their places in the start to the bit, while others move.
#[test]
fn listed_rows_keep_their_places_in_the_start() {
    let mut client = Client::default();
    client.generate("s-curve", 80);
    let data = datasets::generate("s-curve", 80, 0).unwrap();
    let map = data.points.view().values()[..160].to_vec();
    let mut fit = |name: &str, rows: &[u32]| {
        let mut blocks = Blocks::default();
        let start = json!({ "coordinates": blocks.f64(&map), "columns": 2 });
        let fixed = blocks.u32(rows);
        let settings = if name == "tsne" { json!({ "perplexity": "9" }) } else { json!({}) };
        let request = json!({
            "type": "fit", "data": "s-curve", "method": name, "settings": settings, "start": start, "fixed": fixed,
        });
        client.call(blocks, &request)
    };
    for name in ["tsne", "smacof"] {
        let found = fit(name, &[3, 70]).reals("/coordinates");
        for row in 0..80 {
            let same = found[2 * row..2 * row + 2] == map[2 * row..2 * row + 2];
            assert_eq!(same, row == 3 || row == 70, "{name}, row {row}");
        }
    }
    assert_eq!(fit("smacof", &[80]).header["kind"], "parameter");
    assert_eq!(fit("pca", &[3]).header["kind"], "degenerate");
    let all: Vec<u32> = (0..80).collect();
    assert_eq!(fit("smacof", &all).header["kind"], "degenerate");
}
