//! The native module of the Python package: the registry, fits, neighbor searches,
//! regression, data sets and measures as functions and classes of Python.
//!
//! The classes with scikit-learn's interface are written in Python, above this module
//! (`python/swissroll`): they need plain signatures, and everything that scikit-learn
//! expects of them is cheap there. This module only converts values. Lists of methods, data
//! sets and measures are computed from the registry and the catalogs, as JSON.
//!
//! Architecture invariant: this crate computes nothing itself, and names no method.

mod blocks;
mod describe;
mod dimension;
mod failure;
mod lab;
mod lists;
mod matrix;
mod mixed;
mod model;
mod regressor;
mod scores;
mod sets;
mod trust;
mod work;

use pyo3::prelude::*;

/// Functions and classes of `swissroll._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ParameterError", module.py().get_type::<failure::ParameterError>())?;
    module.add("ConvergenceError", module.py().get_type::<failure::ConvergenceError>())?;
    module.add("DisconnectedError", module.py().get_type::<failure::DisconnectedError>())?;
    module.add_class::<model::FittedModel>()?;
    module.add_class::<lists::Neighbors>()?;
    module.add_function(wrap_pyfunction!(blocks::nearest, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::graph, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::geodesics, module)?)?;
    module.add_function(wrap_pyfunction!(blocks::random_landmarks, module)?)?;
    module.add_function(wrap_pyfunction!(describe::methods, module)?)?;
    module.add_function(wrap_pyfunction!(describe::measures, module)?)?;
    module.add_function(wrap_pyfunction!(describe::data_sets, module)?)?;
    module.add_function(wrap_pyfunction!(dimension::dimension, module)?)?;
    module.add_function(wrap_pyfunction!(lists::related, module)?)?;
    module.add_function(wrap_pyfunction!(model::fit, module)?)?;
    module.add_function(wrap_pyfunction!(model::align::align, module)?)?;
    module.add_function(wrap_pyfunction!(model::allow, module)?)?;
    module.add_function(wrap_pyfunction!(model::load, module)?)?;
    module.add_function(wrap_pyfunction!(model::column_names, module)?)?;
    module.add_function(wrap_pyfunction!(mixed::mixed_columns, module)?)?;
    module.add_function(wrap_pyfunction!(mixed::mixed_rows, module)?)?;
    module.add_function(wrap_pyfunction!(mixed::saved_columns, module)?)?;
    module.add_class::<regressor::Regression>()?;
    module.add_function(wrap_pyfunction!(regressor::left_out, module)?)?;
    module.add_function(wrap_pyfunction!(sets::data_set, module)?)?;
    module.add_function(wrap_pyfunction!(sets::read, module)?)?;
    module.add_function(wrap_pyfunction!(lab::page, module)?)?;
    module.add_function(wrap_pyfunction!(scores::score, module)?)?;
    module.add_function(wrap_pyfunction!(scores::score_points, module)?)?;
    module.add_function(wrap_pyfunction!(trust::perturbation, module)?)?;
    module.add_function(wrap_pyfunction!(trust::curvatures, module)?)?;
    module.add_function(wrap_pyfunction!(trust::drivers, module)?)?;
    module.add_function(wrap_pyfunction!(trust::ellipses, module)?)?;
    Ok(())
}
