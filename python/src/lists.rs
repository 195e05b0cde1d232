//! Neighbor lists that several estimators can read.

use embedding::implement::Value;
use embedding::{Embedding, Error, Input, Model, Neighborhood, Points, Search, SparsePointSet};
use neighbor_graph::{ComponentFits, Components, Graph, NeighborSearch, Symmetry, components, related_rows};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use swissroll::umap::FuzzyGraph;

use crate::failure::exception;
use crate::matrix::{Checked, Matrix, Values, array};
use crate::work::run;

/// For each point its neighbors, nearest first.
#[pyclass(frozen, module = "swissroll._native")]
pub(crate) struct Neighbors {
    lists: embedding::Neighbors,
    /// The fraction of true neighbors that an approximate search found, on a sample.
    recall: Option<f64>,
}

impl From<embedding::Neighbors> for Neighbors {
    fn from(lists: embedding::Neighbors) -> Self {
        Self { lists, recall: None }
    }
}

/// Points in compressed rows, as arguments of Python: row pointers, columns, values and the number
/// of columns.
#[derive(FromPyObject)]
pub(crate) struct Sparse<'py>(
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, f64>,
    usize,
);

impl Sparse<'_> {
    /// The points, with entries of one place added.
    pub(crate) fn points(&self) -> PyResult<SparsePointSet> {
        let Self(pointers, columns, values, dim) = self;
        let offsets = pointers.as_array().iter().map(|p| usize::try_from(*p)).collect::<Result<_, _>>()?;
        let columns = columns.as_array().iter().map(|c| u32::try_from(*c)).collect::<Result<_, _>>()?;
        SparsePointSet::new(offsets, columns, values.as_array().to_vec(), *dim).map_err(exception)
    }
}

/// Points, with all values or only the values that are not 0.
#[derive(FromPyObject)]
pub(crate) enum Rows<'py> {
    Dense(Matrix<'py>),
    Sparse(Sparse<'py>),
}

/// The rows that are related to another row by the metric; `None` where all are.
#[pyfunction]
#[pyo3(signature = (rows, *, metric=None, threads=0, progress=None))]
pub(crate) fn related<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    metric: Option<&str>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
    let metric = crate::matrix::metric(metric)?;
    let related = match &rows {
        Rows::Dense(values) => {
            let values = values.values()?;
            run(py, threads, progress.as_ref(), |events| {
                related_rows(&Checked::new(values)?.input(false, metric)?.with_observer(events))
            })
        }
        Rows::Sparse(values) => {
            let points = values.points()?;
            run(py, threads, progress.as_ref(), |events| {
                related_rows(&Input::from(points.view()).with_metric(metric).with_observer(events))
            })
        }
    }?;
    Ok(related.map(|rows| rows.into_pyarray(py)))
}

/// Row pointers, columns and values of a sparse matrix.
type Compressed<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

impl Neighbors {
    pub(crate) fn lists(&self) -> &embedding::Neighbors {
        &self.lists
    }
}

/// Columns and distances of the rows of a sparse matrix in compressed rows.
pub(crate) fn entries(
    pointers: &PyReadonlyArray1<'_, i64>,
    columns: &PyReadonlyArray1<'_, i64>,
    distances: &PyReadonlyArray1<'_, f64>,
) -> PyResult<Vec<Vec<(u32, f64)>>> {
    let (pointers, columns, distances) = (pointers.as_array(), columns.as_array(), distances.as_array());
    let damaged = || PyValueError::new_err("the sparse matrix contradicts itself");
    let mut lists = Vec::with_capacity(pointers.len());
    for ends in pointers.windows(2) {
        let (from, to) = (usize::try_from(ends[0])?, usize::try_from(ends[1])?);
        let mut list = Vec::with_capacity(to.saturating_sub(from).min(columns.len()));
        for at in from..to {
            let column = u32::try_from(*columns.get(at).ok_or_else(damaged)?)?;
            list.push((column, *distances.get(at).ok_or_else(damaged)?));
        }
        lists.push(list);
    }
    Ok(lists)
}

fn rule(k: Option<usize>, radius: Option<f64>) -> PyResult<Neighborhood> {
    match (k, radius) {
        (Some(k), None) => Ok(Neighborhood::Nearest { k }),
        (None, Some(radius)) => Ok(Neighborhood::Within { radius }),
        _ => Err(PyValueError::new_err("give either a number of neighbors or a radius")),
    }
}

/// The lists, as a search returns them: where rows are copies of others, the neighbors of copies are
/// searched again among the distinct points.
fn found(lists: &embedding::Neighbors, search: &str) -> PyResult<embedding::Neighbors> {
    let search = <Search as Value>::read(search)
        .ok_or_else(|| PyValueError::new_err(format!("there is no search named {search}")))?;
    let (mut offsets, mut indices, mut distances) = (vec![0], Vec::new(), Vec::new());
    for i in 0..lists.len() {
        let (js, ds) = lists.of(i);
        indices.extend_from_slice(js);
        distances.extend_from_slice(ds);
        offsets.push(indices.len());
    }
    let rule = lists.neighborhood();
    Ok(embedding::Neighbors::from_sorted(offsets, indices, distances, rule, Some(search)))
}

#[pymethods]
impl Neighbors {
    /// Searches points, in single precision without a widened copy above 8 dimensions, or
    /// distances between all pairs.
    #[staticmethod]
    #[pyo3(signature = (values, k=None, radius=None, *, distances=false, metric=None, threads=0, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn search(
        py: Python<'_>,
        values: Matrix<'_>,
        k: Option<usize>,
        radius: Option<f64>,
        distances: bool,
        metric: Option<&str>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (rule, values, metric) = (rule(k, radius)?, values.values()?, crate::matrix::metric(metric)?);
        let found = run(py, threads, progress.as_ref(), |events| match values {
            Values::Single(values, dim) if !distances && metric.is_euclidean() => {
                NeighborSearch::from(rule).with_observer(events).find(Points::new(values, dim)?)
            }
            _ => NeighborSearch::from(rule)
                .find(Checked::new(values)?.input(distances, metric)?.with_observer(events)),
        })?;
        Ok(found.into())
    }

    /// Searches points approximately, until a fraction `recall` of the neighbors is right,
    /// measured on a sample.
    #[staticmethod]
    #[pyo3(signature = (rows, k, recall, *, metric=None, seed=0, threads=0, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn search_approximately(
        py: Python<'_>,
        rows: Rows<'_>,
        k: usize,
        recall: f64,
        metric: Option<&str>,
        seed: u64,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let metric = crate::matrix::metric(metric)?;
        let search = NeighborSearch::nearest(k).with_recall(recall).with_seed(seed);
        let (lists, recall) = match &rows {
            Rows::Dense(values) => {
                let values = values.values()?;
                run(py, threads, progress.as_ref(), |events| match values {
                    Values::Single(values, dim) if metric.is_euclidean() => {
                        search.with_observer(events).find_with_recall(Points::new(values, dim)?)
                    }
                    _ => {
                        let rows = Checked::new(values)?;
                        search.find_with_recall(rows.input(false, metric)?.with_observer(events))
                    }
                })
            }
            Rows::Sparse(values) => {
                let points = values.points()?;
                run(py, threads, progress.as_ref(), |events| {
                    search.with_metric(metric).with_observer(events).find_with_recall(points.view())
                })
            }
        }?;
        Ok(Self { lists, recall: Some(recall.measured) })
    }

    /// Searches sparse points.
    #[staticmethod]
    #[pyo3(signature = (values, k=None, radius=None, *, metric=None, threads=0, progress=None))]
    fn search_sparse(
        py: Python<'_>,
        values: Sparse<'_>,
        k: Option<usize>,
        radius: Option<f64>,
        metric: Option<&str>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (rule, metric, points) = (rule(k, radius)?, crate::matrix::metric(metric)?, values.points()?);
        let found = run(py, threads, progress.as_ref(), |events| {
            NeighborSearch::from(rule).with_metric(metric).with_observer(events).find(points.view())
        })?;
        Ok(found.into())
    }

    /// Lists from a sparse matrix of distances, one row per point; entries of a point to
    /// itself are left out. For lists that a search found, `found_by` is its algorithm.
    #[staticmethod]
    #[pyo3(signature = (pointers, columns, distances, k=None, radius=None, recall=None, found_by=None))]
    fn from_sparse(
        pointers: PyReadonlyArray1<'_, i64>,
        columns: PyReadonlyArray1<'_, i64>,
        distances: PyReadonlyArray1<'_, f64>,
        k: Option<usize>,
        radius: Option<f64>,
        recall: Option<f64>,
        found_by: Option<&str>,
    ) -> PyResult<Self> {
        let mut lists = entries(&pointers, &columns, &distances)?;
        for (row, list) in lists.iter_mut().enumerate() {
            list.retain(|entry| entry.0 as usize != row);
        }
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let rule = match (k, radius) {
            (None, None) => Neighborhood::Nearest { k: longest },
            (k, radius) => rule(k, radius)?,
        };
        let lists = embedding::Neighbors::from_lists(lists, rule).map_err(exception)?;
        let lists = match found_by {
            Some(search) => found(&lists, search)?,
            None => lists,
        };
        Ok(Self { lists, recall })
    }

    /// The lists for a smaller number of neighbors.
    fn truncated(&self, k: usize) -> PyResult<Self> {
        let lists = self.lists.truncated(k).map_err(exception)?;
        Ok(Self { lists, recall: self.recall })
    }

    /// The lists with the shortest edges that join the components of their graph, by points,
    /// sparse points or distances.
    #[pyo3(signature = (values, *, distances=false, metric=None))]
    fn bridged(&self, values: Rows<'_>, distances: bool, metric: Option<&str>) -> PyResult<Self> {
        let metric = crate::matrix::metric(metric)?;
        let (checked, sparse) = match &values {
            Rows::Dense(values) => (Some(Checked::new(values.values()?).map_err(exception)?), None),
            Rows::Sparse(points) => (None, Some(points.points()?)),
        };
        let input = match (&checked, &sparse) {
            (Some(checked), _) => checked.input(distances, metric).map_err(exception)?,
            (None, Some(points)) => Input::from(points.view()).with_metric(metric),
            (None, None) => return Err(exception(Error::no_points())),
        };
        let joined = ComponentFits::fit(&input, &self.lists, Components::Bridge, |manifold| {
            Ok(Joined {
                lists: manifold.neighbors.clone(),
                embedding: Embedding::from_rows(vec![0.0; manifold.len()], 1),
            })
        });
        let lists = joined.and_then(ComponentFits::into_single).map_err(exception)?.lists;
        Ok(Self { lists, recall: self.recall })
    }

    /// Distances along the graph between all pairs, n × n; infinite between components.
    #[pyo3(signature = (symmetry, *, threads=0))]
    fn geodesics<'py>(
        &self,
        py: Python<'py>,
        symmetry: &str,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.lists.len();
        let symmetry = <Symmetry as Value>::read(symmetry)
            .ok_or_else(|| PyValueError::new_err("symmetry must be union or mutual"))?;
        let rows = run(py, threads, None, |events| {
            let sources: Vec<u32> = (0..n as u32).collect();
            Graph::new(&self.lists, symmetry).geodesics(&sources, events)
        })?;
        array(py, rows.concat(), n)
    }

    /// The component of every point.
    fn components<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        components(&self.lists).of.into_pyarray(py)
    }

    /// Row pointers, columns and distances of the lists as a sparse matrix.
    fn sparse<'py>(&self, py: Python<'py>) -> Compressed<'py> {
        let mut pointers = vec![0];
        let (mut columns, mut distances) = (Vec::new(), Vec::new());
        for i in 0..self.lists.len() {
            let (js, ds) = self.lists.of(i);
            columns.extend(js.iter().map(|j| i64::from(*j)));
            distances.extend_from_slice(ds);
            pointers.push(columns.len() as i64);
        }
        (pointers.into_pyarray(py), columns.into_pyarray(py), distances.into_pyarray(py))
    }

    /// Row pointers, columns and weights of UMAP's graph of the lists.
    #[pyo3(signature = (connectivity, mix, *, threads=0))]
    fn memberships<'py>(
        &self,
        py: Python<'py>,
        connectivity: f64,
        mix: f64,
        threads: usize,
    ) -> PyResult<Compressed<'py>> {
        let fuzzy = run(py, threads, None, |events| {
            FuzzyGraph::of_neighbors(&self.lists, connectivity, mix, events)
        })?;
        let view = fuzzy.graph().view();
        let whole = |numbers: Vec<i64>| numbers.into_pyarray(py);
        Ok((
            whole(view.offsets().iter().map(|at| *at as i64).collect()),
            whole(view.indices().iter().map(|j| i64::from(*j)).collect()),
            PyArray1::from_slice(py, view.weights()),
        ))
    }

    /// The fraction of true neighbors in the lists as they were searched, measured on a sample of
    /// the points. It is 1 if the search was exact because this was faster, and None if no
    /// approximate search was requested.
    #[getter]
    fn recall(&self) -> Option<f64> {
        self.recall
    }

    /// The algorithm of the search, None of given lists.
    #[getter]
    fn found_by(&self) -> Option<String> {
        self.lists.found_by().map(|search| search.show())
    }

    /// The number of neighbors, where the rule fixes it.
    #[getter]
    fn k(&self) -> Option<usize> {
        self.lists.neighborhood().k()
    }

    /// The radius, where the rule is one.
    #[getter]
    fn radius(&self) -> Option<f64> {
        match self.lists.neighborhood() {
            Neighborhood::Within { radius } => Some(radius),
            Neighborhood::Nearest { .. } => None,
        }
    }

    fn __len__(&self) -> usize {
        self.lists.len()
    }

    /// The function and the arrays that a pickle consists of. Lists that were joined by
    /// bridges no longer obey their rule, and are read back with their largest length.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let from_sparse = py.get_type::<Self>().getattr("from_sparse")?;
        let (pointers, columns, distances) = self.sparse(py);
        let longest = self.lists.degrees().1;
        let farthest =
            (0..self.lists.len()).flat_map(|i| self.lists.distances_of(i)).copied().fold(0.0, f64::max);
        let (k, radius) =
            (self.k().filter(|k| longest <= *k), self.radius().filter(|radius| farthest <= *radius));
        let parts = (pointers, columns, distances, k, radius, self.recall, self.found_by());
        Ok((from_sparse, parts.into_pyobject(py)?))
    }
}

/// The joined lists of a manifold method, instead of its model.
struct Joined {
    lists: embedding::Neighbors,
    embedding: Embedding,
}

impl Model for Joined {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}
