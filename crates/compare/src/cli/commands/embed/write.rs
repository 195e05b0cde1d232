//! The last step of `compare embed`: the files of a fit.

use datasets::files::WholeFiles;
use embedding::{DataKind, DynModel, Embedding, Error, PointSet};

use super::arguments::Embed;
use super::read::ReadInput;
use super::report::Report;
use super::task::Task;
use crate::cli::context::Context;
use crate::cli::files::row_names::{self, Beside};
use crate::cli::files::{input, saved_model};
use crate::cli::plot;
use crate::cli::words::{command, typed};
use crate::output::json;
use crate::results::MethodResults;

/// Writes all files or none: a map without its model would be mistaken for a finished run.
pub(super) fn write(
    options: &Embed,
    task: &Task,
    read: ReadInput,
    (fitted, map, row): (&dyn DynModel, &Embedding, &MethodResults),
    context: &Context,
) -> Result<(), Error> {
    let model =
        options.save.as_ref().map(|path| Ok::<_, Error>((path, saved(options, fitted, &read, task)?)));
    let model = model.transpose()?;
    let mut files = WholeFiles::default();
    let coordinates = PointSet::from_mat(map.coordinates())?;
    let beside = Beside {
        kept: read.kept().map(|(_, kept)| kept),
        placed: map.placed_rows(),
        names: row_names::asked_for(&options.reading, read.table()),
        labels: read.labels(),
        carried: read.table().map_or(&[], |table| &table.carried),
    };
    row_names::write(&mut files, &options.output, coordinates.view(), &beside, context)?;
    if let Some((path, bytes)) = model {
        files.write(path, |file| file.write_all(&bytes))?;
    }
    if let Some(path) = &options.report {
        let report = Report { version: env!("CARGO_PKG_VERSION"), command: command(&typed()), row };
        files.write(path, |file| file.write_all(json(&report).as_bytes()))?;
    }
    if let Some(path) = &options.plot {
        let (name, method) = (input::stem(&options.input), task.method.about().name);
        let title = options.title.clone().unwrap_or_else(|| format!("{method} of {name}"));
        let units = (options.distance.metric, context.memory);
        let data = read.into_dataset(task.input.given, name, row.n, units)?;
        plot::write(&mut files, path, &title, &data, map)?;
    }
    files.complete()
}

/// The bytes of the model; where a sample was fitted, without the names of all rows.
fn saved(options: &Embed, fitted: &dyn DynModel, read: &ReadInput, task: &Task) -> Result<Vec<u8>, Error> {
    let table = read.table();
    let names = row_names::asked_for(&options.reading, table).filter(|_| options.fit_on.is_none());
    let table = table.filter(|_| task.input.given != DataKind::Neighbors);
    saved_model::bytes(task.method.as_ref(), fitted, table, names)
}
