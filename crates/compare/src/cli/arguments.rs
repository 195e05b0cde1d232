//! Command-line arguments.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use embedding::{MemoryLimit, Value};
use neighbor_graph::Components;

/// Runs manifold-learning methods on data sets, evaluates them and draws figures.
///
/// Results are written to standard output, everything else to standard error.
/// Exit status: 0 success, 1 failure of a method or of data, 2 invalid usage, 130
/// interrupted. Files are .npy, .csv or .tsv; input may also be .csv.gz, .tsv.gz,
/// .npz (one array: data.npz:X), .mtx, IDX (-ubyte, -ubyte.gz), a folder of PNG or
/// JPEG pictures, or - for standard input.
#[derive(Debug, Parser)]
#[command(name = "compare", version)]
pub(super) struct Arguments {
    /// Number of threads [default: one per processor]
    #[arg(long, global = true, value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
    /// Memory limit of a stage, such as 2GB [default: a fraction of the available memory]
    #[arg(long, global = true, value_name = "SIZE", value_parser = memory_limit)]
    pub(super) memory_limit: Option<MemoryLimit>,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
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
    /// Find the nearest neighbors of every point of a file
    Neighbors(Neighbors),
    /// Evaluate an embedding against its original data; writes JSON
    Measure(Measure),
    /// Write a data set to a file
    Dataset(DatasetArguments),
    /// List methods, data sets or measures
    List(List),
}

impl Default for Command {
    fn default() -> Self {
        Self::Run(Run::default())
    }
}

/// Parameters shared by all methods that have them.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct Flags {
    /// Neighborhood size of the methods that have one
    #[arg(long, value_name = "K")]
    pub(super) k: Option<usize>,
    /// Output dimension
    #[arg(long, value_name = "D")]
    pub(super) dim: Option<usize>,
    /// What methods on a neighbor graph do if it is disconnected: reject, bridge, largest
    /// or per-component [default: reject]
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub(super) components: Option<Components>,
    /// Seed of all random choices [default: 0]
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
}

/// How files of points are read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Reading files")]
pub(super) struct ReadingFlags {
    /// Whether the first row of a text file names the columns [default: auto]
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(super) header: Option<Header>,
    /// Columns that are no coordinates: names, or numbers counted from 0
    #[arg(long, value_delimiter = ',', value_name = "COLUMNS")]
    pub(super) ignore: Vec<String>,
    /// The column that holds a class per row: a name, or a number counted from 0
    #[arg(long, value_name = "COLUMN")]
    pub(super) label_column: Option<String>,
    /// Leave out rows with missing values, or fill in the mean of the column
    #[arg(long, value_name = "HOW", value_enum)]
    pub(super) missing: Option<MissingValues>,
    /// Shift each column to mean 0 and divide it by its standard deviation
    #[arg(long)]
    pub(super) standardize: bool,
    /// Resize the pictures of a folder to this size in pixels
    #[arg(long, value_name = "HEIGHTxWIDTH", value_parser = image_size)]
    pub(super) image_size: Option<[usize; 2]>,
    /// Read the pictures of a folder in color, not in gray
    #[arg(long)]
    pub(super) color: bool,
}

impl ReadingFlags {
    /// Whether any of them was given.
    pub(super) fn given(&self) -> bool {
        let Self { header, ignore, label_column, missing, standardize, image_size, color } = self;
        header.is_some()
            || !ignore.is_empty()
            || label_column.is_some()
            || missing.is_some()
            || *standardize
            || image_size.is_some()
            || *color
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Header {
    Auto,
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MissingValues {
    Drop,
    Mean,
}

/// The user's own data sets.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct OwnFiles {
    /// Your own data, one point per row; several files are several data sets
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(super) input: Vec<PathBuf>,
    /// A class per row; one file for each input
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "input")]
    pub(super) labels: Vec<PathBuf>,
    /// A picture per row, in alphabetical order; one folder for each input
    #[arg(long, value_name = "FOLDER", num_args = 1.., requires = "input")]
    pub(super) images: Vec<PathBuf>,
}

#[derive(Args, Clone, Debug, Default)]
pub(super) struct Run {
    /// Data sets, separated by commas, or `all` [default: swiss-roll, s-curve, digits, mnist]
    #[arg(long, value_delimiter = ',', value_name = "A,B", conflicts_with = "input")]
    pub(super) datasets: Vec<String>,
    #[command(flatten)]
    pub(super) own: OwnFiles,
    /// Methods, separated by commas, or `all` [default: all]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(super) methods: Vec<String>,
    /// Points per data set; with `all`, smaller data sets are used whole
    #[arg(long, value_name = "N")]
    pub(super) n: Option<usize>,
    #[command(flatten)]
    pub(super) flags: Flags,
    /// Neighborhood size of the measures [default: 10]
    #[arg(long, value_name = "K")]
    pub(super) measure_k: Option<usize>,
    /// Remove shortcut edges: those that leave the tangent spaces of their ends, and
    /// without which the path between these is STRETCH times longer [default, without a
    /// number: 5]
    #[arg(long, value_name = "STRETCH", num_args = 0..=1, default_missing_value = "5", value_parser = stretch)]
    pub(super) cut_shortcuts: Option<f64>,
    /// Output folder [default: out]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(super) set: Vec<String>,
    /// Write each map as a picture of its own too, into the folder `panels`
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(super) panels: Option<PictureFormat>,
    /// Run again what a results.json of an earlier run records; only --out may differ
    #[arg(long, value_name = "results.json")]
    pub(super) from: Option<PathBuf>,
    /// Go on with the run that was interrupted in the output folder, without repeating
    /// what has finished; only --out may be given beside it
    #[arg(long, conflicts_with = "from")]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

/// The page is one file that needs neither server nor network. It computes in the browser;
/// what it is given stays there.
#[derive(Args, Debug)]
pub(super) struct Lab {
    /// The data set shown first; the page has all of them [default: swiss-roll]
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    pub(super) dataset: Option<String>,
    #[command(flatten)]
    pub(super) own: OwnFiles,
    /// Methods shown first, separated by commas, or `all` [default: nine]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(super) methods: Vec<String>,
    /// Points shown first; of your own files, rows that the page contains
    #[arg(long, value_name = "N")]
    pub(super) n: Option<usize>,
    #[command(flatten)]
    pub(super) flags: Flags,
    /// Output file
    #[arg(long, value_name = "FILE.html", default_value = "lab.html")]
    pub(super) out: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    pub(super) open: bool,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PictureFormat {
    Png,
    Svg,
}

/// The sample sizes are part of every figure. A method whose memory would exceed the
/// limit uses a subset of the points, which is noted in its panel.
#[derive(Args, Debug)]
pub(super) struct Study {
    /// Largest number of points per data set, and digits in the map for placement
    /// [default: 2000 digits, all fruits and reviews]
    #[arg(long, value_name = "N")]
    pub(super) n: Option<usize>,
    /// New digits to be placed in a map of others [default: 500, or a quarter of --n]
    #[arg(long, value_name = "M")]
    pub(super) new: Option<NonZeroUsize>,
    /// Full size: 70,000 digits, images at full resolution, 1,000 new digits in a map of
    /// 10,000
    #[arg(long, conflicts_with = "n")]
    pub(super) full: bool,
    #[command(flatten)]
    pub(super) flags: Flags,
    /// Neighborhood size of the measures [default: 10]
    #[arg(long, value_name = "K")]
    pub(super) measure_k: Option<usize>,
    /// Output folder [default: out/study]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(super) set: Vec<String>,
}

#[derive(Args, Debug)]
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
    #[arg(long, value_name = "FILE")]
    pub(super) labels: Option<PathBuf>,
    #[command(flatten)]
    pub(super) flags: Flags,
    /// Set a parameter; may be repeated
    #[arg(long, value_name = "PARAM=VALUE")]
    pub(super) set: Vec<String>,
    /// Remove shortcut edges of the graph, as in `run`
    #[arg(long, value_name = "STRETCH", num_args = 0..=1, default_missing_value = "5", value_parser = stretch)]
    pub(super) cut_shortcuts: Option<f64>,
    /// Output file of the fitted model, for `compare transform`
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

#[derive(Args, Debug)]
pub(super) struct Transform {
    /// A model written by `compare embed --save`
    #[arg(long, value_name = "MODEL")]
    pub(super) model: PathBuf,
    /// The new points, one per row
    #[arg(long, value_name = "FILE")]
    pub(super) input: PathBuf,
    /// Output file of their coordinates
    #[arg(long, value_name = "FILE")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

#[derive(Args, Debug)]
pub(super) struct Neighbors {
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(super) input: PathBuf,
    /// Neighbors per point
    #[arg(long, value_name = "K")]
    pub(super) k: usize,
    /// Output file of the neighbors' row indices, nearest first
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

#[derive(Args, Debug)]
pub(super) struct Measure {
    /// The original data
    #[arg(long, value_name = "X")]
    pub(super) input: PathBuf,
    /// The embedding, one row per row of the data
    #[arg(long, value_name = "Y")]
    pub(super) embedding: PathBuf,
    /// The true coordinates
    #[arg(long, value_name = "T")]
    pub(super) truth: Option<PathBuf>,
    /// Class labels, one per point
    #[arg(long, value_name = "L")]
    pub(super) labels: Option<PathBuf>,
    /// Neighborhood size of the measures
    #[arg(long, value_name = "K", alias = "measure-k", default_value_t = 10)]
    pub(super) k: usize,
    #[command(flatten)]
    pub(super) reading: ReadingFlags,
}

#[derive(Args, Debug)]
pub(super) struct DatasetArguments {
    /// The data set; see `compare list datasets`
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// Number of points [default: depends on the data set]
    #[arg(long, value_name = "N")]
    pub(super) n: Option<usize>,
    /// Scale of rendered images, from 0.05 to 4; 1 is full size [default: depends on the
    /// data set]
    #[arg(long, value_name = "SCALE")]
    pub(super) scale: Option<f64>,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Output file of the points
    #[arg(long, value_name = "X")]
    pub(super) output: PathBuf,
    /// Output file of the true coordinates
    #[arg(long, value_name = "T")]
    pub(super) truth: Option<PathBuf>,
    /// Output file of the class labels
    #[arg(long, value_name = "L")]
    pub(super) labels: Option<PathBuf>,
}

#[derive(Args, Debug)]
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

fn stretch(text: &str) -> Result<f64, String> {
    let read = f64::read(text).filter(|stretch| *stretch > 1.0);
    read.ok_or_else(|| "must be a number above 1".to_owned())
}

fn image_size(text: &str) -> Result<[usize; 2], String> {
    let side = |word: &str| word.trim().parse().ok().filter(|&pixels: &usize| pixels > 0);
    let read =
        text.split_once(['x', 'X', '×']).and_then(|(height, width)| Some([side(height)?, side(width)?]));
    read.ok_or_else(|| "must be height and width in pixels, such as 32x32".to_owned())
}

fn memory_limit(text: &str) -> Result<MemoryLimit, String> {
    MemoryLimit::read(text)
        .ok_or_else(|| "must be bytes, or a number with kB, MB, GB or TB, or unlimited".to_owned())
}
