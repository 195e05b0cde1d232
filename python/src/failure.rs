//! The library's error as exceptions of Python.

use embedding::Error;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    swissroll,
    ParameterError,
    PyValueError,
    "A parameter outside its range: its name in the registry, the legal range, and the value."
);
create_exception!(swissroll, ConvergenceError, PyRuntimeError, "An iteration did not reach its tolerance.");
create_exception!(swissroll, DisconnectedError, PyValueError, "The neighbor graph is disconnected.");

/// The exception with the error's own sentence. Of a parameter, the parts of the sentence,
/// so that Python can put the name that its caller used.
pub(crate) fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    let kind = match error {
        // A parameter that does not suit one component keeps the sentence about the component.
        Error::Component { problem, .. } if !matches!(*problem, Error::Parameter { .. }) => *problem,
        other => other,
    };
    match kind {
        Error::Parameter { name, requirement, got } => ParameterError::new_err((name, requirement, got)),
        Error::NoConvergence { .. } => ConvergenceError::new_err(text),
        Error::Disconnected { .. } => DisconnectedError::new_err(text),
        Error::Memory { .. } => PyMemoryError::new_err(text),
        Error::File { .. } => PyOSError::new_err(text),
        Error::Cancelled => PyKeyboardInterrupt::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
