//! Points whose distances are no Euclidean distances of dense coordinates.

use embedding::implement::{MetricPoints, SparseMetricPoints};
use embedding::{Error, Input};

/// Dense points by a metric other than Euclidean, or sparse points by any.
pub(crate) enum Measured<'a> {
    Dense(MetricPoints<'a>),
    Sparse(SparseMetricPoints),
}

impl<'a> Measured<'a> {
    /// The points of an input. `None` for Euclidean distances of dense points, of sparse points that are
    /// reduced to dense ones (`reduces`), and for given distances.
    pub(crate) fn of(input: &Input<'a>, reduces: bool) -> Result<Option<Self>, Error> {
        if let Some(points) = input.sparse_points().filter(|_| !reduces) {
            return Ok(Some(Self::Sparse(input.metric().prepare_sparse(points)?)));
        }
        Ok(input.metric_points()?.map(Self::Dense))
    }

    pub(crate) fn distance(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Dense(points) => points.distance(i, j),
            Self::Sparse(points) => points.distance(i, j),
        }
    }
}
