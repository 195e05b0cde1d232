//! Rows of points in the precision in which they are stored.

use embedding::Points;
use embedding::implement::scale::extents;
use embedding::implement::{Scalar, Stored};

/// The points of a search. Rows in single precision are widened one at a time, so that no
/// copy of all points in double precision is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a>(Stored<'a>);

impl<'a, T: Scalar> From<Points<'a, T>> for Rows<'a> {
    fn from(points: Points<'a, T>) -> Self {
        Self(T::stored(points))
    }
}

impl<'a> Rows<'a> {
    /// The points, where they are stored in double precision.
    pub(crate) fn double(&self) -> Option<Points<'a>> {
        match self.0 {
            Stored::Double(points) => Some(points),
            Stored::Single(_) => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self.0 {
            Stored::Double(points) => points.len(),
            Stored::Single(points) => points.len(),
        }
    }

    pub(crate) fn dim(&self) -> usize {
        match self.0 {
            Stored::Double(points) => points.dim(),
            Stored::Single(points) => points.dim(),
        }
    }

    /// Returns row `i`; `wide` holds it where it is stored in single precision.
    #[inline(always)]
    pub(crate) fn row<'b>(&self, i: usize, wide: &'b mut Vec<f64>) -> &'b [f64]
    where
        'a: 'b,
    {
        match self.0 {
            Stored::Double(points) => points.row(i),
            Stored::Single(points) => {
                wide.clear();
                wide.extend(points.row(i).iter().map(|&x| f64::from(x)));
                wide
            }
        }
    }

    /// Calls `visit` for rows `first` to `first + count - 1` that exist, in order.
    pub(crate) fn each(&self, first: usize, count: usize, mut visit: impl FnMut(&[f64])) {
        let mut wide = Vec::new();
        (first..self.len().min(first + count)).for_each(|i| visit(self.row(i, &mut wide)));
    }

    /// The smallest and the largest value of each column.
    pub(crate) fn extents(&self) -> Vec<(f64, f64)> {
        match self.0 {
            Stored::Double(points) => extents(points),
            Stored::Single(points) => extents(points),
        }
    }

    /// Calls `then` with the points in double precision; copies them where they are not.
    pub(crate) fn with_double<R>(&self, then: impl FnOnce(Points<'_>) -> R) -> R {
        match self.0 {
            Stored::Double(points) => then(points),
            Stored::Single(points) => then(points.widened().view()),
        }
    }
}
