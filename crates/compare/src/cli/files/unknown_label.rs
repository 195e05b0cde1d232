//! `--unknown-label`: the label that stands for an unknown class.

use datasets::Labels;

use crate::Failure;

/// Marks the class of this name as unknown in every label set that has it.
///
/// Fails when there is no label set, and when none has that class.
pub(in crate::cli) fn mark<'a>(
    sets: impl Iterator<Item = &'a mut Labels>,
    label: &str,
) -> Result<(), Failure> {
    let mut sets: Vec<&mut Labels> = sets.collect();
    for labels in &mut sets {
        labels.mark_unknown(label);
    }
    let Some(first) = sets.first() else {
        return Err(Failure::usage("--unknown-label needs labels; give --labels or --label-column, too"));
    };
    if sets.iter().any(|labels| labels.unknown.is_some()) {
        return Ok(());
    }
    let some: Vec<&str> = first.classes.iter().take(5).map(String::as_str).collect();
    Err(Failure::usage(format!(
        "--unknown-label `{label}` is none of the {} labels; the first labels are {}",
        first.classes.len(),
        some.join(", ")
    )))
}
