//! Rows with categories and gaps, as the metrics that compare them read them.

use embedding::mixed::{ColumnKind, MixedColumns};
use embedding::{Error, persist};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::exception;
use crate::matrix::array_of;

/// Columns as bytes, and the names of the categories of each.
type Stored<'py> = (Bound<'py, PyBytes>, Vec<Vec<String>>);

/// The name of stored columns.
const KIND: &str = "mixed-columns";

/// The columns of rows of numbers, NaN in gaps, as bytes. `names` has the names of the categories of each column,
/// whose values are their positions, or none for numbers; `weights` a weight per column, `asymmetric` the numbers
/// of the asymmetric columns.
#[pyfunction]
#[pyo3(signature = (values, names, weights=None, asymmetric=Vec::new()))]
pub(crate) fn mixed_columns<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<Vec<String>>,
    weights: Option<Vec<f64>>,
    asymmetric: Vec<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    let columns = MixedColumns::of(slice(&values)?, &names).map_err(exception)?;
    let columns = columns.with_asymmetric(&asymmetric).map_err(exception)?;
    let columns = match weights {
        Some(weights) => columns.with_weights(&weights).map_err(exception)?,
        None => columns,
    };
    Ok(PyBytes::new(py, &written(&columns).map_err(exception)?))
}

/// Rows of numbers, NaN in gaps, encoded by columns for a metric.
#[pyfunction]
pub(crate) fn mixed_rows<'py>(
    py: Python<'py>,
    columns: &[u8],
    metric: &str,
    values: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let metric = crate::matrix::metric(Some(metric))?;
    let values = slice(&values)?;
    let encoded = read(columns).and_then(|columns| columns.encode(metric, values));
    array_of(py, encoded.map_err(exception)?)
}

/// The columns that are stored with a saved model, as bytes, and the names of the categories of each; `None` of a
/// model without them.
#[pyfunction]
pub(crate) fn saved_columns(py: Python<'_>, saved: Vec<u8>) -> PyResult<Option<Stored<'_>>> {
    let (model, _) = swissroll::saved::columns::load(saved).map_err(exception)?;
    let Some(columns) = swissroll::saved::mixed::columns(&model).map_err(exception)? else { return Ok(None) };
    let names = |kind: &ColumnKind| match kind {
        ColumnKind::Number { .. } | ColumnKind::Asymmetric => Vec::new(),
        ColumnKind::Category { names } => names.clone(),
    };
    let names = columns.columns().iter().map(|column| names(&column.kind)).collect();
    Ok(Some((PyBytes::new(py, &written(&columns).map_err(exception)?), names)))
}

/// A saved model with columns as bytes.
pub(crate) fn with_columns(model: Vec<u8>, columns: Option<&[u8]>) -> Result<Vec<u8>, Error> {
    match columns {
        Some(columns) => swissroll::saved::mixed::save(model, &read(columns)?),
        None => Ok(model),
    }
}

fn written(columns: &MixedColumns) -> Result<Vec<u8>, Error> {
    persist::encode(KIND, columns)
}

fn read(bytes: &[u8]) -> Result<MixedColumns, Error> {
    persist::decode(KIND, bytes)
}

/// The values of an array, row by row.
fn slice<'a>(values: &'a PyReadonlyArray2<'_, f64>) -> PyResult<&'a [f64]> {
    values
        .as_slice()
        .map_err(|_| PyValueError::new_err("the array must be C-contiguous; try numpy.ascontiguousarray"))
}
