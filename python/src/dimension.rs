//! Intrinsic dimension.

use std::collections::BTreeMap;

use embedding::{Error, Input, MemoryLimit};
use neighbor_graph::NeighborSearch;
use pyo3::prelude::*;
use quality::dimension::{Evidence, estimators};

use crate::matrix::{Checked, Matrix};
use crate::work::run;

/// Estimates by name (NaN where one is undefined), and the local estimates of every point.
type Dimensions = (BTreeMap<&'static str, f64>, BTreeMap<&'static str, Vec<f64>>);

/// All estimates of intrinsic dimension from `k` neighbors of each point; with `per_point` also the local
/// estimates.
#[pyfunction]
#[pyo3(signature = (points, k, *, per_point=false, threads=0))]
pub(crate) fn dimension(
    py: Python<'_>,
    points: Matrix<'_>,
    k: usize,
    per_point: bool,
    threads: usize,
) -> PyResult<Dimensions> {
    let points = points.values()?;
    run(py, threads, None, |events| {
        let checked = Checked::new(points)?;
        let points = checked.points();
        let neighbors = NeighborSearch::nearest(k).find(Input::from(points).with_observer(events))?;
        let evidence = Evidence { points, neighbors: &neighbors, memory_limit: MemoryLimit::default() };
        let (mut whole, mut local) = Dimensions::default();
        for estimator in estimators() {
            let estimate = match estimator.estimate(&evidence) {
                Err(Error::Degenerate { .. } | Error::TooFewPoints { .. }) => f64::NAN,
                other => other?,
            };
            whole.insert(estimator.name, estimate);
            if per_point && let Some(values) = estimator.of_rows(&evidence)? {
                let values = values.into_iter().map(|value| value.unwrap_or(f64::NAN));
                local.insert(estimator.name, values.collect());
            }
        }
        Ok((whole, local))
    })
}
