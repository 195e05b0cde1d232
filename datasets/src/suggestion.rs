//! Suggestions for misspelled names.

/// Lists the valid names, with the nearest as suggestion.
pub(crate) fn one_of(got: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (distance(got, name), *name)).min();
    match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 3 => {
            format!("one of {} (did you mean `{name}`?)", known.join(", "))
        }
        _ => format!("one of {}", known.join(", ")),
    }
}

/// Returns the number of inserted, deleted or replaced characters (Levenshtein distance).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
