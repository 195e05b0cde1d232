//! Settings by text and by JSON.

use embedding::implement::Value;
use mds::{Smacof, Start};
use spectral::Tolerance;

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

#[test]
fn tolerances_read_back_with_both_of_their_numbers() -> Result<(), Box<dyn std::error::Error>> {
    let tolerance = Tolerance::new(1e-3)?.with_applications(7);
    assert_eq!(serde_json::from_str::<Tolerance>(&serde_json::to_string(&tolerance)?)?, tolerance);
    for text in [r#"{"residual": -1e-3, "applications": 7}"#, r#"{"residual": 0.0, "applications": 7}"#] {
        assert!(serde_json::from_str::<Tolerance>(text).is_err(), "{text}");
    }
    Ok(())
}
