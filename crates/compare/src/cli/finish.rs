//! The end of a run and of a study: the results are written and printed, and the checkpoint is removed.

use std::path::Path;
use std::process::ExitCode;

use figure::number::counted;

use super::context::Context;
use super::plot::{self, PictureFormat};
use super::standard_output::print;
use super::table;
use crate::checkpoint::Checkpoint;
use crate::failure::INTERRUPTED;
use crate::folder::Folder;
use crate::results::{Outcome, Results};
use crate::{Failure, output};

/// Removes the checkpoint of a complete run. After an interruption it notes how to go on, with the name
/// of the command and its output folder, if that was given.
pub(super) fn end_checkpoint(
    checkpoint: &Checkpoint,
    results: &Results,
    written: bool,
    (name, out): (&str, Option<&Path>),
    context: &Context,
) -> Result<(), Failure> {
    if results.interrupted.is_none() && written {
        checkpoint.remove()?;
    } else if checkpoint.holds_any() {
        let option = out.map(|out| format!(" --out {}", out.display())).unwrap_or_default();
        context
            .progress
            .line(format!("to go on without repeating what has finished: compare {name} --resume{option}"));
    }
    Ok(())
}

/// Notes where the report is.
pub(super) fn note_report(out: &Path, context: &Context) {
    context.progress.line(format!("wrote {}", out.join("report.html").display()));
}

/// Writes and prints the results; the status shows an interruption and a failed method.
pub(super) fn finish(
    results: &Results,
    mut folder: Folder,
    panels: Option<PictureFormat>,
    context: &Context,
) -> Result<ExitCode, Failure> {
    context.progress.begin("writing");
    output::write(results, &mut folder);
    if let Some(format) = panels {
        plot::panels(results, format, &mut folder);
    }
    context.progress.end();
    let old = output::left_over(folder.target(), results);
    let target = folder.target().to_owned();
    let printed = print(&table::of(results));
    folder.complete()?;
    printed?;
    if let [first, ..] = &old[..] {
        let files = counted(old.len(), "file", "files");
        context.progress.line(format!(
            "note: {} still holds {files} of an earlier run, such as {}",
            target.display(),
            first.display()
        ));
    }
    if let Some(sentence) = &results.interrupted {
        context.progress.line(sentence);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let failed = |outcome: &Outcome| matches!(outcome, Outcome::Failed { .. });
    let rows = results.datasets.iter().flat_map(|set| &set.methods);
    let swept = results.sweeps.iter().flat_map(|sweep| &sweep.runs).flat_map(|run| &run.methods);
    let any = rows.chain(swept).any(|row| failed(&row.outcome));
    Ok(ExitCode::from(u8::from(any)))
}
