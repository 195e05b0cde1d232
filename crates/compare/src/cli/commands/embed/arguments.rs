//! Options of `compare embed`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::options::labels::UnknownLabel;
use crate::cli::options::method::MethodOptions;
use crate::cli::options::metric::MetricOption;
use crate::cli::options::neighbors::{GraphOptions, NeighborSearch};
use crate::cli::options::reading::{ReadingOptions, With};
use crate::cli::options::unrelated::UnrelatedRows;
use crate::cli::options::values::{file, whole};

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Embed {
    /// The method; see `compare list methods`
    #[arg(long, value_name = "M", required_unless_present = "go_on")]
    pub(in crate::cli) method: Option<String>,
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Output file of the coordinates
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) with: With,
    /// Class labels, one per point, for supervised methods
    #[arg(long, value_name = "FILE", value_parser = file())]
    pub(in crate::cli) labels: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) unknown: UnknownLabel,
    /// The column that holds a weight per row, above 0, which counts as a number of copies of the row: a name, or a
    /// number counted from 0. For pca, lda, kernel-pca and classical-mds
    #[arg(long, value_name = "COLUMN", conflicts_with = "fit_on")]
    pub(in crate::cli) weight_column: Option<String>,
    /// The column of a continuous target, which supervises UMAP and densMAP with --set target-weight=0.2: a
    /// name, or a number counted from 0. It is no coordinate, empty cells are unknown, and pictures are colored
    /// by it
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) target_column: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) method_options: MethodOptions,
    /// Set a parameter, also as METHOD.PARAM=VALUE; may be repeated
    #[arg(long, value_name = "PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) distance: MetricOption,
    #[command(flatten)]
    pub(in crate::cli) unrelated: UnrelatedRows,
    #[command(flatten)]
    pub(in crate::cli) graph: GraphOptions,
    #[command(flatten)]
    pub(in crate::cli) search: NeighborSearch,
    /// Start an iterative method at these coordinates, such as the output of an earlier fit; rows
    /// are matched by the names of --name-column, in any order, or row by row where there are none
    #[arg(long, value_name = "FILE", value_parser = file(), conflicts_with = "fit_on")]
    pub(in crate::cli) start: Option<PathBuf>,
    /// Rows that keep their places in the start while the others move: one per line, by the names of
    /// --name-column, or by row, counted from 0. The start is then used unchanged
    #[arg(long, value_name = "FILE", value_parser = file(), requires = "start")]
    pub(in crate::cli) fixed: Option<PathBuf>,
    /// Go on with the fit of a saved model of the same input, from its map, with its method and
    /// parameters; --set may change parameters
    #[arg(long = "continue", value_name = "MODEL", conflicts_with_all = ["start", "fixed", "fit_on"])]
    pub(in crate::cli) go_on: Option<PathBuf>,
    /// Fit to a sample of N rows and place all rows by its model; the error of that is
    /// measured by a second fit without a fifth of the sample
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) fit_on: Option<usize>,
    /// Output file of the fitted model, for `compare transform`; with it, how far the model puts
    /// training rows from their places is measured
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) save: Option<PathBuf>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Where a picture of the map goes, colored by class where there are classes
    #[arg(long, value_name = "FILE.png|svg")]
    pub(in crate::cli) plot: Option<PathBuf>,
    /// The title of the picture [default: method and file]
    #[arg(long, value_name = "TEXT", requires = "plot")]
    pub(in crate::cli) title: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}
