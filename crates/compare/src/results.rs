//! What a run found, in the shape in which it is stored, drawn and printed.
//!
//! `results.json` is [`Results`]; field names are stable. Numbers that can be
//! drawn but not read (coordinates, the data itself) stay out of it: the
//! embeddings lie beside it as `.npy`.

use datasets::{Dataset, Geometry};
use embedding::Embedding;
use faer::Mat;
use neighbor_graph::Neighborhood;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::figure::Chart;
use crate::study::StudyResults;

/// One run: data sets, each with every method that was tried on it.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The version of this program.
    pub version: String,
    /// Where it ran.
    pub machine: Machine,
    /// The command line that repeats it.
    pub command: String,
    /// The same, word by word, without the program.
    pub arguments: Vec<String>,
    /// The seed of every random choice.
    pub seed: u64,
    /// The neighborhood size of the measures.
    pub measure_k: usize,
    /// What is missing because the user interrupted the run, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
    /// In the order in which they were asked for.
    pub datasets: Vec<DatasetResults>,
    /// What the study adds, where this is the study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<StudyResults>,
}

/// What the times in a run depend on.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The operating system.
    pub system: String,
    /// The processor's architecture.
    pub architecture: String,
    /// Processors that this program may use.
    pub cores: usize,
    /// Threads that it did use.
    pub threads: usize,
    /// Memory in all, where the system says so.
    pub memory_bytes: Option<u64>,
}

/// One data set and what the methods made of it.
#[derive(Clone, Debug, Serialize)]
pub struct DatasetResults {
    /// The data set's name.
    pub name: String,
    /// What it is and where it comes from.
    pub notes: String,
    /// What it shows about a method.
    pub shows: String,
    /// The number of points, n.
    pub n: usize,
    /// The numbers per point, D.
    #[serde(rename = "D")]
    pub columns: usize,
    /// What the true coordinates promise.
    pub geometry: Geometry,
    /// The seed of its sample.
    pub seed: u64,
    /// The neighbor graph that all methods share.
    pub graph: GraphFacts,
    /// One row per method, failures included.
    pub methods: Vec<MethodResults>,
    /// The data.
    #[serde(skip)]
    pub data: Dataset,
}

/// The shared neighbor lists, and the graph of their union.
#[derive(Clone, Debug, Serialize)]
pub struct GraphFacts {
    /// Who counts as a neighbor.
    pub neighborhood: Neighborhood,
    /// Undirected edges.
    pub edges: usize,
    /// Points per connected component, descending.
    pub components: Vec<usize>,
    /// Edges that look like jumps between layers; counted up to 10,000 points,
    /// and where they are cut.
    pub shortcuts: Option<usize>,
    /// The stretch from which on they are not among the edges, where they were cut.
    pub cut: Option<f64>,
    /// The search that found them.
    pub search: String,
    /// How long it took.
    pub seconds: f64,
}

/// What one method did on one data set.
#[derive(Clone, Debug, Serialize)]
pub struct MethodResults {
    /// The method's name.
    pub method: String,
    /// Every parameter with the value it had.
    pub recipe: Value,
    /// The number of points, n.
    pub n: usize,
    /// The numbers per point, D.
    #[serde(rename = "D")]
    pub columns: usize,
    /// The target dimension, d.
    pub dim: usize,
    /// Whether it succeeded.
    pub outcome: Outcome,
    /// From start to finish, without the shared neighbor search.
    pub seconds: f64,
    /// The same by stage, in order.
    pub stages: Vec<Stage>,
    /// The largest resident size of the whole process while the method ran,
    /// where the system says so.
    pub peak_memory_bytes: Option<u64>,
    /// What only this method knows, under documented names.
    pub facts: Map<String, Value>,
    /// How good the embedding is, by the names of the measures.
    pub scores: Vec<Score>,
    /// What a reader must know: bridges, rows left out, doubtful spectra.
    pub notes: Vec<String>,
    /// The coordinates.
    #[serde(skip)]
    pub embedding: Option<Embedding>,
    /// Values per placed point that the method offers as colors.
    #[serde(skip)]
    pub colors: Vec<Coloring>,
    /// Curves that tell how the method came to its result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<Chart>,
    /// The map while it grew, for methods that improve one step by step.
    #[serde(skip)]
    pub frames: Vec<Frame>,
}

impl MethodResults {
    /// The value of a score, where it was measured.
    pub fn score(&self, measure: &str) -> Option<f64> {
        self.scores.iter().find(|score| score.measure == measure).map(|score| score.value)
    }
}

/// How a method ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Outcome {
    /// There is an embedding.
    Done,
    /// There is none.
    Failed {
        /// Why, and what to try.
        reason: String,
    },
    /// The method does not apply to this data, and nobody asked for it by name.
    Skipped {
        /// Why.
        reason: String,
    },
}

impl Outcome {
    /// Why there is no embedding, if there is none.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Done => None,
            Self::Failed { reason } | Self::Skipped { reason } => Some(reason),
        }
    }
}

/// A stage and the time it took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stage {
    /// Its name in the method's documentation.
    pub name: String,
    /// Wall-clock time.
    pub seconds: f64,
}

/// One measured quality.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The measure's name.
    pub measure: String,
    /// Its value.
    pub value: f64,
}

/// The state of a growing map.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Counted from 1.
    pub iteration: usize,
    /// The objective, where it was known.
    pub objective: Option<f64>,
    /// One row per placed point.
    pub coordinates: Mat<f64>,
}

/// A value per placed point, to color the embedding by.
#[derive(Clone, Debug, PartialEq)]
pub struct Coloring {
    /// What the values are.
    pub title: String,
    /// One per placed point.
    pub values: Vec<f64>,
}
