//! Options of the commands that write a report or a page.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use embedding::{Metric, Value};

use super::numbers::{recall, whole};
use super::reading::{OwnFiles, ReadingFlags};
use super::{Flags, MapFlags, metric, stretch};

#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct Run {
    /// Data sets, separated by commas, or `all`, or `failures`, those on which methods fail,
    /// with what to expect [default: swiss-roll, s-curve, digits, mnist]
    #[arg(long, value_delimiter = ',', value_name = "A,B", conflicts_with = "input")]
    pub(in crate::cli) datasets: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) own: OwnFiles,
    /// Methods, separated by commas, or `all` [default: sixteen, one of each idea]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(in crate::cli) methods: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) grid: Grid,
    #[command(flatten)]
    pub(in crate::cli) map: MapFlags,
    /// Neighborhood size of the measures, the same for every method and every --k; the geodesic
    /// distances of residual_variance are those of its graph [default: 10]
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(in crate::cli) measure_k: Option<usize>,
    /// The distance between points: euclidean, cosine, correlation, manhattan, chebyshev,
    /// minkowski:P, hamming, jaccard or hellinger [default: euclidean]
    #[arg(long, value_name = "METRIC", value_parser = metric)]
    pub(in crate::cli) metric: Option<Metric>,
    /// Search the neighbors of each data set once, approximately, until this fraction of them is
    /// right, measured on a sample; methods and measures read these lists, and methods with a
    /// search of their own have this as their parameter `recall`, unless --set gives another.
    /// Without it the search is exact, as it is for neighbors within a radius
    #[arg(long, value_name = "RECALL", value_parser = recall)]
    pub(in crate::cli) neighbor_recall: Option<f64>,
    /// Remove shortcut edges: those that leave the tangent spaces of their ends, and
    /// without which the path between these is STRETCH times longer [default, without a
    /// number: 5]
    #[arg(long, value_name = "STRETCH", num_args = 0..=1, default_missing_value = "5", value_parser = stretch)]
    pub(in crate::cli) cut_shortcuts: Option<f64>,
    /// Output folder [default: out]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    /// Write each map as a picture of its own too, into the folder `panels`
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(in crate::cli) panels: Option<PictureFormat>,
    /// Run again what a results.json of an earlier run records; only --out may differ
    #[arg(long, value_name = "results.json")]
    pub(in crate::cli) from: Option<PathBuf>,
    /// Go on with the run that was interrupted in the output folder, without repeating
    /// what has finished; only --out may be given beside it
    #[arg(long, conflicts_with = "from")]
    pub(in crate::cli) resume: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingFlags,
}

/// What a run may vary: several values of any of them are a sweep, in which every method
/// runs on every combination.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct Grid {
    /// Neighborhood size of the methods that have one; several, as 6,8,12, are a sweep
    #[arg(long, value_delimiter = ',', value_name = "K,…", value_parser = whole::<usize>)]
    pub(in crate::cli) k: Vec<usize>,
    /// Points per data set; with `all`, smaller data sets are used whole; several are a
    /// sweep
    #[arg(long, value_delimiter = ',', value_name = "N,…", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Vec<usize>,
    /// Standard deviation of Gaussian noise added to every value; several are a sweep
    /// [default: 0]
    #[arg(long, value_delimiter = ',', value_name = "SIGMA,…", value_parser = noise)]
    pub(in crate::cli) noise: Vec<f64>,
    /// Number of draws, with the seeds --seed, --seed + 1, …; their mean and spread is
    /// reported [default: 1]
    #[arg(long, value_name = "COUNT", value_parser = whole::<NonZeroUsize>)]
    pub(in crate::cli) seeds: Option<NonZeroUsize>,
}

/// The page is one file that needs neither server nor network. It computes in the browser;
/// what it is given stays there.
#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Lab {
    /// The data set shown first; of those that are not generated, the page has digits, mnist and
    /// this one, and beside files of --input none [default: swiss-roll]
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    pub(in crate::cli) dataset: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) own: OwnFiles,
    /// Methods shown first, separated by commas, or `all` [default: ten]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(in crate::cli) methods: Vec<String>,
    /// Points shown first; of your own files, rows that the page contains [default: 1000; all rows of
    /// files, of which 2000 are shown first]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    #[command(flatten)]
    pub(in crate::cli) flags: Flags,
    /// Output file
    #[arg(long, value_name = "FILE.html", default_value = "lab.html")]
    pub(in crate::cli) out: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    pub(in crate::cli) open: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingFlags,
}

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PictureFormat {
    Png,
    Svg,
}

/// The sample sizes are part of every figure. A method whose memory would exceed the
/// limit uses a subset of the points, which is noted in its panel.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct Study {
    /// Largest number of points per data set, and digits in the map for placement
    /// [default: 2000 digits, all fruits and reviews]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    /// New digits to be placed in a map of others [default: 500, or a quarter of --n]
    #[arg(long, value_name = "M", value_parser = whole::<NonZeroUsize>)]
    pub(in crate::cli) new: Option<NonZeroUsize>,
    /// Full size: 70,000 digits, images at full resolution, 1,000 new digits in a map of
    /// 10,000
    #[arg(long, conflicts_with = "n")]
    pub(in crate::cli) full: bool,
    #[command(flatten)]
    pub(in crate::cli) flags: Flags,
    /// Neighborhood size of the measures [default: 10]
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(in crate::cli) measure_k: Option<usize>,
    /// Output folder [default: out/study]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    /// Go on with the study that was interrupted in the output folder, without repeating
    /// what has finished; only --out may be given beside it
    #[arg(long)]
    pub(in crate::cli) resume: bool,
}

fn noise(text: &str) -> Result<f64, String> {
    let read = f64::read(text).filter(|noise| noise.is_finite() && *noise >= 0.0);
    read.ok_or_else(|| "must be a finite number of at least 0".to_owned())
}
