//! Requests, as `web/page/src/protocol.ts` describes them.

use std::collections::BTreeMap;

use datasets::files::Missing;
use datasets::{Geometry, ImageShape, RowNames};
use embedding::{Error, Neighborhood};
use serde::Deserialize;
use serde_json::Value;

use crate::message::Array;

/// A request without its `id`.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    Describe {},
    Generate(Generate),
    Points(Box<Given>),
    Read(File),
    Sample(Sample),
    Drop(Discard),
    Ranges(Ranges),
    Fit(Fit),
    Transform(Transform),
    Invert(Invert),
    Align(Align),
    Measures(Measures),
    PerPoint(PerPoint),
    Graph(Graph),
    Distances(Distances),
    Path(Path),
    Weights(Weights),
    Diagnose(Diagnose),
    Drivers(Drivers),
    Command(Command),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Generate {
    pub(crate) data: String,
    pub(crate) dataset: String,
    pub(crate) n: Option<usize>,
    #[serde(default)]
    pub(crate) noise: f64,
    #[serde(default)]
    pub(crate) seed: u64,
    pub(crate) scale: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Given {
    pub(crate) data: String,
    pub(crate) points: Array,
    pub(crate) columns: usize,
    #[serde(default)]
    pub(crate) column_names: Vec<String>,
    pub(crate) title: Option<String>,
    pub(crate) truth: Option<Array>,
    #[serde(default)]
    pub(crate) truth_columns: usize,
    #[serde(default)]
    pub(crate) truth_names: Vec<String>,
    pub(crate) geometry: Option<Geometry>,
    #[serde(default)]
    pub(crate) labels: Vec<GivenLabels>,
    #[serde(default)]
    pub(crate) quantities: Vec<GivenQuantity>,
    pub(crate) row_names: Option<RowNames>,
    pub(crate) images: Option<ImageShape>,
    pub(crate) pixels: Option<Array>,
    #[serde(default)]
    pub(crate) notes: String,
    pub(crate) source: Option<Source>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct GivenLabels {
    pub(crate) name: String,
    pub(crate) classes: Vec<String>,
    pub(crate) values: Array,
    pub(crate) unknown: Option<u32>,
}

/// A number per row, NaN where it is missing.
#[derive(Debug, Deserialize)]
pub(crate) struct GivenQuantity {
    pub(crate) name: String,
    pub(crate) values: Array,
}

/// Where points came from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Source {
    Listed {
        dataset: String,
        n: Option<usize>,
        #[serde(default)]
        noise: f64,
        #[serde(default)]
        seed: u64,
        scale: Option<f64>,
    },
    File {
        file: String,
        /// The size and the seed of a sample of it.
        #[serde(skip)]
        sample: Option<(usize, u64)>,
        /// Other options of reading it.
        #[serde(skip)]
        options: Vec<String>,
    },
}

#[derive(Debug, Deserialize)]
pub(crate) struct File {
    pub(crate) data: String,
    pub(crate) name: String,
    pub(crate) bytes: Array,
    pub(crate) label_column: Option<String>,
    pub(crate) labels: Option<LabelFile>,
    #[serde(default)]
    pub(crate) ignore: Vec<String>,
    #[serde(default)]
    pub(crate) color_columns: Vec<String>,
    pub(crate) name_column: Option<String>,
    #[serde(default)]
    pub(crate) windows_1252: bool,
    #[serde(default)]
    pub(crate) decimal_comma: bool,
    #[serde(default)]
    pub(crate) standardize: bool,
    #[serde(default)]
    pub(crate) missing: MissingValues,
    #[serde(default)]
    pub(crate) missing_values: Vec<String>,
}

/// What happens to missing values of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MissingValues {
    #[default]
    Refuse,
    Drop,
    Mean,
    Median,
    Zero,
}

impl MissingValues {
    /// The choice of the reader, and its word on the command line.
    pub(crate) fn choice(self) -> (Missing, &'static str) {
        match self {
            Self::Refuse => (Missing::Refuse, "refuse"),
            Self::Drop => (Missing::Drop, "drop"),
            Self::Mean => (Missing::Mean, "mean"),
            Self::Median => (Missing::Median, "median"),
            Self::Zero => (Missing::Zero, "zero"),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct LabelFile {
    pub(crate) name: String,
    pub(crate) bytes: Array,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sample {
    pub(crate) data: String,
    pub(crate) of: String,
    pub(crate) n: usize,
    #[serde(default)]
    pub(crate) seed: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Discard {
    #[serde(default)]
    pub(crate) data: Vec<String>,
    #[serde(default)]
    pub(crate) models: Vec<String>,
}

/// Values by name: text, numbers or booleans.
pub(crate) type Settings = BTreeMap<String, Value>;

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Common {
    pub(crate) k: Option<usize>,
    pub(crate) dim: Option<usize>,
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Ranges {
    pub(crate) data: String,
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) settings: Settings,
    #[serde(default)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Fit {
    pub(crate) data: String,
    pub(crate) method: String,
    pub(crate) model: Option<String>,
    #[serde(default)]
    pub(crate) settings: Settings,
    #[serde(default)]
    pub(crate) common: Common,
    #[serde(default)]
    pub(crate) labels: usize,
    pub(crate) start: Option<Start>,
    /// Rows that keep their places in the start.
    pub(crate) fixed: Option<Array>,
    pub(crate) frames: Option<Frames>,
    #[serde(default)]
    pub(crate) further: usize,
    #[serde(default = "yes")]
    pub(crate) steps: bool,
    #[serde(default = "gigabyte")]
    pub(crate) memory: f64,
}

/// Coordinates at which an iterative method starts, or goes on.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Start {
    pub(crate) coordinates: Array,
    pub(crate) columns: usize,
    #[serde(default)]
    pub(crate) goes_on: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Frames {
    pub(crate) every: usize,
}

fn yes() -> bool {
    true
}

fn gigabyte() -> f64 {
    1e9
}

#[derive(Debug, Deserialize)]
pub(crate) struct Transform {
    pub(crate) model: String,
    pub(crate) points: Array,
    pub(crate) columns: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Invert {
    pub(crate) model: String,
    pub(crate) places: Array,
    pub(crate) columns: usize,
    #[serde(default)]
    pub(crate) by: Inverse,
    #[serde(default = "ten")]
    pub(crate) k: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Inverse {
    /// The inverse of the model where it is a linear map, else barycentric.
    #[default]
    Auto,
    Barycentric,
    KernelRidge,
}

/// Coordinates of a model, or given ones.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum MapSource {
    Model { model: String },
    Given { coordinates: Array, columns: usize, rows: Option<Array> },
}

#[derive(Debug, Deserialize)]
pub(crate) struct Align {
    pub(crate) map: MapSource,
    pub(crate) reference: MapSource,
    #[serde(default = "yes")]
    pub(crate) scale: bool,
}

/// Default neighborhood size of measures, the same as in `compare`, and number of listed columns.
fn ten() -> usize {
    10
}

#[derive(Debug, Deserialize)]
pub(crate) struct Measures {
    pub(crate) data: String,
    pub(crate) map: MapSource,
    #[serde(default = "ten")]
    pub(crate) k: usize,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) rows: Option<usize>,
    #[serde(default)]
    pub(crate) labels: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PerPoint {
    pub(crate) data: String,
    pub(crate) map: MapSource,
    #[serde(default = "ten")]
    pub(crate) k: usize,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) rows: Option<usize>,
}

/// The rule that selects neighbors.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Rule {
    k: Option<usize>,
    radius: Option<f64>,
}

impl Rule {
    pub(crate) fn neighborhood(self) -> Result<Neighborhood, Error> {
        match (self.k, self.radius) {
            (Some(k), None) => Ok(Neighborhood::Nearest { k }),
            (None, Some(radius)) => Ok(Neighborhood::Within { radius }),
            (k, _) => {
                let got = if k.is_some() { "both" } else { "neither" };
                Err(Error::parameter("the neighborhood", "k or radius", got))
            }
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Graph {
    pub(crate) data: String,
    #[serde(flatten)]
    pub(crate) rule: Rule,
    #[serde(default = "five")]
    pub(crate) stretch: f64,
}

/// The stretch that `compare` has by default.
fn five() -> f64 {
    5.0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Space {
    Points,
    Truth,
    Graph,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Distances {
    pub(crate) data: String,
    pub(crate) from: usize,
    pub(crate) of: Space,
    #[serde(flatten)]
    pub(crate) rule: Rule,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Path {
    pub(crate) data: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    #[serde(flatten)]
    pub(crate) rule: Rule,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Weights {
    pub(crate) data: String,
    pub(crate) row: usize,
    #[serde(flatten)]
    pub(crate) rule: Rule,
    #[serde(default = "thousandth")]
    pub(crate) reg: f64,
}

/// The default regularization of the weights.
fn thousandth() -> f64 {
    1e-3
}

#[derive(Debug, Deserialize)]
pub(crate) struct Diagnose {
    pub(crate) model: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Drivers {
    pub(crate) model: String,
    pub(crate) rows: Option<Array>,
    #[serde(default = "ten")]
    pub(crate) count: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Command {
    pub(crate) data: String,
    #[serde(default)]
    pub(crate) common: Common,
    pub(crate) methods: Vec<Chosen>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Chosen {
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) settings: Settings,
}
