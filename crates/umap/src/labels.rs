//! Supervision by classes.

use embedding::{Error, Form, Value};
use neighbor_graph::Graph;
use serde::{Deserialize, Serialize};

/// What the labels of the input are used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// They are not used; the default.
    #[default]
    Ignored,
    /// Points of different classes move apart.
    Classes {
        /// 0 ≤ weight ≤ 1: edges between classes are multiplied by
        /// exp(−2.5/(1 − weight)); umap-learn uses 0.5 where labels are given.
        weight: f64,
    },
}

impl Value for Target {
    const FORM: Form = Form::WordOrNumber("none");

    fn show(&self) -> String {
        match self {
            Self::Ignored => "none".to_owned(),
            Self::Classes { weight } => weight.show(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Self::Ignored),
            _ => f64::read(text).map(|weight| Self::Classes { weight }),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Ignored => None,
            Self::Classes { weight } => Some(*weight),
        }
    }
}

embedding::text!(Target);

impl Target {
    /// The graph after intersection with the labels: edges between classes are weakened,
    /// each row is divided by its largest weight, and the union of both directions is
    /// taken again.
    pub(crate) fn applied(self, graph: Graph, labels: Option<&[u32]>) -> Result<Graph, Error> {
        let Self::Classes { weight } = self else { return Ok(graph) };
        let labels = labels.ok_or_else(|| {
            Error::degenerate(
                "a target weight needs labels, and the data has none",
                "give a class per point, or leave target-weight at none",
            )
        })?;
        let across = (-2.5 / (1.0 - weight)).exp();
        let graph = graph.map_weights(|i, j, w| if labels[i] == labels[j] { w } else { w * across });
        let largest: Vec<f64> =
            (0..graph.len()).map(|i| graph.of(i).1.iter().fold(0.0, |m: f64, w| m.max(*w))).collect();
        let relative = |w: f64, i: usize| if largest[i] > 0.0 { w / largest[i] } else { 0.0 };
        Ok(graph.map_weights(|i, j, w| {
            let (there, back) = (relative(w, i.min(j)), relative(w, i.max(j)));
            there + back - there * back
        }))
    }
}
