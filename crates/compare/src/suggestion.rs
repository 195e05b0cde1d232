//! "Did you mean": the nearest known name.

use crate::Failure;

/// The usage error for a name that is not among the `known` ones.
pub(crate) fn unknown<'a>(what: &str, got: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.into_iter().collect();
    let guess = embedding::nearest_name(got, known.iter().copied())
        .map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
    Failure::usage(format!("unknown {what} `{got}`{guess}; known are {}", known.join(", ")))
}
