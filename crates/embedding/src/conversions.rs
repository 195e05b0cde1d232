//! Conversions from and to arrays, and to the matrix types of other libraries.

#[cfg(feature = "nalgebra")]
use faer::MatRef;

use crate::implement::Scalar;
#[cfg(any(feature = "ndarray", feature = "nalgebra"))]
use crate::{Embedding, PointSet};
use crate::{Error, Points};

/// Views rows of one length; nothing is copied. Checks as [`Points::new`].
impl<'a, T: Scalar, const D: usize> TryFrom<&'a [[T; D]]> for Points<'a, T> {
    type Error = Error;

    fn try_from(rows: &'a [[T; D]]) -> Result<Self, Error> {
        Points::new(rows.as_flattened(), D)
    }
}

/// Copies an array of any layout, one point per row; checks as [`Points::new`].
#[cfg(feature = "ndarray")]
impl TryFrom<ndarray::ArrayView2<'_, f64>> for PointSet {
    type Error = Error;

    fn try_from(array: ndarray::ArrayView2<'_, f64>) -> Result<Self, Error> {
        Self::new(array.iter().copied().collect(), array.ncols())
    }
}

/// Copies an array of any layout, one point per row; checks as [`Points::new`].
#[cfg(feature = "ndarray")]
impl TryFrom<&ndarray::Array2<f64>> for PointSet {
    type Error = Error;

    fn try_from(array: &ndarray::Array2<f64>) -> Result<Self, Error> {
        array.view().try_into()
    }
}

/// Views an array in standard layout (row by row without gaps), one point per row;
/// nothing is copied. Checks as [`Points::new`]; other layouts fail with
/// [`Error::Shape`].
#[cfg(feature = "ndarray")]
impl<'a, T: Scalar> TryFrom<ndarray::ArrayView2<'a, T>> for Points<'a, T> {
    type Error = Error;

    fn try_from(array: ndarray::ArrayView2<'a, T>) -> Result<Self, Error> {
        let values = array.to_slice().ok_or_else(|| Error::Shape {
            what: "the layout of an array that is not copied",
            expected: "row by row without gaps (PointSet::try_from copies any layout)".to_owned(),
            got: format!("{} × {} with strides {:?}", array.nrows(), array.ncols(), array.strides()),
        })?;
        Points::new(values, array.ncols())
    }
}

/// Copies the coordinates, n × d.
#[cfg(feature = "ndarray")]
impl From<&Embedding> for ndarray::Array2<f64> {
    fn from(embedding: &Embedding) -> Self {
        let shape = (embedding.len(), embedding.dim());
        Self::from_shape_vec(shape, embedding.values().to_vec()).expect("n × d values, row by row")
    }
}

/// Copies a matrix, one point per row; checks as [`Points::new`].
#[cfg(feature = "nalgebra")]
impl TryFrom<&nalgebra::DMatrix<f64>> for PointSet {
    type Error = Error;

    fn try_from(matrix: &nalgebra::DMatrix<f64>) -> Result<Self, Error> {
        Self::from_mat(MatRef::from_column_major_slice(matrix.as_slice(), matrix.nrows(), matrix.ncols()))
    }
}

/// Copies the coordinates, n × d.
#[cfg(feature = "nalgebra")]
impl From<&Embedding> for nalgebra::DMatrix<f64> {
    fn from(embedding: &Embedding) -> Self {
        Self::from_row_slice(embedding.len(), embedding.dim(), embedding.values())
    }
}
