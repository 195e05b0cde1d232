//! `compare transform`.

use std::fs;
use std::process::ExitCode;

use datasets::files;
use embedding::{Error, PointSet};

use super::arguments::{self, MissingValues};
use super::{Context, input, scaling};
use crate::Failure;

pub(super) fn transform(arguments: &arguments::Transform, context: &Context) -> Result<ExitCode, Failure> {
    let inputs = [&arguments.model, &arguments.input];
    input::keep_apart(inputs, [("--output", &arguments.output)])?;
    if arguments.reading.standardize {
        return Err(Failure::usage(
            "--standardize belongs to `compare embed`: its model puts new points into the units of its own data",
        ));
    }
    if arguments.reading.missing == Some(MissingValues::Mean) {
        return Err(Failure::usage(
            "--missing mean would take the means of the new points, not those of the model; use --missing drop",
        ));
    }
    let file = |problem: String| Error::file(arguments.model.display(), problem);
    let bytes = fs::read(&arguments.model).map_err(|error| file(format!("cannot be read: {error}")))?;
    let (bytes, units) = scaling::load(bytes).map_err(|error| file(error.to_string()))?;
    let (method, fitted) = swissroll::load(&bytes).map_err(|error| file(error.to_string()))?;
    let new = input::read(&arguments.input, None, &arguments.reading, context)?.points;
    let new = scaling::apply(new, units.as_ref())?;
    context.progress.begin(format!("{}: new points", method.about().name));
    let placed = fitted.transform_by(new.view(), arguments.exact_matches)?;
    context.progress.end();
    files::write_points(&arguments.output, PointSet::from_mat(placed.coordinates())?.view())?;
    Ok(ExitCode::SUCCESS)
}
