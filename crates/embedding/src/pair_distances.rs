//! Points, or the distances between them.

use crate::implement::squared_distance;
use crate::{Data, DistanceMatrix, Error, Points, Rows};

/// Points, or the distances between them, for methods that read only distances between
/// chosen pairs.
///
/// ```
/// use embedding::implement::PairDistances;
/// use embedding::{DistanceMatrix, Points};
/// let points = PairDistances::from(Points::new(&[0.0, 3.0], 1)?);
/// let distances = PairDistances::from(DistanceMatrix::new(&[0.0, 3.0, 3.0, 0.0], 2)?);
/// assert_eq!(points.squared_distance(0, 1), distances.squared_distance(0, 1));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum PairDistances<'a> {
    /// Points, with Euclidean distances.
    Points(Points<'a>),
    /// Distances between all pairs of points.
    Distances(DistanceMatrix<'a>),
}

impl<'a> PairDistances<'a> {
    /// Dense points or distances.
    ///
    /// Fails with [`Error::Degenerate`] for other data: neighbor lists alone do not hold the
    /// distances between two neighbors of a point.
    pub fn of(data: Data<'a>) -> Result<Self, Error> {
        match data {
            Data::Rows(Rows::Dense(points)) => Ok(Self::Points(points)),
            Data::Distances(distances) => Ok(Self::Distances(distances)),
            Data::Rows(Rows::Sparse(_)) | Data::Neighbors(_) => Err(Error::lists_alone("the method")),
        }
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Distances(distances) => distances.len(),
        }
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The squared distance between points `i` and `j`. O(D), or O(1) for distances.
    #[inline]
    pub fn squared_distance(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Points(points) => squared_distance(points.row(i), points.row(j)),
            Self::Distances(distances) => distances.get(i, j).powi(2),
        }
    }

    /// Whether all points coincide. O(n D), or O(1) for distances.
    pub fn coincides(&self) -> bool {
        match self {
            Self::Points(points) => points.rows().all(|row| row == points.row(0)),
            Self::Distances(distances) => distances.largest() == 0.0,
        }
    }

    /// Fails with [`Error::Degenerate`] where all points coincide.
    pub fn require_distinct(&self) -> Result<(), Error> {
        if self.coincides() { Err(Error::coincident(self.len())) } else { Ok(()) }
    }
}

impl<'a> From<Points<'a>> for PairDistances<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Points(points)
    }
}

impl<'a> From<DistanceMatrix<'a>> for PairDistances<'a> {
    fn from(distances: DistanceMatrix<'a>) -> Self {
        Self::Distances(distances)
    }
}

impl<'a> From<PairDistances<'a>> for Data<'a> {
    fn from(distances: PairDistances<'a>) -> Self {
        match distances {
            PairDistances::Points(points) => points.into(),
            PairDistances::Distances(distances) => distances.into(),
        }
    }
}
