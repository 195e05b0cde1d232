//! `--continue`: the model whose fit goes on.

use std::path::Path;

use datasets::files::{Scaling, Table};
use embedding::{DynMethod, Error, Input, PointSet, Points};

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
    let file = |problem: String| Error::file(path.display(), problem);
    if let Some(chosen) = chosen
        && find(chosen)?.about().name != name
    {
        return Err(Failure::usage(format!(
            "--continue goes on with the method of the model, {name}, but --method {chosen} is another; leave out \
             --method, or give the map as --start"
        )));
    }
    let method =
        model.settings().and_then(|fit| fit.method(name).map_err(|error| error.to_string())).map_err(file)?;
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
    Ok((method.resumed_dyn(), model))
}

/// The map of the model and its state, for a fit of an input that was read from a table. Fails where the model does
/// not have all rows, where its columns have other units, and where it keeps its points and these are others.
pub(super) fn map(
    earlier: &SavedModel,
    input: &Input<'_>,
    table: Option<&Table>,
) -> Result<(PointSet, Option<Vec<u8>>), Error> {
    let map = earlier.fitted.embedding();
    let (n, got) = (input.len(), map.len());
    if got != n || map.placed_rows().is_some() {
        return Err(Error::Shape {
            what: "the number of rows of the model whose fit goes on",
            expected: format!("{n}, the rows of the data"),
            got: got.to_string(),
        });
    }
    let scaling = table.and_then(|table| table.scaling.as_ref());
    same_units(earlier.scaling.as_ref(), scaling)?;
    if let Some(points) = input.points()
        && let Some(known) = earlier.fitted.training_points()?
        && let Some(row) = different(points, known, scaling)?
    {
        return Err(Error::degenerate(
            format!("row {row} (counted from 0) differs from the row that the model was fitted to"),
            "give the data of the model, or give its map as --start",
        ));
    }
    let state = earlier.fit.as_ref().and_then(|fit| fit.state.clone());
    Ok((PointSet::new(map.values().to_vec(), map.dim())?, state))
}

/// Relative rounding of means, deviations and scaled points.
const ROUNDING: f64 = 1e-9;

/// Fails unless the columns are scaled as the columns of the model are.
fn same_units(model: Option<&Scaling>, data: Option<&Scaling>) -> Result<(), Error> {
    let near = |a: &[f64], b: &[f64], units: &[f64]| {
        a.len() == b.len()
            && a.iter().zip(b).zip(units).all(|((a, b), unit)| (a - b).abs() <= ROUNDING * (unit + a.abs()))
    };
    let (what, advice) = match (model, data) {
        (None, None) => return Ok(()),
        (Some(model), Some(data))
            if near(&model.mean, &data.mean, &model.deviation)
                && near(&model.deviation, &data.deviation, &model.deviation) =>
        {
            return Ok(());
        }
        (Some(_), Some(_)) => (
            "the means, standard deviations or weights of the columns differ from the columns of the model",
            "give the data of the model with its own --standardize and --weights",
        ),
        (Some(_), None) => (
            "the columns of the model are standardized or weighted",
            "give its --standardize and --weights with --continue",
        ),
        (None, Some(_)) => (
            "the columns of the model are neither standardized nor weighted",
            "leave out --standardize and --weights with --continue",
        ),
    };
    Err(Error::degenerate(what, advice))
}

/// The first row that is not the row of the model, in the units of the fit; scaled rows are equal up to rounding.
fn different(points: Points<'_>, known: PointSet, scaling: Option<&Scaling>) -> Result<Option<usize>, Error> {
    let (known, rounding) = match scaling {
        Some(scaling) => (scaling.apply(known.view())?, ROUNDING),
        None => (known, 0.0),
    };
    if known.dim() != points.dim() || known.len() != points.len() {
        return Ok(Some(0));
    }
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= rounding * (1.0 + a.abs());
    let same = |row: &usize| points.row(*row).iter().zip(known.view().row(*row)).all(near);
    Ok((0..points.len()).find(|row| !same(row)))
}
