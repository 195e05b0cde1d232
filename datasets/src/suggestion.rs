//! "Did you mean": the nearest known name.

/// The sentence that lists the legal names, the nearest first.
pub(crate) fn one_of(got: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (distance(got, name), *name)).min();
    match nearest {
        Some((edits, name)) if edits <= near(got, name) => {
            format!("one of {} (did you mean `{name}`?)", known.join(", "))
        }
        _ => format!("one of {}", known.join(", ")),
    }
}

/// The number of edits up to which a name is likely meant: one in four
/// characters, at least one.
fn near(got: &str, name: &str) -> usize {
    (got.chars().count().max(name.chars().count()) / 4).max(1)
}

/// The number of inserted, deleted or replaced characters (Levenshtein).
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
