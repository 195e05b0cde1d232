//! Measures of a map.

use std::collections::BTreeMap;

use embedding::implement::proceed;
use embedding::{Error, Points};
use neighbor_graph::NeighborSearch;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quality::{Context, RowSample, measures, point_measures};

use crate::matrix::{Checked, Matrix};
use crate::work::{Events, run};

/// A data set, its map, and the other data that measures read.
struct Scored<'a> {
    points: Checked<'a>,
    map: Checked<'a>,
    truth: Option<Checked<'a>>,
    labels: Option<&'a [u32]>,
}

impl Scored<'_> {
    /// Calls `compute` with the context of the data and the points of the map.
    fn with<T>(
        &self,
        k: usize,
        rows: RowSample,
        events: &Events,
        compute: impl FnOnce(&Context<'_>, Points<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let points = self.points.points();
        let expected = |what, got: usize| {
            (got != points.len()).then(|| Error::Shape {
                what,
                expected: format!("{}, one per point", points.len()),
                got: got.to_string(),
            })
        };
        let truth = self.truth.as_ref().map(Checked::points);
        let sizes = [
            ("the number of rows of the embedding", Some(self.map.points().len())),
            ("the number of rows of the true coordinates", truth.map(|truth| truth.len())),
            ("the number of labels", self.labels.map(<[u32]>::len)),
        ];
        if let Some(error) = sizes.into_iter().find_map(|(what, got)| expected(what, got?)) {
            return Err(error);
        }
        let input = embedding::Input::from(points).with_observer(events);
        let lists = NeighborSearch::nearest(k).find(input)?;
        let mut context = Context::new(points, &lists, k, rows);
        if let Some(truth) = truth {
            context = context.with_truth(truth);
        }
        if let Some(labels) = self.labels {
            context = context.with_labels(labels);
        }
        compute(&context, self.map.points())
    }
}

/// Fails on a name that is not listed.
fn known(names: Option<&[String]>, listed: &[&str]) -> PyResult<()> {
    match names.into_iter().flatten().find(|name| !listed.contains(&name.as_str())) {
        Some(name) => {
            let all = listed.join(", ");
            Err(PyValueError::new_err(format!("there is no measure `{name}`; known: {all}")))
        }
        None => Ok(()),
    }
}

/// The measures that apply to a map: the named ones, or all. `rows` is the number of evenly spaced
/// rows over which they average; all rows if omitted.
#[pyfunction]
#[pyo3(signature = (points, map, k, *, truth=None, labels=None, names=None, rows=None, threads=0))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn score(
    py: Python<'_>,
    points: Matrix<'_>,
    map: Matrix<'_>,
    k: usize,
    truth: Option<Matrix<'_>>,
    labels: Option<PyReadonlyArray1<'_, u32>>,
    names: Option<Vec<String>>,
    rows: Option<usize>,
    threads: usize,
) -> PyResult<BTreeMap<&'static str, f64>> {
    let listed: Vec<&str> = measures().iter().map(|measure| measure.name).collect();
    known(names.as_deref(), &listed)?;
    let wanted = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|chosen| chosen == name));
    let rows = rows.map_or(RowSample::All, |count| RowSample::Spaced { count });
    let (points, map) = (points.values()?, map.values()?);
    let truth = truth.as_ref().map(Matrix::values).transpose()?;
    let labels = labels.as_ref().map(|labels| labels.as_slice()).transpose();
    let labels = labels.map_err(|_| PyValueError::new_err("the labels must be contiguous"))?;
    run(py, threads, None, |events| {
        let truth = truth.map(Checked::new).transpose()?;
        let scored = Scored { points: Checked::new(points)?, map: Checked::new(map)?, truth, labels };
        scored.with(k, rows, events, |context, map| {
            let chosen = measures().iter().filter(|measure| wanted(measure.name));
            let value = |measure: &'static quality::Measure| {
                proceed(events, 0, 1)?;
                Ok(measure.score(context, map)?.map(|value| (measure.name, value)))
            };
            chosen.filter_map(|measure| value(measure).transpose()).collect()
        })
    })
}

/// The measures per point that apply to a map: the named ones, or all; NaN where the value of a
/// single point is undefined.
#[pyfunction]
#[pyo3(signature = (points, map, k, *, names=None, threads=0))]
pub(crate) fn score_points(
    py: Python<'_>,
    points: Matrix<'_>,
    map: Matrix<'_>,
    k: usize,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<BTreeMap<&'static str, Vec<f64>>> {
    let listed: Vec<&str> = point_measures().iter().map(|measure| measure.name).collect();
    known(names.as_deref(), &listed)?;
    let wanted = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|chosen| chosen == name));
    let (points, map) = (points.values()?, map.values()?);
    run(py, threads, None, |events| {
        let (points, map) = (Checked::new(points)?, Checked::new(map)?);
        let scored = Scored { points, map, truth: None, labels: None };
        scored.with(k, RowSample::All, events, |context, map| {
            let mut found = BTreeMap::new();
            for measure in point_measures().iter().filter(|measure| wanted(measure.name)) {
                proceed(events, 0, 1)?;
                if let Some(values) = measure.values(context, map)? {
                    let values = values.into_iter().map(|value| value.unwrap_or(f64::NAN));
                    found.insert(measure.name, values.collect());
                }
            }
            Ok(found)
        })
    })
}
