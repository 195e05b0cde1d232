//! Why a request is not answered.

use embedding::Error;
use serde_json::{Value, json};

/// A refusal or a failed computation, as in the message `failed`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// The request itself cannot be understood.
    Request(String),
    /// The library's error.
    Library(Error),
}

impl Failure {
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self::Request(message.into())
    }

    /// The answer to request `id`.
    pub(crate) fn answer(&self, id: &Value) -> Value {
        let (kind, message) = match self {
            Self::Request(message) => ("request", message.clone()),
            Self::Library(error) => (kind(error), error.to_string()),
        };
        let mut answer = json!({ "id": id, "type": "failed", "kind": kind, "message": message });
        if let Self::Library(Error::Parameter { name, .. }) = self {
            answer["parameter"] = json!(name);
        }
        answer
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

fn kind(error: &Error) -> &'static str {
    match error {
        Error::Parameter { .. } => "parameter",
        Error::NotFinite { .. } => "not_finite",
        Error::TooFewPoints { .. } => "too_few_points",
        Error::Shape { .. } => "shape",
        Error::Disconnected { .. } => "disconnected",
        Error::Degenerate { .. } => "degenerate",
        Error::NoConvergence { .. } => "no_convergence",
        Error::Memory { .. } => "memory",
        Error::Model { .. } => "model",
        Error::File { .. } => "file",
        Error::Component { problem, .. } => kind(problem),
        Error::Cancelled => "cancelled",
        _ => "other",
    }
}
