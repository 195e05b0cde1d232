//! Dissimilarities with weights.

use embedding::{DistanceMatrix, Error, Input, MemoryLimit, Points};
use faer::MatRef;
use rayon::prelude::*;

use crate::euclidean::euclidean_rows;

/// Rows of distances computed at a time, so that the points are read less often.
const STRIP: usize = 8;

/// How different each pair of n objects is, and how much each pair counts.
///
/// Symmetric, zero on the diagonal, finite, not negative. A pair of weight 0 is
/// missing: its dissimilarity is never looked at. Kept in full, n² numbers, and
/// as many for weights that differ.
#[derive(Clone, Debug)]
pub struct Dissimilarities {
    n: usize,
    values: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Dissimilarities {
    /// Takes a matrix, which must be square, symmetric to 1e-12 of its largest
    /// entry, zero on the diagonal, finite and not negative; every pair counts
    /// the same.
    pub fn from_matrix(matrix: MatRef<'_, f64>) -> Result<Self, Error> {
        DistanceMatrix::from_mat(matrix).map(Self::from_given)
    }

    /// Takes a validated matrix; every pair counts the same.
    pub fn from_given(given: DistanceMatrix<'_>) -> Self {
        let n = given.len();
        Self { n, values: (0..n * n).map(|e| given.get(e / n, e % n)).collect(), weights: None }
    }

    /// The distances of an input, or the Euclidean distances of its points.
    pub(crate) fn of_input(input: &Input<'_>) -> Result<Self, Error> {
        match input.given_distances() {
            Some(given) if input.given_points().is_none() => Ok(Self::from_given(given)),
            _ => Self::euclidean(input.points()?, input.limit()),
        }
    }

    /// Euclidean distances of points. O(n² D).
    pub fn euclidean(points: Points<'_>, limit: MemoryLimit) -> Result<Self, Error> {
        let n = points.len();
        let advice = "use landmark-mds, fewer points, or allow more memory";
        limit.allow("the matrix of dissimilarities", 8 * (n as u64) * (n as u64), advice)?;
        let mut values = vec![0.0; n * n];
        values.par_chunks_mut(STRIP * n).enumerate().for_each(|(strip, rows)| {
            euclidean_rows(points.rows().skip(strip * STRIP), points.rows(), rows);
        });
        if values.iter().any(|d| !d.is_finite()) {
            return Err(crate::scaling::too_large());
        }
        Ok(Self { n, values, weights: None })
    }

    /// The same dissimilarities with a weight for each pair: square, symmetric,
    /// finite and not negative; 0 says that the pair is missing. The diagonal
    /// does not count.
    ///
    /// Fails with [`Error::Degenerate`] when no chain of known pairs joins some
    /// of the points: their relative position would be arbitrary.
    pub fn with_weights(mut self, weights: MatRef<'_, f64>) -> Result<Self, Error> {
        let n = self.n;
        if weights.shape() != (n, n) {
            return Err(Error::Shape {
                what: "the matrix of weights",
                expected: format!("{n} × {n}"),
                got: format!("{} × {}", weights.nrows(), weights.ncols()),
            });
        }
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let (below, above) = (weights[(i, j)], weights[(j, i)]);
            if !(below >= 0.0 && below.is_finite() && below == above) {
                let got = format!("{below} and {above} between {i} and {j}");
                return Err(Error::parameter("a weight", "finite, not negative and symmetric", got));
            }
        }
        let at = |i: usize, j: usize| if i == j { 0.0 } else { weights[(i.max(j), i.min(j))] };
        self.weights = Some((0..n * n).map(|e| at(e / n, e % n)).collect());
        let reached = self.reached_from_first();
        if reached < n {
            return Err(Error::degenerate(
                format!("only {reached} of {n} points are connected by pairs of positive weight"),
                "give weight to pairs that join the groups, or scale each group by itself",
            ));
        }
        Ok(self)
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The dissimilarity of points `i` and `j`.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.n + j]
    }

    /// How much the pair counts; 0 where it is missing.
    pub fn weight(&self, i: usize, j: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[i * self.n + j])
    }

    /// All of them, row by row.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// All weights, row by row, where they differ.
    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The same values with other weights, which must be valid.
    pub(crate) fn reweighted(&self, weight: impl Fn(f64, f64) -> f64) -> Self {
        let n = self.n;
        let given = |e: usize| self.weights.as_ref().map_or(1.0, |w| w[e]);
        let at = |e: usize| if e / n == e % n { 0.0 } else { weight(self.values[e], given(e)) };
        Self { n, values: self.values.clone(), weights: Some((0..n * n).map(at).collect()) }
    }

    /// Σ w δ² over pairs i < j.
    pub(crate) fn sum_of_squares(&self) -> f64 {
        let pairs = (0..self.n).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| self.weight(i, j) * self.get(i, j).powi(2)).sum()
    }

    fn reached_from_first(&self) -> usize {
        let mut reached = vec![false; self.n];
        let mut stack = vec![0];
        reached[0] = true;
        while let Some(i) = stack.pop() {
            for (j, reached) in reached.iter_mut().enumerate() {
                if !*reached && self.weight(i, j) > 0.0 {
                    *reached = true;
                    stack.push(j);
                }
            }
        }
        reached.iter().filter(|r| **r).count()
    }
}
