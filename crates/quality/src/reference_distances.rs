//! Distances from one point to all others, computed by rows.

use embedding::implement::{Division, MetricPoints, Scale, SparseMetricPoints, squared_distance};
use embedding::{Error, Points, SparsePoints};
use faer::MatRef;
use neighbor_graph::{Graph, Neighbors};

use crate::Original;

/// Distances between n points, computed by rows, without an n × n matrix.
pub trait Distances: Sync {
    /// Returns the number of points, n.
    fn len(&self) -> usize;

    /// Returns whether there are no points.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the distances from point `i` to all n points, including 0 to itself, to
    /// `row`, of length n.
    fn write_row(&self, i: usize, row: &mut [f64]);
}

/// Euclidean distances, whose squares must be in the range of numbers. O(n D) per row.
impl Distances for Points<'_> {
    fn len(&self) -> usize {
        Points::len(self)
    }

    fn write_row(&self, i: usize, row: &mut [f64]) {
        squared_distances(*self, i, row);
        row.iter_mut().for_each(|d| *d = d.sqrt());
    }
}

/// The distances of the same points with their zeros, to the bit. O(entries) per row.
impl Distances for SparsePoints<'_> {
    fn len(&self) -> usize {
        SparsePoints::len(self)
    }

    fn write_row(&self, i: usize, row: &mut [f64]) {
        row.iter_mut().enumerate().for_each(|(j, d)| *d = self.squared_distance(i, j).sqrt());
    }
}

/// Distances by a metric. O(n D) per row.
impl Distances for MetricPoints<'_> {
    fn len(&self) -> usize {
        MetricPoints::len(self)
    }

    fn write_row(&self, i: usize, row: &mut [f64]) {
        row.iter_mut().enumerate().for_each(|(j, d)| *d = self.distance(i, j));
    }
}

/// Distances of sparse points by a metric. O(entries) per row.
impl Distances for SparseMetricPoints {
    fn len(&self) -> usize {
        SparseMetricPoints::len(self)
    }

    fn write_row(&self, i: usize, row: &mut [f64]) {
        row.iter_mut().enumerate().for_each(|(j, d)| *d = self.distance(i, j));
    }
}

/// Geodesic distances in a graph, by Dijkstra's algorithm; infinite between components.
/// O((n + edges) log n) per row.
#[derive(Clone, Copy, Debug)]
pub struct Geodesics<'a>(pub &'a Graph);

impl Distances for Geodesics<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn write_row(&self, i: usize, row: &mut [f64]) {
        row.copy_from_slice(&self.0.geodesics_from(i));
    }
}

/// A symmetric matrix of distances.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a>(pub MatRef<'a, f64>);

impl Distances for Matrix<'_> {
    fn len(&self) -> usize {
        self.0.nrows()
    }

    fn write_row(&self, i: usize, row: &mut [f64]) {
        row.iter_mut().enumerate().for_each(|(j, d)| *d = self.0[(j, i)]);
    }
}

/// The value of a measure that does not depend on the scale of points. Points whose squared
/// distances would leave the range of numbers are divided by a power of two first.
pub(crate) fn at_any_scale<T>(
    points: Points<'_>,
    measure: impl FnOnce(Points<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    Scale::of_points(points, Division::Least).divided(points, measure)
}

/// The same for data and their map, each divided by its own scale.
pub(crate) fn at_any_scales<T>(
    data: Original<'_>,
    embedding: Points<'_>,
    measure: impl FnOnce(Original<'_>, Points<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    data.divided(data.scale(), |data| at_any_scale(embedding, |embedding| measure(data, embedding)))
}

/// Squared distances from point `i` to every point.
pub(crate) fn squared_distances(points: Points<'_>, i: usize, row: &mut [f64]) {
    let from = points.row(i);
    row.iter_mut().zip(points.rows()).for_each(|(d, to)| *d = squared_distance(from, to));
}

/// Fails unless both sets have the same number of points.
pub(crate) fn same_length(what: &'static str, expected: usize, got: usize) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape { what, expected: format!("{expected} as in the other set"), got: got.to_string() })
}

/// Fails unless a map of n points and their neighbor lists have n rows.
pub(crate) fn check_sizes(n: usize, neighbors: &Neighbors, embedding: Points<'_>) -> Result<(), Error> {
    same_length("the number of embedded points", n, embedding.len())?;
    same_length("the number of neighbor lists", n, neighbors.len())
}
