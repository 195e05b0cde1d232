//! Saved models with one value changed.

use embedding::implement::Validate;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Checks that a model is refused, by its encoding or by [`Validate`], with any one of the given values
/// replaced. Each value is a path of names and positions (`/landmarks/rows/0`) with its replacement. The
/// unchanged model must be read.
pub fn refuses_damage<T: Serialize + DeserializeOwned + Validate>(model: &T, damages: &[(&str, Value)]) {
    let saved = serde_json::to_value(model).expect("a model has an encoding");
    let read = |value: Value| -> Result<(), String> {
        let read: T = serde_json::from_value(value).map_err(|error| error.to_string())?;
        read.validate().map_err(|error| error.to_string())
    };
    assert_eq!(read(saved.clone()), Ok(()), "the undamaged model");
    for (path, value) in damages {
        let mut damaged = saved.clone();
        let place = damaged.pointer_mut(path).unwrap_or_else(|| panic!("no {path} in {saved:#}"));
        assert_ne!(place, value, "{path} has this value");
        *place = value.clone();
        assert!(read(damaged).is_err(), "{path} = {value} is accepted");
    }
}
