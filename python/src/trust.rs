//! Which points of a map can be trusted, what drives it, and how it stretches the data.

use embedding::{DynModel, Embedding, Error, Input, Metric};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use quality::RowSample;
use quality::drivers::{Drivers, Unit};
use quality::ellipses::Ellipses;
use quality::trust::Perturbation;

use crate::matrix::{Checked, Matrix, Values, array, metric};
use crate::model::FittedModel;
use crate::work::{Events, run};

/// Calls `compute` with the data of a model: the given rows, or those that the model keeps.
fn with_data<T>(
    model: &dyn DynModel,
    values: Option<Values<'_>>,
    metric: Metric,
    events: &Events,
    compute: impl FnOnce(&Input<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let given = values.map(Checked::new).transpose()?;
    let kept = if given.is_none() { model.training_points()? } else { None };
    let points = given.as_ref().map(Checked::points).or(kept.as_ref().map(|kept| kept.view()));
    let points = points.ok_or_else(|| Error::Model {
        problem: "it does not keep the points that it was fitted to; give them as X".to_owned(),
    })?;
    compute(&Input::from(points).with_metric(metric).with_observer(events))
}

/// Rows, their scores, the rows that jump, the largest score first, and what they say.
type Perturbed<'py> =
    (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u32>>, String);

/// Perturbation scores of a map. `rows` is the number of random rows that are scored; all if omitted.
#[pyfunction]
#[pyo3(signature = (model, k, *, points=None, metric_name=None, rows=None, seed=0, threads=0))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn perturbation<'py>(
    py: Python<'py>,
    model: PyRef<'py, FittedModel>,
    k: usize,
    points: Option<Matrix<'py>>,
    metric_name: Option<&str>,
    rows: Option<usize>,
    seed: u64,
    threads: usize,
) -> PyResult<Perturbed<'py>> {
    let (model, metric) = (model.model(), metric(metric_name)?);
    let values = points.as_ref().map(Matrix::values).transpose()?;
    let rows = rows.map_or(RowSample::All, |count| RowSample::Sample { count, seed });
    let found = run(py, threads, None, |events| {
        with_data(model, values, metric, events, |input| {
            Perturbation { k, rows, ..Perturbation::default() }.scores(model, model.embedding(), input)
        })
    })?;
    Ok((
        PyArray1::from_slice(py, found.rows()),
        PyArray1::from_slice(py, found.values()),
        PyArray1::from_vec(py, found.jumps()),
        found.caution(),
    ))
}

/// The curvatures of the loss at the places of a map; fails for a method without.
#[pyfunction]
pub(crate) fn curvatures<'py>(
    py: Python<'py>,
    model: PyRef<'py, FittedModel>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let model = model.model();
    let found = run(py, 0, None, |_| {
        model.curvatures()?.ok_or_else(|| {
            Error::degenerate(
                "singularity scores are inverse curvatures of the loss of t-SNE or UMAP, which this model does not have",
                "fit TSNE or UMAP",
            )
        })
    })?;
    Ok(PyArray1::from_vec(py, found))
}

/// Rows, importances (points × columns), gradients (points × (dimensions · columns)) and certainties.
type Driven<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// The columns that drive a map at each of its points, by regressions of `k` rows; exact for linear models.
#[pyfunction]
#[pyo3(signature = (model, k, *, points=None, metric_name=None, threads=0))]
pub(crate) fn drivers<'py>(
    py: Python<'py>,
    model: PyRef<'py, FittedModel>,
    k: usize,
    points: Option<Matrix<'py>>,
    metric_name: Option<&str>,
    threads: usize,
) -> PyResult<Driven<'py>> {
    let (model, metric) = (model.model(), metric(metric_name)?);
    let values = points.as_ref().map(Matrix::values).transpose()?;
    let found = run(py, threads, None, |events| {
        with_data(model, values, metric, events, |input| {
            Drivers { k, ..Drivers::default() }.of_model(model, model.embedding(), input)
        })
    })?;
    let (points, columns) = (found.rows().len(), found.columns());
    let importance = (0..points).flat_map(|point| found.importance(point, Unit::Deviation)).collect();
    let gradients = (0..points).flat_map(|point| found.gradient(point).to_vec()).collect();
    Ok((
        PyArray1::from_slice(py, found.rows()),
        array(py, importance, columns)?,
        array(py, gradients, found.dim() * columns)?,
        PyArray1::from_slice(py, found.certainty()),
    ))
}

/// Axes and directions.
type Stretched<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// The distortion ellipses of a map of points: axes (points × dimensions) and directions (points × dimensions²).
#[pyfunction]
#[pyo3(signature = (points, map, k, *, metric_name=None, threads=0))]
pub(crate) fn ellipses<'py>(
    py: Python<'py>,
    points: Matrix<'py>,
    map: Matrix<'py>,
    k: usize,
    metric_name: Option<&str>,
    threads: usize,
) -> PyResult<Stretched<'py>> {
    let (values, places, metric) = (points.values()?, map.values()?, metric(metric_name)?);
    let (axes, directions, dim) = run(py, threads, None, |events| {
        let (points, places) = (Checked::new(values)?, Checked::new(places)?);
        let places = places.points();
        let map = Embedding::from_rows(places.rows().flatten().copied().collect(), places.dim());
        let input = Input::from(points.points()).with_metric(metric).with_observer(events);
        let found = Ellipses { k }.of_map(&map, &input)?;
        let (n, dim) = (map.len(), map.dim());
        let axes: Vec<f64> = (0..n).flat_map(|point| found.axes(point).to_vec()).collect();
        let directions: Vec<f64> = (0..n).flat_map(|point| found.directions(point).to_vec()).collect();
        Ok((axes, directions, dim))
    })?;
    Ok((array(py, axes, dim)?, array(py, directions, dim * dim)?))
}
