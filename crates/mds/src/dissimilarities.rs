//! Dissimilarities with weights.

use embedding::implement::MetricPoints;
use embedding::{DistanceMatrix, Error, Input, MemoryLimit, Points};
use faer::MatRef;
use rayon::prelude::*;

use crate::euclidean::euclidean_rows;

/// Rows of distances computed together, to read the points less often.
const STRIP: usize = 8;

/// Side of the tiles that are mirrored together; two of them fit in the first-level cache.
const TILE: usize = 32;

/// Dissimilarities of all pairs of n objects, with optional weights.
///
/// Symmetric, zero on the diagonal, finite, nonnegative. A pair of weight 0 is missing:
/// its dissimilarity is ignored. Stored as n² numbers, and as many again for unequal
/// weights.
#[derive(Clone, Debug)]
pub struct Dissimilarities {
    n: usize,
    values: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Dissimilarities {
    /// Creates dissimilarities of equal weight from a matrix, which must be square,
    /// symmetric to 1e-12 of its largest entry, zero on the diagonal, finite and
    /// nonnegative.
    pub fn from_matrix(matrix: MatRef<'_, f64>) -> Result<Self, Error> {
        DistanceMatrix::from_mat(matrix).map(Self::from_given)
    }

    /// Takes a validated matrix; every pair counts the same.
    pub fn from_given(given: DistanceMatrix<'_>) -> Self {
        let n = given.len();
        Self { n, values: (0..n * n).map(|e| given.get(e / n, e % n)).collect(), weights: None }
    }

    /// The distances of an input, or the distances between its points by their metric.
    pub(crate) fn of_input(input: &Input<'_>) -> Result<Self, Error> {
        if let Some(measured) = input.metric_points()? {
            return Ok(Self::measured(&measured));
        }
        match input.distances() {
            Some(given) => Ok(Self::from_given(given)),
            None => Self::euclidean(input.require_points()?, input.memory_limit()),
        }
    }

    /// Computes the Euclidean distances of points. O(n² D).
    pub fn euclidean(points: Points<'_>, limit: MemoryLimit) -> Result<Self, Error> {
        let n = points.len();
        let advice = "use landmark-mds, fewer points, or allow more memory";
        limit.allow("the matrix of dissimilarities", 8 * (n as u64) * (n as u64), advice)?;
        let mut values = vec![0.0; n * n];
        let strips = values.par_chunks_mut(STRIP * n).enumerate();
        strips.for_each_init(Vec::new, |lower: &mut Vec<f64>, (strip, rows)| {
            let first = strip * STRIP;
            let width = first + rows.len() / n;
            lower.resize((width - first) * width, 0.0);
            euclidean_rows(points.rows().skip(first), points.rows().take(width), lower);
            let pairs = rows.chunks_exact_mut(n).zip(lower.chunks_exact(width));
            pairs.for_each(|(row, lower)| row[..width].copy_from_slice(lower));
        });
        mirror(&mut values, n);
        if values.iter().any(|d| !d.is_finite()) {
            return Err(crate::scaling::too_large());
        }
        Ok(Self { n, values, weights: None })
    }

    /// The distances of points by their metric. O(n² D).
    fn measured(points: &MetricPoints<'_>) -> Self {
        let n = points.len();
        let mut values = vec![0.0; n * n];
        values.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = points.distance(i, j));
        });
        Self { n, values, weights: None }
    }

    /// Sets a weight for each pair, from a square, symmetric, finite and nonnegative
    /// matrix; 0 marks a missing pair. The diagonal is ignored.
    ///
    /// Fails with [`Error::Degenerate`] if the pairs of positive weight do not connect
    /// all points: the relative position of the components would be arbitrary.
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

    /// Returns the number of points, n.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns the dissimilarity of points `i` and `j`.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.n + j]
    }

    /// Returns the weight of a pair; 0 if it is missing.
    pub fn weight(&self, i: usize, j: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[i * self.n + j])
    }

    /// Returns all dissimilarities, by rows.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns all weights by rows, unless they are equal.
    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Returns the same dissimilarities with other weights, which must be valid.
    pub(crate) fn reweighted(&self, weight: impl Fn(f64, f64) -> f64) -> Self {
        let n = self.n;
        let given = |e: usize| self.weights.as_ref().map_or(1.0, |w| w[e]);
        let at = |e: usize| if e / n == e % n { 0.0 } else { weight(self.values[e], given(e)) };
        Self { n, values: self.values.clone(), weights: Some((0..n * n).map(at).collect()) }
    }

    /// Returns Σ w δ² over pairs i < j.
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

/// Copies the lower triangle of n rows to the upper one.
fn mirror(values: &mut [f64], n: usize) {
    for (top, left) in
        (0..n).step_by(TILE).flat_map(|top| (0..=top).step_by(TILE).map(move |left| (top, left)))
    {
        for i in top..n.min(top + TILE) {
            for j in left..i.min(left + TILE) {
                values[j * n + i] = values[i * n + j];
            }
        }
    }
}
