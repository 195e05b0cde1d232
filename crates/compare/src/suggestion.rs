//! Suggestions for misspelled names.

use crate::Failure;

/// Returns a usage error for a name that is not among the `known` ones, with a
/// suggestion.
pub(crate) fn unknown<'a>(what: &str, got: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known.iter().map(|name| (strsim::damerau_levenshtein(got, name), *name)).min();
    let guess = match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 3 => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    };
    Failure::usage(format!("unknown {what} `{got}`{guess}; known names: {}", known.join(", ")))
}
