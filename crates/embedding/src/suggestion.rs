//! The known name nearest to an unknown one.

/// The known name that was probably meant: the one with the smallest
/// Damerau–Levenshtein distance, if that is at most 1 + a third of its length;
/// of equally near names the first in the alphabet.
///
/// ```
/// assert_eq!(embedding::nearest_name("isomop", ["lle", "isomap"]), Some("isomap"));
/// assert_eq!(embedding::nearest_name("something else", ["lle", "isomap"]), None);
/// ```
pub fn nearest_name<'a>(got: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |name: &'a str| (strsim::damerau_levenshtein(got, name), name);
    let (edits, name) = known.into_iter().map(distance).min()?;
    (edits <= 1 + name.len() / 3).then_some(name)
}
