//! The angle between an edge and the tangent space at its end.

use embedding::implement::{PairDistances, proceed};
use embedding::{Error, Input, Observer};
use rayon::prelude::*;

use crate::Graph;

/// Neighbors that span a neighborhood, at most.
const NEAREST: usize = 16;
/// The regularization, relative to the sum of the squared lengths of the spanning neighbors.
const RIDGE: f64 = 0.02;
/// Vertices between progress reports.
const GROUP: usize = 4096;

/// The points or the distances of an input; fails if it has neither.
pub(crate) fn distances<'a>(input: &Input<'a>) -> Result<PairDistances<'a>, Error> {
    input.pair_distances().map_err(|_| {
        Error::degenerate(
            "shortcut edges are found by distances between the neighbors of a point, which \
             neighbor lists do not have",
            "give points or distances, or do not request the search for shortcuts",
        )
    })
}

/// The slope of every edge at each of its ends, in the order of the graph: the sine of its angle
/// with the tangent space.
pub(crate) struct Slopes(Vec<Vec<f64>>);

impl Slopes {
    pub(crate) fn new(
        graph: &Graph,
        distances: PairDistances<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let mut slopes = Vec::with_capacity(graph.len());
        for start in (0..graph.len()).step_by(GROUP) {
            let end = graph.len().min(start + GROUP);
            let part = (start..end).into_par_iter().with_min_len(16);
            slopes.par_extend(part.map(|u| slopes_at(graph, distances, u)));
            proceed(observer, end, graph.len())?;
        }
        Ok(Self(slopes))
    }

    /// The slopes at one vertex, in the order of its neighbors.
    pub(crate) fn of(&self, vertex: u32) -> &[f64] {
        &self.0[vertex as usize]
    }
}

/// Returns the slope of every edge at vertex `u`: for the nearest neighbors z of u that
/// are nearer to u than to v, G = (⟨z − u, z' − u⟩) and λ = 0.02 tr G, the edge y = v − u
/// has
///
///   slope² = (|y|² − cᵀ (G + λ I)⁻¹ c) / |y|²,   c = (⟨z − u, y⟩),
///
/// which is the squared sine of the angle between y and the span of the z as λ → 0.
/// Without such neighbors, or if the distances are not Euclidean, the slope is unknown: 0.
fn slopes_at(graph: &Graph, distances: PairDistances<'_>, u: usize) -> Vec<f64> {
    let squared = |i: u32, j: u32| distances.squared_distance(i as usize, j as usize);
    let (js, ws) = graph.of(u);
    let u = u as u32;
    let mut nearest: Vec<usize> = (0..js.len()).collect();
    nearest.sort_by(|&a, &b| ws[a].total_cmp(&ws[b]));
    nearest.truncate(NEAREST);
    let nearest: Vec<u32> = nearest.into_iter().map(|a| js[a]).collect();
    let from_u: Vec<f64> = nearest.iter().map(|&z| squared(u, z)).collect();
    // Squared distances between the nearest; most v are among them.
    let m = nearest.len();
    let mut between = vec![0.0; m * m];
    for a in 0..m {
        for b in 0..a {
            let squared = squared(nearest[a], nearest[b]);
            (between[a * m + b], between[b * m + a]) = (squared, squared);
        }
    }
    let product = |a: f64, b: f64, between: f64| 0.5 * (a + b - between);
    let mut factor = Vec::new();
    let slope = |&v: &u32| {
        let own = nearest.iter().position(|&z| z == v);
        let length = own.map_or_else(|| squared(u, v), |b| from_u[b]);
        let mut near: Vec<(usize, f64)> = Vec::with_capacity(m);
        for (a, &z) in nearest.iter().enumerate().filter(|(a, _)| Some(*a) != own) {
            let from_v = own.map_or_else(|| squared(v, z), |b| between[a * m + b]);
            if from_u[a] < from_v {
                near.push((a, product(from_u[a], length, from_v)));
            }
        }
        let ridge = RIDGE * near.iter().map(|(a, _)| from_u[*a]).sum::<f64>();
        if ridge == 0.0 || length == 0.0 {
            return 0.0;
        }
        let gram = |a: usize, b: usize| {
            let (a, b) = (near[a].0, near[b].0);
            product(from_u[a], from_u[b], between[a * m + b])
        };
        let projections: Vec<f64> = near.iter().map(|e| e.1).collect();
        match explained(&gram, ridge, projections, &mut factor) {
            Some(explained) => ((length - explained).max(0.0) / length).sqrt(),
            None => 0.0,
        }
    };
    js.iter().map(slope).collect()
}

/// Returns cᵀ (G + λ I)⁻¹ c for the lower triangle of G, by its Cholesky factor; nothing
/// if the matrix is not positive definite.
fn explained(
    gram: &impl Fn(usize, usize) -> f64,
    ridge: f64,
    mut c: Vec<f64>,
    factor: &mut Vec<f64>,
) -> Option<f64> {
    let m = c.len();
    factor.clear();
    factor.resize(m * m, 0.0);
    for i in 0..m {
        for j in 0..=i {
            let known: f64 = (0..j).map(|l| factor[i * m + l] * factor[j * m + l]).sum();
            let rest = gram(i, j) - known;
            if i != j {
                factor[i * m + j] = rest / factor[j * m + j];
            } else if rest + ridge > 0.0 {
                factor[i * m + i] = (rest + ridge).sqrt();
            } else {
                return None;
            }
        }
        let known: f64 = (0..i).map(|l| factor[i * m + l] * c[l]).sum();
        c[i] = (c[i] - known) / factor[i * m + i];
    }
    Some(c.iter().map(|y| y * y).sum())
}
