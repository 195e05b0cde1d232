//! Suggestions for misspelled names.

use crate::Failure;

/// Returns a usage error for a name that is not among the `known` ones, with a
/// suggestion.
pub(crate) fn unknown<'a>(what: &str, got: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.into_iter().collect();
    let guess = embedding::nearest_name(got, known.iter().copied())
        .map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
    Failure::usage(format!("unknown {what} `{got}`{guess}; known are {}", known.join(", ")))
}
