//! Maps of several data sets whose rows are related by names.

use compare::align::{Aligned, Alignment, NamedRows, Relations};
use compare::memory::default_limit;
use embedding::implement::Value;
use embedding::{Error, MemoryLimit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::places::Places;
use super::{Fit, FittedModel, configured};
use crate::matrix::{Checked, Matrix};
use crate::work::run;

/// How far the related rows of a data set and the next one are apart: the number of the set, the number of pairs,
/// the median and the largest distance, in units of the distance of neighbors in their maps.
type Apart = (usize, usize, f64, f64);

/// Fits a method to data sets whose rows have names, and returns a model of each, and how far rows of one name are
/// apart. The other arguments are as `fit` has them.
#[pyfunction]
#[pyo3(signature = (method, settings, sets, names, *, pull=None, relations="neighboring", metric=None, memory=None, threads=0, progress=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn align(
    py: Python<'_>,
    method: &str,
    settings: Vec<(String, String)>,
    sets: Vec<Matrix<'_>>,
    names: Vec<Vec<String>>,
    pull: Option<f64>,
    relations: &str,
    metric: Option<&str>,
    memory: Option<u64>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Vec<FittedModel>, Vec<Apart>)> {
    let method = configured(method, &settings)?;
    let metric = crate::matrix::metric(metric)?;
    let known = || PyValueError::new_err(format!("relations must be {}", Relations::SYNTAX));
    let relations = Relations::read(relations).ok_or_else(known)?;
    let values = sets.iter().map(Matrix::values).collect::<PyResult<Vec<_>>>()?;
    let limit = memory.map_or_else(default_limit, MemoryLimit::new);
    let (aligned, places) = run(py, threads, progress.as_ref(), |events| {
        let checked = values.into_iter().map(Checked::new).collect::<Result<Vec<_>, Error>>()?;
        let pairs = checked.iter().zip(&names);
        let sets: Vec<NamedRows<'_>> =
            pairs.map(|(set, names)| NamedRows { points: set.points(), names }).collect();
        let alignment = Alignment { method: method.as_ref(), sets: &sets, metric, relations, pull };
        let aligned = alignment.run(limit, events)?;
        let fits = checked.iter().zip(&aligned.models);
        let places: Vec<Places> =
            fits.map(|(set, model)| Places::new(set.points(), model.embedding())).collect();
        Ok((aligned, places))
    })?;
    let Aligned { models, apart, note } = aligned;
    let fitted = models.into_iter().zip(places).map(|(model, places)| FittedModel {
        method: method.about().name.to_owned(),
        model,
        places,
        start: Some(note.clone()),
        fit: Fit::Method(method.boxed()),
    });
    let apart =
        apart.iter().map(|apart| (apart.set, apart.related, apart.distance.median, apart.distance.largest));
    Ok((fitted.collect(), apart.collect()))
}
