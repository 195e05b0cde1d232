//! Supervision by classes, and the weight of any supervision.

use embedding::implement::{Value, ValueSyntax};
use embedding::{Error, Input, Labels, Neighborhood, Remedy};
use neighbor_graph::Graph;
use serde::{Deserialize, Serialize};

use crate::targets::TargetValues;

/// Factor of an edge with an end whose class is unknown: exp(−1).
const UNKNOWN: f64 = 1.0 / std::f64::consts::E;

/// What the labels of the input, or its continuous target ([`Input::with_targets`]), are used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// They are not used; the default.
    #[default]
    Ignored,
    /// Points of different classes, or of different target values, move apart.
    #[serde(alias = "Classes")]
    Used {
        /// 0 ≤ weight ≤ 1. Of classes: edges between them are multiplied by exp(−2.5/(1 − weight)),
        /// which is 0 for 1, and edges of points whose class is unknown by exp(−1).
        /// Of a continuous target: with v the membership in the graph of the data and t in the graph of
        /// the target values, an edge of either graph has the weight v^p t^q, p = 1 and q = weight/(1 − weight)
        /// up to 0.5, p = (1 − weight)/weight and q = 1 beyond. 0 does not use the target.
        /// umap-learn uses 0.5 where labels or values are given.
        weight: f64,
    },
}

impl Value for Target {
    const SYNTAX: ValueSyntax = ValueSyntax::WordOrNumber("none");

    fn show(&self) -> String {
        match self {
            Self::Ignored => "none".to_owned(),
            Self::Used { weight } => weight.show(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Self::Ignored),
            _ => f64::read(text).map(|weight| Self::Used { weight }),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Ignored => None,
            Self::Used { weight } => Some(*weight),
        }
    }
}

embedding::text!(Target);

impl Target {
    /// The graph after intersection with the continuous target, where there is one, or with the labels.
    pub(crate) fn applied(
        self,
        graph: Graph,
        input: &Input<'_>,
        values: Option<TargetValues<'_>>,
    ) -> Result<Graph, Error> {
        match (self, values, input.labels()) {
            (Self::Ignored, ..) => Ok(graph),
            (Self::Used { .. }, Some(values), _) => values.applied(graph),
            (Self::Used { weight }, None, Some(labels)) => Ok(by_classes(weight, graph, labels)),
            (Self::Used { .. }, None, None) => Err(Error::degenerate(
                "a target weight needs labels, and the data has none",
                "give a class or a number per point, or of some points, or leave target-weight at none",
            )
            .with_remedy(Remedy::Labels)),
        }
    }

    /// The continuous target of the input, where it is used, with its number of neighbors.
    pub(crate) fn values<'a>(
        self,
        input: &Input<'a>,
        neighbors: Option<usize>,
        of_data: Neighborhood,
    ) -> Option<TargetValues<'a>> {
        let Self::Used { weight } = self else { return None };
        input.targets().map(|values| TargetValues { values, weight, neighbors, of_data })
    }
}

/// The graph after intersection with the labels: edges between classes are weakened, and the graph is
/// connected locally again.
fn by_classes(weight: f64, graph: Graph, labels: Labels<'_>) -> Graph {
    let across = (-2.5 / (1.0 - weight)).exp();
    locally_connected(graph.map_weights(|i, j, w| match (labels.of(i), labels.of(j)) {
        (Some(one), Some(other)) if one == other => w,
        (Some(_), Some(_)) => w * across,
        _ => w * UNKNOWN,
    }))
}

/// The graph after each row is divided by its largest weight, and the union of both directions is taken again.
pub(crate) fn locally_connected(graph: Graph) -> Graph {
    let largest: Vec<f64> =
        (0..graph.len()).map(|i| graph.weights_of(i).iter().fold(0.0, |m: f64, w| m.max(*w))).collect();
    let relative = |w: f64, i: usize| if largest[i] > 0.0 { w / largest[i] } else { 0.0 };
    graph.map_weights(|i, j, w| {
        let (there, back) = (relative(w, i.min(j)), relative(w, i.max(j)));
        there + back - there * back
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `discrete_metric_simplicial_set_intersection` of umap-learn 0.5.12 with far_dist = 5,
    /// for the graph and the labels below, −1 for the unknown one.
    const EXPECTED: [(usize, usize, f64); 6] = [
        (0, 1, 1.0),
        (1, 2, 0.03026387460154474),
        (2, 3, 1.0),
        (3, 4, 1.0),
        (0, 3, 0.8673962445529114),
        (2, 4, 0.9486377976222644),
    ];

    #[test]
    fn edges_are_those_of_umap_learn() -> Result<(), Error> {
        let edges = [(0, 1, 0.9), (1, 2, 0.8), (2, 3, 0.6), (3, 4, 0.3), (0, 3, 0.5), (2, 4, 0.1)];
        let graph = Graph::from_edges(5, &edges)?;
        let labels = [Some(0), Some(0), Some(1), None, Some(1)];
        let found = by_classes(0.5, graph.clone(), Labels::Some(&labels));
        for (i, j, expected) in EXPECTED {
            let (js, ws) = found.of(i);
            let at = js.iter().position(|other| *other as usize == j).expect("an edge");
            assert!((ws[at] - expected).abs() < 1e-6, "{i} – {j}: {}, expected {expected}", ws[at]);
        }
        // Weight 1 keeps edges of unknown ends alone between classes.
        let apart = by_classes(1.0, graph, Labels::Some(&labels));
        assert_eq!(apart.weights_of(1)[1], 0.0);
        assert!(apart.weights_of(0)[1] > 0.0);
        Ok(())
    }
}
