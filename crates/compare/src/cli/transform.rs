//! `compare transform`.

use std::fs;
use std::process::ExitCode;

use datasets::files;
use embedding::{Error, PointSet};

use super::Context;
use super::arguments::Transform;
use crate::Failure;
use crate::methods::load;

pub(super) fn transform(arguments: &Transform, context: &Context) -> Result<ExitCode, Failure> {
    let file = |problem: String| Error::file(arguments.model.display(), problem);
    let bytes = fs::read(&arguments.model).map_err(|error| file(format!("cannot be read: {error}")))?;
    let (method, fitted) = load(&bytes).map_err(|error| file(error.to_string()))?;
    let new = files::read_points(&arguments.input, context.memory)?.points;
    context.progress.begin(format!("{}: new points", method.name()));
    let placed = fitted.transform(new.view()).ok_or_else(|| {
        file(format!("a model of {} cannot place new points; see `compare list methods`", method.name()))
    })??;
    context.progress.end();
    files::write_points(&arguments.output, PointSet::from_mat(placed.as_ref())?.view())?;
    Ok(ExitCode::SUCCESS)
}
