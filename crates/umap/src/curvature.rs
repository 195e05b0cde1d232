//! The curvature of the cross entropy in the place of each point.

use embedding::implement::squared_distance;
use embedding::{Error, Points};
use faer::Mat;
use neighbor_graph::Graph;
use rayon::prelude::*;
use spectral::dense::symmetric_eigenvalues;

use crate::Curve;

/// Computes the smallest eigenvalue of each point's block of the Hessian of the cross entropy.
///
/// *Idea.* As for t-SNE, the place of a point is determined by a sharp minimum of the loss, or by a flat one:
/// where the curvature is small or negative in some direction, a small change of the data moves the point
/// far. The singularity score of a point is the inverse of its smallest eigenvalue.
///
/// *Derivation.* The loss Σ over pairs of −v ln w − (1 − v) ln(1 − w) has, with s = |y_i − y_j|² and
/// w = 1/(1 + a s^b), the term
///
/// f(s) = ln(1 + a s^b) − (1 − v) (ln a + b ln s)
///
/// for each pair. From a s^b = (1 − w)/w follow dw/ds = −b w (1 − w)/s and
///
/// f′(s) = b (v − w)/s, f″(s) = b [b w (1 − w) − (v − w)]/s².
///
/// The Hessian of f(|y_i − y_j|²) in y_i is 2 f′ I + 4 f″ z zᵀ with z = y_i − y_j. The block of point i is the
/// sum over all other points, v = 0 where there is no edge:
///
/// H_ii = Σ_j [2 b (v_ij − w_ij)/s_ij I + (4 b/s_ij²) (b w_ij (1 − w_ij) + w_ij − v_ij) z_ij z_ijᵀ].
///
/// Pairs of the same place have no derivative and are left out. The loss is taken without the bounds of its
/// logarithms, and for all pairs: negative sampling approximates it, so that a map is a minimum only
/// approximately, and some eigenvalues are negative. For densMAP it is the loss without the density term.
///
/// *Cost.* O(n² d²) time, points in parallel.
///
/// *Fails* with [`Error::Shape`] unless the map has a row per point of the graph, with [`Error::Parameter`]
/// unless a and b are positive, and with [`Error::Degenerate`] where an eigenvalue is not finite.
///
/// *Reference.* The score: Liu, Ma and Zhong (2025), doi:10.1038/s41467-025-60434-9, for t-SNE. The loss:
/// McInnes, Healy and Melville, arXiv:1802.03426.
///
/// ```
/// use embedding::{Points, Silent};
/// use umap::{Curve, FuzzyGraph, smallest_curvatures};
/// let data = [0.0, 1.0, 2.5, 4.0, 9.0, 10.0];
/// let neighbors = umap::neighbor_graph::NeighborSearch::nearest(2).find(Points::new(&data, 1)?)?;
/// let fuzzy = FuzzyGraph::of_neighbors(&neighbors, 1.0, 1.0, &Silent)?;
/// let map = [0.0, 0.2, 0.1, 0.4, 3.0, 3.1];
/// let curvatures = smallest_curvatures(fuzzy.graph(), Points::new(&map, 1)?, Curve::fit(0.1, 1.0)?)?;
/// assert_eq!(curvatures.len(), 6);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn smallest_curvatures(graph: &Graph, map: Points<'_>, curve: Curve) -> Result<Vec<f64>, Error> {
    if map.len() != graph.len() {
        let expected = format!("{} rows, one per point of the graph", graph.len());
        return Err(Error::Shape { what: "the map", expected, got: map.len().to_string() });
    }
    for (name, value) in [("a", curve.a), ("b", curve.b)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(Error::parameter(name, "positive and finite", value));
        }
    }
    let smallest = |point: usize| {
        let eigenvalues = symmetric_eigenvalues(block(graph, map, curve, point).as_ref()).ok()?;
        eigenvalues.first().copied().filter(|value| value.is_finite())
    };
    let curvatures: Vec<Option<f64>> = (0..graph.len()).into_par_iter().map(smallest).collect();
    curvatures.into_iter().collect::<Option<Vec<f64>>>().ok_or_else(|| {
        Error::degenerate("a curvature of the map left the range of numbers", "scale the map to about 10")
    })
}

/// The block of the Hessian that belongs to a point.
fn block(graph: &Graph, map: Points<'_>, curve: Curve, point: usize) -> Mat<f64> {
    let (dim, y) = (map.dim(), map.row(point));
    let (neighbors, weights) = graph.of(point);
    let mut block = Mat::zeros(dim, dim);
    let mut at = 0;
    for (j, there) in map.rows().enumerate() {
        // Neighbors ascend.
        let v = if neighbors.get(at).is_some_and(|next| *next as usize == j) {
            at += 1;
            weights[at - 1]
        } else {
            0.0
        };
        let s = squared_distance(y, there);
        if j == point || s == 0.0 {
            continue;
        }
        let w = curve.similarity(s);
        let slope = curve.b * (v - w) / s;
        let bend = curve.b * (curve.b * w * (1.0 - w) - (v - w)) / (s * s);
        for c in 0..dim {
            block[(c, c)] += 2.0 * slope;
            for e in 0..dim {
                block[(c, e)] += 4.0 * bend * (y[c] - there[c]) * (y[e] - there[e]);
            }
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use neighbor_graph::NeighborSearch;
    use testkit::cases::cloud;

    use super::*;
    use crate::FuzzyGraph;

    /// The cross entropy by its definition, over the pairs of one point.
    fn loss(graph: &Graph, map: &[f64], dim: usize, curve: Curve, point: usize) -> f64 {
        let (neighbors, weights) = graph.of(point);
        let y = &map[point * dim..][..dim];
        let pair = |j: usize| {
            let at = neighbors.iter().position(|other| *other as usize == j);
            let v = at.map_or(0.0, |at| weights[at]);
            let w = curve.similarity(squared_distance(y, &map[j * dim..][..dim]));
            -v * w.ln() - (1.0 - v) * (1.0 - w).ln()
        };
        (0..graph.len()).filter(|j| *j != point).map(pair).sum()
    }

    /// The gradient of this loss in the place of the point, from f′ of the derivation.
    fn gradient(graph: &Graph, map: &[f64], dim: usize, curve: Curve, point: usize) -> Vec<f64> {
        let (neighbors, weights) = graph.of(point);
        let mut gradient = vec![0.0; dim];
        for j in (0..graph.len()).filter(|j| *j != point) {
            let at = neighbors.iter().position(|other| *other as usize == j);
            let v = at.map_or(0.0, |at| weights[at]);
            let (y, there) = (&map[point * dim..][..dim], &map[j * dim..][..dim]);
            let s = squared_distance(y, there);
            let slope = curve.b * (v - curve.similarity(s)) / s;
            gradient
                .iter_mut()
                .zip(y.iter().zip(there))
                .for_each(|(g, (y, there))| *g += 2.0 * slope * (y - there));
        }
        gradient
    }

    /// Derivatives are the limits of differences of the loss, in one to three dimensions.
    #[test]
    fn blocks_agree_with_finite_differences() {
        for (dim, min_dist) in [(1, 0.1), (2, 0.1), (2, 0.8), (3, 0.5)] {
            let data = cloud(40, 4, 3).points;
            let neighbors = NeighborSearch::nearest(6).find(&data).expect("enough points");
            let fuzzy = FuzzyGraph::of_neighbors(&neighbors, 1.0, 1.0, &Silent).expect("in range");
            let graph = fuzzy.graph();
            let curve = Curve::fit(min_dist, 1.0).expect("in range");
            // Rows of a grid, moved by less than its spacing, so that no pair is close to the singular place.
            let side = [40_usize, 7, 4][dim - 1];
            let shift = cloud(40, dim, 5).points;
            let cell = |i: usize, c: usize| (i / side.pow(c as u32) % side) as f64;
            let map: Vec<f64> = (0..40)
                .flat_map(|i| (0..dim).map(move |c| (i, c)))
                .map(|(i, c)| cell(i, c) + 0.2 * shift.view().row(i)[c])
                .collect();
            let points = Points::new(&map, dim).expect("finite");
            for point in [0, 17] {
                let (slope, found) =
                    (gradient(graph, &map, dim, curve, point), block(graph, points, curve, point));
                let h = 1e-5;
                let moved = |c: usize, by: f64| {
                    let mut map = map.clone();
                    map[point * dim + c] += by;
                    map
                };
                for c in 0..dim {
                    let (up, down) = (moved(c, h), moved(c, -h));
                    let of = |map: &[f64]| loss(graph, map, dim, curve, point);
                    let gap = ((of(&up) - of(&down)) / (2.0 * h) - slope[c]).abs();
                    assert!(gap < 1e-6, "gradient, {dim} {point}: {gap:e}");
                    let of = |map: &[f64]| gradient(graph, map, dim, curve, point);
                    for (e, (up, down)) in of(&up).into_iter().zip(of(&down)).enumerate() {
                        let gap = ((up - down) / (2.0 * h) - found[(c, e)]).abs();
                        assert!(gap < 1e-6, "block, {dim} {point}: {gap:e}");
                    }
                }
            }
        }
    }
}
