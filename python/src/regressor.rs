//! Functions from one space to another, learned from examples. With the places of a map as
//! points and the data as targets, that is the way from the map back to the data.

use compare::memory::default_limit;
use embedding::persist::{decode, encode, kind};
use embedding::{Embedding, Error, MemoryLimit, Points, Transform};
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use regression::{
    FittedKernelRidge, FittedLocalBarycentric, KernelRidge, LeaveOut, LeftOut, LocalBarycentric, Regressor,
};
use serde::Deserialize;

use crate::failure::exception;
use crate::matrix::{Checked, Matrix, array};
use crate::work::{Events, run};

/// A regressor with its parameters, read from JSON.
#[derive(Deserialize)]
enum Recipe {
    LocalBarycentric(LocalBarycentric),
    KernelRidge(KernelRidge),
}

impl Recipe {
    fn read(text: &str, memory: Option<u64>) -> PyResult<Self> {
        let read = serde_json::from_str(text);
        let recipe = read.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(match recipe {
            Self::KernelRidge(recipe) => Self::KernelRidge(KernelRidge {
                memory_limit: memory.map_or_else(default_limit, MemoryLimit::new),
                ..recipe
            }),
            Self::LocalBarycentric(recipe) => Self::LocalBarycentric(recipe),
        })
    }

    fn fit(&self, points: Points<'_>, targets: Points<'_>, events: &Events) -> Result<Fitted, Error> {
        Ok(match self {
            Self::LocalBarycentric(recipe) => {
                Fitted::LocalBarycentric(recipe.fit(points, targets.as_mat(), events)?)
            }
            Self::KernelRidge(recipe) => Fitted::KernelRidge(recipe.fit(points, targets.as_mat(), events)?),
        })
    }

    fn left_out(
        &self,
        by: LeaveOut,
        points: Points<'_>,
        targets: Points<'_>,
        events: &Events,
    ) -> Result<LeftOut, Error> {
        match self {
            Self::LocalBarycentric(recipe) => by.errors(recipe, points, targets.as_mat(), events),
            Self::KernelRidge(recipe) => by.errors(recipe, points, targets.as_mat(), events),
        }
    }
}

/// A fitted regressor.
enum Fitted {
    LocalBarycentric(FittedLocalBarycentric),
    KernelRidge(FittedKernelRidge),
}

const LOCAL_BARYCENTRIC: &str = "local-barycentric";
const KERNEL_RIDGE: &str = "kernel-ridge";

/// A fitted function between two spaces.
#[pyclass(frozen, module = "swissroll._native")]
pub(crate) struct Regression {
    fitted: Fitted,
}

#[pymethods]
impl Regression {
    /// Fits the regressor that `recipe` describes, as JSON, to points and their targets.
    /// `memory` is the limit in bytes, by default the limit of the program.
    #[staticmethod]
    #[pyo3(signature = (recipe, points, targets, *, memory=None, threads=0))]
    fn fit(
        py: Python<'_>,
        recipe: &str,
        points: Matrix<'_>,
        targets: Matrix<'_>,
        memory: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        let recipe = Recipe::read(recipe, memory)?;
        let (points, targets) = (points.values()?, targets.values()?);
        let fitted = run(py, threads, None, |events| {
            let (points, targets) = (Checked::new(points)?, Checked::new(targets)?);
            recipe.fit(points.points(), targets.points(), events)
        })?;
        Ok(Self { fitted })
    }

    /// The values of the function at points.
    #[pyo3(signature = (points, *, threads=0))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        points: Matrix<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let values = points.values()?;
        let found: Embedding = run(py, threads, None, |_| {
            let points = Checked::new(values)?;
            match &self.fitted {
                Fitted::LocalBarycentric(fitted) => fitted.transform(points.points()),
                Fitted::KernelRidge(fitted) => fitted.transform(points.points()),
            }
        })?;
        array(py, found.values().to_vec(), found.dim())
    }

    /// The width of the kernel; `None` where there is no kernel.
    fn width(&self) -> Option<f64> {
        match &self.fitted {
            Fitted::LocalBarycentric(_) => None,
            Fitted::KernelRidge(fitted) => Some(fitted.width()),
        }
    }

    /// The function as versioned bytes with a checksum.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = match &self.fitted {
            Fitted::LocalBarycentric(fitted) => encode(LOCAL_BARYCENTRIC, fitted),
            Fitted::KernelRidge(fitted) => encode(KERNEL_RIDGE, fitted),
        };
        Ok(PyBytes::new(py, &bytes.map_err(exception)?))
    }

    /// The function that [`save`](Self::save) wrote.
    #[staticmethod]
    fn load(saved: &[u8]) -> PyResult<Self> {
        let read = |saved| {
            Ok(match kind(saved)? {
                KERNEL_RIDGE => Fitted::KernelRidge(decode(KERNEL_RIDGE, saved)?),
                _ => Fitted::LocalBarycentric(decode(LOCAL_BARYCENTRIC, saved)?),
            })
        };
        Ok(Self { fitted: read(saved).map_err(exception)? })
    }

    /// The function and the bytes that a pickle consists of.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let load = py.get_type::<Self>().getattr("load")?;
        Ok((load, (self.save(py)?,)))
    }
}

/// Errors of a regressor on points left out of its fit: the root mean square distance to the
/// target, the unexplained fraction of the variance, and the root mean square distance in each fold.
#[pyfunction]
#[pyo3(signature = (recipe, points, targets, *, folds, seed=0, memory=None, threads=0))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn left_out(
    py: Python<'_>,
    recipe: &str,
    points: Matrix<'_>,
    targets: Matrix<'_>,
    folds: usize,
    seed: u64,
    memory: Option<u64>,
    threads: usize,
) -> PyResult<(f64, f64, Vec<f64>)> {
    let recipe = Recipe::read(recipe, memory)?;
    let (points, targets) = (points.values()?, targets.values()?);
    let found = run(py, threads, None, |events| {
        let (points, targets) = (Checked::new(points)?, Checked::new(targets)?);
        recipe.left_out(LeaveOut { folds, seed }, points.points(), targets.points(), events)
    })?;
    let folds = found.folds.iter().map(|fold| fold.root_mean_square).collect();
    Ok((found.total.root_mean_square, found.total.unexplained, folds))
}
