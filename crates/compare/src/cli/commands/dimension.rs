//! `compare dimension`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::WholeFiles;
use embedding::{Error, Input, Metric};
use neighbor_graph::NeighborSearch;
use quality::dimension::{Estimator, Evidence, estimators};
use serde_json::{Map, json};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::{input, outputs, per_point, suspicious};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::whole;
use crate::cli::standard_output::print;

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Dimension {
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Neighbors per point
    #[arg(long, value_name = "K", default_value_t = 15, value_parser = whole::<usize>)]
    pub(in crate::cli) k: usize,
    /// Output file (.csv or .tsv) of the estimates around every point: its row, its name where the input
    /// has names, and one column per estimator that is local
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) per_point: Option<PathBuf>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn dimension(options: &Dimension, context: &Context) -> Result<ExitCode, Failure> {
    let Dimension { input: path, k, .. } = options;
    let local = options.per_point.iter().map(|path| ("--per-point", path));
    outputs::check([path], local.chain(options.report.iter().map(|path| ("--report", path))))?;
    if let Some(path) = &options.per_point {
        per_point::check("--per-point", path)?;
    }
    let reading = options.reading.for_metric(Metric::Euclidean, None)?;
    let table = input::read_points(path, &[], &reading, context)?;
    input::note(&suspicious::notes(&table, Metric::Euclidean, suspicious::Use::Measures), path, context);
    let points = table.points.view();
    context.progress.begin("estimating");
    let searched = Input::from(points).with_memory_limit(context.memory).with_observer(&context.progress);
    let neighbors = NeighborSearch::nearest(*k).find(searched)?;
    let evidence = Evidence { points, neighbors: &neighbors, memory_limit: context.memory };
    let estimates = estimates(&evidence)?;
    let mut files = WholeFiles::default();
    if let Some(path) = &options.per_point {
        let mut columns = Vec::new();
        for estimator in estimators() {
            if let Some(values) = estimator.of_rows(&evidence)? {
                columns.push((estimator.name, values));
            }
        }
        let columns: Vec<(&str, &[Option<f64>])> =
            columns.iter().map(|(name, values)| (*name, &values[..])).collect();
        let rows: Vec<u32> = (0..points.len() as u32).collect();
        let rows = (&rows[..], table.kept.as_deref(), table.row_names.as_ref());
        per_point::write(&mut files, path, rows, &columns)?;
    }
    context.progress.end();
    if let Some(path) = &options.report {
        let of = |estimate: &Result<f64, Error>| estimate.as_ref().map_or(json!(null), |value| json!(value));
        let values = estimates.iter().map(|(estimator, value)| (estimator.name.to_owned(), of(value)));
        let report = json!({
            "n": points.len(),
            "D": points.dim(),
            "k": k,
            "estimates": values.collect::<Map<_, _>>(),
        });
        files.write(path, |file| file.write_all(crate::output::json(&report).as_bytes()))?;
    }
    files.complete()?;
    print(&text(options, (points.len(), points.dim()), &estimates))?;
    Ok(ExitCode::SUCCESS)
}

/// An estimator, and its estimate or why there is none.
type Estimate = (&'static Estimator, Result<f64, Error>);

/// All estimates; undefined ones as errors. Fails where none is defined.
fn estimates(evidence: &Evidence<'_>) -> Result<Vec<Estimate>, Error> {
    let mut estimates = Vec::new();
    for estimator in estimators() {
        let estimate = match estimator.estimate(evidence) {
            Err(error @ (Error::Degenerate { .. } | Error::TooFewPoints { .. })) => Err(error),
            other => Ok(other?),
        };
        estimates.push((estimator, estimate));
    }
    if estimates.iter().all(|(_, estimate)| estimate.is_err()) {
        estimates.remove(0).1?;
    }
    Ok(estimates)
}

/// A heading, and one line per estimator with what it computes and assumes.
fn text(options: &Dimension, (n, columns): (usize, usize), estimates: &[Estimate]) -> String {
    let mut text = format!(
        "Intrinsic dimension of {}: {n} points, {columns} columns, {} neighbors\n",
        input::name(&options.input),
        options.k
    );
    for (estimator, estimate) in estimates {
        let Estimator { name, meaning, assumes, .. } = estimator;
        let value = estimate.as_ref().map_or("undefined".to_owned(), |value| format!("{value:.2}"));
        text += &format!("\n{name:<22}{value:>9}\n  {meaning}\n");
        text += &match estimate {
            Ok(_) => format!("  assumes {assumes}\n"),
            Err(error) => format!("  {error}\n"),
        };
    }
    text
}
