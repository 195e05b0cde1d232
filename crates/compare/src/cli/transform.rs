//! `compare transform`.

use std::fs;
use std::process::ExitCode;

use datasets::files;
use embedding::{Error, PointSet};

use super::Context;
use super::arguments;
use crate::Failure;

pub(super) fn transform(arguments: &arguments::Transform, context: &Context) -> Result<ExitCode, Failure> {
    let file = |problem: String| Error::file(arguments.model.display(), problem);
    let bytes = fs::read(&arguments.model).map_err(|error| file(format!("cannot be read: {error}")))?;
    let (method, fitted) = swissroll::load(&bytes).map_err(|error| file(error.to_string()))?;
    let new = files::read_points(&arguments.input, context.memory)?.points;
    context.progress.begin(format!("{}: new points", method.about().name));
    let placed = fitted.transform(new.view())?;
    context.progress.end();
    files::write_points(&arguments.output, PointSet::from_mat(placed.coordinates())?.view())?;
    Ok(ExitCode::SUCCESS)
}
