//! The tables of a sweep.

use embedding::Error;

use super::{columns, csv_row};
use crate::results::{Cell, Statistics, Sweep};

/// Mean and spread of every measure, one row for each data set, setting, method and
/// measure; time is among the measures, as `seconds`.
pub(super) fn summary(sweeps: &[Sweep]) -> Result<String, Error> {
    const HEADER: [&str; 13] = [
        "dataset",
        "method",
        "k",
        "n",
        "noise",
        "draws",
        "maps",
        "measure",
        "count",
        "mean",
        "deviation",
        "least",
        "most",
    ];
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    for sweep in sweeps {
        for cell in &sweep.cells {
            for method in &cell.methods {
                let scores = method.scores.iter().map(|score| (&score.measure[..], &score.values));
                for (measure, values) in method.seconds.iter().map(|time| ("seconds", time)).chain(scores) {
                    let mut row = vec![sweep.dataset.clone(), method.method.clone()];
                    row.extend(setting(cell));
                    row.extend([method.runs, method.done].map(|count| count.to_string()));
                    row.push(measure.to_owned());
                    row.extend(statistics(values));
                    rows.push(row);
                }
            }
        }
    }
    table("sweep.csv", rows)
}

/// Every run, one row each, with the columns of `results.csv`.
pub(super) fn runs(sweeps: &[Sweep]) -> Result<String, Error> {
    let own = ["k", "noise", "seed", "components", "shortcuts", "true_shortcuts"];
    let mut header: Vec<String> = own.map(str::to_owned).to_vec();
    header.extend(columns());
    let mut rows = vec![header];
    let text = |count: Option<usize>| count.map(|count| count.to_string()).unwrap_or_default();
    for sweep in sweeps {
        for run in &sweep.runs {
            for method in &run.methods {
                let mut row = vec![text(run.k), run.noise.to_string(), run.seed.to_string()];
                row.push(run.graph.components.len().to_string());
                row.extend([run.graph.shortcuts, run.graph.true_shortcuts].map(text));
                row.extend(csv_row(&sweep.dataset, method));
                rows.push(row);
            }
        }
    }
    table("sweep-runs.csv", rows)
}

fn setting(cell: &Cell) -> [String; 3] {
    [cell.k.map(|k| k.to_string()).unwrap_or_default(), cell.n.to_string(), cell.noise.to_string()]
}

fn statistics(values: &Statistics) -> [String; 5] {
    let Statistics { count, mean, deviation, least, most } = values;
    let deviation = deviation.map(|deviation| deviation.to_string()).unwrap_or_default();
    [count.to_string(), mean.to_string(), deviation, least.to_string(), most.to_string()]
}

/// Rows as CSV.
pub(super) fn table(name: &str, rows: impl IntoIterator<Item = Vec<String>>) -> Result<String, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| Error::file(name, error))?;
    }
    let bytes = writer.into_inner().map_err(|error| Error::file(name, error))?;
    Ok(String::from_utf8(bytes).expect("names and numbers are text"))
}
