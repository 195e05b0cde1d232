//! The original data of a map.

use embedding::implement::{Division, PairDistances, Scale, squared_distance};
use embedding::{DistanceMatrix, Error, Metric, PointSet, Points, SparsePoints};

use crate::reference_distances::squared_distances;

/// The original data of a map: points with all their values or without their zeros, or the
/// distances between them.
///
/// Sparse points have the same measures as the same points with their zeros, to the bit: their
/// distances agree to the bit (up to rounding for correlation), and for both, columns of zeros are
/// left out of the coordinates of neighborhoods. The zeros are never stored.
///
/// ```
/// use embedding::{Points, SparsePointSet};
/// use quality::RowSample;
/// use quality::ranks::SharedRanks;
/// let values: Vec<f64> = (0..60).map(|i| f64::from(i * i % 5 / 3 * i)).collect();
/// let (points, map) = (Points::new(&values, 3)?, Points::new(&values[..20], 1)?);
/// let sparse = SparsePointSet::of(points)?;
/// let score = |ranks: SharedRanks| ranks.score(map, 4);
/// assert_eq!(
///     score(SharedRanks::new(points, RowSample::All))?,
///     score(SharedRanks::new(sparse.view(), RowSample::All))?
/// );
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Original<'a> {
    /// Points, one per row.
    Points(Points<'a>),
    /// Points without their zeros.
    Sparse(SparsePoints<'a>),
    /// Distances between all pairs of points, by their own metric, whose squares must be in the range
    /// of numbers. They have no coordinates.
    Distances(DistanceMatrix<'a>),
}

impl Original<'_> {
    /// The number of points, n.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Sparse(points) => points.len(),
            Self::Distances(distances) => distances.len(),
        }
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The squared Euclidean or given distance between points `i` and `j`.
    #[inline(always)]
    pub(crate) fn squared_distance(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Points(points) => squared_distance(points.row(i), points.row(j)),
            Self::Sparse(points) => points.squared_distance(i, j),
            Self::Distances(distances) => distances.get(i, j).powi(2),
        }
    }

    /// The squared distances from point `i` to every point.
    pub(crate) fn squared_distances(&self, i: usize, row: &mut [f64]) {
        match self {
            Self::Points(points) => squared_distances(*points, i, row),
            _ => row.iter_mut().enumerate().for_each(|(j, d)| *d = self.squared_distance(i, j)),
        }
    }

    /// The coordinates of some points. If there are more columns than points, the columns in which all
    /// of them are 0 are left out.
    ///
    /// Fails with [`Error::Degenerate`] where there are distances alone.
    pub(crate) fn coordinates(&self, rows: &[u32]) -> Result<PointSet, Error> {
        let rows = || rows.iter().map(|&row| row as usize);
        let narrow = |dim: usize| dim <= rows().len();
        match self {
            Self::Points(points) => {
                let needed = |c: &usize| narrow(points.dim()) || rows().any(|row| points.row(row)[*c] != 0.0);
                let columns: Vec<usize> = (0..points.dim()).filter(needed).collect();
                let row = |row| columns.iter().map(move |&c| points.row(row)[c]);
                of_rows(rows().flat_map(row).collect(), columns.len(), rows().len())
            }
            Self::Sparse(points) => {
                let mut columns: Vec<u32> = if narrow(points.dim()) {
                    (0..points.dim() as u32).collect()
                } else {
                    rows().flat_map(|row| points.row(row).0).copied().collect()
                };
                columns.sort_unstable();
                columns.dedup();
                let mut values = vec![0.0; rows().len() * columns.len()];
                for (to, row) in values.chunks_exact_mut(columns.len().max(1)).zip(rows()) {
                    let (own, row) = points.row(row);
                    own.iter()
                        .zip(row)
                        .for_each(|(c, v)| to[columns.partition_point(|other| other < c)] = *v);
                }
                of_rows(values, columns.len(), rows().len())
            }
            Self::Distances(_) => Err(Error::degenerate(
                "distances have no coordinates",
                "give the points, or compare distances only",
            )),
        }
    }

    /// The scale of the points; after division by it, squares of distances are in the range of numbers.
    pub(crate) fn scale(&self) -> Scale {
        match self {
            Self::Points(points) => Scale::of_points(*points, Division::Least),
            Self::Sparse(points) => Scale::of_sparse(*points, Division::Least),
            Self::Distances(_) => Scale::ONE,
        }
    }

    /// The result of `then` for the points divided by a power of two; nothing is copied where it is 1.
    pub(crate) fn divided<T>(
        self,
        scale: Scale,
        then: impl FnOnce(Original<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match self {
            Self::Points(points) => scale.divided(points, |points| then(points.into())),
            Self::Sparse(points) if !scale.is_one() => {
                then(points.times_power_of_two(scale.inverse().exponent())?.view().into())
            }
            Self::Sparse(_) | Self::Distances(_) => then(self),
        }
    }

    /// The bytes that the points take as a metric reads them, where these are not the points themselves.
    pub(crate) fn prepared_bytes(&self, metric: Metric) -> u64 {
        match self {
            _ if metric.is_euclidean() => 0,
            Self::Points(points) => 8 * points.values().len() as u64,
            Self::Sparse(points) => 12 * points.entries() as u64 + 32 * points.len() as u64,
            Self::Distances(_) => 0,
        }
    }
}

/// Points with the given columns; without columns, all points are 0.
fn of_rows(values: Vec<f64>, dim: usize, count: usize) -> Result<PointSet, Error> {
    if dim == 0 { PointSet::new(vec![0.0; count], 1) } else { PointSet::new(values, dim) }
}

impl<'a> From<Points<'a>> for Original<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Points(points)
    }
}

impl<'a> From<SparsePoints<'a>> for Original<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self::Sparse(points)
    }
}

impl<'a> From<DistanceMatrix<'a>> for Original<'a> {
    fn from(distances: DistanceMatrix<'a>) -> Self {
        Self::Distances(distances)
    }
}

impl<'a> From<PairDistances<'a>> for Original<'a> {
    fn from(distances: PairDistances<'a>) -> Self {
        match distances {
            PairDistances::Points(points) => Self::Points(points),
            PairDistances::Distances(distances) => Self::Distances(distances),
        }
    }
}

#[cfg(test)]
mod tests {
    use embedding::{Metric, PointSet};

    use super::Original;

    /// Nothing where the points themselves are read.
    #[test]
    fn a_metric_reads_a_copy_of_all_values() {
        let points = PointSet::new(vec![1.0; 12], 3).expect("finite");
        let original = Original::from(points.view());
        assert_eq!(original.prepared_bytes(Metric::Euclidean), 0);
        assert_eq!(original.prepared_bytes(Metric::Cosine), 12 * 8);
    }
}
