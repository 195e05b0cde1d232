//! `compare neighbors`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::{SparseTable, Table, WholeFiles};
use embedding::mixed::MixedColumns;
use embedding::{Error, Input, PointSet};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::{input, outputs, suspicious};
use crate::cli::options::metric::MetricOption;
use crate::cli::options::neighbors::NeighborSearch;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::whole;
use crate::graph::approximate;
use crate::memory::Peak;
use crate::output::json;
use crate::stopwatch::{Stopwatch, Times};

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Neighbors {
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Neighbors per point
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(in crate::cli) k: usize,
    #[command(flatten)]
    pub(in crate::cli) distance: MetricOption,
    #[command(flatten)]
    pub(in crate::cli) search: NeighborSearch,
    /// Output file of the neighbors' row indices, nearest first, counted from 0; with --missing
    /// drop and --drop-zero-rows they count the rows that are kept, and --report lists the others
    #[arg(long, value_name = "INDICES")]
    pub(in crate::cli) output: PathBuf,
    /// Output file of the distances
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) distances: Option<PathBuf>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn neighbors(options: &Neighbors, context: &Context) -> Result<ExitCode, Failure> {
    let k = options.k;
    let distances = options.distances.iter().map(|path| ("--distances", path));
    let tables = std::iter::once(("--output", &options.output)).chain(distances);
    let report = options.report.iter().map(|path| ("--report", path));
    outputs::check([&options.input], tables.clone().chain(report))?;
    tables.clone().try_for_each(|(option, path)| outputs::check_table(option, path))?;
    let (path, reading, metric) = (&options.input, &options.reading, options.distance.metric);
    let sparse = input::read_sparse(path, reading, metric, context)?;
    let dense = match &sparse {
        Some(_) => None,
        None => Some(input::read_points(path, &[], &reading.for_metric(metric, None)?, context)?),
    };
    if let Some(table) = &dense {
        input::note(&suspicious::notes(table, metric, suspicious::Use::Search), path, context);
    }
    let points = dense.as_ref().map(|table| table.points.view());
    let input = sparse.as_ref().map(|table| Input::from(table.points.view()));
    let input = input.or(points.map(Input::from)).ok_or_else(Error::no_points)?;
    let mixed = dense.as_ref().and_then(|table| table.mixed.as_ref());
    let columns = sparse.as_ref().map(|table| table.points.view().dim());
    let columns = columns.or(mixed.map(MixedColumns::len)).or(points.map(|points| points.dim()));
    context.progress.begin("neighbors");
    let peak = Peak::start();
    let search = Stopwatch::start(&context.progress);
    let input = input.with_metric(metric).with_memory_limit(context.memory).with_observer(&search);
    let n = input.len();
    // The lists, and the indices and distances that are written.
    const NEIGHBOR: u64 = 2 * (size_of::<u32>() + size_of::<f64>()) as u64;
    let needed = NEIGHBOR.saturating_mul(n as u64).saturating_mul(k.min(n) as u64);
    let stage = format!("the lists of {k} neighbors of {n} points");
    context.memory.allow(stage, needed, "use a smaller --k, or fewer points")?;
    let (lists, recall) = match options.search.neighbor_recall {
        Some(goal) => {
            let (lists, recall) = approximate(&input, k, goal)?;
            context.progress.line(format!("note: {recall}"));
            (lists, recall.measured)
        }
        None => (neighbor_graph::NeighborSearch::nearest(k).find(input)?, 1.0),
    };
    let Times { seconds, .. } = search.stop();
    let peak = peak.and_then(|peak| peak.bytes());
    context.progress.end();
    let all = || (0..lists.len()).map(|i| lists.of(i));
    let mut indices: Vec<u32> = Vec::with_capacity(n * k);
    all().for_each(|list| indices.extend(list.0));
    let mut distances: Vec<f64> = Vec::with_capacity(n * k);
    all().for_each(|list| distances.extend(list.1));
    let distances = PointSet::new(distances, k)?;
    let mut files = WholeFiles::default();
    files.write_indices(&options.output, k, &indices)?;
    if let Some(path) = &options.distances {
        files.write_points(path, distances.view())?;
    }
    if let Some(path) = &options.report {
        let mut report = serde_json::json!({
            "n": lists.len(),
            "D": columns,
            "k": k,
            "metric": metric.to_string(),
            "found_by": lists.found_by(),
            "recall": recall,
            "seconds": seconds,
            "peak_memory_bytes": peak,
        });
        let left_out = sparse.as_ref().map(SparseTable::left_out).or(dense.as_ref().map(Table::left_out));
        if let Some(left_out) = left_out.filter(|rows| !rows.is_empty()) {
            report["left_out_rows"] = left_out.into();
        }
        files.write(path, |file| file.write_all(json(&report).as_bytes()))?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}
