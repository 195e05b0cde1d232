//! `compare dataset`.

use std::process::ExitCode;

use datasets::Request;
use datasets::files::WholeFiles;

use crate::Failure;
use crate::cli::Context;
use crate::cli::arguments::DatasetArguments;
use crate::cli::commands::run::info;
use crate::cli::files::outputs;

pub(in crate::cli) fn dataset(arguments: &DatasetArguments, context: &Context) -> Result<ExitCode, Failure> {
    let info = info(&arguments.name)?;
    let written = [
        ("--output", Some(&arguments.output)),
        ("--truth", arguments.truth.as_ref()),
        ("--labels", arguments.labels.as_ref()),
    ];
    let written = written.into_iter().filter_map(|(option, path)| Some((option, path?)));
    outputs::check([], written.clone())?;
    written.into_iter().try_for_each(|(option, path)| outputs::check_table(option, path))?;
    let request = Request {
        n: arguments.n,
        seed: arguments.seed,
        scale: arguments.scale,
        memory: context.memory,
        ..Request::default()
    };
    let data = info.load(&request)?;
    let missing = |what: &str| Failure::usage(format!("{} has no {what}; omit the option", info.name));
    let truth = match &arguments.truth {
        Some(path) => Some((path, data.truth.as_ref().ok_or_else(|| missing("true coordinates"))?)),
        None => None,
    };
    let labels = match &arguments.labels {
        Some(path) => Some((path, data.labels.first().ok_or_else(|| missing("labels"))?)),
        None => None,
    };
    let mut files = WholeFiles::default();
    files.write_points(&arguments.output, data.points.view())?;
    if let Some((path, truth)) = truth {
        files.write_points(path, truth.view())?;
    }
    if let Some((path, labels)) = labels {
        files.write_labels(path, labels)?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}
