//! Options of `compare run`.

use std::path::PathBuf;

use clap::Args;

use super::grid::Grid;
use crate::cli::options::measure_k::MeasureK;
use crate::cli::options::method::MapOptions;
use crate::cli::options::metric::MetricOption;
use crate::cli::options::neighbors::{GraphOptions, NeighborSearch};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::typed::Typed;
use crate::cli::options::unrelated::UnrelatedRows;
use crate::cli::options::user_files::UserFiles;
use crate::cli::plot::PictureFormat;

#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct Run {
    #[command(flatten)]
    pub(in crate::cli) typed: Typed,
    /// Data sets, separated by commas, or `all`, or `failures`, those on which methods fail,
    /// with what to expect [default: swiss-roll, s-curve, digits, mnist]
    #[arg(long, value_delimiter = ',', value_name = "A,B", conflicts_with = "input")]
    pub(in crate::cli) datasets: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) files: UserFiles,
    /// Methods, separated by commas, or `all` [default: sixteen, one of each idea]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(in crate::cli) methods: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) grid: Grid,
    #[command(flatten)]
    pub(in crate::cli) map: MapOptions,
    #[command(flatten)]
    pub(in crate::cli) measures: MeasureK,
    #[command(flatten)]
    pub(in crate::cli) distance: MetricOption,
    #[command(flatten)]
    pub(in crate::cli) unrelated: UnrelatedRows,
    #[command(flatten)]
    pub(in crate::cli) search: NeighborSearch,
    #[command(flatten)]
    pub(in crate::cli) graph: GraphOptions,
    /// Output folder [default: out]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    /// Score how far the points of each map jump when their data change a little, and mark them in
    /// the report; for layouts this takes as long as several fits
    #[arg(long)]
    pub(in crate::cli) trust: bool,
    /// Write each map as a picture of its own too, into the folder `panels`
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(in crate::cli) panels: Option<PictureFormat>,
    /// Run again what a results.json of an earlier run records; only --out may differ
    #[arg(long, value_name = "results.json")]
    pub(in crate::cli) from: Option<PathBuf>,
    /// Go on with the run that was interrupted in the output folder, without repeating
    /// what has finished; only --out may be given with it
    #[arg(long, conflicts_with = "from")]
    pub(in crate::cli) resume: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}
