//! `compare transform`.

use std::fs;
use std::process::ExitCode;

use datasets::files::WholeFiles;
use embedding::{Error, Metric, NewPoints, PointSet};

use crate::Failure;
use crate::cli::Context;
use crate::cli::arguments::{self, MissingValues};
use crate::cli::files::{input, model_columns, outputs, row_names};

pub(in crate::cli) fn transform(
    arguments: &arguments::Transform,
    context: &Context,
) -> Result<ExitCode, Failure> {
    let inputs = [&arguments.model, &arguments.input];
    outputs::check(inputs, [("--output", &arguments.output)])?;
    outputs::check_table("--output", &arguments.output)?;
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
    let (bytes, known) = swissroll::columns::load(bytes).map_err(|error| file(error.to_string()))?;
    let (method, fitted) = swissroll::load(&bytes).map_err(|error| file(error.to_string()))?;
    // A sparse matrix stays one: its zeros are read by the models that need them.
    let sparse = input::read_sparse(&arguments.input, &arguments.reading, Metric::Euclidean, context)?;
    let dense = match &sparse {
        None => {
            let wanted = known.as_ref().map_or(&[][..], |known| &known.names);
            let read = input::read_points(&arguments.input, wanted, &arguments.reading, context);
            let advice = "leave out such rows (--missing drop) or fill in their values";
            let mut new = read.map_err(|failure| input::advised(failure, &["--missing mean"], advice))?;
            if let Some(known) = &known {
                new = model_columns::in_order(new, known, &arguments.input, context)?;
            }
            let far = known.as_ref().and_then(|known| model_columns::far(new.points.view(), known));
            far.into_iter().for_each(|note| context.progress.line(format!("note: {note}")));
            Some(new)
        }
        Some(_) => None,
    };
    let new = sparse.as_ref().map(|table| NewPoints::from(table.points.view()));
    let new = new.or(dense.as_ref().map(|table| table.points.view().into())).ok_or_else(Error::no_points)?;
    context.progress.begin(format!("{}: new points", method.about().name));
    let placed = fitted.place(new, arguments.exact_matches).map_err(|error| match error {
        Error::Shape { .. } => input::of_file(error, &arguments.input),
        other => other,
    })?;
    context.progress.end();
    let coordinates = PointSet::from_mat(placed.coordinates())?;
    let of_rows = row_names::asked_for(&arguments.reading, dense.as_ref());
    let mut files = WholeFiles::default();
    row_names::write(&mut files, &arguments.output, coordinates.view(), of_rows, context)?;
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}
