//! Out-of-sample placement of one new point among fixed ones.

use embedding::implement::{Validate, maximum, require, require_finite, squared_distance};
use embedding::{Embedding, Error, TrainingRows};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::scaling::too_far;

/// Largest number of iterations for one point.
const ITERATIONS: usize = 500;

/// The iteration ends if a step is shorter than this fraction of the map's diameter.
const SHORT: f64 = 1e-10;

/// Target distances and weights of the dissimilarities of a new point.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Placement {
    /// Targets are the dissimilarities; equal weights.
    Metric,
    /// Targets are the dissimilarities; weights are their inverses.
    Relative,
    /// Targets by the monotone function with these knots (dissimilarity, disparity),
    /// linear between knots and proportional outside.
    Monotone(Vec<(f64, f64)>),
}

impl Placement {
    /// Places m points whose dissimilarities `fill(i, row)` writes. Where `known` requests it, a point at
    /// dissimilarity 0 from a training point takes its coordinates.
    pub(crate) fn rows(
        &self,
        train: &Embedding,
        m: usize,
        known: TrainingRows<'_>,
        fill: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<Embedding, Error> {
        let (n, dim, y) = (train.len(), train.dim(), train.values());
        let reach = y.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let rows: Result<Vec<Vec<f64>>, Error> = (0..m)
            .into_par_iter()
            .map(|i| {
                let mut row = vec![0.0; n];
                fill(i, &mut row);
                if let Some(j) = row.iter().position(|d| !(d.is_finite() && *d >= 0.0)) {
                    if row[j] == f64::INFINITY {
                        return Err(too_far(i));
                    }
                    let got = format!("{} from new point {i} to training point {j}", row[j]);
                    return Err(Error::parameter("a dissimilarity", "finite and not negative", got));
                }
                let place = self.one((y, dim, reach), row, known, i);
                if let Some(c) = place.iter().position(|v| !v.is_finite()) {
                    return Err(Error::degenerate(
                        format!("coordinate {c} of new point {i} is {}", place[c]),
                        "leave it out, or bring the new points to the units of the training data",
                    ));
                }
                Ok(place)
            })
            .collect();
        Ok(Embedding::from_rows(rows?.concat(), dim))
    }

    /// Places point `i`. Each step averages the positions proposed by the training
    /// points: each at its target distance, in the current direction.
    fn one(
        &self,
        (y, dim, reach): (&[f64], usize, f64),
        given: Vec<f64>,
        known: TrainingRows<'_>,
        i: usize,
    ) -> Vec<f64> {
        let left_out = known.left_out(i).map(|row| row as usize);
        let others = || (0..given.len()).filter(|&j| Some(j) != left_out);
        let nearest = others().min_by(|&a, &b| given[a].total_cmp(&given[b])).unwrap_or(0);
        let mut place = y[nearest * dim..(nearest + 1) * dim].to_vec();
        let infinite_weight = matches!(self, Self::Relative);
        if (known == TrainingRows::Stored || infinite_weight) && given[nearest] == 0.0 {
            return place;
        }
        let smallest = given[nearest];
        let weight = |d: f64| if matches!(self, Self::Relative) { smallest / d } else { 1.0 };
        let mut targets: Vec<(f64, f64)> = given.iter().map(|&d| (self.target(d), weight(d))).collect();
        if let Some(left_out) = left_out.and_then(|row| targets.get_mut(row)) {
            *left_out = (0.0, 0.0);
        }
        let total: f64 = targets.iter().map(|t| t.1).sum();
        for _ in 0..ITERATIONS {
            let mut next = vec![0.0; dim];
            for (at, &(target, weight)) in y.chunks_exact(dim).zip(&targets) {
                let distance = squared_distance(at, &place).sqrt();
                let pull = if distance > 0.0 { target / distance } else { 0.0 };
                for ((next, a), p) in next.iter_mut().zip(at).zip(&place) {
                    *next += weight * (a + pull * (p - a));
                }
            }
            next.iter_mut().for_each(|v| *v /= total);
            let step = maximum(next.iter().zip(&place).map(|(a, b)| (a - b).abs()));
            place = next;
            if step <= SHORT * reach {
                break;
            }
        }
        place
    }

    fn target(&self, dissimilarity: f64) -> f64 {
        let Self::Monotone(knots) = self else { return dissimilarity };
        let above = knots.partition_point(|k| k.0 <= dissimilarity);
        let proportional =
            |knot: (f64, f64)| if knot.0 > 0.0 { knot.1 * (dissimilarity / knot.0) } else { knot.1 };
        match (above.checked_sub(1).map(|i| knots[i]), knots.get(above)) {
            (Some(low), Some(high)) => {
                low.1 + (high.1 - low.1) * ((dissimilarity - low.0) / (high.0 - low.0))
            }
            (Some(last), None) => proportional(last),
            (None, Some(first)) => proportional(*first),
            (None, None) => dissimilarity,
        }
    }
}

impl Validate for Placement {
    fn validate(&self) -> Result<(), Error> {
        let Self::Monotone(knots) = self else { return Ok(()) };
        // Disparities are means, which rounding may let decrease.
        let function = knots.is_sorted_by(|a, b| a.0 < b.0) && knots.iter().all(|knot| knot.1 >= 0.0);
        require(function, "its disparities are no function of the dissimilarities")?;
        require_finite(knots.iter().flat_map(|(x, y)| [x, y]), "a disparity")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disparities_are_linear_between_knots_and_proportional_outside() {
        let targets = |knots: &[(f64, f64)], at: &[f64]| -> Vec<f64> {
            at.iter().map(|d| Placement::Monotone(knots.to_vec()).target(*d)).collect()
        };
        let at = [0.0, 0.5, 1.0, 2.0, 3.0, 6.0];
        assert_eq!(targets(&[(1.0, 2.0), (3.0, 4.0)], &at), [0.0, 1.0, 2.0, 3.0, 4.0, 8.0]);
        // A function that is positive at 0, a function with one knot at 0, and one without knots.
        assert_eq!(targets(&[(0.0, 1.0), (2.0, 3.0)], &at), [1.0, 1.5, 2.0, 3.0, 4.5, 9.0]);
        assert_eq!(targets(&[(0.0, 1.0)], &at), [1.0; 6]);
        assert_eq!(targets(&[], &at), at);
        assert_eq!(Placement::Metric.target(0.7), 0.7);
    }
}
