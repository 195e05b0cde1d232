//! The data to embed.

use crate::{DistanceMatrix, Neighbors, PointSet, Points, Rows, SparsePointSet, SparsePoints};

/// The data to embed: points, one per row, the distances between all pairs of points, or
/// the neighbor lists of points.
///
/// Every kind of data converts into it, and into the [`Input`](crate::Input) of a fit, which adds
/// a metric, labels and more.
///
/// ```
/// use embedding::{Data, DataKind, DistanceMatrix, Points};
/// let points = Data::from(Points::new(&[0.0, 3.0], 1)?);
/// let distances = Data::from(DistanceMatrix::new(&[0.0, 3.0, 3.0, 0.0], 2)?);
/// assert_eq!((points.kind(), distances.kind()), (DataKind::Points, DataKind::Distances));
/// assert_eq!((points.len(), distances.len()), (2, 2));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// Points, dense or sparse.
    Rows(Rows<'a>),
    /// Distances between all pairs of points.
    Distances(DistanceMatrix<'a>),
    /// Neighbor lists with distances, and nothing else about the points.
    Neighbors(&'a Neighbors),
}

/// A kind of data that a method can be fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataKind {
    /// Points, one per row.
    Points,
    /// Distances between all pairs of points.
    Distances,
    /// Neighbor lists with distances.
    Neighbors,
}

crate::words!(DataKind { Points = "points", Distances = "distances", Neighbors = "neighbors" });

impl<'a> Data<'a> {
    /// The number of points, n.
    pub fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Distances(distances) => distances.len(),
            Self::Neighbors(lists) => lists.len(),
        }
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The kind of data that a method must accept to be fitted to this data. Sparse points
    /// count as neighbor lists: most methods that accept sparse points read only their neighbor
    /// lists.
    pub fn kind(&self) -> DataKind {
        match self {
            Self::Rows(Rows::Dense(_)) => DataKind::Points,
            Self::Distances(_) => DataKind::Distances,
            Self::Rows(Rows::Sparse(_)) | Self::Neighbors(_) => DataKind::Neighbors,
        }
    }

    /// The points, dense or sparse; `None` for other data.
    pub fn rows(self) -> Option<Rows<'a>> {
        match self {
            Self::Rows(rows) => Some(rows),
            Self::Distances(_) | Self::Neighbors(_) => None,
        }
    }

    /// The dense points; `None` for other data.
    pub fn points(self) -> Option<Points<'a>> {
        self.rows().and_then(Rows::dense)
    }

    /// The sparse points; `None` for other data.
    pub fn sparse_points(self) -> Option<SparsePoints<'a>> {
        self.rows().and_then(Rows::sparse)
    }

    /// The distances; `None` for other data.
    pub fn distances(self) -> Option<DistanceMatrix<'a>> {
        match self {
            Self::Distances(distances) => Some(distances),
            Self::Rows(_) | Self::Neighbors(_) => None,
        }
    }
}

impl<'a> From<Rows<'a>> for Data<'a> {
    fn from(rows: Rows<'a>) -> Self {
        Self::Rows(rows)
    }
}

impl<'a> From<Points<'a>> for Data<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Rows(points.into())
    }
}

impl<'a> From<&'a PointSet> for Data<'a> {
    fn from(points: &'a PointSet) -> Self {
        points.view().into()
    }
}

impl<'a> From<SparsePoints<'a>> for Data<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self::Rows(points.into())
    }
}

impl<'a> From<&'a SparsePointSet> for Data<'a> {
    fn from(points: &'a SparsePointSet) -> Self {
        points.view().into()
    }
}

impl<'a> From<DistanceMatrix<'a>> for Data<'a> {
    fn from(distances: DistanceMatrix<'a>) -> Self {
        Self::Distances(distances)
    }
}

impl<'a> From<&'a Neighbors> for Data<'a> {
    fn from(lists: &'a Neighbors) -> Self {
        Self::Neighbors(lists)
    }
}
