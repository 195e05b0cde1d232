//! Supervision by a continuous target.

use embedding::{Error, Neighborhood, Neighbors, Silent};
use neighbor_graph::Graph;

use crate::FuzzyGraph;
use crate::labels::locally_connected;

/// Neighbors of a target value where the graph of the data has no fixed number of neighbors.
const USUAL: usize = 14;

/// Bounds of the membership of pairs that are no neighbors: by their target values, and in the data.
const ABSENT: (f64, f64) = (1e-8, 1e-4);

/// A number per point, NaN where it is unknown, with the recipe's parameters.
#[derive(Clone, Copy)]
pub(crate) struct TargetValues<'a> {
    pub(crate) values: &'a [f64],
    /// 0 ≤ weight ≤ 1.
    pub(crate) weight: f64,
    /// The number of neighbors of a value; `None` for the default.
    pub(crate) neighbors: Option<usize>,
    /// The rule by which the neighbors in the data were found.
    pub(crate) of_data: Neighborhood,
}

impl TargetValues<'_> {
    /// The intersection of the graph of the data with the fuzzy graph of the known values; the graph itself
    /// for weight 0.
    ///
    /// With v and t the memberships in both, an edge of either graph has the weight v^p t^q, p = 1 and
    /// q = weight/(1 − weight) up to weight 1/2, p = (1 − weight)/weight and q = 1 beyond. A pair that is no
    /// edge of a graph counts with half the smallest membership there, at least 1e-8 and, for the target, at most
    /// 1e-4. Rows with an unknown value have edges of the data alone, with p = 1: after each row is divided by
    /// its largest weight, they have their memberships in the data.
    pub(crate) fn applied(self, graph: Graph) -> Result<Graph, Error> {
        if self.weight <= 0.0 {
            return Ok(graph);
        }
        let target = self.graph()?;
        let (p, q) = match self.weight {
            weight if weight < 0.5 => (1.0, weight / (1.0 - weight)),
            weight => ((1.0 - weight) / weight, 1.0),
        };
        let (no_v, no_t) = (absent(&graph).max(ABSENT.0), absent(&target).clamp(ABSENT.0, ABSENT.1));
        let known = |i: u32| !self.values[i as usize].is_nan();
        let mut edges = Vec::with_capacity(graph.edge_count() + target.edge_count());
        for i in 0..graph.len() as u32 {
            for (j, v, t) in joined(graph.of(i as usize), target.of(i as usize)).filter(|pair| pair.0 > i) {
                let p = if known(i) && known(j) { p } else { 1.0 };
                edges.push((i, j, v.unwrap_or(no_v).powf(p) * t.unwrap_or(no_t).powf(q)));
            }
        }
        Ok(locally_connected(Graph::from_edges(graph.len(), &edges)?))
    }

    /// The number of entries in all neighbor lists of the values.
    pub(crate) fn entries(self) -> usize {
        let known = self.values.iter().filter(|value| !value.is_nan()).count();
        if self.weight > 0.0 { known * self.k(known) } else { 0 }
    }

    /// The fuzzy graph of the known values.
    fn graph(self) -> Result<Graph, Error> {
        let n = self.values.len();
        let mut known: Vec<u32> = (0..n as u32).filter(|&i| !self.values[i as usize].is_nan()).collect();
        let value = |i: u32| self.values[i as usize];
        known.sort_by(|&i, &j| value(i).total_cmp(&value(j)).then(i.cmp(&j)));
        let advice = "give at least two different numbers, or leave target-weight at none";
        let (first, last) = match known[..] {
            [first, .., last] if value(first) < value(last) => (value(first), value(last)),
            _ => {
                let problem = match known.len() {
                    count @ 0..2 => {
                        format!("a continuous target needs two known values, but {count} of {n} are known")
                    }
                    count => format!("the {count} known values of the target are all equal"),
                };
                return Err(Error::degenerate(problem, advice));
            }
        };
        let k = self.k(known.len());
        if k >= known.len() {
            let most = format!("1 to {}, below the number of known target values", known.len() - 1);
            return Err(Error::parameter("target-neighbors", most, k));
        }
        // Memberships depend on quotients of differences alone.
        let extent = 0.5 * last - 0.5 * first;
        let places: Vec<f64> =
            known.iter().map(|&i| 0.5 * value(i) / extent - 0.5 * first / extent).collect();
        let lists = (0..places.len()).map(|at| nearest(&places, at, k)).collect();
        let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k })?;
        let graph = FuzzyGraph::of_neighbors(&neighbors, 1.0, 1.0, &Silent)?.into_graph();
        let edges: Vec<_> =
            graph.edges().map(|(i, j, t)| (known[i as usize], known[j as usize], t)).collect();
        Graph::from_edges(n, &edges)
    }

    /// The number of neighbors of a value; `known` is the number of known ones.
    fn k(self, known: usize) -> usize {
        let k = self.of_data.k().unwrap_or(USUAL).min(known.saturating_sub(1));
        self.neighbors.unwrap_or(k)
    }
}

/// The k nearest of ascending numbers to the one at a position, with their distances. Of equally near ones,
/// those at near positions come first, so that equal numbers are linked in a chain and have no common hubs.
fn nearest(places: &[f64], at: usize, k: usize) -> Vec<(u32, f64)> {
    let (mut low, mut high) = (at, at + 1);
    let mut list = Vec::with_capacity(k);
    while list.len() < k {
        let below = (low > 0).then(|| places[at] - places[low - 1]);
        let above = (high < places.len()).then(|| places[high] - places[at]);
        let is_below = match (below, above) {
            (Some(below), Some(above)) => (below, at - low) <= (above, high - at - 1),
            (below, _) => below.is_some(),
        };
        if is_below {
            low -= 1;
            list.push((low as u32, places[at] - places[low]));
        } else {
            list.push((high as u32, places[high] - places[at]));
            high += 1;
        }
    }
    list
}

/// Half the smallest positive weight.
fn absent(graph: &Graph) -> f64 {
    0.5 * graph.edges().map(|edge| edge.2).filter(|weight| *weight > 0.0).fold(1.0, f64::min)
}

/// The neighbors of a point in either of two graphs, ascending, with the positive weights that they have there.
fn joined<'a>(
    (js, vs): (&'a [u32], &'a [f64]),
    (ks, ts): (&'a [u32], &'a [f64]),
) -> impl Iterator<Item = (u32, Option<f64>, Option<f64>)> + 'a {
    let (mut a, mut b) = (0, 0);
    let positive = |weight: f64| Some(weight).filter(|weight| *weight > 0.0);
    std::iter::from_fn(move || {
        let next = match (js.get(a), ks.get(b)) {
            (Some(&j), Some(&k)) => j.min(k),
            (j, k) => *j.or(k)?,
        };
        let (mut v, mut t) = (None, None);
        if js.get(a) == Some(&next) {
            v = positive(vs[a]);
            a += 1;
        }
        if ks.get(b) == Some(&next) {
            t = positive(ts[b]);
            b += 1;
        }
        Some((next, v, t))
    })
    .filter(|(_, v, t)| v.is_some() || t.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [(u32, u32, f64); 6] =
        [(0, 1, 0.9), (1, 2, 0.8), (2, 3, 0.6), (3, 4, 0.3), (0, 3, 0.5), (2, 4, 0.1)];

    fn of(values: &[f64], weight: f64) -> TargetValues<'_> {
        TargetValues { values, weight, neighbors: Some(2), of_data: Neighborhood::Nearest { k: 2 } }
    }

    fn weight(graph: &Graph, i: usize, j: u32) -> f64 {
        let (js, ws) = graph.of(i);
        js.iter().position(|other| *other == j).map_or(0.0, |at| ws[at])
    }

    /// `fuzzy_simplicial_set` of umap-learn 0.5.12 with three neighbors, the point itself included, then
    /// `general_simplicial_set_intersection` and `reset_local_connectivity`, for the graph above and these values.
    #[test]
    fn edges_are_those_of_umap_learn() -> Result<(), Error> {
        let graph = Graph::from_edges(5, &EDGES)?;
        let values = [0.0, 1.0, 1.5, 4.0, 4.25];
        let expected = [
            (0.3, [0.105_915_198_9, 0.030_754_858_2, 0.999_999_999_9, 0.337_918_742_9]),
            (0.5, [0.095_341_375_5, 0.000_198_008_6, 1.0, 0.253_849_698_8]),
            (0.8, [0.649_418_351_9, 0.000_199_946_1, 0.861_319_179_9, 0.637_697_247_3]),
        ];
        for (mixed, expected) in expected {
            let found = of(&values, mixed).applied(graph.clone())?;
            let pairs = [(0, 2), (0, 3), (2, 3), (2, 4)];
            for ((i, j), expected) in pairs.into_iter().zip(expected) {
                let got = weight(&found, i, j);
                assert!((got - expected).abs() < 2e-5 * expected, "{mixed}, {i} – {j}: {got}, {expected}");
            }
            for (i, j) in [(0, 1), (1, 2), (3, 4)] {
                assert!((weight(&found, i, j) - 1.0).abs() < 1e-6, "{mixed}, {i} – {j}");
            }
        }
        Ok(())
    }

    /// Memberships do not depend on origin and unit of the target, also at the ends of the range of numbers.
    #[test]
    fn a_target_has_no_unit() -> Result<(), Error> {
        let graph = Graph::from_edges(5, &EDGES)?;
        let values = [0.0, 1.0, 1.5, 4.0, 4.25];
        let found = of(&values, 0.5).applied(graph.clone())?;
        for (scale, shift) in [(3.0, -7.0), (8e307 / 4.25, -4e307), (1e-300, 0.0)] {
            let moved: Vec<f64> = values.iter().map(|v| v * scale + shift).collect();
            let other = of(&moved, 0.5).applied(graph.clone())?;
            for (i, j, expected) in found.edges() {
                let got = weight(&other, i as usize, j);
                assert!((got - expected).abs() < 1e-4 * expected, "{scale}: {i} – {j}: {got}, {expected}");
            }
        }
        Ok(())
    }

    /// Rows of unknown value keep the proportions of their data memberships, whatever the weight.
    #[test]
    fn rows_of_unknown_value_keep_their_memberships() -> Result<(), Error> {
        let edges = [(0, 1, 1.0), (0, 2, 0.5), (1, 2, 0.25), (2, 3, 1e-9), (3, 4, 1.0), (4, 5, 0.1)];
        let graph = Graph::from_edges(6, &edges)?;
        let values = [f64::NAN, f64::NAN, f64::NAN, 0.0, 5.0, 6.0];
        let expected = locally_connected(graph.clone());
        for weight_of_target in [0.2, 0.5, 0.7, 1.0] {
            let found = of(&values, weight_of_target).applied(graph.clone())?;
            assert_eq!(found.indices_of(0), [1, 2], "no edge by the target");
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                let (got, expected) = (weight(&found, i, j), weight(&expected, i, j));
                assert!((got - expected).abs() < 1e-12, "{weight_of_target}, {i} – {j}: {got}, {expected}");
            }
        }
        Ok(())
    }

    #[test]
    fn equal_numbers_are_a_chain() {
        let places = [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5.0];
        let positions = |at| nearest(&places, at, 2).iter().map(|near| near.0).collect::<Vec<_>>();
        assert_eq!(positions(3), [2, 4]);
        assert_eq!(positions(1), [2, 3]);
        assert_eq!(positions(5), [4, 3]);
        assert_eq!(positions(0), [1, 2]);
        assert_eq!(positions(6), [5, 4]);
    }

    #[test]
    fn a_target_without_differences_is_refused() -> Result<(), Error> {
        let graph = Graph::from_edges(3, &[(0, 1, 1.0), (1, 2, 1.0)])?;
        for values in [[f64::NAN; 3], [1.0, f64::NAN, f64::NAN], [2.0, 2.0, 2.0]] {
            let refused = of(&values, 0.5).applied(graph.clone());
            assert!(matches!(refused, Err(Error::Degenerate { .. })), "{values:?}: {refused:?}");
        }
        let refused = of(&[0.0, 1.0, f64::NAN], 0.5).applied(graph);
        assert!(matches!(refused, Err(Error::Parameter { name: "target-neighbors", .. })), "{refused:?}");
        Ok(())
    }
}
