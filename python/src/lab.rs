//! The page of the lab, for notebooks.

use compare::lab::{Carried, InitialSettings, page as lab_page};
use datasets::{Dataset, Geometry, Labels};
use embedding::{Error, Points};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::exception;
use crate::matrix::{Checked, Matrix};

/// The classes of a page's points: their indices, and the names.
type Classes<'py> = (PyReadonlyArray1<'py, u32>, Vec<String>);

/// One self-contained HTML page in which the methods run live on these points.
#[pyfunction]
#[pyo3(signature = (points, *, name="data", classes=None, truth=None, methods=None, k=None, dim=None, seed=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn page(
    points: Matrix<'_>,
    name: &str,
    classes: Option<Classes<'_>>,
    truth: Option<Matrix<'_>>,
    methods: Option<Vec<String>>,
    k: Option<usize>,
    dim: Option<usize>,
    seed: Option<u64>,
) -> PyResult<String> {
    let points = Checked::new(points.values()?).map_err(exception)?;
    let values = truth.as_ref().map(Matrix::values).transpose()?;
    let truth = values.map(Checked::new).transpose().map_err(exception)?;
    let truth = truth.as_ref().map(|truth| truth.points().to_owned());
    let labels = classes.map(|(values, classes)| {
        let values = values.as_slice().map_err(|_| PyValueError::new_err("the labels must be contiguous"))?;
        Ok::<_, PyErr>(Labels { name: "class".to_owned(), classes, values: values.to_vec(), unknown: None })
    });
    let labels: Vec<Labels> = labels.transpose()?.into_iter().collect();
    fit_together(points.points(), &labels).map_err(exception)?;
    let data = Dataset {
        geometry: if truth.is_some() { Geometry::Parameters } else { Geometry::Unknown },
        truth,
        labels,
        ..Dataset::new(name, points.points().to_owned())
    };
    let start = InitialSettings { data: None, n: None, k, dim, seed, methods };
    lab_page(&start, &[Carried { file: Some(name), data: &data }]).map_err(exception)
}

/// Fails unless there is one label per point.
fn fit_together(points: Points<'_>, labels: &[Labels]) -> Result<(), Error> {
    match labels.iter().find(|labels| labels.values.len() != points.len()) {
        Some(labels) => Err(Error::Shape {
            what: "the number of labels",
            expected: format!("{}, one per point", points.len()),
            got: labels.values.len().to_string(),
        }),
        None => Ok(()),
    }
}
