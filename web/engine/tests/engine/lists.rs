//! Lists of methods, data sets and measures.

use serde_json::json;

use crate::client::{Client, names};

#[test]
fn every_method_of_the_registry_is_described() {
    let description = Client::default().ask(&json!({ "type": "describe" }));
    let expected: Vec<&str> = swissroll::methods().map(|method| method.about().name).collect();
    assert_eq!(names(description.at("/methods")), expected);
    for (described, method) in description.at("/methods").as_array().unwrap().iter().zip(swissroll::methods())
    {
        let parameters = method.parameters();
        assert_eq!(names(&described["parameters"]).len(), parameters.len());
        for (described, info) in described["parameters"].as_array().unwrap().iter().zip(parameters) {
            assert_eq!(
                (&described["name"], &described["default"]),
                (&json!(info.name), &json!(info.default))
            );
            assert_eq!(described["legal"], info.legal);
        }
        assert_eq!(described["accepts"], json!(method.about().accepts));
        assert_eq!(names(&described["facts"]).len(), method.facts().len());
    }
}

#[test]
fn every_data_set_is_described_with_the_names_of_its_coordinates() {
    let description = Client::default().ask(&json!({ "type": "describe" }));
    let described = description.at("/datasets").as_array().unwrap();
    let expected: Vec<&str> = datasets::list().iter().map(|info| info.name).collect();
    assert_eq!(names(description.at("/datasets")), expected);
    let roll = described.iter().find(|set| set["name"] == "swiss-roll").unwrap();
    assert_eq!(roll["truth_names"], json!(["arc length", "height"]));
    assert_eq!(roll["geometry"], "isometric");
    assert_eq!(names(&roll["parameters"]), ["n", "noise", "seed"]);
    let pictures = described.iter().find(|set| !set["default_scale"].is_null()).unwrap();
    assert_eq!(names(&pictures["parameters"]), ["n", "noise", "seed", "scale"]);
    let mut with_truth = 0;
    for set in described {
        let names = set["truth_names"].as_array().unwrap().len();
        assert!(names == 0 || json!(names) == set["truth_columns"], "{}", set["name"]);
        with_truth += usize::from(names > 0);
    }
    assert!(with_truth > 15, "{with_truth}");
}

#[test]
fn every_measure_is_described() {
    let description = Client::default().ask(&json!({ "type": "describe" }));
    let expected: Vec<&str> = quality::measures().iter().map(|measure| measure.name).collect();
    assert_eq!(names(description.at("/measures")), expected);
    let of_maps = quality::point_measures().iter().map(|measure| measure.name);
    let expected: Vec<&str> = of_maps.clone().chain(["perturbation", "roundness"]).collect();
    assert_eq!(names(description.at("/per_point")), expected);
    let needs = |at: usize| description.at(&format!("/per_point/{at}/needs_model")).as_bool();
    assert!((0..expected.len()).all(|at| needs(at) == Some(at >= of_maps.len())));
    assert_eq!(description.at("/measures/0/better"), "higher");
}

#[test]
fn ranges_are_those_of_the_data() {
    let mut client = Client::default();
    client.generate("swiss-roll", 80);
    for method in swissroll::methods() {
        let name = method.about().name;
        let answer = client.ask(&json!({ "type": "ranges", "data": "swiss-roll", "method": name }));
        let ranges = answer.at("/parameters").as_array().unwrap();
        assert_eq!(ranges.len(), method.parameters().len());
        for (range, info) in ranges.iter().zip(method.parameters()) {
            assert_eq!(
                (&range["name"], &range["value"]),
                (&json!(info.name), &json!(info.default)),
                "{name}"
            );
            if ["isomap", "lle"].contains(&name) && info.name == "k" {
                assert_eq!((&range["low"], &range["high"]), (&json!(1.0), &json!(79.0)), "{name}");
                assert_eq!(range["low_open"], false);
            }
        }
    }
    // The range depends on the settings: LTSA has at most k - 1 coordinates.
    let few = json!({ "type": "ranges", "data": "swiss-roll", "method": "ltsa", "settings": { "k": 7 } });
    let answer = client.ask(&few);
    let of = |name: &str| {
        let ranges = answer.at("/parameters").as_array().unwrap();
        ranges.iter().find(|range| range["name"] == name).unwrap().clone()
    };
    assert_eq!(of("k")["value"], "7");
    assert!(of("dim")["high"].as_f64().unwrap() < 7.0, "{}", of("dim"));
}
