//! Some of the points of data, with their own memory.

use crate::{Data, DistanceMatrix, Error, PointSet, Rows, SparsePointSet};

/// Some of the points of [`Data`], with their own memory ([`OwnedData::select`]).
#[derive(Clone, Debug)]
pub enum OwnedData {
    /// Dense points.
    Points(PointSet),
    /// Sparse points.
    Sparse(SparsePointSet),
    /// Distances between all pairs of points.
    Distances {
        /// All pairs, row by row.
        values: Vec<f64>,
        /// The number of points.
        len: usize,
    },
}

impl OwnedData {
    /// Copies the points with the given indices, in that order, or the distances between them;
    /// `None` for neighbor lists.
    pub fn select(data: Data<'_>, rows: &[u32]) -> Option<Self> {
        match data {
            Data::Rows(Rows::Dense(points)) => Some(Self::Points(points.select(rows))),
            Data::Rows(Rows::Sparse(points)) => Some(Self::Sparse(points.select(rows))),
            Data::Distances(distances) => {
                Some(Self::Distances { values: distances.select(rows), len: rows.len() })
            }
            Data::Neighbors(_) => None,
        }
    }

    /// The borrowed view. O(n²) for distances, which are checked again.
    pub fn view(&self) -> Result<Data<'_>, Error> {
        Ok(match self {
            Self::Points(points) => points.into(),
            Self::Sparse(points) => points.into(),
            Self::Distances { values, len } => DistanceMatrix::new(values, *len)?.into(),
        })
    }
}
