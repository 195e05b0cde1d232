//! `compare transform`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::WholeFiles;
use embedding::{Error, Metric, PointSet, Remedy, Rows, TrainingRows};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::row_names::{self, Beside};
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{input, model_columns, outputs};
use crate::cli::options::reading::{ReadingOptions, With};

#[derive(Args)]
#[group(skip)]
// Refused with the reason.
#[command(mut_arg("standardize", |arg| arg.hide(true)), mut_arg("weights", |arg| arg.hide(true)), mut_arg("asymmetric", |arg| arg.hide(true)))]
pub(in crate::cli) struct Transform {
    /// A model written by `compare embed --save`
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) model: PathBuf,
    /// The new points, one per row; where columns have names, the columns of the model's data are
    /// selected by name, and others are left out. For a model of neighbor lists, a sparse matrix of
    /// distances from new points to training points (.npz), or rows of new point, training point and
    /// distance, counted from 0
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Output file of their coordinates
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    /// Rows that equal a training row: `stored`, where that row is, or `extended`, where the
    /// method's extension puts any other point
    #[arg(long, value_name = "RULE", default_value = "stored")]
    pub(in crate::cli) exact_matches: ExactMatches,
    #[command(flatten)]
    pub(in crate::cli) with: With,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

/// Where a row that equals a training row is placed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum ExactMatches {
    Stored,
    Extended,
}

embedding::words!(ExactMatches { Stored = "stored", Extended = "extended" });

impl From<ExactMatches> for TrainingRows<'_> {
    fn from(matches: ExactMatches) -> Self {
        match matches {
            ExactMatches::Stored => Self::Stored,
            ExactMatches::Extended => Self::Extended,
        }
    }
}

pub(super) fn transform(options: &Transform, context: &Context) -> Result<ExitCode, Failure> {
    let inputs = [&options.model, &options.input];
    outputs::check(inputs, [("--output", &options.output)])?;
    outputs::check_map("--output", &options.output, &options.with.with)?;
    options.reading.check_for_model()?;
    let model = SavedModel::read(&options.model)?;
    if let Some(training) = model.fitted.lists_among() {
        return transform_listed(options, (&model, training), context);
    }
    let reading = options.reading.for_metric(model.metric(), model.mixed.clone())?;
    let SavedModel { fitted, method, columns: known, mixed, .. } = model;
    // A sparse matrix stays one: its zeros are read by the models that need them.
    let reading = options.with.reading(&reading);
    let sparse = match mixed {
        None => input::read_sparse(&options.input, &reading, Metric::Euclidean, context)?,
        Some(_) => None,
    };
    let dense = match &sparse {
        None => {
            let wanted = known.as_ref().map_or(&[][..], |known| &known.names);
            let read = input::read_points(&options.input, wanted, &reading, context);
            let advice = "leave out such rows (--missing drop) or fill in their values";
            let mut new =
                read.map_err(|failure| input::advised(failure, &[Remedy::MissingValues], advice))?;
            if let Some(known) = &known {
                new = model_columns::in_order(new, known, &options.input, context)?;
            }
            let far = known.as_ref().and_then(|known| model_columns::far(new.points.view(), known));
            far.into_iter().for_each(|note| context.progress.line(format!("note: {note}")));
            Some(new)
        }
        Some(_) => None,
    };
    let new = sparse.as_ref().map(|table| Rows::from(table.points.view()));
    let new = new.or(dense.as_ref().map(|table| table.points.view().into())).ok_or_else(Error::no_points)?;
    context.progress.begin(format!("{method}: new points"));
    let placed = fitted.place(new, options.exact_matches.into()).map_err(|error| match error {
        Error::Shape { .. } => input::of_file(error, &options.input),
        other => other,
    })?;
    context.progress.end();
    let coordinates = PointSet::from_mat(placed.coordinates())?;
    let beside = Beside {
        kept: match (&sparse, &dense) {
            (Some(table), _) => table.kept.as_deref(),
            (None, table) => table.as_ref().and_then(|table| table.kept.as_deref()),
        },
        names: row_names::asked_for(&options.reading, dense.as_ref()),
        carried: dense.as_ref().map_or(&[], |table| &table.carried),
        ..Beside::default()
    };
    let mut files = WholeFiles::default();
    row_names::write(&mut files, &options.output, coordinates.view(), &beside, context)?;
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}

/// The same by a model of neighbor lists, for neighbor lists of new points.
fn transform_listed(
    options: &Transform,
    (model, training): (&SavedModel, usize),
    context: &Context,
) -> Result<ExitCode, Failure> {
    if !options.with.with.is_empty() {
        return Err(Failure::usage("--with needs the columns of points, but the model takes neighbor lists"));
    }
    let new = input::read_new_neighbors(&options.input, training, &options.reading, context)?;
    context.progress.begin(format!("{}: new points", model.method));
    let placed = model.fitted.place_listed(&new, options.exact_matches.into())?;
    context.progress.end();
    let coordinates = PointSet::from_mat(placed.coordinates())?;
    let mut files = WholeFiles::default();
    row_names::write(&mut files, &options.output, coordinates.view(), &Beside::default(), context)?;
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}
