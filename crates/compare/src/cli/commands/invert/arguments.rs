//! Options of `compare invert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use embedding::implement::Value;

use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::{file, number, pair, parts, seed, whole};

/// Rows of the output are decoded places. Of a grid, cells far from every point of the map are
/// left out; of a cell that has points, but not near its center, their mean is decoded. The error
/// is measured by decoding points of the map by the others.
#[derive(Args)]
#[group(skip)]
// Refused with the reason.
#[command(mut_arg("standardize", |arg| arg.hide(true)), mut_arg("weights", |arg| arg.hide(true)), mut_arg("asymmetric", |arg| arg.hide(true)))]
pub(in crate::cli) struct Invert {
    /// The data of the map, one row per row of the map; of a saved linear map without --places
    /// and --grid, the places
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: Option<PathBuf>,
    /// A named data set instead of --input; see `compare list datasets`
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    pub(in crate::cli) dataset: Option<String>,
    /// Number of points of the data set
    #[arg(long, value_name = "N", requires = "dataset", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    /// Class labels, one per row of --input, for the colors of the picture
    #[arg(long, value_name = "FILE", requires = "input", value_parser = file())]
    pub(in crate::cli) labels: Option<PathBuf>,
    /// The map, one row per row of the data
    #[arg(long, value_name = "FILE", required_unless_present = "model")]
    pub(in crate::cli) embedding: Option<PathBuf>,
    /// A model written by `compare embed --save`, instead of --embedding
    #[arg(long, value_name = "MODEL", conflicts_with = "embedding")]
    pub(in crate::cli) model: Option<PathBuf>,
    /// The places to decode, one per row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) places: Option<PathBuf>,
    /// Decode the centers of this many cells over the extent of a map of two columns
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = grid, conflicts_with = "places")]
    pub(in crate::cli) grid: Option<[usize; 2]>,
    /// How places are decoded [default: barycentric; linear where a saved linear map is all
    /// that is given]
    #[arg(long, value_name = "INVERSE", value_enum)]
    pub(in crate::cli) inverse: Option<Inverse>,
    /// Neighbors in the map: of the barycentric weights, of the rule for cells that are left
    /// out, and of the classes in the picture
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = whole::<usize>)]
    pub(in crate::cli) k: usize,
    /// Regularization of the barycentric weights
    #[arg(long, value_name = "R", default_value_t = 1e-3, value_parser = number)]
    pub(in crate::cli) reg: f64,
    /// Width of the kernel, in multiples of the median distance to the 10th nearest other point
    /// of the map
    #[arg(long, value_name = "MULTIPLE", default_value_t = 2.0, value_parser = number)]
    pub(in crate::cli) width: f64,
    /// Ridge of the kernel regression
    #[arg(long, value_name = "RIDGE", default_value_t = 0.1, value_parser = number)]
    pub(in crate::cli) ridge: f64,
    /// A cell without points is left out where the distance from its center to the k-th nearest
    /// point exceeds this multiple of the same distance of the points around it, their median, each
    /// at most the 90th percentile over the map
    #[arg(long, value_name = "MULTIPLE", default_value_t = 2.0, value_parser = reach)]
    pub(in crate::cli) reach: f64,
    /// Number of folds by which the error is measured
    #[arg(long, value_name = "FOLDS", default_value_t = 5, value_parser = parts)]
    pub(in crate::cli) folds: usize,
    /// Seed of the folds, and of the data set
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = seed)]
    pub(in crate::cli) seed: u64,
    /// Output file of the decoded data, one row per place
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    /// Output file of the places that the rows of --output were decoded from
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) decoded_places: Option<PathBuf>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Where a picture of the map goes, with the decoded pictures at their places; of data that
    /// are pictures
    #[arg(long, value_name = "FILE.png|svg")]
    pub(in crate::cli) plot: Option<PathBuf>,
    /// The title of the picture [default: the data]
    #[arg(long, value_name = "TEXT", requires = "plot")]
    pub(in crate::cli) title: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

/// How places are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Inverse {
    /// Barycentric weights among the nearest points of the map
    Barycentric,
    /// Kernel ridge regression from the map to the data
    KernelRidge,
    /// The pseudo-inverse of a saved linear map
    Linear,
}

impl Inverse {
    /// The name on the command line and in the report.
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Self::Barycentric => "barycentric",
            Self::KernelRidge => "kernel-ridge",
            Self::Linear => "linear",
        }
    }
}

fn grid(text: &str) -> Result<[usize; 2], String> {
    let size = pair(text).ok_or_else(|| "must be rows and columns, such as 20x20".to_owned())?;
    // Rows of points are counted in 32 bits.
    let cells = size[0].checked_mul(size[1]).filter(|cells| u32::try_from(*cells).is_ok());
    cells.map(|_| size).ok_or_else(|| format!("must have at most {} cells", u32::MAX))
}

fn reach(text: &str) -> Result<f64, String> {
    let read = f64::read(text).filter(|reach| reach.is_finite() && *reach > 0.0);
    read.ok_or_else(|| "must be a finite number above 0".to_owned())
}
