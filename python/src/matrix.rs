//! Matrices of numpy.

use embedding::implement::Value;
use embedding::{DistanceMatrix, Error, Input, Metric, PointSet, Points};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Rows of numbers, in either precision. Borrowed where the values are in row order.
#[derive(FromPyObject)]
pub(crate) enum Matrix<'py> {
    /// In double precision: viewed.
    Double(PyReadonlyArray2<'py, f64>),
    /// In single precision: searched as it is, widened for everything else.
    Single(PyReadonlyArray2<'py, f32>),
}

/// The values of a matrix, with its number of columns.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    /// In double precision.
    Double(&'a [f64], usize),
    /// In single precision.
    Single(&'a [f32], usize),
}

impl Matrix<'_> {
    /// The values, row by row. Fails on an array that is not in that order.
    pub(crate) fn values(&self) -> PyResult<Values<'_>> {
        let order = |_| PyValueError::new_err("the array must be C-contiguous; try numpy.ascontiguousarray");
        Ok(match self {
            Self::Double(array) => Values::Double(array.as_slice().map_err(order)?, array.as_array().ncols()),
            Self::Single(array) => Values::Single(array.as_slice().map_err(order)?, array.as_array().ncols()),
        })
    }
}

/// Validated values in double precision.
pub(crate) enum Checked<'a> {
    /// A view.
    View(Points<'a>),
    /// A widened copy.
    Copy(PointSet),
}

impl<'a> Checked<'a> {
    /// Checks that every value is finite; copies single precision only.
    pub(crate) fn new(values: Values<'a>) -> Result<Self, Error> {
        Ok(match values {
            Values::Double(values, dim) => Self::View(Points::new(values, dim)?),
            Values::Single(values, dim) => Self::Copy(Points::new(values, dim)?.widened()),
        })
    }

    /// The points.
    pub(crate) fn points(&self) -> Points<'_> {
        match self {
            Self::View(points) => *points,
            Self::Copy(points) => points.view(),
        }
    }

    /// The input of a fit: points with a metric, or distances between all of them.
    pub(crate) fn input(&self, distances: bool, metric: Metric) -> Result<Input<'_>, Error> {
        let points = self.points();
        if !distances {
            return Ok(Input::from(points).with_metric(metric));
        }
        if points.len() != points.dim() {
            return Err(Error::Shape {
                what: "a matrix of distances",
                expected: "square".to_owned(),
                got: format!("{} x {}", points.len(), points.dim()),
            });
        }
        Ok(DistanceMatrix::from_mat(points.as_mat())?.into())
    }
}

/// The metric of this name; Euclidean without one.
pub(crate) fn metric(name: Option<&str>) -> PyResult<Metric> {
    let Some(name) = name else { return Ok(Metric::Euclidean) };
    Metric::read(name)
        .ok_or_else(|| PyValueError::new_err(format!("metric must be {}, but is `{name}`", Metric::SYNTAX)))
}

/// A matrix of values row by row.
pub(crate) fn array<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    dim: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = values.len() / dim.max(1);
    values.into_pyarray(py).reshape([rows, dim])
}

/// A matrix of points.
pub(crate) fn array_of<'py>(py: Python<'py>, points: PointSet) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let dim = points.dim();
    array(py, points.into_values(), dim)
}
