//! Out-of-sample placement of new points in a fixed map.

use embedding::implement::{require, squared_distance};
use embedding::{Embedding, Error, Points, TrainingRows};
use layout::{Placing, Sampler, Scales, stream};
use serde::{Deserialize, Serialize};

use crate::weights::Weighting;

/// Purpose of the stream.
const PLACING: u64 = 4;

/// Halvings of a step after which no shorter one is tried.
const HALVINGS: usize = 40;

/// What a model stores to place new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TripletPlacing {
    pub(crate) shared: Placing,
    /// Training points that are the outliers of every new point.
    pub(crate) outliers: Vec<u32>,
    pub(crate) weighting: Weighting,
}

/// Random training points, `count` of `n`.
pub(crate) fn draw_outliers(n: usize, count: usize, seed: u64) -> Vec<u32> {
    let (mut sampler, mut drawn) = (Sampler::new(n), Vec::new());
    sampler.clear();
    sampler.draw(&mut stream(seed, PLACING, 0, 0), count, &mut drawn);
    drawn
}

/// The triplets of one new point: positions of an inlier and an outlier, and the weight.
type Pulls<'a> = Vec<(&'a [f64], &'a [f64], f64)>;

impl TripletPlacing {
    /// Coordinates of `new` in the map of the training points. The loss of the triplets of neighbors is
    /// lowered from the position of the inlier where it is smallest.
    pub(crate) fn place(
        &self,
        new: Points<'_>,
        map: &Embedding,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        let far = self.shared.training.distances(new, &self.outliers)?;
        self.shared.place(new, map, known, |row, list| {
            let outliers = self.outliers.iter().copied().zip(far[row].iter().copied());
            let outliers: Vec<(u32, f64)> =
                outliers.filter(|(outlier, _)| known.left_out(row) != Some(*outlier)).collect();
            self.descend(list, &outliers, map)
        })
    }

    /// The triplets of a new point with these inliers, and outliers with their distances.
    fn triplets<'a>(
        &self,
        inliers: &[(u32, f64)],
        own: f64,
        far: &[(u32, f64)],
        map: &'a Embedding,
    ) -> Pulls<'a> {
        let scaled = |j: u32, d: f64| self.weighting.scaled(d, own, self.shared.scales.values()[j as usize]);
        let outliers = far.iter().filter(|(k, _)| inliers.iter().all(|(j, _)| j != k));
        let far: Vec<(u32, f64)> = outliers.map(|&(k, d)| (k, scaled(k, d))).collect();
        let pairs = inliers.iter().map(|&(j, d)| (j, scaled(j, d)));
        pairs
            .flat_map(|(j, near)| far.iter().map(move |&(k, far)| (j, k, far - near)))
            .map(|(j, k, margin)| (map.row(j as usize), map.row(k as usize), self.weighting.weight(margin)))
            .collect()
    }

    /// Steps against the gradient, divided by the sum of the attractions to its inliers, and halved until the
    /// loss is smaller.
    fn descend(&self, candidates: &[(u32, f64)], far: &[(u32, f64)], map: &Embedding) -> Vec<f64> {
        let inliers = self.shared.neighbors(candidates);
        let distances: Vec<f64> = candidates.iter().map(|candidate| candidate.1).collect();
        let triplets = self.triplets(&inliers, Scales::of_distances(&distances), far, map);
        let d = |y: &[f64], other: &[f64]| 1.0 + squared_distance(y, other);
        let loss = |y: &[f64]| -> f64 {
            let each = |(inlier, outlier, w): &(&[f64], &[f64], f64)| {
                let near = d(y, inlier);
                w * near / (near + d(y, outlier))
            };
            triplets.iter().map(each).sum()
        };
        let positions = inliers.iter().map(|&(j, _)| map.row(j as usize));
        let start = positions.map(|y| (loss(y), y)).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((mut least, best)) = start else { return vec![0.0; map.dim()] };
        let mut y = best.to_vec();
        for _ in 0..self.shared.steps {
            let (mut gradient, mut total) = (vec![0.0; y.len()], 0.0);
            for (inlier, outlier, w) in &triplets {
                let (near, far) = (d(&y, inlier), d(&y, outlier));
                let (pull, push) = (w * far / (near + far).powi(2), w * near / (near + far).powi(2));
                total += pull;
                for (c, g) in gradient.iter_mut().enumerate() {
                    *g += pull * (y[c] - inlier[c]) - push * (y[c] - outlier[c]);
                }
            }
            if total <= 0.0 {
                break;
            }
            let step = |halvings: usize| -> Vec<f64> {
                let length = 0.5_f64.powi(halvings as i32) / total;
                y.iter().zip(&gradient).map(|(y, g)| y - length * g).collect()
            };
            let lower = (0..HALVINGS).map(step).map(|y| (loss(&y), y)).find(|(loss, _)| *loss < least);
            let Some((loss, next)) = lower else { break };
            (least, y) = (loss, next);
        }
        y
    }

    /// Fails unless new points can be placed in a map of `n` points.
    pub(crate) fn require(&self, n: usize) -> Result<(), Error> {
        self.shared.require(n)?;
        self.weighting.require()?;
        let known = self.outliers.iter().all(|&k| (k as usize) < n);
        require(known, "an outlier of new points is no training point")
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use embedding::{Method, Model, Transform};
    use testkit::cases::cloud;

    use crate::{Descent, Trimap};

    use super::*;

    /// The training points and their distances from a row, nearest first.
    fn sorted(row: &[f64], points: Points<'_>, skip: Option<usize>) -> Vec<(f64, usize)> {
        let others = (0..points.len()).filter(|j| Some(*j) != skip);
        let mut all: Vec<(f64, usize)> =
            others.map(|j| (squared_distance(row, points.row(j)).sqrt(), j)).collect();
        all.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
        all
    }

    /// The position of a new point is a minimum of the sum over its triplets, computed here from the
    /// definition: no step improves it.
    #[test]
    fn placed_points_are_at_a_minimum() -> Result<(), Error> {
        let (points, new) = (cloud(90, 5, 4), cloud(30, 5, 9));
        let recipe = Trimap {
            // Without further candidates the inliers are the nearest neighbors.
            extra_neighbors: 0,
            // All training points except the inliers are outliers.
            placing_outliers: 90,
            placing_steps: 10_000,
            descent: Descent { iterations: 100, ..Descent::default() },
            ..Trimap::default()
        };
        let fitted = recipe.fit(points.view())?;
        let (placed, map) = (fitted.transform(new.view())?, fitted.embedding());
        let least = fitted.placing.weighting.least;
        let sigma = |all: &[(f64, usize)]| (all[3].0 + all[4].0 + all[5].0) / 3.0;
        let scales: Vec<f64> =
            (0..90).map(|j| sigma(&sorted(points.view().row(j), points.view(), Some(j)))).collect();
        for i in 0..30 {
            let all = sorted(new.view().row(i), points.view(), None);
            let own = sigma(&all);
            let scaled = |(d, j): (f64, usize)| d * d / (own * scales[j]);
            let loss = |y: &[f64]| -> f64 {
                let d = |j: usize| 1.0 + squared_distance(y, map.row(j));
                let mut sum = 0.0;
                for &near in &all[..12] {
                    for &far in &all[12..] {
                        let margin = (scaled(far) - scaled(near) - least).max(0.0);
                        let weight = 2.0 * ((1.0 + margin).sqrt() - 1.0);
                        sum += weight / (1.0 + d(far.1) / d(near.1));
                    }
                }
                sum
            };
            let (here, y) = (loss(placed.row(i)), placed.row(i));
            for step in 0..8 {
                let angle = TAU * f64::from(step) / 8.0;
                let aside = [y[0] + 1e-3 * angle.cos(), y[1] + 1e-3 * angle.sin()];
                assert!(loss(&aside) > here, "point {i}: {} < {here}", loss(&aside));
            }
        }
        Ok(())
    }
}
