//! Affinities from distances.

use embedding::Error;
use embedding::implement::{Range, Validate, Value, ValueSyntax, mean_distance, require};
use neighbor_graph::{Graph, Neighbors};
use serde::{Deserialize, Serialize};

/// The affinity of two neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Weights {
    /// 1 for every edge.
    Connectivity,
    /// exp(−(distance/width)²), but at least 1e-4. The lower bound applies to edges
    /// longer than about three widths, such as bridges between components, whose affinity
    /// would otherwise vanish numerically.
    Heat {
        /// The width of the kernel.
        width: Width,
    },
}

/// The width of a heat kernel, in input units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Width {
    /// The mean distance from a point to the last of its neighbors.
    #[default]
    Auto,
    /// A given width, finite and positive.
    Fixed(f64),
}

/// The lower bound on affinities.
const WEAKEST: f64 = 1e-4;

/// An affinity function with a known width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Affinity {
    Constant,
    Gaussian { width: f64 },
}

impl Value for Width {
    const SYNTAX: ValueSyntax = ValueSyntax::WordOrNumber("auto");
    const RANGE: Option<Range> = Some(Range::positive());

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Fixed(width) => width.show(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(Self::Auto) } else { f64::read(text).map(Self::Fixed) }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Auto => None,
            Self::Fixed(width) => Some(*width),
        }
    }
}

embedding::text!(Width);

impl Value for Weights {
    const SYNTAX: ValueSyntax = ValueSyntax::Text("connectivity, heat, or heat:WIDTH");
    const RANGE: Option<Range> = Width::RANGE;

    fn show(&self) -> String {
        match self {
            Self::Connectivity => "connectivity".to_owned(),
            Self::Heat { width: Width::Auto } => "heat".to_owned(),
            Self::Heat { width } => format!("heat:{}", width.show()),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "connectivity" => Some(Self::Connectivity),
            None if text == "heat" => Some(Self::Heat { width: Width::Auto }),
            Some(("heat", width)) => Some(Self::Heat { width: Value::read(width)? }),
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Connectivity => None,
            Self::Heat { width } => width.number(),
        }
    }
}

embedding::text!(Weights);

impl Weights {
    /// The affinities of all edges of a graph, in the order of its rows; the automatic width is computed from
    /// the lists from which the graph was made.
    pub fn affinities(self, neighbors: &Neighbors, graph: &Graph) -> Vec<Vec<f64>> {
        self.settle(neighbors).edges(graph)
    }

    pub(crate) fn settle(self, neighbors: &Neighbors) -> Affinity {
        match self {
            Self::Connectivity => Affinity::Constant,
            Self::Heat { width: Width::Fixed(width) } => Affinity::Gaussian { width },
            Self::Heat { width: Width::Auto } => {
                let last = |i: usize| neighbors.distances_of(i).last().copied().unwrap_or(0.0);
                let distances: Vec<f64> = (0..neighbors.len()).map(last).collect();
                let mean = mean_distance(&[&distances], neighbors.len());
                // If all points coincide, all distances are 0 and any width can be used.
                Affinity::Gaussian { width: if mean > 0.0 { mean } else { 1.0 } }
            }
        }
    }
}

impl Affinity {
    pub(crate) fn of(self, distance: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Gaussian { width } => (-(distance / width).powi(2)).exp().max(WEAKEST),
        }
    }

    /// The width, in input units, of a kernel that has one.
    pub(crate) fn width(self) -> Option<f64> {
        match self {
            Self::Constant => None,
            Self::Gaussian { width } => Some(width),
        }
    }

    /// Returns the affinities of all edges, in the order of the graph's rows.
    pub(crate) fn edges(self, graph: &Graph) -> Vec<Vec<f64>> {
        (0..graph.len()).map(|i| graph.weights_of(i).iter().map(|&d| self.of(d)).collect()).collect()
    }
}

impl Validate for Affinity {
    fn validate(&self) -> Result<(), Error> {
        match *self {
            Self::Constant => Ok(()),
            Self::Gaussian { width } => {
                require(width.is_finite() && width > 0.0, "its width is not positive")
            }
        }
    }
}
