//! Rows that are related to no other row, by `--unrelated-rows`.

use std::path::Path;

use embedding::{Error, Input};
use figure::number::counted;
use neighbor_graph::related_rows;

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::input;
use crate::cli::options::unrelated::Policy;
use crate::graph::listed;

/// The rows of `data`, of the file `path`, that stay, and a note on the others; `None` where all stay.
/// `row_of` is the row of the file of a row of the data.
///
/// Fails where rows are refused, and where none is left.
pub(in crate::cli) fn related(
    data: &Input<'_>,
    policy: Policy,
    path: &Path,
    row_of: impl Fn(u32) -> u32,
    context: &Context,
) -> Result<Option<(Vec<u32>, String)>, Failure> {
    if policy == Policy::Keep {
        return Ok(None);
    }
    let Some(related) = related_rows(&data.with_observer(&context.progress))? else { return Ok(None) };
    let others = (0..data.len() as u32).filter(|row| related.binary_search(row).is_err());
    let others: Vec<u32> = others.map(row_of).collect();
    let metric = data.metric();
    let found = format!(
        "{} related to no other by {metric} (counted from 0: {})",
        counted(others.len(), "row is", "rows are"),
        listed(&others)
    );
    if policy == Policy::Refuse {
        return Err(
            Error::file(path.display(), format!("{found}; --unrelated-rows drop leaves them out")).into()
        );
    }
    if related.is_empty() {
        return Err(Error::file(path.display(), format!("no row is related to another by {metric}")).into());
    }
    let note = format!("{found}, and left out");
    input::note(std::slice::from_ref(&note), path, context);
    Ok(Some((related, note)))
}
