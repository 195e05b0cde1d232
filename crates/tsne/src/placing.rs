//! Out-of-sample placement of new points in a fixed map.

use embedding::implement::{Bound, Range, Validate, ZERO, require, squared_distance};
use embedding::{Embedding, Error, Recipe, TrainingRows};
use neighbor_graph::{NeighborIndex, NewPoints};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::affinities::neighbors_for;
use crate::kernel::Kernel;
use crate::perplexity::calibrate;
use crate::repulsion::Tree;

/// How new points are placed.
///
/// A new point starts at the mean of its neighbors' coordinates, weighted by its probabilities. It minimizes
/// the divergence between its probabilities in the data and in the map, over all points of the map, which
/// stay fixed. Each new point is placed independently.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct TransformSettings {
    /// Perplexity of a new point. It is n where that is smaller.
    #[param(name = "placing-perplexity", default = 5.0, range = "at least 1")]
    pub perplexity: f64,
    /// Steps of a new point.
    #[param(name = "placing-iterations", default = 250, range = ITERATIONS)]
    pub iterations: usize,
    /// Step length of a new point relative to the gradient.
    #[param(name = "placing-learning-rate", default = 0.1, range = "above 0")]
    pub learning_rate: f64,
    /// Factor on the attraction of a new point.
    #[param(name = "placing-exaggeration", default = 1.5, range = "above 0")]
    pub exaggeration: f64,
    /// Longest gradient of a new point. Longer ones are clipped.
    #[param(name = "placing-longest-gradient", default = 0.25, range = "above 0")]
    pub longest_gradient: f64,
}

/// Barnes–Hut parameter θ of the repulsion on new points.
const THETA: f64 = 0.5;

/// Largest number of steps of a new point.
const MOST_ITERATIONS: u64 = 1_000_000;

/// Legal numbers of steps of a new point.
pub(crate) const ITERATIONS: Range =
    Range::between(ZERO, Bound::new("1000000", |_| Some(MOST_ITERATIONS as f64)));

/// Largest map for which the repulsion is computed exactly.
const EXACT_UP_TO: usize = 1000;

impl TransformSettings {
    /// Coordinates of `new` in the map of the training points.
    pub(crate) fn place(
        &self,
        new: NewPoints<'_>,
        training: &NeighborIndex,
        embedding: &Embedding,
        kernel: Kernel,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        // The new point is not one of the n fitted points: all n may be neighbors.
        let perplexity = self.perplexity.min(training.len() as f64);
        let k = neighbors_for(perplexity, training.len() + 1)?;
        let lists = training.nearest(new, k)?;
        let is_stored = |list: &Vec<(u32, f64)>| known == TrainingRows::Stored && list[0].1 == 0.0;
        // Given lists can be shorter.
        let is_short = |list: &Vec<(u32, f64)>| (list.len() as f64) < perplexity && !is_stored(list);
        if let Some(row) = lists.iter().position(is_short) {
            return Err(Error::degenerate(
                format!(
                    "new point {row} has {} neighbors, fewer than the perplexity {perplexity} of its placement",
                    lists[row].len()
                ),
                "give it more neighbors, or fit with a smaller placing-perplexity",
            ));
        }
        let reference = Reference::new(embedding, kernel);
        let dim = embedding.dim();
        let place = |list: &Vec<(u32, f64)>| {
            if is_stored(list) {
                return embedding.row(list[0].0 as usize).to_vec();
            }
            self.descend(list, perplexity, &reference, dim)
        };
        let rows: Vec<Vec<f64>> = lists.par_iter().map(place).collect();
        if let Some(row) = rows.iter().position(|row| row.iter().any(|y| !y.is_finite())) {
            return Err(Error::degenerate(
                format!("the place of new point {row} left the range of numbers"),
                "use a smaller learning rate of placing",
            ));
        }
        Ok(Embedding::from_rows(rows.concat(), dim))
    }

    fn descend(&self, list: &[(u32, f64)], perplexity: f64, reference: &Reference, dim: usize) -> Vec<f64> {
        let distances: Vec<f64> = list.iter().map(|e| e.1).collect();
        let mut p = vec![0.0; list.len()];
        calibrate(&distances, perplexity, &mut p);
        let position = |j: u32| &reference.y[j as usize * dim..][..dim];
        let mut y = vec![0.0; dim];
        for (entry, p) in list.iter().zip(&p) {
            y.iter_mut().zip(position(entry.0)).for_each(|(y, there)| *y += p * there);
        }
        let mut velocity = vec![0.0; dim];
        for _ in 0..self.iterations {
            let (mut gradient, z) = reference.push(&y);
            gradient.iter_mut().for_each(|g| *g /= -z);
            for (entry, p) in list.iter().zip(&p) {
                let there = position(entry.0);
                let pull = self.exaggeration * p * reference.kernel.slope(squared_distance(&y, there));
                (0..dim).for_each(|c| gradient[c] += pull * (y[c] - there[c]));
            }
            let norm = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
            let shrink = (self.longest_gradient / norm).min(1.0);
            for c in 0..dim {
                velocity[c] = 0.8 * velocity[c] - self.learning_rate * shrink * gradient[c];
                y[c] += velocity[c];
            }
        }
        y
    }
}

/// The points of the map, prepared for computing repulsion.
struct Reference {
    y: Vec<f64>,
    kernel: Kernel,
    dim: usize,
    tree: Forest,
}

enum Forest {
    None,
    Line(Tree<1>),
    Plane(Tree<2>),
    Space(Tree<3>),
}

impl Reference {
    fn new(embedding: &Embedding, kernel: Kernel) -> Self {
        let y = embedding.values().to_vec();
        let tree = match embedding.dim() {
            _ if embedding.len() <= EXACT_UP_TO => Forest::None,
            1 => Forest::Line(Tree::new(&y)),
            2 => Forest::Plane(Tree::new(&y)),
            3 => Forest::Space(Tree::new(&y)),
            _ => Forest::None,
        };
        Self { y, kernel, dim: embedding.dim(), tree }
    }

    /// Returns Σ w/(1 + d²/α) (y − y_j), and Σ w.
    fn push(&self, y: &[f64]) -> (Vec<f64>, f64) {
        fn by<const D: usize>(tree: &Tree<D>, y: &[f64], kernel: Kernel) -> (Vec<f64>, f64) {
            let at: [f64; D] = std::array::from_fn(|c| y[c]);
            let (force, z) = tree.push(&at, THETA, kernel);
            (force.to_vec(), z)
        }
        let (force, z) = match &self.tree {
            Forest::Line(tree) => by(tree, y, self.kernel),
            Forest::Plane(tree) => by(tree, y, self.kernel),
            Forest::Space(tree) => by(tree, y, self.kernel),
            Forest::None => {
                let (mut force, mut z) = (vec![0.0; self.dim], 0.0);
                for there in self.y.chunks_exact(self.dim) {
                    let (w, pull) = self.kernel.pair(squared_distance(y, there));
                    z += w;
                    (0..self.dim).for_each(|c| force[c] += pull * (y[c] - there[c]));
                }
                (force, z)
            }
        };
        (force, z.max(f64::MIN_POSITIVE))
    }
}

impl Validate for TransformSettings {
    fn validate(&self) -> Result<(), Error> {
        let Self { perplexity, iterations, learning_rate, exaggeration, longest_gradient } = *self;
        let positive =
            [learning_rate, exaggeration, longest_gradient].iter().all(|v| v.is_finite() && *v > 0.0);
        require(positive && perplexity >= 1.0, "a parameter of the placement of new points is not positive")?;
        require(iterations as u64 <= MOST_ITERATIONS, "it takes more than a million steps for a new point")
    }
}

#[cfg(test)]
mod tests {
    use embedding::PointSet;
    use testkit::cases::cloud;

    use super::*;

    #[test]
    fn the_repulsion_of_a_large_map_is_nearly_the_sum_over_its_points() -> Result<(), Error> {
        for (dim, alpha) in [(1, 1.0), (2, 1.0), (3, 0.5)] {
            let map: PointSet = cloud(EXACT_UP_TO + 200, dim, 3).view().to_owned();
            let large =
                Reference::new(&Embedding::from_rows(map.view().values().to_vec(), dim), Kernel { alpha });
            assert!(!matches!(large.tree, Forest::None));
            let exact = Reference {
                tree: Forest::None,
                ..Reference::new(&Embedding::from_rows(map.view().values().to_vec(), dim), Kernel { alpha })
            };
            for at in [0.3, -2.0, 5.0] {
                let y = vec![at; dim];
                let ((force, z), (expected, sum)) = (large.push(&y), exact.push(&y));
                assert!((z / sum - 1.0).abs() < 0.1, "{dim}: {z} {sum}");
                let scale = expected.iter().fold(0.0, |m: f64, f| m.max(f.abs()));
                for (f, e) in force.iter().zip(&expected) {
                    assert!((f - e).abs() < 0.1 * scale, "{dim}: {f} {e}");
                }
            }
        }
        Ok(())
    }
}
