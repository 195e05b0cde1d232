//! `compare dataset`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::Request;
use datasets::files::WholeFiles;

use crate::cli::context::Context;
use crate::cli::files::outputs;
use crate::cli::options::values::{scale, seed, whole};
use crate::{Failure, dataset_names};

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Dataset {
    /// The data set; see `compare list datasets`
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: String,
    /// Number of points [default: depends on the data set]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    /// Scale of rendered images, from 0.05 to 4; 1 is full size [default: depends on the
    /// data set]
    #[arg(long, value_name = "SCALE", value_parser = scale)]
    pub(in crate::cli) scale: Option<f64>,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = seed)]
    pub(in crate::cli) seed: u64,
    /// Output file of the points
    #[arg(long, value_name = "X")]
    pub(in crate::cli) output: PathBuf,
    /// Output file of the true coordinates
    #[arg(long, value_name = "T")]
    pub(in crate::cli) truth: Option<PathBuf>,
    /// Output file of the class labels: names in a text file, numbers in an array
    #[arg(long, value_name = "L")]
    pub(in crate::cli) labels: Option<PathBuf>,
}

pub(super) fn dataset(options: &Dataset, context: &Context) -> Result<ExitCode, Failure> {
    let info = dataset_names::find(&options.name)?;
    let written = [
        ("--output", Some(&options.output)),
        ("--truth", options.truth.as_ref()),
        ("--labels", options.labels.as_ref()),
    ];
    let written = written.into_iter().filter_map(|(option, path)| Some((option, path?)));
    outputs::check([], written.clone())?;
    written.into_iter().try_for_each(|(option, path)| outputs::check_table(option, path))?;
    let request = Request {
        n: options.n,
        seed: options.seed,
        scale: options.scale,
        memory: context.memory,
        ..Request::default()
    };
    let data = info.load(&request)?;
    let missing = |what: &str| Failure::usage(format!("{} has no {what}; omit the option", info.name));
    let truth = match &options.truth {
        Some(path) => Some((path, data.truth.as_ref().ok_or_else(|| missing("true coordinates"))?)),
        None => None,
    };
    let labels = match &options.labels {
        Some(path) => Some((path, data.labels.first().ok_or_else(|| missing("labels"))?)),
        None => None,
    };
    let mut files = WholeFiles::default();
    files.write_points(&options.output, data.points.view())?;
    if let Some((path, truth)) = truth {
        files.write_points(path, truth.view())?;
    }
    if let Some((path, labels)) = labels {
        files.write_labels(path, labels)?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}
