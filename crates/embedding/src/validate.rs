//! Validation of models that were read from bytes.

use crate::Error;

/// A value whose parts can be checked against each other.
///
/// The encoding of a saved model states types, but not the conditions between its parts:
/// as many training points as rows of coordinates, indices below their number, finite
/// numbers. [`persist::decode`](crate::persist::decode) returns a value only if
/// `validate` accepts it; nothing that it accepts panics later or places points by other
/// data than the model was fitted to.
pub trait Validate {
    /// Fails with [`Error::Model`] where parts contradict each other.
    fn validate(&self) -> Result<(), Error>;
}

/// Fails with [`Error::Model`] unless `holds`; `problem` states the fault.
pub fn require(holds: bool, problem: &str) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::damaged(problem)) }
}

/// Fails with [`Error::Model`] unless all values are finite; `what` names them.
pub fn require_finite<'a>(values: impl IntoIterator<Item = &'a f64>, what: &str) -> Result<(), Error> {
    match values.into_iter().find(|v| !v.is_finite()) {
        None => Ok(()),
        Some(value) => Err(Error::damaged(format!("{what} must be finite, but one is {value}"))),
    }
}
