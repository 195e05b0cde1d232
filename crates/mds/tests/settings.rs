//! Settings by text and by JSON.

use embedding::Value;
use mds::{Smacof, Start};

#[test]
fn starts_read_back() {
    for start in [Start::Classical, Start::Random { seed: 7, runs: 3 }] {
        assert_eq!(<Start as Value>::read(&start.show()), Some(start));
    }
}

#[test]
fn settings_of_unknown_names_are_refused() {
    let read = |text| serde_json::from_str::<Smacof>(text).map_err(|error| error.to_string());
    assert_eq!(read(r#"{"max_iterations": 7}"#), Ok(Smacof { max_iterations: 7, ..Smacof::default() }));
    assert!(read(r#"{"max_iteration": 7}"#).is_err_and(|error| error.contains("unknown field")));
}
