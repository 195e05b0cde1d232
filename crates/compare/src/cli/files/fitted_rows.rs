//! The rows to which a saved model was fitted.

use std::path::Path;

use datasets::files::Table;
use datasets::{Labels, RowNames};
use embedding::{DynModel, Error, PointSet, Points, Remedy, TrainingRows};
use figure::number::count;

use super::saved_model::SavedModel;
use super::{input, model_columns, row_names};
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::options::reading::ReadingOptions;

/// Training rows that are compared with the map.
const COMPARED: usize = 20;
/// Largest distance of a training row from its place, as a fraction of the extent of the map.
const SAME: f64 = 1e-6;

/// The rows, with what is known of them.
pub(in crate::cli) struct FittedRows {
    /// In the units of the file, with the columns of the model.
    pub(in crate::cli) points: PointSet,
    pub(in crate::cli) columns: Option<Vec<String>>,
    /// Which rows of the file they are, where some were left out.
    pub(in crate::cli) kept: Option<Vec<u32>>,
    pub(in crate::cli) names: Option<RowNames>,
    pub(in crate::cli) labels: Option<Labels>,
}

impl FittedRows {
    /// Reads the rows from `--input`; without it, takes those that the model keeps.
    ///
    /// Fails where the model keeps none, where a file has other rows than the model, and where options of reading have
    /// no file.
    pub(in crate::cli) fn read(
        of_model: &Path,
        of_data: Option<&Path>,
        options: &ReadingOptions,
        model: &SavedModel,
        context: &Context,
    ) -> Result<Self, Failure> {
        options.check_for_model()?;
        let Some(path) = of_data else { return Self::kept(of_model, options, model) };
        let data = read(path, options, model, context)?;
        check(&*model.fitted, data.points.view(), of_model, path)?;
        let names = row_names::asked_for(options, Some(&data)).cloned();
        let Table { points, columns, kept, labels, .. } = data;
        Ok(Self { points, columns, kept, names, labels })
    }

    /// The rows that the model keeps, with the names that were saved with it.
    fn kept(of_model: &Path, options: &ReadingOptions, model: &SavedModel) -> Result<Self, Failure> {
        if *options != ReadingOptions::default() {
            return Err(Failure::usage("options of reading files need the file of the data: give --input"));
        }
        let points = model.fitted.training_points()?.ok_or_else(|| {
            let problem = "it does not keep the points that it was fitted to; give them by --input";
            Error::file(of_model.display(), problem)
        })?;
        let names = model.fit.as_ref().and_then(|fit| fit.names.clone());
        Ok(Self {
            columns: model.columns.as_ref().map(|known| known.names.clone()),
            kept: None,
            names: names.filter(|names| names.values.len() == points.len()),
            labels: None,
            points,
        })
    }
}

/// A file with the columns of the model.
fn read(
    path: &Path,
    options: &ReadingOptions,
    model: &SavedModel,
    context: &Context,
) -> Result<Table, Failure> {
    let wanted = model.columns.as_ref().map_or(&[][..], |known| &known.names);
    let advice = "leave out such rows (--missing drop), as for the fit";
    let read = match options.label_column {
        None => input::read_points(path, wanted, options, context),
        Some(_) => input::read_coordinates(path, wanted, input::Classes::default(), options, context),
    };
    let data = read.map_err(|failure| input::advised(failure, &[Remedy::MissingValues], advice))?;
    match &model.columns {
        Some(known) => model_columns::in_order(data, known, path, context),
        None => Ok(data),
    }
}

/// Fails unless some rows of the data are where the map has them.
fn check(model: &dyn DynModel, data: Points<'_>, of_model: &Path, of_data: &Path) -> Result<(), Failure> {
    let map = model.embedding();
    let other = |problem: String| {
        let problem = format!("these are not the data of the model {}: {problem}", of_model.display());
        Failure::from(Error::file(input::name(of_data), problem))
    };
    let placed: Vec<u32> = map.input_rows().collect();
    if let Some(last) = placed.last().filter(|row| **row as usize >= data.len()) {
        return Err(other(format!("{} rows, but the map has row {last}", count(data.len()))));
    }
    let some: Vec<usize> =
        (0..COMPARED.min(map.len())).map(|at| at * map.len() / COMPARED.min(map.len())).collect();
    let rows: Vec<u32> = some.iter().map(|at| placed[*at]).collect();
    let places =
        model.place(data.select(&rows).view().into(), TrainingRows::Stored).map_err(|error| match error {
            Error::Shape { .. } => input::of_file(error, of_data),
            other => other,
        })?;
    let extent = map.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (place, at) in places.rows().zip(some) {
        let gap = place.iter().zip(map.row(at)).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        if gap > SAME * extent {
            return Err(other(format!("row {} is at another place of the map", placed[at])));
        }
    }
    Ok(())
}
