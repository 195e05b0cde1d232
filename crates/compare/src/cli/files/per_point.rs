//! Tables with one row per point.

use std::path::Path;

use datasets::RowNames;
use datasets::files::WholeFiles;
use embedding::Error;

use crate::Failure;

/// Refuses a name that is not one of a text table.
pub(in crate::cli) fn check(option: &str, path: &Path) -> Result<(), Failure> {
    delimiter(path).map(drop).ok_or_else(|| {
        Failure::usage(format!("{option} {}: the name must end in .csv or .tsv", path.display()))
    })
}

fn delimiter(path: &Path) -> Option<u8> {
    let extension = path.extension()?.to_str()?;
    match extension.to_ascii_lowercase().as_str() {
        "csv" => Some(b','),
        "tsv" => Some(b'\t'),
        _ => None,
    }
}

/// Writes the rows with the columns `row`, the name where there are names, and values. `rows` are
/// numbers of points, `kept` the rows of the file that the points are, where some were left out. An
/// undefined value is an empty cell.
pub(in crate::cli) fn write(
    files: &mut WholeFiles,
    path: &Path,
    (rows, kept, names): (&[u32], Option<&[u32]>, Option<&RowNames>),
    columns: &[(&str, &[Option<f64>])],
) -> Result<(), Error> {
    let failed = |error: csv::Error| Error::file(path.display(), error);
    let mut table =
        csv::WriterBuilder::new().delimiter(delimiter(path).unwrap_or(b',')).from_writer(Vec::new());
    let title = names.map(|names| names.column());
    let head = ["row"].into_iter().chain(title).chain(columns.iter().map(|column| column.0));
    table.write_record(head).map_err(failed)?;
    for (at, &row) in rows.iter().enumerate() {
        let line = kept.map_or(row, |kept| kept[row as usize]);
        let name = names.map(|names| names.values[row as usize].clone());
        let values =
            columns.iter().map(|column| column.1[at].map(|value| value.to_string()).unwrap_or_default());
        table.write_record([line.to_string()].into_iter().chain(name).chain(values)).map_err(failed)?;
    }
    let bytes = table.into_inner().map_err(|error| Error::file(path.display(), error))?;
    files.write(path, |file| file.write_all(&bytes))
}
