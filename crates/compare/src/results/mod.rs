//! Results of a run, as they are stored, drawn and printed.
//!
//! `results.json` is a serialized [`Results`] with stable field names. Coordinates and
//! data are not part of it; embeddings are stored next to it as `.npy`.

use datasets::{Dataset, Geometry};
use embedding::{Embedding, PerPoint};
use faer::Mat;
use figure::curves::Chart;
use neighbor_graph::Neighborhood;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod drivers;
mod study;
mod sweep;
mod trust;
mod verdict;

pub(crate) use drivers::{AxisDrivers, MapDrivers};
pub(crate) use study::{Experiment, Placed, Placement, Separation, StudyResults};
pub(crate) use sweep::{Cell, Maps, MethodCell, Statistics, Sweep, SweepRun};
pub(crate) use trust::MapTrust;
pub(crate) use verdict::{Answer, Purpose, Verdict};

/// One run: data sets, each with the results of every method.
#[derive(Clone, Serialize)]
pub(crate) struct Results {
    /// The version of this program.
    pub version: String,
    /// The machine it ran on.
    pub machine: Machine,
    /// The command line that reproduces it.
    pub command: String,
    /// The same, word by word, without the program.
    pub arguments: Vec<String>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The neighborhood size of the measures.
    pub measure_k: usize,
    /// What is missing because the user interrupted the run, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
    /// Data sets, in the order requested.
    pub datasets: Vec<DatasetResults>,
    /// Every data set at every setting, if several were given; `datasets` has the
    /// first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sweeps: Vec<Sweep>,
    /// Results of the study, if this run is the study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<StudyResults>,
}

/// Properties of the machine that affect times.
#[derive(Clone, Serialize)]
pub(crate) struct Machine {
    /// The operating system.
    pub system: String,
    /// The processor's architecture.
    pub architecture: String,
    /// Processors available to the program.
    pub cores: usize,
    /// Threads used.
    pub threads: usize,
    /// Total memory, if known.
    pub memory_bytes: Option<u64>,
}

/// One data set with the results of all methods.
#[derive(Clone, Serialize)]
pub(crate) struct DatasetResults {
    /// The data set's name.
    pub name: String,
    /// Description and source.
    pub notes: String,
    /// What the data set demonstrates.
    pub shows: String,
    /// The number of points, n.
    pub n: usize,
    /// Number of columns, D.
    #[serde(rename = "D")]
    pub columns: usize,
    /// The number of values that are not 0, where methods and measures read the points without their zeros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// Geometric meaning of the true coordinates.
    pub geometry: Geometry,
    /// The seed of the sample.
    pub seed: u64,
    /// Standard deviation of the noise that was added to every value.
    #[serde(skip_serializing_if = "is_zero")]
    pub noise: f64,
    /// A checksum of the points and the classes, in hexadecimal digits; a repeated run compares it.
    pub checksum: String,
    /// The number of rows over which measures of neighborhoods are averaged, where these are a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_rows: Option<usize>,
    /// Properties of the data that make distances or measures misleading, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Which map serves which purpose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Verdict>,
    /// The neighbor graph that all methods share.
    pub graph: GraphFacts,
    /// One entry per method, including failed ones.
    pub methods: Vec<MethodResults>,
    /// Every method that needs a connected graph under each policy for components, where
    /// the graph is disconnected and no policy was chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<MethodResults>,
    /// The data; of points without their zeros the columns that are shown.
    #[serde(skip)]
    pub data: Dataset,
}

/// The shared neighbor lists and their union graph.
#[derive(Clone, Serialize)]
pub(crate) struct GraphFacts {
    /// Definition of neighbors.
    pub neighborhood: Neighborhood,
    /// The distance between points.
    pub metric: String,
    /// Number of undirected edges.
    pub edges: usize,
    /// Points per connected component, descending.
    pub components: Vec<usize>,
    /// Number of probable shortcut edges; counted up to 10,000 points and 5 million values,
    /// and if they are removed.
    pub shortcuts: Option<usize>,
    /// Number of shortcut edges by the true coordinates, where these are isometric: edges
    /// whose ends are more than 3 times farther apart there; without those removed.
    pub true_shortcuts: Option<usize>,
    /// The stretch threshold, if shortcut edges were removed.
    pub cut: Option<f64>,
    /// The search algorithm used.
    pub search: String,
    /// How many of the neighbors are right, where an approximate search was requested.
    pub recall: Option<NeighborRecall>,
    /// Time of the search in seconds.
    pub seconds: f64,
}

/// The fraction of true neighbors that an approximate search found.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct NeighborRecall {
    /// The fraction that was requested.
    pub goal: f64,
    /// The fraction that was found among the true neighbors of the sample; 1 for an exact search.
    pub measured: f64,
    /// The number of points of the sample; n for an exact search.
    pub points: usize,
    /// The number of neighbors per point that were searched and compared, the largest that
    /// any method or measure reads.
    pub k: usize,
    /// Whether the search was exact: of few points or columns, where that is faster, and of given
    /// distances always.
    pub exact: bool,
}

/// The measured recall in a sentence.
impl std::fmt::Display for NeighborRecall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { goal, measured, points, k, exact } = *self;
        if exact {
            return write!(
                f,
                "the neighbors are exact, because an exact search takes no longer for this input"
            );
        }
        let missed = if measured < goal { ", less than requested" } else { "" };
        let percent = 100.0 * measured;
        write!(
            f,
            "{percent:.1} % of the {k} nearest neighbors are right{missed}; measured on {points} points"
        )
    }
}

/// Results of one method on one data set.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct MethodResults {
    /// The method's name.
    pub method: String,
    /// All parameters with their values.
    pub recipe: Value,
    /// The number of points, n.
    pub n: usize,
    /// Number of columns, D.
    #[serde(rename = "D")]
    pub columns: usize,
    /// The output dimension, d.
    pub dim: usize,
    /// Whether it succeeded.
    pub outcome: Outcome,
    /// Total time in seconds, without the shared neighbor search.
    pub seconds: f64,
    /// Time by stage, in order.
    pub stages: Vec<Stage>,
    /// Peak resident memory of the whole process while the method ran, if known.
    pub peak_memory_bytes: Option<u64>,
    /// Method-specific results, under documented names.
    pub facts: Map<String, Value>,
    /// Rows of the input file that `--missing drop` and `--drop-zero-rows` of `embed` left out, counted
    /// from 0: n counts the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out_rows: Vec<u32>,
    /// Quality of the embedding, by the names of the measures.
    pub scores: Vec<Score>,
    /// Notes for readers: bridges, omitted rows, unreliable spectra.
    pub notes: Vec<String>,
    /// The coordinates.
    #[serde(skip)]
    pub embedding: Option<Embedding>,
    /// The eigenvalues behind the coordinates and up to eight beyond them, in the method's
    /// order and units; empty where it has none, and above 5,000 points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spectrum: Vec<f64>,
    /// Values per embedded point that the method offers for coloring.
    #[serde(skip)]
    pub colors: Vec<PerPoint>,
    /// Curves of the method's progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<Chart>,
    /// Snapshots of the map during optimization, for iterative methods.
    #[serde(skip)]
    pub frames: Vec<Frame>,
    /// The columns that drive the map, where columns have names and the data are not too large.
    #[serde(skip)]
    pub drivers: Option<MapDrivers>,
    /// How far points jump when their data change a little, where it was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<MapTrust>,
    /// How well the map places points that it was not made of, where all points are in the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_points: Option<NewPoints>,
}

/// The trustworthiness of sampled points, each placed in the map by the model without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewPoints {
    /// The mean over the sampled points.
    pub trustworthiness: f64,
    /// Its standard error, where the points are a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// The number of sampled points.
    pub points: usize,
}

fn is_zero(noise: &f64) -> bool {
    *noise == 0.0
}

impl MethodResults {
    /// The same without coordinates, values per point, columns that drive the map, perturbation scores, and curves.
    pub(crate) fn without_points(&self) -> Self {
        let parts = (None, Vec::new(), Vec::new(), Vec::new(), None);
        let (embedding, colors, charts, frames, drivers) = parts;
        Self { embedding, colors, charts, frames, drivers, trust: None, ..self.clone() }
    }

    /// Returns the value of a score, if measured.
    pub(crate) fn score(&self, measure: &str) -> Option<f64> {
        self.scores.iter().find(|score| score.measure == measure).map(|score| score.value)
    }
}

/// How a method terminated.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// An embedding was computed.
    Done,
    /// The method failed.
    Failed {
        /// The reason, with advice.
        reason: String,
    },
    /// The method does not apply to this data, and was not requested by name.
    Skipped {
        /// The reason.
        reason: String,
    },
}

impl Outcome {
    /// Returns the reason why there is no embedding, if there is none.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Self::Done => None,
            Self::Failed { reason } | Self::Skipped { reason } => Some(reason),
        }
    }
}

/// A stage and the time it took.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stage {
    /// Its name, as in the method's documentation.
    pub name: String,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// The value of one quality measure.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Score {
    /// The measure's name.
    pub measure: String,
    /// Its value.
    pub value: f64,
}

/// A snapshot of the map during optimization.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Frame {
    /// Iteration, from 1.
    pub iteration: usize,
    /// The objective, if known.
    pub objective: Option<f64>,
    /// One row per embedded point.
    #[serde(with = "embedding::implement::matrix")]
    pub coordinates: Mat<f64>,
}
