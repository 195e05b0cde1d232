//! The known name nearest to an unknown one.

/// The known name that was probably meant: the shortest that contains what was typed, if
/// that has at least three letters; otherwise the one with the smallest
/// Damerau–Levenshtein distance, if that is at most one in four characters of the longer
/// name, and at least one. Case, hyphens, underscores and spaces do not count. Among
/// equally near names the first in the alphabet wins.
///
/// ```
/// assert_eq!(embedding::implement::nearest_name("ica", ["pca", "fast-ica"]), Some("fast-ica"));
/// assert_eq!(embedding::implement::nearest_name("isomop", ["lle", "isomap"]), Some("isomap"));
/// assert_eq!(embedding::implement::nearest_name("umap", ["lle", "isomap"]), None);
/// ```
pub fn nearest_name<'a>(got: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = letters(got);
    let known: Vec<&str> = known.into_iter().collect();
    let containing = known.iter().copied().filter(|name| letters(name).contains(&typed));
    if typed.chars().count() >= PART
        && let Some(name) = containing.min_by_key(|name| (letters(name).chars().count(), *name))
    {
        return Some(name);
    }
    let distance = |name: &'a str| (strsim::damerau_levenshtein(&typed, &letters(name)), name);
    let (edits, name) = known.into_iter().map(distance).min()?;
    let longer = typed.chars().count().max(letters(name).chars().count());
    (edits <= (longer / 4).max(1)).then_some(name)
}

/// Letters from which on a part of a name is meant to be one.
const PART: usize = 3;

/// A name in lower case without hyphens, underscores and spaces.
fn letters(name: &str) -> String {
    let kept = name.chars().filter(|c| !['-', '_', ' '].contains(c));
    kept.flat_map(char::to_lowercase).collect()
}
