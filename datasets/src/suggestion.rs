//! Suggestions for misspelled names.

/// Lists the valid names, with the nearest as suggestion.
pub(crate) fn one_of(got: &str, known: &[&str]) -> String {
    let known_names = known.join(", ");
    match embedding::nearest_name(got, known.iter().copied()) {
        Some(name) => format!("one of {known_names} (did you mean `{name}`?)"),
        None => format!("one of {known_names}"),
    }
}
