//! Classes from the words or numbers of labels.

use std::path::Path;

use embedding::{Error, Points};

use crate::Labels;

/// Labels from numbers: a class for each distinct one, ascending.
pub(super) fn numbered(path: &Path, points: Points<'_>) -> Result<Labels, Error> {
    if points.dim() != 1 {
        return Err(Error::file(
            path.display(),
            format!("labels must be one column, but there are {}", points.dim()),
        ));
    }
    numbers("label", points.values()).map_err(|problem| Error::file(path.display(), problem))
}

/// A class for each distinct number, ascending.
fn numbers(name: &str, values: &[f64]) -> Result<Labels, String> {
    if let Some(row) = values.iter().position(|value| value.fract() != 0.0) {
        let value = values[row];
        return Err(format!(
            "labels must be whole numbers or words, but row {row} (counted from 0) is {value}"
        ));
    }
    let mut distinct = values.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let values = values.iter().map(|value| distinct.partition_point(|other| other < value) as u32).collect();
    Ok(Labels::new(name, distinct.iter().map(f64::to_string), values))
}

/// Classes of words: numbers ascending, where all are, else words in order of
/// first appearance.
pub(super) fn worded(name: &str, words: Vec<String>) -> Result<Labels, String> {
    let parsed: Option<Vec<f64>> =
        words.iter().map(|word| word.parse().ok().filter(|value: &f64| value.is_finite())).collect();
    if let Some(values) = parsed {
        return numbers(name, &values);
    }
    let mut classes: Vec<String> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let values = words
        .into_iter()
        .map(|word| {
            *known.entry(word).or_insert_with_key(|word| {
                classes.push(word.clone());
                classes.len() as u32 - 1
            })
        })
        .collect();
    Ok(Labels::new(name, classes, values))
}
