//! Command-line arguments.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory, Error, FromArgMatches, Parser, Subcommand, ValueEnum};
use embedding::{ExactMatches, MemoryLimit, Metric, Value, nearest_name};
use neighbor_graph::Components;

mod invert;
mod numbers;
mod reading;
mod report;

pub(super) use invert::{Inverse, Invert};
use numbers::{recall, scale, seed, whole};
use reading::file;
pub(super) use reading::{Header, MissingValues, OwnFiles, ReadingFlags, TextEncoding};
pub(super) use report::{Grid, Lab, PictureFormat, Run, Study};

/// Runs manifold-learning methods on data sets, evaluates them and draws figures.
///
/// Results are written to standard output, everything else to standard error.
/// Exit status: 0 success, 1 failure of a method or of data, 2 invalid usage, 130
/// interrupted. Files are .npy, .csv or .tsv, also .csv.gz or .tsv.gz; input may also be
/// .npz (one array: data.npz:X), .mtx, IDX (-ubyte, -ubyte.gz), a folder of PNG or
/// JPEG pictures, or - for standard input.
#[derive(Parser)]
#[command(name = "compare", version)]
pub(super) struct Arguments {
    /// Number of threads [default: one per processor]
    #[arg(long, global = true, value_name = "N", value_parser = whole::<NonZeroUsize>)]
    pub(super) threads: Option<NonZeroUsize>,
    /// Memory limit of a stage, such as 2GB; also selects among algorithms [default: a
    /// fraction of the available memory, which only refuses]
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory_limit)]
    pub(super) memory_limit: Option<MemoryLimit>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

impl Arguments {
    /// Parses the words of a command line, the first of which is the program.
    pub(super) fn of<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Self, Error> {
        let mut command = Self::syntax();
        let matches = command.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// The command line that is parsed, in which a negative number is a value of the option before
    /// it, so that the option says which numbers it takes.
    pub(super) fn syntax() -> clap::Command {
        let numbers = |arg: Arg| {
            if arg.get_long().is_some() { arg.allow_negative_numbers(true) } else { arg }
        };
        // Of the options of reading files, what these commands refuse.
        let refused = |command: clap::Command| command.mut_arg("standardize", |arg| arg.hide(true));
        let command = Self::command().mut_args(numbers).mut_subcommands(|command| command.mut_args(numbers));
        let dropped = |arg: Arg| {
            arg.help("Leave out rows with missing values: drop; a note names them. `mean` would be of the new points, not \
                      of the model's, and is refused")
                .long_help(None)
        };
        let command = command.mut_subcommand("transform", |command| command.mut_arg("missing", dropped));
        let command = command.mut_subcommand("lab", |lab| lab.mut_arg("components", |arg| arg.hide(true)));
        command.mut_subcommand("transform", refused).mut_subcommand("invert", refused)
    }
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run methods on data sets and write a report (the default)
    Run(Run),
    /// Write a page in which every method runs live, on generated data and on your own
    Lab(Lab),
    /// Isomap, LLE, t-SNE and UMAP on digits, fruits and reviews; placement of new digits in a
    /// map
    Study(Study),
    /// Embed the points of a file by one method
    Embed(Embed),
    /// Place new points by a saved model
    Transform(Transform),
    /// Decode places of a map: from the map back to data, with the error of that
    Invert(Invert),
    /// Find the nearest neighbors of every point of a file
    Neighbors(Neighbors),
    /// Evaluate an embedding against its original data; writes JSON
    Measure(Measure),
    /// Write a data set to a file
    Dataset(DatasetArguments),
    /// List methods, data sets or measures
    List(List),
    /// Explain a method or a measure: idea, equations, parameters, failures, paper
    Explain(Explain),
}

impl Default for Command {
    fn default() -> Self {
        Self::Run(Run::default())
    }
}

/// Parameters shared by all methods that have them.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(super) struct Flags {
    /// Neighborhood size of the methods that have one
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(super) k: Option<usize>,
    #[command(flatten)]
    pub(super) map: MapFlags,
}

/// Those among them that have one value in every command.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(super) struct MapFlags {
    /// Output dimension
    #[arg(long, value_name = "D", value_parser = whole::<usize>)]
    pub(super) dim: Option<usize>,
    /// What methods on a neighbor graph do if it is disconnected: reject, bridge, largest or
    /// per-component [default: reject; of `study`, bridge for isomap and lle]. Bridges are
    /// single edges: rings within a component can be flattened, which per-component draws by
    /// itself
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub(super) components: Option<Components>,
    /// Seed of all random choices [default: 0]
    #[arg(long, value_name = "S", value_parser = seed)]
    pub(super) seed: Option<u64>,
}

#[derive(Args)]
#[group(skip)]
pub(super) struct Embed {
    /// The method; see `compare list methods`
    #[arg(long, value_name = "M")]
    pub(super) method: String,
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(super) input: PathBuf,
    /// Output file of the coordinates
    #[arg(long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Class labels, one per point, for supervised methods
    #[arg(long, value_name = "FILE", value_parser = file())]
    pub(super) labels: Option<PathBuf>,
    /// The label that stands for an unknown class, for methods that need a class for some
    /// points only
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(super) unknown_label: Option<String>,
    #[command(flatten)]
    pub(super) flags: Flags,
    /// Set a parameter, also as METHOD.PARAM=VALUE; may be repeated
    #[arg(long, value_name = "PARAM=VALUE")]
    pub(super) set: Vec<String>,
    /// The distance between points: euclidean, cosine, correlation, manhattan, chebyshev,
    /// minkowski:P, hamming, jaccard or hellinger
    #[arg(long, value_name = "METRIC", value_parser = metric, default_value_t = Metric::Euclidean)]
    pub(super) metric: Metric,
    /// Remove shortcut edges of the graph, as in `run`
    #[arg(long, value_name = "STRETCH", num_args = 0..=1, default_missing_value = "5", value_parser = stretch)]
    pub(super) cut_shortcuts: Option<f64>,
    /// Search the neighbors approximately until this fraction of them is right, measured on a
    /// sample; of a method with a search of its own, the parameter `recall`. Without it the
    /// search is exact
    #[arg(long, value_name = "RECALL", value_parser = recall)]
    pub(super) neighbor_recall: Option<f64>,
    /// Fit to a sample of N rows and place all rows by its model; the error of that is
    /// measured by a second fit without a fifth of the sample
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(super) fit_on: Option<usize>,
    /// Output file of the fitted model, for `compare transform`; with it, how far the model puts
    /// training rows from their places is measured
    #[arg(long, value_name = "MODEL")]
    pub(super) save: Option<PathBuf>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(super) report: Option<PathBuf>,
    /// Where a picture of the map goes, colored by class where there are classes
    #[arg(long, value_name = "FILE.png|svg")]
    pub(super) plot: Option<PathBuf>,
    /// The title of the picture [default: method and file]
    #[arg(long, value_name = "TEXT", requires = "plot")]
    pub(super) title: Option<String>,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

#[derive(Args)]
#[group(skip)]
pub(super) struct Transform {
    /// A model written by `compare embed --save`
    #[arg(long, value_name = "MODEL")]
    pub(super) model: PathBuf,
    /// The new points, one per row; where columns have names, those of the model's data are taken by
    /// them, and others are left out
    #[arg(long, value_name = "FILE")]
    pub(super) input: PathBuf,
    /// Output file of their coordinates
    #[arg(long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Rows that equal a training row: `stored`, where that row is, or `extended`, where the
    /// method's extension puts any other point
    #[arg(long, value_name = "RULE", default_value = "stored")]
    pub(super) exact_matches: ExactMatches,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

#[derive(Args)]
#[group(skip)]
pub(super) struct Neighbors {
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(super) input: PathBuf,
    /// Neighbors per point
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(super) k: usize,
    /// The distance between points: euclidean, cosine, correlation, manhattan, chebyshev,
    /// minkowski:P, hamming, jaccard or hellinger
    #[arg(long, value_name = "METRIC", value_parser = metric, default_value_t = Metric::Euclidean)]
    pub(super) metric: Metric,
    /// Search the neighbors approximately until this fraction of them is right, measured on a
    /// sample; without it the search is exact
    #[arg(long, value_name = "RECALL", value_parser = recall)]
    pub(super) neighbor_recall: Option<f64>,
    /// Output file of the neighbors' row indices, nearest first, counted from 0; with --missing
    /// drop and --drop-zero-rows they count the rows that are kept, and --report lists the others
    #[arg(long, value_name = "INDICES")]
    pub(super) output: PathBuf,
    /// Output file of the distances
    #[arg(long, value_name = "FILE")]
    pub(super) distances: Option<PathBuf>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

#[derive(Args)]
#[group(skip)]
pub(super) struct Measure {
    /// The original data
    #[arg(long, value_name = "X")]
    pub(super) input: PathBuf,
    /// What these are: points, one per row, or the distances between all points, n × n
    #[arg(long, value_name = "KIND", value_enum, default_value_t = OriginalData::Points)]
    pub(super) given: OriginalData,
    /// The embedding, one row per row of the data
    #[arg(long, value_name = "Y")]
    pub(super) embedding: PathBuf,
    /// The true coordinates
    #[arg(long, value_name = "T")]
    pub(super) truth: Option<PathBuf>,
    /// Class labels, one per point
    #[arg(long, value_name = "L", value_parser = file())]
    pub(super) labels: Option<PathBuf>,
    /// The label that stands for an unknown class; measures of classes leave its rows out
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(super) unknown_label: Option<String>,
    /// Neighborhood size of the measures
    #[arg(long, value_name = "K", alias = "measure-k", default_value_t = 10, value_parser = whole::<usize>)]
    pub(super) k: usize,
    /// The distance between points of the data: euclidean, cosine, correlation, manhattan, chebyshev,
    /// minkowski:P, hamming, jaccard or hellinger
    #[arg(long, value_name = "METRIC", value_parser = metric, default_value_t = Metric::Euclidean)]
    pub(super) metric: Metric,
    /// Measure all rows of more than 3,000, in place of 500 chosen at random; residual_variance then
    /// takes 16 bytes for every pair of points
    #[arg(long)]
    pub(super) all_rows: bool,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

/// The original data of a map.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OriginalData {
    Points,
    Distances,
}

#[derive(Args)]
#[group(skip)]
pub(super) struct DatasetArguments {
    /// The data set; see `compare list datasets`
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// Number of points [default: depends on the data set]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(super) n: Option<usize>,
    /// Scale of rendered images, from 0.05 to 4; 1 is full size [default: depends on the
    /// data set]
    #[arg(long, value_name = "SCALE", value_parser = scale)]
    pub(super) scale: Option<f64>,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = seed)]
    pub(super) seed: u64,
    /// Output file of the points
    #[arg(long, value_name = "X")]
    pub(super) output: PathBuf,
    /// Output file of the true coordinates
    #[arg(long, value_name = "T")]
    pub(super) truth: Option<PathBuf>,
    /// Output file of the class labels: names in a text file, numbers in an array
    #[arg(long, value_name = "L")]
    pub(super) labels: Option<PathBuf>,
}

/// Explains one method or measure.
#[derive(Args)]
#[group(skip)]
pub(super) struct Explain {
    /// The method or measure [default: a list of all]
    pub(super) name: Option<String>,
}

#[derive(Args)]
#[group(skip)]
pub(super) struct List {
    /// What to list
    pub(super) what: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Kind {
    Methods,
    Datasets,
    Measures,
}

fn policy(text: &str) -> Result<Components, String> {
    Components::read(text).ok_or_else(|| format!("must be {}", Components::FORM))
}

fn metric(text: &str) -> Result<Metric, String> {
    let plain = text.trim().to_lowercase();
    Metric::read(&plain).ok_or_else(|| {
        let near = nearest_name(&plain, Metric::names());
        let hint = near.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
        format!("must be {}{hint}", Metric::FORM)
    })
}

fn stretch(text: &str) -> Result<f64, String> {
    let read = f64::read(text).filter(|stretch| *stretch > 1.0);
    read.ok_or_else(|| "must be a number above 1".to_owned())
}

fn memory_limit(text: &str) -> Result<MemoryLimit, String> {
    MemoryLimit::read(text)
        .ok_or_else(|| "must be bytes, or a number with kB, MB, GB or TB, or unlimited".to_owned())
}
