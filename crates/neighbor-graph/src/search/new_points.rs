//! New points whose neighbors are searched or given.

use embedding::{NewNeighbors, Points, Rows, SparsePoints};

/// New points of a fitted model: their rows, or their neighbor lists where the model was fitted to lists alone.
#[derive(Clone, Copy, Debug)]
pub enum NewPoints<'a> {
    /// Coordinates, or distances to all training points.
    Rows(Rows<'a>),
    /// Neighbors among the training points.
    Listed(&'a NewNeighbors),
}

impl NewPoints<'_> {
    /// The number of new points.
    pub fn len(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.len(),
            Self::Listed(new) => new.len(),
        }
    }

    /// Always false: there is no empty set of new points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<Rows<'a>> for NewPoints<'a> {
    fn from(rows: Rows<'a>) -> Self {
        Self::Rows(rows)
    }
}

impl<'a> From<Points<'a>> for NewPoints<'a> {
    fn from(points: Points<'a>) -> Self {
        Self::Rows(points.into())
    }
}

impl<'a> From<SparsePoints<'a>> for NewPoints<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self::Rows(points.into())
    }
}

impl<'a> From<&'a NewNeighbors> for NewPoints<'a> {
    fn from(new: &'a NewNeighbors) -> Self {
        Self::Listed(new)
    }
}
