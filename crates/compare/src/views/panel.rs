//! The panel of a method, with its text.

use figure::color::{ALERT, SOFT};
use figure::number::{count, duration};
use figure::panel::Content;

use crate::results::{DatasetResults, MethodResults, Outcome};

use super::words;

/// What the panel of a method shows: its embedding, or the reason why there is
/// none.
pub(crate) fn content(method: &MethodResults) -> Content<'_> {
    if let Some(embedding) = &method.embedding {
        return Content::Map(embedding);
    }
    match &method.outcome {
        Outcome::Failed { reason } => Content::Message { heading: "failed", color: ALERT, text: reason },
        Outcome::Skipped { reason } => {
            Content::Message { heading: "not applicable", color: SOFT, text: reason }
        }
        Outcome::Done => {
            Content::Message { heading: "done", color: SOFT, text: "the coordinates were not kept" }
        }
    }
}

/// Says what a drawing of the embedding shows, for readers who cannot see it.
pub(crate) fn method_caption(method: &MethodResults) -> String {
    let name = words(&method.method);
    match (&method.embedding, method.outcome.reason()) {
        (Some(embedding), _) => {
            format!("{name}: {} points placed in {} dimensions", embedding.len(), embedding.dim())
        }
        (None, Some(reason)) => format!("{name}: no embedding, {reason}"),
        (None, None) => format!("{name}: no embedding kept"),
    }
}

/// The time a method took, after the number of points where these are not all.
pub(crate) fn effort(results: &DatasetResults, method: &MethodResults) -> String {
    match method.outcome {
        Outcome::Skipped { .. } => String::new(),
        _ if method.n == results.n => duration(method.seconds),
        _ => format!("n = {} · {}", count(method.n), duration(method.seconds)),
    }
}
