//! `compare drivers`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::WholeFiles;
use embedding::{Embedding, Error, Input};
use figure::number::{counted, percent};
use quality::drivers::{ColumnDriver, Drivers as Recipe, MapGradients, Unit, explained_columns};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::fitted_rows::FittedRows;
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{outputs, per_point};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::whole;
use crate::cli::standard_output::print;
use crate::results::AxisDrivers;
use crate::views::drivers::{axis, names_of};

/// Columns that the summary describes.
const DESCRIBED: usize = 5;
/// Columns that it names for a class.
const OF_CLASS: usize = 3;
/// R² below which a gradient is not sure.
const UNSURE: f64 = 0.5;

/// Writes one row per point of the map: its row in the data, its name where rows have names, the
/// certainty (R² for left-out neighbors, 1 for linear maps), and the importance of each column:
/// how far the point moves in the map when the column changes by one standard deviation.
#[derive(Args)]
#[group(skip)]
// Refused with the reason.
#[command(mut_arg("standardize", |arg| arg.hide(true)), mut_arg("weights", |arg| arg.hide(true)), mut_arg("asymmetric", |arg| arg.hide(true)))]
pub(in crate::cli) struct Drivers {
    /// A model written by `compare embed --save`
    #[arg(long, value_name = "MODEL")]
    pub(in crate::cli) model: PathBuf,
    /// The data to which the model was fitted, one row per point; needed where the model does not keep them: linear
    /// models and models of several components
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: Option<PathBuf>,
    /// Output file of the importances, .csv or .tsv
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) output: PathBuf,
    /// Number of rows of a local regression, along the neighbor graph
    #[arg(long, value_name = "K", default_value_t = 30, value_parser = whole::<usize>)]
    pub(in crate::cli) k: usize,
    /// Importance per unit of a column, instead of per standard deviation of the column
    #[arg(long)]
    pub(in crate::cli) per_unit: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn drivers(options: &Drivers, context: &Context) -> Result<ExitCode, Failure> {
    outputs::check([&options.model].into_iter().chain(&options.input), [("--output", &options.output)])?;
    per_point::check("--output", &options.output)?;
    let model = SavedModel::read(&options.model)?;
    model.require_coordinates("drivers")?;
    let file = options.input.as_deref();
    let data = FittedRows::read(&options.model, file, &options.reading, &model, context)?;
    let map = model.fitted.embedding();
    let recipe = Recipe { k: options.k, ..Recipe::default() };
    context.progress.begin(format!("{}: local regressions", model.method));
    let prepared = Input::from(&data.points).with_metric(model.metric());
    let input = prepared.with_memory_limit(context.memory).with_observer(&context.progress);
    let found = gradients(&recipe, &model, map, &input)?;
    let explained = explained_columns(map, &input)?;
    context.progress.end();
    let unit = if options.per_unit { Unit::Value } else { Unit::Deviation };
    let columns = names_of(data.columns.as_deref(), found.columns());
    write(options, &found, unit, (&columns, &data))?;
    let points = counted(map.len(), "point", "points");
    let mut text = match found.penalty() {
        None => format!("What drives the map of {points}: the model is linear, so that this is exact.\n"),
        Some(_) => format!(
            "What drives the map of {points}, by local regressions: R² for left-out neighbors has the median \
             {:.2}.\n",
            found.median_certainty()
        ),
    };
    let per = if options.per_unit { "unit" } else { "standard deviation" };
    let all = found.of_map(unit);
    for driver in all.iter().take(DESCRIBED).filter(|driver| driver.importance > 0.0) {
        text += &described(driver, &columns, per, (explained.linear(), explained.local()));
    }
    for coordinate in 0..found.dim() {
        text += &axis(&AxisDrivers::of(&found, coordinate, unit), coordinate, &columns);
        text += "\n";
    }
    text += &classes(&found, unit, &columns, &data);
    let unsure = found.certainty().iter().filter(|fraction| **fraction < UNSURE).count();
    if unsure > 0 {
        text += &format!(
            "Be careful with {} of R² below {UNSURE}: there the columns explain less than half of the map.\n",
            counted(unsure, "point", "points")
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The gradients per unit of the data. Regressions of a standardized model are in its own units.
fn gradients(
    recipe: &Recipe,
    model: &SavedModel,
    map: &Embedding,
    input: &Input<'_>,
) -> Result<MapGradients, Error> {
    match &model.scaling {
        Some(scaling) if model.fitted.linear_map().is_none() => {
            let scaled = scaling.apply(input.require_points()?)?;
            let prepared = Input::from(&scaled).with_metric(input.metric()).with_observer(input.observer());
            let found = recipe.of_map(map, &prepared.with_memory_limit(input.memory_limit()))?;
            found.per_undivided_unit(&scaling.deviation)
        }
        _ => recipe.of_model(&*model.fitted, map, input),
    }
}

/// Writes the table.
fn write(
    options: &Drivers,
    found: &MapGradients,
    unit: Unit,
    (columns, data): (&[String], &FittedRows),
) -> Result<(), Failure> {
    let mut values = vec![Vec::with_capacity(found.rows().len()); columns.len()];
    for point in 0..found.rows().len() {
        let importance = found.importance(point, unit);
        values.iter_mut().zip(importance).for_each(|(column, value)| column.push(Some(value)));
    }
    let certainty: Vec<Option<f64>> = found.certainty().iter().copied().map(Some).collect();
    let of_columns = columns.iter().zip(&values).map(|(name, values)| (name.as_str(), &values[..]));
    let table: Vec<(&str, &[Option<f64>])> =
        [("certainty", &certainty[..])].into_iter().chain(of_columns).collect();
    let mut files = WholeFiles::default();
    let rows = (found.rows(), data.kept.as_deref(), data.names.as_ref());
    per_point::write(&mut files, &options.output, rows, &table)?;
    Ok(files.complete()?)
}

/// A sentence on one column.
fn described(
    driver: &ColumnDriver,
    names: &[String],
    per: &str,
    (linear, local): (&[f64], &[f64]),
) -> String {
    let among = match names.len() {
        0..=5 => String::new(),
        _ => format!(", among the five most important at {} of the points", percent(driver.among_first)),
    };
    format!(
        "`{}` moves a point by {:.3} ± {:.3} per {per}{among}; the map explains {} of the column ({} by a \
         linear function).\n",
        names[driver.column],
        driver.importance,
        driver.spread,
        percent(local[driver.column]),
        percent(linear[driver.column]),
    )
}

/// A sentence on each class.
fn classes(found: &MapGradients, unit: Unit, names: &[String], data: &FittedRows) -> String {
    let Some(labels) = &data.labels else { return String::new() };
    let of_class = |(class, name): (usize, &String)| {
        let member = |point: &usize| labels.values[found.rows()[*point] as usize] as usize == class;
        let drivers = found.of_points((0..found.rows().len()).filter(member), unit);
        let first: Vec<String> = drivers
            .iter()
            .take(OF_CLASS)
            .filter(|driver| driver.importance > 0.0)
            .map(|driver| format!("`{}` ({:.3})", names[driver.column], driver.importance))
            .collect();
        if first.is_empty() {
            return String::new();
        }
        format!("Most important for class `{name}`: {}.\n", first.join(", "))
    };
    labels.classes.iter().enumerate().map(of_class).collect()
}
