//! Fits and fitted models.

use compare::memory::default_limit;
use compare::update::{Update, Updated};
use embedding::implement::matrix::to_rows;
use embedding::implement::{fit_lowered, nearest_name};
use embedding::{
    DynMethod, DynModel, Error, Input, MemoryLimit, Neighborhood, NewNeighbors, PointSet, TrainingRows,
};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use swissroll::saved::columns::Columns;
use swissroll::saved::recipe::{self, FitSettings};

use crate::failure::exception;
use crate::lists::{Neighbors, Rows, Sparse, entries};
use crate::matrix::{Checked, Matrix, array};
use crate::work::run;

pub(crate) mod align;
mod places;

use self::places::Places;

/// A fitted model, and where each of its training rows was placed.
#[pyclass(frozen, module = "swissroll._native")]
pub(crate) struct FittedModel {
    /// The name of its method.
    #[pyo3(get)]
    method: String,
    model: Box<dyn DynModel>,
    places: Places,
    /// How coordinates that were given as the start were used.
    start: Option<String>,
    /// The parameters of the fit.
    fit: Fit,
}

/// The parameters of a fit.
enum Fit {
    /// As the method that was fitted has them.
    Method(Box<dyn DynMethod>),
    /// As they were stored with a model; `None` of a model without them.
    Stored(Option<FitSettings>),
}

impl FittedModel {
    /// The model itself.
    pub(crate) fn model(&self) -> &dyn DynModel {
        self.model.as_ref()
    }

    /// The map and the state at the end of the fit. Fails where some rows have no place.
    fn end(&self) -> Result<(PointSet, Option<Vec<u8>>), Error> {
        let map = self.model.embedding();
        if let Some(rows) = map.placed_rows() {
            let expected = "a place for every row, to go on from it".to_owned();
            return Err(Error::Shape { what: "the map", expected, got: format!("{} places", rows.len()) });
        }
        let state = self.settings()?.and_then(|fit| fit.state);
        Ok((PointSet::new(map.values().to_vec(), map.dim())?, state))
    }

    /// The parameters of the fit and the state at its end, where they are known.
    fn settings(&self) -> Result<Option<FitSettings>, Error> {
        match &self.fit {
            Fit::Method(method) => FitSettings::of(method.as_ref(), self.model.as_ref()).map(Some),
            Fit::Stored(known) => Ok(known.clone()),
        }
    }
}

/// The bytes of a model, and the bytes of the places of its training rows.
type Saved<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// The method of a name with settings, each a parameter's name and its value as text.
fn configured(name: &str, settings: &[(String, String)]) -> PyResult<Box<dyn DynMethod>> {
    let Some(mut method) = swissroll::method(name) else {
        let near = nearest_name(name, swissroll::methods().map(|method| method.about().name));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(PyValueError::new_err(format!("there is no method `{name}`{hint}")));
    };
    for (name, value) in settings {
        method.set_dyn(name, value).map_err(exception)?;
    }
    Ok(method)
}

/// Given lists as a method reads them: cut to its own number of neighbors.
fn fitting(
    lists: &embedding::Neighbors,
    wanted: Option<Neighborhood>,
) -> Result<Option<embedding::Neighbors>, Error> {
    match (wanted, lists.neighborhood()) {
        (Some(Neighborhood::Nearest { k }), Neighborhood::Nearest { k: given }) if k < given => {
            lists.truncated(k).map(Some)
        }
        (Some(Neighborhood::Nearest { k }), Neighborhood::Nearest { k: given }) if k > given => {
            Err(Error::parameter("k", format!("at most {given}, the number of the given neighbors"), k))
        }
        (Some(wanted), given) if wanted != given => Err(Error::Shape {
            what: "the rule of the given neighbors",
            expected: format!("{wanted:?}"),
            got: format!("{given:?}"),
        }),
        _ => Ok(None),
    }
}

/// Fits a method to points, to distances between all pairs (`distances`), to sparse points
/// (`sparse`), or to neighbor lists. Lists may be given alone or together with the other inputs.
///
/// `labels` has a class per point, −1 for an unknown one, `targets` a number per point, NaN for an unknown one,
/// `weights` a weight per point. `start` has the initial coordinates of an
/// iterative method, `fixed` whether each row keeps them. `earlier` is a model of the same rows whose fit goes on.
/// `metric` is the distance between points, by its name in the registry.
/// `memory` is the limit of one stage in bytes (by default the limit of the program), `threads` the
/// number of threads (0: as many as processors), `progress` a function of stage, steps done, all steps
/// and iteration. With `lower` the target dimension is lowered where the data cannot have it.
#[pyfunction]
#[pyo3(signature = (method, settings, values, *, distances=false, neighbors=None, sparse=None, labels=None, targets=None, weights=None, start=None, fixed=None, earlier=None, metric=None, memory=None, threads=0, progress=None, lower=false))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn fit(
    py: Python<'_>,
    method: &str,
    settings: Vec<(String, String)>,
    values: Option<Matrix<'_>>,
    distances: bool,
    neighbors: Option<PyRef<'_, Neighbors>>,
    sparse: Option<Sparse<'_>>,
    labels: Option<PyReadonlyArray1<'_, i64>>,
    targets: Option<PyReadonlyArray1<'_, f64>>,
    weights: Option<Vec<f64>>,
    start: Option<Matrix<'_>>,
    fixed: Option<Vec<bool>>,
    earlier: Option<PyRef<'_, FittedModel>>,
    metric: Option<&str>,
    memory: Option<u64>,
    threads: usize,
    progress: Option<Py<PyAny>>,
    lower: bool,
) -> PyResult<FittedModel> {
    let method = configured(method, &settings)?;
    let earlier = earlier.as_ref().map(|earlier| earlier.end()).transpose().map_err(exception)?;
    let method = if earlier.is_some() { method.resumed_dyn() } else { method };
    let metric = crate::matrix::metric(metric)?;
    let values = values.as_ref().map(Matrix::values).transpose()?;
    let start = start.as_ref().map(Matrix::values).transpose()?;
    let sparse = sparse.as_ref().map(Sparse::points).transpose()?;
    let given = neighbors.as_ref().map(|neighbors| neighbors.lists());
    let labels = labels.as_ref().map(|labels| labels.as_slice()).transpose();
    let labels = labels.map_err(|_| PyValueError::new_err("the labels must be contiguous"))?;
    let labels: Option<Vec<Option<u32>>> =
        labels.map(|labels| labels.iter().map(|&label| u32::try_from(label).ok()).collect());
    let targets = targets.as_ref().map(|targets| targets.as_slice()).transpose();
    let targets = targets.map_err(|_| PyValueError::new_err("the target values must be contiguous"))?;
    let limit = memory.map_or_else(default_limit, MemoryLimit::new);
    let (model, places, start) = run(py, threads, progress.as_ref(), |events| {
        let checked = values.map(Checked::new).transpose()?;
        let mut input = match (&checked, &sparse, given) {
            (Some(checked), ..) => checked.input(distances, metric)?,
            (None, Some(points), _) => Input::from(points.view()).with_metric(metric),
            (None, None, Some(lists)) => Input::from(lists),
            (None, None, None) => return Err(Error::no_points()),
        };
        let shorter;
        if let Some(lists) = given {
            shorter = fitting(lists, method.neighborhood_dyn(lists.len()))?;
            input = input.with_neighbors(shorter.as_ref().unwrap_or(lists));
        }
        if let Some(labels) = &labels {
            input = input.with_partial_labels(labels);
        }
        if let Some(weights) = &weights {
            input = input.with_row_weights(weights);
        }
        if let Some(targets) = targets {
            input = input.with_targets(targets);
        }
        let start = start.map(Checked::new).transpose()?;
        if let Some(start) = &start {
            input = input.with_start(start.points());
        }
        if let Some((map, state)) = &earlier {
            input = input.with_continued(map.view(), state.as_deref());
        }
        if let Some(fixed) = &fixed {
            input = input.with_fixed(fixed);
        }
        let input = input.with_observer(events).with_memory_limit(limit);
        let model =
            if lower { fit_lowered(method.as_ref(), &input).fitted? } else { method.fit_dyn(&input)? };
        let places = checked.as_ref().map(|rows| Places::new(rows.points(), model.embedding()));
        let note = method.start_note(&input);
        Ok((model, places.unwrap_or_default(), note))
    })?;
    Ok(FittedModel { method: method.about().name.to_owned(), model, places, start, fit: Fit::Method(method) })
}

/// Fails where a stage that Python computes needs more bytes than the limit of a fit.
#[pyfunction]
#[pyo3(signature = (stage, bytes, *, memory=None))]
pub(crate) fn allow(stage: String, bytes: u64, memory: Option<u64>) -> PyResult<()> {
    let limit = memory.map_or_else(default_limit, MemoryLimit::new);
    limit.allow(stage, bytes, "use fewer points").map_err(exception)
}

/// The model that [`FittedModel::save`] or `compare embed --save` wrote.
#[pyfunction]
#[pyo3(signature = (saved, places=None))]
pub(crate) fn load(saved: &[u8], places: Option<&[u8]>) -> PyResult<FittedModel> {
    let (saved, fit) = recipe::load(saved.to_vec()).map_err(exception)?;
    let (method, model) = swissroll::load(&saved).map_err(exception)?;
    let places = Places::read(places.unwrap_or_default(), model.embedding().len()).map_err(exception)?;
    Ok(FittedModel {
        method: method.about().name.to_owned(),
        model,
        places,
        start: None,
        fit: Fit::Stored(fit),
    })
}

/// The names of the columns that are stored with a saved model, where they are known.
#[pyfunction]
pub(crate) fn column_names(saved: Vec<u8>) -> PyResult<Option<Vec<String>>> {
    Ok(swissroll::saved::columns::load(saved).map_err(exception)?.1.map(|columns| columns.names))
}

/// Origin, directions by rows, and loadings by rows where the model has some.
type Linear<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Option<Bound<'py, PyArray2<f64>>>);

#[pymethods]
impl FittedModel {
    /// The coordinates of the placed training rows.
    fn embedding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let embedding = self.model.embedding();
        array(py, embedding.values().to_vec(), embedding.dim())
    }

    /// The training rows that were placed; `None` where all were.
    fn rows<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.model.embedding().placed_rows().map(|rows| PyArray1::from_slice(py, rows))
    }

    /// The eigenvalues behind the coordinates, possibly none.
    fn spectrum<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.model.embedding().spectrum())
    }

    /// The number of columns of the rows that are placed; `None` where no row can be.
    fn columns(&self) -> Option<usize> {
        // A model says how many it needs where it refuses a row, and none needs both 1 and 2.
        [1, 2].into_iter().find_map(|wrong| {
            let row = PointSet::new(vec![1.0; wrong], wrong).ok()?;
            match self.model.transform(row.view()) {
                Err(Error::Shape { expected, .. }) => {
                    expected.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
                }
                _ => None,
            }
        })
    }

    /// The origin, the direction of each coordinate, and the loadings of a model of factors;
    /// `None` where the map is not linear.
    fn linear_map<'py>(&self, py: Python<'py>) -> PyResult<Option<Linear<'py>>> {
        let Some(map) = self.model.linear_map() else { return Ok(None) };
        let columns = map.origin.len();
        let origin = PyArray1::from_vec(py, map.origin);
        let directions = array(py, to_rows(map.directions.transpose()), columns)?;
        let loadings = map.loadings.map(|loadings| array(py, to_rows(loadings.transpose()), columns));
        Ok(Some((origin, directions, loadings.transpose()?)))
    }

    /// Facts, notes and values per point, as JSON.
    fn report(&self) -> String {
        let mut report = self.model.report();
        report.notes.extend(self.start.clone());
        json!({ "facts": report.facts, "notes": report.notes, "per_point": report.per_point }).to_string()
    }

    /// Places new rows, with all values or sparse; a row equal to a training row is placed where that one is.
    #[pyo3(signature = (values, *, threads=0))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        values: Rows<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let dim = self.model.embedding().dim();
        let placed = match &values {
            Rows::Dense(values) => {
                let values = values.values()?;
                run(py, threads, None, |_| {
                    let rows = Checked::new(values)?;
                    self.places.transform(self.model.as_ref(), rows.points())
                })?
            }
            Rows::Sparse(rows) => {
                let rows = rows.points()?;
                run(py, threads, None, |_| self.places.transform_sparse(self.model.as_ref(), rows.view()))?
            }
        };
        array(py, placed, dim)
    }

    /// The number of training points among which new points have their neighbor lists; `None` of a model that takes
    /// rows.
    fn lists_among(&self) -> Option<usize> {
        self.model.lists_among()
    }

    /// Places new points by a sparse matrix of the distances to their neighbors among `count` training points, in
    /// compressed rows.
    #[pyo3(signature = (pointers, columns, distances, count, *, threads=0))]
    fn transform_lists<'py>(
        &self,
        py: Python<'py>,
        pointers: PyReadonlyArray1<'py, i64>,
        columns: PyReadonlyArray1<'py, i64>,
        distances: PyReadonlyArray1<'py, f64>,
        count: usize,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let lists = entries(&pointers, &columns, &distances)?;
        let placed = run(py, threads, None, |_| {
            let placed = self.model.place_listed(&NewNeighbors::new(lists, count)?, TrainingRows::Stored)?;
            Ok(placed.values().to_vec())
        })?;
        array(py, placed, self.model.embedding().dim())
    }

    /// The model of the rows of this one, without those that leave, and of new rows, and how far rows of this one
    /// moved: the median and the largest distance, in units of the median distance to the tenth neighbor in the old
    /// map. `pull` is for methods with a start.
    #[pyo3(signature = (values=None, *, leave=None, pull=None, memory=None, threads=0, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn update(
        &self,
        py: Python<'_>,
        values: Option<Matrix<'_>>,
        leave: Option<Vec<bool>>,
        pull: Option<f64>,
        memory: Option<u64>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Self, (f64, f64))> {
        let values = values.as_ref().map(Matrix::values).transpose()?;
        let limit = memory.map_or_else(default_limit, MemoryLimit::new);
        let updated = run(py, threads, progress.as_ref(), |events| {
            let unknown =
                || Error::Model { problem: "it does not have the parameters of its fit".to_owned() };
            let method = self.settings()?.ok_or_else(unknown)?.method(&self.method)?;
            let old = self.model.training_points()?.ok_or_else(|| Error::Model {
                problem: "it does not keep all points that it was fitted to; fit all rows".to_owned(),
            })?;
            let new = values.map(Checked::new).transpose()?;
            let facts = self.model.report().facts;
            let metric = facts.get("metric").and_then(|fact| fact.as_str()?.parse().ok()).unwrap_or_default();
            let (old, new) = (old.view(), new.as_ref().map(Checked::points));
            let (fit, model, leaving) = (method.as_ref(), self.model.as_ref(), leave.as_deref());
            let update = Update { method: fit, model, old, new, leaving, scaling: None, metric, pull };
            let updated = update.run(limit, events)?;
            let all = update.rows()?;
            let places = Places::new(all.view(), updated.model.embedding());
            Ok((updated, places, method))
        })?;
        let (Updated { model, moved, note }, places, method) = updated;
        let fit = Fit::Method(method);
        let fitted = Self { method: self.method.clone(), model, places, start: Some(note), fit };
        Ok((fitted, (moved.median, moved.largest)))
    }

    /// The points that a linear map takes to given places; `None` where the map is not linear.
    #[pyo3(signature = (places, *, threads=0))]
    fn invert<'py>(
        &self,
        py: Python<'py>,
        places: Matrix<'py>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let values = places.values()?;
        let found = run(py, threads, None, |_| self.model.invert(Checked::new(values)?.points()))?;
        found.map(|points| array(py, points.values().to_vec(), points.dim())).transpose()
    }

    /// The model as versioned bytes with a checksum, with the parameters of its fit, and with the names of its
    /// columns and the columns of mixed rows where given.
    #[pyo3(signature = (columns=None, mixed=None))]
    fn save<'py>(
        &self,
        py: Python<'py>,
        columns: Option<Vec<String>>,
        mixed: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let columns = columns.map(|names| Columns { names, ranges: Vec::new() });
        let saved = || {
            let model = crate::mixed::with_columns(self.model.save()?, mixed)?;
            let model = swissroll::saved::columns::save(model, columns.as_ref())?;
            recipe::save(model, self.settings()?.as_ref())
        };
        Ok(PyBytes::new(py, &saved().map_err(exception)?))
    }

    /// The function and the bytes that a pickle consists of.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let load = py.import("swissroll._native")?.getattr("load")?;
        Ok((load, (self.save(py, None, None)?, PyBytes::new(py, &self.places.write()))))
    }
}
