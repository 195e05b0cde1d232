//! `--continue`: the model whose fit goes on.

use std::path::Path;

use embedding::{DynMethod, Error, Input, PointSet};

use super::arguments::Embed;
use crate::Failure;
use crate::cli::files::saved_model::SavedModel;
use crate::methods::find;

/// Reads the model, and its method with the parameters of its fit, without the phases that lead from a small start
/// to a map. Fails where the command reads the data in another way than the fit did.
pub(super) fn read(
    path: &Path,
    chosen: Option<&str>,
    options: &Embed,
) -> Result<(Box<dyn DynMethod>, SavedModel), Failure> {
    let model = SavedModel::read(path)?;
    let name = model.method;
    let file = |problem: &str| Error::file(path.display(), problem);
    if let Some(chosen) = chosen
        && find(chosen)?.about().name != name
    {
        return Err(Failure::usage(format!(
            "--continue goes on with the method of the model, {name}, but --method {chosen} is another; leave out \
             --method, or give the map as --start"
        )));
    }
    let Some(fit) = &model.fit else {
        let problem =
            "it does not have the parameters of its fit; write it by `compare embed --save` of this version";
        return Err(file(problem).into());
    };
    let method = fit.method(name).map_err(|error| file(&error.to_string()))?;
    if method.start_scale().is_none() {
        return Err(Failure::usage(format!(
            "--continue needs the model of an iterative method, but {name} is none"
        )));
    }
    let metric = model.metric();
    if metric != options.distance.metric {
        return Err(Failure::usage(format!(
            "--continue needs the metric of the model; give --metric {metric}, not {}",
            options.distance.metric
        )));
    }
    if model.scaling.is_some() != options.reading.standardize {
        let (are, change) = match model.scaling {
            Some(_) => ("are", "give"),
            None => ("are not", "leave out"),
        };
        return Err(Failure::usage(format!(
            "the columns of the model {are} standardized; {change} --standardize with --continue"
        )));
    }
    Ok((method.resumed_dyn(), model))
}

/// The map of the model and its state, for a fit of an input. Fails where the model does not have all rows, and
/// where it keeps its points and these are others.
pub(super) fn map(earlier: &SavedModel, input: &Input<'_>) -> Result<(PointSet, Option<Vec<u8>>), Error> {
    let map = earlier.fitted.embedding();
    let (n, got) = (input.len(), map.len());
    if got != n || map.placed_rows().is_some() {
        return Err(Error::Shape {
            what: "the number of rows of the model whose fit goes on",
            expected: format!("{n}, the rows of the data"),
            got: got.to_string(),
        });
    }
    // Points of standardized columns are equal up to rounding.
    if let (Some(points), None) = (input.points(), &earlier.scaling)
        && let Some(known) = earlier.fitted.training_points()?
        && let Some(row) = (0..n).find(|&row| points.row(row) != known.view().row(row))
    {
        return Err(Error::degenerate(
            format!("row {row} (counted from 0) differs from the row that the model was fitted to"),
            "give the data of the model, or give its map as --start",
        ));
    }
    let state = earlier.fit.as_ref().and_then(|fit| fit.state.clone());
    Ok((PointSet::new(map.values().to_vec(), map.dim())?, state))
}
