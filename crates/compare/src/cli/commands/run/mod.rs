//! `compare run`.

pub(super) mod arguments;
mod grid;
mod plan;
mod recorded;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use embedding::Error;

use self::arguments::Run;
use self::recorded::Recorded;
use crate::checkpoint::Checkpoint;
use crate::cli::context::Context;
use crate::cli::files::outputs;
use crate::cli::finish::{end_checkpoint, finish, note_report};
use crate::cli::options::user_files::UserFiles;
use crate::cli::plot;
use crate::cli::recorded_command::parse;
use crate::cli::words::{command, typed};
use crate::folder::Folder;
use crate::run::{Plan, PlannedDataset, run as run_plan};
use crate::{Failure, output};

/// The default output folder.
const OUT: &str = "out";

/// Runs the command.
pub(super) fn run(options: &Run, context: &Context) -> Result<ExitCode, Failure> {
    let out = options.out.as_deref().unwrap_or(Path::new(OUT));
    if options.resume {
        options.typed.alone("resume", "--resume goes on with a run as it was")?;
        let (checkpoint, words) = Checkpoint::resume(out)?;
        let fail = |problem| Error::file(out.display(), problem);
        let Some(earlier) = parse::<Run>("run", &words).map_err(fail)? else {
            let problem = "holds an unfinished study; go on with it by `compare study --resume`".to_owned();
            return Err(fail(problem).into());
        };
        let earlier = Run { out: options.out.clone(), ..earlier };
        return run_words(&earlier, words, Some(checkpoint), &[], context);
    }
    match &options.from {
        Some(path) => {
            options.typed.alone("from", "--from repeats a run as it was")?;
            let Recorded { words, run, data } = Recorded::read(path, options.out.as_deref())?;
            run_words(&run, words, None, &data, context)
        }
        None => run_words(options, typed(), None, &[], context),
    }
}

/// Runs a command line, given as words; `data` are the checksums of a recorded run.
fn run_words(
    options: &Run,
    words: Vec<String>,
    earlier: Option<Checkpoint>,
    data: &[(String, String)],
    context: &Context,
) -> Result<ExitCode, Failure> {
    let out = options.out.as_deref().unwrap_or(Path::new(OUT));
    let plan = Plan { command: command(&words), arguments: words, ..plan::plan(options, context)? };
    for note in grid::same_in_every_draw(&plan.grid) {
        context.progress.line(format!("note: {note}"));
    }
    let folder = Folder::prepare(out)?;
    keep_inputs(options, &plan, out)?;
    let checkpoint = match earlier {
        Some(checkpoint) => checkpoint,
        None => Checkpoint::begin(out, &plan.arguments)?,
    };
    let results = run_plan(plan, Some(&checkpoint), &context.progress)?;
    recorded::compare_with(data, &results, context);
    let finished = finish(&results, folder, options.panels, context);
    end_checkpoint(&checkpoint, &results, finished.is_ok(), ("run", options.out.as_deref()), context)?;
    let code = finished?;
    note_report(out, context);
    Ok(code)
}

/// Refuses an output folder in which a file of the run would replace an input, or cannot be
/// written because a folder is in its place.
fn keep_inputs(options: &Run, plan: &Plan, out: &Path) -> Result<(), Failure> {
    let methods: Vec<&str> = plan.grid[0].methods.iter().map(|planned| planned.method.about().name).collect();
    let names = || plan.datasets.iter().map(PlannedDataset::name);
    let mut files = output::written(names(), &methods);
    if plan.grid.len() > 1 {
        files.extend(output::of_sweeps());
    }
    files.extend(options.panels.into_iter().flat_map(|format| plot::panel_names(names(), &methods, format)));
    let written: Vec<PathBuf> = files.into_iter().map(|file| out.join(file)).collect();
    let UserFiles { input, labels, images, .. } = &options.files;
    let inputs = input.iter().chain(labels).chain(images);
    outputs::keep_apart(inputs, written.iter().map(|path| ("output", path)))
}
