//! Tables with one row per point and one column per score.

use std::path::Path;

use datasets::RowNames;
use datasets::files::WholeFiles;
use embedding::Error;

use crate::Failure;

/// Refuses a name that is not a text table.
pub(in crate::cli) fn check(option: &str, path: &Path) -> Result<(), Failure> {
    match separator(path) {
        Some(_) => Ok(()),
        None => {
            Err(Failure::usage(format!("{option} {}: the name must end in .csv or .tsv", path.display())))
        }
    }
}

fn separator(path: &Path) -> Option<char> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" => Some(','),
        "tsv" => Some('\t'),
        _ => None,
    }
}

/// Writes a header and one line per point: its row in the file, counted from 0, its name where points have
/// names, and its values. A value that is undefined at a point is an empty cell.
pub(in crate::cli) fn write(
    files: &mut WholeFiles,
    path: &Path,
    (names, kept): (Option<&RowNames>, Option<&[u32]>),
    columns: &[(&str, Vec<Option<f64>>)],
) -> Result<(), Error> {
    let separator = separator(path).unwrap_or(',');
    let quoted = |word: &str| match word.contains([separator, '"', '\n', '\r']) {
        true => format!("\"{}\"", word.replace('"', "\"\"")),
        false => word.to_owned(),
    };
    let mut heads = vec!["row".to_owned()];
    heads.extend(names.map(|names| quoted(names.column())));
    heads.extend(columns.iter().map(|(name, _)| (*name).to_owned()));
    let between = separator.to_string();
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    files.write(path, |file| {
        writeln!(file, "{}", heads.join(&between))?;
        for i in 0..rows {
            let mut cells = vec![kept.map_or(i, |kept| kept[i] as usize).to_string()];
            cells.extend(names.map(|names| quoted(&names.values[i])));
            let cell = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            cells.extend(columns.iter().map(|(_, values)| cell(values[i])));
            writeln!(file, "{}", cells.join(&between))?;
        }
        Ok(())
    })
}
