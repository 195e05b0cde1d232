//! Parts of a computation over data in several blocks.

use embedding::implement::{Value, proceed};
use embedding::{Error, Input, Neighborhood, Silent, SparsePointSet};
use neighbor_graph::{Graph, GraphView, NeighborIndex, Symmetry};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use swissroll::mds::Landmarks;

use crate::failure::exception;
use crate::lists::{Neighbors, Rows};
use crate::matrix::{Checked, array};
use crate::work::run;

/// Numbers of rows, and distances to them.
type Lists<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<f64>>);

/// Offsets, indices and weights of a graph.
type Arrays<'py> = (Bound<'py, PyArray1<usize>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

/// For every query the `k` nearest rows of the base by a metric, nearest first, ties by row.
#[pyfunction]
#[pyo3(signature = (queries, base, k, *, metric=None, threads=0))]
pub(crate) fn nearest<'py>(
    py: Python<'py>,
    queries: Rows<'py>,
    base: Rows<'py>,
    k: usize,
    metric: Option<&str>,
    threads: usize,
) -> PyResult<Lists<'py>> {
    let metric = crate::matrix::metric(metric)?;
    let (queries, base) = (Held::of(&queries)?, Held::of(&base)?);
    let lists = run(py, threads, None, |_| {
        let input = Input::from(base.rows()).with_metric(metric);
        NeighborIndex::of_input(&input, Neighborhood::Nearest { k }).nearest(queries.rows(), k)
    })?;
    let rows: Vec<u32> = lists.iter().flatten().map(|(row, _)| *row).collect();
    let distances = lists.iter().flatten().map(|(_, distance)| *distance).collect();
    Ok((rows.into_pyarray(py).reshape([lists.len(), k])?, array(py, distances, k)?))
}

/// Rows of Python that were checked.
enum Held<'a> {
    Dense(Checked<'a>),
    Sparse(SparsePointSet),
}

impl<'a> Held<'a> {
    fn of(rows: &'a Rows<'_>) -> PyResult<Self> {
        Ok(match rows {
            Rows::Dense(matrix) => Self::Dense(Checked::new(matrix.values()?).map_err(exception)?),
            Rows::Sparse(points) => Self::Sparse(points.points()?),
        })
    }

    fn rows(&self) -> embedding::Rows<'_> {
        match self {
            Self::Dense(checked) => checked.points().into(),
            Self::Sparse(points) => points.view().into(),
        }
    }
}

/// The undirected graph of neighbor lists, as offsets, indices and weights.
#[pyfunction]
pub(crate) fn graph<'py>(
    py: Python<'py>,
    lists: PyRef<'py, Neighbors>,
    symmetry: &str,
) -> PyResult<Arrays<'py>> {
    let symmetry = <Symmetry as Value>::read(symmetry)
        .ok_or_else(|| PyValueError::new_err("symmetry must be union or mutual"))?;
    let graph = Graph::new(lists.lists(), symmetry);
    let view = graph.view();
    Ok((
        PyArray1::from_slice(py, view.offsets()),
        PyArray1::from_slice(py, view.indices()),
        PyArray1::from_slice(py, view.weights()),
    ))
}

/// Distances along a graph from each source to all vertices, a row per source; infinite
/// between components. The arrays are read where they are.
#[pyfunction]
#[pyo3(signature = (sources, offsets, indices, weights, *, threads=0))]
pub(crate) fn geodesics<'py>(
    py: Python<'py>,
    sources: Vec<usize>,
    offsets: PyReadonlyArray1<'py, usize>,
    indices: PyReadonlyArray1<'py, u32>,
    weights: PyReadonlyArray1<'py, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (offsets, indices, weights) = (offsets.as_slice()?, indices.as_slice()?, weights.as_slice()?);
    let rows = run(py, threads, None, |events| {
        let graph = GraphView::new(offsets, indices, weights)?;
        if let Some(&bad) = sources.iter().find(|source| **source >= graph.len()) {
            return Err(Error::parameter("a source", format!("a vertex below {}", graph.len()), bad));
        }
        proceed(events, 0, 1)?;
        let rows: Result<Vec<_>, Error> = (sources.par_iter())
            .map(|&source| {
                proceed(events, 0, 1)?;
                Ok(graph.geodesics_from(source))
            })
            .collect();
        rows
    })?;
    let n = offsets.len() - 1;
    array(py, rows.concat(), n)
}

/// The rows of landmarks drawn at random among `n`, ascending.
#[pyfunction]
pub(crate) fn random_landmarks(
    py: Python<'_>,
    n: usize,
    count: usize,
    seed: u64,
) -> PyResult<Bound<'_, PyArray1<u32>>> {
    // Distances matter to the other way of choosing only.
    let chosen = Landmarks::Random { count, seed }.choose_by(n, |_| Vec::new(), &Silent);
    Ok(chosen.map_err(exception)?.into_pyarray(py))
}
